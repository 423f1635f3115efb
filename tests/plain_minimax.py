"""The value of positions of small games by plain recursion, to hold engines against."""

from __future__ import annotations

from functools import cache
from typing import Any

from connectoe import DRAWN, ONGOING, Game

OPPOSITE = {"win": "loss", "loss": "win", "draw": "draw"}


@cache
def plain_result(game: Game, position: Any) -> tuple[str, int]:
    """What best play comes to for the player to move (for a finished position: for who would be next), and how long it
    takes: the winner hurries, the loser and the drawer do not."""
    rules = game.rules
    mover = rules.player(position)
    outcome = rules.outcome(position)
    if outcome != ONGOING:
        return ("draw" if outcome == DRAWN else "win" if outcome == mover else "loss"), 0
    options = []
    for move in rules.legal_moves(position):
        following = rules.play(position, move)
        result, plies = plain_result(game, following)
        if rules.player(following) != mover:
            result = OPPOSITE[result]
        options.append((result, plies + 1))
    wins = [plies for result, plies in options if result == "win"]
    if wins:
        return "win", min(wins)
    result = "draw" if any(result == "draw" for result, _ in options) else "loss"
    return result, max(plies for found, plies in options if found == result)


def wins_within(game: Game, position: Any, who: int, plies: int) -> bool:
    """Whether this player can force a win within this many plies, by plain recursion."""
    rules = game.rules
    outcome = rules.outcome(position)
    if outcome != ONGOING or plies == 0:
        return outcome == who
    followed = (wins_within(game, rules.play(position, move), who, plies - 1) for move in rules.legal_moves(position))
    return any(followed) if rules.player(position) == who else all(followed)


def forced_in(game: Game, position: Any, who: int, most: int) -> int | None:
    """In how many plies this player can force a win, if at most this many are needed."""
    return next((plies for plies in range(most + 1) if wins_within(game, position, who, plies)), None)
