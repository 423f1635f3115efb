"""Every fault once, while people play and others are hostile: nothing is lost, nothing happens twice."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from tests.web.chaos.faults import Faults
from tests.web.chaos.running import Chaos, server_to_disturb
from tests.web.serving import PostgreSQL, postgresql

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
