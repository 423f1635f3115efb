"""Compiled code is kept between runs, and never taken for that of other sources."""

from __future__ import annotations

import errno
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from functools import partial
from pathlib import Path
from typing import Any, ClassVar

import pytest

import connectoe
from connectoe.engines import compiling
from connectoe.engines.cache import INTERFACES, _usable, cache_folder, remove_unused, user_cache_folder
from connectoe.engines.cache_files import remove_oldest
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
    assert any(name.endswith(".code") for name in first[1])
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
        monkeypatch.setenv(name, "")
    monkeypatch.setattr("os.path.expanduser", lambda path: path)
    assert adding(1)(5) == 6
    assert not Path("~").exists()


def test_a_user_whom_the_system_does_not_know_can_play() -> None:
    if os.geteuid() != 0:
        pytest.skip("only root can become somebody else")
    script = (  # all is imported first, since not everybody may read this Python
        "import logging, os, shutil, tempfile; from connectoe.engines.cache import user_cache_folder\n"
        "from connectoe.engines.cache_files import read_checked, write_checked\n"
        "os.setgroups([]); os.setgid(54321); os.setuid(54321)\n"
        "file = user_cache_folder() / 'folder' / 'file'\n"
        "write_checked(file, b'code'); print(read_checked(file).decode())"
    )
    run = subprocess.run(
        [sys.executable, "-c", script], env={"PYTHONPATH": str(ROOT / "src")}, cwd="/", capture_output=True, text=True
    )
    assert run.stdout == "code\n", run.stderr
    assert run.stderr.count("\n") == 1
    assert "cannot be kept without a home folder" in run.stderr


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


def test_what_is_compiled_for_other_numbers_is_kept_apart(folder: Path) -> None:
    assert (adding(1)(5), adding(2)(5)) == (6, 7)
    assert len(list(folder.rglob("*.code"))) == 2
    assert (adding(1)(5), adding(2)(5)) == (6, 7)


def zeroed(content: bytes) -> bytes:
    """A page of zeros in the middle, as a lost write leaves it; machine code with it would end the program."""
    middle = len(content) // 2
    return content[:middle] + bytes(4096) + content[middle + 4096 :]


@pytest.mark.parametrize("damage", [zeroed, lambda content: content[:100], lambda content: b""])
def test_damaged_files_are_compiled_again(
    folder: Path, damage: Callable[[bytes], bytes], caplog: pytest.LogCaptureFixture
) -> None:
    assert adding(1)(5) == 6
    [file] = folder.rglob("*.code")
    whole = file.read_bytes()
    file.write_bytes(damage(whole))
    assert adding(1)(5) == 6
    assert f"{file} is compiled again: it is damaged" in caplog.text
    assert len(file.read_bytes()) == len(whole)
    caplog.clear()
    assert adding(1)(5) == 6
    assert not caplog.text


@pytest.mark.parametrize("change", [lambda file: os.chown(file, 12345, -1), lambda file: file.chmod(0o666)])
def test_files_that_others_may_have_written_are_not_believed(
    folder: Path, change: Callable[[Path], None], caplog: pytest.LogCaptureFixture
) -> None:
    if os.geteuid() != 0:
        pytest.skip("only root can give files away")
    assert adding(1)(5) == 6
    [file] = folder.rglob("*.code")
    change(file)
    assert adding(1)(5) == 6
    assert "it belongs to somebody else, or others may write to it" in caplog.text
    assert file.stat().st_uid == os.geteuid()
    assert file.stat().st_mode & 0o777 == 0o600


