"""What engines may use of Connect Four beyond its rules."""

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
from connectoe.games.connect_four.rules import Position
from connectoe.games.connect_four.rules import rules as plain_rules

if TYPE_CHECKING:
    from connectoe.games.connect_four import ConnectFour

ENDINGS = ("a line of discs", "board full")
TUNING = Tuning(0.4)
PUZZLE_MAKING = PuzzleMaking(longest=11, nodes=60_000)


def levels(game: ConnectFour) -> Levels:
    """Return how much each level searches before a move."""
    people = (0.0, 0.26, 0.54, 0.79, 1.09, 1.31, 1.61, 2.17, 2.59)
    solver_nodes = 24_000_000 if game.cols * (game.rows + 1) <= FITTING else 6_000_000  # each of which takes longer
    return Levels(30, 600, 300_000, solver_nodes=solver_nodes, people=people)


def solver(game: ConnectFour) -> str | None:
    """Return the solver of all boards that fit into two words, which has an opening book for the usual one."""
    fits = game.cols * (game.rows + 1) <= TWO_WORDS
    return "connectoe.engines.exact.opening_book:ConnectFourWithBook" if fits else None


def has_perfect_play(game: ConnectFour) -> bool:
    """Whether the board is small, or the one of the opening book."""
    return game.cols * game.rows <= 20 or (game.cols, game.rows, game.connect) == (7, 6, 4)


def known_result(game: ConnectFour) -> KnownResult | None:
    """Return what best play leads to on the usual board: James Allen and Victor Allis solved it in 1988."""
    return KnownResult(0, 41) if (game.cols, game.rows, game.connect) == (7, 6, 4) else None


def rules_for_engines(cols: int, rows: int, connect: int) -> Rules:
    """Return the rules and those that engines use; on a wide board, only those that need no packed position."""
    made = plain_rules(cols, rows, connect)
    bits = cols * (rows + 1)
    new_position: type[Position] = type(made.start)
    full = sized(full_mask(cols, rows), bits)
    top_cells = full & ~(full >> 1)
    open_lines = open_lines_on(bits)

    @rule
    def pick(position: Position, random: int) -> int:
        open_columns = top_cells & ~(position.own | position.other)
        if open_columns == top_cells:
            return random * cols >> 32
        return nth_column(open_columns, top_cells, random * how_many(open_columns) >> 32)

    @rule
    def ending(position: Position) -> int:
        return 0 if has_line(position.other, rows, connect, bits) else 1

    @rule
    def pack(position: Position) -> int:
        return stacked(position.own, position.other)

    @rule
    def unpack(packed: int) -> Position:
        own, other = unstacked(packed, full, rows)
        return Position(own, other, how_many(own | other) & 1)

    @rule
    def mirror(position: Position) -> Position:
        return new_position(
            columns_mirrored(position.own, cols, rows), columns_mirrored(position.other, cols, rows), position.turn
        )

    @rule
    def evaluate(position: Position) -> int:
        own, other = position.own, position.other
        lead = open_lines(own, other, full, rows, connect, 3) - open_lines(other, own, full, rows, connect, 3)
        return lead if position.turn == 0 else -lead

    @rule
    def observe(position: Position, viewer: int, planes: Any) -> None:
        first = 0 if viewer == position.turn else 1
        show(position.own, planes, first, cols, rows)
        show(position.other, planes, 1 - first, cols, rows)

    made = made._replace(ending=ending, mirrors=(mirror,), evaluate=evaluate, observe=observe)
    return made._replace(pick=pick, pack=pack, unpack=unpack) if bits <= FITTING else made


def planes(game: ConnectFour) -> Planes:
    """Return the names of the planes that `observe` fills."""
    return Planes(("own discs", "opponent's discs"), game.rows, game.cols)
