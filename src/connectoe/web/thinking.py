"""Engines in matches: they think in worker threads, a few at a time, and never hold up other people's moves."""

from __future__ import annotations

import hashlib
import logging
import subprocess
import sys
import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from threading import Event, Lock, Thread
from typing import Any

from connectoe.catalogue import game_ids, load
from connectoe.errors import UnknownPlayer
from connectoe.game import Game
from connectoe.match import Match
from connectoe.web.matches import Matches
from connectoe.web.refusals import NoSuchMatch, Refused
from connectoe.web.views import Stored

log = logging.getLogger("connectoe.web")
WATCHABLE = 0.7
"""The least seconds between two moves of engines that play each other."""
OVERDUE = 15.0
"""Seconds after which a match in which an engine is to move is looked after again, by whichever process is free."""
LONGEST_ANALYSIS = 10.0
"""Seconds that may be asked for; a server may be told to take less."""
THINKING = "thinking"
MOST_WAITING = 100
"""How many analyses may wait before more are refused."""
MOST_BY_ONE = 3
"""How many analyses of one client may be under way or wait."""


class TooMany(Refused):
    """One client asks for more than its share."""

    status = 429


class Busy(Refused):
    """The engines have too much to do."""

    status = 503


class Warming:
    """Compiles what a game's engines need, in another process so that this one goes on answering; once, then it is
    kept in the cache folder.

    >>> Warming().is_ready(load("tic-tac-toe")) in (True, False)
    True
    """

    def __init__(self, now_ready: Callable[[Game], None] = lambda game: None) -> None:
        self.now_ready = now_ready
        self._ready: set[Game] = set()
        self.expected: set[Game] = set()
        """What is compiled, or will be, because somebody has asked for it already."""
        self._one_at_a_time = Lock()
        self._wanted_now = 0
        self._compiling: subprocess.Popen[bytes] | None = None
        self._is_over = Event()

    def is_ready(self, game: Game) -> bool:
        """Whether its engines can start at once."""
        return game in self._ready or self._marker(game).exists()

    def make_ready(self, game: Game) -> None:
        """Compiles, if need be, and waits for it; before games that nobody waits for."""
        self._wanted_now += 1
        try:
            self._make_ready(game)
        finally:
            self._wanted_now -= 1

    def _make_ready(self, game: Game) -> None:
        if game in self._ready:
            return
        marker = self._marker(game)
        with self._one_at_a_time:
            if not marker.exists() and not self._is_over.is_set():
                options = [part for name, value in game.options.items() for part in ("-O", f"{name}={value}")]
                command = [sys.executable, "-m", "connectoe", "warm", "--gently", game.id, *options]
                self._compiling = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
                said = self._compiling.communicate()[1].decode(errors="replace")
                if self._compiling.returncode != 0:
                    if not self._is_over.is_set():
                        log.error("compiling %r failed: %s", game, said[-500:])
                    return
                marker.parent.mkdir(parents=True, exist_ok=True)
                marker.touch()
        self._ready.add(game)
        self.now_ready(game)

    def begin(self) -> None:
        """Makes every game ready, one after the other, in the background."""
        self.expected.update(map(load, game_ids()))
        Thread(target=self._make_all_ready, name="warming", daemon=True).start()

    def end(self) -> None:
        """Begins no other game, and leaves the one that is being compiled."""
        self._is_over.set()
        if self._compiling:
            self._compiling.terminate()

    def _make_all_ready(self) -> None:
        for game_id in game_ids():
            while self._wanted_now and not self._is_over.wait(0.2):
                pass
            if not self._is_over.is_set():
                self._make_ready(load(game_id))

    def _marker(self, game: Game) -> Path:
        from connectoe.engines.cache import cache_folder

        name = hashlib.sha256(f"{game.id} {game.options_text}".encode()).hexdigest()[:16]
        folder = cache_folder()
        assert folder is not None  # no foreign modules are named
        return folder / f"warm-{name}"


