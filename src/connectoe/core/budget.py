"""How much computing one task may take, so that a server stays in control of the work that clients ask for.

The caller gives a task seconds of CPU time; what may take long, such as playing a long list of moves, checks
now and then whether they are used up. Without a budget nothing is limited.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from connectoe.core.errors import TooMuchWork

_ends_at: ContextVar[float | None] = ContextVar("ends_at", default=None)
"""In seconds of CPU time of the thread that works on the task."""


@contextmanager
def cpu_seconds(most: float) -> Iterator[None]:
    """Give the work in a `with` block, in this thread, at most `most` seconds of CPU time.

    >>> with cpu_seconds(0.01):
    ...     while True:
    ...         check_budget()
    Traceback (most recent call last):
    connectoe.core.errors.TooMuchWork: this takes more computing than one request may ask for; send less at a time
    """
    token = _ends_at.set(time.thread_time() + most)
    try:
        yield
    finally:
        _ends_at.reset(token)


def check_budget() -> None:
    """Raise TooMuchWork if the budget of this task is used up."""
    ends_at = _ends_at.get()
    if ends_at is not None and time.thread_time() > ends_at:
        raise TooMuchWork("this takes more computing than one request may ask for; send less at a time")
