"""Running a plan: workers play its chunks, except those that are already in the folder.

A worker that dies loses only the chunk it was playing, which is then played by another.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path

from connectoe.core.errors import ConnectoeError
from connectoe.running.workers import JOBS_PER_WORKER, MakeExecutor, WorkersLost, completed, stopping
from connectoe.study.chunks import ChunkResult
from connectoe.study.folder import TO_CONTINUE, unfinished, write_chunk
from connectoe.study.outlook import one_of_each_first
from connectoe.study.plan import Chunk, Plan
from connectoe.study.playing import play_chunk

TRIES = 3
"""How often a chunk may bring down the workers before the study gives up."""

Tell = Callable[[Chunk, float], None]


def run(
    plan: Plan,
    folder: Path,
    make_executor: MakeExecutor,
    workers: int,
    tell: Tell = lambda chunk, seconds: None,
) -> None:
    """Play the unfinished chunks and write each as it comes in; call `tell` with each chunk and the seconds it took."""
    suspected = Counter[int]()
    while left := unfinished(plan, folder):
        try:
            with stopping(make_executor()) as executor:
                jobs = completed(executor, _play_and_time, one_of_each_first(left), workers)
                for chunk, (result, seconds) in jobs:
                    write_chunk(folder, result)
                    tell(chunk, seconds)
        except WorkersLost as loss:
            suspected.update(chunk.number for chunk in loss.jobs or left[:1])
            [(worst, times)] = suspected.most_common(1)
            if times >= TRIES * max(1, workers) * JOBS_PER_WORKER:
                raise ConnectoeError(
                    f"workers were lost again and again around chunk {worst} (too little memory?). {TO_CONTINUE}"
                ) from None


def _play_and_time(chunk: Chunk) -> tuple[ChunkResult, float]:
    begun = time.perf_counter()
    return play_chunk(chunk), time.perf_counter() - begun
