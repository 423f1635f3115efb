"""Preparing a game's engines: compiling them, and solving small games, usually in another process.

An answer never waits for this. A program that needs an answer starts a process of low priority that prepares the
engines, and meanwhile answers by the plain tree search. The process reads jobs from its standard input, one JSON object
per line, and writes a line for each when it is done; it ends when its input ends.
"""

from __future__ import annotations

import atexit
import json
import os
import random
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from typing import Any, NamedTuple

from connectoe.core.catalogue import game_file, load
from connectoe.core.errors import ConnectoeError
from connectoe.core.game import Game, declares, is_built_in
from connectoe.core.match import Match
from connectoe.engines.cache import temporary_folders, user_cache_folder
from connectoe.engines.cache_files import noting_use
from connectoe.engines.engine import Limits, NotSolved
from connectoe.engines.readiness import (
    PARTS,
    Part,
    files_of,
    is_being_prepared,
    is_kept,
    is_ready,
    note_ready,
    taking_turns,
)

COMMAND = (sys.executable, "-c", "from connectoe.preparing import do_jobs; do_jobs()")
NICENESS = 10
DONE = "done"
NOT_KEPT = "done, but it cannot be kept"
"""The answer of a process that could not write what it prepared: a process that needs it has to prepare it itself."""


class Job(NamedTuple):
    """A part of a game's engines that is to be prepared.

    >>> import connectoe
    >>> Job(connectoe.load("connect-four", cols=5), "levels").to_line()
    '{"game": "connect-four", "options": {"cols": 5, "rows": 6, "connect": 4}, "part": "levels"}'
    """

    game: Game
    part: Part

    def to_line(self) -> str:
        """Return the job as one line of JSON."""
        name = str(game_file(self.game) or self.game.id)
        return json.dumps({"game": name, "options": self.game.options, "part": self.part})


def job_from(line: str) -> Job:
    """Return the job that such a line describes.

    >>> import connectoe
    >>> job = Job(connectoe.load("connect-four", cols=5), "levels")
    >>> job_from(job.to_line()) == job
    True
    """
    described = json.loads(line)
    return Job(load(described["game"], **described["options"]), described["part"])


def jobs_for(game: Game) -> list[Job]:
    """Return what still needs to be prepared for a game, the most useful first.

    If a table holds everything, it comes first: until then the plain tree search plays the levels of a small game.
    """
    parts = sorted(PARTS, key=lambda part: part != "table") if _is_known_to_be_small(game) else PARTS
    return [Job(game, part) for part in parts if not is_ready(game, part)]


def _is_known_to_be_small(game: Game) -> bool:
    return declares(game, "has_perfect_play") and game.has_perfect_play()


def prepare(job: Job) -> None:
    """Prepare a part of a game's engines in this process, unless another process has done so meanwhile."""
    game, part = job
    with taking_turns(game, part):
        if not is_ready(game, part):
            before = [path for earlier in PARTS[: PARTS.index(part)] for path in files_of(game, earlier)]
            with noting_use() as used:
                PREPARE[part](game)
            note_ready(game, part, used.union(before))


def _prepare_levels(game: Game) -> None:
    """Compile the tree search, and what keeps its tree from one move to the next."""
    from connectoe.players import player

    match, medium = Match(game), player("medium", game, seed=0)
    medium.choose(match)
    match.play(match.legal_moves()[0])
    if match.turn is not None:
        medium.choose(match)


def _prepare_table(game: Game) -> None:
    """Solve a game that is small enough, and keep its table; one whose solver has an opening book needs none."""
    from connectoe.analysis import exact_solver
    from connectoe.engines.exact.tables import load_table

    solver = exact_solver(game)
    if solver and solver.has_book:
        return
    if _is_known_to_be_small(game) or not is_built_in(type(game)):  # the size of a user's own game is not known
        table = load_table(game, make="affordable")
        if table:
            table.search(game.rules.start)


def _prepare_hard(game: Game) -> None:
    from connectoe.players import player

    player("hard", game, seed=0, seconds=0).choose(Match(game))
    _prepare_solver(game)


def _prepare_solver(game: Game) -> None:
    """Compile the game's exact solver by asking it about a random game, which soon leaves any opening book."""
    from connectoe.analysis import exact_solver

    solver = exact_solver(game)
    if solver is None:
        return
    for position in _random_positions(game):
        with suppress(NotSolved):
            solver.search(position, Limits(nodes=1))


def _random_positions(game: Game) -> Iterator[Any]:
    """Yield the positions of a random game."""
    match, dice = Match(game), random.Random(0)
    while match.turn is not None:
        yield match.state.position
        match.play(dice.choice(match.legal_moves()))


def _prepare_analysis(game: Game) -> None:
    from connectoe.analysis import analyse
    from connectoe.engines.alpha_beta import AlphaBeta, supports

    analyse(game, game.rules.start, seconds=0)
    _prepare_solver(game)
    if supports(game):  # an analysis asks it only where tables and solvers do not know
        AlphaBeta(game, table_megabytes=1).search(game.rules.start, Limits(nodes=1), every_move=True)


def _prepare_people(game: Game) -> None:
    """Compile what people play by: random games, the tree search and the search for forced wins."""
    from connectoe.people import person

    for skill in ("1", "1.25"):
        person(skill, game, seed=0).choose(Match(game))


PREPARE = {
    "levels": _prepare_levels,
    "table": _prepare_table,
    "hard": _prepare_hard,
    "analysis": _prepare_analysis,
    "people": _prepare_people,
}


def do_jobs() -> None:
    """Do the jobs described on standard input, and report the result of each on standard output."""
    if hasattr(os, "nice"):
        os.nice(NICENESS)
    for line in sys.stdin:
        try:
            job = job_from(line)
            prepare(job)
            answer = DONE if is_kept(*job) else NOT_KEPT
        except Exception as error:  # a user's own game may fail in any way
            answer = f"{type(error).__name__}: {error}".replace("\n", " ")[:500]
        with suppress(BrokenPipeError):
            print(answer, flush=True)


def start_process(**settings: Any) -> subprocess.Popen[str]:
    """Start a process that does jobs."""
    return subprocess.Popen(COMMAND, stdin=subprocess.PIPE, text=True, **settings)


def prepare_in_background(game: Game) -> None:
    """Start to prepare all that is missing for a game in a process that goes on when this one ends.

    Where nothing is kept longer than this program runs, it ends with it.
    The environment variable CONNECTOE_PREPARE=no turns this off.
    """
    jobs = [] if os.environ.get("CONNECTOE_PREPARE") == "no" else jobs_for(game)
    if not jobs or is_being_prepared(*jobs[0]):
        return
    with suppress(OSError, ConnectoeError):
        process = start_process(stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)
        assert process.stdin
        process.stdin.write("".join(f"{job.to_line()}\n" for job in jobs))
        process.stdin.close()
        if user_cache_folder() in temporary_folders:
            atexit.register(_end, process)
        else:
            process.returncode = 0  # it outlives this program, which must not warn of that


def _end(process: subprocess.Popen[str]) -> None:
    process.kill()
    process.wait()
