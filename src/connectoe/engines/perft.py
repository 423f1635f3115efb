"""perft(n): the number of lines of play exactly n moves long; a finished game has no continuation.

The usual first test of a rules implementation, and a way to compare two of them.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any

import numpy as np

from connectoe.core.game import Game
from connectoe.core.match import Match
from connectoe.core.rules import ONGOING, Rules
from connectoe.core.swapping import is_before_swap
from connectoe.engines.compiling import compiled


def perft(game: Game, depth: int, position: Any = None) -> int:
    """Return the number of lines of play `depth` moves long, from the start or a given position; compiled."""
    count = _perft_engine(game)
    return int(count(game.rules.start if position is None else position, depth))


def lines_after(match: Match, depth: int) -> int:
    """Return the number of lines of play `depth` moves long from where a match stands, swaps by the pie rule included.

    With swap, perft(n) is perft(n) + perft(n - 1) without it, where a turn is one move.
    """
    if depth == 0:
        return 1
    if match.outcome:
        return 0
    count, position = perft(match.game.plain, depth, match.state.position), match.state.position
    if match.may_swap:
        return count + perft(match.game.plain, depth - 1, position)
    if not is_before_swap(match):
        return count
    total = 0  # the first turn is not over
    for move in match.legal_moves():
        after = match.copy()
        after.play(move)
        total += lines_after(after, depth - 1)
    return total


def interpreted_perft(game: Game, depth: int, position: Any = None) -> int:
    """Return the same count by the rules as plain Python; slow, for comparison."""
    rules = game.rules
    position = rules.start if position is None else position
    if depth == 0:
        return 1
    if rules.outcome(position) != ONGOING:
        return 0
    return sum(interpreted_perft(game, depth - 1, rules.play(position, move)) for move in rules.legal_moves(position))


@lru_cache(maxsize=64)
def _perft_engine(game: Game) -> Callable[[Any, int], int]:
    return make_perft(game.rules, len(game.move_texts))


def make_perft(rules: Rules, move_count: int) -> Callable[[Any, int], int]:
    """Return a compiled perft for these rules, whose moves are ints below `move_count`."""
    legal_moves, play, outcome = rules.legal_moves, rules.play, rules.outcome

    def count_lines(root: Any, depth: int) -> int:
        if depth == 0:
            return 1
        leaves = 0
        # path[p] is the position p moves below the root; waiting[p] holds its moves not tried yet.
        path = [root for _ in range(depth)]
        waiting = np.empty((depth, move_count), np.int64)
        left = np.zeros(depth, np.int64)
        ply = 0
        entered = True
        while ply >= 0:
            if entered and outcome(path[ply]) == ONGOING:
                if ply == depth - 1:
                    for _ in legal_moves(path[ply]):
                        leaves += 1
                else:
                    for move in legal_moves(path[ply]):
                        waiting[ply, left[ply]] = move
                        left[ply] += 1
            if left[ply] > 0:
                left[ply] -= 1
                path[ply + 1] = play(path[ply], waiting[ply, left[ply]])
                ply += 1
                entered = True
            else:
                ply -= 1
                entered = False
        return leaves

    return compiled(count_lines)
