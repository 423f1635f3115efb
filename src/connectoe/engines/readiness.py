"""Which engines of a game are compiled already, so that nobody has to wait for a compiler.

A game's engines are prepared in parts, those that answer soonest first. A program that has prepared a part writes a
marker file beside the compiled code, where all programs of the same user look. It names the files that the part needs.
"""

from __future__ import annotations

import hashlib
import os
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Literal

from connectoe.atomic import atomic_file
from connectoe.core.game import Game
from connectoe.engines.cache import NOWHERE, cache_folder, foreign_modules, user_cache_folder

Part = Literal["levels", "table", "hard", "analysis", "people"]
PARTS: tuple[Part, ...] = ("levels", "table", "hard", "analysis", "people")
"""What can be prepared, in this order: the tree search of `easy` and `medium`, the table of a small game, the engines
of `hard`, those of an analysis, and those of opponents like people."""

CHECKED_FOR = 60.0
"""The seconds after which it is checked again whether what was prepared is still there."""

MOST_IN_MEMORY = 64
"""How many parts a program knows that it has prepared itself; it does not keep the code of many more."""

_in_memory: dict[tuple[Game, Part], None] = {}
"""What this program has prepared itself, whether or not it could be kept on disk; the latest last."""
_on_disk: dict[tuple[Game, Part], float] = {}
"""What was found on disk, and when."""


def is_ready(game: Game, part: Part) -> bool:
    """Whether this part of a game's engines can start at once."""
    game = game.plain
    if (game, part) in _in_memory or time.monotonic() - _on_disk.get((game, part), -CHECKED_FOR) < CHECKED_FOR:
        return True
    _on_disk.pop((game, part), None)
    if not is_kept(game, part):
        return False
    _on_disk[game, part] = time.monotonic()
    return True


def is_kept(game: Game, part: Part) -> bool:
    """Whether a part was prepared and its files are on disk."""
    return all(path.is_file() for path in files_of(game, part) or [NOWHERE])


def files_of(game: Game, part: Part) -> list[Path]:
    """Return the files that a part needs, beginning with the marker that names the others; none if it is not ready."""
    marker = marker_of(game, part)
    with suppress(OSError, ValueError):
        if marker is not None:
            return [marker, *(user_cache_folder() / name for name in marker.read_text().split("\n") if name)]
    return []


def note_ready(game: Game, part: Part, files: Iterable[Path] = ()) -> None:
    """Note for all programs that a part is prepared and needs these files; if they are not kept, for this one only."""
    game = game.plain
    _in_memory.pop((game, part), None)
    _in_memory[game, part] = None
    if len(_in_memory) > MOST_IN_MEMORY:
        del _in_memory[next(iter(_in_memory))]
    marker, folder = marker_of(game, part), user_cache_folder()
    if marker is None:
        return
    with suppress(OSError):
        marker.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        needed = {path.relative_to(folder) for path in files if path.is_relative_to(folder)}
        with atomic_file(marker) as file:
            file.write("".join(f"{name}\n" for name in sorted(needed)).encode())


def marker_of(game: Game, part: Part) -> Path | None:
    """Return the file that says that a part is prepared; None where compiled code cannot be kept."""
    rules = game.rules
    folder = cache_folder(foreign_modules([rules.legal_moves, rules.play, rules.outcome, rules.player]))
    if folder is None:
        return None
    name = hashlib.sha256(f"{game.id} {game.plain.options_text}".encode()).hexdigest()[:16]
    return folder / f"ready-{name}-{part}"


LONGEST_TURN = 600.0
"""The seconds after which another program's turn counts as over, whatever has happened to it."""


@contextmanager
def taking_turns(game: Game, part: Part) -> Iterator[None]:
    """Keep programs from preparing the same part at the same time, where locks are possible."""
    with _lock_file(game, part) as lock:
        until = time.monotonic() + LONGEST_TURN
        while lock is not None and not _is_locked_by_us(lock) and time.monotonic() < until:
            time.sleep(0.1)
        yield


def is_being_prepared(game: Game, part: Part) -> bool:
    """Whether another program is preparing this part now."""
    with _lock_file(game, part) as lock:
        return lock is not None and not _is_locked_by_us(lock)


@contextmanager
def _lock_file(game: Game, part: Part) -> Iterator[int | None]:
    """Yield a file for locking; None where there can be none."""
    marker = marker_of(game, part)
    lock = None
    if marker is not None and os.name == "posix":
        with suppress(OSError):
            marker.parent.mkdir(parents=True, exist_ok=True)
            lock = os.open(marker.with_name(f"{marker.name}.lock"), os.O_RDWR | os.O_CREAT, 0o600)
    try:
        yield lock
    finally:
        if lock is not None:
            os.close(lock)


def _is_locked_by_us(lock: int) -> bool:
    """Lock a file unless another program has; return whether it is ours. The lock ends with the program."""
    import fcntl

    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True
