"""Engines in matches: they think in worker threads, a few at a time, and never hold up other people's moves."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from threading import Event, Lock
from typing import TYPE_CHECKING, Any

from connectoe.core.errors import UnknownPlayer
from connectoe.core.game import Game
from connectoe.core.match import Match
from connectoe.web.service.matches import Matches
from connectoe.web.service.refusals import Busy, NoSuchMatch, Refused, TooMany
from connectoe.web.service.views import Stored
from connectoe.web.service.warming import Warming

if TYPE_CHECKING:
    from connectoe.engines.engine import Analysis

log = logging.getLogger("connectoe.web")
WATCHABLE = 0.7
"""The least seconds between two moves of engines that play each other."""
OVERDUE = 15.0
"""The seconds after which any process with a free engine takes up a match in which an engine is to move."""
LONGEST_ANALYSIS = 10.0
"""The seconds that may be asked for; a server may be configured for less."""
MOST_WAITING = 100
"""How many analyses may wait before more are refused."""
MOST_BY_ONE = 3
"""How many analyses of one client may run or wait."""


class Thinking:
    """The engines of a server.

    Moves, analyses and compiling have separate threads, so that no kind of work waits for another; `random` needs no
    engine and never waits.
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
        warming.became_ready.connect(self._now_ready)
        matches.changed.connect(self.let_engine_move)
        self.is_watched = is_watched
        self.moves_made = 0
        self.seconds_thought = 0.0
        self._moving = ThreadPoolExecutor(workers, thread_name_prefix="engine")
        self._guessing = ThreadPoolExecutor(1, thread_name_prefix="random")
        self._analysing = ThreadPoolExecutor(workers, thread_name_prefix="analysis")
        self._compiling = ThreadPoolExecutor(1, thread_name_prefix="compiling")
        self._at_work: set[tuple[str, int]] = set()
        self._asked: dict[Event, str] = {}  # analyses: what stops each, and who asked for it
        self._lock = Lock()
        self._is_over = Event()

    @property
    def waiting(self) -> int:
        """How many moves and analyses are under way or waiting."""
        return len(self._at_work) + len(self._asked)

    def let_engine_move(self, stored: Stored) -> None:
        """Start the engine if one is to move; engines that play each other go on only while somebody watches."""
        key = stored.row.id, stored.row.version
        if not stored.row.engine_to_move or self._is_over.is_set():
            return
        if stored.is_of_engines and not self.is_watched(stored.row.id):
            return
        with self._lock:
            if key in self._at_work:
                return
            self._at_work.add(key)
        if stored.level_to_move == "random":
            self._guessing.submit(self._move, *key)
        else:
            self._when_ready(stored.match.game, lambda: self._submit_move(*key))

    def _submit_move(self, match_id: str, version: int) -> None:
        with suppress(RuntimeError):  # the server is being stopped
            self._moving.submit(self._move, match_id, version)

    def _move(self, match_id: str, version: int) -> None:
        try:
            stored = self.matches.stored(match_id)
            if stored.row.version != version or stored.match.turn is None or self._is_over.is_set():
                return
            begun = time.perf_counter()
            move = chosen(stored.level_to_move, stored.match)
            taken = time.perf_counter() - begun
            if stored.is_of_engines and self._is_over.wait(max(0, WATCHABLE - taken)):
                return
            self.moves_made += 1
            self.seconds_thought += taken
            self.matches.play_for_engine(match_id, version, move)
        except NoSuchMatch:
            pass
        except Exception:
            log.exception("an engine could not move")  # another try is made when it is overdue
        finally:
            with self._lock:
                self._at_work.discard((match_id, version))

    def resume_overdue(self, at_once: bool = False) -> None:
        """Take up matches in which an engine has been to move for too long, such as after a restart.

        Matches between engines that nobody watches are not even read: there may be thousands.
        """
        before = time.time() if at_once else time.time() - OVERDUE
        with self.matches.storage.reading() as reading:
            overdue = reading.waiting_for_engines(before)
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
            return analyse(match.game, match.state.position, seconds=seconds, stop=stop, drawn=drawn)

        def done(_: object) -> None:
            stop.set()
            with self._lock:
                del self._asked[stop]

        def begin() -> None:
            if not promise.cancelled():  # by a client that has left
                _keep(promise, self._analysing.submit(analysed))

        promise: Future[Analysis] = Future()
        promise.add_done_callback(done)
        compiling = self._when_ready(match.game, begin)
        if compiling:
            _cancel_with(promise, compiling)
        return promise

    def _when_ready(self, game: Game, then: Callable[[], None]) -> Future[None] | None:
        """Call a function as soon as a game's engines are compiled; only the compiling thread waits for that.

        Return the compilation, if one is needed; when it is cancelled, the function is called at once.
        """
        if self.warming.is_ready(game):
            then()
            return None
        compiling = self._compiling.submit(self.warming.make_ready, game)
        compiling.add_done_callback(lambda _: then())
        return compiling

    def _now_ready(self, game: Game) -> None:
        """Tell those who wait for a game's engines that the engines think now."""
        for match_id, _ in list(self._at_work):
            with suppress(NoSuchMatch):
                stored = self.matches.stored(match_id)
                if stored.match.game == game:
                    self.matches.changed.send(stored)

    def end(self) -> None:
        """Stop; moves and analyses under way are the last."""
        self._is_over.set()
        self.warming.end()
        for stop in list(self._asked):
            stop.set()
        for pool in (self._moving, self._guessing, self._analysing, self._compiling):
            pool.shutdown(wait=False, cancel_futures=True)


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
    _cancel_with(promise, work)


def _cancel_with(promise: Future[Any], work: Future[Any]) -> None:
    """Cancel some work once the promise that needs it is done."""
    promise.add_done_callback(lambda _: work.cancel())


def chosen(level: str, match: Match) -> str:
    """Return the move that a level chooses."""
    from connectoe.players import player

    try:
        return player(level, match.game).choose(match)
    except UnknownPlayer:  # a perfect one, where the game is no longer solved
        return player("hard", match.game).choose(match)
