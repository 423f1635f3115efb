"""Looking back at a match: which moves gave something away, what would have been better, and how well both played."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

from connectoe.analysis import analyse
from connectoe.core.match import Match
from connectoe.core.swapping import SWAP_MOVE, is_before_swap
from connectoe.engines.engine import OPPOSITE, Analysis, Result

GIVEN_AWAY = 0.2
"""The share of the points that a move must give away, where that is only an estimate, to be called a mistake."""
AS_GOOD = 0.05
"""Moves whose estimates are this close to the best one count as equally good."""


@dataclass(frozen=True)
class Mistake:
    """A move that gave something away, and what would have been better."""

    ply: int
    """The moves before it."""
    player: int
    """The side that the player has at the end; after a swap, it differs from that of the first moves."""
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
        player = match.side_of(ply)
        assert player is not None
        cost, mistake = _judged(ply, player, move, _choices(beginning, found))
        yield MoveReviewed(ply, player, cost, mistake)


class _Choice(NamedTuple):
    """Something that a player could do, and what it is worth to them."""

    move: str
    share: float
    result: Result | None
    """Win, draw or loss, where that is proven."""


def _choices(match: Match, found: Analysis) -> list[_Choice]:
    """Return what the player to move could do, best first.

    By the pie rule, the second player may take the other side. So the first player's first turn is worth no more than
    what that leaves. A move in the middle of that turn decides nothing yet: all of them count the same.
    """
    choices = [_Choice(match.game.move_text(each.move), each.share, each.result) for each in found.candidates]
    if match.may_swap:
        best = choices[0]
        choices.append(_Choice(SWAP_MOVE, 1 - best.share, best.result and OPPOSITE[best.result]))
    elif match.turn == 0 and is_before_swap(match):
        choices = [_first_choice(match, each) for each in choices]
    return sorted(choices, key=lambda choice: -choice.share)


def _first_choice(match: Match, choice: _Choice) -> _Choice:
    """Return what a move of the first turn is worth when the second player may swap after it."""
    if match.state.play(choice.move).turn == 0:
        return choice._replace(share=0.5, result=None)
    return choice._replace(
        share=min(choice.share, 1 - choice.share), result="loss" if choice.result == "win" else choice.result
    )


def _judged(ply: int, player: int, move: str, choices: list[_Choice]) -> tuple[float, Mistake | None]:
    """Return what a move gave away, and the mistake if it is one."""
    best = choices[0]
    made = next(each for each in choices if each.move == move)
    cost = max(0.0, best.share - made.share)
    if cost < (AS_GOOD if best.result and made.result else GIVEN_AWAY):
        return cost, None
    if best.result:
        better = [each for each in choices if each.result == best.result]
    else:
        better = [each for each in choices if each.share >= best.share - AS_GOOD and each.move != move]
    names = tuple(each.move for each in better)
    return cost, Mistake(ply, player, move, names, best.result, made.result, cost)


def accuracy(moves: list[MoveReviewed], player: int) -> float | None:
    """Return the share of the points that a player's moves kept on average; None if they made no move.

    >>> accuracy([MoveReviewed(0, 0, 0.0, None), MoveReviewed(2, 0, 0.5, None)], player=0)
    0.75
    """
    costs = [move.cost for move in moves if move.player == player]
    return 1 - sum(costs) / len(costs) if costs else None
