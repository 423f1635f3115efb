"""The service as a whole: storage, matches, watchers and engines, put together."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future
from contextlib import suppress
from typing import TYPE_CHECKING, NamedTuple

from connectoe.core.game import Game
from connectoe.core.match import Match
from connectoe.web.service.availability import AWAY
from connectoe.web.service.expiry import Expiry
from connectoe.web.service.keys import Keys
from connectoe.web.service.limits import SHARES, ClientLimits, Shares
from connectoe.web.service.live import Listener, Live
from connectoe.web.service.matches import Matches
from connectoe.web.service.refusals import Hidden, Refused
from connectoe.web.service.reviews import SECONDS, Review, Reviews
from connectoe.web.service.seating import Wish
from connectoe.web.service.storage import Storage
from connectoe.web.service.thinking import LONGEST_ANALYSIS, Thinking
from connectoe.web.service.views import MatchView
from connectoe.web.service.warming import Scope, Warming
from connectoe.web.service.watching import Watchers

if TYPE_CHECKING:
    from connectoe.engines.engine import Analysis


class Analysing(NamedTuple):
    """A match that is being analysed where it stands, and a promise of what is found."""

    match: Match
    promise: Future[Analysis]


class Services:
    """What a server does for its clients. Each part connects itself to those it needs when it is made."""

    def __init__(
        self,
        database: str = "sqlite://",
        thinkers: int = 2,
        longest_analysis: float = LONGEST_ANALYSIS,
        shares: Shares = SHARES,
        prepares: Scope = "all",
    ) -> None:
        self.limits = ClientLimits(shares)
        self.storage = Storage(database)
        self.expiry = Expiry(self.storage)
        self.watchers = Watchers()
        self.warming = Warming(prepares)
        self.reviews = Reviews(self.warming)
        self.matches = Matches(self.storage, self.watchers.is_here, note=lambda stored: self.thinking.note(stored))
        self.live = Live(self.matches, self.watchers)
        self.thinking = Thinking(self.matches, self.warming, thinkers, self.watchers.is_watched, longest_analysis)
        self._listener = Listener(self.storage, self.live.publish_again, self.live.publish_all_again)

    def begin(self) -> None:
        """Listen to other processes, begin to prepare engines, and resume those that are to move."""
        if self.storage.is_postgresql:
            self.storage.open_connections()
            self._listener.start()
        self.warming.begin()
        self.thinking.resume_overdue(at_once=True)

    def end(self) -> None:
        """Stop everything that `begin` started."""
        self._listener.end()
        self.thinking.end()
        self.reviews.end()
        with suppress(*AWAY):
            self.expiry.count_time()
        self.storage.close()

    # Looking at matches.

    def look_at(self, match_id: str, keys: Keys) -> MatchView:
        """Return a match for somebody who looks at it, so that engines that play each other go on."""
        stored = self.matches.stored(match_id)
        was_watched = self.watchers.is_watched(match_id)
        self.watchers.look(match_id)
        if not was_watched:
            self.open_game(stored.match.game)
            self.thinking.let_engine_move(stored)
        return self.matches.seen_by(stored, keys)

    def open_game(self, game: Game) -> None:
        """Prepare a game that somebody looks at before others; variants are counted when an engine is asked for."""
        if self.warming.is_expected(game):
            self.warming.want(game)

    def view_to_analyse(self, match_id: str, keys: Keys) -> MatchView:
        """Return a match that may be analysed; refuse one that two people still play."""
        view = self.matches.view(match_id, keys)
        if not view.is_practice and not view.match.outcome:
            raise Hidden("there are no hints while two people play; the analysis opens when the match is over")
        return view

    # Work that is limited for each client.

    def begin_analysis(self, client: str, seconds: float, describe: Callable[[], Match]) -> Analysing:
        """Begin an analysis of the described match; it is counted before the match is even made."""
        seconds = min(seconds, self.thinking.longest_analysis)
        self.limits.count("analyse", client, max(seconds, 1))
        match = describe()
        self._count_compiling(client, match.game)
        return Analysing(match, self.thinking.analysis(match, seconds, client))

    def review(self, match_id: str, keys: Keys, client: str) -> tuple[MatchView, Review]:
        """Return a match that is over and its review; begin it if that has not been done."""
        view = self.view_to_analyse(match_id, keys)
        if not view.match.outcome:
            raise Refused("mistakes are looked for when the match is over")
        review = self.reviews.find(view, client)
        if review is None:
            self.limits.count("analyse", client, max(1.0, SECONDS * view.match.ply))
            self._count_compiling(client, view.match.game)
            review = self.reviews.begin(view, client)
        return view, review

    def count_new_match(self, client: str, seats: tuple[Wish, Wish]) -> None:
        """Count a new match, and its engines if it has any."""
        self.limits.count("create", client)
        if any(wish.kind == "engine" for wish in seats):
            self.limits.count("engines", client)

    def count_engines(self, client: str, game: Game, seats: tuple[Wish, Wish]) -> None:
        """Count the compiling that a new match needs; a random player needs none."""
        if any(wish.kind == "engine" and wish.level != "random" for wish in seats):
            self._count_compiling(client, game)

    def _count_compiling(self, client: str, game: Game) -> None:
        """Count a variant that the engines must be compiled for: there are thousands, and each takes a while."""
        if not self.warming.is_expected(game):
            self.limits.count("compile", client)
        self.warming.want(game, client)
