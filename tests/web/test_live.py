"""What those who watch a match are told."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest

from connectoe.web.service import watching
from connectoe.web.service.watching import Watcher, Watchers
from tests.web.serving import Served


@pytest.fixture
def threads_that_alternate_often() -> Iterator[None]:
    usual = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(usual)


def test_of_two_changes_told_in_the_wrong_order_the_newer_counts() -> None:
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


def test_nobody_looks_at_a_match_that_is_not_there(server: Served) -> None:
    for name in ("nothere", "a" * 9_000):
        assert server.browser().get(f"/matches/{name}").status_code == 404
        assert server.program().get(f"/matches/{name}").status_code in (404, 422)
    assert not server.app.state.services.watchers._looked_at
