"""What engines and studies may use of ultimate ultimate tic-tac-toe beyond its rules."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from connectoe.core.rules import DRAWN, Planes, Rules, rule
from connectoe.core.strength import Levels
from connectoe.games.tic_tac_toe.engines import FREE, FREE_COUNT
from connectoe.games.tic_tac_toe.rules import FULL, has_three
from connectoe.games.ultimate_ultimate.rules import (
    ANYWHERE,
    BONUS,
    BONUSES,
    COMPLETED,
    FIRST,
    SECOND,
    SECOND_MARKS,
    Position,
    bits_of,
    bits_of_both,
    is_open,
    tallies_of,
)
from connectoe.games.ultimate_ultimate.rules import rules as plain_rules

if TYPE_CHECKING:
    from connectoe.games.ultimate_ultimate import UltimateUltimate

ENDINGS = ("three 9x9 boards in line", "no 9x9 board left")


def levels(game: UltimateUltimate) -> Levels:
    """Return how much each level searches before a move; with more tallies a simulated game lasts longer."""
    # With these skills nobody thinks for much longer than a second, since random games are long here.
    people = (0.0, 0.12, 0.25, 0.38, 0.5, 0.62, 0.75, 0.88, 1.0)
    return Levels(12, 80, 5_000 * 3 // max(3, game.tallies), people=people)


def is_tally_by_tie(before: Position, move: int) -> bool:
    """Whether a mark fills a 3x3 board on which nobody has a line, so that both players get a tally."""
    if before.step == BONUS:
        return False
    is_first = before.step == FIRST
    where = move // 9 if is_first else before.where
    owner = before.turn if is_first else 1 - before.turn
    board = int(before.boards[where]) | 1 << 9 * owner + move % 9
    return bits_of_both(board) == FULL and not any(has_three(bits_of(player, board)) for player in (0, 1))


@rule
def pick_anywhere(boards: NDArray[np.int32], closed: int, random: int) -> int:
    """Return one of all the empty cells on open boards."""
    free = 0
    for where in range(81):
        board = int(boards[where])
        if is_open(board, where, closed):
            free += FREE_COUNT[bits_of_both(board)]
    left = random * free >> 32
    for where in range(81):
        board = int(boards[where])
        if is_open(board, where, closed):
            taken = bits_of_both(board)
            if left < FREE_COUNT[taken]:
                return 9 * where + FREE[9 * taken + left]
            left -= FREE_COUNT[taken]
    return -1  # there is always one


def rules_for_engines(tallies: int) -> Rules:
    """Return the rules, with the optional ones that engines use."""
    made = plain_rules(tallies)
    outcome = made.outcome

    @rule
    def pick(position: Position, random: int) -> int:
        if position.where == ANYWHERE and position.step != BONUS:
            return pick_anywhere(position.boards, position.closed, random)
        if position.step == BONUS:
            from_move, taken = BONUSES, position.closed
        else:
            from_move = SECOND_MARKS if position.step == SECOND else 9 * position.where
            taken = bits_of_both(int(position.boards[position.where]))
        return from_move + FREE[9 * taken + (random * FREE_COUNT[taken] >> 32)]

    @rule
    def ending(position: Position) -> int:
        return 1 if outcome(position) == DRAWN else 0

    @rule
    def observe(position: Position, viewer: int, planes: Any) -> None:
        for where in range(81):
            board, large, small = int(position.boards[where]), where // 9, where % 9
            is_to_play_on = where == position.where or (
                position.where == ANYWHERE and is_open(board, where, position.closed)
            )
            top, left = 9 * (large // 3) + 3 * (small // 3), 9 * (large % 3) + 3 * (small % 3)
            for cell in range(9):
                row, column = top + cell // 3, left + cell % 3
                for player in range(2):
                    whose = 0 if player == viewer else 1
                    planes[whose, row, column] = bits_of(player, board) >> cell & 1
                    planes[2 + whose, row, column] = tallies_of(player, board)
                    planes[4 + whose, row, column] = 1 if board == COMPLETED << player else 0
                    planes[6 + whose, row, column] = bits_of(player, position.won) >> large & 1
                planes[8, row, column] = position.closed >> large & 1
                planes[9, row, column] = 1 if is_to_play_on else 0
                if position.step != FIRST and cell == position.first:
                    planes[10, row, column] = 1
        if position.step == BONUS:
            planes[11] = 1

    return made._replace(pick=pick, ending=ending, observe=observe)


def planes(game: UltimateUltimate) -> Planes:
    """Return the names of the planes that `observe` fills, of all 27x27 cells; the plane of the first mark shows, on
    every board, the cell numbered like it, once it is made."""
    both = [f"{whose} {what}" for what in ("marks", "tallies", "3x3 boards", "9x9 boards")
            for whose in ("own", "opponent's")]  # fmt: skip
    return Planes((*both, "closed 9x9 boards", "boards to play on", "first mark", "bonus"), 27, 27, game.tallies)
