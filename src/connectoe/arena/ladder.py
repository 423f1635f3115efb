"""A ladder of opponents: how far its steps are apart, and which skills would make them even."""

from __future__ import annotations

import math
from collections.abc import Sequence

from connectoe.arena.tournament import Pair
from connectoe.people import CHARACTERS

GRID = tuple(number / 10 for number in range(11))
"""The skills that are measured."""
PRIOR = 1.0
"""Games added as draws, so that a player who wins all has a rating."""


def step_of(pairs: Sequence[Pair]) -> float:
    """Return how much better A is than B, in Elo, by their games; a few games never say more than a few hundred.

    >>> from connectoe.arena.tournament import Pair
    >>> round(step_of([Pair(0, ("", ""), 1.5, ("win", "draw"))]))
    120
    """
    games = 2 * len(pairs)
    share = (sum(pair.points for pair in pairs) + PRIOR / 2) / (games + PRIOR)
    return 400 * math.log10(share / (1 - share))


def even_skills(steps: Sequence[float]) -> list[float]:
    """Return the skills of all people but the last at even steps of Elo, from the steps between those of the grid.

    >>> even_skills([100.0] * 10)
    [0.0, 0.125, 0.25, 0.375, 0.5, 0.625, 0.75, 0.875, 1.0]
    """
    heights = [0.0]
    for step in steps:
        heights.append(heights[-1] + max(step, 1.0))  # more skill is taken to be better, if only a little
    people = len(CHARACTERS) - 1
    return [round(_skill_at(heights, heights[-1] * number / (people - 1)), 3) for number in range(people)]


def _skill_at(heights: Sequence[float], elo: float) -> float:
    """Return the skill at a height, between two skills of the grid in proportion."""
    for place in range(1, len(heights)):
        if elo <= heights[place]:
            below, above = heights[place - 1], heights[place]
            return GRID[place - 1] + (GRID[place] - GRID[place - 1]) * (elo - below) / (above - below)
    return GRID[-1]
