"""Connect Four by following the opponent: what a player reaches at least without a search.

Each column fills from below. A player who always answers in the column in which the opponent has just
dropped gets every second cell of it. Take the player who has just moved, and call the cells from which an even number
of cells, none included, lies above in the column the *upper* cells, all others the *lower* cells (on six rows, a2, a4
and a6 are upper). Whether the number of empty cells is even or odd after the move decides what following is worth:

- Even: the follower drops on top of the opponent's disc, or, if that has filled its column to an upper cell, on the
  open upper cell of another column; as the number of empty cells is even, there is one. So the opponent gets no empty
  upper cell, except those that are open at once. If the opponent's discs together with the cells that are left to the
  opponent hold no line, the follower does not lose; if the follower has a threat on an upper cell that is not open,
  the follower wins, and the opponent never gets to the cells above it.
- Odd: let the follower have a threat on a lower cell of a column whose open cell is upper. The follower answers in
  this column too, and so gets its lower cells up to the threat, and follows in the others as above. Nobody but the
  opponent can run out of moves, and has to play below the threat in the end. If the opponent has no line among the
  cells that are left to the opponent, the follower wins.

A threat on row r, counted from 0, is carried out with at least rows - r cells empty, so that such a win is worth at
least (rows - r + 1) // 2. These are Victor Allis' rules "claimeven" and the odd threat ("A Knowledge-based Approach of
Connect-Four", 1988), taken for the whole board at once.
"""

from __future__ import annotations

from collections.abc import Callable

from connectoe.board import full_mask, has_line_on
from connectoe.core.rules import rule
from connectoe.core.wide import sized
from connectoe.engines.exact.falling_discs import UNDECIDED, columns_from_the_middle


def make_score_by_following(cols: int, rows: int, connect: int, bits: int) -> Callable[..., int]:
    """Return the rule that answers the score for one board, whose ints have this many bits."""
    height = rows + 1
    cells = sized(full_mask(cols, rows), bits)
    bottom = sized(sum(1 << (column * height) for column in range(cols)), bits)
    column_cells = tuple(
        sized(((1 << rows) - 1) << (column * height), bits) for column in columns_from_the_middle(cols)
    )
    row_cells = tuple(sized(bottom << row, bits) for row in range(rows))
    upper_cells = sized(sum(row_cells[row] for row in range(rows) if (rows - row) % 2), bits)
    lower_cells = sized(cells & ~upper_cells, bits)
    has_line = has_line_on(bits)

    @rule
    def win_with(threats: int) -> int:
        """Return what a win is worth at least that is carried out on the lowest of these threats, or 0 without any."""
        if threats:
            for row in range(rows):
                if threats & row_cells[row]:
                    return (rows - row + 1) // 2
        return 0

    @rule
    def lower_cells_above(threats: int) -> int:
        """Return the lower cells above these upper ones."""
        for _ in range((rows - 1) // 2):
            threats |= threats << 2 & upper_cells & ~bottom
        return threats << 1 & cells

    @rule
    def score_by_following(opponent: int, discs: int, threats: int, left: int, alpha: int) -> int:
        """Return a score above alpha that a player with these threats reaches by following the opponent, who is to
        move with `left` empty cells; UNDECIDED if that is not certain."""
        open_cells = discs + bottom & cells
        open_upper = open_cells & upper_cells
        upper_threats = threats & upper_cells & ~open_cells
        if left % 2 == 0:
            score = win_with(upper_threats)
            if score > alpha:
                lower = lower_cells & ~discs & ~lower_cells_above(upper_threats)
                if not has_line(opponent | lower | open_upper, rows, connect):
                    return score
            return UNDECIDED
        lower_threats = threats & lower_cells
        if lower_threats:
            lower = lower_cells & ~discs & ~lower_cells_above(upper_threats)
            for column in range(cols):
                threat = lower_threats & column_cells[column]
                if threat and open_upper & column_cells[column]:
                    threat &= -threat
                    score = win_with(threat)
                    if score > alpha:
                        others = ~column_cells[column]
                        below = threat - 1 & column_cells[column] & upper_cells & ~discs
                        if not has_line(opponent | (lower | open_upper) & others | below, rows, connect):
                            return score
        return UNDECIDED

    return score_by_following
