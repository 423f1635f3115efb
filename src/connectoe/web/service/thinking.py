"""Engines in matches: they think in worker threads, a few at a time, and never hold up other people's moves.

Clients take turns, and short moves come before long ones: a client with twenty matches against `hard` delays the
opponent of somebody else by one move at most.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from concurrent.futures import Future
from contextlib import suppress
from functools import partial
from threading import Event, Lock, Timer
from typing import TYPE_CHECKING, Any

from connectoe.core.errors import UnknownPlayer
from connectoe.core.match import Match
from connectoe.prompt import prompt_player
from connectoe.web.service.availability import AWAY
from connectoe.web.service.fairness import FairPool
from connectoe.web.service.matches import Matches
from connectoe.web.service.refusals import Busy, NoSuchMatch, Refused, TooMany
from connectoe.web.service.views import Stored
from connectoe.web.service.warming import Warming

if TYPE_CHECKING:
    from connectoe.engines.engine import Analysis

log = logging.getLogger("connectoe.web")
WATCHABLE = 0.7
"""The least seconds between two moves of engines that play each other."""
EXPECTED = {"random": 0.001, "easy": 0.05, "medium": 0.2}
"""The seconds that a level is expected to think."""
LONGEST_EXPECTED = 1.0
OVERDUE = 15.0
"""The seconds after which any process with a free engine takes up a match in which an engine is to move."""
LONGEST_ANALYSIS = 10.0
"""The seconds that may be asked for; a server may be configured for less."""
MOST_WAITING = 100
"""How many analyses may wait before more are refused."""
MOST_BY_ONE = 3
"""How many analyses of one client may run or wait."""
MOST_NOTED = 10_000
"""How many matches are remembered whose engine was not at full strength."""
THINKING = "thinking"
BELOW_STRENGTH = "the engine is still being prepared; its last move was not yet at full strength"
CANNOT_BE_PREPARED = "the engine could not be prepared; a simpler search plays in its place"


class Thinking:
    """The engines of a server.

    Moves and analyses have separate threads, so that no kind of work waits for another; `random` needs no engine and
    never waits. Engines that are not compiled yet are prepared meanwhile; nobody waits for that.
    """

    def __init__(
        self,
        matches: Matches,
        warming: Warming,
        workers: int = 2,
        is_watched: Callable[[str], bool] = lambda match_id: True,
        longest_analysis: float = LONGEST_ANALYSIS,
    ) -> None:
        self.matches = matches
        self.longest_analysis = longest_analysis
        self.warming = warming
        matches.changed.connect(self.let_engine_move)
        self.is_watched = is_watched
        self.moves_made = 0
        self.seconds_thought = 0.0
        self._moving = FairPool(workers, "engine")
        self._guessing = FairPool(1, "random")
        self._analysing = FairPool(workers, "analysis")
        self._at_work: set[tuple[str, int]] = set()
        self._asked: dict[Event, str] = {}  # analyses: what stops each, and who asked for it
        self._below_strength: dict[str, None] = {}  # matches whose engine made its last move without being ready
        self._lock = Lock()
        self._is_over = Event()

    @property
    def waiting(self) -> int:
        """How many moves and analyses are under way or waiting."""
        return len(self._at_work) + len(self._asked)

    def let_engine_move(self, stored: Stored) -> None:
        """Start the engine if one is to move; engines that play each other go on only while somebody watches."""
        key = stored.row.id, stored.row.version
        if not stored.row.engine_to_move or stored.is_outdated or self._is_over.is_set():
            return
        if stored.is_of_engines and not self.is_watched(stored.row.id):
            return
        with self._lock:
            if key in self._at_work:
                return
            self._at_work.add(key)
        begin = partial(self._begin_move, stored)
        if stored.is_of_engines:
            timer = Timer(WATCHABLE, begin)
            timer.daemon = True
            timer.start()
        else:
            begin()

    def _begin_move(self, stored: Stored) -> None:
        level = stored.level_to_move
        pool = self._guessing if level == "random" else self._moving
        work = partial(self._move, stored.row.id, stored.row.version)
        pool.submit(self.matches.makers.client_of(stored), EXPECTED.get(level, LONGEST_EXPECTED), work)

    def _move(self, match_id: str, version: int) -> None:
        try:
            stored = self.matches.stored(match_id)
            if stored.row.version != version or stored.match.turn is None or self._is_over.is_set():
                return
            begun = time.perf_counter()
            move, is_full_strength = chosen(stored.level_to_move, stored.match)
            taken = time.perf_counter() - begun
            self._note_strength(match_id, is_full_strength)
            self.moves_made += 1
            self.seconds_thought += taken
            self.matches.play_for_engine(match_id, version, move)
        except (NoSuchMatch, *AWAY):
            pass  # if the database is away, another try is made when the move is overdue
        except Exception:
            log.exception("an engine could not move")  # another try is made when it is overdue
        finally:
            with self._lock:
                self._at_work.discard((match_id, version))

    def _note_strength(self, match_id: str, is_full_strength: bool) -> None:
        with self._lock:
            self._below_strength.pop(match_id, None)
            if not is_full_strength:
                self._below_strength[match_id] = None
                while len(self._below_strength) > MOST_NOTED:
                    del self._below_strength[next(iter(self._below_strength))]

    def note(self, stored: Stored) -> str:
        """Return what to tell people at a match about its engine."""
        if stored.row.engine_to_move:
            return THINKING
        is_weaker = stored.match.turn is not None and stored.row.id in self._below_strength
        if not is_weaker:
            return ""
        return CANNOT_BE_PREPARED if self.warming.has_failed(stored.match.game) else BELOW_STRENGTH

    def resume_overdue(self, at_once: bool = False) -> None:
        """Take up matches in which an engine has been to move for too long, such as after a restart.

        Matches between engines that nobody watches are not even read: there may be thousands.
        """
        with self.matches.storage.reading() as reading:
            overdue = reading.waiting_for_engines(0.0 if at_once else OVERDUE)
        for match_id, has_people in overdue:
            if has_people or self.is_watched(match_id):
                with suppress(NoSuchMatch):
                    self.let_engine_move(self.matches.stored(match_id))

    def analysis(self, match: Match, seconds: float, client: str = "") -> Future[Analysis]:
        """Return a promise of what every move is worth where a match stands.

        Cancelling the promise stops the work.
        """
        from connectoe.analysis import analyse

        if match.outcome:
            raise Refused(f"there is nothing to analyse: {match.status}")
        if not 0 <= seconds <= LONGEST_ANALYSIS:
            raise Refused(f"an analysis takes between 0 and {LONGEST_ANALYSIS:.0f} seconds, not {seconds}")
        stop = Event()
        with self._lock:
            if sum(asked_by == client for asked_by in self._asked.values()) >= MOST_BY_ONE:
                raise TooMany("one analysis after the other, please: yours are still under way")
            if len(self._asked) >= MOST_WAITING:
                raise Busy("the engines have too much to do; try again in a while")
            self._asked[stop] = client

        def analysed() -> Analysis:
            drawn = match.repeating_moves()
            return analyse(match.game, match.state.position, seconds=seconds, stop=stop, drawn=drawn, waits=False)

        def done(_: object) -> None:
            stop.set()
            with self._lock:
                del self._asked[stop]

        promise: Future[Analysis] = Future()
        promise.add_done_callback(done)
        _keep(promise, self._analysing.submit(client, seconds, analysed))
        return promise

    def end(self) -> None:
        """Stop; moves and analyses under way are the last."""
        self._is_over.set()
        self.warming.end()
        for stop in list(self._asked):
            stop.set()
        for pool in (self._moving, self._guessing, self._analysing):
            pool.end()


def _keep(promise: Future[Any], work: Future[Any]) -> None:
    """Settle a promise with the result of some work."""

    def settle(done: Future[Any]) -> None:
        if promise.done() or not promise.set_running_or_notify_cancel():
            return
        if done.cancelled():
            promise.set_exception(Busy("the server is being stopped"))
        elif done.exception():
            promise.set_exception(done.exception())
        else:
            promise.set_result(done.result())

    work.add_done_callback(settle)
    promise.add_done_callback(lambda _: work.cancel())


def chosen(level: str, match: Match) -> tuple[str, bool]:
    """Return the move that a level chooses, and whether it was at full strength."""
    try:
        opponent = prompt_player(level, match.game)
    except UnknownPlayer:  # a perfect one, where the game is no longer solved
        opponent = prompt_player("hard", match.game)
    move = opponent.choose(match)
    return move, getattr(opponent, "is_full_strength", True)
