"""Terminals: which of them can be drawn on, and a line at the bottom that says how something goes."""

from __future__ import annotations

import os
import shutil
import sys
from contextlib import suppress
from typing import TextIO

DUMB = ("dumb", "unknown")
"""What TERM says of a terminal that shows lines and does nothing else."""


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
