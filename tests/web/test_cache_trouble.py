"""Servers whose cache folder is in trouble, or whose preparing processes are killed: they go on answering rightly."""

from __future__ import annotations

import os
import random
import re
import shutil
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import httpx
import pytest

from connectoe import load
from connectoe.analysis import small_table
from connectoe.preparing import Job
from tests.test_preparing import do
from tests.waiting import until
from tests.web.serving import Process, children_of

pytestmark = pytest.mark.slow
Values = dict[str, tuple[str, int | None]]
NOWHERE = Path("/dev/null/cache")
"""A folder in which nobody can write, not even root."""


@pytest.fixture
def serve(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[Path], Process]]:
    """Starts servers that prepare what somebody asks about, with a cache folder each; they end without a traceback."""
    with ExitStack() as running:

        def start(cache: Path) -> Process:
            monkeypatch.setenv("CONNECTOE_CACHE", str(cache))
            database = f"sqlite:///{tmp_path}/{random.getrandbits(40)}.db"
            server = Process(database, None, "--unlimited", "--no-warming")
            running.callback(server.stop)
            running.callback(lambda: _has_no_traceback(server))
            return server

        yield start


def _has_no_traceback(server: Process) -> None:
    assert "Traceback" not in server.logged(), server.logged()


def values(server: Process) -> Values | None:
    """What the server says about each move after a1 b1, once it knows all exactly."""
    asked = {"game": "tic-tac-toe", "moves": ["a1", "b1"], "seconds": 0.1}
    answer = httpx.post(f"{server.url}/api/v1/analyse", json=asked, timeout=60)
    assert answer.status_code == 200, answer.text
    found: list[dict[str, Any]] = answer.json()["candidates"]
    if not all(one["plies"] or one["result"] == "draw" for one in found):
        return None
    return {one["move"]: (one["result"], one["plies"]) for one in found}


def becomes_right(server: Process) -> None:
    """Wait until the server knows the values of all moves, and compare them with the table."""
    known: list[Values] = []
    until(lambda: known.extend(filter(None, [values(server)])) or known, seconds=120, every=0.2)  # type: ignore[func-returns-value]
    state = load("tic-tac-toe").start.play("a1").play("b1")
    table = small_table(state.game)
    assert table
    assert known[0] == {state.game.move_text(move): tuple(value) for move, value in table.moves(state.position).items()}


def test_servers_on_one_empty_cache_whose_preparing_processes_are_killed(
    serve: Callable[[Path], Process], tmp_path: Path
) -> None:
    dice = random.Random(15)
    servers = [serve(tmp_path / "cache") for _ in range(2)]
    for _ in range(4):
        for server in servers:
            values(server)
        time.sleep(dice.uniform(0.2, 1.5))
        for server in servers:
            for process in children_of(server.running.pid):
                os.kill(process, signal.SIGKILL)
    for server in servers:
        becomes_right(server)
    servers[0].kill()
    servers[0].start_again()
    becomes_right(servers[0])
    assert [file.name for file in (tmp_path / "cache" / "tables").glob("*.table")] == ["tic-tac-toe.table"]


def test_a_cache_that_cannot_be_written_to_is_replaced_until_the_server_ends(
    serve: Callable[[Path], Process],
) -> None:
    server = serve(NOWHERE)
    becomes_right(server)
    [told] = re.findall(r"compiled engines cannot be kept in .*: they are kept in (\S+) until", server.logged())
    assert Path(told).is_dir()
    server.running.send_signal(signal.SIGTERM)
    assert server.running.wait(20) == 0
    assert not Path(told).exists()


def put_a_folder_in_its_place(file: Path) -> None:
    file.unlink()
    file.mkdir()


def test_a_cache_in_which_every_file_is_damaged(serve: Callable[[Path], Process], tmp_path: Path) -> None:
    cache = tmp_path / "cache"
    game = load("tic-tac-toe")
    assert do([Job(game, "levels").to_line(), Job(game, "table").to_line()], cache) == ["done"] * 2
    dice = random.Random(15)
    damages: list[Callable[[Path], object]] = [
        lambda file: file.write_bytes(b""),
        lambda file: file.write_bytes(dice.randbytes(3000)),
        lambda file: file.write_bytes(file.read_bytes()[: file.stat().st_size // 2]),
        put_a_folder_in_its_place,
    ]
    files = sorted(file for file in cache.rglob("*") if file.is_file())
    assert len(files) > 8
    for file in files:
        dice.choice(damages)(file)
    server = serve(cache)
    becomes_right(server)
    shutil.rmtree(cache)  # while it is in use
    becomes_right(server)
