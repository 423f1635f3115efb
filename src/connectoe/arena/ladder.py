"""A ladder of opponents: how far apart its steps are, and which skills would make them even."""

from __future__ import annotations

import math
from collections.abc import Sequence

from connectoe.arena.tournament import Pair
from connectoe.people import CHARACTERS, MOST_SKILL

GRID = (0.0, 0.2, 0.4, 0.6, 0.8, 1.0, 1.25, 1.5, 1.75, MOST_SKILL)
"""The skills that are measured; the last of the people, who has none, stands above them."""
PRIOR = 1.0
"""Games added as draws, so that a player who wins every game has a rating."""


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
    """Return the skills of all people but the last at even steps of Elo.

    Given are the steps between the skills of the grid, and from its last one to the last of the people. If that one is
    so strong that no skill comes near, the others are spread evenly below.

    >>> even_skills([100.0] * 10)
    [0.0, 0.222, 0.444, 0.667, 0.889, 1.139, 1.417, 1.694, 1.972]
    >>> even_skills([100.0] * 9 + [900.0])[-1]
    2.0
    """
    heights = [0.0]
    for step in steps:
        heights.append(heights[-1] + max(step, 1.0))  # more skill is taken to be better, if only a little
    people = len(CHARACTERS) - 1
    highest = min(heights[-1] * (people - 1) / people, heights[len(GRID) - 1])
    return [round(_skill_at(heights, highest * number / (people - 1)), 3) for number in range(people)]


def _skill_at(heights: Sequence[float], elo: float) -> float:
    """Return the skill at a height, between two skills of the grid in proportion."""
    for place in range(1, len(GRID)):
        if elo <= heights[place]:
            below, above = heights[place - 1], heights[place]
            return GRID[place - 1] + (GRID[place] - GRID[place - 1]) * (elo - below) / (above - below)
    return GRID[-1]
