"""A database that stalls: what needs it is refused soon, everything else goes on, and it is said in one line."""

from __future__ import annotations

import asyncio
import logging
import socket
import sqlite3
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from threading import Event

import httpx
import pytest
import sqlalchemy as sql
from websockets.sync.client import connect

from connectoe.client import Server
from connectoe.web.http import metrics
from connectoe.web.service import live
from connectoe.web.service.availability import Availability, DatabaseAway
from connectoe.web.service.keys import Keys
from connectoe.web.service.limited_postgresql import limited_engine
from connectoe.web.service.storage import Storage
from tests.waiting import until
from tests.web.serving import Served, frozen, served


def test_while_it_is_away_everybody_fails_at_once_and_a_thread_tries(caplog: pytest.LogCaptureFixture) -> None:
    works, tried = Event(), Event()

    def attempt() -> None:
        tried.set()
        if not works.is_set():
            raise sql.exc.OperationalError("SELECT", {}, Exception("the server is starting"))

    availability = Availability("read", attempt)
    with pytest.raises(sql.exc.OperationalError), availability.using():
        raise sql.exc.OperationalError("SELECT", {}, Exception("the server is gone\nand more"))
    with pytest.raises(DatabaseAway, match="the server is"), availability.using():
        raise AssertionError("it was asked")
    assert tried.wait(20)
    with pytest.raises(DatabaseAway), availability.using():
        raise AssertionError("it was asked")
    works.set()
    until(lambda: not availability.problem)
    with availability.using():
        pass
    until(lambda: len(caplog.records) == 2)
    first, second = [record.getMessage() for record in caplog.records]
    assert first == "the database cannot be read: the server is gone"
    assert second.startswith("the database can be read again, after ")
    assert not any(record.exc_info for record in caplog.records)


def test_a_single_statement_that_waits_too_long_is_no_reason_to_refuse_others() -> None:
    class LockNotAvailable(Exception):
        """As psycopg calls it."""

    availability = Availability("written to", lambda: None)
    with pytest.raises(sql.exc.OperationalError), availability.using():
        raise sql.exc.OperationalError("SELECT", {}, LockNotAvailable())
    with availability.using():
        pass


class NoAnswer(Exception):
    """As psycopg raises it: without a code, since no server has given one."""

    sqlstate = None


class DiskFull(Exception):
    """As psycopg raises it, with PostgreSQL's code."""

    sqlstate = "53100"


def test_what_one_use_finds_out_about_a_silent_server_the_other_need_not_wait_for() -> None:
    def attempt() -> None:
        raise AssertionError("it is still away")

    for cause, is_read in ((NoAnswer(), False), (DiskFull(), True)):
        reading, writing = Availability("read", attempt), Availability("written to", attempt)
        writing.others = [reading]
        with pytest.raises(sql.exc.OperationalError), writing.using():
            raise sql.exc.OperationalError("INSERT", {}, cause)
        assert writing.problem
        assert bool(reading.problem) != is_read
        for each in (reading, writing):
            each.end()


def test_a_server_that_takes_connections_and_says_nothing_is_not_waited_for() -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        engine = limited_engine(sql.make_url(f"postgresql+psycopg://x@127.0.0.1:{silent.getsockname()[1]}/x"))
        with pytest.raises(sql.exc.OperationalError, match=r"no connection within 1\.5 seconds"):
            engine.connect()


def test_a_health_check_that_begins_while_another_ends_disturbs_nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(metrics, "CHECKED_FOR", -1.0)
    ends = [Event(), Event()]
    checks = iter(ends)

    def check() -> None:
        assert next(checks).wait(60)

    async def told() -> list[str]:
        health = metrics.Health(check)
        first = asyncio.create_task(health.problem())
        while health._check is None:
            await asyncio.sleep(0)
        ended = health._check
        ends[0].set()
        while not ended.done():
            await asyncio.sleep(0)
        second = asyncio.create_task(health.problem())
        while health._check is ended:
            await asyncio.sleep(0)
        found = await first
        ends[1].set()
        return [found, await second]

    assert asyncio.run(told()) == ["", ""]


