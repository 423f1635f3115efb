"""How long a study still takes, when a random game takes a microsecond and a game between hard players a minute."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from connectoe.study.plan import Chunk

Kind = tuple[str, tuple[str, str] | None, bool]


def kind_of(chunk: Chunk) -> Kind:
    """What chunks that take about as long a game have in common: their variant, their players, and whether games are
    evaluated.

    >>> import connectoe
    >>> from connectoe.study.plan import chunks_of, make_plan
    >>> plan = make_plan([connectoe.load("tic-tac-toe")], ["random"], games=10)
    >>> [kind_of(chunk) for chunk in chunks_of(plan)]
    [('{}', None, False), ('{}', ('random', 'random'), True)]
    """
    return str(chunk.options), chunk.players, chunk.evaluated > 0


def one_of_each_first(chunks: Iterable[Chunk]) -> list[Chunk]:
    """The chunks in an order that soon tells how long each kind of them takes.

    >>> import connectoe
    >>> from connectoe.study.plan import chunks_of, make_plan
    >>> plan = make_plan([connectoe.load("tic-tac-toe")], ["easy", "hard"], games=100, evaluated=0)
    >>> [chunk.players for chunk in one_of_each_first(chunks_of(plan))][:4]
    [None, ('easy', 'easy'), ('hard', 'hard'), ('hard', 'easy')]
    """
    firsts: dict[Kind, Chunk] = {}
    others = [chunk for chunk in chunks if firsts.setdefault(kind_of(chunk), chunk) is not chunk]
    return [*firsts.values(), *others]


class Outlook:
    """What is left of a study, and how long that takes by what its chunks took so far.

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
        """Takes note of a chunk, and of how long its worker played it.

        >>> import connectoe
        >>> from connectoe.study.plan import chunks_of, make_plan
        >>> *_, chunk = chunks_of(make_plan([connectoe.load("tic-tac-toe")], ["random"], games=10))
        >>> outlook = Outlook([chunk], workers=1)
        >>> outlook.finished(chunk, seconds=2.0)
        >>> outlook.seconds_left
        0.0
        """
        kind = kind_of(chunk)
        self.games_left[kind] -= chunk.games
        self.games_played[kind] += chunk.games
        self.seconds[kind] = self.seconds.get(kind, 0.0) + seconds

    @property
    def seconds_left(self) -> float | None:
        """How long the rest takes all workers together; None while there are chunks of which none is finished yet.

        >>> Outlook([], workers=1).seconds_left
        0.0
        """
        left = 0.0
        for kind, games in self.games_left.items():
            if games and not self.games_played[kind]:
                return None
            if games:
                left += games * self.seconds[kind] / self.games_played[kind]
        return left / self.workers

    @property
    def share_done(self) -> float:
        """How much of the work is done, by the time it takes; 0 while that is not known.

        >>> Outlook([], workers=1).share_done
        1.0
        """
        left = self.seconds_left
        if left is None:
            return 0.0
        done = sum(self.seconds.values()) / self.workers
        return done / (done + left) if done + left else 1.0


def in_words(seconds: float | None) -> str:
    """A time as one would say it.

    >>> [in_words(seconds) for seconds in (40, 100, 2 * 3600, 50 * 3600)]
    ['under a minute left', 'about 2 minutes left', 'about 2.0 hours left', 'about 2.1 days left']
    """
    if seconds is None:
        return "time left not known yet"
    if seconds < 60:
        return "under a minute left"
    if seconds < 5400:
        return f"about {round(seconds / 60)} minute{'s' if seconds >= 90 else ''} left"
    return f"about {seconds / 3600:.1f} hours left" if seconds < 48 * 3600 else f"about {seconds / 86400:.1f} days left"
