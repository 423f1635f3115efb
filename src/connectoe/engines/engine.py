"""The interface of all engines: `search(position, limits)` returns an `Analysis`, the moves with their values.

Tables, exact solvers, Monte Carlo tree search and alpha-beta are engines of this kind. What is known of a move is
either exact (its result, and the plies to the end) or an estimate (the share of the points it should win).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator
from threading import Event
from typing import Any, ClassVar, Literal, NamedTuple, Protocol

from connectoe.core.errors import ConnectoeError
from connectoe.core.game import Game
from connectoe.core.rules import ONGOING

Result = Literal["win", "draw", "loss"]
SHARE: dict[Result, float] = {"win": 1.0, "draw": 0.5, "loss": 0.0}
"""The share of the points that a result is."""
OPPOSITE: dict[Result, Result] = {"win": "loss", "draw": "draw", "loss": "win"}
"""The same result for the other player."""


class Exact(NamedTuple):
    """A value that is certain.

    The winner plays for the shortest win, the loser for the longest loss.

    >>> str(Exact("win", 7)), str(Exact("draw"))
    ('win in 7', 'draw')
    """

    result: Result
    plies: int | None = None
    """The plies to the end under best play; None for a draw, or where they are not known."""

    def __str__(self) -> str:
        return self.result if self.plies is None else f"{self.result} in {self.plies}"

    @property
    def share(self) -> float:
        """The share of the points: 1 for a win, 0.5 for a draw."""
        return SHARE[self.result]


class Estimate(NamedTuple):
    """A value that is likely: the expected share of the points, and a 95% interval of it.

    >>> Estimate.from_visits(0.5, 100)
    Estimate(share=0.5, low=0.403..., high=0.596...)
    >>> Estimate.from_visits(1.0, 1)
    Estimate(share=0.603..., low=0.206..., high=1.0)
    """

    share: float
    low: float = 0.0
    high: float = 1.0

    @classmethod
    def from_visits(cls, share: float, visits: int) -> Estimate:
        """Return what to expect after this many simulations won that share: the middle of Wilson's interval, since a
        game or two that were won do not promise 100%."""
        from connectoe.statistics import wilson_interval  # imports numpy, which plain play does not need

        if not visits:
            return UNKNOWN
        low, high = wilson_interval(share, visits)
        return cls((low + high) / 2, low, high)


UNKNOWN = Estimate(0.5)
"""The value of a move that was not looked at: nothing is known."""


class Candidate(NamedTuple):
    """A move and what is known of it, from the point of view of the player who makes it.

    >>> likely = Candidate(move=3, value=Estimate.from_visits(0.625, 800), visits=800)
    >>> round(likely.share, 3), likely.result
    (0.624, None)
    >>> Candidate(3, Exact("win", 5)).share
    1.0
    """

    move: int
    value: Exact | Estimate
    """The value after this move; its plies count the move itself."""
    visits: int = 0
    """The simulations that went through this move; 0 for engines that do not simulate."""

    @property
    def result(self) -> Result | None:
        """The result of this move where it is certain."""
        return self.value.result if isinstance(self.value, Exact) else None

    @property
    def plies(self) -> int | None:
        """The plies to the end, this move included, where the result is certain and they are known."""
        return self.value.plies if isinstance(self.value, Exact) else None

    @property
    def share(self) -> float:
        """The share of the points that this move is expected to win: 1 for a win, 0.5 for a draw."""
        return self.value.share

    @property
    def interval(self) -> tuple[float, float]:
        """The bounds of the share with 95% confidence."""
        value = self.value
        return (value.share, value.share) if isinstance(value, Exact) else (value.low, value.high)


class Analysis(NamedTuple):
    """What a search found: the moves it tells apart, best first.

    >>> found = Analysis((Candidate(3, Exact("win", 1)), Candidate(0, Estimate(0.4))))
    >>> found.move, found.result, found.plies
    (3, 'win', 1)
    """

    candidates: tuple[Candidate, ...]
    """All legal moves, or only the best one where a search does not tell the others apart."""
    line: tuple[int, ...] = ()
    """The moves that are expected to follow, the best one first."""
    length_known: bool = True
    """Whether no other move can win sooner, or lose later, than the best one is known to."""
    depth: int = 0
    """The plies that were searched completely, by an engine that searches ply by ply."""
    nodes: int = 0
    """The moves that were tried, by such an engine."""
    score: int | None = None
    """The engine's own score of the best move, if it has one; the engine says what it means."""
    line_repeats: bool = False
    """Whether the line leads back to a position that it has passed, and would go on so."""

    @property
    def values(self) -> dict[int, Exact | Estimate]:
        """The value of each candidate, by its move."""
        return {candidate.move: candidate.value for candidate in self.candidates}

    @property
    def move(self) -> int:
        """The best move."""
        return self.candidates[0].move

    @property
    def result(self) -> Result | None:
        """The result for the player to move, where it is certain."""
        best = self.candidates[0].result
        if best == "win" or all(candidate.result for candidate in self.candidates):
            return best
        return None

    @property
    def plies(self) -> int | None:
        """How long the game lasts under best play, as far as it is known."""
        return self.candidates[0].plies if self.result and self.length_known else None

    @property
    def is_exact(self) -> bool:
        """Whether the result is certain, and so is its length."""
        return self.result is not None and self.length_known

    @property
    def share(self) -> float:
        """The share of the points that the player to move can expect."""
        return self.candidates[0].share


