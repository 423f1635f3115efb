"""Ctrl-C, handled at the right moment."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Event, current_thread, main_thread


@contextmanager
def first_ctrl_c() -> Iterator[Event]:
    """Yield an event that the first Ctrl-C sets instead of raising KeyboardInterrupt; the next one raises it.

    An exception in the middle of an import or a compilation leaves it half done, and causes puzzling errors later.
    """
    pressed = Event()
    # Nothing is changed in other threads, where another handler is installed, or where Ctrl-C is ignored.
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
    """Block Ctrl-C in processes started within, until they ask for it; it is raised here afterwards.

    A terminal sends it to them too, and a process that is still starting would print a long traceback.
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
