"""The clients of `web.py`: players, spectators, and people who only leave a page open."""

from __future__ import annotations

import asyncio
import json
import random
import time
from collections.abc import Awaitable, Iterable
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from functools import cache
from itertools import cycle
from typing import Any, NamedTuple, Protocol
from urllib.parse import urlencode

from websockets.asyncio.client import connect

from connectoe import load

GAME = "ultimate"
WIDE_GAME = "ultimate-ultimate"
ADDRESSES = cycle(f"127.0.{number // 250 + 1}.{number % 250 + 1}" for number in range(5000))
"""Every client has an address of its own, since a server lets clients take turns."""
AT_ONCE = 40
"""How many matches are made and connected at the same time."""


class Measured(Protocol):
    """The server, seen by its clients."""

    port: int

    @property
    def cpu_seconds(self) -> float:
        """The processor time it has used."""

    @property
    def memory(self) -> int:
        """The bytes it holds."""


@dataclass
class Played:
    """What was measured: how long each move took to be seen, and the server's processor time meanwhile."""

    took: list[float] = field(default_factory=list)
    cpu_seconds: float = 0.0


@cache
def random_moves(game: str, seed: int, least: int = 45) -> list[str]:
    """Return the first moves of a random game that is long enough."""
    choice = random.Random(seed)
    while True:
        state, moves = load(game).start, list[str]()
        while not state.outcome and len(moves) < least + 15:
            moves.append(choice.choice(state.legal_moves()))
            state = state.play(moves[-1])
        if len(moves) > least:
            return moves


class Connection:
    """Keeps one HTTP connection open, as a browser does, and opens another when the server has closed it."""

    def __init__(self, port: int) -> None:
        self.port = port
        self.address = next(ADDRESSES)
        self.streams: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def post(self, path: str, body: dict[str, object], secret: str = "") -> dict[str, Any]:
        """Return what the server answers to a program."""
        content = json.dumps(body).encode()
        more = f"Content-Type: application/json\r\nContent-Length: {len(content)}\r\n"
        return dict(json.loads(await self._ask(f"POST /api/v1{path}", secret, more, content)))

    async def submit(self, match_id: str, move: str, ply: int, secret: str) -> None:
        """Make a move as a page does, which is answered with the new picture of the board."""
        content = urlencode({"move": move, "ply": ply}).encode()
        more = f"Content-Type: application/x-www-form-urlencoded\r\nContent-Length: {len(content)}\r\n"
        await self._ask(f"POST /matches/{match_id}/move?from={ply}", secret, more, content)

    async def see(self, match_id: str, since: int, secret: str) -> None:
        """Get the new picture of a board, as a page does after the opponent's move."""
        await self._ask(f"GET /matches/{match_id}/board?from={since}", secret)

    async def _ask(self, what: str, secret: str, more: str = "", content: bytes = b"") -> bytes:
        head = f"{what} HTTP/1.1\r\nHost: 127.0.0.1:{self.port}\r\nAccept-Encoding: gzip, deflate, br\r\n{more}"
        head += f"Authorization: Bearer {secret}\r\n" if secret else ""
        try:
            return await self._asked(head.encode() + b"\r\n" + content)
        except (asyncio.IncompleteReadError, ConnectionError):
            self.streams = None
            return await self._asked(head.encode() + b"\r\n" + content)

    async def _asked(self, request: bytes) -> bytes:
        if self.streams is None:
            self.streams = await asyncio.open_connection("127.0.0.1", self.port, local_addr=(self.address, 0))
        reader, writer = self.streams
        writer.write(request)
        answer = await reader.readuntil(b"\r\n\r\n")
        [length] = [line for line in answer.lower().split(b"\r\n") if line.startswith(b"content-length")]
        told = await reader.readexactly(int(length.split(b":")[1]))
        assert b" 20" in answer[:13], (answer[:40], told[:200])
        return told


