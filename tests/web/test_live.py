"""What those who watch a match are told."""

from __future__ import annotations

import asyncio

from connectoe.web.live import Watcher


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
