"""Terminals: which of them can be drawn on, which signs they have, and a line at the bottom that says how it goes."""

from __future__ import annotations

import codecs
import io
import os
import shutil
import sys
from contextlib import suppress
from typing import TYPE_CHECKING, TextIO

if TYPE_CHECKING:
    from rich.console import Console

DUMB = ("dumb", "unknown")
"""What TERM says of a terminal that shows lines and does nothing else."""

PLAIN_SIGNS = {
    "…": "...",
    **dict(zip("●▲■", "GYR", strict=True)),  # the lights, by their colours
    **dict(zip("↑→↓←►♛", "^>v<>W", strict=True)),
    **dict(zip("·•┃│║─═┼", ".:!|#-=+", strict=True)),
    **dict(zip("–—’“”×", '--\'""x', strict=True)),
}
"""What stands for a sign on a terminal that does not have it."""
PLAIN = "connectoe-plain"
PLAIN_ASCII = "connectoe-ascii"
"""ASCII under a name of its own: to a stream that is called ASCII, click writes UTF-8 all the same."""


def _plain_signs(problem: UnicodeError) -> tuple[str, int]:
    if not isinstance(problem, UnicodeEncodeError):
        raise problem
    lost = problem.object[problem.start : problem.end]
    return "".join(PLAIN_SIGNS.get(sign, "?") for sign in lost), problem.end


def _ascii_by_another_name(name: str) -> codecs.CodecInfo | None:
    if name.replace("_", "-") != PLAIN_ASCII:
        return None
    plain = codecs.lookup("ascii")
    return codecs.CodecInfo(
        *plain[:4],
        incrementalencoder=plain.incrementalencoder,
        incrementaldecoder=plain.incrementaldecoder,
        name=PLAIN_ASCII,
    )


codecs.register_error(PLAIN, _plain_signs)
codecs.register(_ascii_by_another_name)


def show_what_can_be_shown() -> None:
    """Lets a terminal that does not have a sign show a plain one, or ?, and signs that cannot be read be read as such.

    >>> "X4↑ │ ♛ ☃".encode("latin-1", errors=PLAIN)
    b'X4^ | W ?'
    """
    if isinstance(sys.stdin, io.TextIOWrapper):
        sys.stdin.reconfigure(errors="replace")
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            is_ascii = codecs.lookup(stream.encoding).name == "ascii"
            stream.reconfigure(encoding=PLAIN_ASCII if is_ascii else stream.encoding, errors=PLAIN)


def console() -> Console:
    """What rich draws tables on: as wide as the terminal, which COLUMNS=0 does not tell, but no narrower than words.

    >>> from unittest.mock import patch
    >>> with patch.dict("os.environ", COLUMNS="10"):
    ...     console().width
    40
    """
    from rich.console import Console

    return Console(width=max(shutil.get_terminal_size().columns, 40))


def is_screen(stream: TextIO) -> bool:
    """Whether a stream is a terminal that can be drawn on: that clears what it is told to, and knows colours.

    >>> from unittest.mock import patch
    >>> with patch("sys.stdout.isatty", return_value=True), patch.dict("os.environ", TERM="dumb"):
    ...     is_screen(sys.stdout)
    False
    """
    return stream.isatty() and os.environ.get("TERM") not in DUMB


def wants_colour() -> bool:
    """Whether standard output is a screen whose owner has not asked for no colours (NO_COLOR, see no-color.org).

    >>> from unittest.mock import patch
    >>> with patch("sys.stdout.isatty", return_value=True), patch.dict("os.environ", TERM="xterm", NO_COLOR="1"):
    ...     wants_colour()
    False
    """
    return is_screen(sys.stdout) and not os.environ.get("NO_COLOR")


def status_line(says: str) -> None:
    """Puts a text in place of the last one, on standard error if that is a screen; an empty one takes it away.

    >>> status_line("adding up")
    """
    if is_screen(sys.stderr):
        # A line that is wider than the screen would become two, and of those only the second can be taken away.
        room = _columns(sys.stderr) - 1
        sys.stderr.write(f"\r\033[K{says if len(says) <= room else f'{says[: room - 1]}…'}")
        sys.stderr.flush()


def _columns(stream: TextIO) -> int:
    with suppress(OSError, ValueError):
        if columns := os.get_terminal_size(stream.fileno()).columns:
            return columns
    return shutil.get_terminal_size().columns
