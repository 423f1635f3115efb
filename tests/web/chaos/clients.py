"""Clients of a server that may be away, each with an address of its own, so that they are counted one by one."""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from typing import Any

import httpx

LONGEST_WAIT = 40.0
"""The seconds after which an answer counts as never given; a request may wait ten for a thread."""
AWAY = (httpx.TransportError, OSError)
"""What a client sees of a server that is killed."""


class Report:
    """What went wrong, and what was measured; shared by all clients of a run."""

    def __init__(self) -> None:
        self.problems: list[str] = []
        self.answers: Counter[str] = Counter()
        self.moves = 0
        self.waits: list[float] = []
        """The seconds that each accepted move took, with all attempts."""
        self.is_over = False

    def problem(self, words: str) -> None:
        """Note something that must not happen."""
        self.problems.append(words)

    async def pause(self, seconds: float) -> None:
        """Wait, but not longer than the run lasts."""
        end = time.monotonic() + seconds
        while not self.is_over and time.monotonic() < end:
            await asyncio.sleep(min(0.2, seconds))


class Client:
    """Somebody with an address; `port` is where the server is whenever it runs."""

    def __init__(self, report: Report, port: int, address: str) -> None:
        self.report = report
        self.port = port
        self.address = address
        self.url = f"http://127.0.0.1:{port}"
        transport = httpx.AsyncHTTPTransport(local_address=address)
        self.http = httpx.AsyncClient(base_url=self.url, transport=transport, timeout=LONGEST_WAIT)

    async def once(self, method: str, path: str, **request: Any) -> httpx.Response | None:
        """Ask once; None if the server was killed meanwhile."""
        try:
            answer = await self.http.request(method, path, **request)
        except httpx.TimeoutException:
            self.report.problem(f"{method} {path} was never answered")
            return None
        except AWAY:
            self.report.answers["away"] += 1
            return None
        self.report.answers[str(answer.status_code)] += 1
        if answer.status_code >= 500 and answer.status_code != 503:
            self.report.problem(f"{method} {path} was answered with {answer.status_code}")
        return answer

    async def ask(self, method: str, path: str, secret: str = "", **request: Any) -> httpx.Response:
        """Ask again until the server answers and can use its database."""
        headers = {"Authorization": f"Bearer {secret}"} if secret else {}
        while True:
            answer = await self.once(method, path, headers=headers, **request)
            if answer is not None and answer.status_code != 503:
                return answer
            await asyncio.sleep(0.1)

    async def close(self) -> None:
        """Leave."""
        await self.http.aclose()
