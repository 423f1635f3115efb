"""Draws the pictures of the documentation: each is declared by the command that makes it.

In a document, a picture stands under a comment with its command, run from the project's root:

    <!-- connectoe draw tic-tac-toe b2 a1 -o docs/pictures/tic-tac-toe.svg -->
    ![a board](../pictures/tic-tac-toe.svg)
"""

from __future__ import annotations

import re
import shlex
import sys
from pathlib import Path

from connectoe.cli import main

ROOT = Path(__file__).parents[1]
COMMAND = re.compile(r"^<!-- connectoe (draw .*) -->$", re.MULTILINE)


def picture_commands() -> list[list[str]]:
    """The arguments of every picture's command, in all documents."""
    documents = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
    return [shlex.split(found) for document in documents for found in COMMAND.findall(document.read_text())]


def draw_all(folder: Path) -> list[Path]:
    """Draws every picture into a folder, as seen from the project's root; returns the files."""
    drawn = []
    for arguments in picture_commands():
        place = arguments.index("-o") + 1
        file = folder / arguments[place]
        file.parent.mkdir(parents=True, exist_ok=True)
        main([*arguments[:place], str(file), *arguments[place + 1 :]], standalone_mode=False)
        drawn.append(file)
    return drawn


if __name__ == "__main__":
    for file in draw_all(ROOT):
        sys.stdout.write(f"drew {file.relative_to(ROOT)}\n")
