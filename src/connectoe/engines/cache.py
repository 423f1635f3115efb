"""Where compiled code and tables are kept between runs. This file imports no compiler, so asking costs nothing."""

from __future__ import annotations

import hashlib
import os
import sys
from functools import cache
from pathlib import Path

INTERFACES = {"commands", "draw", "web"}
"""Folders of the package in which nothing is ever compiled: a change there leaves what was compiled as it is."""


@cache
def cache_folder(foreign_modules: tuple[str, ...] = ()) -> Path | None:
    """Where compiled code is kept, for exactly these sources; None if it cannot be told whether a source changed.

    A game from elsewhere has a folder of its own, named after its sources too: an index with names of modules that only
    one program knows would be unreadable to others.

    >>> cache_folder().parent == user_cache_folder()
    True
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


def user_cache_folder() -> Path:
    """The folder for things that can be made again: $CONNECTOE_CACHE, or the system's usual place.

    >>> from unittest.mock import patch
    >>> with patch.dict(os.environ, CONNECTOE_CACHE="kept"):
    ...     user_cache_folder().name
    'kept'
    """
    chosen = os.environ.get("CONNECTOE_CACHE")
    if chosen:
        return Path(chosen)
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA", Path.home() / "AppData" / "Local")) / "connectoe"
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches" / "connectoe"
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "connectoe"
