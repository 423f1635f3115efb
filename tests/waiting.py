"""Waiting for something to happen, instead of for some time."""

from __future__ import annotations

import time
from collections.abc import Callable


def until(
    holds: Callable[[], object],
    seconds: float = 30.0,
    pause: Callable[[float], object] = time.sleep,
    every: float = 0.02,
) -> None:
    """Return as soon as a condition holds; fail if it does not for too long."""
    end = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < end, "what was waited for has not happened"
        pause(every)
