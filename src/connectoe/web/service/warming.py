"""Preparing engines while people play: compiling and solving in another process, what somebody looks at first."""

from __future__ import annotations

import logging
import os
import select
import subprocess
import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from threading import Condition, Thread
from typing import Literal

from connectoe.core.catalogue import game_ids, load
from connectoe.core.game import Game
from connectoe.core.own_games import is_offered
from connectoe.engines.readiness import PARTS, Part, is_ready
from connectoe.preparing import DONE, NICENESS, NOT_KEPT, Job, jobs_for, prepare, start_process
from connectoe.web.service.fairness import Usage

log = logging.getLogger("connectoe.web")
Scope = Literal["all", "asked", "nothing"]
"""Which games are prepared: all, those that somebody has asked about, or none."""
LONGEST_JOB = 300.0
"""The seconds after which a job is given up."""
JOBS_OF_A_PROCESS = 30
"""Jobs after which a process is replaced, because compiled code is never removed from its memory."""
IDLE = 30.0
"""The seconds after which a process with nothing to do ends."""
MOST_WANTED = 100
"""How many games that somebody has asked about are remembered."""
EXPECTED: dict[Part, float] = {"levels": 5.0, "table": 10.0, "hard": 20.0, "analysis": 20.0, "people": 10.0}
"""The seconds that a part is expected to take."""
TRIES_AGAIN = 3600.0
"""The seconds after which what has failed is tried again."""
ENDED = "its process ended"
MOST_STARTS = 5
"""How often a job is begun whose process ends meanwhile: somebody may have ended it, or the job is too much for it."""


