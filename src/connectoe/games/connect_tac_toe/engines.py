"""What engines may use of Connect Tac Toe beyond its rules."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from connectoe.board import (
    columns_mirrored,
    full_mask,
    has_line_on,
    how_many,
    how_many_wide,
    lowest_bit,
    lowest_bit_wide,
    open_lines_on,
    show,
)
from connectoe.core.rules import Planes, Rules, rule
from connectoe.core.strength import Levels, PuzzleMaking, Tuning
from connectoe.core.wide import FITTING, sized
from connectoe.games.connect_tac_toe.rules import Position, all_pieces, markable_cells, resting_cells
from connectoe.games.connect_tac_toe.rules import rules as plain_rules

if TYPE_CHECKING:
    from connectoe.games.connect_tac_toe import ConnectTacToe

ENDINGS = ("a line of discs", "a line of marks", "no disc can be dropped", "board full")
TUNING = Tuning(0.45)
PUZZLE_MAKING = PuzzleMaking(longest=7, nodes=400_000)


def levels(game: ConnectTacToe) -> Levels:
    """Return how much each level searches before a move."""
    people = (0.0, 0.24, 0.44, 0.65, 0.86, 1.06, 1.23, 1.5, 1.79)
    return Levels(30, 600, 400_000, hard_nodes=6_000_000, people=people)


def has_perfect_play(game: ConnectTacToe) -> bool:
    """Whether a table can be made within seconds."""
    return game.cols * game.rows <= 12


def planes(game: ConnectTacToe) -> Planes:
    """Return the names of the planes that `observe` fills."""
    names = ("own discs", "opponent's discs", "own marks", "opponent's marks", "own debt", "opponent's debt")
    return Planes(names, game.rows, game.cols)


def rules_for_engines(cols: int, rows: int, discs: int, marks: int, drop: str, stuck: str) -> Rules:
    """Return the rules, with the optional ones that engines use."""
    made = plain_rules(cols, rows, discs, marks, drop, stuck)
    new_position: type[Position] = type(made.start)
    cells, bits = cols * rows, cols * (rows + 1)
    move_on = bytes(cell - cell // (rows + 1) for cell in range(bits - 1))  # without the guard row
    full = sized(full_mask(cols, rows), bits)
    count, lowest = (how_many, lowest_bit) if bits <= FITTING else (how_many_wide, lowest_bit_wide)
    has_line, open_lines = has_line_on(bits), open_lines_on(bits)
    any_gap = drop == "any-gap"
    stuck_is_free = stuck == "free"

    @rule
    def pick(position: Position, random: int) -> int:
        resting = resting_cells(position, full, rows, any_gap)
        markable = markable_cells(position, resting, full, rows, stuck_is_free)
        discs_to_drop = count(resting)
        number = random * (discs_to_drop + count(markable)) >> 32
        is_mark = number >= discs_to_drop
        left = markable if is_mark else resting
        for _ in range(number - discs_to_drop if is_mark else number):
            left &= left - 1
        return (cells if is_mark else 0) + move_on[lowest(left)]

    @rule
    def ending(position: Position) -> int:
        if has_line(position.other_discs, rows, discs):
            return 0
        if has_line(position.other_marks, rows, marks):
            return 1
        return 3 if all_pieces(position) == full else 2

    @rule
    def pack(position: Position) -> int:
        # A cell is a digit to base 5: empty, a disc or a mark of the player to move or of the opponent.
        packed = 0
        for cell in range(cells):
            shift = cell + cell // rows
            packed = (
                5 * packed
                + (position.own_discs >> shift & 1)
                + 2 * (position.other_discs >> shift & 1)
                + 3 * (position.own_marks >> shift & 1)
                + 4 * (position.other_marks >> shift & 1)
            )
        return packed << 3 | position.own_owes << 2 | position.other_owes << 1 | position.turn

    @rule
    def unpack(packed: int) -> Position:
        own_discs, other_discs, own_marks, other_marks = 0, 0, 0, 0
        digits = packed >> 3
        for cell in range(cells - 1, -1, -1):
            here = 1 << (cell + cell // rows)
            digit = digits % 5
            digits //= 5
            if digit == 1:
                own_discs |= here
            elif digit == 2:
                other_discs |= here
            elif digit == 3:
                own_marks |= here
            elif digit == 4:
                other_marks |= here
        return Position(own_discs, other_discs, own_marks, other_marks, packed >> 2 & 1, packed >> 1 & 1, packed & 1)

    @rule
    def mirror(position: Position) -> Position:
        return new_position(
            columns_mirrored(position.own_discs, cols, rows),
            columns_mirrored(position.other_discs, cols, rows),
            columns_mirrored(position.own_marks, cols, rows),
            columns_mirrored(position.other_marks, cols, rows),
            position.own_owes,
            position.other_owes,
            position.turn,
        )

    @rule
    def worth(own_discs: int, own_marks: int, others: int) -> int:
        """Return what a player's open lines are worth. Marks count far more: three are enough, and they do not fall."""
        return open_lines(own_discs, own_marks | others, full, rows, discs, 3) + 8 * open_lines(
            own_marks, own_discs | others, full, rows, marks, 4
        )

    @rule
    def evaluate(position: Position) -> int:
        own, other = position.own_discs | position.own_marks, position.other_discs | position.other_marks
        lead = worth(position.own_discs, position.own_marks, other)
        lead -= worth(position.other_discs, position.other_marks, own)
        lead += 20 * (position.other_owes - position.own_owes)  # a player who owes a disc cannot mark next
        lead = max(-10_000, min(10_000, lead))
        return lead if position.turn == 0 else -lead

    @rule
    def observe(position: Position, viewer: int, planes: Any) -> None:
        first = 0 if viewer == position.turn else 1
        show(position.own_discs, planes, first, cols, rows)
        show(position.other_discs, planes, 1 - first, cols, rows)
        show(position.own_marks, planes, 2 + first, cols, rows)
        show(position.other_marks, planes, 3 - first, cols, rows)
        planes[4 + first] = position.own_owes
        planes[5 - first] = position.other_owes

    made = made._replace(pick=pick, ending=ending, mirrors=(mirror,), evaluate=evaluate, observe=observe)
    fits = 5**cells << 3 <= 1 << 62
    return made._replace(pack=pack, unpack=unpack) if fits else made
