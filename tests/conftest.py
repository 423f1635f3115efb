"""What all tests share."""

from __future__ import annotations

import gc
import os
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import settings

os.environ["CONNECTOE_PREPARE"] = "no"  # tests leave no processes behind
gc.disable()  # while tests are collected: looking for garbage among all that is imported takes nearly half of that time

QUICK = "not slow"
"""What `make quick` selects with -m."""
settings.register_profile("quick", max_examples=12)
SLOW_FIXTURES = {"chromium", "postgresql_server"}
SOURCES = Path(__file__).parents[1] / "src" / "connectoe"
COMPILING = {"analysis.py", "engines", "envs", "players.py"}
"""The sources whose docstrings have examples that compile engines."""


def pytest_configure(config: pytest.Config) -> None:
    """Try fewer examples of each property in `make quick`; `make test` tries them all."""
    if config.option.markexpr == QUICK:
        settings.load_profile("quick")


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers(config: pytest.Config) -> int | None:
    """Return one worker more than there are cores: tests often wait for a browser, a server or another process."""
    if "PYTEST_XDIST_AUTO_NUM_WORKERS" in os.environ:
        return None  # then that many
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return cores + 1


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Skip files whose tests are all slow when only quick tests are wanted: importing them takes time, too."""
    if config.option.markexpr != QUICK or collection_path.suffix != ".py":
        return None
    return "\npytestmark = pytest.mark.slow\n" in collection_path.read_text(encoding="utf-8") or None


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark the tests that need a browser or PostgreSQL, and the examples that compile engines, as slow."""
    for item in items:
        if item.path.is_relative_to(SOURCES) and item.path.relative_to(SOURCES).parts[0] in COMPILING:
            item.add_marker("slow")
        fixtures = set(getattr(item, "fixturenames", ()))
        parameters = getattr(getattr(item, "callspec", None), "params", {})
        if fixtures & SLOW_FIXTURES or parameters.get("database") == "postgresql":
            item.add_marker("slow")
    put_slow_files_first(items)


def put_slow_files_first(items: list[pytest.Item]) -> None:
    """Sort the files of tests, which workers take one by one: those with browsers first, then other slow ones."""
    ranks: dict[Path, int] = {}
    for item in items:
        rank = 0 if "chromium" in getattr(item, "fixturenames", ()) else 1 if item.get_closest_marker("slow") else 2
        ranks[item.path] = min(rank, ranks.get(item.path, rank))
    items.sort(key=lambda item: ranks[item.path])


def pytest_collection_finish() -> None:
    """Look for garbage again, but not among what was imported, which stays."""
    gc.freeze()
    gc.enable()


@pytest.fixture
def hears_ctrl_c() -> Iterator[None]:
    """A program started in the background ignores Ctrl-C, and so do those it starts, unless it asks for it."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)
