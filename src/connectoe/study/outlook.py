"""The time left of a study, in which a random game takes a microsecond and one between hard players a minute."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from connectoe.study.plan import Chunk

Kind = tuple[str, tuple[str, str] | None, bool]


def kind_of(chunk: Chunk) -> Kind:
    """Return what chunks with about the same time per game have in common: variant, players, and whether games are
    evaluated.
    """
    return str(chunk.options), chunk.players, chunk.evaluated > 0


def one_of_each_first(chunks: Iterable[Chunk]) -> list[Chunk]:
    """Return the chunks with one of each kind first, so that the time of each kind is soon known."""
    firsts: dict[Kind, Chunk] = {}
    others = [chunk for chunk in chunks if firsts.setdefault(kind_of(chunk), chunk) is not chunk]
    return [*firsts.values(), *others]


class Outlook:
    """The part of a study that is left, and its expected time, judging by the chunks so far.

    >>> import connectoe
    >>> from connectoe.study.plan import chunks_of, make_plan
    >>> plan = make_plan([connectoe.load("tic-tac-toe")], ["mcts:1000"], games=100)
    >>> theory, one, *others = chunks_of(plan)
    >>> outlook = Outlook([theory, one, *others], workers=2)
    >>> outlook.finished(theory, 1.0)
    >>> outlook.seconds_left is None
    True
    >>> outlook.finished(one, 10.0)
    >>> outlook.seconds_left == 10 * (100 - one.games) / one.games / 2
    True
    """

    def __init__(self, left: Iterable[Chunk], workers: int) -> None:
        self.workers = workers
        self.games_left = Counter[Kind]()
        for chunk in left:
            self.games_left[kind_of(chunk)] += chunk.games
        self.games_played = Counter[Kind]()
        self.seconds: dict[Kind, float] = {}

    def finished(self, chunk: Chunk, seconds: float) -> None:
        """Note that a chunk is finished, and how long its worker took."""
        kind = kind_of(chunk)
        self.games_left[kind] -= chunk.games
        self.games_played[kind] += chunk.games
        self.seconds[kind] = self.seconds.get(kind, 0.0) + seconds

    @property
    def seconds_left(self) -> float | None:
        """How long the rest takes; None until a chunk of every kind is finished."""
        left = 0.0
        for kind, games in self.games_left.items():
            if games and not self.games_played[kind]:
                return None
            if games:
                left += games * self.seconds[kind] / self.games_played[kind]
        return left / self.workers

    @property
    def share_done(self) -> float:
        """The share of the work that is done, by time; 0 while that is not known."""
        left = self.seconds_left
        if left is None:
            return 0.0
        done = sum(self.seconds.values()) / self.workers
        return done / (done + left) if done + left else 1.0


def in_words(seconds: float | None) -> str:
    """Return the time left in words."""
    if seconds is None:
        return "time left unknown"
    if seconds < 60:
        return "under a minute left"
    if seconds < 5400:
        return f"about {round(seconds / 60)} minute{'s' if seconds >= 90 else ''} left"
    return f"about {seconds / 3600:.1f} hours left" if seconds < 48 * 3600 else f"about {seconds / 86400:.1f} days left"