class Listener:
    """Hears the live connection of one client."""

    def __init__(self, live: Any) -> None:
        self.live = live
        self.version = 0
        self.changed = asyncio.Condition()
        self.listening = asyncio.create_task(self._listen())

    async def _listen(self) -> None:
        async for message in self.live:
            told = json.loads(message)
            async with self.changed:
                self.version = max(self.version, told.get("version", 0))  # some only say that the connection is alive
                self.changed.notify_all()

    async def reaches(self, version: int) -> None:
        """Return when that version of the match has been heard of."""
        async with self.changed:
            await self.changed.wait_for(lambda: self.version >= version)


class Pair(NamedTuple):
    """A match of two people, with their connections."""

    id: str
    version: int
    """Before the first move; it grows by one with every move."""
    secrets: tuple[str, str]
    connections: tuple[Connection, Connection]
    listeners: list[Listener]


async def pair(port: int, game: str, stack: AsyncExitStack, as_pages: bool) -> Pair:
    """Return a new match whose two players are connected."""
    connections = (Connection(port), Connection(port))
    match_id, version, secrets = await begin(*connections, game)
    listeners = [await listener(port, match_id, stack, secret, as_pages) for secret in secrets]
    return Pair(match_id, version, secrets, connections, listeners)


async def begin(maker: Connection, guest: Connection, game: str) -> tuple[str, int, tuple[str, str]]:
    """Return the id of a new match, its version and the secrets of both seats."""
    made = await maker.post("/matches", {"game": game, "seats": [{"kind": "me"}, {"kind": "open"}]})
    joined = await guest.post(f"/matches/{made['id']}/join", {"invite": made["invite"]})
    return made["id"], int(joined["version"]), (str(made["secrets"]["0"]), str(joined["secret"]))


async def listener(port: int, match_id: str, stack: AsyncExitStack, secret: str, as_page: bool) -> Listener:
    """Return a live connection that has heard how the match stands."""
    address = f"ws://127.0.0.1:{port}{'' if as_page else '/api/v1'}/matches/{match_id}/live"
    headers = {"Authorization": f"Bearer {secret}"} if secret else {}
    live = await stack.enter_async_context(connect(address, additional_headers=headers, max_size=None))
    listens = Listener(live)
    stack.callback(listens.listening.cancel)
    await listens.reaches(1)
    return listens


async def all_at_most(coming: Iterable[Awaitable[Pair]]) -> list[Pair]:
    """Return what these return, some of them at the same time."""
    limit = asyncio.Semaphore(AT_ONCE)

    async def limited(one: Awaitable[Pair]) -> Pair:
        async with limit:
            return await one

    return await asyncio.gather(*map(limited, coming))


async def play(server: Measured, matches: int, seconds: float, pictures: bool, by: str) -> Played:
    """Let this many matches go on, each at one move per second."""
    played = Played()
    async with AsyncExitStack() as stack:
        pairs = await all_at_most(pair(server.port, GAME, stack, pictures) for _ in range(matches))
        await asyncio.sleep(2)  # what connecting left to do is done
        begun, used = time.monotonic() + 0.5, server.cpu_seconds
        games = [random_moves(GAME, seed) for seed in range(20)]
        await asyncio.gather(
            *(
                play_match(one, games[n % 20], begun + random.random(), begun + seconds, played.took, pictures, by)
                for n, one in enumerate(pairs)
            )
        )
        played.cpu_seconds = server.cpu_seconds - used
    return played


async def play_match(
    one: Pair, moves: list[str], next_at: float, end: float, took: list[float], pictures: bool, by: str
) -> None:
    """Play one match: each player hears of the other's move on a live connection, and moves a second after the last."""
    for ply, move in enumerate(moves):
        await asyncio.sleep(max(0.0, next_at - time.monotonic()))
        next_at += 1.0
        if time.monotonic() > end:
            break
        begun = time.perf_counter()
        mover, other = ply % 2, 1 - ply % 2
        async with asyncio.TaskGroup() as both:  # nobody waits for a move that is refused
            both.create_task(send(one, mover, move, ply, pictures, by))
            await one.listeners[other].reaches(one.version + ply + 1)
            if pictures:
                await one.connections[other].see(one.id, ply, one.secrets[other])
            took.append(time.perf_counter() - begun)


