"""Repetition, for compiled play: whether a position occurs for the third time."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from connectoe.core.game import Game
from connectoe.core.match import TIMES_TO_DRAW
from connectoe.core.rules import rule
from connectoe.engines.rows import row_rules


def repetition_rule(game: Game) -> Callable[[Any, int, Any], bool]:
    """Return a rule that notes a position in a history and says whether it occurs for the third time.

    In a game without repetition it never does, nor if positions are more than ints: no game of this package has both
    such positions and repetition.
    """

    @rule
    def never(history: Any, ply: int, position: Any) -> bool:
        return False

    if not game.can_repeat or game.rules.has_arrays:
        return never
    length, write, _ = row_rules(game.rules.start)

    @rule
    def is_third(history: Any, ply: int, position: Any) -> bool:
        write(position, history[ply])
        times = 1
        for before in range(ply):
            same = True
            for number in range(length):
                if history[before, number] != history[ply, number]:
                    same = False
                    break
            times += same
        return times >= TIMES_TO_DRAW

    return is_third
