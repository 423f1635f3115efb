"""Small studies for tests."""

from __future__ import annotations

import resource
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from connectoe import Game
from connectoe.study.figures import figures
from connectoe.study.plan import Plan, make_plan
from connectoe.study.report import FILES, write_report
from connectoe.study.running import MakeExecutor, prepare, run


def in_small_chunks(plan: Plan, games: int) -> Plan:
    """The plan with so many games in a chunk."""
    return plan._replace(pairings=tuple(pairing._replace(chunk=min(games, pairing.games)) for pairing in plan.pairings))


def studied(plan: Plan, folder: Path, make_executor: MakeExecutor | None = None, workers: int = 1) -> dict[str, bytes]:
    """The files of the report of a study that is run there."""
    prepare(plan, folder)
    run(plan, folder, make_executor or (lambda: ThreadPoolExecutor(1)), workers)
    write_report(plan, folder, "connectoe study")
    return {name: (folder / name).read_bytes() for name in FILES}


def figures_of(game: Game, players: list[str], games: int, folder: Path, **details: Any) -> dict[str, Any]:
    """The figures of the first variant of a study."""
    plan = make_plan([game], players, games, **{"evaluated": 0, **details})
    prepare(plan, folder)
    run(plan, folder, lambda: ThreadPoolExecutor(1), 1)
    variant: dict[str, Any] = figures(plan, folder)["variants"][0]
    return variant


@contextmanager
def files_of_at_most(size: int) -> Any:
    """No file may grow larger: the nearest thing to a full disk that a test can have."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
