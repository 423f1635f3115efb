"""Ctrl-C, heard at the right moment."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Event, current_thread, main_thread


@contextmanager
def first_ctrl_c() -> Iterator[Event]:
    """Yield an event that the first Ctrl-C sets instead of raising KeyboardInterrupt; the next one raises it.

    An exception that comes while something is imported or compiled leaves that half done, and what follows is a riddle.
    """
    pressed = Event()
    # In other threads, or where somebody else listens or Ctrl-C is not meant for this program, nothing is changed.
    if current_thread() is not main_thread() or signal.getsignal(signal.SIGINT) is not signal.default_int_handler:
        yield pressed
        return

    def heard(number: int, frame: object) -> None:
        if pressed.is_set():
            raise KeyboardInterrupt
        pressed.set()

    signal.signal(signal.SIGINT, heard)
    try:
        yield pressed
    finally:
        signal.signal(signal.SIGINT, signal.default_int_handler)


@contextmanager
def ctrl_c_for_oneself() -> Iterator[None]:
    """Keep Ctrl-C from processes started within, until they ask for it; it is raised here afterwards.

    A terminal sends it to them too, and one that has only begun to start would complain of it at length.
    """
    if not hasattr(signal, "pthread_sigmask"):  # Windows
        yield
        return
    with first_ctrl_c() as pressed:  # other threads, which draw progress bars for instance, can still be given it
        before = signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])
        try:
            yield
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)
    if pressed.is_set():
        raise KeyboardInterrupt
