"""The documentation builds without a warning, has no broken link, and loads nothing from the network."""

from __future__ import annotations

import re
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest

import connectoe
from tests.chromium import running_chromium

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]
PHONE = {"width": 390, "height": 844}


class Page(HTMLParser):
    """The places of a page that links can name, the links to other places, and what the page loads by itself."""

    def __init__(self, file: Path) -> None:
        super().__init__()
        self.names: set[str] = {"", "top"}
        self.links: list[str] = []
        self.loads: list[str] = []
        self.feed(file.read_text(encoding="utf-8"))

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        given = {name: value for name, value in attributes if value is not None}
        self.names |= {given[name] for name in ("id", "name") if name in given}
        if tag == "a" and "href" in given:
            self.links.append(given["href"])
        elif tag == "link" and given.get("rel") not in ("search", "next", "prev", "index"):
            self.loads.append(given["href"])
        if tag != "a" and "src" in given:
            self.loads.append(given["src"])


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build the documentation as `make docs` does."""
    folder = tmp_path_factory.mktemp("site")
    [options] = re.findall(r"^SPHINX := \S+ -m sphinx (.*)$", (ROOT / "Makefile").read_text(), re.MULTILINE)
    command = [sys.executable, "-m", "sphinx", *options.split(), str(ROOT / "docs"), str(folder)]
    built = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert built.returncode == 0, built.stderr
    return folder


@pytest.fixture(scope="module")
def pages(site: Path) -> dict[Path, Page]:
    return {file: Page(file) for file in sorted(site.rglob("*.html"))}


def test_every_document_has_a_page(pages: dict[Path, Page], site: Path) -> None:
    for document in (ROOT / "docs").rglob("*.md"):
        assert site / document.relative_to(ROOT / "docs").with_suffix(".html") in pages


def test_links_within_the_site_lead_somewhere(pages: dict[Path, Page]) -> None:
    broken = []
    for file, page in pages.items():
        for link in page.links:
            parts = urlsplit(link)
            if parts.scheme in ("http", "https", "mailto"):
                continue
            target = (file.parent / unquote(parts.path)).resolve() if parts.path else file
            is_right = target.exists() and (target not in pages or unquote(parts.fragment) in pages[target].names)
            if not is_right:
                broken.append(f"{file.name}: {link}")
    assert not broken


def test_nothing_is_loaded_from_the_network(pages: dict[Path, Page], site: Path) -> None:
    for file, page in pages.items():
        for address in page.loads:
            parts = urlsplit(address)
            assert parts.scheme in ("", "data"), f"{file.name} loads {address}"
            assert not parts.netloc, f"{file.name} loads {address}"
            assert parts.scheme or (file.parent / unquote(parts.path)).exists(), f"{file.name} lacks {address}"
    for style in site.rglob("*.css"):
        assert not re.search(r"""(@import|url\()\s*["']?(https?:)?//""", style.read_text(encoding="utf-8")), style.name


def test_every_exported_name_is_in_the_reference(pages: dict[Path, Page], site: Path) -> None:
    assert {f"connectoe.{name}" for name in connectoe.__all__} <= pages[site / "api.html"].names


def test_every_command_is_in_the_reference(pages: dict[Path, Page], site: Path) -> None:
    commands = [file.stem for file in (ROOT / "src/connectoe/commands").glob("[!_]*.py") if file.stem != "shared"]
    assert {f"connectoe-{command}" for command in commands} <= pages[site / "commands.html"].names


def test_pages_fit_a_phone_and_ask_for_files_of_the_site_alone(pages: dict[Path, Page], site: Path) -> None:
    asked: list[str] = []
    too_wide = []
    with running_chromium() as browser:
        phone = browser.new_page(viewport=PHONE, reduced_motion="reduce")  # type: ignore[arg-type]
        phone.on("request", lambda request: asked.append(request.url))
        for file in pages:
            if "studies" in file.parts:
                continue  # reports of studies, which have tests of their own
            phone.goto(file.as_uri(), wait_until="load")
            width = phone.evaluate("document.scrollingElement.scrollWidth")
            if width > PHONE["width"]:
                too_wide.append(f"{file.name}: {width}")
    assert not too_wide
    assert [address for address in asked if not address.startswith(("file:", "data:"))] == []
