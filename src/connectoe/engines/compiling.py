"""Compiling engines with Numba, and keeping what was compiled between runs.

Engines are factories that close over a game's rule functions. Three things make the cache on disk work:

- the closure holds plain Python functions (marked by `rule`), never compiled ones: those pickle, so they can be part
  of the cache's key;
- the compiled function does not call itself;
- Numba looks only at the engine's own file for changes, so a changed rules file would be served stale. The cache's
  folder is therefore named after a hash of all sources of the package.
"""

from __future__ import annotations

import hashlib
import os
import sys
from functools import cache
from pathlib import Path
from typing import cast

import numba
from numba.extending import register_jitable

from connectoe.game import Function, rules_to_register


def compiled(function: Function) -> Function:
    """The function, compiled at its first call and kept on disk for the next run."""
    numba.config.CACHE_DIR = str(cache_folder())  # type: ignore[attr-defined]
    while rules_to_register:
        register_jitable(rules_to_register.pop())
    return cast(Function, numba.njit(cache=True, nogil=True)(function))


@cache
def cache_folder() -> Path:
    """Where compiled code is kept, for exactly these sources of the package."""
    sources = Path(__file__).parents[1]
    digest = hashlib.sha256()
    for file in sorted(sources.rglob("*.py")):
        digest.update(str(file.relative_to(sources)).encode())
        digest.update(file.read_bytes())
    return user_cache_folder() / f"compiled-{digest.hexdigest()[:16]}"


def user_cache_folder() -> Path:
    """The folder for things that can be made again: $CONNECTOE_CACHE, or the system's usual place."""
    chosen = os.environ.get("CONNECTOE_CACHE")
    if chosen:
        return Path(chosen)
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA", Path.home() / "AppData" / "Local")) / "connectoe"
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches" / "connectoe"
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "connectoe"
