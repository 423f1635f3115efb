"""The rules pages of docs/ as pages of the server."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

from markdown_it import MarkdownIt
from markdown_it.common.utils import escapeHtml
from markdown_it.renderer import RendererHTML
from markdown_it.token import Token
from markupsafe import Markup

from connectoe.core.catalogue import game_ids
from connectoe.core.game import Game

HERE = Path(__file__).parent
HEADINGS = ("h2", "h3")
HOW_TO_PLAY = "How to play"
"""The heading of the short rules, at the beginning of a rules page."""
PICTURES = "../pictures/"
"""Where a rules page finds its pictures."""


class PageRenderer(RendererHTML):
    """HTML for a page of this server: its own addresses, and wide tables and programs that can be scrolled."""

    def html_block(self, tokens: Sequence[Token], index: int, options: Any, env: Any) -> str:
        """Leave out comments; show other HTML as the text it is."""
        content = tokens[index].content
        return "" if content.lstrip().startswith("<!--") else f"<p>{escapeHtml(content.rstrip())}</p>\n"

    def html_inline(self, tokens: Sequence[Token], index: int, options: Any, env: Any) -> str:
        """Leave out comments; show other HTML as the text it is."""
        content = tokens[index].content
        return "" if content.startswith("<!--") else escapeHtml(content)

    def image(self, tokens: Sequence[Token], index: int, options: Any, env: Any) -> str:
        """Show a picture of the documents."""
        source = str(tokens[index].attrGet("src"))
        if source.startswith(PICTURES):
            tokens[index].attrSet("src", f"/pictures/{source.removeprefix(PICTURES)}")
        return super().image(tokens, index, options, env)

    def link_open(self, tokens: Sequence[Token], index: int, options: Any, env: Any) -> str:
        """Link to another rules page."""
        page = re.fullmatch(r"([a-z0-9-]+)\.md", str(tokens[index].attrGet("href")))
        if page:
            tokens[index].attrSet("href", f"/rules/{page[1]}")
        return self.renderToken(tokens, index, options, env)

    def heading_open(self, tokens: Sequence[Token], index: int, options: Any, env: Any) -> str:
        """Name the section about options, which other pages link to."""
        if _is_options(tokens, index):
            tokens[index].attrSet("id", "options")
        return self.renderToken(tokens, index, options, env)

    def table_open(self, tokens: Sequence[Token], index: int, options: Any, env: Any) -> str:
        """Let a table scroll; mark a table of options."""
        first_cell = next(token for token in tokens[index:] if token.type == "inline")
        kind = ' class="options"' if first_cell.content == "option" else ""
        return f'<div class="scroll" tabindex="0"><table{kind}>\n'

    def table_close(self, tokens: Sequence[Token], index: int, options: Any, env: Any) -> str:
        """End a table."""
        return "</table></div>\n"

    def th_open(self, tokens: Sequence[Token], index: int, options: Any, env: Any) -> str:
        """Make an empty heading of a column a plain cell, since it is no heading of anything."""
        if not tokens[index + 1].content:
            tokens[index].tag = tokens[index + 2].tag = "td"
        return self.renderToken(tokens, index, options, env)

    def code_block(self, tokens: Sequence[Token], index: int, options: Any, env: Any) -> str:
        """Let a program or diagram scroll."""
        return f'<pre tabindex="0"><code>{escapeHtml(tokens[index].content)}</code></pre>\n'

    def fence(self, tokens: Sequence[Token], index: int, options: Any, env: Any) -> str:
        """Let a program or diagram scroll."""
        return self.code_block(tokens, index, options, env)


reader = MarkdownIt("commonmark", {"html": True}, renderer_cls=PageRenderer).enable("table")


def docs_folder() -> Path:
    """Return where the rules pages and their pictures are: in the package, or in a checkout beside it."""
    packed = HERE / "docs"
    return packed if packed.is_dir() else HERE.parents[3] / "docs"


@lru_cache(maxsize=64)
def as_html(document: str) -> Markup:
    """Return a rules page as HTML, with its pictures and links where this server has them."""
    return _rendered(reader.parse(document))


class RulesPage(NamedTuple):
    """A rules page in its parts."""

    title: Markup
    """The name of the game and a sentence about it."""
    how_to_play: Markup
    """The short rules, without their heading."""
    reference: Markup
    """Every detail."""


def rules_page(game_id: str) -> RulesPage | None:
    """Return the rules page of a game; None for an installed game, which has only its own words."""
    file = docs_folder() / "rules" / f"{game_id}.md"
    return _parts(file.read_text(encoding="utf-8")) if game_id in game_ids() and file.is_file() else None


def own_rules(game: type[Game]) -> str:
    """Return what a game without a rules page says itself, as Markdown: the docstring of its file, and its options."""
    title, _, text = game.rules_text().partition("\n")
    first = "" if title.strip().rstrip(".") == game.name else f"{title}\n"
    parts = ["## Rules", (first + text).strip()]
    if game.all_options():
        rows = [
            f"| `{option.name}` | `{option.default}` | {option.allowed_text} | {option.explained} |"
            for option in game.all_options()
        ]
        parts += ["## Options", "\n".join(["| option | default | allowed | meaning |", "|---|---|---|---|", *rows])]
    return "\n\n".join(parts)


def about_options(game_id: str) -> Markup:
    """Return what a rules page says about its options beside the table, such as which boards are too large."""
    file = docs_folder() / "rules" / f"{game_id}.md"
    if game_id not in game_ids() or not file.is_file():
        return Markup("")
    return _options_as_html(file.read_text(encoding="utf-8"))


@lru_cache(maxsize=64)
def _parts(document: str) -> RulesPage:
    tokens = reader.parse(document)
    starts = [index for index, token in enumerate(tokens) if token.type == "heading_open" and token.tag == "h2"]
    first = next((index for index in starts if tokens[index + 1].content == HOW_TO_PLAY), len(tokens))
    end = next((index for index in starts if index > first), len(tokens))
    return RulesPage(_rendered(tokens[:first]), _rendered(tokens[first + 3 : end]), _rendered(tokens[end:]))


@lru_cache(maxsize=64)
def _options_as_html(document: str) -> Markup:
    tokens = reader.parse(document)
    start = next((index for index in range(len(tokens)) if _is_options(tokens, index)), len(tokens)) + 3
    end = next((index for index in range(start, len(tokens)) if tokens[index].tag in HEADINGS), len(tokens))
    section: list[Token] = []
    is_in_table = False
    for token in tokens[start:end]:
        is_in_table |= token.type == "table_open"
        if not is_in_table:
            section.append(token)
        is_in_table &= token.type != "table_close"
    return _rendered(section)


def _is_options(tokens: Sequence[Token], index: int) -> bool:
    token = tokens[index]
    return token.type == "heading_open" and token.tag in HEADINGS and tokens[index + 1].content == "Options"


def _rendered(tokens: Sequence[Token]) -> Markup:
    return Markup(reader.renderer.render(tokens, reader.options, {}))
