"""Several processes that serve one port: each accepts connections from the same socket, whichever is free."""

from __future__ import annotations

import logging
import multiprocessing
import os
import signal
import socket
import threading
from collections.abc import Callable
from multiprocessing.process import BaseProcess
from typing import Any

log = logging.getLogger("connectoe.web")
LOOKS_EVERY = 0.5
"""The seconds between two looks at whether all processes run, and before one that has ended is replaced."""
LONGEST_END = 10.0
"""The seconds that a process has to end by itself."""


def run_processes(count: int, target: Callable[..., None], listening: socket.socket, *args: Any) -> None:
    """Run a function in several processes, each with its number, the socket and these arguments, until told to end.

    A process that ends by itself is replaced.
    """
    context = multiprocessing.get_context("spawn")  # threads do not survive a fork
    is_over = threading.Event()
    for sign in (signal.SIGINT, signal.SIGTERM):
        signal.signal(sign, lambda *_: is_over.set())

    def begun(number: int) -> BaseProcess:
        process = context.Process(target=_run_with_parent, args=(target, number, listening, *args))
        process.start()
        return process

    running = [begun(number) for number in range(count)]
    while not is_over.wait(LOOKS_EVERY):
        for number, process in enumerate(running):
            if not process.is_alive():
                log.warning("process %s of the server has ended with %s and is replaced", number, process.exitcode)
                running[number] = begun(number)
    for process in running:
        process.terminate()
    for process in running:
        process.join(LONGEST_END)
        if process.is_alive():
            process.kill()


def _run_with_parent(target: Callable[..., None], *args: Any) -> None:
    """Run a function in this process, and end when the process that started it is gone."""
    parent = multiprocessing.parent_process()

    def follow() -> None:
        if parent:
            parent.join()
            os.kill(os.getpid(), signal.SIGTERM)

    threading.Thread(target=follow, name="follows its parent", daemon=True).start()
    target(*args)
