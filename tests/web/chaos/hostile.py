"""Clients that send nonsense, too much or too slowly, or do not read what they are sent."""

from __future__ import annotations

import asyncio
import base64
import random
import struct
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Any

from tests.web.chaos.clients import AWAY, Client

CONTINUED, TEXT, BINARY, CLOSE, PING, PONG = 0, 1, 2, 8, 9, 10
KEY = base64.b64encode(b"0123456789abcdef").decode()
UPGRADE = f"Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: {KEY}\r\n\r\n"


def frame(kind: int, data: bytes = b"", is_last: bool = True) -> bytes:
    """A frame as a client sends it, masked with zeros."""
    size = bytes([0x80 | len(data)]) if len(data) < 126 else struct.pack("!BH", 0x80 | 126, len(data))
    return bytes([(0x80 if is_last else 0) | kind]) + size + bytes(4) + data


def nonsense(chance: random.Random) -> bytes:
    """Frames, right and wrong, and bytes that are none."""
    data = chance.randbytes(chance.choice((0, 1, 2, 20, 125, 126, 4096, 5000)))
    whole = frame(chance.choice((CONTINUED, TEXT, BINARY, CLOSE, PING, PONG, 3, 15)), data, chance.random() < 0.8)
    changed = bytearray(whole)
    changed[chance.randrange(min(12, len(whole)))] = chance.randrange(256)
    return chance.choice((whole, bytes(changed), data, whole[: len(whole) // 2], b"\xc1" + whole[1:]))


class Hostile:
    """Somebody who tries everything; `match_id` is a match of somebody else."""

    def __init__(self, client: Client, seed: str, match_id: Callable[[], str]) -> None:
        self.client = client
        self.chance = random.Random(seed)
        self.match_id = match_id
        self._held: list[asyncio.StreamWriter] = []

    async def go_on(self) -> None:
        """Be hostile until the run is over."""
        acts: list[Callable[[], Awaitable[Any]]] = [
            self._begin_slowly,
            self._do_not_read,
            self._send_frames,
            self._flood,
            self._paste,
            self._send_headers,
            self._move_for_others,
        ]
        while not self.client.report.is_over:
            with suppress(*AWAY, TimeoutError):
                async with asyncio.timeout(3):
                    await self.chance.choice(acts)()
            while len(self._held) > 40:
                self._held.pop(0).close()
            await self.client.report.pause(0.1 * self.chance.random())
        for writer in self._held:
            writer.close()

    async def _connect(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        reader, writer = await asyncio.open_connection(
            "127.0.0.1", self.client.port, local_addr=(self.client.address, 0)
        )
        self._held.append(writer)
        return reader, writer

    async def _begin_slowly(self) -> None:
        """Begin requests and never end them."""
        beginnings = (b"", b"GET / HT", b"GET / HTTP/1.1\r\nHost: x\r\nA: ", b"POST /analyse HTTP/1.1\r\nHost: x\r\n")
        for begun in beginnings:
            (await self._connect())[1].write(begun)
        body = b"POST /analyse HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000\r\n\r\nrecord="
        (await self._connect())[1].write(body)

    async def _do_not_read(self) -> None:
        """Ask for much on one connection and read nothing."""
        _, writer = await self._connect()
        writer.write(b"GET /static/style.css HTTP/1.1\r\nHost: localhost\r\n\r\n" * 10)
        await writer.drain()

    async def _watch(self) -> asyncio.StreamWriter:
        reader, writer = await self._connect()
        writer.write(f"GET /matches/{self.match_id()}/live HTTP/1.1\r\nHost: localhost\r\n{UPGRADE}".encode())
        await reader.read(12)
        return writer

    async def _send_frames(self) -> None:
        """Send nonsense over a live connection."""
        writer = await self._watch()
        for _ in range(20):
            writer.write(nonsense(self.chance))
            await writer.drain()

    async def _flood(self) -> None:
        """Send more pings or short messages than anybody may, and read no answer."""
        writer, each = await self._watch(), self.chance.choice((frame(PING, b"." * 125), frame(TEXT)))
        for _ in range(20):
            writer.write(each * 100)
            await writer.drain()

    async def _paste(self) -> None:
        """Paste what takes long to read, or cannot be read."""
        text = self.chance.choice(
            (
                '[Connectoe "1"]\n[Game "ultimate"]\n\n1. a1 a2\n\n' * 3_000,
                "d {" + "{" * 190_000,
                '{"connectoe":' + "[" * 90_000,
                '{"connectoe":1,' + ",".join(f'"{number}":0' for number in range(15_000)) + ',"0":0}',
                "1" * 190_000,
                self.chance.randbytes(20_000).decode("latin-1"),
            )
        )
        kind = self.chance.choice(("utf-8", "utf-8", "punycode", "unicode_escape"))
        body = f'--b\r\nContent-Disposition: form-data; name="record"\r\n\r\n{text}\r\n--b--\r\n'.encode()
        headers = {"content-type": f"multipart/form-data; boundary=b; charset={kind}", "origin": self.client.url}
        await self.client.once("POST", "/analyse", content=body, headers=headers)

    async def _send_headers(self) -> None:
        """Send cookies and other headers that are hard to read."""
        cookie = 'connectoe="' + "\\" * self.chance.choice((1_000, 15_000, 60_000)) + '"'
        claimed = {"x-forwarded-for": "127.0.1.1", "host": self.chance.choice(("[", "a b", "localhost"))}
        await self.client.once("GET", "/about", headers={"cookie": cookie} | claimed)

    async def _move_for_others(self) -> None:
        """Try to move, resign and undo in somebody else's match."""
        for call, body in (("moves", {"move": "b2", "ply": 0}), ("resign", None), ("undo", {})):
            headers = {"authorization": f"Bearer {self.chance.randbytes(24).hex()}"}
            path = f"/api/v1/matches/{self.match_id()}/{call}"
            answer = await self.client.once("POST", path, json=body, headers=headers)
            if answer is not None and answer.status_code == 200:
                self.client.report.problem(f"{path} was accepted from somebody else")
