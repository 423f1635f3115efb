"""What engines may use of Semaphores beyond its rules."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from typing import TYPE_CHECKING, Any

from connectoe.board import full_mask, has_line, how_many, make_image, nth_bit, show
from connectoe.core.rules import Planes, Rules, rule
from connectoe.core.strength import KnownResult, Levels, PuzzleMaking, Tuning
from connectoe.games.semaphores.rules import LINE, Position
from connectoe.games.semaphores.rules import rules as plain_rules

if TYPE_CHECKING:
    from connectoe.games.semaphores import Semaphores

ENDINGS = ("a green line", "a yellow line", "a red line", "all squares red")
TUNING = Tuning(0.45)

SOLVED = {(3, 3): KnownResult(0, 17), (3, 4): KnownResult(1, 26)}
PUZZLE_MAKING = PuzzleMaking(longest=9)


def levels(game: Semaphores) -> Levels:
    """Return how much each level searches before a move."""
    people = (0.0, 0.19, 0.43, 0.66, 0.91, 1.08, 1.18, 1.4, 1.97)
    return Levels(20, 400, 400_000, people=people)


def has_perfect_play(game: Semaphores) -> bool:
    """Whether a table can be made within seconds."""
    return game.cols * game.rows <= 12


def known_result(game: Semaphores) -> KnownResult | None:
    """Return what best play leads to on the small boards; docs/results/solved.md has them."""
    return SOLVED.get((min(game.rows, game.cols), max(game.rows, game.cols)))


def rules_for_engines(rows: int, cols: int) -> Rules:
    """Return the rules, with the optional ones that engines use."""
    squares = cols * rows
    height = rows + 1
    one_column = (1 << rows) - 1
    full = full_mask(cols, rows)

    @rule
    def pick(position: Position, random: int) -> int:
        if position.red == 0:
            return random * squares >> 32
        changeable = full & ~position.red
        square = nth_bit(changeable, random * how_many(changeable) >> 32)
        return square - square // height

    @rule
    def ending(position: Position) -> int:
        if has_line(position.green, rows, LINE):
            return 0
        if has_line(position.yellow, rows, LINE):
            return 1
        return 2 if has_line(position.red, rows, LINE) else 3

    @rule
    def pack(position: Position) -> int:
        # A square takes two bits, one in `odd` (green or red) and one in `later` (yellow or red).
        odd, later = position.green | position.red, position.yellow | position.red
        packed = position.turn
        for column in range(cols):
            shift = column * height
            packed = packed << rows | odd >> shift & one_column
            packed = packed << rows | later >> shift & one_column
        return packed

    @rule
    def unpack(packed: int) -> Position:
        odd, later = 0, 0
        for _ in range(cols):
            later = later << height | packed & one_column
            odd = odd << height | packed >> rows & one_column
            packed >>= 2 * rows
        return Position(odd & ~later, later & ~odd, odd & later, packed)

    def seen(mirror: bool, flip: bool, diagonal: bool) -> Callable[[Position], Position]:
        lights_seen = make_image(cols, rows, mirror, flip, diagonal)

        @rule
        def image(position: Position) -> Position:
            odd = lights_seen(position.green | position.red)
            later = lights_seen(position.yellow | position.red)
            return Position(odd & ~later, later & ~odd, odd & later, position.turn)

        return image

    @rule
    def observe(position: Position, viewer: int, planes: Any) -> None:
        show(position.green, planes, 0, cols, rows)
        show(position.yellow, planes, 1, cols, rows)
        show(position.red, planes, 2, cols, rows)

    diagonals = (False, True) if cols == rows else (False,)
    ways_to_look = product((False, True), (False, True), diagonals)
    mirrors = tuple(seen(*ways) for ways in ways_to_look if any(ways))
    return plain_rules(rows, cols)._replace(
        pick=pick, ending=ending, pack=pack, unpack=unpack, mirrors=mirrors, observe=observe
    )


def planes(game: Semaphores) -> Planes:
    """Return the names of the planes that `observe` fills."""
    return Planes(("green lights", "yellow lights", "red lights"), game.rows, game.cols)
