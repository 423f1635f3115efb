"""A scene: what a position looks like, as plain data that knows no rule and no renderer.

Lengths are in cells; x grows to the right and y downwards; a cell, piece or label is placed by its middle, a panel,
highlight or target by its top left corner. The vocabulary is small, so that every game looks of one family:

    cells       places: "square", "hole" (discs show through it), "edge", "holder", "tray", "gap" (none there now)
    panels      surfaces under cells: "board", "small" (a board within a board), "slider", "tray"
    pieces      "disc", "mark" (drawn as the owner's symbol), "light-green" "light-yellow" "light-red",
                "numbered" (with a number, perhaps a facing), "bomb", "tally", "crown", "claim" (covers a won board)
    highlights  "last" (the last move), "win", "forced" (where one must play), "owed" (a tool one must use),
                "owner-0" "owner-1" (a board that belongs to a player and is still played on),
                "frame" (the part of the board that counts)
    strokes     a line through winning pieces
    labels      "coordinate", "note", "name", "title" (of a large part of the board)
    targets     which move a place stands for, and with which tool in hand

A piece's id is stable: the same piece has the same id in the scenes before and after a move, wherever it goes.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from connectoe.board import Square, column_name


class Cell(NamedTuple):
    """A place on the board."""

    x: float
    y: float
    kind: str = "square"
    size: float = 1.0


class Panel(NamedTuple):
    """A surface that cells lie on."""

    x: float
    y: float
    width: float
    height: float
    kind: str = "board"


class Piece(NamedTuple):
    """Something placed: whose (0, 1 or None), what, and its stable id."""

    id: str
    x: float
    y: float
    kind: str
    owner: int | None = None
    text: str = ""
    facing: str = ""
    """N, E, S or W: the way it looks and goes."""
    size: float = 1.0


class Highlight(NamedTuple):
    """A place that asks for attention."""

    kind: str
    x: float
    y: float
    width: float = 1.0
    height: float = 1.0


class Stroke(NamedTuple):
    """A line through the middles of winning pieces."""

    x1: float
    y1: float
    x2: float
    y2: float
    owner: int | None = None


class Label(NamedTuple):
    """A few letters beside the board."""

    x: float
    y: float
    text: str
    kind: str = "coordinate"


class Target(NamedTuple):
    """A place that stands for a move, with a tool in hand, and the move in words."""

    move: str
    x: float
    y: float
    width: float
    height: float
    tool: str
    says: str


@dataclass
class Scene:
    """A picture of a position, as plain data.

    >>> scene = Scene(symbols=("X", "O"))
    >>> scene.add_grid(3, 3)
    >>> scene.pieces.append(Piece("mark-b2", *scene.middle(1, 1), "mark", 0))
    >>> len(scene.cells), scene.middle(1, 1)
    (9, (1.5, 1.5))
    """

    symbols: tuple[str, str] = ("X", "O")
    status: str = ""
    notes: list[str] = field(default_factory=list)
    """Sentences under the board: what is owed, what is left."""
    panels: list[Panel] = field(default_factory=list)
    cells: list[Cell] = field(default_factory=list)
    highlights: list[Highlight] = field(default_factory=list)
    pieces: list[Piece] = field(default_factory=list)
    strokes: list[Stroke] = field(default_factory=list)
    labels: list[Label] = field(default_factory=list)
    targets: list[Target] = field(default_factory=list)
    grid_rows: int = 0

    def add_grid(self, cols: int, rows: int, kind: str = "square") -> None:
        """Lays out a board of cols x rows with its coordinates, and remembers its height for `middle`."""
        self.grid_rows = rows
        self.panels.append(Panel(0, 0, cols, rows))
        self.cells += [Cell(*self.middle(column, row), kind) for row in range(rows) for column in range(cols)]
        self.labels += [Label(column + 0.5, rows + 0.4, column_name(column)) for column in range(cols)]
        self.labels += [Label(-0.4, self.middle(0, row)[1], str(row + 1)) for row in range(rows)]

    def middle(self, column: int, row: int) -> tuple[float, float]:
        """Where a square of the grid (counted from the bottom left) has its middle."""
        return column + 0.5, self.grid_rows - row - 0.5

    def highlight(self, kind: str, squares: Iterable[Square]) -> None:
        """Marks squares of the grid."""
        for square in squares:
            x, y = self.middle(*square)
            self.highlights.append(Highlight(kind, x - 0.5, y - 0.5))

    def win(self, line: Sequence[Square], owner: int | None) -> None:
        """Marks a winning line of the grid."""
        self.highlight("win", line)
        self.strokes.append(Stroke(*self.middle(*line[0]), *self.middle(*line[-1]), owner))

    def target(self, move: str, square: Square, tool: str, says: str) -> None:
        """One square of the grid stands for a move."""
        x, y = self.middle(*square)
        self.targets.append(Target(move, x - 0.5, y - 0.5, 1, 1, tool, says))
