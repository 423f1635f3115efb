"""How engines play by the pie rule: which side to take, and how to begin."""

from __future__ import annotations

from connectoe.core.match import Match
from connectoe.core.swapping import SWAP_MOVE, is_before_swap
from connectoe.engines.engine import Analysis

SURE_ENOUGH = 0.05
"""The share of the most visited move's visits that a first move needs to be considered even."""


def by_pie_rule(match: Match, found: Analysis) -> str:
    """Return the move that a search found best, or what is better in a match by the pie rule.

    The second player swaps if the position is worth less than half to the side to move. The first player, who may end
    up with either side, begins with the move that is nearest to even.

    >>> import connectoe
    >>> from connectoe.engines.engine import Candidate, Estimate
    >>> match = connectoe.Match(connectoe.load("tic-tac-toe", swap="yes"))
    >>> found = Analysis((Candidate(4, Estimate(0.7, 90)), Candidate(1, Estimate(0.55, 60))))
    >>> by_pie_rule(match, found)
    'b1'
    >>> match.play("b1")
    >>> by_pie_rule(match, Analysis((Candidate(4, Estimate(0.45, 90)),)))
    'swap'
    """
    if match.may_swap and found.share < 0.5:
        return SWAP_MOVE
    if is_before_swap(match) and match.turn == 0:
        most = max(candidate.visits for candidate in found.candidates)
        sure = [candidate for candidate in found.candidates if candidate.visits >= SURE_ENOUGH * most]
        best = max(sure, key=lambda candidate: min(candidate.share, 1 - candidate.share))
        return match.game.move_text(best.move)
    return match.game.move_text(found.move)
