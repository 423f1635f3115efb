"""A run: a server, its players and onlookers, hostile clients, and one fault after the other."""

from __future__ import annotations

import asyncio
import random
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.web.chaos.clients import Client, Report
from tests.web.chaos.faults import Faults
from tests.web.chaos.hostile import Hostile
from tests.web.chaos.players import Player, look_around
from tests.web.serving import PostgreSQL, Process

CLOCK = Path(__file__).with_name("jumping_clock.py")


@contextmanager
def server_to_disturb(database: PostgreSQL | Path, folder: Path) -> Iterator[tuple[Process, Path]]:
    """A server with a clock of its own, and the file that says how wrong the clock is."""
    clock = folder / "clock"
    clock.write_text("0")
    address = database.address if isinstance(database, PostgreSQL) else f"sqlite:///{database}"
    server = Process(address, None, "--no-warming", program=(sys.executable, str(CLOCK), str(clock)))
    try:
        yield server, clock
    finally:
        server.stop()


class Chaos:
    """People who play on a server, and what disturbs them. Each has an address, and the usual limits hold."""

    def __init__(self, server: Process, seed: int, players: int, pause: float) -> None:
        self.server = server
        self.seed = seed
        self.report = Report()
        self.players = [
            Player(self._client(f"127.0.1.{number + 1}"), f"{seed} {number}", pause, number % 4 == 3, number % 3 == 0)
            for number in range(players)
        ]

    def _client(self, address: str) -> Client:
        return Client(self.report, self.server.port, address)

    def some_match(self) -> str:
        """Return the id of a match that somebody plays."""
        known = [ledger.id for player in self.players for ledger in player.ledgers[-1:]]
        return random.choice(known) if known else "none"

    async def run(
        self, faults: Faults, seconds: float = 0.0, tell: Callable[[str], None] = lambda words: None
    ) -> Report:
        """Let every fault happen once, in some order, and again until the seconds are over; then check everything."""
        hostile = [
            Hostile(self._client("127.0.0.66"), f"{self.seed} {name}", self.some_match) for name in ("eve", "mallory")
        ]
        onlooker = self._client("127.0.2.1")
        everybody = [
            *(player.play() for player in self.players),
            *(one.go_on() for one in hostile),
            look_around(onlooker),
        ]
        tasks = [asyncio.create_task(one) for one in everybody]
        begun = time.monotonic()
        while True:
            for fault in faults.chance.sample(faults.all(), len(faults.all())):
                fault_begun, before = time.monotonic(), self.report.moves
                await fault()
                lasted = time.monotonic() - fault_begun
                await self._recovered(onlooker, before, fault.__name__)
                after = time.monotonic() - fault_begun - lasted
                tell(f"{fault_begun - begun:6.1f} s  {fault.__name__:22}{lasted:5.1f} s, back after {after:.1f} s more")
            if time.monotonic() > begun + seconds or self.report.problems:
                break
        await self._end(tasks)
        for client in (*(one.client for one in hostile), onlooker):
            await client.close()
        return self.report

    async def _recovered(self, onlooker: Client, moves_before: int, fault: str) -> None:
        """Wait until the server is healthy after a fault, and people play on."""
        for _ in range(600):
            answer = await onlooker.once("GET", "/healthz")
            if (
                answer is not None
                and answer.status_code == 200
                and self.report.moves > moves_before + len(self.players)
            ):
                return
            await asyncio.sleep(0.1)
        self.report.problem(f"nobody plays on after {fault}")

    async def play_calmly(self, seconds: float) -> None:
        """Let people play without any fault."""
        tasks = [asyncio.create_task(player.play()) for player in self.players]
        await asyncio.sleep(seconds)
        await self._end(tasks)

    async def _end(self, tasks: list[asyncio.Task[None]]) -> None:
        """Let everybody finish the move they make, and compare all matches with what their players know."""
        self.report.is_over = True
        for task in asyncio.as_completed(tasks):
            try:
                await task
            except Exception as error:
                self.report.problem(f"a client failed: {error!r}")
        for player in self.players:
            await player.check()
            await player.client.close()
        before, traceback, after = self.server.logged().partition("Traceback")
        if traceback:
            self.report.problem(before[-300:] + traceback + after[:5000])
