"""Preparing engines while people play: compiling and solving in another process, what somebody looks at first."""

from __future__ import annotations

import logging
import select
import subprocess
import time
from collections.abc import Iterator
from contextlib import suppress
from threading import Condition, Thread
from typing import Literal

from connectoe.core.catalogue import game_ids, load
from connectoe.core.game import Game
from connectoe.engines.readiness import PARTS, is_ready, note_ready
from connectoe.preparing import DONE, Job, jobs_for, start_process

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


class Warming:
    """Prepares games in a process of its own, one part after the other, so that this process goes on answering.

    Nobody waits for it: what it prepares is used from then on.
    """

    def __init__(self, scope: Scope = "all") -> None:
        self.scope = scope
        self.expected: set[Game] = set()
        """The games that are prepared, or will be."""
        self._wanted: list[Game] = []  # the one asked about last is the last
        self._others: list[Game] = []
        self._failed: set[Job] = set()
        self._changed = Condition()
        self._is_over = False
        self._process: subprocess.Popen[str] | None = None
        self._jobs_done = 0

    def want(self, game: Game) -> None:
        """Prepare this game before all others."""
        if self.scope == "nothing" or not jobs_for(game):
            return
        with self._changed:
            self.expected.add(game)
            self._wanted = [*(other for other in self._wanted if other != game), game][-MOST_WANTED:]
            self._changed.notify()

    def is_expected(self, game: Game) -> bool:
        """Whether a game is prepared or will be, so that asking about it causes no more work."""
        return game in self.expected or not jobs_for(game)

    def begin(self) -> None:
        """Begin to work, in the background."""
        if self.scope == "nothing":
            return
        games = [load(game_id) for game_id in game_ids()]
        self.expected.update(games)
        if self.scope == "all":
            self._others = games
        Thread(target=_import_compiler, name="importing", daemon=True).start()
        Thread(target=self._work, name="warming", daemon=True).start()

    def end(self) -> None:
        """Stop; what is unfinished is begun anew by whoever needs it."""
        with self._changed:
            self._is_over = True
            self._changed.notify()
        if process := self._process:
            process.kill()

    def note_for(self, game: Game) -> str:
        """Return what to tell somebody who waits for a hint or an analysis."""
        return "thinking" if is_ready(game, "analysis") else "thinking; this gets better once the engine is ready"

    def _work(self) -> None:
        while not self._is_over:
            job = next(self._jobs(), None)
            if job is None:
                with self._changed:
                    if not self._changed.wait(IDLE):
                        self._end_process()
                continue
            problem = self._do(job)
            if problem and not self._is_over:
                self._failed.add(job)
                log.error("preparing %s of %r failed: %s", job.part, job.game, problem)

    def _jobs(self) -> Iterator[Job]:
        """Yield what is to be done: first for games that somebody has asked about, then the quickest of all others."""
        with self._changed:
            wanted, others = list(reversed(self._wanted)), list(self._others)
        for game in wanted:
            yield from (job for job in jobs_for(game) if job not in self._failed)
        for part in PARTS:
            for game in others:
                if not is_ready(game, part) and Job(game, part) not in self._failed:
                    yield Job(game, part)

    def _do(self, job: Job) -> str:
        """Have a job done by the process; return what went wrong, if anything did."""
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
        except OSError as error:
            return str(error)
        give_up_at = time.monotonic() + LONGEST_JOB
        while not select.select([process.stdout], [], [], 0.5)[0]:
            if self._is_over:
                return "the server is being stopped"
            if time.monotonic() > give_up_at:
                self._end_process()
                return f"it took longer than {LONGEST_JOB:.0f} seconds"
        answer = process.stdout.readline().strip()
        if answer != DONE:
            return answer or "its process ended"
        note_ready(*job)
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
