"""Compiled code is kept between runs, and never taken for that of other sources."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any, ClassVar

import pytest

import connectoe
from connectoe.engines import compiling
from connectoe.engines.cache import INTERFACES, cache_folder, remove_unused, user_cache_folder
from connectoe.engines.compiling import _announced, compiled

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]


def count(game: str, cache: Path, preexec_fn: Callable[[], None] | None = None) -> tuple[str, set[str]]:
    """What `connectoe perft GAME 3` prints with this cache, and which files it then holds."""
    run = subprocess.run(
        [sys.executable, "-m", "connectoe", "perft", game, "3"],
        env={**os.environ, "CONNECTOE_CACHE": str(cache)},
        capture_output=True,
        text=True,
        check=True,
        preexec_fn=preexec_fn,
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
    assert cache_folder(("tests.engines.test_compiling",)) not in (folder, None)
    assert cache_folder(("a module without a file",)) is None


def test_what_is_kept_lies_in_the_usual_folder_of_the_system(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("sys.platform", "linux")
    monkeypatch.delenv("CONNECTOE_CACHE", raising=False)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    assert user_cache_folder() == tmp_path / "cache" / "connectoe"
    for unset in ("", "not/absolute"):
        monkeypatch.setenv("XDG_CACHE_HOME", unset)
        assert user_cache_folder() == tmp_path / "home" / ".cache" / "connectoe"
    monkeypatch.setenv("CONNECTOE_CACHE", str(tmp_path / "mine"))
    assert user_cache_folder() == tmp_path / "mine"


def test_a_user_without_a_home_can_play(monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
    for name in ("CONNECTOE_CACHE", "XDG_CACHE_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr("os.path.expanduser", lambda path: path)
    assert adding(1)(5) == 6
    assert not Path("~").exists()


def adding(number: int) -> Any:
    """A compiled function that adds a number; what it is compiled to depends on that number."""

    def add(to: int) -> int:
        return to + number

    return compiled(add)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A cache of its own."""
    monkeypatch.setenv("CONNECTOE_CACHE", str(tmp_path))
    cache_folder.cache_clear()
    yield tmp_path
    cache_folder.cache_clear()


def test_two_programs_that_compile_at_once_do_not_take_each_others_code(folder: Path) -> None:
    assert adding(1)(5) == 6
    [index] = folder.rglob("*.nbi")
    as_the_first_wrote_it = index.read_bytes()
    index.unlink()  # the second has looked before the first has written
    assert adding(2)(5) == 7
    index.write_bytes(as_the_first_wrote_it)  # and the first writes last
    assert (adding(1)(5), adding(2)(5)) == (6, 7)


def test_damaged_files_are_compiled_again(folder: Path) -> None:
    assert adding(1)(5) == 6
    for kind in ("*.nbc", "*.nbi"):
        for file in folder.rglob(kind):
            file.write_bytes(file.read_bytes()[:100])
        assert adding(1)(5) == 6
    assert adding(1)(5) == 6


def test_where_nothing_can_be_kept_everything_works_and_nothing_is_kept_elsewhere(tmp_path: Path) -> None:
    """A cache beside the sources would be served though the rules have changed."""
    file = tmp_path / "file"
    file.write_text("")
    assert count("tic-tac-toe", file / "cache")[0] == "504\n"
    assert not list(Path(connectoe.__file__).parent.rglob("*.nb[ci]"))


def test_a_full_disk_keeps_nobody_from_playing(tmp_path: Path) -> None:
    resource = pytest.importorskip("resource")
    limit = partial(resource.setrlimit, resource.RLIMIT_FSIZE, (1000, 1000))
    assert count("tic-tac-toe", tmp_path, preexec_fn=limit)[0] == "504\n"
    assert count("tic-tac-toe", tmp_path)[0] == "504\n"


@pytest.mark.usefixtures("hears_ctrl_c")
def test_ctrl_c_waits_until_something_is_compiled() -> None:
    """In the midst of it, the compiler would be left in a state of which it complains in its own words."""
    done = []

    class Compiler:
        overloads: ClassVar[dict[str, object]] = {"known": None}

        def compile(self, signature: str) -> None:
            os.kill(os.getpid(), signal.SIGINT)
            done.append(signature)

    with pytest.raises(KeyboardInterrupt):
        _announced(Compiler())("new")
    assert done == ["new"]
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_only_compiling_is_called_compiling(monkeypatch: pytest.MonkeyPatch) -> None:
    ended = []

    @contextmanager
    def announce(text: str) -> Iterator[None]:
        try:
            yield
            ended.append("when it was compiled")
        except ZeroDivisionError:
            ended.append("when it had run")
            raise

    def divide(by: int) -> int:
        return 1 // by

    monkeypatch.setattr(compiling, "announce", announce)
    with pytest.raises(ZeroDivisionError):
        compiled(divide)(0)
    assert ended == ["when it was compiled"]


def test_compiled_code_that_nobody_has_used_for_a_month_is_removed(tmp_path: Path) -> None:
    now = time.time()
    names = {"old": "0" * 16, "of last week": "1" * 16, "in use": "2" * 16}
    folders = {name: tmp_path / f"compiled-{digits}" for name, digits in names.items()}
    others = [tmp_path / "tables", tmp_path / "compiled-by-hand"]
    for place in (*folders.values(), *others):
        (place / "engine").mkdir(parents=True)
        os.utime(place, (now - 40 * 86_400,) * 2)
    os.utime(folders["of last week"], (now - 7 * 86_400,) * 2)
    remove_unused(folders["in use"])
    assert set(tmp_path.iterdir()) == {folders["of last week"], folders["in use"], *others}
    assert now - folders["in use"].stat().st_mtime < 86_400


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
