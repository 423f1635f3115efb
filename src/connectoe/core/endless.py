"""Stopping the file of a game or its rules, if they would never end, while the game is loaded.

Rules are Python functions that somebody has just written, and a loop in them may never end. Python can raise an
exception in a thread from outside; it is raised at the line that the loop has reached, so that line can be reported.
"""

from __future__ import annotations

import ctypes
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from time import process_time

PATIENCE = 10.0
"""The seconds of computing after which rules are said never to end."""
BETWEEN = 0.1
"""The seconds between two looks."""


class NeverEnds(Exception):
    """A file or its rules have been running for too long."""

    def __str__(self) -> str:
        return f"this has been running for {PATIENCE:.0f} seconds: look for a loop that does not end"


@contextmanager
def ended_if_endless() -> Iterator[None]:
    """Raise NeverEnds in this thread if what follows takes more than PATIENCE."""
    thread, done, begun = threading.get_ident(), threading.Event(), process_time()
    telling = threading.Lock()

    def watch() -> None:
        while not done.wait(BETWEEN):
            with telling:
                if not done.is_set() and process_time() - begun > PATIENCE:
                    ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread), ctypes.py_object(NeverEnds))
                    return

    watcher = threading.Thread(target=watch, name="endless rules", daemon=True)
    watcher.start()
    try:
        yield
    finally:
        with telling:
            done.set()
