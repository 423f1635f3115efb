"""Threads for requests: none of one kind, or of one client, keeps others waiting."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from threading import Event

import pytest

from connectoe import Match, load
from connectoe.web.http import pools
from connectoe.web.http.pools import Pool, Pools
from connectoe.web.service.keys import Keys
from connectoe.web.service.recognising import Recognised
from connectoe.web.service.refusals import Busy
from connectoe.web.service.seating import Wish
from tests.waiting import until
from tests.web.serving import Served


def test_clients_take_turns() -> None:
    async def order() -> list[str]:
        pool, may_end, done = Pool(threads=1), Event(), list[str]()
        first = asyncio.create_task(pool.run("ann", may_end.wait, 60))
        await asyncio.sleep(0)
        asked = ["ann 1", "ann 2", "ann 3", "bob 1", "bob 2", "eve 1"]
        tasks = [asyncio.create_task(pool.run(what.split()[0], done.append, what)) for what in asked]
        await asyncio.sleep(0)
        may_end.set()
        await asyncio.gather(first, *tasks)
        return done

    assert asyncio.run(order()) == ["ann 1", "bob 1", "eve 1", "ann 2", "bob 2", "ann 3"]


def test_what_waits_too_long_is_refused_and_keeps_nobody_waiting() -> None:
    async def refused_and_then_served() -> str:
        pool, may_end = Pool(threads=1, longest_wait=0.01), Event()
        first = asyncio.create_task(pool.run("ann", may_end.wait, 60))
        await asyncio.sleep(0)
        with pytest.raises(Busy, match="too much to do"):
            await pool.run("bob", print)
        may_end.set()
        await first
        return await pool.run("bob", lambda: "served")

    assert asyncio.run(refused_and_then_served()) == "served"


def test_the_waiting_requests_of_one_client_are_limited() -> None:
    async def asks_too_often() -> str:
        pool, may_end = Pool(threads=1, longest_line=2), Event()
        tasks = [asyncio.create_task(pool.run("ann", may_end.wait, 60)) for _ in range(3)]
        await asyncio.sleep(0)
        with pytest.raises(Busy, match="busy with your other requests"):
            await pool.run("ann", print)
        another = asyncio.create_task(pool.run("bob", lambda: "served"))
        await asyncio.sleep(0)
        may_end.set()
        await asyncio.gather(*tasks)
        return await another

    assert asyncio.run(asks_too_often()) == "served"


@pytest.fixture
def held(server: Served, monkeypatch: pytest.MonkeyPatch) -> Iterator[Served]:
    """A server all of whose threads for slow work are held by pasted texts until the end of the test."""
    may_end, begun = Event(), list[str]()

    def read_slowly(text: str, *game: object) -> Recognised:
        begun.append(text)
        assert may_end.wait(60)
        return Recognised(Match(load("tic-tac-toe")), "moves", "nothing")

    monkeypatch.setattr("connectoe.web.http.analysis_pages.recognised", read_slowly)
    running: Pools = server.app.state.pools
    running.working.longest_wait = 0.05
    with ThreadPoolExecutor(2) as people:
        for _ in range(2):
            people.submit(server.browser().post, "/analyse", data={"record": "d"}, follow_redirects=False)
        until(lambda: len(begun) == 2)
        yield server
        may_end.set()


def test_players_and_health_checks_wait_for_no_slow_work(held: Served) -> None:
    matches = held.app.state.services.matches
    made = matches.create(Keys(), load("tic-tac-toe"), (Wish("me"), Wish("me")))
    ask = held.program(made.secrets[0])
    assert ask.post(f"/matches/{made.id}/moves", json={"move": "b2", "ply": 0}).json()["ply"] == 1
    assert ask.get(f"/matches/{made.id}").json()["ply"] == 1
    browser = held.browser()
    for path in ("/healthz", "/metrics", "/static/style.css", f"/matches/{made.id}", f"/matches/{made.id}/board"):
        assert browser.get(path).status_code == 200


def test_newcomers_wait_for_no_slow_work(held: Served) -> None:
    browser, ask = held.browser(), held.program()
    pages = ("/", "/about", "/docs", "/rules/tic-tac-toe", "/learn/tic-tac-toe/1", "/new/tic-tac-toe", "/api/v1/games")
    assert {browser.get(path).status_code for path in pages} == {200}
    assert browser.post("/matches", data={"game": "tic-tac-toe", "opponent": "here"}).status_code == 200
    new = {"game": "tic-tac-toe", "seats": [{"kind": "me"}, {"kind": "me"}]}
    assert ask.post("/matches", json=new).status_code == 201


def test_slow_work_that_waits_too_long_is_refused_for_now(held: Served) -> None:
    for path in ("/analyse/connect-four?moves=d", "/new/connect-four?line=d", "/matches"):
        answer = held.browser().get(path)
        assert (answer.status_code, answer.headers["retry-after"]) == (503, "2")
        assert "too much to do" in answer.text


def test_a_request_may_ask_for_only_so_much_computing(server: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pools, "CPU_SECONDS", 0.0)
    browser, ask = server.browser(), server.program()
    new = {"game": "tic-tac-toe", "seats": [{"kind": "me"}, {"kind": "me"}], "moves": ["b2"]}
    for answer in (
        browser.post("/analyse", data={"record": '[Game "tic-tac-toe"] 1. b2'}),
        browser.post("/analyse/connect-four", data={"record": "d"}),
        browser.get("/analyse/connect-four?moves=d"),
        ask.post("/matches", json=new),
        ask.post("/analyse", json={"game": "tic-tac-toe", "moves": ["b2"]}),
    ):
        assert (answer.status_code, "more computing than one request" in answer.text) == (400, True)
