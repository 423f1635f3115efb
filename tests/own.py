"""A game of somebody's own, as the documentation shows it."""

from __future__ import annotations

import re
from pathlib import Path

PAGE = Path(__file__).parents[1] / "CONTRIBUTING.md"
[NOTAKTO] = re.findall(r"```python\n(.*?)```", PAGE.read_text(), re.DOTALL)
"""The text of the file notakto.py."""


def save(file: Path, *changes: tuple[str, str], text: str = NOTAKTO) -> Path:
    """Save the game with some changes: what stands in the file, and what is written instead."""
    for right, other in changes:
        assert right in text
        text = text.replace(right, other)
    file.write_text(text)
    return file


EIGHT_SQUARES = ("range(9):\n            if", "range(8):\n            if")
"""A change of the rules: the top right square is never legal."""
OTHER_WORDS = ("Everybody plays X, and", "Only crosses here, and")
"""A change of the words alone."""
SYNTAX_ERROR = ("return Position(position.marks | 1 << move, 1 - position.turn)", "return Position(position.marks |")
"""A mistake in line 42."""