class Warming:
    """Prepares games in a process of its own, one part after the other, so that this process goes on answering.

    Nobody waits for it: what it prepares is used from then on. Clients take turns, so that one who asks for many
    variants delays others by one part of one variant.
    """

    def __init__(self, scope: Scope = "all") -> None:
        self.scope = scope
        self._usual: set[Game] = set()  # the games with their usual options, which need not be counted
        self._wanted: dict[Game, str] = {}  # and the client that asked; the one asked about last is the last
        self._others: list[Game] = []
        self._failed: dict[Job, float] = {}  # and when
        self._ended: Counter[Job] = Counter()  # how often a process ended at each
        self._usage = Usage()
        self._changed = Condition()
        self._is_over = False
        self._process: subprocess.Popen[str] | None = None
        self._jobs_done = 0
        self._prepares_itself = False

    def want(self, game: Game, client: str = "") -> None:
        """Prepare this game before those that nobody has asked about; it is counted as work for a client."""
        game = game.plain
        if self.scope == "nothing" or not jobs_for(game):
            return
        with self._changed:
            asked_by = "" if self._is_usual(game) else self._wanted.pop(game, client)
            self._wanted.pop(game, None)
            if asked_by not in self._wanted.values():
                self._usage.come(asked_by)
            self._wanted[game] = asked_by
            while len(self._wanted) > MOST_WANTED:
                del self._wanted[next(iter(self._wanted))]
            self._changed.notify()

    def is_expected(self, game: Game) -> bool:
        """Whether a game is prepared or will be, so that asking about it causes no more work."""
        game = game.plain
        return self._is_usual(game) or game in self._wanted or not jobs_for(game) or self.has_failed(game)

    def _is_usual(self, game: Game) -> bool:
        """Whether a game has its usual options, or is somebody's own, which is offered to be tried."""
        return game in self._usual or is_offered(type(game))

    def has_failed(self, game: Game) -> bool:
        """Whether a part of a game could not be prepared, so that there is no point in waiting for it."""
        return any(self._is_failed(Job(game.plain, part)) for part in PARTS)

    def _is_failed(self, job: Job) -> bool:
        return time.monotonic() - self._failed.get(job, -TRIES_AGAIN) < TRIES_AGAIN

    def is_awaited(self, game: Game) -> bool:
        """Whether engines of a game are missing now and will be there later."""
        return (
            self.scope != "nothing"
            and bool(jobs_for(game.plain))
            and self.is_expected(game)
            and not self.has_failed(game)
        )

    def begin(self) -> None:
        """Begin to work, in the background."""
        if self.scope == "nothing":
            return
        games = [load(game_id) for game_id in game_ids()]
        self._usual.update(games)
        if self.scope == "all":
            self._others = games
        Thread(target=_import_compiler, name="importing", daemon=True).start()
        Thread(target=self._work, name="warming", daemon=True).start()

    def end(self) -> None:
        """Stop; the next program that needs unfinished work begins it again."""
        with self._changed:
            self._is_over = True
            self._changed.notify()
        if process := self._process:
            process.kill()

    def note_for(self, game: Game) -> str:
        """Return the note for somebody who waits for a hint or an analysis."""
        return "thinking" if is_ready(game, "analysis") else "thinking; this gets better once the engine is ready"

    def _work(self) -> None:
        while not self._is_over:
            job = next(self._jobs(), None)
            if job is None:
                with self._changed:
                    if not self._changed.wait(IDLE):
                        self._end_process()
                continue
            client = self._wanted.get(job.game, "")
            self._usage.begin(client, EXPECTED[job.part])
            begun = time.monotonic()
            problem = self._do(job)
            self._usage.end(client, EXPECTED[job.part], time.monotonic() - begun)
            if problem == ENDED:
                self._ended[job] += 1
                if self._ended[job] < MOST_STARTS:
                    continue  # nothing is lost: another process begins it again
            self._ended.pop(job, None)
            if problem and not self._is_over:
                self._failed[job] = time.monotonic()
                log.error("preparing %s of %r failed: %s", job.part, job.game, problem)
        self._end_process()

    def _jobs(self) -> Iterator[Job]:
        """Yield what is to be done: first for games that somebody has asked about, then the quickest of all others."""
        with self._changed:
            wanted, others = list(reversed(self._wanted.items())), list(self._others)
        first: dict[str, Job] = {}  # of each client, for the game it has asked about last
        for game, client in wanted:
            left = [job for job in jobs_for(game) if not self._is_failed(job)]
            if left:
                first.setdefault(client, left[0])
            else:
                with self._changed:
                    self._wanted.pop(game, None)
        if first:
            waiting = list(first.items())
            yield waiting[self._usage.first((client, EXPECTED[job.part]) for client, job in waiting)][1]
        for part in PARTS:
            for game in others:
                if not is_ready(game, part) and not self._is_failed(Job(game, part)):
                    yield Job(game, part)

    def _do(self, job: Job) -> str:
        """Have a job done by the process; return what went wrong, if anything did."""
        if self._prepares_itself:
            return self._prepare_here(job)
        if self._process is None or self._process.poll() is not None or self._jobs_done >= JOBS_OF_A_PROCESS:
            self._end_process()
            self._process = start_process(stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
            self._jobs_done = 0
        process = self._process
        assert process.stdin
        assert process.stdout
        self._jobs_done += 1
        try:
            process.stdin.write(f"{job.to_line()}\n")
            process.stdin.flush()
        except OSError:
            self._end_process()
            return ENDED
        give_up_at = time.monotonic() + LONGEST_JOB
        while not select.select([process.stdout], [], [], 0.5)[0]:
            if self._is_over:
                return "the server is being stopped"
            if time.monotonic() > give_up_at:
                self._end_process()
                return f"it took longer than {LONGEST_JOB:.0f} seconds and was ended"
        answer = process.stdout.readline().strip()
        if answer == DONE and not is_ready(job.game, job.part):
            return "its file has changed since"
        if answer == NOT_KEPT:
            log.warning("compiled engines cannot be kept on disk: from now on this process compiles them itself")
            self._prepares_itself = True
            self._end_process()
            return self._do(job)
        if not answer:
            self._end_process()
            return ENDED
        return "" if answer == DONE else answer

    def _prepare_here(self, job: Job) -> str:
        """Do a job in this process, at low priority, since what another process compiles could not be used."""
        with suppress(OSError, AttributeError):  # not where threads have no priorities
            os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), NICENESS)
        try:
            prepare(job)
        except Exception as error:
            return f"{type(error).__name__}: {error}"
        return ""

    def _end_process(self) -> None:
        process, self._process = self._process, None
        if process:
            process.kill()
            process.wait()
            for pipe in (process.stdin, process.stdout):
                with suppress(OSError):  # a line that was not read any more
                    if pipe:
                        pipe.close()


def _import_compiler() -> None:
    """Import what takes a second before somebody waits for it."""
    import connectoe.engines.exact.tables
    import connectoe.engines.mcts  # noqa: F401
