"""Whether a position can come about at all, for games whose positions only ever grow."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from connectoe.game import ONGOING, Rules

PATIENCE = 20_000
"""Positions tried before the search gives a position the benefit of the doubt."""


def can_be_reached(rules: Rules, target: Any, is_on_the_way: Callable[[Any], bool]) -> bool:
    """Whether play from the start can lead to `target` through positions that are `is_on_the_way` to it.

    The answer False is certain. True is nearly always certain: it is also the answer when `PATIENCE` runs out.
    """
    if rules.start == target:
        return True
    waiting = [rules.start]
    seen = {rules.start}
    while waiting and len(seen) < PATIENCE:
        position = waiting.pop()
        if rules.outcome(position) != ONGOING:
            continue
        for move in rules.legal_moves(position):
            following = rules.play(position, move)
            if following == target:
                return True
            if following not in seen and is_on_the_way(following):
                seen.add(following)
                waiting.append(following)
    return bool(waiting)
