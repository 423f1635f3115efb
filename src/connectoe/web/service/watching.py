"""Who watches which match on this process, and what reaches them."""

from __future__ import annotations

import asyncio
import time
from collections import Counter, OrderedDict
from collections.abc import Callable, Mapping
from threading import Lock
from typing import Any

from connectoe.web.service.views import MatchView

LOOKS_FOR = 30.0
"""The seconds for which somebody who asked for a match counts as watching it."""

Detail = Callable[[MatchView], dict[str, Any]]
"""What is sent to a watcher: `MatchView.public` to programs, `MatchView.news` to pages."""


class Watcher:
    """Somebody who watches a match; made in the event loop that reads its messages.

    Only the newest message counts, so that a slow reader is never behind.
    """

    def __init__(self, seats: frozenset[int], is_swapped: bool = False, detail: Detail = MatchView.public) -> None:
        self.seats = seats
        self.detail = detail
        self.is_swapped = is_swapped
        """Whether the players had swapped sides when these were its seats."""
        self.loop = asyncio.get_running_loop()
        self._newest = ""
        self.version = 0
        """The version of the match that was last sent to it."""
        self._reader: asyncio.Future[None] | None = None

    def tell(self, message: str, version: int) -> None:
        """Leave a message about a version of the match, in place of one that has not been read.

        Threads may announce two changes in the wrong order; then the older one is dropped.
        """
        if version >= self.version:
            self._newest = message
            self.version = version
            if self._reader and not self._reader.done():
                self._reader.set_result(None)

    async def next(self) -> str:
        """Return the newest message, as soon as there is one."""
        while not self._newest:
            self._reader = self.loop.create_future()
            await self._reader
        newest, self._newest = self._newest, ""
        return newest


class Watchers:
    """The watchers of this process. They come and go in the event loop; other threads ask and tell."""

    def __init__(self) -> None:
        self._watchers: dict[str, set[Watcher]] = {}
        self._present: Counter[tuple[str, int]] = Counter()
        self._looked_at: OrderedDict[str, float] = OrderedDict()  # the latest last
        self._looking = Lock()
        self._seating = Lock()  # held while the watchers, their seats or who is present change

    @property
    def count(self) -> int:
        """The number of watchers."""
        return sum(map(len, self._watchers.values()))

    @property
    def watched(self) -> list[str]:
        """The matches that have watchers."""
        return list(self._watchers)

    def is_here(self, match_id: str, seat: int) -> bool:
        """Whether the person on a seat is connected to this process."""
        return self._present[match_id, seat] > 0

    def enter(self, match_id: str, watcher: Watcher) -> bool:
        """Add a watcher; return True if somebody is present now who was not before."""
        with self._seating:
            self._watchers.setdefault(match_id, set()).add(watcher)
            for seat in watcher.seats:
                self._present[match_id, seat] += 1
            return any(self._present[match_id, seat] == 1 for seat in watcher.seats)

    def leave(self, match_id: str, watcher: Watcher) -> bool:
        """Remove a watcher; return True if somebody is no longer present."""
        with self._seating:
            watchers = self._watchers.get(match_id, set())
            watchers.discard(watcher)
            if not watchers:
                self._watchers.pop(match_id, None)
            return self._count_out(match_id, watcher)

    def _count_out(self, match_id: str, watcher: Watcher) -> bool:
        """Take a watcher's seats off those that are present; return True if somebody is no longer present."""
        is_gone = False
        for seat in watcher.seats:
            self._present[match_id, seat] -= 1
            if self._present[match_id, seat] <= 0:
                del self._present[match_id, seat]
                is_gone = True
        return is_gone

    def follow_sides(self, match_id: str, is_swapped: bool) -> None:
        """Give watchers the seats that they have after players swapped sides, or took that back; from any thread."""
        with self._seating:
            changed = [one for one in self._watchers.get(match_id, ()) if one.is_swapped != is_swapped]
            for watcher in changed:
                self._count_out(match_id, watcher)
            for watcher in changed:
                watcher.is_swapped = is_swapped
                watcher.seats = frozenset(1 - seat for seat in watcher.seats)
                for seat in watcher.seats:
                    self._present[match_id, seat] += 1

    def look(self, match_id: str) -> None:
        """Remember that somebody looks at a match, perhaps without a live connection."""
        now = time.monotonic()
        with self._looking:
            self._looked_at[match_id] = now
            self._looked_at.move_to_end(match_id)
            while now - next(iter(self._looked_at.values())) > LOOKS_FOR:
                self._looked_at.popitem(last=False)

    def is_watched(self, match_id: str) -> bool:
        """Whether somebody watches a match on this process, or has looked at it a moment ago."""
        return match_id in self._watchers or time.monotonic() - self._looked_at.get(match_id, -LOOKS_FOR) < LOOKS_FOR

    def present_seats(self) -> list[tuple[str, int]]:
        """Return the match and seat of everybody who is connected to this process."""
        return list(self._present)

    def details(self, match_id: str) -> set[Detail]:
        """Return what the watchers of a match want to be sent."""
        return {watcher.detail for watcher in list(self._watchers.get(match_id, ()))}

    def tell(self, match_id: str, messages: Mapping[Detail, str], version: int) -> None:
        """Tell the watchers of a match, each in the detail it wants; from any thread."""
        for watcher in list(self._watchers.get(match_id, ()))[:1]:  # all of them are in one event loop
            watcher.loop.call_soon_threadsafe(self._deliver, match_id, messages, version)

    def _deliver(self, match_id: str, messages: Mapping[Detail, str], version: int) -> None:
        for watcher in self._watchers.get(match_id, ()):
            if watcher.detail in messages:  # else it has just come, and reads the match itself
                watcher.tell(messages[watcher.detail], version)
