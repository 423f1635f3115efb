"""A scene: what a position looks like, as plain data that knows no rule and no renderer.

Lengths are in cells; x grows to the right and y downwards; a cell, piece or label is placed by its middle, a panel,
highlight or target by its top left corner. The vocabulary is small, so that every game looks of one family:

    cells       places: "square", "hole" (discs show through it), "edge", "holder", "tray", "gap" (none there now)
    panels      surfaces under cells: "board", "small" (a board within a board), "slider", "tray"
    pieces      "disc", "mark" (drawn as the owner's symbol), "light-green" "light-yellow" "light-red",
                "numbered" (with a number, perhaps a facing), "bomb", "tally", "crown", "claim" (covers a won board)
    highlights  "last" (the last move), "win", "forced" (where one must play), "owed" (a tool one must use),
                "owned" (a board that belongs to a player and is still played on), "frame" (the part that counts)
    strokes     a line through winning pieces, which lie on it like beads
    labels      "coordinate", "note", "name", "title" (of a large part of the board)
    targets     which move a place stands for, with which tool in hand, and after which other place

Colour belongs to the symbol, not to who moves first: X is orange and O is blue in every game.

A piece's id is unique in its scene. In the scenes of a match a piece keeps its id for as long as it is in play,
wherever it goes; games whose pieces travel from place to place say so (`Game.pieces_travel`).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from math import inf
from typing import NamedTuple

from connectoe.core.squares import Square, column_name


class Cell(NamedTuple):
    """A place on the board.

    >>> import connectoe
    >>> connectoe.load("connect-four").start.scene().cells[0]
    Cell(x=0.5, y=5.5, kind='hole', size=1.0)
    """

    x: float
    y: float
    kind: str = "square"
    size: float = 1.0


class Panel(NamedTuple):
    """A surface that cells lie on.

    >>> import connectoe
    >>> connectoe.load("tic-tac-toe").start.scene().panels
    [Panel(x=0, y=0, width=3, height=3, kind='board')]
    """

    x: float
    y: float
    width: float
    height: float
    kind: str = "board"


class Piece(NamedTuple):
    """A piece: its id, place, kind and owner (0, 1 or None).

    >>> import connectoe
    >>> [mark] = connectoe.load("tic-tac-toe").start.play("a1").scene().pieces
    >>> mark.id, mark.x, mark.y, mark.kind, mark.owner
    ('mark-a1', 0.5, 2.5, 'mark', 0)
    """

    id: str
    x: float
    y: float
    kind: str
    owner: int | None = None
    text: str = ""
    facing: str = ""
    """The direction it faces: N, E, S or W."""
    size: float = 1.0


class Highlight(NamedTuple):
    """A place that is highlighted.

    >>> import connectoe
    >>> connectoe.load("tic-tac-toe").start.play("a1").scene().highlights
    [Highlight(kind='last', x=0.0, y=2.0, width=1.0, height=1.0, owner=None)]
    """

    kind: str
    x: float
    y: float
    width: float = 1.0
    height: float = 1.0
    owner: int | None = None


class Stroke(NamedTuple):
    """A line through the middles of winning pieces.

    >>> import connectoe
    >>> connectoe.load("tic-tac-toe").state("XXX/OO1/3 O").scene().strokes
    [Stroke(x1=0.5, y1=0.5, x2=2.5, y2=0.5, owner=0, ...)]
    """

    x1: float
    y1: float
    x2: float
    y2: float
    owner: int | None = None
    size: float = 1.0
    """The size of the pieces it runs through."""


class Label(NamedTuple):
    """A few letters beside the board.

    >>> import connectoe
    >>> [label.text for label in connectoe.load("tic-tac-toe").start.scene().labels]
    ['a', 'b', 'c', '1', '2', '3']
    """

    x: float
    y: float
    text: str
    kind: str = "coordinate"


class Place(NamedTuple):
    """A place to press first, for a move of two presses: the piece that moves, or where something is done.

    >>> scene = Scene()
    >>> scene.add_grid(3, 3)
    >>> scene.target("a1-a2", (0, 1), "piece", "move to a2", first=(0, 0), first_says="take the piece on a1")
    >>> scene.targets[0].first
    Place(x=0.0, y=2.0, width=1, height=1, says='take the piece on a1')
    """

    x: float
    y: float
    width: float
    height: float
    says: str


class Target(NamedTuple):
    """A place to press for a move, the tool it needs, and the move in words.

    >>> import connectoe
    >>> [corner, *others] = connectoe.load("tic-tac-toe").start.scene().targets
    >>> corner.move, corner.tool, corner.says
    ('a1', 'mark', 'put your mark on a1')
    """

    move: str
    x: float
    y: float
    width: float
    height: float
    tool: str
    says: str
    first: Place | None = None
    """The place to press before this one, if the move takes two presses, as from one square to another."""
    sign: str = ""
    """What the place of a second press shows, as an arrow; a dot if there is nothing."""


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
    mover: int | None = None
    """The player to move; None when the game is over."""
    may_flip: bool = True
    """Whether the picture may be turned upside down for the player on the other side."""
    notes: list[str] = field(default_factory=list)
    """Sentences below the board, such as what is left."""
    panels: list[Panel] = field(default_factory=list)
    cells: list[Cell] = field(default_factory=list)
    highlights: list[Highlight] = field(default_factory=list)
    pieces: list[Piece] = field(default_factory=list)
    strokes: list[Stroke] = field(default_factory=list)
    labels: list[Label] = field(default_factory=list)
    targets: list[Target] = field(default_factory=list)
    grid_rows: int = 0

    def colour(self, owner: int) -> str:
        """Return a player's colour: orange for X and for O's opponent, blue for the other.

        >>> Scene(symbols=("X", "O")).colour(0), Scene(symbols=("O", "X")).colour(0)
        ('orange', 'blue')
        """
        is_swapped = self.symbols[0] == "O" or self.symbols[1] == "X"
        return ("orange", "blue")[owner ^ is_swapped]

    def add_grid(self, cols: int, rows: int, kind: str = "square") -> None:
        """Add a board of cols x rows cells with coordinates.

        >>> scene = Scene()
        >>> scene.add_grid(7, 6, "hole")
        >>> len(scene.cells), [label.text for label in scene.labels][:3]
        (42, ['a', 'b', 'c'])
        """
        self.grid_rows = rows
        self.panels.append(Panel(0, 0, cols, rows))
        self.cells += [Cell(*self.middle(column, row), kind) for row in range(rows) for column in range(cols)]
        self.labels += [Label(column + 0.5, rows + 0.4, column_name(column)) for column in range(cols)]
        self.labels += [Label(-0.4, self.middle(0, row)[1], str(row + 1)) for row in range(rows)]

    def middle(self, column: int, row: int) -> tuple[float, float]:
        """Return the middle of a square of the grid.

        >>> scene = Scene()
        >>> scene.add_grid(3, 3)
        >>> scene.middle(0, 0), scene.middle(2, 2)
        ((0.5, 2.5), (2.5, 0.5))
        """
        return column + 0.5, self.grid_rows - row - 0.5

    def rows_of_boards(self) -> list[Scene]:
        """Return the scene in parts, one for each row of separate boards, from top to bottom.

        >>> scene = Scene(panels=[Panel(0, 0, 3, 3), Panel(4, 0, 3, 3), Panel(0, 4, 3, 3)])
        >>> [len(row.panels) for row in scene.rows_of_boards()]
        [2, 1]
        """
        ends: list[float] = []
        for top, end in sorted((panel.y, panel.y + panel.height) for panel in self.panels if panel.kind == "board"):
            if ends and top < ends[-1]:
                ends[-1] = max(ends[-1], end)
            else:
                ends.append(end)
        return [self._between(*limits) for limits in pairwise([-inf, *ends[:-1], inf])]

    def _between(self, top: float, end: float) -> Scene:
        """Return the part of the scene between two heights."""
        return replace(
            self,
            panels=[panel for panel in self.panels if top < panel.y + panel.height / 2 < end],
            cells=[cell for cell in self.cells if top < cell.y < end],
            highlights=[mark for mark in self.highlights if top < mark.y + mark.height / 2 < end],
            pieces=[piece for piece in self.pieces if top < piece.y < end],
            strokes=[stroke for stroke in self.strokes if top < (stroke.y1 + stroke.y2) / 2 < end],
            labels=[label for label in self.labels if top < label.y < end],
            targets=[target for target in self.targets if top < target.y + target.height / 2 < end],
        )

    def highlight(self, kind: str, squares: Iterable[Square]) -> None:
        """Highlight squares of the grid.

        >>> scene = Scene()
        >>> scene.add_grid(3, 3)
        >>> scene.highlight("last", [(1, 1)])
        >>> scene.highlights
        [Highlight(kind='last', x=1.0, y=1.0, width=1.0, height=1.0, owner=None)]
        """
        for square in squares:
            x, y = self.middle(*square)
            self.highlights.append(Highlight(kind, x - 0.5, y - 0.5))

    def win(self, line: Sequence[Square], owner: int | None) -> None:
        """Mark a winning line of the grid.

        >>> scene = Scene()
        >>> scene.add_grid(3, 3)
        >>> scene.win([(0, 0), (1, 1), (2, 2)], owner=1)
        >>> len(scene.highlights), scene.strokes
        (3, [Stroke(x1=0.5, y1=2.5, x2=2.5, y2=0.5, owner=1, ...)])
        """
        self.highlight("win", line)
        self.strokes.append(Stroke(*self.middle(*line[0]), *self.middle(*line[-1]), owner))

    def target(
        self, move: str, square: Square, tool: str, says: str, first: Square | None = None, first_says: str = ""
    ) -> None:
        """Make a square of the grid the target of a move; `first` is a square to press before it.

        >>> scene = Scene()
        >>> scene.add_grid(3, 3)
        >>> scene.target("b2", (1, 1), "mark", "put your mark on b2")
        >>> [(target.move, target.x, target.y) for target in scene.targets]
        [('b2', 1.0, 1.0)]
        """
        x, y = self.middle(*square)
        place = None
        if first is not None:
            before = self.middle(*first)
            place = Place(before[0] - 0.5, before[1] - 0.5, 1, 1, first_says)
        self.targets.append(Target(move, x - 0.5, y - 0.5, 1, 1, tool, says, place))
