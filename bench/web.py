"""How many matches one server process carries: the time from a player's POST to the opponent's update.

    python bench/web.py                          embedded SQLite
    python bench/web.py --database postgresql+psycopg://user@host/name
    python bench/web.py --pictures               as pages do it: until the opponent has the new picture of the board

N matches with two live clients each go on at one move a second a match. N grows until the 99th percentile is above
250 ms. The clients run in a process of their own on the same machine, so the server has what they leave of two cores.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from urllib.parse import urlencode
from urllib.request import urlopen

from websockets.asyncio.client import connect

from connectoe import load
from connectoe.web.http.serving import allow_many_connections

GAME = "ultimate"
WANTED = 0.250
"""Seconds that the 99th percentile may reach."""


def random_moves(seed: int) -> list[str]:
    """Return the moves of a random game that is long enough."""
    choice = random.Random(seed)
    while True:
        state, moves = load(GAME).start, []
        while not state.outcome:
            moves.append(choice.choice(state.legal_moves()))
            state = state.play(moves[-1])
        if len(moves) > 45:
            return moves


class Connection:
    """Keeps one HTTP connection open, as a browser does, and opens another when the server has closed it."""

    def __init__(self, port: int) -> None:
        self.port = port
        self.streams: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def post(self, path: str, body: dict[str, object], secret: str = "") -> dict[str, object]:
        """Return what the server answers to a program."""
        content = json.dumps(body).encode()
        more = f"Content-Type: application/json\r\nContent-Length: {len(content)}\r\n"
        return dict(json.loads(await self._ask(f"POST /api/v1{path}", secret, more, content)))

    async def play(self, match_id: str, move: str, ply: int, secret: str, picture: bool) -> None:
        """Make a move as a program does, or as a page, which is answered with the new picture of the board."""
        if not picture:
            await self.post(f"/matches/{match_id}/moves", {"move": move, "ply": ply}, secret)
            return
        content = urlencode({"move": move, "ply": ply}).encode()
        more = f"Content-Type: application/x-www-form-urlencoded\r\nContent-Length: {len(content)}\r\n"
        await self._ask(f"POST /matches/{match_id}/move?from={ply}", secret, more, content)

    async def see(self, match_id: str, since: int, secret: str) -> None:
        """Get the new picture of a board, as a page does after the opponent's move."""
        await self._ask(f"GET /matches/{match_id}/board?from={since}", secret)

    async def _ask(self, what: str, secret: str, more: str = "", content: bytes = b"") -> bytes:
        head = f"{what} HTTP/1.1\r\nHost: 127.0.0.1:{self.port}\r\n{more}"
        head += f"Authorization: Bearer {secret}\r\n" if secret else ""
        try:
            return await self._asked(head.encode() + b"\r\n" + content)
        except (asyncio.IncompleteReadError, ConnectionError):
            self.streams = None
            return await self._asked(head.encode() + b"\r\n" + content)

    async def _asked(self, request: bytes) -> bytes:
        if self.streams is None:
            self.streams = await asyncio.open_connection("127.0.0.1", self.port)
        reader, writer = self.streams
        writer.write(request)
        answer = await reader.readuntil(b"\r\n\r\n")
        [length] = [line for line in answer.lower().split(b"\r\n") if line.startswith(b"content-length")]
        told = await reader.readexactly(int(length.split(b":")[1]))
        assert b" 20" in answer[:13], (answer[:40], told[:200])
        return told


async def play_match(
    port: int, moves: list[str], begin: asyncio.Event, end: float, delay: float, took: list[float], pictures: bool
) -> None:
    """Play one match: each player hears of the other's move on a live connection, and moves a second after the last."""
    connections = (Connection(port), Connection(port))
    made = await connections[0].post("/matches", {"game": GAME, "seats": [{"kind": "me"}, {"kind": "open"}]})
    joined = await connections[1].post(f"/matches/{made['id']}/join", {"invite": made["invite"]})
    secrets = (made["secrets"]["0"], joined["secret"])  # type: ignore[index]
    match_id, version = str(made["id"]), int(str(joined["version"]))  # which grows by one with every move
    address = f"ws://127.0.0.1:{port}{'' if pictures else '/api/v1'}/matches/{match_id}/live"
    async with (
        connect(address, additional_headers={"Authorization": f"Bearer {secrets[0]}"}, compression=None) as first,
        connect(address, additional_headers={"Authorization": f"Bearer {secrets[1]}"}, compression=None) as second,
    ):
        lives = (first, second)
        heard = [Ear(live) for live in lives]
        await begin.wait()
        next_at = time.monotonic() + delay
        for ply, move in enumerate(moves):
            await asyncio.sleep(max(0.0, next_at - time.monotonic()))
            next_at += 1.0
            if time.monotonic() > end_of(end):
                break
            begun = time.perf_counter()
            mover, other = ply % 2, 1 - ply % 2
            sending = asyncio.create_task(connections[mover].play(match_id, move, ply, str(secrets[mover]), pictures))
            await heard[other].reaches(version + ply + 1)
            if pictures:
                await connections[other].see(match_id, ply, str(secrets[other]))
            took.append(time.perf_counter() - begun)
            await sending
        for ear in heard:
            ear.listening.cancel()


