"""What engines may use of Shift Tac Toe beyond its rules."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from connectoe.core.rules import Planes, Rules, rule
from connectoe.core.strength import KnownResult, Levels, PuzzleMaking
from connectoe.games.shift_tac_toe.rules import HOLDERS, LEFT, WIDTH, Position, has_disc_in_hand, has_line, steps_left
from connectoe.games.shift_tac_toe.rules import rules as plain_rules
from connectoe.games.tic_tac_toe.engines import FREE, FREE_COUNT

if TYPE_CHECKING:
    from connectoe.games.shift_tac_toe import ShiftTacToe

ENDINGS = ("a line of the mover", "a line of the opponent", "lines for both")
FRAME = (1 << 3 * WIDTH) - 1
LEFT_COLUMN = 0b0000100_0000100_0000100
MIDDLE_COLUMN = LEFT_COLUMN << 1
AT_AN_END = bytes(
    sum((steps_left(sliders, row) == end) << 3 * (end // 2) + 2 - row for row in range(3) for end in (0, 2))
    for sliders in range(64)
)
"""For each stand of the sliders, the slides that would go past an end: bits 0 to 5 for the moves 4 to 9."""
PUZZLE_MAKING = PuzzleMaking(longest=9)


def levels(game: ShiftTacToe) -> Levels:
    """Return how much each level searches before a move."""
    people = (0.0, 0.14, 0.26, 0.36, 0.47, 0.58, 0.81, 0.98, 1.18)
    return Levels(20, 300, 100_000, people=people)


def has_perfect_play(game: ShiftTacToe) -> bool:
    """Whether a table can be made within seconds: it always is."""
    return True


def known_result(game: ShiftTacToe) -> KnownResult | None:
    """Return how soon the first player wins, which is the same for both meanings of lines for both."""
    return KnownResult(0, 11 if game.edition == "sliders" else 13)


def planes(game: ShiftTacToe) -> Planes:
    """Return the names of the planes that `observe` fills; they show the whole frame, with the grid in the middle."""
    return Planes(("own pieces", "opponent's pieces", "holders"), 3, WIDTH)


@rule
def grid_mirrored(pieces: int) -> int:
    """Return the pieces of the grid with the left and right columns swapped."""
    return pieces & MIDDLE_COLUMN | (pieces & LEFT_COLUMN) << 2 | pieces >> 2 & LEFT_COLUMN


def rules_for_engines(edition: str, both: str) -> Rules:
    """Return the rules, with the optional ones that engines use."""
    is_pressman = edition == "pressman"
    made = plain_rules(edition, both)
    outcome = made.outcome

    @rule
    def pick(position: Position, random: int) -> int:
        may_drop = not is_pressman or has_disc_in_hand(position)
        full = (position.noughts | position.crosses) >> (2 * WIDTH + LEFT) & 0b111 if may_drop else 0b111
        illegal = full | AT_AN_END[position.sliders] << 3
        return FREE[9 * illegal + (random * FREE_COUNT[illegal] >> 32)]

    @rule
    def ending(position: Position) -> int:
        if has_line(position.noughts) and has_line(position.crosses):
            return 2
        return 0 if outcome(position) == 1 - position.turn else 1

    @rule
    def pack(position: Position) -> int:
        return position.noughts | position.crosses << 21 | position.sliders << 42 | position.turn << 48

    @rule
    def unpack(packed: int) -> Position:
        return Position(packed & FRAME, packed >> 21 & FRAME, packed >> 42 & 0b111111, packed >> 48)

    @rule
    def mirror(position: Position) -> Position:
        return Position(
            grid_mirrored(position.noughts),
            grid_mirrored(position.crosses),
            0b101010 - position.sliders,  # each stand is as far from 2 as it was from 0
            position.turn,
        )

    @rule
    def observe(position: Position, viewer: int, planes: Any) -> None:
        for row in range(3):
            covered = HOLDERS[steps_left(position.sliders, row)]
            for column in range(WIDTH):
                place = WIDTH * row + column
                planes[viewer, 2 - row, column] = position.noughts >> place & 1
                planes[1 - viewer, 2 - row, column] = position.crosses >> place & 1
                planes[2, 2 - row, column] = covered >> column & 1

    # In the other edition the frame has a mirror image too, but the start, fully right, is not symmetric.
    mirrors = (mirror,) if is_pressman else ()
    return made._replace(pick=pick, ending=ending, pack=pack, unpack=unpack, mirrors=mirrors, observe=observe)
