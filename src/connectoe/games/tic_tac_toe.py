"""Tic-tac-toe.

Two players take turns to put their mark, X or O, on an empty square of a 3x3 board. Three of your marks in a row,
column or diagonal win. When all nine squares are taken and nobody has a line, it is a draw.

A move is the square: `b2` is the middle one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import product
from typing import Any, NamedTuple

from connectoe.board import (
    Square,
    by_player,
    check_counts,
    line_text,
    lines,
    lines_on,
    side_to_move,
    split_fields,
    square_name,
    squeeze,
    unsqueeze,
)
from connectoe.errors import BadPosition
from connectoe.game import DRAWN, ONGOING, Game, LastMove, Planes, Rules, rule
from connectoe.reach import can_be_reached
from connectoe.scene import Piece, Scene

# The bits of the board:
#
#   3   6 7 8
#   2   3 4 5
#   1   0 1 2
#       a b c

FULL = 0b111_111_111
LINES = tuple(sum(1 << (3 * row + column) for column, row in line) for line in lines(3, 3, 3))
HAS_THREE = bytes(any(marks & line == line for line in LINES) for marks in range(FULL + 1))
"""For each set of marks, 1 if three of them stand in line: looking it up is twice as fast as trying the lines."""
LOWEST = bytes((marks & -marks).bit_length() - 1 if marks else 0 for marks in range(FULL + 1))
"""For each set of marks, the lowest square among them; `marks & marks - 1` are the others."""
FREE_COUNT = bytes(9 - marks.bit_count() for marks in range(FULL + 1))
"""For each set of marks, how many squares are free; and in `FREE`, from 9 * marks on, which."""
FREE = b"".join(
    bytes(square for square in range(9) if not marks >> square & 1).ljust(9, b"\0") for marks in range(FULL + 1)
)


class Position(NamedTuple):
    """The marks of the player to move and of the opponent, and whose turn it is.

    >>> TicTacToe().start.play("b2").position
    Position(own=0, other=16, turn=1)
    """

    own: int
    other: int
    turn: int


@rule
def has_three(marks: int) -> bool:
    """Whether three of these marks, bits of a 3x3 board, stand in line.

    >>> has_three(0b111), has_three(0b100_010_001), has_three(0b110_001_000)
    (True, True, False)
    """
    return HAS_THREE[marks] != 0


@rule
def marks_seen(marks: int, mirror: bool, flip: bool, diagonal: bool) -> int:
    """The marks of a 3x3 board after swapping left and right, top and bottom, or rows and columns, or several.

    >>> marks_seen(0b001, mirror=True, flip=False, diagonal=False) == 0b100
    True
    """
    if mirror:
        marks = marks & 0b010_010_010 | (marks & 0b001_001_001) << 2 | marks >> 2 & 0b001_001_001
    if flip:
        marks = marks & 0b000_111_000 | (marks & 0b000_000_111) << 6 | marks >> 6
    if diagonal:
        marks = (
            marks & 0b100_010_001
            | (marks & 0b000_100_010) << 2
            | marks >> 2 & 0b000_100_010
            | (marks & 0b000_000_100) << 4
            | marks >> 4 & 0b000_000_100
        )
    return marks


@rule
def show_3x3(marks: int, planes: Any, plane: int, top: int, left: int) -> None:
    """Writes the marks of a 3x3 board into one of the planes that a learning player sees; their first row is the top.

    >>> import numpy as np
    >>> planes = np.zeros((1, 3, 3), np.int8)
    >>> show_3x3(0b001, planes, 0, 0, 0)
    >>> planes[0].tolist()
    [[0, 0, 0], [0, 0, 0], [1, 0, 0]]
    """
    shown = planes[plane]
    for row in range(3):
        for column in range(3):
            shown[top + row, left + column] = marks >> (3 * (2 - row) + column) & 1


def rules() -> Rules:
    """Tic-tac-toe.

    >>> list(rules().legal_moves(Position(0b001, 0b110, 1)))
    [3, 4, 5, 6, 7, 8]
    """

    @rule
    def legal_moves(position: Position) -> Iterator[int]:
        free = FULL & ~(position.own | position.other)
        while free != 0:
            yield LOWEST[free]
            free &= free - 1

    @rule
    def play(position: Position, move: int) -> Position:
        return Position(position.other, position.own | 1 << move, 1 - position.turn)

    @rule
    def outcome(position: Position) -> int:
        if has_three(position.other):
            return 1 - position.turn
        if position.own | position.other == FULL:
            return DRAWN
        return ONGOING

    @rule
    def ending(position: Position) -> int:
        return 0 if has_three(position.other) else 1

    @rule
    def player(position: Position) -> int:
        return position.turn

    @rule
    def pack(position: Position) -> int:
        return position.own | position.other << 9 | position.turn << 18

    @rule
    def unpack(packed: int) -> Position:
        return Position(packed & FULL, packed >> 9 & FULL, packed >> 18)

    def seen(mirror: bool, flip: bool, diagonal: bool) -> Callable[[Position], Position]:
        @rule
        def image(position: Position) -> Position:
            return Position(
                marks_seen(position.own, mirror, flip, diagonal),
                marks_seen(position.other, mirror, flip, diagonal),
                position.turn,
            )

        return image

    @rule
    def observe(position: Position, viewer: int, planes: Any) -> None:
        first = 0 if viewer == position.turn else 1
        show_3x3(position.own, planes, first, 0, 0)
        show_3x3(position.other, planes, 1 - first, 0, 0)

    mirrors = tuple(seen(*ways) for ways in product((False, True), repeat=3) if any(ways))
    return Rules(Position(0, 0, 0), legal_moves, play, outcome, player, pack, unpack, mirrors, ending, observe=observe)


def squares_of(marks: int) -> list[Square]:
    """The (column, row) of each mark on a 3x3 board.

    >>> squares_of(0b000_010_001)
    [(0, 0), (1, 1)]
    """
    return [(square % 3, square // 3) for square in range(9) if marks >> square & 1]


def won_at_once(marks: int) -> bool:
    """Whether one of these marks, made last, can have made every line there is among them; if not, play went on.

    >>> won_at_once(0b100_010_001), won_at_once(0b111_000_111)
    (True, False)
    """
    return any(marks >> square & 1 and not has_three(marks ^ 1 << square) for square in range(9))


class TicTacToe(Game):
    """Tic-tac-toe, as everyone knows it.

    >>> state = TicTacToe().start
    >>> for move in "b2 a1 b1 b3 c2 a2 a3 c1 c3".split():
    ...     state = state.play(move)
    >>> state.board(), state.status
    (['XOX', 'OXX', 'OXO'], 'Draw: board full')
    """

    id = "tic-tac-toe"
    name = "Tic-tac-toe"
    summary = "Three of your marks in line win: the game everybody knows."
    move_help = "a square from a1 (bottom left) to c3"
    endings = ("three marks", "board full")
    make_rules = staticmethod(rules)

    def notation(self) -> Sequence[str]:
        """The squares."""
        return [square_name(square % 3, square // 3) for square in range(9)]

    def planes(self) -> Planes:
        """The marks of both."""
        return Planes(("own marks", "opponent's marks"), 3, 3)

    def symmetries(self) -> Mapping[str, Sequence[int]]:
        """A mirror and a quarter turn make all eight symmetries of the square."""
        return {
            "mirror": [3 * (square // 3) + 2 - square % 3 for square in range(9)],
            "quarter turn": [3 * (square % 3) + 2 - square // 3 for square in range(9)],
        }

    def reason(self, position: Position) -> str:
        """The winning line, or that the board is full."""
        if self.rules.outcome(position) == DRAWN:
            return "board full"
        return line_text(lines_on(set(squares_of(position.other)), 3)[0], "marks")

    def why_illegal(self, position: Position, move: int) -> str:
        """A square that is taken."""
        return f"there is a mark on {self.move_text(move)} already"

    def board(self, position: Position) -> list[str]:
        """Rows of X, O and dots, top first."""
        first, second = by_player(*position)
        return [
            "".join("X" if first >> square & 1 else "O" if second >> square & 1 else "." for square in row)
            for row in ((6, 7, 8), (3, 4, 5), (0, 1, 2))
        ]

    def write(self, position: Position) -> str:
        """The rows from the top, empty squares counted, then the player to move: `3/1X1/3 O`."""
        return f"{squeeze(self.board(position))} {self.symbols[position.turn]}"

    def read(self, text: str) -> Position:
        """The position, if play from an empty board can lead to it."""
        board, mover = split_fields(text, ["board", "player to move"])
        turn = side_to_move(mover, self.symbols)
        signs = "".join(reversed(unsqueeze(board, 3, 3, "XO")))
        first, second = (sum(1 << square for square in range(9) if signs[square] == sign) for sign in "XO")
        check_counts(first, second, turn, self.symbols, "mark")
        position = Position(*by_player(first, second, turn), turn)

        def is_on_the_way(other: Position) -> bool:
            marks = by_player(*other)
            return not (marks[0] & ~first or marks[1] & ~second)

        if not can_be_reached(self.rules, position, is_on_the_way):
            raise BadPosition("the game was over before all these marks were made")
        return position

    def scene(self, position: Position, last: LastMove | None = None) -> Scene:
        """Marks on a board of squares."""
        scene = Scene(self.symbols)
        scene.add_grid(3, 3)
        for owner, marks in enumerate(by_player(*position)):
            for square in squares_of(marks):
                scene.pieces.append(Piece(f"mark-{square_name(*square)}", *scene.middle(*square), "mark", owner))
        if last:
            scene.highlight("last", squares_of(1 << last.move))
        outcome = self.rules.outcome(position)
        if outcome in (0, 1):
            for line in lines_on(set(squares_of(position.other)), 3):
                scene.win(line, outcome)
        elif outcome == ONGOING:
            for move in self.rules.legal_moves(position):
                name = self.move_text(move)
                scene.target(name, (move % 3, move // 3), "mark", f"put your mark on {name}")
        return scene
