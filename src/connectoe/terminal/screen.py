"""Terminals: whether they can be drawn on, how wide they are, and which characters they can show."""

from __future__ import annotations

import codecs
import io
import os
import re
import shutil
import sys
import textwrap
from contextlib import suppress
from typing import TYPE_CHECKING, TextIO

import click

if TYPE_CHECKING:
    from rich.console import Console

DUMB = ("dumb", "unknown")
"""The values of TERM for a terminal that can only show lines."""

PLAIN_CHARACTERS = {
    "…": "...",
    **dict(zip("●▲■", "GYR", strict=True)),  # the lights, by the initials of their colours
    **dict(zip("↑→↓←►♛", "^>v<>W", strict=True)),
    **dict(zip("·•┃│║─═┼", ".:!|#-=+", strict=True)),
    **dict(zip("–—’“”×", '--\'""x', strict=True)),
}
"""Replacements for characters that a terminal does not have."""
LIST_ITEM = r"\s*(?:- |[0-9]\. )"
"""The beginning of a list item."""
PLAIN = "connectoe-plain"
PLAIN_ASCII = "connectoe-ascii"
"""ASCII under another name: click writes UTF-8 to a stream whose encoding is called ASCII."""


def _plain_characters(problem: UnicodeError) -> tuple[str, int]:
    if not isinstance(problem, UnicodeEncodeError):
        raise problem
    lost = problem.object[problem.start : problem.end]
    return "".join(PLAIN_CHARACTERS.get(character, "?") for character in lost), problem.end


def _ascii_under_another_name(name: str) -> codecs.CodecInfo | None:
    if name.replace("_", "-") != PLAIN_ASCII:
        return None
    plain = codecs.lookup("ascii")
    return codecs.CodecInfo(
        *plain[:4],
        incrementalencoder=plain.incrementalencoder,
        incrementaldecoder=plain.incrementaldecoder,
        name=PLAIN_ASCII,
    )


codecs.register_error(PLAIN, _plain_characters)
codecs.register(_ascii_under_another_name)


def replace_unknown_characters() -> None:
    """Let standard output show a plain character or ? where the terminal lacks one, and accept undecodable input."""
    if isinstance(sys.stdin, io.TextIOWrapper):
        sys.stdin.reconfigure(errors="replace")
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            is_ascii = codecs.lookup(stream.encoding).name == "ascii"
            stream.reconfigure(encoding=PLAIN_ASCII if is_ascii else stream.encoding, errors=PLAIN)


def console() -> Console:
    """Return a console for tables: as wide as the terminal (COLUMNS=0 means unknown), but at least as wide as words."""
    from rich.console import Console

    return Console(width=max(shutil.get_terminal_size().columns, 40))


def is_screen(stream: TextIO) -> bool:
    """Whether a stream is a terminal with colours and a movable cursor."""
    return stream.isatty() and os.environ.get("TERM") not in DUMB


def wants_colour() -> bool:
    """Whether standard output is a screen and NO_COLOR is not set (see no-color.org)."""
    return is_screen(sys.stdout) and not os.environ.get("NO_COLOR")


def columns_of(stream: TextIO) -> int:
    """Return how wide a terminal is."""
    with suppress(OSError, ValueError):
        if columns := os.get_terminal_size(stream.fileno()).columns:
            return columns
    return shutil.get_terminal_size().columns


def bold(text: str) -> str:
    """Return the text in bold type, where colours are wanted."""
    return click.style(text, bold=True) if wants_colour() else text


def fitted(text: str, indent: str = "") -> str:
    """Return the text wrapped to the terminal's width less an indent; paragraphs and list items stay apart."""
    width = max(min(shutil.get_terminal_size().columns, 100) - len(indent), 20)

    def wrapper(
        indent: str,
    ) -> textwrap.TextWrapper:  # keeps words whole, such as file names, so that they can be copied
        return textwrap.TextWrapper(width, subsequent_indent=indent, break_on_hyphens=False, break_long_words=False)

    paragraphs = []
    for paragraph in re.split(r"\n\s*\n", text.strip()):
        items = re.split(rf"\n(?={LIST_ITEM})", paragraph)
        filled = [wrapper("  " if re.match(LIST_ITEM, item) else "").fill(" ".join(item.split())) for item in items]
        paragraphs.append("\n".join(filled))
    return "\n\n".join(paragraphs).replace("\n", f"\n{indent}")
