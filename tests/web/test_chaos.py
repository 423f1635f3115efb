"""Every fault once, while people play and others are hostile: nothing is lost, nothing happens twice."""

from __future__ import annotations

import asyncio
import random
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from tests.web.chaos.faults import Fault, Faults
from tests.web.chaos.running import Chaos, server_to_disturb
from tests.web.serving import PostgreSQL, Process, postgresql

pytestmark = pytest.mark.slow
SEED = 16
PLAYERS = 12


@pytest.fixture(params=["sqlite", "postgresql"])
def database(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[PostgreSQL | Path]:
    """A database that nobody else uses, since it is not treated well."""
    if request.param == "sqlite":
        yield tmp_path / "matches.db"
        return
    with TemporaryDirectory(prefix="connectoe-chaos-") as folder, postgresql(Path(folder)) as running:
        yield running


def test_whatever_goes_wrong_no_accepted_move_is_lost_or_made_twice(
    database: PostgreSQL | Path, tmp_path: Path
) -> None:
    with server_to_disturb(database, tmp_path) as (server, clock):
        chaos = Chaos(server, SEED, players=PLAYERS, pause=0.1)
        report = asyncio.run(chaos.run(Faults(server, clock, database, random.Random(SEED))))
    assert report.problems == []
    assert report.moves > 4 * PLAYERS  # everybody plays on after each fault
    assert report.answers["503"]


TOLD = "is_over AND changed < (SELECT max(changed) FROM matches) - 1"
"""Matches whose players were told of the end; the server may be killed before it answers the latest requests."""
ONE = f"(SELECT id FROM matches WHERE {TOLD} ORDER BY created LIMIT 1)"


class Losing(Faults):
    """A server that is killed and has forgotten something, or made it up, when it starts again."""

    def __init__(self, server: Process, clock: Path, database: Path, change: str) -> None:
        super().__init__(server, clock, database, random.Random(SEED))
        self.file = database
        self.change = change

    def all(self) -> list[Fault]:
        return [self.lose]

    async def lose(self) -> None:
        """Kill the server, change what it has stored, and start it again."""
        is_changed = False
        while not is_changed:
            await asyncio.sleep(2)  # there must be something to lose
            self.server.kill()
            with closing(sqlite3.connect(self.file)) as stored, stored:
                is_changed = stored.execute(self.change).rowcount > 0
            await asyncio.to_thread(self.server.start_again)


@pytest.mark.parametrize(
    "change",
    [
        f"DELETE FROM moves WHERE match = {ONE} AND ply = (SELECT max(ply) FROM moves WHERE match = {ONE})",
        f"DELETE FROM matches WHERE id = {ONE}",
        f"UPDATE matches SET is_over = 0, ended_by = '', version = version + 1 WHERE ended_by != '' AND {TOLD}",
        f"UPDATE matches SET version = version - 1 WHERE id = {ONE}",
    ],
    ids=["a move is lost", "a match is lost", "a resignation is lost", "a version is given twice"],
)
def test_a_server_that_loses_something_is_found_out(change: str, tmp_path: Path) -> None:
    """Else a run without problems would show nothing."""
    with server_to_disturb(tmp_path / "matches.db", tmp_path) as (server, clock):
        chaos = Chaos(server, SEED, players=PLAYERS, pause=0.05)
        report = asyncio.run(chaos.run(Losing(server, clock, tmp_path / "matches.db", change)))
    assert report.problems
