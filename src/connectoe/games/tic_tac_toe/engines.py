"""What engines may use of tic-tac-toe beyond its rules."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from typing import TYPE_CHECKING, Any

from connectoe.core.rules import Planes, Rules, rule
from connectoe.core.strength import KnownResult, Levels, PuzzleMaking
from connectoe.games.tic_tac_toe.rules import FULL, Position, has_three
from connectoe.games.tic_tac_toe.rules import rules as plain_rules

if TYPE_CHECKING:
    from connectoe.games.tic_tac_toe import TicTacToe

ENDINGS = ("three marks", "board full")

FREE_COUNT = bytes(9 - marks.bit_count() for marks in range(FULL + 1))
"""For each set of marks, how many squares are free; and in `FREE`, from 9 * marks on, which."""
FREE = b"".join(
    bytes(square for square in range(9) if not marks >> square & 1).ljust(9, b"\0") for marks in range(FULL + 1)
)
PUZZLE_MAKING = PuzzleMaking(longest=9)


def levels(game: TicTacToe) -> Levels:
    """Return how much each level searches before a move."""
    people = (0.0, 0.07, 0.15, 0.22, 0.33, 0.46, 0.58, 0.69, 0.89)
    return Levels(6, 30, 5_000, people=people)


def has_perfect_play(game: TicTacToe) -> bool:
    """Whether a table can be made within seconds: it always is."""
    return True


def known_result(game: TicTacToe) -> KnownResult | None:
    """Return a draw, which best play leads to."""
    return KnownResult(None)


@rule
def marks_seen(marks: int, mirror: bool, flip: bool, diagonal: bool) -> int:
    """Return the marks of a 3x3 board with left and right, top and bottom, or rows and columns swapped, or several."""
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
    """Write the marks of a 3x3 board into one of the planes that a learning player sees, top row first."""
    shown = planes[plane]
    for row in range(3):
        for column in range(3):
            shown[top + row, left + column] = marks >> (3 * (2 - row) + column) & 1


def rules_for_engines() -> Rules:
    """Return the rules, with the optional ones that engines use."""

    @rule
    def ending(position: Position) -> int:
        return 0 if has_three(position.other) else 1

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
    return plain_rules()._replace(ending=ending, pack=pack, unpack=unpack, mirrors=mirrors, observe=observe)


def planes(game: TicTacToe) -> Planes:
    """Return the names of the planes that `observe` fills."""
    return Planes(("own marks", "opponent's marks"), 3, 3)