def test_only_so_much_compiled_code_is_kept_and_the_oldest_is_removed(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert (adding(1)(5), adding(2)(5)) == (6, 7)
    files = sorted(folder.rglob("*.code"))
    for file in files:
        os.utime(file, (1000, 1000))
    assert adding(2)(5) == 7  # and so is used
    [used] = [file for file in files if file.stat().st_mtime > 1000]
    monkeypatch.setattr("connectoe.engines.cache.MOST_BYTES", 2 * used.stat().st_size + 4096)
    assert adding(3)(5) == 8
    left = set(folder.rglob("*.code"))
    assert len(left) == 2
    assert used in left


def test_no_more_files_are_kept_than_a_bound_allows(tmp_path: Path) -> None:
    for number in range(5):
        (tmp_path / str(number)).write_text("")
        os.utime(tmp_path / str(number), (number, number))
    assert remove_oldest(tmp_path.iterdir(), most_bytes=10**9, most_files=3) == 2
    assert sorted(file.name for file in tmp_path.iterdir()) == ["2", "3", "4"]


def told_in(caplog: pytest.LogCaptureFixture) -> list[str]:
    return [record.getMessage() for record in caplog.records if "cannot be kept" in record.getMessage()]


def test_a_folder_that_cannot_be_written_to_is_reported_once_and_replaced(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("CONNECTOE_CACHE", str(tmp_path / "file" / "cache"))
    cache_folder.cache_clear()
    try:
        folder = user_cache_folder()
        assert folder.is_dir()
        assert not folder.is_relative_to(tmp_path)
        assert os.environ["CONNECTOE_CACHE"] == str(folder)
        assert (adding(1)(5), adding(2)(5)) == (6, 7)
        assert len(list(folder.rglob("*.code"))) == 2
        [told] = told_in(caplog)
        assert str(tmp_path / "file" / "cache") in told
        assert str(folder) in told
    finally:
        cache_folder.cache_clear()


def test_a_folder_of_somebody_else_is_not_used(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    if os.geteuid() != 0:
        pytest.skip("only root can give folders away")
    theirs = tmp_path / "theirs"
    theirs.mkdir()
    os.chown(theirs, 12345, 12345)
    monkeypatch.setenv("CONNECTOE_CACHE", str(theirs))
    assert user_cache_folder() != theirs
    assert "it belongs to somebody else" in caplog.text


def test_others_lose_the_right_to_write_to_our_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    ours = tmp_path / "ours"
    ours.mkdir()
    ours.chmod(0o777)
    monkeypatch.setenv("CONNECTOE_CACHE", str(ours))
    assert user_cache_folder() == ours
    assert ours.stat().st_mode & 0o777 == 0o755


def test_what_was_compiled_for_a_read_only_container_is_used_there(
    folder: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    assert adding(1)(5) == 6
    [file] = folder.rglob("*.code")

    def read_only(dir: Path) -> AbstractContextManager[None]:
        if dir == folder:
            raise OSError(errno.EROFS, os.strerror(errno.EROFS))
        return nullcontext()

    monkeypatch.setattr("tempfile.TemporaryFile", read_only)
    for part in (file.parent, folder):
        part.chmod(0o555)
    _usable.cache_clear()
    cache_folder.cache_clear()
    replaced = user_cache_folder()
    assert {part.stat().st_mode & 0o777 for part in (replaced, replaced / file.parent.name)} == {0o700}
    assert "Read-only file system" in told_in(caplog)[0]
    [link] = replaced.rglob("*.code")
    assert link.resolve() == file
    before = file.read_bytes()
    with monkeypatch.context() as only_loading:
        only_loading.setattr("connectoe.engines.compiling.write_checked", None)
        assert adding(1)(5) == 6
    assert adding(2)(5) == 7
    assert len(list(replaced.rglob("*.code"))) == 2
    assert file.read_bytes() == before
    for part in (folder, file.parent):
        part.chmod(0o755)
    _usable.cache_clear()


def test_where_nothing_can_be_kept_everything_works_and_nothing_is_kept_elsewhere(tmp_path: Path) -> None:
    """A cache beside the sources would be served though the rules have changed."""
    file = tmp_path / "file"
    file.write_text("")
    assert count("tic-tac-toe", file / "cache")[0] == "504\n"
    assert not list(Path(connectoe.__file__).parent.rglob("*.code"))


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
