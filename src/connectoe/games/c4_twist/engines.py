"""What engines may use of C4 with a Twist beyond its rules."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from connectoe.board import (
    columns_mirrored,
    full_mask,
    has_line,
    how_many,
    nth_column,
    open_lines_on,
    show,
    stacked,
    unstacked,
)
from connectoe.core.rules import Planes, Rules, rule
from connectoe.core.strength import KnownResult, Levels, PuzzleMaking, Tuning
from connectoe.core.wide import FITTING, TWO_WORDS, sized
from connectoe.games.c4_twist.rules import Position
from connectoe.games.c4_twist.rules import rules as plain_rules

if TYPE_CHECKING:
    from connectoe.games.c4_twist import C4Twist

BOMB_WORTH = 40
"""What a bomb in hand counts in `evaluate`, where a line of three that is still open counts 9."""
TUNING = Tuning()
PUZZLE_MAKING = PuzzleMaking(longest=9, nodes=40_000)


def levels(game: C4Twist) -> Levels:
    """Return how much each level searches before a move."""
    people = (0.0, 0.28, 0.56, 0.85, 1.05, 1.21, 1.45, 1.73, 2.24)
    return Levels(30, 600, 300_000, hard_nodes=4_000_000, solver_nodes=6_000_000, people=people)


def solver(game: C4Twist) -> str | None:
    """Return the solver with bombs, for boards of up to 62 bits, or without any that of Connect Four."""
    bits = game.cols * (game.rows + 1)
    if game.bombs:
        return "connectoe.engines.exact.c4_twist:ExactC4Twist" if bits <= FITTING else None
    return "connectoe.engines.exact.opening_book:ConnectFourWithBook" if bits <= TWO_WORDS else None


def has_perfect_play(game: C4Twist) -> bool:
    """Whether the board is small or, if there are no bombs, the one of Connect Four's opening book."""
    if game.bombs:
        return game.bombs == 1 and game.cols * game.rows <= 16
    return (game.cols, game.rows, game.connect) == (7, 6, 4)


def known_result(game: C4Twist) -> KnownResult | None:
    """Return what best play leads to on the usual board without bombs, which is Connect Four."""
    return KnownResult(0, 41) if (game.cols, game.rows, game.connect, game.bombs) == (7, 6, 4, 0) else None


def rules_for_engines(cols: int, rows: int, connect: int, bombs: int) -> Rules:
    """Return the rules and those that engines use; on a wide board, only those that need no packed position."""
    made = plain_rules(cols, rows, connect, bombs)
    bits = cols * (rows + 1)
    new_position: type[Position] = type(made.start)
    full = sized(full_mask(cols, rows), bits)
    top_cells = full & ~(full >> 1)
    open_lines = open_lines_on(bits)

    @rule
    def pick(position: Position, random: int) -> int:
        open_columns = top_cells & ~(position.own | position.other)
        is_armed = 1 if position.own_bombs > 0 else 0  # then each column stands for a drop and a bomb
        number = random * how_many(open_columns) >> 32 - is_armed
        bomb = cols * (number & is_armed)
        number >>= is_armed
        if open_columns == top_cells:
            return bomb + number
        return bomb + nth_column(open_columns, top_cells, number)

    @rule
    def ending(position: Position) -> int:
        return 0 if has_line(position.other, rows, connect, bits) else 1

    @rule
    def pack(position: Position) -> int:
        packed = stacked(position.own, position.other) << 1 | position.turn
        return (packed * (bombs + 1) + position.own_bombs) * (bombs + 1) + position.other_bombs

    @rule
    def unpack(packed: int) -> Position:
        other_bombs = packed % (bombs + 1)
        packed //= bombs + 1
        own_bombs = packed % (bombs + 1)
        packed //= bombs + 1
        own, other = unstacked(packed >> 1, full, rows)
        return Position(own, other, packed & 1, own_bombs, other_bombs)

    @rule
    def mirror(position: Position) -> Position:
        return new_position(
            columns_mirrored(position.own, cols, rows),
            columns_mirrored(position.other, cols, rows),
            position.turn,
            position.own_bombs,
            position.other_bombs,
        )

    @rule
    def evaluate(position: Position) -> int:
        own, other = position.own, position.other
        lead = open_lines(own, other, full, rows, connect, 3) - open_lines(other, own, full, rows, connect, 3)
        lead += BOMB_WORTH * (position.own_bombs - position.other_bombs)
        return lead if position.turn == 0 else -lead

    @rule
    def observe(position: Position, viewer: int, planes: Any) -> None:
        first = 0 if viewer == position.turn else 1
        show(position.own, planes, first, cols, rows)
        show(position.other, planes, 1 - first, cols, rows)
        planes[2 + first] = position.own_bombs
        planes[3 - first] = position.other_bombs

    made = made._replace(ending=ending, mirrors=(mirror,), evaluate=evaluate, observe=observe)
    if bits > FITTING:
        return made
    made = made._replace(pick=pick)
    fits = (bombs + 1) ** 2 << (bits + 1) <= 1 << 62
    return made._replace(pack=pack, unpack=unpack) if fits else made


def planes(game: C4Twist) -> Planes:
    """Return the names of the planes that `observe` fills."""
    names = ("own discs", "opponent's discs", "own bombs", "opponent's bombs")
    return Planes(names, game.rows, game.cols, highest=max(1, game.bombs))
