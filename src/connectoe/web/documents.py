"""The rules pages of docs/ as pages of the server."""

from __future__ import annotations

import re
from pathlib import Path

from markdown_it import MarkdownIt
from markupsafe import Markup

from connectoe.catalogue import game_ids

HERE = Path(__file__).parent


def docs_folder() -> Path:
    """Where the rules pages and their pictures are: within the package, or in a checkout beside it.

    >>> (docs_folder() / "rules" / "connect-four.md").is_file()
    True
    """
    packed = HERE / "docs"
    return packed if packed.is_dir() else HERE.parents[2] / "docs"


def as_html(document: str) -> Markup:
    """A rules page as HTML, its pictures and links where this server has them.

    >>> as_html("![a board](../pictures/a.svg) and [ultimate](ultimate.md)")
    Markup('<p><img src="/pictures/a.svg" alt="a board" /> and <a href="/rules/ultimate">ultimate</a></p>\\n')
    """
    reader = MarkdownIt("commonmark", {"html": False}).enable("table")
    document = re.sub(r"<!--.*?-->\n?", "", document, flags=re.DOTALL)
    html = reader.render(document)
    html = html.replace('src="../pictures/', 'src="/pictures/')
    html = re.sub(r'href="([a-z0-9-]+)\.md"', r'href="/rules/\1"', html)
    html = html.replace("<table>", '<div class="scroll" tabindex="0"><table>').replace("</table>", "</table></div>")
    html = re.sub(r"<table>(?=\s*<thead>\s*<tr>\s*<th>option</th>)", '<table class="options">', html)
    html = html.replace("<h2>Options</h2>", '<h2 id="options">Options</h2>')
    html = html.replace("<pre>", '<pre tabindex="0">').replace("<th></th>", "<td></td>")
    return Markup(html)


def about_options(game_id: str) -> Markup:
    """What a rules page says about its options beside the table of them, like which boards are too large.

    >>> about_options("semaphores")
    Markup('<p>At most 24 squares in all. ...</p>\\n')
    >>> about_options("tic-tac-toe")
    Markup('')
    """
    file = docs_folder() / "rules" / f"{game_id}.md"
    if game_id not in game_ids() or not file.is_file():
        return Markup("")
    section = re.search(r"^## Options\n(.*?)(?=^## |\Z)", file.read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE)
    lines = section[1].splitlines() if section else []
    return as_html("\n".join(line for line in lines if not line.startswith("|")))
