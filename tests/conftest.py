"""What all tests share."""

from __future__ import annotations

import signal
from collections.abc import Iterator

import pytest


@pytest.fixture
def hears_ctrl_c() -> Iterator[None]:
    """A program started in the background ignores Ctrl-C, and so do those it starts, unless it asks for it."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)
