"""Workers: processes of this machine or of a Dask cluster, and the jobs they do."""

from __future__ import annotations

import os
import re
import signal
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import CancelledError, Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager, suppress
from multiprocessing import get_context, parent_process
from queue import SimpleQueue
from threading import Thread
from traceback import walk_tb
from typing import Any, Generic, TypeVar

from connectoe.core.errors import ConnectoeError
from connectoe.engines.interrupt import ctrl_c_for_oneself

MakeExecutor = Callable[[], Executor]
Job = TypeVar("Job")
Result = TypeVar("Result")

JOBS_PER_WORKER = 3
"""Jobs submitted at a time for each worker, so that none is idle; more would only wait."""


class WorkersLost(ConnectoeError, Generic[Job]):
    """Raised when worker processes die; `jobs` are those that may have been the cause.

    >>> str(WorkersLost([7]))
    'a worker process was lost (too little memory?)'
    """

    def __init__(self, jobs: list[Job]) -> None:
        super().__init__("a worker process was lost (too little memory?)")
        self.jobs = jobs


def completed(
    executor: Executor, function: Callable[[Job], Result], jobs: Iterable[Job], workers: int
) -> Iterator[tuple[Job, Result]]:
    """Yield each job with the result of the function, in the order in which they finish."""
    to_do = iter(jobs)
    waiting: dict[Future[Result], Job] = {}
    # Ctrl-C during `concurrent.futures.wait` would leave futures locked, and the pool waiting for them.
    finished: SimpleQueue[Future[Result]] = SimpleQueue()
    try:
        while True:
            while len(waiting) < workers * JOBS_PER_WORKER and (job := next(to_do, None)) is not None:
                with ctrl_c_for_oneself():  # the first submission starts the processes
                    future = executor.submit(function, job)
                waiting[future] = job
                future.add_done_callback(finished.put)
            if not waiting:
                return
            future = finished.get()
            result = future.result()
            yield waiting.pop(future), result
    except BrokenProcessPool:
        raise WorkersLost(list(waiting.values())) from None


@contextmanager
def stopping(executor: Executor) -> Iterator[Executor]:
    """Yield the executor and shut it down; if the block raises, cancel its jobs and terminate its processes at once."""
    try:
        yield executor
    except BaseException:
        if isinstance(executor, ProcessPoolExecutor | ThreadPoolExecutor):
            workers = list((getattr(executor, "_processes", None) or {}).values())  # `terminate_workers` in Python 3.14
            executor.shutdown(wait=False, cancel_futures=True)
            for worker in workers:
                worker.terminate()
        else:
            with suppress(Exception):  # the cluster may be gone; one that is there cancels everything
                executor.shutdown(wait=False)
        raise
    executor.shutdown()


def processes(count: int) -> MakeExecutor:
    """Return a function that makes an executor with this many processes on this machine."""
    return lambda: ProcessPoolExecutor(count, mp_context=get_context("spawn"), initializer=follow_the_parent)


def follow_the_parent() -> None:
    """Make a worker process ignore Ctrl-C, and exit as soon as its parent has ended for whatever reason."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = parent_process()
    assert parent

    def wait_for_its_end() -> None:
        parent.join()
        os._exit(1)

    Thread(target=wait_for_its_end, daemon=True).start()


@contextmanager
def cluster(address: str, timeout: float = 10.0, retries: int = 2) -> Iterator[tuple[MakeExecutor, int]]:
    """Connect to a Dask cluster; yield a function that makes its executor, and the number of workers."""
    if not re.fullmatch(r"(tcp|tls|ws|wss|ucx)://.+:\d+", address):
        raise ConnectoeError(f"the address of a cluster looks like tcp://HOST:8786, not {address[:60]!r}")
    try:
        from distributed import Client, KilledWorker
    except ImportError as error:
        raise ConnectoeError("a cluster needs one more package: pip install 'connectoe[study]'") from error
    try:
        client: Any = Client(address, timeout=timeout, set_as_default=False)  # type: ignore[no-untyped-call]
    except (OSError, ValueError) as error:
        raise ConnectoeError(f"no cluster answers at {address[:60]!r} within {timeout:g} seconds") from error
    try:
        workers = sum(client.nthreads().values())
        if not workers:
            raise ConnectoeError(f"the cluster at {address[:60]!r} has no workers")
        yield lambda: client.get_executor(pure=False, retries=retries), workers
    except (CancelledError, KilledWorker, ImportError, OSError, ValueError) as error:
        if isinstance(error, ValueError) and not _comes_from_dask(error):
            raise
        why = f"its workers cannot play: {error}" if isinstance(error, ImportError) else "it or its workers were lost"
        raise ConnectoeError(
            f"the cluster at {address[:60]!r} does not answer any more, {why}. What is finished is kept; run the same "
            "command to continue"
        ) from error
    finally:
        client.close()


def _comes_from_dask(error: BaseException) -> bool:
    """Whether Dask itself raised the error: it takes a result for an error if a cluster is lost on the way."""
    *_, (frame, _) = walk_tb(error.__traceback__)
    return str(frame.f_globals.get("__name__", "")).startswith("distributed.")
