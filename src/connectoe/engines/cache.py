"""Where compiled code and tables are kept between runs. This file imports no compiler, so asking costs nothing."""

from __future__ import annotations

import hashlib
import os
import shutil
import sys
import time
from collections.abc import Callable, Iterable
from contextlib import suppress
from functools import cache
from pathlib import Path
from types import CodeType, FunctionType
from typing import Any

from platformdirs import user_cache_path

PACKAGE = "connectoe."

INTERFACES = {"commands", "draw", "web"}
"""Folders of the package in which nothing is ever compiled: a change there leaves what was compiled as it is."""
NOWHERE = Path(os.devnull) / "connectoe"
"""A folder that cannot be made, so that nothing is kept."""


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


@cache
def remove_unused(folder: Path) -> None:
    """Mark a folder of compiled code as in use, and remove those beside it that were not used for long."""
    with suppress(OSError):
        os.utime(folder)
    with suppress(OSError):
        for other in folder.parent.glob("compiled-" + "[0-9a-f]" * 16):
            if other != folder and time.time() - other.stat().st_mtime > UNUSED and not other.is_symlink():
                shutil.rmtree(other, ignore_errors=True)


def user_cache_folder() -> Path:
    """Return the folder for files that can be made again: $CONNECTOE_CACHE, or the system's usual place."""
    chosen = os.environ.get("CONNECTOE_CACHE")
    if chosen:
        return Path(chosen)
    with suppress(RuntimeError):  # a user without a home
        folder = user_cache_path("connectoe", appauthor=False)
        if folder.is_absolute():
            return folder
    return NOWHERE
