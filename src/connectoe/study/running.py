"""Running a plan: chunks go to whoever plays them, and each finished one is a file; what is there is not played again.

    FOLDER/plan.json            what is asked
    FOLDER/chunks/00012.json    what came out of chunk 12, written whole or not at all

A worker that dies loses only the chunk it was playing, which somebody else plays again.
"""

from __future__ import annotations

import json
import os
import re
import secrets
import signal
import time
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import CancelledError, Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager, suppress
from multiprocessing import get_context, parent_process
from pathlib import Path
from queue import SimpleQueue
from threading import Thread
from traceback import walk_tb
from typing import Any

from connectoe.engines.interrupt import ctrl_c_for_oneself
from connectoe.errors import ConnectoeError
from connectoe.study.outlook import one_of_each_first
from connectoe.study.plan import Chunk, Plan, chunks_of, code_of, key_of, plan_from
from connectoe.study.playing import play_chunk

PLAN = "plan.json"
CHUNKS = "chunks"
TRIES = 3
"""How often a chunk may bring down the workers before the study gives up."""
WAITING = 3
"""Chunks that are handed out for each worker; more would only wait."""

Tell = Callable[[Chunk, float], None]
MakeExecutor = Callable[[], Executor]


def write_whole(path: Path, content: bytes) -> None:
    """Writes a file so that it is there with all of its content, or not at all.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     write_whole(Path(folder) / "note.txt", b"whole")
    ...     (Path(folder) / "note.txt").read_bytes()
    b'whole'
    """
    beside = path.with_name(f".{path.name}.{secrets.token_hex(4)}")
    try:
        with beside.open("wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        beside.replace(path)
    except OSError as error:
        with suppress(OSError):
            beside.unlink()
        raise ConnectoeError(
            f"{path} cannot be written: {error.strerror or error}. What is finished is kept; "
            "the same command goes on from there"
        ) from error


PARTS_OF_A_PLAN = {
    "source": "the game or its file",
    "variants": "the options",
    "rules": "the rules",
    "players": "the players",
    "pairings": "the games (how many, written down, evaluated, or begun at random)",
    "seed": "the seed",
    "evaluation": "the simulations of the evaluation",
    "version": "the version of Connectoe",
}


CAN_BE_SHARED = {PARTS_OF_A_PLAN[name] for name in ("variants", "rules", "players", "pairings")}
"""Studies that differ in nothing else may have games in common."""


def prepare(plan: Plan, folder: Path) -> None:
    """Puts the plan into its folder; a folder with the same plan is gone on with, one with another plan is refused.

    >>> import connectoe
    >>> from tempfile import TemporaryDirectory
    >>> from connectoe.study.plan import make_plan
    >>> game = connectoe.load("tic-tac-toe")
    >>> with TemporaryDirectory() as folder:
    ...     prepare(make_plan([game], ["random"], 10), Path(folder))
    ...     prepare(make_plan([game], ["random"], 20), Path(folder))
    Traceback (most recent call last):
    connectoe.errors.ConnectoeError: ... holds another study ...
    """
    path = folder / PLAN
    try:
        (folder / CHUNKS).mkdir(parents=True, exist_ok=True)
        known = path.read_text() if path.exists() else None
    except OSError as error:
        raise ConnectoeError(f"the folder {folder} cannot be used: {error.strerror or error}") from error
    except UnicodeDecodeError:
        known = ""  # no plan of ours
    if known is None:
        write_whole(path, plan.to_json().encode())
    elif known != plan.to_json():
        try:
            other = plan_from(known)
        except ConnectoeError as error:
            raise ConnectoeError(f"{path} cannot be gone on with, {error}: give another folder") from error
        asked, there = ({**each._asdict(), "source": code_of(each.source)} for each in (plan, other))
        differs = [words for name, words in PARTS_OF_A_PLAN.items() if asked[name] != there[name]]
        if differs:
            take = f", and --from {folder} to take over what both have in common"
            raise ConnectoeError(
                f"{folder} holds another study (see {path}), which differs in {', '.join(differs)}: give another folder"
                f"{take if set(differs) <= CAN_BE_SHARED else ''}; or ask as it was asked to go on"
            )
        write_whole(path, plan.to_json().encode())  # the file of the game says the same in other words


def take_over(plan: Plan, folder: Path, others: Iterable[Path]) -> int:
    """Takes what other studies have played of this one, and says how many chunks that were.

    >>> import connectoe
    >>> from concurrent.futures import ThreadPoolExecutor
    >>> from tempfile import TemporaryDirectory
    >>> from connectoe.study.plan import make_plan
    >>> game = connectoe.load("tic-tac-toe")
    >>> first, second = make_plan([game], ["random"]), make_plan([game], ["random", "easy"])
    >>> with TemporaryDirectory() as place:
    ...     one, other = Path(place, "one"), Path(place, "other")
    ...     prepare(first, one)
    ...     run(first, one, lambda: ThreadPoolExecutor(1), 1)
    ...     prepare(second, other)
    ...     take_over(second, other, [one])  # the theory, and the random games
    2
    """
    there: dict[str, tuple[Path, Chunk]] = {}
    for other in others:
        their_plan = read_plan(other)
        there |= {key_of(their_plan, chunk): (other, chunk) for chunk in chunks_of(their_plan)}
    taken = 0
    for chunk in unfinished(plan, folder):
        place = there.get(key_of(plan, chunk))
        data = read_chunk(*place) if place else None
        if data:
            write_chunk(folder, data | {"chunk": chunk.number})
            taken += 1
    return taken


def read_plan(folder: Path) -> Plan:
    """The plan of the study in a folder.

    >>> read_plan(Path("nowhere"))
    Traceback (most recent call last):
    connectoe.errors.ConnectoeError: there is no study in nowhere: ...
    """
    try:
        return plan_from((folder / PLAN).read_bytes().decode(errors="replace"))
    except OSError as error:
        raise ConnectoeError(f"there is no study in {folder}: {error.strerror or error}") from error


def chunk_path(folder: Path, number: int) -> Path:
    """The file of a chunk.

    >>> chunk_path(Path("study"), 12).name
    '00012.json'
    """
    return folder / CHUNKS / f"{number:05d}.json"


def read_chunk(folder: Path, chunk: Chunk) -> dict[str, Any] | None:
    """What came out of a chunk; None if it is not finished, or its file is damaged or that of another one.

    >>> import connectoe
    >>> from connectoe.study.plan import make_plan
    >>> theory, *_ = chunks_of(make_plan([connectoe.load("tic-tac-toe")], ["random"], 10))
    >>> read_chunk(Path("nowhere"), theory) is None
    True
    """
    with suppress(OSError, ValueError):
        data = json.loads(chunk_path(folder, chunk.number).read_bytes())
        if isinstance(data, dict) and (data.get("chunk"), data.get("seed")) == (chunk.number, chunk.seed):
            return data
    return None


def write_chunk(folder: Path, data: dict[str, Any]) -> None:
    """Writes down what came out of a chunk.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     Path(folder, CHUNKS).mkdir()
    ...     write_chunk(Path(folder), {"chunk": 7, "games": 100})
    ...     chunk_path(Path(folder), 7).read_text()
    '{"chunk":7,"games":100}'
    """
    content = json.dumps(data, ensure_ascii=False, separators=(",", ":")).encode()
    write_whole(chunk_path(folder, data["chunk"]), content)


def unfinished(plan: Plan, folder: Path) -> list[Chunk]:
    """The chunks that are still to be played.

    >>> import connectoe
    >>> from connectoe.study.plan import make_plan
    >>> len(unfinished(make_plan([connectoe.load("tic-tac-toe")], ["random"], 10), Path("nowhere")))
    2
    """
    return [chunk for chunk in chunks_of(plan) if read_chunk(folder, chunk) is None]


def run(
    plan: Plan,
    folder: Path,
    make_executor: MakeExecutor,
    workers: int,
    tell: Tell = lambda chunk, seconds: None,
) -> None:
    """Plays what is unfinished and writes each chunk as it comes in; `tell` is called for every one, with the seconds
    that its worker took.

    >>> import connectoe
    >>> from concurrent.futures import ThreadPoolExecutor
    >>> from tempfile import TemporaryDirectory
    >>> from connectoe.study.plan import make_plan
    >>> plan = make_plan([connectoe.load("tic-tac-toe")], ["random"], 100, evaluated=0)
    >>> with TemporaryDirectory() as folder:
    ...     prepare(plan, Path(folder))
    ...     run(plan, Path(folder), lambda: ThreadPoolExecutor(1), 1)
    ...     unfinished(plan, Path(folder))
    []
    """
    tries: dict[int, int] = {}
    while left := unfinished(plan, folder):
        try:
            with stopping(make_executor()) as executor:
                for chunk, data, seconds in _played(executor, one_of_each_first(left), workers, tries):
                    write_chunk(folder, data)
                    tell(chunk, seconds)
        except BrokenProcessPool:
            worst = max(tries, key=lambda number: tries[number])
            if tries[worst] >= TRIES * max(1, workers) * WAITING:
                raise ConnectoeError(
                    f"workers were lost again and again around chunk {worst} (too little memory?). What is finished is "
                    "kept; the same command goes on from there"
                ) from None


def _play_and_time(chunk: Chunk) -> tuple[dict[str, Any], float]:
    """What comes out of a chunk, and the seconds it took."""
    begun = time.perf_counter()
    return play_chunk(chunk), time.perf_counter() - begun


def _played(
    executor: Executor, chunks: list[Chunk], workers: int, tries: dict[int, int]
) -> Iterator[tuple[Chunk, dict[str, Any], float]]:
    """What comes out of the chunks, in the order in which they are finished, and the seconds each took."""
    to_do = iter(chunks)
    waiting: dict[Future[tuple[dict[str, Any], float]], Chunk] = {}
    # Ctrl-C in the midst of `concurrent.futures.wait` would leave jobs locked, and the pool waiting for them.
    finished: SimpleQueue[Future[tuple[dict[str, Any], float]]] = SimpleQueue()
    try:
        while True:
            while len(waiting) < workers * WAITING and (chunk := next(to_do, None)):
                with ctrl_c_for_oneself():  # the first chunk that is handed out starts the processes
                    job = executor.submit(_play_and_time, chunk)
                waiting[job] = chunk
                job.add_done_callback(finished.put)
            if not waiting:
                return
            job = finished.get()
            data, seconds = job.result()
            yield waiting.pop(job), data, seconds
    except BrokenProcessPool:
        for chunk in waiting.values():
            tries[chunk.number] = tries.get(chunk.number, 0) + 1
        raise


@contextmanager
def stopping(executor: Executor) -> Iterator[Executor]:
    """The executor, which starts nothing more when something goes wrong, and whose processes then end at once: nobody
    waits for a game between hard players that is not wanted any more.

    >>> with stopping(processes(1)()) as executor:
    ...     executor.submit(abs, -1).result()
    1
    """
    try:
        yield executor
    except BaseException:
        if isinstance(executor, ProcessPoolExecutor | ThreadPoolExecutor):
            workers = list((getattr(executor, "_processes", None) or {}).values())  # `terminate_workers` in Python 3.14
            executor.shutdown(wait=False, cancel_futures=True)
            for worker in workers:
                worker.terminate()
        else:
            with suppress(Exception):  # a cluster that is gone cannot be told; one that is there cancels everything
                executor.shutdown(wait=False)
        raise
    executor.shutdown()


def processes(count: int) -> MakeExecutor:
    """Workers on this machine, each a process of its own.

    >>> with processes(1)() as executor:
    ...     executor.submit(abs, -1).result()
    1
    """
    return lambda: ProcessPoolExecutor(count, mp_context=get_context("spawn"), initializer=follow_the_parent)


def follow_the_parent() -> None:
    """Makes a worker leave Ctrl-C to the one who hands out the work, and end when that one is gone, however it went.

    >>> follow_the_parent.__name__
    'follow_the_parent'
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = parent_process()
    assert parent

    def wait_for_its_end() -> None:
        parent.join()
        os._exit(1)

    Thread(target=wait_for_its_end, daemon=True).start()


def _comes_from_dask(error: BaseException) -> bool:
    """Whether Dask itself raised this. When a cluster is lost between a chunk's end and its way here, Dask takes what
    was played for an error, and trips over that."""
    *_, (frame, _) = walk_tb(error.__traceback__)
    return str(frame.f_globals.get("__name__", "")).startswith("distributed.")


@contextmanager
def cluster(address: str, timeout: float = 10.0) -> Iterator[tuple[MakeExecutor, int]]:
    """Workers of the Dask cluster at this address, and how many there are.

    >>> with cluster("tcp://127.0.0.1:1", timeout=1):
    ...     pass
    Traceback (most recent call last):
    connectoe.errors.ConnectoeError: no cluster answers at 'tcp://127.0.0.1:1' ...
    """
    if not re.fullmatch(r"(tcp|tls|ws|wss|ucx)://.+:\d+", address):
        raise ConnectoeError(f"a cluster's address is like tcp://HOST:8786, not {address[:60]!r}")
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
        yield lambda: client.get_executor(pure=False, retries=TRIES - 1), workers
    except (CancelledError, KilledWorker, ImportError, OSError, ValueError) as error:
        if isinstance(error, ValueError) and not _comes_from_dask(error):
            raise
        why = f"its workers cannot play: {error}" if isinstance(error, ImportError) else "it or its workers were lost"
        raise ConnectoeError(
            f"the cluster at {address[:60]!r} does not answer any more, {why}. What is finished is kept; the same "
            "command goes on from there"
        ) from error
    finally:
        client.close()
