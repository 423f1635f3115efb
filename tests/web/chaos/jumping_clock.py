"""A program: `connectoe`, with a clock that is wrong by the seconds written in a file."""

from __future__ import annotations

import sys
import time
from pathlib import Path

from connectoe.cli import main


def main_with_a_wrong_clock(file: Path) -> None:
    """Run `connectoe` as on a machine whose clock is wrong."""
    right = time.time
    time.time = lambda: right() + float(file.read_text() or 0)
    main()


if __name__ == "__main__":
    main_with_a_wrong_clock(Path(sys.argv.pop(1)))
