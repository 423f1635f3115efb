"""Looking back at a match: which moves gave something away, what would have been better, and how well both played."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from connectoe.analysis import analyse
from connectoe.core.match import Match
from connectoe.engines.engine import Analysis, Exact

GIVEN_AWAY = 0.2
"""The share of the points that a move must give away, where that is only an estimate, to be called a mistake."""
AS_GOOD = 0.05
"""Moves that are estimated so close to the best one are as good."""


@dataclass(frozen=True)
class Mistake:
    """A move that gave something away, and what would have been better."""

    ply: int
    """The moves before it."""
    player: int
    played: str
    better: tuple[str, ...]
    """The moves that keep what this one gave away, best first."""
    before: str | None
    after: str | None
    """The result before and after the move, where it is proven: win, draw or loss."""
    cost: float
    """The share of the points that it gave away, exact where both results are proven."""

    @property
    def is_proven(self) -> bool:
        """Whether the results before and after the move are certain."""
        return self.before is not None and self.after is not None

    def as_data(self) -> dict[str, Any]:
        """Return the mistake as plain data for JSON."""
        return {
            "ply": self.ply,
            "player": self.player,
            "played": self.played,
            "better": list(self.better),
            "before": self.before,
            "after": self.after,
            "proven": self.is_proven,
            "cost": round(self.cost, 3),
        }


@dataclass(frozen=True)
class MoveReviewed:
    """A move of a match: what it gave away, and the mistake if it is one."""

    ply: int
    player: int
    cost: float
    mistake: Mistake | None


def reviewed_moves(match: Match, seconds: float = 0.2, waits: bool = True, first: int = 0) -> Iterator[MoveReviewed]:
    """Yield every move of a match with what it gave away, looking at each position for `seconds`.

    The `first` moves are left out.

    >>> import connectoe
    >>> match = connectoe.Match(connectoe.load("tic-tac-toe"))
    >>> for move in "a1 b1 c3".split():
    ...     match.play(move)
    >>> [(each.mistake.played, each.mistake.better) for each in reviewed_moves(match) if each.mistake]
    [('b1', ('b2',)), ('c3', ('a2', 'b2', 'a3'))]
    """
    for ply, move in list(enumerate(match.moves))[first:]:
        beginning = match.beginning(ply)
        drawn = beginning.repeating_moves()
        found = analyse(match.game, beginning.state.position, seconds=seconds, drawn=drawn, waits=waits)
        player = beginning.turn
        assert player is not None
        cost, mistake = _judged(match, ply, player, move, found)
        yield MoveReviewed(ply, player, cost, mistake)


def _judged(match: Match, ply: int, player: int, move: str, found: Analysis) -> tuple[float, Mistake | None]:
    """Return what a move gave away, and the mistake if it is one."""
    game = match.game
    best = found.candidates[0]
    made = next(each for each in found.candidates if each.move == game.move_from(move))
    cost = max(0.0, best.share - made.share)
    both_proven = isinstance(best.value, Exact) and isinstance(made.value, Exact)
    if cost < (AS_GOOD if both_proven else GIVEN_AWAY):
        return cost, None
    if best.result:
        better = [each for each in found.candidates if each.result == best.result]
    else:
        better = [each for each in found.candidates if each.share >= best.share - AS_GOOD and each.move != made.move]
    names = tuple(game.move_text(each.move) for each in better)
    return cost, Mistake(ply, player, move, names, best.result, made.result, cost)


def accuracy(moves: list[MoveReviewed], player: int) -> float | None:
    """Return the share of the points that a player's moves kept on average; None if they made no move.

    >>> accuracy([MoveReviewed(0, 0, 0.0, None), MoveReviewed(2, 0, 0.5, None)], player=0)
    0.75
    """
    costs = [move.cost for move in moves if move.player == player]
    return 1 - sum(costs) / len(costs) if costs else None
