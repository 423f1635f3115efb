"""Small studies for tests."""

from __future__ import annotations

import resource
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from connectoe import Game
from connectoe.running.workers import MakeExecutor
from connectoe.study.execution import run
from connectoe.study.figures import VariantFigures
from connectoe.study.folder import prepare
from connectoe.study.plan import Plan, make_plan
from connectoe.study.report import FILES, write_report
from connectoe.study.summary import summarise


def in_small_chunks(plan: Plan, games: int) -> Plan:
    """Return the plan with this many games in a chunk."""
    return plan._replace(pairings=tuple(pairing._replace(chunk=min(games, pairing.games)) for pairing in plan.pairings))


def studied(plan: Plan, folder: Path, make_executor: MakeExecutor | None = None, workers: int = 1) -> dict[str, bytes]:
    """Run a study in the folder; return the files of its report."""
    prepare(plan, folder)
    run(plan, folder, make_executor or (lambda: ThreadPoolExecutor(1)), workers)
    write_report(plan, folder, "connectoe study")
    return {name: (folder / name).read_bytes() for name in FILES}


def figures_of(game: Game, players: list[str], games: int, folder: Path, **details: Any) -> VariantFigures:
    """Run a study; return the figures of its first variant."""
    plan = make_plan([game], players, games, **{"evaluated": 0, **details})
    prepare(plan, folder)
    run(plan, folder, lambda: ThreadPoolExecutor(1), 1)
    return summarise(plan, folder).variants[0]


@contextmanager
def files_of_at_most(size: int) -> Any:
    """No file may grow larger: the nearest thing to a full disk that a test can have."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
