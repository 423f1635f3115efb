"""What those who watch a match are told."""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any, cast

import pytest
from starlette.websockets import WebSocket
from websockets.sync.client import ClientConnection, connect

from connectoe.web.http import sockets
from connectoe.web.service import watching
from connectoe.web.service.watching import Watcher, Watchers
from tests.web.serving import Served


@pytest.fixture
def threads_that_alternate_often() -> Iterator[None]:
    usual = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(usual)


def test_of_two_changes_in_the_wrong_order_the_newer_counts() -> None:
    async def told() -> list[str]:
        watcher = Watcher(frozenset())
        watcher.tell("after two moves", version=2)
        watcher.tell("after one move", version=1)
        first = await watcher.next()
        watcher.tell("after one move", version=1)  # not even when the newer one has been read
        watcher.tell("somebody came", version=2)
        return [first, await watcher.next()]

    assert asyncio.run(told()) == ["after two moves", "somebody came"]


def test_many_look_at_once_and_only_the_latest_looks_are_remembered(
    threads_that_alternate_often: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(watching, "LOOKS_FOR", 0.01)
    watched = Watchers()
    with ThreadPoolExecutor(4) as people:
        for _ in people.map(watched.look, map(str, range(8000))):
            pass
    monkeypatch.setattr(watching, "LOOKS_FOR", 0.0)
    watched.look("the last")
    assert list(watched._looked_at) == ["the last"]


def test_others_have_their_turn_between_the_messages_of_a_client() -> None:
    class Sender:
        """A live connection over which many messages have come already."""

        left = 100

        async def receive(self) -> dict[str, str]:
            self.left -= 1
            return {"type": "websocket.receive" if self.left else "websocket.disconnect", "text": "?"}

        async def send_text(self, message: str) -> None:
            raise AssertionError("there is nothing to tell")

    async def turns_of_others() -> int:
        turns, is_over = 0, asyncio.Event()

        async def other() -> None:
            nonlocal turns
            while not is_over.is_set():
                turns += 1
                await asyncio.sleep(0)

        async def refuse(message: str) -> None:
            assert message == "?"

        others = asyncio.create_task(other())
        await sockets._until_gone(cast(WebSocket, Sender()), Watcher(frozenset()), refuse)
        is_over.set()
        await others
        return turns

    assert asyncio.run(turns_of_others()) >= 99


def test_nobody_looks_at_a_match_that_is_not_there(server: Served) -> None:
    for name in ("nothere", "a" * 9_000):
        assert server.browser().get(f"/matches/{name}").status_code == 404
        assert server.program().get(f"/matches/{name}").status_code in (404, 422)
    assert not server.app.state.services.watchers._looked_at


def test_moves_may_be_sent_over_the_live_connection(server: Served) -> None:
    program = server.program()
    made = program.post("/matches", json={"game": "connect-four", "seats": [{"kind": "me"}, {"kind": "open"}]}).json()
    joined = program.post(f"/matches/{made['id']}/join", json={"invite": made["invite"]}).json()
    address = f"{server.url.replace('http', 'ws')}/api/v1/matches/{made['id']}/live?secret="
    with connect(address + made["secrets"]["0"]) as ann, connect(address + joined["secret"]) as bob:

        def told(live: ClientConnection, holds: Callable[[Any], object]) -> Any:
            while not holds(message := json.loads(live.recv(10))):
                pass
            return message

        for player, move, ply in ((ann, "d", 0), (bob, "d", 1), (ann, "e", 2)):
            player.send(json.dumps({"move": move, "ply": ply}))
            for listener in (ann, bob):
                match: dict[str, Any] = {}
                while match.get("ply", 0) <= ply:
                    match = told(listener, lambda message: "ply" in message)
                assert match["moves"][-1] == move
        ann.send(json.dumps({"move": "e", "ply": 2}))  # again, as after a lost answer
        assert told(ann, lambda match: "ply" in match)["ply"] == 3
        ann.send(json.dumps({"move": "f", "ply": 3}))
        assert told(ann, lambda answer: "error" in answer) == {"error": "it is not your turn", "status": 403, "ply": 3}
        bob.send(json.dumps({"move": "z", "ply": 3}))
        assert told(bob, lambda answer: "error" in answer)["status"] == 400
        bob.send("d")
        assert "such as" in told(bob, lambda answer: "error" in answer)["error"]
        bob.send(json.dumps({"move": "a", "ply": 3}))
        assert told(ann, lambda match: match.get("ply") == 4)["moves"] == ["d", "d", "e", "a"]
