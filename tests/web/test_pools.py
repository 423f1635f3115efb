"""Threads for requests: none of one kind, or of one client, keeps others waiting."""

from __future__ import annotations

import asyncio
import json
import pkgutil
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from threading import Event, current_thread
from typing import Any

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
    for path in (
        "/analyse/connect-four?moves=d",
        "/analyse/connect-four/set-up",
        "/new/connect-four?line=d",
        "/matches",
    ):
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


FORM = "application/x-www-form-urlencoded"
PARTS = "multipart/form-data; boundary=b"
PART = '--b\r\nContent-Disposition: form-data; name="{}"\r\n\r\nd\r\n'
NEW = {"game": "tic-tac-toe", "seats": [{"kind": "me"}, {"kind": "me"}]}


@pytest.mark.parametrize(
    ("path", "kind", "body"),
    [
        ("/analyse/connect-four/look", FORM, "record=" + 3_000 * "d+"),
        ("/analyse/connect-four/look", PARTS, 50 * PART.format("record") + "--b--\r\n"),
        ("/api/v1/analyse", "application/json", json.dumps({"game": "tic-tac-toe", "moves": 500 * ["b2"]})),
    ],
)
def test_others_are_served_while_a_long_body_is_read(
    path: str, kind: str, body: str, server: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    readers = list[str]()

    def noted(read: Callable[..., Any]) -> Callable[..., Any]:
        def reads(*args: Any) -> Any:
            readers.append(current_thread().name)
            return read(*args)

        return reads

    for place in ("formparsers.FormParser.parse", "formparsers.MultiPartParser.parse", "requests.json.loads"):
        owner, name = f"starlette.{place}".rsplit(".", 1)
        monkeypatch.setattr(f"{owner}.{name}", noted(pkgutil.resolve_name(f"{owner}.{name}")))
    server.browser().post(path, content=body, headers={"content-type": kind})
    assert readers == ["request"]


@pytest.mark.parametrize(
    ("path", "kind", "body"),
    [
        ("/matches", FORM, "&".join(f"name-{number}=something" for number in range(200))),
        ("/matches", PARTS, "".join(PART.format(f"name-{number}") for number in range(200)) + "--b--\r\n"),
        ("/matches", PARTS, PART.format(f'name"; filename="{3_000 * "a"}') + "--b--\r\n"),
        ("/api/v1/matches", "application/json", json.dumps(NEW | {f"something-{number}": 0 for number in range(200)})),
        ("/api/v1/matches", "application/json", json.dumps(NEW | {"options": 200 * [{"something": 0}]})),
    ],
)
def test_a_body_has_only_so_many_fields_and_no_files(path: str, kind: str, body: str, server: Served) -> None:
    answer = server.browser().post(path, content=body, headers={"content-type": kind})
    assert answer.status_code == 400
    assert "too many" in answer.text.lower()


def test_of_many_wrong_moves_only_the_first_is_told(server: Served) -> None:
    told = server.program().post("/matches", json=NEW | {"moves": 20_000 * [1]})
    assert told.status_code == 422
    assert told.json()["error"].count("moves.") == 1
