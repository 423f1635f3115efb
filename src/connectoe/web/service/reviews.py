"""Reviews of whole matches: they are made move by move in the background, and never hold up a move or a page."""

from __future__ import annotations

import logging
from collections import OrderedDict
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import partial
from threading import Lock

from connectoe.core.match import Match
from connectoe.review import Mistake, MoveReviewed, accuracy, reviewed_moves
from connectoe.web.service.fairness import FairPool
from connectoe.web.service.refusals import Busy
from connectoe.web.service.views import MatchView

log = logging.getLogger("connectoe.web")
SECONDS = 0.2
"""What looking at one position takes at most, where its value is not known exactly."""
MOST_MOVES = 150
"""How many moves are looked at, the last ones of a match."""
MOST_KEPT = 500
MOST_UNDER_WAY = 20


@dataclass
class Review:
    """What has been found out about a match so far."""

    match: Match
    first: int
    """The moves before the first one that is looked at."""
    moves: list[MoveReviewed] = field(default_factory=list)
    has_failed: bool = False

    @property
    def total(self) -> int:
        """How many moves are looked at."""
        return self.match.ply - self.first

    @property
    def is_done(self) -> bool:
        """Whether nothing more will be found out."""
        return self.has_failed or len(self.moves) == self.total

    def mistakes_of(self, players: frozenset[int]) -> list[Mistake]:
        """Return the mistakes of these players, in the order of play."""
        return [each.mistake for each in self.moves if each.mistake and each.player in players]

    def accuracy(self, player: int) -> float | None:
        """Return the share of the points that a player's moves kept; None if no move was looked at."""
        return accuracy(self.moves, player)


class Reviews:
    """The reviews of a server; the latest are kept in memory, and any other is made again when it is asked for."""

    def __init__(self) -> None:
        self._pool = FairPool(1, "review")
        self._kept: OrderedDict[tuple[str, int], Review] = OrderedDict()
        self._lock = Lock()

    def find(self, view: MatchView) -> Review | None:
        """Return the review of a match, if it was begun."""
        return self._kept.get((view.id, view.match.ply))

    def begin(self, view: MatchView, client: str = "") -> Review:
        """Return the review of a match; begin it if that has not been done."""
        key = view.id, view.match.ply
        with self._lock:
            if key in self._kept:
                return self._kept[key]
            if sum(not other.is_done for other in self._kept.values()) >= MOST_UNDER_WAY:
                raise Busy("too many matches are being looked through; try again in a while")
            review = Review(view.match.copy(), max(0, view.match.ply - MOST_MOVES))
            self._kept[key] = review
            while len(self._kept) > MOST_KEPT:
                self._kept.popitem(last=False)
        coming = reviewed_moves(review.match, SECONDS, waits=False, first=review.first)
        self._pool.submit(client, SECONDS, partial(self._look_on, review, coming, client))
        return review

    def _look_on(self, review: Review, coming: Iterator[MoveReviewed], client: str) -> None:
        """Look at one move, then let others have their turn."""
        try:
            for move in coming:
                review.moves.append(move)
                break
        except Exception:
            log.exception("a match could not be reviewed")
            review.has_failed = True
        if not review.is_done:
            self._pool.submit(client, SECONDS, partial(self._look_on, review, coming, client))

    def end(self) -> None:
        """Stop; what is under way is the last."""
        self._pool.end()
