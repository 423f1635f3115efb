"""Work in which clients take turns, so that a client that asks for much delays the others little.

Every client has used some seconds of work. Next comes the piece of work for which this time, together with what the
piece is expected to take, is the least: a client that has used little comes before one that has used much, and of
equals the short piece before the long one. A client that comes back begins with as much as those who are being served,
so that nobody saves up time. (This is start-time fair queueing, with a preference for short work.)
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from concurrent.futures import Future, ThreadPoolExecutor
from threading import Lock
from typing import Any, NamedTuple, TypeVar

T = TypeVar("T")
MOST_REMEMBERED = 1000
"""How many clients are remembered that have no work now."""


class Usage:
    """How many seconds of work each client has used.

    >>> usage = Usage()
    >>> usage.come("ann"), usage.come("bob")
    (None, None)
    >>> usage.begin("ann", 1.0)
    >>> usage.first([("ann", 0.1), ("bob", 1.0)])
    1
    >>> usage.first([("ann", 0.1), ("bob", 5.0)])
    0
    """

    def __init__(self) -> None:
        self._used: dict[str, float] = {}
        self._least = 0.0  # what the client served last had used; a new client has no less

    def come(self, client: str) -> None:
        """Note that a client comes that had no work waiting."""
        self._used[client] = max(self._least, self._used.get(client, 0.0))

    def first(self, waiting: Iterable[tuple[str, float]]) -> int:
        """Return which of these comes first, given the client and the expected seconds of each."""
        sums = [self._used.get(client, self._least) + expected for client, expected in waiting]
        return sums.index(min(sums))

    def begin(self, client: str, expected: float) -> None:
        """Count a piece of work that is begun."""
        used = self._used.get(client, self._least)
        self._least = max(self._least, used)
        self._used[client] = used + expected
        if len(self._used) > MOST_REMEMBERED:
            self._used = {name: used for name, used in self._used.items() if used > self._least}

    def end(self, client: str, expected: float, taken: float) -> None:
        """Count what the piece of work has really taken."""
        if client in self._used:
            self._used[client] += taken - expected


class _Piece(NamedTuple):
    client: str
    expected: float
    work: Callable[[], Any]
    promise: Future[Any]


class FairPool:
    """A number of threads that clients use in turn.

    >>> pool = FairPool(1, "example")
    >>> pool.submit("ann", 1.0, lambda: "done").result()
    'done'
    >>> pool.end()
    """

    def __init__(self, threads: int, name: str) -> None:
        self._threads = ThreadPoolExecutor(threads, thread_name_prefix=name)
        self._usage = Usage()
        self._waiting: list[_Piece] = []
        self._lock = Lock()

    def submit(self, client: str, expected: float, work: Callable[[], T]) -> Future[T]:
        """Return a promise of what some work of a client returns, which is expected to take this many seconds."""
        promise: Future[T] = Future()
        piece = _Piece(client, expected, work, promise)
        with self._lock:
            if not any(other.client == client for other in self._waiting):
                self._usage.come(client)
            self._waiting.append(piece)
        try:
            self._threads.submit(self._do_next)  # not necessarily this piece
        except RuntimeError:  # the pool has ended
            promise.cancel()
        return promise

    def _do_next(self) -> None:
        with self._lock:
            self._waiting = [piece for piece in self._waiting if not piece.promise.cancelled()]
            if not self._waiting:
                return
            first = self._usage.first((piece.client, piece.expected) for piece in self._waiting)
            piece = self._waiting.pop(first)
            if not piece.promise.set_running_or_notify_cancel():
                return
            self._usage.begin(piece.client, piece.expected)
        begun = time.perf_counter()
        try:
            piece.promise.set_result(piece.work())
        except BaseException as error:
            piece.promise.set_exception(error)
        with self._lock:
            self._usage.end(piece.client, piece.expected, time.perf_counter() - begun)

    def end(self) -> None:
        """Stop; what is under way is the last."""
        self._threads.shutdown(wait=False, cancel_futures=True)
        with self._lock:
            waiting, self._waiting = self._waiting, []
        for piece in waiting:
            piece.promise.cancel()
