"""Threads for requests: some are kept for playing, others do what may take long, and clients take turns.

A pool is a number of threads. While all of them are busy, requests wait in a line per client, and the lines are served
in turn: a client with a hundred requests delays another client by one of them. What waits too long is refused with 503.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict, deque
from collections.abc import Callable, Coroutine
from contextlib import suppress
from contextvars import ContextVar
from functools import partial, wraps
from inspect import iscoroutinefunction
from queue import SimpleQueue
from threading import Thread
from typing import Any, NamedTuple, ParamSpec, TypeVar

from fastapi import Request, Response
from fastapi.routing import APIRoute
from starlette.requests import HTTPConnection

from connectoe.core.budget import cpu_seconds
from connectoe.web.http.bodies import SHORT, read_long_body
from connectoe.web.service.refusals import Busy

P = ParamSpec("P")
T = TypeVar("T")
CPU_SECONDS = 2.0
"""How much computing one request may ask for; the longest match is read in a quarter of it."""
LONGEST_WAIT = 10.0
"""The seconds that a request waits for a thread."""
LONGEST_LINE = 500
"""How many requests of one client may wait."""


class PoolTask(NamedTuple):
    """Work for a thread, and the event loop in which somebody waits for what it returns."""

    work: Callable[[], Any]
    promise: asyncio.Future[Any]
    loop: asyncio.AbstractEventLoop


class Pool:
    """A number of threads, used by clients in turn. All methods are called in one event loop.

    The threads are its own: asking one of them takes a third of the time that a general library needs for it.
    """

    def __init__(self, threads: int, longest_wait: float = LONGEST_WAIT, longest_line: int = LONGEST_LINE) -> None:
        self.longest_wait = longest_wait
        self.longest_line = longest_line
        self._free = threads
        self._started = 0
        self._busy = 0
        self._tasks: SimpleQueue[PoolTask | None] = SimpleQueue()
        self._lines: OrderedDict[str, deque[asyncio.Future[None]]] = OrderedDict()

    async def run(self, client: str, function: Callable[P, T], /, *args: P.args, **named: P.kwargs) -> T:
        """Return what a function returns that runs in a thread; raise Busy if no thread becomes free in time."""
        await self._wait(client)
        loop = asyncio.get_running_loop()
        promise: asyncio.Future[T] = loop.create_future()
        self._busy += 1
        if self._busy > self._started:
            self._started += 1
            Thread(target=self._work, name="request", daemon=True).start()
        self._tasks.put(PoolTask(partial(_limited, function, *args, **named), promise, loop))
        return await promise

    def _work(self) -> None:
        """Do one task after another, in a thread."""
        while task := self._tasks.get():
            result, error = None, None
            try:
                result = task.work()
            except BaseException as raised:
                error = raised
            with suppress(RuntimeError):  # the server has stopped
                task.loop.call_soon_threadsafe(self._done, task.promise, result, error)
            del task, result, error

    def _done(self, promise: asyncio.Future[Any], result: Any, error: BaseException | None) -> None:
        self._busy -= 1
        self._next()
        if promise.done():  # nobody waits for it any more
            return
        if error:
            promise.set_exception(error)
        else:
            promise.set_result(result)

    def end(self) -> None:
        """Let the threads end."""
        for _ in range(self._started):
            self._tasks.put(None)

    async def _wait(self, client: str) -> None:
        """Wait until it is the client's turn."""
        if self._free:
            self._free -= 1
            return
        line = self._lines.setdefault(client, deque())
        if len(line) >= self.longest_line:
            raise Busy("the server is busy with your other requests; try again in a moment")
        turn = asyncio.get_running_loop().create_future()
        line.append(turn)
        try:
            async with asyncio.timeout(self.longest_wait):
                await turn
        except BaseException as error:
            if turn.done() and not turn.cancelled():  # it came at the last moment: somebody else has it
                self._next()
            if isinstance(error, TimeoutError):
                raise Busy("the server has too much to do; try again in a moment") from None
            raise

    def _next(self) -> None:
        """Let the first in the next client's line have the thread that has become free."""
        while self._lines:
            client, line = self._lines.popitem(last=False)
            turn = line.popleft()
            if line:
                self._lines[client] = line
            if not turn.done():  # else it has given up
                turn.set_result(None)
                return
        self._free += 1


def _limited(function: Callable[P, T], /, *args: P.args, **named: P.kwargs) -> T:
    with cpu_seconds(CPU_SECONDS):
        return function(*args, **named)


class Pools:
    """The pools of a server, so that no kind of request waits for another."""

    def __init__(self) -> None:
        self.playing = Pool(threads=8)
        """For moves, and everything else that players need at once; most of them wait for the disk or the database."""
        self.reading = Pool(threads=2)
        """For pages that need little computing and no database: the games, their rules and lessons."""
        self.working = Pool(threads=2)
        """For what may take long: pasted texts, analyses, pictures, lists of matches."""
        self.checking = Pool(threads=1)
        """For monitoring the server."""

    def end(self) -> None:
        """Let all threads end."""
        for pool in (self.playing, self.reading, self.working, self.checking):
            pool.end()


Choice = Callable[[Pools], Pool]
_request: ContextVar[HTTPConnection] = ContextVar("request")


def playing(pools: Pools) -> Pool:
    """Return the pool for players."""
    return pools.playing


def reading(pools: Pools) -> Pool:
    """Return the pool for pages that are read."""
    return pools.reading


def working(pools: Pools) -> Pool:
    """Return the pool for what may take long."""
    return pools.working


def checking(pools: Pools) -> Pool:
    """Return the pool for health checks."""
    return pools.checking


async def run_in(
    choice: Choice, request: HTTPConnection, function: Callable[P, T], /, *args: P.args, **named: P.kwargs
) -> T:
    """Return what a function returns that runs in a thread of one of the pools."""
    return await choice(request.app.state.pools).run(request.state.client, function, *args, **named)


def slow(endpoint: Callable[P, T]) -> Callable[P, T]:
    """Mark an endpoint that is not `async` as one that may take long."""
    endpoint.pool = working  # type: ignore[attr-defined]
    return endpoint


class PlayingRoute(APIRoute):
    """A route whose endpoint, unless it is `async`, runs in a thread for players; with `@slow`, in another pool.

    A long body is read in a thread for slow work.
    """

    pool: Choice = staticmethod(playing)

    def __init__(self, path: str, endpoint: Callable[..., Any], **settings: Any) -> None:
        super().__init__(path, self._in_pool(endpoint), **settings)

    def _in_pool(self, endpoint: Callable[..., Any]) -> Callable[..., Any]:
        if iscoroutinefunction(endpoint):
            return endpoint
        pool = getattr(endpoint, "pool", self.pool)

        @wraps(endpoint)
        async def in_pool(*args: Any, **named: Any) -> Any:
            return await run_in(pool, _request.get(), endpoint, *args, **named)

        return in_pool

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        """Return what answers a request."""
        answer = super().get_route_handler()

        async def answers(request: Request) -> Response:
            _request.set(request)
            if request.method != "GET" and len(await request.body()) > SHORT:
                await run_in(working, request, read_long_body, request)
            return await answer(request)

        return answers


class ReadingRoute(PlayingRoute):
    """A route to a page that needs little computing and no database."""

    pool = staticmethod(reading)


class WorkingRoute(PlayingRoute):
    """A route whose endpoint may take long."""

    pool = staticmethod(working)


class CheckingRoute(PlayingRoute):
    """A route for monitoring the server."""

    pool = staticmethod(checking)
