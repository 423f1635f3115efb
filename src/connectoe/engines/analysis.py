"""What engines say about a position: every move with what is known of it, best first."""

from __future__ import annotations

import math
from typing import NamedTuple


class Candidate(NamedTuple):
    """A move and what is known of it, from the point of view of the player who makes it.

    >>> likely = Candidate(move=3, result=None, plies=None, share=0.625, visits=800)
    >>> f"{likely.share:.0%} of the points, looked at {likely.visits} times"
    '62% of the points, looked at 800 times'
    """

    move: int
    result: str | None
    """'win', 'draw' or 'loss' where that is certain."""
    plies: int | None
    """How long the game lasts then, this move included, as far as it is known."""
    share: float
    """The share of the points that this move is expected to win: 1 a win, 0.5 a draw."""
    visits: int = 0
    """How many simulations that rests on; 0 for other ways of knowing."""

    @property
    def interval(self) -> tuple[float, float]:
        """Between which bounds the share lies, with 95% confidence, as far as simulations can say (Wilson).

        >>> low, high = Candidate(0, None, None, 0.5, 100).interval
        >>> round(low, 2), round(high, 2)
        (0.4, 0.6)
        """
        if self.result or self.visits == 0:
            return (self.share, self.share) if self.result else (0.0, 1.0)
        z = 1.96
        spread = 1 + z * z / self.visits
        middle = self.share + z * z / (2 * self.visits)
        reach = z * math.sqrt(self.share * (1 - self.share) / self.visits + z * z / (4 * self.visits**2))
        return max(0.0, (middle - reach) / spread), min(1.0, (middle + reach) / spread)


class Found(NamedTuple):
    """What a search found: the moves, best first.

    >>> found = Found((Candidate(3, "win", 1, 1.0), Candidate(0, None, None, 0.4, 50)))
    >>> found.move, found.result, found.plies
    (3, 'win', 1)
    """

    candidates: tuple[Candidate, ...]
    line: tuple[int, ...] = ()
    """The moves that are expected to follow, the best one first."""
    length_known: bool = True
    """Whether no other move can win sooner, or lose later, than the best one is known to."""

    @property
    def move(self) -> int:
        """The best move.

        >>> Found((Candidate(3, "win", 1, 1.0), Candidate(0, None, None, 0.4, 50))).move
        3
        """
        return self.candidates[0].move

    @property
    def result(self) -> str | None:
        """'win', 'draw' or 'loss' for the player to move, where that is certain.

        >>> Found((Candidate(3, "draw", None, 0.5), Candidate(0, "loss", 2, 0.0))).result
        'draw'
        >>> Found((Candidate(3, "draw", None, 0.5), Candidate(0, None, None, 0.4, 50))).result is None
        True
        """
        best = self.candidates[0]
        if best.result == "win":
            return "win"
        return best.result if all(candidate.result for candidate in self.candidates) else None

    @property
    def plies(self) -> int | None:
        """How long the game lasts under best play, as far as it is known.

        >>> Found((Candidate(3, "win", 5, 1.0), Candidate(0, "loss", 2, 0.0))).plies
        5
        """
        return self.candidates[0].plies if self.result and self.length_known else None

    @property
    def share(self) -> float:
        """The share of the points the player to move can expect.

        >>> Found((Candidate(3, None, None, 0.6, 900), Candidate(0, None, None, 0.4, 50))).share
        0.6
        """
        return self.candidates[0].share


def best_first(
    candidates: list[Candidate], line: tuple[int, ...] = (), *, by_visits: bool = True, length_known: bool = True
) -> Found:
    """The candidates in order: quick wins, then what looks best, and slow losses before quick ones.

    What a tree search looks at most is the safest choice while it searches; without `by_visits` it is the share that a
    move has at least, so that one lucky game does not make a move the best.

    >>> slow, quick = Candidate(1, "loss", 8, 0.0), Candidate(2, "loss", 2, 0.0)
    >>> [candidate.move for candidate in best_first([quick, Candidate(3, None, None, 0.4, 10), slow]).candidates]
    [3, 1, 2]
    >>> often, well = Candidate(1, None, None, 0.6, 900), Candidate(2, None, None, 0.7, 400)
    >>> once = Candidate(3, None, None, 1.0, 1)
    >>> best_first([often, well, once]).move, best_first([often, well, once], by_visits=False).move
    (1, 2)
    """

    def worth(candidate: Candidate) -> tuple[float, ...]:
        if candidate.result == "win":
            return (2, -(candidate.plies or math.inf))
        if candidate.result == "loss":
            return (0, candidate.plies or 0)
        if by_visits:
            return (1, candidate.visits, candidate.share)
        return (1, candidate.result is not None or candidate.visits > 0, candidate.interval[0], candidate.visits)

    ordered = tuple(sorted(candidates, key=worth, reverse=True))
    return Found(ordered, line if line[:1] == (ordered[0].move,) else (ordered[0].move,), length_known)
