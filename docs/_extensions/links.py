"""Links between documents that hold on the site as well as in a checkout.

In a checkout a page may link to a file outside docs/, such as ../CONTRIBUTING.md, and to the report of a study. On the
site the first is a page that includes the file, and the second is the report itself, copied as it is.
"""

from __future__ import annotations

import posixpath
import shutil
from pathlib import Path, PurePosixPath

from docutils import nodes
from sphinx import addnodes
from sphinx.application import Sphinx
from sphinx.util.typing import ExtensionMetadata

ROOT = Path(__file__).parents[2]
INCLUDED = {
    "README.md": "index",
    "CHANGELOG.md": "changelog",
    "CONTRIBUTING.md": "contributing",
    "bench/README.md": "results/measuring",
}
"""Which page of the site stands for a document outside docs/."""


def lead_to_pages(app: Sphinx, doctree: nodes.document) -> None:
    """Let links to documents outside docs/ lead to the pages that include them, and those to reports to the reports."""
    folder = PurePosixPath(app.env.docname).parent
    for link in list(doctree.findall(addnodes.pending_xref)) + list(doctree.findall(addnodes.download_reference)):
        target, _, anchor = str(link.get("reftarget", "")).partition("#")
        file = (app.srcdir / folder / target).resolve()
        if link.get("refdomain") == "doc":  # a Markdown file, named without its ending
            page = INCLUDED.get(f"{_from_root(file)}.md")
            address = page and posixpath.relpath(f"{page}.html", folder.as_posix())
            anchor = link.get("reftargetid") or anchor
        else:
            address = target if file.suffix == ".html" and file.exists() else None
        if address:
            whole = f"{address}#{anchor}" if anchor else address
            link.replace_self(nodes.reference("", "", *(child.deepcopy() for child in link), refuri=whole))


def _from_root(file: Path) -> str:
    return file.relative_to(ROOT).as_posix() if file.is_relative_to(ROOT) else ""


def copy_reports(app: Sphinx, problem: Exception | None) -> None:
    """Copy the reports of the studies, with their figures and games, beside the page that lists them."""
    studies = Path("results", "studies")
    if not problem and app.builder.format == "html":
        shutil.copytree(app.srcdir / studies, app.outdir / studies, dirs_exist_ok=True)


def setup(app: Sphinx) -> ExtensionMetadata:
    """Register both with Sphinx."""
    app.connect("doctree-read", lead_to_pages, priority=400)  # before Sphinx collects what is to be downloaded
    app.connect("build-finished", copy_reports)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
