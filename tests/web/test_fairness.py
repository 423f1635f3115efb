"""Clients take turns with engines and compilers; what hangs is ended."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from threading import Event
from typing import Any

import httpx
import pytest

from connectoe import Game, Match, load
from connectoe.client import Server, match_of
from connectoe.engines import readiness
from connectoe.engines.readiness import Part
from connectoe.preparing import DONE, NOT_KEPT, Job
from connectoe.web.service import thinking, warming
from connectoe.web.service.fairness import FairPool, Usage
from connectoe.web.service.keys import Keys
from connectoe.web.service.matches import Matches
from connectoe.web.service.seating import Wish
from connectoe.web.service.storage import Storage
from connectoe.web.service.thinking import CANNOT_BE_PREPARED, Thinking
from connectoe.web.service.warming import Warming
from tests.waiting import until
from tests.web.serving import served


class Line:
    """A pool with one thread that waits until it is let go, and the order in which it then works."""

    def __init__(self) -> None:
        self.pool = FairPool(1, "test")
        self.order: list[str] = []
        self.may_go = Event()
        self.has_begun = Event()

    def hold(self, client: str, seconds: float) -> None:
        def wait() -> None:
            self.has_begun.set()
            self.may_go.wait(20)

        self.pool.submit(client, seconds, wait)
        assert self.has_begun.wait(20)

    def add(self, client: str, seconds: float, count: int = 1) -> None:
        for _ in range(count):
            self.pool.submit(client, seconds, lambda: self.order.append(client))

    def go(self) -> list[str]:
        waiting = len(self.pool._waiting)
        self.may_go.set()
        until(lambda: len(self.order) == waiting)
        return self.order


@pytest.fixture
def line() -> Iterator[Line]:
    line = Line()
    yield line
    line.may_go.set()
    line.pool.end()


def test_a_client_with_twenty_pieces_of_work_delays_another_by_one(line: Line) -> None:
    line.hold("ann", 1.0)
    line.add("ann", 1.0, 20)
    line.add("bob", 1.0)
    assert line.go().index("bob") == 0


def test_short_work_comes_before_long_work_of_many_others(line: Line) -> None:
    line.hold("ann", 1.0)
    for number in range(20):
        line.add(f"client {number}", 1.0)
    line.add("bob", 0.05)
    assert line.go()[0] == "bob"


def test_much_short_work_of_one_does_not_keep_the_long_work_of_another_waiting_for_ever() -> None:
    usage = Usage()
    usage.come("ann")
    usage.come("bob")
    served = []
    for _ in range(60):
        waiting = [("ann", 0.05), ("bob", 1.0)]
        client, seconds = waiting[usage.first(waiting)]
        served.append(client)
        usage.begin(client, seconds)
        usage.end(client, seconds, seconds)
    assert 18 <= served.index("bob") <= 22


def test_nobody_saves_up_time_by_staying_away() -> None:
    usage = Usage()
    for _ in range(100):
        usage.begin("ann", 1.0)
    usage.come("bob")
    usage.begin("bob", 1.0)
    usage.begin("bob", 1.0)
    assert usage.first([("ann", 1.0), ("bob", 1.0)]) == 0


def test_what_is_cancelled_is_not_done(line: Line) -> None:
    line.hold("ann", 1.0)
    promise = line.pool.submit("ann", 1.0, lambda: line.order.append("cancelled"))
    line.add("ann", 1.0)
    assert promise.cancel()
    line.may_go.set()
    until(lambda: line.order == ["ann"])


@pytest.fixture
def matches() -> Iterator[Matches]:
    storage = Storage("sqlite://")
    yield Matches(storage)
    storage.close()


def test_twenty_hard_matches_of_one_client_delay_another_client_by_one_move(
    matches: Matches, monkeypatch: pytest.MonkeyPatch
) -> None:
    may_go, order = Event(), []

    def chosen(level: str, match: Match) -> tuple[str, bool]:
        order.append(match.players[1])
        assert may_go.wait(20)
        return match.legal_moves()[0], True

    monkeypatch.setattr(thinking, "chosen", chosen)
    engines = Thinking(matches, Warming("nothing"), workers=1)
    hard = Wish("engine", level="hard")
    for number in range(20):  # the same client, however many browsers it says it has
        matches.create(Keys(browser=str(number)), load("tic-tac-toe"), (hard, Wish("me", "Ann")), client="ann")
    matches.create(Keys(browser="b"), load("tic-tac-toe"), (hard, Wish("me", "Bob")), client="bob")
    may_go.set()
    until(lambda: len(order) == 21)
    engines.end()
    assert order.index("Bob") == 1


def test_engines_that_play_each_other_do_not_keep_a_thread_while_they_pause(
    matches: Matches, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(thinking, "WATCHABLE", 3600.0)
    engines = Thinking(matches, Warming("nothing"), workers=1)
    for _ in range(5):
        matches.create(Keys(browser="a"), load("tic-tac-toe"), (Wish("engine", level="easy"),) * 2, client="ann")
    made = matches.create(Keys(browser="b"), load("tic-tac-toe"), (Wish("engine", level="easy"), Wish("me")))
    until(lambda: matches.stored(made.id).match.ply == 1)
    engines.end()


@pytest.fixture
def nothing_is_ready(monkeypatch: pytest.MonkeyPatch) -> set[Job]:
    """Every game needs its levels and its strongest engine; those in the set are prepared."""
    done: set[Job] = set()

    def jobs_for(game: Game) -> list[Job]:
        parts: tuple[Part, ...] = ("levels", "hard")
        return [Job(game, part) for part in parts if Job(game, part) not in done]

    monkeypatch.setattr(warming, "jobs_for", jobs_for)
    monkeypatch.setattr(warming, "is_ready", lambda game, part: Job(game, part) in done)
    return done


def test_ten_variants_of_one_client_delay_the_game_of_another_by_one_part(
    nothing_is_ready: set[Job], monkeypatch: pytest.MonkeyPatch
) -> None:
    order: list[Job] = []

    def do(self: Warming, job: Job) -> str:
        order.append(job)
        nothing_is_ready.add(job)
        if len(order) == 1:
            for columns in range(3, 13):
                self.want(load("connect-four", cols=columns, rows=4, connect=3), "ann")
            self.want(load("semaphores"), "bob")
            self.want(load("c4-twist", cols=5), "bob")
        return ""

    monkeypatch.setattr(Warming, "_do", do)
    working = Warming("asked")
    working.want(load("connect-four", cols=4, rows=5), "ann")
    working.begin()
    until(lambda: len(order) == 2 * 13)
    working.end()
    of_others = [number for number, job in enumerate(order) if job.game.id != "connect-four"]
    assert of_others[:2] == [1, 2]  # the levels of both, before a second part for the first client
    assert of_others[3] <= 8


def test_a_compiler_that_hangs_is_ended_and_that_is_said(
    nothing_is_ready: set[Job], monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, matches: Matches
) -> None:
    started: list[subprocess.Popen[str]] = []

    def start_process(**settings: Any) -> subprocess.Popen[str]:
        script = "import time; time.sleep(3600)"
        started.append(subprocess.Popen([sys.executable, "-c", script], stdin=subprocess.PIPE, text=True, **settings))
        return started[-1]

    monkeypatch.setattr(warming, "start_process", start_process)
    monkeypatch.setattr(warming, "LONGEST_JOB", 0.0)
    game = load("connect-four", cols=5)
    working = Warming("asked")
    working.want(game, "ann")
    working.begin()
    until(lambda: len(caplog.records) >= 2)
    assert "preparing levels of load('connect-four', cols=5) failed" in caplog.text
    assert "it took longer than 0 seconds and was ended" in caplog.text
    until(lambda: all(process.poll() is not None for process in started))
    assert working.is_expected(game)  # asking again is not counted as new work
    engines = Thinking(matches, working)
    made = matches.create(Keys(browser="a"), game, (Wish("me"), Wish("engine", level="hard")))
    engines._note_strength(made.id, is_full_strength=False)
    assert engines.note(matches.stored(made.id)) == CANNOT_BE_PREPARED
    engines.end()


HANGS = """
from connectoe import preparing
def solve(game):
    while True:
        pass
