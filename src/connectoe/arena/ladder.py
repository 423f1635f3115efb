"""A ladder of opponents: how far apart its steps are, and which skills would make them even."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from connectoe.arena.tournament import Pair
from connectoe.people import CHARACTERS, MOST_SKILL

GRID = (0.0, 0.25, 0.5, 0.75, 1.0, 1.25, 1.5, 2.0, 2.5, MOST_SKILL)
"""The skills that are measured first; somebody of the last one plays as the last of the people does."""
WIDE = 250.0
"""A step of more Elo than this is measured in two halves: where one side wins nearly all games, they say little."""
NARROWEST = 0.03
"""Skills nearer than this are taken to be neighbours, whatever the step."""
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


def measured_steps(step_between: Callable[[float, float], float]) -> dict[float, float]:
    """Return each skill that was measured, from the second, and how many Elo it stands above the one before.

    `step_between` lets two skills play each other.

    >>> measured_steps(lambda weaker, stronger: 400 * (stronger - weaker))[1.0]
    100.0
    >>> [skill for skill in measured_steps(lambda weaker, stronger: 400 * (stronger - weaker)) if skill > 1.25]
    [1.5, 2.0, 2.5, 3.0]
    >>> [skill for skill in measured_steps(lambda weaker, stronger: 600 * (stronger - weaker)) if skill > 1.25]
    [1.5, 1.75, 2.0, 2.25, 2.5, 2.75, 3.0]
    """
    steps: dict[float, float] = {}
    below = GRID[0]
    coming = list(reversed(GRID[1:]))
    while coming:
        step = step_between(below, coming[-1])
        if step > WIDE and coming[-1] - below > NARROWEST:
            coming.append((below + coming[-1]) / 2)
        else:
            below = coming.pop()
            steps[below] = step
    return steps


def even_skills(steps: dict[float, float]) -> list[float]:
    """Return the skills of all people but the last at even steps of Elo, the step to the last of them included.

    Given is how far each skill stands above the one before, the last of the people at the end.

    >>> even_skills(dict.fromkeys((1.0, 2.0, 3.0), 300.0))
    [0.0, 0.333, 0.667, 1.0, 1.333, 1.667, 2.0, 2.333, 2.667]
    """
    heights = {0.0: 0.0}
    for skill, step in steps.items():
        heights[skill] = max(heights.values()) + max(step, 1.0)  # more skill is taken to be better, if only a little
    people = len(CHARACTERS) - 1
    return [round(_skill_at(heights, max(heights.values()) * number / people), 3) for number in range(people)]


def _skill_at(heights: dict[float, float], elo: float) -> float:
    """Return the skill at a height, between two measured skills in proportion."""
    above = next(skill for skill, height in heights.items() if height >= elo)
    below = max((skill for skill in heights if skill < above), default=0.0)
    if above == below:
        return above
    return below + (above - below) * (elo - heights[below]) / (heights[above] - heights[below])