class Limits(NamedTuple):
    """What ends a search: the first of these that is reached. Each engine says which of them limit it.

    >>> Limits(simulations=1000).seconds is None
    True
    """

    simulations: int | None = None
    nodes: int | None = None
    depth: int | None = None
    seconds: float | None = None
    stop: Event | None = None
    """A search ends when this is set."""

    def check(self, limited_by: Iterable[str]) -> None:
        """Raise ConnectoeError unless something limits an engine that is limited by these."""
        names = [name for name in limited_by if name != "stop"]
        given = [getattr(self, name) for name in names]
        if self.stop is None and all(limit is None for limit in given):
            raise ConnectoeError(f"a search needs a limit: {', '.join(names)}, or something that stops it")
        if any(limit < 0 for limit in given if limit is not None):
            raise ConnectoeError("the limit of a search cannot be negative")

    @property
    def is_stopped(self) -> bool:
        """Whether the search was stopped."""
        return self.stop is not None and self.stop.is_set()


class NotSolved(ConnectoeError):
    """An exact engine does not know a position, or did not find its value within its limits.

    >>> import connectoe
    >>> from connectoe.engines.exact.connect_four import ExactConnectFour
    >>> game = connectoe.load("connect-four")
    >>> ExactConnectFour(game).search(game.rules.start, Limits(nodes=100))
    Traceback (most recent call last):
    connectoe.engines.engine.NotSolved: 100 nodes do not suffice to solve this position
    """


class Engine(Protocol):
    """Something that says what the moves of a position are worth."""

    limited_by: ClassVar[tuple[str, ...]]
    """The fields of `Limits` that it observes; none for an engine that answers at once."""
    is_deterministic: ClassVar[bool]
    """Whether the same search always gives the same result, whatever the seed, as long as the clock does not limit
    it.
    """

    @property
    def game(self) -> Game:
        """The game that it searches."""
        ...

    def search(self, position: Any, limits: Limits) -> Analysis:
        """Return what it finds about an ongoing position; an exact engine raises NotSolved where it finds nothing."""
        ...


class Solver(Engine, Protocol):
    """An exact engine: whatever it says is certain. A game declares its own by `Game.solver`."""

    report: Callable[[int], None] | None
    """If given, it is called with `nodes` several times a second in a long search, which ends if it raises."""

    @property
    def nodes(self) -> int:
        """How many positions it has searched so far."""
        ...

    @property
    def has_book(self) -> bool:
        """Whether it answers within seconds in all positions that a player who asks it before every move can reach."""
        ...

    @property
    def nodes_a_second(self) -> int:
        """How many nodes it searches in a second at least, on a usual machine, for callers with a time limit."""
        ...

    def result(self, position: Any, node_limit: int | None = None) -> Result:
        """Return who wins; found sooner than the whole value. Raise NotSolved if the nodes do not suffice."""
        ...

    def value(self, position: Any, node_limit: int | None = None) -> Exact:
        """Return the value for the player to move; raise NotSolved if the nodes do not suffice."""
        ...

    def best_move(self, position: Any, node_limit: int | None = None) -> int:
        """Return one of the best moves; raise NotSolved if the nodes do not suffice."""
        ...

    def safe_moves(self, position: Any, node_limit: int | None = None) -> list[int]:
        """Return moves that keep the result of the position, all of them if the nodes suffice, or raise NotSolved."""
        ...

    def known_values(self, position: Any, limits: Limits) -> Iterator[dict[int, Exact]]:
        """Yield the values of the moves that are known so far, until all are or a limit is reached."""
        ...

    def book_move(self, position: Any) -> Candidate | None:
        """Return a best move from the opening book, if the position is in it."""
        ...

    def forget(self) -> None:
        """Forget all positions, so that the next search takes as long as the first."""
        ...


def refuse_if_over(game: Game, position: Any) -> None:
    """Raise ConnectoeError if there is nothing to search, because the game is over."""
    if game.rules.outcome(position) != ONGOING:
        raise ConnectoeError("there is nothing to search: the game is over")


def best_first(
    candidates: Iterable[Candidate], line: tuple[int, ...] = (), *, by_visits: bool = True, length_known: bool = True
) -> Analysis:
    """Return the candidates in order: quick wins, then what looks best, and slow losses before quick ones.

    Between a win and a loss, moves are ordered by visits, which is the safest choice of a tree search. Without
    `by_visits` they are ordered by the lower bound of their share, so that one lucky game does not make a move the
    best.
    """

    def merit(candidate: Candidate) -> tuple[float, ...]:
        if candidate.result == "win":
            return (2, -(candidate.plies or math.inf))
        if candidate.result == "loss":
            return (0, candidate.plies or 0)
        if by_visits:
            return (1, candidate.visits, candidate.share)
        return (1, candidate.result is not None or candidate.visits > 0, candidate.interval[0], candidate.visits)

    ordered = tuple(sorted(candidates, key=merit, reverse=True))
    line = line if line[:1] == (ordered[0].move,) else (ordered[0].move,)
    return Analysis(ordered, line, length_known=length_known)
