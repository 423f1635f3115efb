"""What all tests share."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator

import pytest


def pytest_xdist_auto_num_workers() -> int:
    """One worker more than there are cores: many tests wait for a browser, a database or another process."""
    return (os.cpu_count() or 1) + 1


@pytest.fixture
def hears_ctrl_c() -> Iterator[None]:
    """A program started in the background ignores Ctrl-C, and so do those it starts, unless it asks for it."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)
