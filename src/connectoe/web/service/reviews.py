"""Reviews of whole matches: they are made move by move in the background, and never hold up a move or a page."""

from __future__ import annotations

import logging
from collections import OrderedDict
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import partial
from threading import Lock

from connectoe.analysis import is_fully_ready
from connectoe.core.match import Match
from connectoe.review import Mistake, MoveReviewed, accuracy, reviewed_moves
from connectoe.web.service.fairness import FairPool
from connectoe.web.service.refusals import Busy
from connectoe.web.service.views import MatchView
from connectoe.web.service.warming import Warming

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
    is_provisional: bool = False
    """Whether it was begun before the engines of an analysis were ready, so that it may be wrong."""
    successor: Review | None = None
    """The same review made again when they are ready; it replaces this one when it is done."""

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

    def __init__(self, warming: Warming) -> None:
        self._warming = warming
        self._pool = FairPool(1, "review")
        self._kept: OrderedDict[tuple[str, int], Review] = OrderedDict()
        self._lock = Lock()

    def find(self, view: MatchView, client: str = "") -> Review | None:
        """Return the review of a match, if it was begun; a provisional one is made again as soon as possible."""
        key = view.id, view.match.ply
        with self._lock:
            review = self._kept.get(key)
            if review is None or not (review.is_done and review.is_provisional):
                return review
            if review.successor is None and is_fully_ready(review.match.game):
                review.successor = Review(review.match, review.first)
                self._start(review.successor, client)
            elif review.successor and review.successor.has_failed:
                review.is_provisional = False  # there is nothing better
            elif review.successor and review.successor.is_done:
                self._kept[key] = review = review.successor
            return review

    def is_awaited(self, review: Review) -> bool:
        """Whether a review is not finished, or will soon be replaced by a better one."""
        if not review.is_done:
            return True
        game = review.match.game
        return review.is_provisional and (is_fully_ready(game) or self._warming.is_awaited(game))

    def begin(self, view: MatchView, client: str = "") -> Review:
        """Return the review of a match; begin it if that has not been done."""
        key = view.id, view.match.ply
        with self._lock:
            if key in self._kept:
                return self._kept[key]
            if sum(not other.is_done for other in self._kept.values()) >= MOST_UNDER_WAY:
                raise Busy("too many matches are being reviewed; try again in a while")
            match = view.match.copy()
            is_provisional = not is_fully_ready(match.game)
            review = Review(match, max(0, match.ply - MOST_MOVES), is_provisional=is_provisional)
            self._kept[key] = review
            while len(self._kept) > MOST_KEPT:
                self._kept.popitem(last=False)
        self._start(review, client)
        return review

    def _start(self, review: Review, client: str) -> None:
        coming = reviewed_moves(review.match, SECONDS, waits=False, first=review.first)
        self._pool.submit(client, SECONDS, partial(self._look_on, review, coming, client))

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
