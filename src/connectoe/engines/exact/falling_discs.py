"""What the exact solvers of games of falling discs share: where lines are completed, and what a search may answer."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from connectoe.board import full_mask
from connectoe.core.rules import rule
from connectoe.core.wide import FITTING, sized

Words = NDArray[np.int64]

UNDECIDED = -1000
"""The answer of a look at a position whose moves must be searched."""
UNFINISHED = -1001
"""The answer of a search that has used up its nodes."""
GAME_OVER = -1002
"""The solver's answer for a position in which nobody is to move."""
NO_POSITION = -1003
"""The solver's answer for discs that float, overlap, lie off the board or make a line of the player to move."""

GOLDEN_BITS = 128
GOLDEN = 0x9E3779B97F4A7C15F39CC0605CEDC834
"""2**128 divided by the golden ratio: multiplying by its upper bits spreads similar keys over the table."""


def make_winning_cells(cols: int, rows: int, connect: int, bits: int = FITTING) -> Callable[[int], int]:
    """Return a rule that answers, for a player's discs, the cells that complete a line of theirs, empty or not.

    The discs are ints of this many bits.
    """
    cells = sized(full_mask(cols, rows), bits)
    directions = (rows, rows + 1, rows + 2)  # down right, right, up right
    has_room_across = cols >= connect

    @rule
    def winning_cells(discs: int) -> int:
        upright = cells  # nothing can be above the cell
        for step in range(1, connect):
            upright &= discs << step
        found = upright
        if has_room_across:
            for direction in directions:
                for before in range(connect):  # how many of the line's other discs lie before the cell
                    line = cells
                    for step in range(1, before + 1):
                        line &= discs << step * direction
                    for step in range(1, connect - before):
                        line &= discs >> step * direction
                    found |= line
        return found

    return winning_cells


def columns_from_the_middle(cols: int) -> list[int]:
    """Return the columns in the order in which they are worth trying."""
    return sorted(range(cols), key=lambda column: (abs(2 * column - (cols - 1)), column))
