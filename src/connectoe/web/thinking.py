"""Engines in matches: they think in worker threads, a few at a time, and never hold up other people's moves."""

from __future__ import annotations

import hashlib
import logging
import subprocess
import sys
import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from threading import Event, Lock, Thread
from typing import Any

from connectoe.catalogue import game_ids, load
from connectoe.game import Game
from connectoe.match import Match
from connectoe.web.matches import Matches, NoSuchMatch, Refused, Stored

log = logging.getLogger("connectoe.web")
WATCHABLE = 0.7
"""The least seconds between two moves of engines that play each other."""
OVERDUE = 15.0
"""Seconds after which a match in which an engine is to move is looked after again, by whichever process is free."""
LONGEST_ANALYSIS = 10.0
MOST_WAITING = 200
"""How much work may wait for the engines before more is refused."""


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
    """The engines of a server."""

    def __init__(self, matches: Matches, workers: int = 2, warming: Warming | None = None) -> None:
        self.matches = matches
        self.warming = warming or Warming()
        self.warming.now_ready = self._now_ready
        self.moves_made = 0
        self.seconds_thought = 0.0
        self._pool = ThreadPoolExecutor(workers, thread_name_prefix="engine")
        self._at_work: set[tuple[str, int]] = set()
        self._lock = Lock()
        self._is_over = Event()

    @property
    def waiting(self) -> int:
        """How much work is under way or waits."""
        return len(self._at_work)

    def note(self, stored: Stored) -> str:
        """What to tell somebody who waits for an engine's move."""
        if self.warming.is_ready(stored.match.game):
            return "thinking"
        return "getting the engine ready; this happens once"

    def consider(self, stored: Stored) -> None:
        """Lets an engine think, if one is to move."""
        key = stored.row.id, stored.row.version
        with self._lock:
            if not stored.row.engine_to_move or key in self._at_work or self._is_over.is_set():
                return
            self._at_work.add(key)
        self._pool.submit(self._move, *key)

    def _move(self, match_id: str, version: int) -> None:
        try:
            stored = self.matches.stored(match_id)
            turn = stored.match.turn
            if stored.row.version != version or turn is None or self._is_over.is_set():
                return
            level = stored.seats[turn].level or "medium"
            if level != "random":  # which needs no engine
                self.warming.make_ready(stored.match.game)
            begun = time.perf_counter()
            move = chosen(level, stored.match)
            taken = time.perf_counter() - begun
            if all(seat.kind == "engine" for seat in stored.seats) and self._is_over.wait(max(0, WATCHABLE - taken)):
                return
            self.matches.play_for_engine(match_id, version, move)
            self.moves_made += 1
            self.seconds_thought += taken
        except NoSuchMatch:
            pass
        except Exception:
            log.exception("an engine could not move")  # it is looked after again when it is overdue
        finally:
            with self._lock:
                self._at_work.discard((match_id, version))

    def look_after(self, at_once: bool = False) -> None:
        """Takes up matches in which an engine has been to move for too long, as after a restart."""
        before = time.time() if at_once else time.time() - OVERDUE
        with self.matches.storage.reading() as reading:
            overdue = reading.waiting_for_engines(before)
        for match_id in overdue:
            self.consider(self.matches.stored(match_id))

    def analysis(self, match: Match, seconds: float) -> Future[dict[str, Any]]:
        """What is known about every move where a match stands, as soon as a worker has found it out."""
        from connectoe.analysing import analyse, as_data

        if match.outcome:
            raise Refused(f"there is nothing to analyse: {match.status}")
        if not 0 <= seconds <= LONGEST_ANALYSIS:
            raise Refused(f"an analysis takes between 0 and {LONGEST_ANALYSIS:.0f} seconds, not {seconds}")
        key = (f"analysis {id(match)}", time.monotonic_ns())
        with self._lock:
            if len(self._at_work) >= MOST_WAITING:
                raise Busy("the engines have too much to do; try again in a while")
            self._at_work.add(key)

        def analysed() -> dict[str, Any]:
            try:
                self.warming.make_ready(match.game)
                return as_data(match, analyse(match.game, match.state.position, seconds=seconds, stop=self._is_over))
            finally:
                with self._lock:
                    self._at_work.discard(key)

        return self._pool.submit(analysed)

    def _now_ready(self, game: Game) -> None:
        """Lets those who wait for a game's engines know that they think now."""
        for match_id, _ in list(self._at_work):
            if not match_id.startswith("analysis "):
                try:
                    stored = self.matches.stored(match_id)
                except NoSuchMatch:
                    continue
                if stored.match.game == game:
                    self.matches.on_change(stored)

    def end(self) -> None:
        """Lets what is being thought be the last."""
        self._is_over.set()
        self.warming.end()
        self._pool.shutdown(wait=False, cancel_futures=True)


def chosen(level: str, match: Match) -> str:
    """The move that a level chooses.

    >>> match = Match(load("tic-tac-toe"))
    >>> chosen("random", match) in match.legal_moves()
    True
    """
    from connectoe.players import player

    return player(level, match.game).choose(match)