preparing.PREPARE["table"] = solve
preparing.is_ready = lambda game, part: False
preparing.do_jobs()
"""


def test_a_solve_that_hangs_stops_nobody_and_is_ended(
    nothing_is_ready: set[Job], monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, tmp_path: Path
) -> None:
    started: list[subprocess.Popen[str]] = []

    def start_process(**settings: Any) -> subprocess.Popen[str]:
        command = [sys.executable, "-c", HANGS]
        started.append(subprocess.Popen(command, stdin=subprocess.PIPE, text=True, **settings))
        return started[-1]

    def jobs_for(game: Game) -> list[Job]:
        return [Job(game, "table")]

    monkeypatch.setattr(warming, "start_process", start_process)
    monkeypatch.setattr(warming, "jobs_for", jobs_for)
    with served(f"sqlite:///{tmp_path}/m.db", prepares="asked") as running:
        preparing: Warming = running.app.state.services.warming
        people = [Server(running.url).create("tic-tac-toe", opponent="medium") for _ in range(2)]
        until(lambda: bool(started))
        for person in people:  # while the solver is at work
            person.play("b2", 0)
            until(lambda person=person: person.read()["ply"] == 2)  # type: ignore[misc]
            assert httpx.get(f"{running.url}/healthz").status_code == 200
        assert started[0].poll() is None
        monkeypatch.setattr(warming, "LONGEST_JOB", 0.0)
        started[0].kill()  # another one begins anew, and has no time
        until(lambda: preparing.has_failed(load("tic-tac-toe")))
        until(lambda: all(process.poll() is not None for process in started))
        told = "preparing table of load('tic-tac-toe') failed: it took longer than 0 seconds and was ended"
        assert told in caplog.text
        assert people[0].play(match_of(people[0].read()).legal_moves()[0], 2)["ply"] >= 3


def test_a_job_whose_process_is_killed_is_begun_again_and_no_other_job_fails(
    nothing_is_ready: set[Job], monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    game = load("connect-four", cols=5)
    started: list[subprocess.Popen[str]] = []

    def start_process(**settings: Any) -> subprocess.Popen[str]:
        dies, works = "input()", f"import sys\nfor line in sys.stdin: print({DONE!r}, flush=True)"
        script = dies if len(started) < 3 else works
        if script == works:
            nothing_is_ready.add(Job(game, "levels"))
        started.append(subprocess.Popen([sys.executable, "-c", script], stdin=subprocess.PIPE, text=True, **settings))
        return started[-1]

    def jobs_for(game: Game) -> list[Job]:
        return [Job(game, "levels")] if len(started) <= 3 else []

    monkeypatch.setattr(warming, "start_process", start_process)
    monkeypatch.setattr(warming, "jobs_for", jobs_for)
    working = Warming("asked")
    working.want(game, "ann")
    working.begin()
    until(lambda: len(started) == 4)
    assert not working.has_failed(game)
    working.end()
    assert not caplog.records


def test_a_job_that_ends_every_process_is_given_up(
    nothing_is_ready: set[Job], monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    command = [sys.executable, "-c", "input()"]
    monkeypatch.setattr(
        warming, "start_process", lambda **more: subprocess.Popen(command, stdin=subprocess.PIPE, text=True, **more)
    )
    game = load("connect-four", cols=5)
    working = Warming("asked")
    working.want(game, "ann")
    working.begin()
    until(lambda: len(caplog.records) == 2)
    assert working.has_failed(game)
    working.end()
    assert "preparing levels of load('connect-four', cols=5) failed: its process ended" in caplog.text


def test_where_another_process_cannot_keep_what_it_compiles_the_server_prepares_itself(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, tmp_path: Path
) -> None:
    """Such as on a full disk: without this, every first move would wait for a compiler."""
    script = f"import sys\nfor line in sys.stdin: print({NOT_KEPT!r}, flush=True)"
    command = [sys.executable, "-c", script]
    monkeypatch.setattr(
        warming, "start_process", lambda **more: subprocess.Popen(command, stdin=subprocess.PIPE, text=True, **more)
    )
    prepared: list[Job] = []

    def prepare(job: Job) -> None:
        prepared.append(job)
        readiness.note_ready(*job)

    monkeypatch.setattr(warming, "prepare", prepare)
    monkeypatch.setattr(readiness, "is_kept", lambda game, part: False)
    game = load("connect-four", cols=3, rows=3, connect=3)
    working = Warming("asked")
    working.want(game)
    working.begin()
    until(lambda: len(prepared) == len(readiness.PARTS))
    assert readiness.is_ready(game, "analysis")
    working.end()
    assert [record.getMessage() for record in caplog.records] == [
        "compiled engines cannot be kept on disk: from now on this process compiles them itself"
    ]
