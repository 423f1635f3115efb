"""The chances of uniformly random play by plain recursion over all positions, to hold studies against."""

from __future__ import annotations

from typing import Any

from connectoe import DRAWN, ONGOING, Game


def exact_chances(game: Game) -> tuple[float, float, float]:
    """The chances that the first player wins, the second wins, and nobody does."""
    rules = game.rules
    known: dict[Any, tuple[float, float, float]] = {}

    def chances(position: Any) -> tuple[float, float, float]:
        if position not in known:
            outcome = rules.outcome(position)
            if outcome != ONGOING:
                known[position] = (float(outcome == 0), float(outcome == 1), float(outcome == DRAWN))
            else:
                after = [chances(rules.play(position, move)) for move in rules.legal_moves(position)]
                first, second, drawn = (sum(part) / len(after) for part in zip(*after, strict=True))
                known[position] = (first, second, drawn)
        return known[position]

    return chances(rules.start)
