"""Live updates: who watches which match, and how a change reaches them.

Within a process a change goes straight to the watchers' WebSockets. Between processes on one PostgreSQL, a
notification carries the match's id, and each process reads the match for its own watchers.
"""

from __future__ import annotations

import asyncio
import json
import logging
import time
from collections import Counter, OrderedDict
from collections.abc import Callable
from threading import Event, Lock, Thread

import sqlalchemy as sql

from connectoe.web.keys import Keys
from connectoe.web.matches import Matches
from connectoe.web.refusals import NoSuchMatch
from connectoe.web.storage import CHANNEL, Storage
from connectoe.web.views import Stored

log = logging.getLogger("connectoe.web")
LONGEST_PAUSE = 10.0
"""Seconds between two tries to reach the database again."""
LOOKS_FOR = 30.0
"""Seconds for which somebody who asked for a match counts as watching it."""


class Watcher:
    """Somebody who watches a match: only the newest message counts, so that a slow reader is never behind.

    >>> async def watched() -> str:
    ...     watcher = Watcher(frozenset())
    ...     watcher.tell("old", version=1)
    ...     watcher.tell("new", version=2)
    ...     return await watcher.next()
    >>> asyncio.run(watched())
    'new'
    """

    def __init__(self, seats: frozenset[int]) -> None:
        self.seats = seats
        self._newest = ""
        self._version = 0
        self._is_new = asyncio.Event()

    def tell(self, message: str, version: int) -> None:
        """Leaves a message about a version of the match, in place of one that has not been read.

        Threads may tell of two changes in the wrong order; then the older one is dropped.
        """
        if version >= self._version:
            self._newest = message
            self._version = version
            self._is_new.set()

    async def next(self) -> str:
        """The newest message, as soon as there is one."""
        await self._is_new.wait()
        self._is_new.clear()
        return self._newest


class Live:
    """The watchers of this process.

    >>> Live().is_here("match", 0)
    False
    """

    def __init__(self) -> None:
        self.loop: asyncio.AbstractEventLoop | None = None
        self.matches: Matches | None = None
        self._watchers: dict[str, set[Watcher]] = {}
        self._present: Counter[tuple[str, int]] = Counter()
        self._looked_at: OrderedDict[str, float] = OrderedDict()  # the latest last
        self._looking = Lock()

    @property
    def count(self) -> int:
        """How many watch.

        >>> Live().count
        0
        """
        return sum(map(len, self._watchers.values()))

    def is_here(self, match_id: str, seat: int) -> bool:
        """Whether the person on a seat is connected to this process."""
        return self._present[match_id, seat] > 0

    def enter(self, match_id: str, watcher: Watcher) -> bool:
        """Begins to watch; whether that makes somebody present who was not."""
        self._watchers.setdefault(match_id, set()).add(watcher)
        for seat in watcher.seats:
            self._present[match_id, seat] += 1
        return any(self._present[match_id, seat] == 1 for seat in watcher.seats)

    def leave(self, match_id: str, watcher: Watcher) -> bool:
        """Ends to watch; whether somebody is gone by that."""
        watchers = self._watchers.get(match_id, set())
        watchers.discard(watcher)
        if not watchers:
            self._watchers.pop(match_id, None)
        is_gone = False
        for seat in watcher.seats:
            self._present[match_id, seat] -= 1
            if self._present[match_id, seat] <= 0:
                del self._present[match_id, seat]
                is_gone = True
        return is_gone

    def look(self, match_id: str) -> None:
        """Remembers that somebody looks at a match, perhaps without a live connection."""
        now = time.monotonic()
        with self._looking:
            self._looked_at[match_id] = now
            self._looked_at.move_to_end(match_id)
            while now - next(iter(self._looked_at.values())) > LOOKS_FOR:
                self._looked_at.popitem(last=False)

    def is_watched(self, match_id: str) -> bool:
        """Whether somebody watches a match on this process, or has looked at it just now."""
        return match_id in self._watchers or time.monotonic() - self._looked_at.get(match_id, -LOOKS_FOR) < LOOKS_FOR

    def present_seats(self) -> list[tuple[str, int]]:
        """Everybody who is connected to this process."""
        return list(self._present)

    def publish(self, stored: Stored) -> None:
        """Tells the watchers how a match stands; from any thread."""
        if stored.row.id in self._watchers and self.loop and self.matches:
            message = json.dumps(self.matches.seen_by(stored, Keys()).public(), separators=(",", ":"))
            self.loop.call_soon_threadsafe(self._deliver, stored.row.id, message, stored.row.version)

    def _deliver(self, match_id: str, message: str, version: int) -> None:
        for watcher in self._watchers.get(match_id, ()):
            watcher.tell(message, version)

    def publish_again(self, match_id: str) -> None:
        """Reads a match anew and tells its watchers, if it has any."""
        if match_id in self._watchers and self.matches:
            self.matches.forget(match_id)
            try:
                self.publish(self.matches.stored(match_id))
            except NoSuchMatch:
                log.info("a match that was watched is gone")

    def publish_all_again(self) -> None:
        """Does so for every match that somebody watches: changes may have been missed."""
        for match_id in list(self._watchers):
            self.publish_again(match_id)


class Listener(Thread):
    """Hears of changes that other processes make to matches in the same PostgreSQL."""

    def __init__(self, storage: Storage, heard: Callable[[str], None], missed: Callable[[], None]) -> None:
        super().__init__(name="listener", daemon=True)
        self.storage = storage
        self.heard = heard
        self.missed = missed
        self.is_listening = Event()
        self.is_over = Event()

    def run(self) -> None:
        """Listens until it is ended; after a lost connection, everything watched is read anew."""
        pause = 0.1
        while not self.is_over.is_set():
            try:
                self._listen()
                pause = 0.1
            except Exception as error:
                if self.is_over.is_set():
                    return
                log.warning("notifications from the database are interrupted: %s", type(error).__name__)
                self.is_listening.clear()
                time.sleep(pause)
                pause = min(2 * pause, LONGEST_PAUSE)

    def _listen(self) -> None:
        import psycopg

        url = sql.make_url(self.storage.url).set(drivername="postgresql").render_as_string(hide_password=False)
        with psycopg.connect(url, autocommit=True) as connection:
            connection.execute(f"LISTEN {CHANNEL}")
            self.is_listening.set()
            self.missed()
            while not self.is_over.is_set():
                for notice in connection.notifies(timeout=1.0):
                    process, _, match_id = notice.payload.partition(" ")
                    if process != self.storage.process:
                        self.heard(match_id)

    def end(self) -> None:
        """Ends soon."""
        self.is_over.set()
