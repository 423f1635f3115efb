"""How fast studies are: `python bench/study.py [random] [self-play]`; without names, both.

random      a million random games of connect-four on two cores, raw (`play_out`) and in a study: chunks handed to two
            worker processes that have started and compiled, counted, and written to disk. The two take turns, five
            times; the median counts. A study is also given ten million, over which its last unequal chunk weighs less.
self-play   1,000 games between easy players of every game but ultimate-ultimate, inside a study, on two workers.

Both leave out the lookahead that measures lead changes (`--evaluated 0`) and starting the workers, and write down no
random games.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from concurrent.futures import Executor, ProcessPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

from connectoe import Game, game_ids, load
from connectoe.engines.playouts import play_out
from connectoe.study.plan import Plan, chunks_of, make_plan
from connectoe.study.playing import play_chunk
from connectoe.study.running import prepare, processes, run

WORKERS = 2
ROUNDS = 5


class Kept(Executor):
    """Workers that stay when a study is over, so that the next one finds them started."""

    def __init__(self, pool: ProcessPoolExecutor) -> None:
        self.submit = pool.submit  # type: ignore[method-assign]

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """They stay."""


@contextmanager
def workers() -> Iterator[ProcessPoolExecutor]:
    """The workers, ended at last."""
    pool = processes(WORKERS)()
    assert isinstance(pool, ProcessPoolExecutor)
    with pool:
        yield pool


def without_theory(plan: Plan) -> Plan:
    """The plan with its games only."""
    return plan._replace(pairings=tuple(pairing for pairing in plan.pairings if pairing.players))


def warm(pool: ProcessPoolExecutor, plan: Plan) -> None:
    """Lets every worker load what it needs, by playing a chunk of few games twice as often as there are workers."""
    chunk = next(chunks_of(plan))._replace(games=4, records=0)
    for job in [pool.submit(play_chunk, chunk) for _ in range(2 * WORKERS)]:
        job.result()


def seconds_of(pool: ProcessPoolExecutor, plan: Plan) -> float:
    """How long a study takes."""
    with TemporaryDirectory() as folder:
        prepare(plan, Path(folder))
        begun = time.perf_counter()
        run(plan, Path(folder), lambda: Kept(pool), WORKERS)
        return time.perf_counter() - begun


def random_play() -> None:
    """Raw and studied, in turn."""
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
    """Every game at easy."""
    with workers() as pool:
        for game in easy_games():
            plan = without_theory(make_plan([game], ["easy"], games, evaluated=0))
            warm(pool, plan)
            print(f"{game.id}: {games:,} games at easy in {seconds_of(pool, plan):.1f} s", flush=True)


def easy_games() -> list[Game]:
    """All games but the one that takes thousands of moves."""
    return [load(game_id) for game_id in game_ids() if game_id != "ultimate-ultimate"]


PARTS = {"random": random_play, "self-play": self_play}

if __name__ == "__main__":
    for part in sys.argv[1:] or PARTS:
        PARTS[part]()