ends: dict[float, float] = {}


def end_of(seconds: float) -> float:
    """Return when the measuring ends; it begins when everybody is connected."""
    return ends.setdefault(seconds, time.monotonic() + seconds)


class Ear:
    """Hears the live connection of one player."""

    def __init__(self, live: object) -> None:
        self.version = 0
        self.changed = asyncio.Condition()
        self.listening = asyncio.create_task(self._listen(live))

    async def _listen(self, live: object) -> None:
        async for message in live:  # type: ignore[attr-defined]
            told = json.loads(message)
            async with self.changed:
                self.version = max(self.version, told.get("version", 0))  # some only say that the connection is alive
                self.changed.notify_all()

    async def reaches(self, version: int) -> None:
        """Return when that version of the match has been heard of."""
        async with self.changed:
            await self.changed.wait_for(lambda: self.version >= version)


async def measure(port: int, matches: int, seconds: float, pictures: bool) -> list[float]:
    """Return the times, in seconds, from POST to update, or to the new picture."""
    took: list[float] = []
    begin = asyncio.Event()
    ends.clear()
    games = [random_moves(seed) for seed in range(20)]
    playing = [
        asyncio.create_task(play_match(port, games[n % 20], begin, seconds, random.random(), took, pictures))
        for n in range(matches)
    ]
    while sum(task.done() for task in playing) == 0 and watchers(port) < 2 * matches:
        await asyncio.sleep(0.2)
    await asyncio.sleep(3)  # what connecting left to do is done
    begin.set()
    await asyncio.gather(*playing)
    return sorted(took)


def watchers(port: int) -> float:
    """Return how many live connections the server has."""
    with urlopen(f"http://127.0.0.1:{port}/metrics") as answer:
        for line in answer.read().decode().splitlines():
            if line.startswith("connectoe_watchers "):
                return float(line.split()[1])
    return 0.0


def memory(process: int) -> int:
    """Return the bytes a process holds."""
    return int(Path(f"/proc/{process}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def cpu_seconds(process: int) -> float:
    """Return the processor time that a process has used."""
    user, system = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[11:13]
    return (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")


def main() -> None:
    """Measure larger and larger numbers of matches, print a table and write JSON."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--database", help="by default a new SQLite file")
    parser.add_argument("--matches", type=int, nargs="+", default=[50, 100, 200, 400, 600, 800])
    parser.add_argument("--seconds", type=float, default=15)
    parser.add_argument(
        "--pictures", action="store_true", help="let both players get the new picture of the board, too"
    )
    parser.add_argument("-o", "--output", help="write the figures as JSON")
    asked = parser.parse_args()
    allow_many_connections()
    figures = []
    with tempfile.TemporaryDirectory() as folder:
        for matches in asked.matches:
            with socket.create_server(("127.0.0.1", 0)) as free:
                port = free.getsockname()[1]
            database = asked.database or f"sqlite:///{folder}/{matches}.db"
            command = [sys.executable, "-m", "connectoe", "serve", "--port", str(port), "--database", database]
            server = subprocess.Popen([*command, "--unlimited", "--no-warming"], stderr=subprocess.DEVNULL)
            try:
                wait_for(port)
                before, used = memory(server.pid), cpu_seconds(server.pid)
                took = asyncio.run(measure(port, matches, asked.seconds, asked.pictures))
                grown = (memory(server.pid) - before) / matches / 1024
                used = cpu_seconds(server.pid) - used
            finally:
                server.terminate()
                server.wait()
            median, worst = took[len(took) // 2], took[int(len(took) * 0.99)]
            figures.append(
                {
                    "database": "postgresql" if asked.database else "sqlite",
                    "matches": matches,
                    "moves": len(took),
                    "median_ms": round(1000 * median, 1),
                    "p99_ms": round(1000 * worst, 1),
                    "kb_a_match": round(grown, 1),
                    "cpu_ms_a_move": round(1000 * used / len(took), 2),
                }
            )
            print("  ".join(f"{name} {value}" for name, value in figures[-1].items()), flush=True)
            if worst > WANTED:
                break
    best = max((figure["matches"] for figure in figures if figure["p99_ms"] <= 1000 * WANTED), default=0)
    print(f"the most matches with 99% under {1000 * WANTED:.0f} ms: {best}")
    if asked.output:
        Path(asked.output).write_text(json.dumps({"figures": figures, "most": best}, indent=1) + "\n")


def wait_for(port: int) -> None:
    """Return when the server answers."""
    for _ in range(200):
        try:
            urlopen(f"http://127.0.0.1:{port}/healthz").close()
            return
        except OSError:
            time.sleep(0.1)
    raise SystemExit("the server does not answer")


if __name__ == "__main__":
    main()