class Thinking:
    """The engines of a server. Moves, analyses and compiling have threads of their own, so that none waits for another
    kind of work; `random` needs no engine and waits for nobody."""

    def __init__(
        self,
        matches: Matches,
        workers: int = 2,
        warming: Warming | None = None,
        is_watched: Callable[[str], bool] = lambda match_id: True,
        longest_analysis: float = LONGEST_ANALYSIS,
    ) -> None:
        self.matches = matches
        self.longest_analysis = longest_analysis
        self.warming = warming or Warming()
        self.warming.now_ready = self._now_ready
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
        """How much work is under way or waits."""
        return len(self._at_work) + len(self._asked)

    def note(self, stored: Stored) -> str:
        """What to tell somebody who waits for an engine's move."""
        if _level_to_move(stored) == "random":
            return THINKING
        return self.note_for(stored.match.game)

    def note_for(self, game: Game) -> str:
        """What to tell somebody who waits for an engine to say something about a game."""
        return THINKING if self.warming.is_ready(game) else "getting the engine ready; this happens once"

    def consider(self, stored: Stored) -> None:
        """Lets an engine think, if one is to move; engines that play each other only go on while somebody watches."""
        key = stored.row.id, stored.row.version
        if not stored.row.engine_to_move or self._is_over.is_set():
            return
        if all(seat.kind == "engine" for seat in stored.seats) and not self.is_watched(stored.row.id):
            return
        with self._lock:
            if key in self._at_work:
                return
            self._at_work.add(key)
        if _level_to_move(stored) == "random":
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
            move = chosen(_level_to_move(stored), stored.match)
            taken = time.perf_counter() - begun
            if all(seat.kind == "engine" for seat in stored.seats) and self._is_over.wait(max(0, WATCHABLE - taken)):
                return
            self.moves_made += 1
            self.seconds_thought += taken
            self.matches.play_for_engine(match_id, version, move)
        except NoSuchMatch:
            pass
        except Exception:
            log.exception("an engine could not move")  # it is looked after again when it is overdue
        finally:
            with self._lock:
                self._at_work.discard((match_id, version))

    def look_after(self, at_once: bool = False) -> None:
        """Takes up matches in which an engine has been to move for too long, as after a restart.

        Engines that play each other and were left alone are not even looked at: there may be thousands.
        """
        before = time.time() if at_once else time.time() - OVERDUE
        with self.matches.storage.reading() as reading:
            overdue = reading.waiting_for_engines(before)
        for match_id, has_people in overdue:
            if has_people or self.is_watched(match_id):
                with suppress(NoSuchMatch):
                    self.consider(self.matches.stored(match_id))

    def analysis(self, match: Match, seconds: float, client: str = "") -> Future[dict[str, Any]]:
        """What is known about every move where a match stands, as soon as a worker has found it out.

        Whoever does not wait for it any more cancels it, and then nobody works on it.
        """
        from connectoe.analysing import analyse, as_data

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

        def analysed() -> dict[str, Any]:
            found = analyse(
                match.game,
                match.state.position,
                seconds=seconds,
                stop=stop,
                drawn=match.repeating_moves(),
            )
            return as_data(match, found)

        def done(_: object) -> None:
            stop.set()
            with self._lock:
                del self._asked[stop]

        def begin() -> None:
            if not promise.cancelled():  # by somebody who has left
                _keep(promise, self._analysing.submit(analysed))

        promise: Future[dict[str, Any]] = Future()
        promise.add_done_callback(done)
        compiling = self._when_ready(match.game, begin)
        if compiling:
            _cancel_with(promise, compiling)
        return promise

    def _when_ready(self, game: Game, then: Callable[[], None]) -> Future[None] | None:
        """Does something as soon as a game's engines are compiled; no thread but the compiling one waits for that.

        What is waited for is returned; when that is cancelled, `then` happens at once.
        """
        if self.warming.is_ready(game):
            then()
            return None
        compiling = self._compiling.submit(self.warming.make_ready, game)
        compiling.add_done_callback(lambda _: then())
        return compiling

    def _now_ready(self, game: Game) -> None:
        """Lets those who wait for a game's engines know that they think now."""
        for match_id, _ in list(self._at_work):
            with suppress(NoSuchMatch):
                stored = self.matches.stored(match_id)
                if stored.match.game == game:
                    self.matches.on_change(stored)

    def end(self) -> None:
        """Lets what is being thought be the last."""
        self._is_over.set()
        self.warming.end()
        for stop in list(self._asked):
            stop.set()
        for pool in (self._moving, self._guessing, self._analysing, self._compiling):
            pool.shutdown(wait=False, cancel_futures=True)


def _keep(promise: Future[Any], work: Future[Any]) -> None:
    """Lets a promise be kept by what comes of some work."""

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
    """Does not even begin some work once a promise that needs it is cancelled."""
    promise.add_done_callback(lambda _: work.cancel())


def _level_to_move(stored: Stored) -> str:
    return stored.seats[stored.match.turn or 0].level or "medium"


def chosen(level: str, match: Match) -> str:
    """The move that a level chooses.

    >>> match = Match(load("tic-tac-toe"))
    >>> chosen("random", match) in match.legal_moves()
    True
    """
    from connectoe.players import player

    try:
        return player(level, match.game).choose(match)
    except UnknownPlayer:  # a perfect one where the game is not solved any more
        return player("hard", match.game).choose(match)
