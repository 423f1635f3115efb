"""Shift Tac Toe.

Tic-tac-toe in a frame whose three rows are sliders. O begins. Each turn you drop a piece of yours into one of the
three columns of the 3x3 grid, where it falls to the lowest empty place, or you move one slider one step left or right.

A slider has five holders, so two of them always stand outside the grid. It has three stands: fully right, where all
begin, one step left of that, and fully left. Pieces ride along with their slider, in and out of the grid, and stay in
play outside it. After a slide, pieces that nothing supports fall straight down, the lower ones first. A falling piece
comes to rest right above the next piece below it, or on the floor; if its slider has no holder there, it is out of the
game.

Three of your pieces in a row, column or diagonal of the grid win; pieces outside it do not count. A slide that makes a
line only for your opponent loses, and one that makes a line for both wins for you (with `both=draw`, it is a draw). A
full column takes no piece, and a slider does not go past its ends. The supply of pieces is unlimited. A position that
occurs for the third time is a draw.

With `edition=pressman` it is the boxed game of 1988: the sliders begin in the middle, each player has five discs, and a
disc that leaves the grid goes back to its owner's hand at once. With all five on the board you can only slide.

A move is a digit. `1` `2` `3` drop into the left, middle, right column; `4` `5` `6` slide the top, middle, bottom row
one step right; `7` `8` `9` one step left.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from connectoe.board import how_many, lines
from connectoe.core.rules import DRAWN, ONGOING, Rules, rule

# The bits of the frame. Columns a, b, c are the grid; the two on either side of it are where sliders stick out.
#
#   3   14 15 | 16 17 18 | 19 20
#   2    7  8 |  9 10 11 | 12 13
#   1    0  1 |  2  3  4 |  5  6
#        y  z    a  b  c    d  e

WIDTH = 7
LEFT = 2
"""How many columns of the frame lie left of the grid."""
ROW = 0b1111111
GRID_ROW = 0b0011100
HOLDERS = (0b1111100, 0b0111110, 0b0011111)
"""The columns a slider covers when it stands 0, 1 or 2 steps left of fully right."""
LINES = tuple(sum(1 << (WIDTH * row + LEFT + column) for column, row in line) for line in lines(3, 3, 3))
DISCS = 5
"""Discs of a player in the Pressman edition."""


class Position(NamedTuple):
    """The pieces of O and of X, the sliders' steps left of fully right (two bits per row), and whose turn it is."""

    noughts: int
    crosses: int
    sliders: int
    turn: int


@rule
def steps_left(sliders: int, row: int) -> int:
    """Return how many steps left of fully right the slider of a row stands."""
    return sliders >> (2 * row) & 3


@rule
def has_line(pieces: int) -> bool:
    """Whether three of these pieces stand in line inside the grid."""
    for line in LINES:  # noqa: SIM110 - Numba compiles no any()
        if pieces & line == line:
            return True
    return False


@rule
def has_disc_in_hand(position: Position) -> bool:
    """Whether the player to move has a disc left to drop (Pressman edition)."""
    return how_many(position.crosses if position.turn else position.noughts) < DISCS


@rule
def shifted(pieces: int, row: int, left: int, kept: int) -> int:
    """Return the pieces with one row moved a column left or right, as far as it is still in the columns `kept`."""
    moved = pieces >> (WIDTH * row) & ROW
    others = pieces & ~(ROW << (WIDTH * row))
    moved = (moved >> 1 if left else moved << 1) & kept
    return others | moved << (WIDTH * row)


@rule
def fallen(pieces: int, taken: int, low_holders: int, middle_holders: int) -> int:
    """Return where `pieces`, some of all that are `taken`, are when everything has fallen, without those that fell out.

    A piece in the bottom row stays. A middle piece stays on a bottom piece and falls to the floor elsewhere. A top
    piece then goes on what is there. So one look at each row, from below, settles all columns at once.
    """
    bottom = taken & ROW
    middle = taken >> WIDTH & ROW
    middle_to_bottom = ~bottom & low_holders
    stays_in_middle = middle & bottom
    filled_bottom = bottom | (middle & middle_to_bottom)
    top_to_middle = filled_bottom & ~stays_in_middle & middle_holders
    top_to_bottom = ~filled_bottom & low_holders

    own_bottom = pieces & ROW
    own_middle = pieces >> WIDTH & ROW
    own_top = pieces >> 2 * WIDTH
    return (
        (own_bottom | (own_middle & middle_to_bottom) | (own_top & top_to_bottom))
        | ((own_middle & stays_in_middle) | (own_top & top_to_middle)) << WIDTH
        | (own_top & stays_in_middle) << 2 * WIDTH
    )


def rules(edition: str, both: str) -> Rules:
    """Return the rules of one of the editions."""
    is_pressman = edition == "pressman"
    both_is_draw = both == "draw"
    start = Position(0, 0, 0b010101 if is_pressman else 0, 0)
    # In the Pressman edition only the grid holds discs, wherever the sliders stand.
    holders = (GRID_ROW, GRID_ROW, GRID_ROW) if is_pressman else HOLDERS
    kept = GRID_ROW if is_pressman else ROW

    @rule
    def legal_moves(position: Position) -> Iterator[int]:
        if not is_pressman or has_disc_in_hand(position):
            top = (position.noughts | position.crosses) >> (2 * WIDTH + LEFT)
            for column in range(3):
                if not top >> column & 1:
                    yield column
        for down in range(3):
            if steps_left(position.sliders, 2 - down) > 0:
                yield 3 + down
        for down in range(3):
            if steps_left(position.sliders, 2 - down) < 2:
                yield 6 + down

    @rule
    def play(position: Position, move: int) -> Position:
        noughts, crosses, sliders = position.noughts, position.crosses, position.sliders
        if move < 3:
            dropped = 1 << (2 * WIDTH + LEFT + move)  # it enters at the top and falls like any other
            if position.turn:
                crosses |= dropped
            else:
                noughts |= dropped
        else:
            row = 2 - move % 3
            left = move // 6
            sliders += (1 if left else -1) << (2 * row)
            noughts = shifted(noughts, row, left, kept)
            crosses = shifted(crosses, row, left, kept)
        taken = noughts | crosses
        low, middle = holders[sliders & 3], holders[sliders >> 2 & 3]
        return Position(
            fallen(noughts, taken, low, middle), fallen(crosses, taken, low, middle), sliders, 1 - position.turn
        )

    @rule
    def outcome(position: Position) -> int:
        nought_line, cross_line = has_line(position.noughts), has_line(position.crosses)
        if nought_line and cross_line:
            return DRAWN if both_is_draw else 1 - position.turn
        if nought_line:
            return 0
        if cross_line:
            return 1
        return ONGOING

    @rule
    def player(position: Position) -> int:
        return position.turn

    return Rules(start, legal_moves, play, outcome, player)
