"""What goes wrong around a server."""

from __future__ import annotations

import asyncio
import random
import resource
import signal
import sqlite3
from collections.abc import Awaitable, Callable
from contextlib import closing
from pathlib import Path

from tests.web.serving import PostgreSQL, Process, frozen

DAY = 24 * 3600.0
Fault = Callable[[], Awaitable[None]]


class Faults:
    """The faults of one server and its database."""

    def __init__(self, server: Process, clock: Path, database: PostgreSQL | Path, chance: random.Random) -> None:
        self.server = server
        self.clock = clock
        self.database = database
        self.chance = chance

    def all(self) -> list[Fault]:
        """Every fault that this database can have."""
        if isinstance(self.database, PostgreSQL):
            return [self.kill, self.clock_jumps, self.freeze, self.restart_database]
        return [self.kill, self.clock_jumps, self.lock, self.full_disk]

    def _seconds(self) -> float:
        return 1.0 + 2.0 * self.chance.random()

    async def kill(self) -> None:
        """kill -9, and another start; perhaps with a wrong clock, as on a machine without a battery."""
        self.server.kill()
        await asyncio.sleep(0.3 * self.chance.random())
        self.clock.write_text(str(self.chance.choice((-400, 0, 400)) * DAY))
        await asyncio.to_thread(self.server.start_again)
        self.clock.write_text("0")

    async def clock_jumps(self) -> None:
        """The clock is a day or a year ahead or behind for a while."""
        self.clock.write_text(str(self.chance.choice((-400, -1, 1, 400)) * DAY))
        await asyncio.sleep(self._seconds())
        self.clock.write_text("0")

    async def freeze(self) -> None:
        """The database does nothing for a while, but is there."""
        assert isinstance(self.database, PostgreSQL)
        with frozen(self.database.address):
            await asyncio.sleep(2.0 + self._seconds())

    async def restart_database(self) -> None:
        """The database is stopped and started; in an orderly way, or it ends at once and recovers when it starts."""
        assert isinstance(self.database, PostgreSQL)
        await asyncio.to_thread(self.database.stop, self.chance.choice((signal.SIGINT, signal.SIGQUIT)))
        await asyncio.sleep(0.5)
        await asyncio.to_thread(self.database.start)

    async def lock(self) -> None:
        """Another program locks the file of the database."""
        assert isinstance(self.database, Path)
        with closing(sqlite3.connect(self.database, isolation_level=None, timeout=30)) as other:
            other.execute("BEGIN IMMEDIATE")
            await asyncio.sleep(2.0 + self._seconds())
            other.execute("ROLLBACK")

    async def full_disk(self) -> None:
        """No file grows any more."""
        process = self.server.running.pid
        _, most = resource.prlimit(process, resource.RLIMIT_FSIZE)
        resource.prlimit(process, resource.RLIMIT_FSIZE, (4096, most))
        await asyncio.sleep(self._seconds())
        resource.prlimit(process, resource.RLIMIT_FSIZE, (most, most))
