"""Compiled code is kept between runs, and never taken for that of other sources."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import connectoe
from connectoe.engines.cache import INTERFACES, cache_folder, user_cache_folder

ROOT = Path(__file__).parents[1]


def count(game: str, cache: Path, **more: str) -> tuple[str, set[str]]:
    """What `connectoe perft GAME 3` prints with this cache, and which files it then holds."""
    run = subprocess.run(
        [sys.executable, "-m", "connectoe", "perft", game, "3"],
        env={**os.environ, "CONNECTOE_CACHE": str(cache), **more},
        capture_output=True,
        text=True,
        check=True,
    )
    return run.stdout, {str(file.relative_to(cache)) for file in cache.rglob("*") if file.is_file()}


def test_a_second_run_finds_what_the_first_compiled(tmp_path: Path) -> None:
    first = count("tic-tac-toe", tmp_path)
    assert first[0] == "504\n"
    assert any(name.endswith(".nbc") for name in first[1])
    assert count("tic-tac-toe", tmp_path) == first


def test_games_from_files_and_from_the_package_share_a_cache_without_harm(tmp_path: Path) -> None:
    own = tmp_path / "notakto.py"
    [example] = re.findall(r"```python\n(.*?)```", (ROOT / "CONTRIBUTING.md").read_text(), re.DOTALL)
    own.write_text(example)
    cache = tmp_path / "cache"
    assert count(str(own), cache)[0] == "504\n"
    assert count("tic-tac-toe", cache)[0] == "504\n"
    own.write_text(example.replace("range(9)", "range(8)"))
    assert count(str(own), cache)[0] == f"{8 * 7 * 6}\n"
    assert count("tic-tac-toe", cache)[0] == "504\n"


def test_the_folder_is_named_after_the_sources() -> None:
    folder = cache_folder()
    assert folder
    assert folder.parent == user_cache_folder()
    assert cache_folder(("tests.test_compiling",)) not in (folder, None)
    assert cache_folder(("a module without a file",)) is None


def test_no_two_processes_give_compiled_functions_the_same_numbers() -> None:
    script = (
        "import connectoe.engines.compiling; from numba.core.bytecode import FunctionIdentity;"
        "print(next(FunctionIdentity._unique_ids))"
    )
    runs = [subprocess.run([sys.executable, "-c", script], capture_output=True, check=True).stdout for _ in range(3)]
    assert len(set(runs)) == 3


def test_nothing_is_compiled_in_the_folders_that_the_name_of_the_cache_leaves_out() -> None:
    package = Path(connectoe.__file__).parent
    for folder in INTERFACES:
        for file in (package / folder).rglob("*.py"):
            text = file.read_text()
            assert "@rule" not in text, file
            assert "njit" not in text, file
            assert "compiled(" not in text, file