def test_interrupted_notifications_are_told_once_each_time(
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(live, "SHORTEST_PAUSE", 0.001)
    storage = Storage("sqlite://")
    listener = live.Listener(storage, heard=lambda match_id: None, missed=lambda: None)
    attempts = iter(["the server is gone\nand more", "it starts", "", "it starts", "", "it starts", "end"])

    def listen() -> None:
        attempt = next(attempts)
        if not attempt:  # it has listened for a while
            listener.is_listening.set()
        if attempt == "end":
            listener.end()
        raise OSError(attempt or "the server is gone again")

    monkeypatch.setattr(listener, "_listen", listen)
    listener.run()
    storage.close()
    told = "notifications from the database are interrupted: the server is gone"
    assert [record.getMessage() for record in caplog.records] == [told, f"{told} again", f"{told} again"]


@pytest.fixture
def stalled(postgresql_database: str) -> Iterator[Served]:
    with served(postgresql_database) as running:
        yield running


def test_a_frozen_postgresql_stops_nothing_but_what_needs_it(
    stalled: Served, postgresql_server: str, caplog: pytest.LogCaptureFixture
) -> None:
    ann = Server(stalled.url).create("tic-tac-toe", opponent="random")
    ann.play("b2", 0)
    match = f"/matches/{ann.match_id}"
    live = f"{stalled.url.replace('http', 'ws')}/api/v1{match}/live?secret={ann.secret}"

    def asked(path: str) -> int:
        return httpx.get(stalled.url + path, timeout=20).status_code

    with ThreadPoolExecutor(12) as people, connect(live) as watching:
        watching.recv()
        with frozen(postgresql_server):
            watching.close()
            waiting = [people.submit(asked, match) for _ in range(8)]
            assert [asked(path) for path in ("/livez", "/about", "/static/style.css")] == [200] * 3
            health = httpx.get(f"{stalled.url}/healthz", timeout=20)
            assert health.status_code == 503
            assert health.json()["database"].startswith("the database")
            assert {answer.result() for answer in waiting} == {503}
            assert asked(match) == 503
            assert httpx.post(f"{stalled.url}/api/v1{match}/moves", json={"move": "a1", "ply": 2}).status_code == 503
        until(lambda: asked(match) == 200)
        until(lambda: asked("/healthz") == 200)
    assert ann.read()["ply"] == 2
    messages = [record.getMessage() for record in caplog.records if record.levelno >= logging.WARNING]
    assert any("no answer within" in message for message in messages)
    assert len([message for message in messages if "cannot be" in message]) <= 2
    assert not any(record.exc_info for record in caplog.records)


def test_a_locked_match_is_refused_and_others_go_on(postgresql_database: str) -> None:
    storage = Storage(postgresql_database)
    with closing(storage), served(postgresql_database) as running:
        made = [Server(running.url).create("tic-tac-toe") for _ in range(2)]
        with storage.changing(made[0].match_id):
            answer = running.program(made[0].secret).post(
                f"/matches/{made[0].match_id}/moves", json={"move": "b2", "ply": 0}
            )
            assert answer.status_code == 503
            assert made[1].play("b2", 0)["ply"] == 1
        assert made[0].play("b2", 0)["ply"] == 1


def test_a_locked_sqlite_file_is_refused_while_matches_are_still_read(tmp_path: Path) -> None:
    with served(f"sqlite:///{tmp_path}/matches.db") as running:
        ann = Server(running.url).create("tic-tac-toe")
        program = running.program(ann.secret)
        with closing(sqlite3.connect(tmp_path / "matches.db", isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            with ThreadPoolExecutor(4) as people:
                moves = [
                    people.submit(program.post, f"/matches/{ann.match_id}/moves", json={"move": "b2", "ply": 0})
                    for _ in range(4)
                ]
                assert {move.result().status_code for move in moves} == {503}
            assert program.get(f"/matches/{ann.match_id}").status_code == 200
            health = running.client().get("/healthz")
            assert (health.status_code, "locked" in health.text or "does not answer" in health.text) == (503, True)
            other.execute("ROLLBACK")
        until(lambda: running.client().get("/healthz").status_code == 200)
        assert ann.play("b2", 0)["ply"] == 1


def test_who_is_present_is_stored_by_one_statement_for_all(postgresql_database: str) -> None:
    from connectoe import load
    from connectoe.web.service.matches import Matches
    from connectoe.web.service.seating import Wish

    storage = Storage(postgresql_database)
    with closing(storage):
        here, there = Matches(storage), Matches(storage)
        ids = [here.create(Keys(browser="a"), load("tic-tac-toe"), (Wish("me"), Wish("open"))).id for _ in range(30)]
        statements: list[str] = []

        @sql.event.listens_for(storage.engine, "before_cursor_execute")
        def note(connection: object, cursor: object, statement: str, *more: object) -> None:
            statements.append(statement)

        here.presence.note([(match_id, 0) for match_id in ids])
        assert len(statements) == 1
        assert there.presence.look_for_others(ids) == set(ids)
        assert len(statements) == 2
        assert there.presence.look_for_others(ids) == set()
        present = [[seat.present for seat in there.view(match_id, Keys()).seats] for match_id in ids]
        assert present == [[True, False]] * 30
        here.presence.tell(ids[0], [0], is_here=False)
        assert there.presence.look_for_others(ids) == {ids[0]}
