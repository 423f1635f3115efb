"""How fast studies are: `python bench/study.py [random] [self-play]`; without names, both.

random      a million random games of connect-four on two cores, raw (`play_out`) and in a study: chunks handed to two
            worker processes that have started and compiled, counted, and written to disk. Both are measured in turn
            five times, and the median is reported. A study also plays ten million games, where its last, smaller chunk
            matters less.
self-play   1,000 games between easy players of every game but ultimate-ultimate, inside a study, on two workers.

Both leave out the search that measures lead changes (`--evaluated 0`), the start of the workers, and records of random
games.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator
from concurrent.futures import Executor, ProcessPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

from connectoe import Game, game_ids, load
from connectoe.engines.playouts import play_out
from connectoe.running.workers import processes
from connectoe.study.execution import run
from connectoe.study.folder import prepare
from connectoe.study.plan import Plan, chunks_of, make_plan
from connectoe.study.playing import play_chunk

WORKERS = 2
ROUNDS = 5


class Kept(Executor):
    """Workers that keep running when a study is over, for the next one."""

    def __init__(self, pool: ProcessPoolExecutor) -> None:
        self.submit = pool.submit  # type: ignore[method-assign]

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Do nothing: the workers keep running."""


@contextmanager
def workers() -> Iterator[ProcessPoolExecutor]:
    """Yield the workers, and end them."""
    pool = processes(WORKERS)()
    assert isinstance(pool, ProcessPoolExecutor)
    with pool:
        yield pool


def without_theory(plan: Plan) -> Plan:
    """Return the plan without the chunks of theory."""
    return plan._replace(pairings=tuple(pairing for pairing in plan.pairings if pairing.players))


def warm(pool: ProcessPoolExecutor, plan: Plan) -> None:
    """Let every worker load what it needs, by playing more small chunks than there are workers."""
    chunk = next(chunks_of(plan))._replace(games=4, records=0)
    for job in [pool.submit(play_chunk, chunk) for _ in range(2 * WORKERS)]:
        job.result()


def seconds_of(pool: ProcessPoolExecutor, plan: Plan) -> float:
    """Return how long a study takes."""
    with TemporaryDirectory() as folder:
        prepare(plan, Path(folder))
        begun = time.perf_counter()
        run(plan, Path(folder), lambda: Kept(pool), WORKERS)
        return time.perf_counter() - begun


def random_play() -> None:
    """Measure random games alone and in a study, in turn."""
    game = load("connect-four")
    play_out(game, 1000)
    with workers() as pool:
        for games in (1_000_000, 10_000_000):
            plan = without_theory(make_plan([game], ["random"], games, records=0, evaluated=0))
            warm(pool, plan)
            raw, studied = [], []
            for number in range(ROUNDS):
                begun = time.perf_counter()
                play_out(game, games, seed=number, threads=WORKERS)
                raw.append(time.perf_counter() - begun)
                studied.append(seconds_of(pool, plan))
            ratio = median(a / b for a, b in zip(raw, studied, strict=True))
            print(
                f"connect-four at random, {games:,} games on {WORKERS} cores: raw {median(raw):.2f} s, "
                f"in a study {median(studied):.2f} s: {ratio:.0%} of the raw speed",
                flush=True,
            )


def self_play(games: int = 1000) -> None:
    """Measure games between easy players."""
    with workers() as pool:
        for game in easy_games():
            plan = without_theory(make_plan([game], ["easy"], games, evaluated=0))
            warm(pool, plan)
            print(f"{game.id}: {games:,} games at easy in {seconds_of(pool, plan):.1f} s", flush=True)


def easy_games() -> list[Game]:
    """Return all games but the one that takes thousands of moves."""
    return [load(game_id) for game_id in game_ids() if game_id != "ultimate-ultimate"]


PARTS = {"random": random_play, "self-play": self_play}

if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("parts", nargs="*", metavar="PART", help=" or ".join(PARTS))
    parts = parser.parse_args().parts or list(PARTS)
    if unknown := set(parts) - set(PARTS):
        parser.error(f"there is no part {unknown.pop()!r}: the parts are {' and '.join(PARTS)}")
    for part in parts:
        PARTS[part]()
