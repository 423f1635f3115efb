"""What all tests share."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator

import pytest


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers() -> int | None:
    """One worker more than there are cores: many tests wait for a browser, a database or another process."""
    if "PYTEST_XDIST_AUTO_NUM_WORKERS" in os.environ:
        return None  # then that many
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return cores + 1


@pytest.fixture
def hears_ctrl_c() -> Iterator[None]:
    """A program started in the background ignores Ctrl-C, and so do those it starts, unless it asks for it."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)
