"""Where compiled code and tables are kept between runs. This file imports no compiler, so asking costs nothing."""

from __future__ import annotations

import atexit
import errno
import hashlib
import logging
import os
import shutil
import sys
import tempfile
import time
from collections.abc import Callable, Iterable
from contextlib import suppress
from functools import cache
from pathlib import Path
from types import CodeType, FunctionType
from typing import Any

from platformdirs import user_cache_path

from connectoe.engines.cache_files import MOST_BYTES, OTHERS_MAY_WRITE, is_ours, remove_oldest

log = logging.getLogger("connectoe")
PACKAGE = "connectoe."

INTERFACES = {"commands", "draw", "puzzles", "terminal", "web"}
"""Folders of the package in which nothing is ever compiled: a change there does not affect compiled code."""
NOWHERE = Path(os.devnull) / "connectoe"
"""A folder that cannot be made, so that nothing is kept."""
UNFINISHED = {".lock", ".part"}
"""The suffix of files that only the program that made them needs."""
temporary_folders: set[Path] = set()
"""The temporary folders that this program uses in place of others; it removes them when it ends."""


@cache
def cache_folder(foreign_modules: tuple[str, ...] = ()) -> Path | None:
    """Return the folder of compiled code for exactly these sources; None if a source may have changed unseen.

    A game from elsewhere has a folder of its own, named after its sources too: an index with names of modules that only
    one program knows would be unreadable to others.
    """
    package = Path(__file__).parents[1]
    sources = [file for file in sorted(package.rglob("*.py")) if file.relative_to(package).parts[0] not in INTERFACES]
    for name in foreign_modules:
        file = getattr(sys.modules.get(name), "__file__", None)
        if file is None:
            return None
        sources.append(Path(file))
    digest = hashlib.sha256(" ".join(foreign_modules).encode())
    for file in sources:
        digest.update(file.name.encode())
        digest.update(file.read_bytes())
    return user_cache_folder() / f"compiled-{digest.hexdigest()[:16]}"


def foreign_modules(functions: Iterable[Callable[..., Any]]) -> tuple[str, ...]:
    """Return the modules outside this package that these functions, and all functions they use, come from."""
    reached: set[FunctionType] = set()
    to_visit = [function for function in functions if isinstance(function, FunctionType)]
    while to_visit:
        function = to_visit.pop()
        if function in reached:
            continue
        reached.add(function)
        held = [cell.cell_contents for cell in function.__closure__ or ()]
        named = [function.__globals__[name] for name in names_in(function.__code__) & function.__globals__.keys()]
        to_visit += [thing for thing in (*held, *named) if isinstance(thing, FunctionType)]
    return tuple(sorted({module for function in reached if not (module := function.__module__).startswith(PACKAGE)}))


def names_in(code: CodeType) -> set[str]:
    """Return the names that a function looks up, including those in functions inside it."""
    inner = (constant for constant in code.co_consts if isinstance(constant, CodeType))
    return set(code.co_names).union(*map(names_in, inner))


UNUSED = 30 * 24 * 3600.0
"""The seconds after which compiled code that nobody has used, such as that of an older version, is removed."""
COMPILED = "compiled-" + "[0-9a-f]" * 16
"""What the names of folders of compiled code look like."""


@cache
def remove_unused(folder: Path) -> None:
    """Mark a folder of compiled code as in use, and remove those beside it that have not been used for a long time."""
    with suppress(OSError):
        os.utime(folder)
    with suppress(OSError):
        for other in folder.parent.glob(COMPILED):
            if other != folder and time.time() - other.stat().st_mtime > UNUSED and not other.is_symlink():
                shutil.rmtree(other, ignore_errors=True)


def user_cache_folder() -> Path:
    """Return the folder for files that can be made again: $CONNECTOE_CACHE, or the system's usual place.

    Where that cannot be written to, or belongs to somebody else, it is a temporary folder of this program and of those
    it starts.
    """
    chosen = os.environ.get("CONNECTOE_CACHE")
    if chosen:
        return _usable(Path(chosen))
    with suppress(RuntimeError):  # a user without a home
        folder = user_cache_path("connectoe", appauthor=False)
        if folder.is_absolute():
            return _usable(folder)
    return _usable(NOWHERE)


@cache
def _usable(wanted: Path) -> Path:
    """Return this folder if it can be used, or a temporary one in its place; says so once."""
    try:
        wanted.mkdir(mode=0o700, parents=True, exist_ok=True)
        _keep_others_out(wanted)
        with tempfile.TemporaryFile(dir=wanted):
            return wanted
    except OSError as error:
        problem = error.strerror or str(error)
    place = "without a home folder" if wanted == NOWHERE else f"in {wanted} ({problem})"
    try:
        temporary = Path(tempfile.mkdtemp(prefix="connectoe-"))
    except OSError:
        log.warning("compiled engines cannot be kept %s: they are compiled again by every program", place)
        return NOWHERE
    log.warning("compiled engines cannot be kept %s: they are kept in %s until this program ends", place, temporary)
    temporary_folders.add(temporary)
    _link_all(wanted, temporary)
    os.environ["CONNECTOE_CACHE"] = str(temporary)  # for the programs that this one starts
    atexit.register(_remove_if_made_by, os.getpid(), temporary)
    return temporary


def _keep_others_out(folder: Path) -> None:
    """Take away the right of others to write to our folder; raise PermissionError for a folder of somebody else."""
    status = folder.stat()
    if hasattr(os, "geteuid") and status.st_uid == os.geteuid() and status.st_mode & OTHERS_MAY_WRITE:
        folder.chmod(status.st_mode & 0o755)
    if not is_ours(folder.stat()):
        raise PermissionError(errno.EPERM, "it belongs to somebody else")


def _link_all(source: Path, target: Path) -> None:
    """Fill a folder with links to all that is in another one, such as what was compiled for a read-only container."""
    with suppress(OSError):
        if not is_ours(source.stat()):
            return
    with suppress(OSError):
        for file in source.rglob("*"):
            if file.is_file() and file.suffix not in UNFINISHED:
                link = target / file.relative_to(source)
                link.parent.mkdir(mode=0o700, parents=True, exist_ok=True)  # not read-only like the folder there
                link.symlink_to(file)


def _remove_if_made_by(process: int, folder: Path) -> None:
    if os.getpid() == process:  # not if this is a copy of it
        shutil.rmtree(folder, ignore_errors=True)


def keep_within_bounds() -> None:
    """Remove the least recently used compiled code, if there is too much of it."""
    remove_oldest(user_cache_folder().glob(f"{COMPILED}/*"), MOST_BYTES)
