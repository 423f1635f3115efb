"""A look one ply ahead, by the rules alone."""

from __future__ import annotations

from typing import Any

from connectoe.core.rules import ONGOING, Rules


def wins_at_once(rules: Rules, position: Any) -> bool:
    """Whether the player to move has a move that wins at once."""
    player = rules.player(position)
    return any(rules.outcome(rules.play(position, move)) == player for move in rules.legal_moves(position))


def loses_at_once(rules: Rules, position: Any, move: int) -> bool:
    """Whether a move loses, or lets the opponent win with the next move."""
    player = rules.player(position)
    after = rules.play(position, move)
    outcome = rules.outcome(after)
    if outcome != ONGOING:
        return bool(outcome == 1 - player)
    return rules.player(after) != player and wins_at_once(rules, after)
