"""A program: `connectoe`, with a clock that is wrong by the seconds written in a file."""

from __future__ import annotations

import sys
import time
from pathlib import Path

from connectoe.cli import main

right = time.time
file = Path(sys.argv.pop(1))


def wrong() -> float:
    """The time that a machine with a wrong clock would tell."""
    return right() + float(file.read_text() or 0)


time.time = wrong
main()