async def send(one: Pair, mover: int, move: str, ply: int, pictures: bool, by: str) -> None:
    """Make a move, and wait until it is accepted."""
    secret = one.secrets[mover]
    if pictures:
        await one.connections[mover].submit(one.id, move, ply, secret)
    elif by == "socket":
        await one.listeners[mover].live.send(json.dumps({"move": move, "ply": ply}))
        await one.listeners[mover].reaches(one.version + ply + 1)
    else:
        await one.connections[mover].post(f"/matches/{one.id}/moves", {"move": move, "ply": ply}, secret)


async def grow(server: Measured, matches: int, pictures: bool) -> list[int]:
    """Return the server's memory before anything, with matches made, with their live connections, and after ten moves.

    While they are played, each of the two clients has an HTTP connection, too.
    """
    held = [server.memory]
    async with AsyncExitStack() as stack:
        maker = Connection(server.port)
        begun = [await begin(maker, maker, GAME) for _ in range(matches)]
        held.append(server.memory)
        pairs = [
            Pair(
                match_id,
                version,
                secrets,
                (Connection(server.port), Connection(server.port)),
                [await listener(server.port, match_id, stack, secret, pictures) for secret in secrets],
            )
            for match_id, version, secrets in begun
        ]
        held.append(server.memory)
        games = [random_moves(GAME, seed) for seed in range(20)]
        start = time.monotonic() + 0.5
        await asyncio.gather(
            *(
                play_match(one, games[n % 20][:10], start + n / matches, start + 60, [], pictures, "post")
                for n, one in enumerate(pairs)
            )
        )
        held.append(server.memory)
    return held


async def watch(server: Measured, spectators: int, moves: int) -> Played:
    """Let two programs play on the widest board, while pages watch them and fetch the picture after each move."""
    played = Played()
    async with AsyncExitStack() as stack:
        one = await pair(server.port, WIDE_GAME, stack, as_pages=False)
        pages = [
            (Connection(server.port), await listener(server.port, one.id, stack, "", as_page=True))
            for _ in range(spectators)
        ]

        async def sees(connection: Connection, listens: Listener, ply: int) -> None:
            await listens.reaches(one.version + ply + 1)
            await connection.see(one.id, ply, "")

        turns = turns_of(moves)
        await asyncio.sleep(2)
        used = server.cpu_seconds
        for ply, move in enumerate(random_moves(WIDE_GAME, 1, moves)[:moves]):
            begun = time.perf_counter()
            mover = turns[ply]
            await asyncio.gather(send(one, mover, move, ply, False, "post"), *(sees(*page, ply) for page in pages))
            played.took.append(time.perf_counter() - begun)
        played.cpu_seconds = server.cpu_seconds - used
    return played


def turns_of(moves: int) -> list[int]:
    """Return who makes each of the first moves on the widest board; players may move twice in a row there."""
    state, turns = load(WIDE_GAME).start, list[int]()
    for move in random_moves(WIDE_GAME, 1, moves)[:moves]:
        turns.append(state.turn or 0)
        state = state.play(move)
    return turns


async def idle(server: Measured, connections: int, seconds: float) -> Played:
    """Open live connections of pages and leave them alone."""
    async with AsyncExitStack() as stack:
        await all_at_most(pair(server.port, GAME, stack, as_pages=True) for _ in range(connections // 2))
        await asyncio.sleep(min(10, seconds))
        used, begun = server.cpu_seconds, time.monotonic()
        await asyncio.sleep(seconds)
        return Played([time.monotonic() - begun], server.cpu_seconds - used)
