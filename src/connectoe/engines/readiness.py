"""Which engines of a game are compiled already, so that nobody has to wait for a compiler.

A game's engines are prepared in parts, those that answer soonest first. A program that has prepared a part writes a
marker file beside the compiled code, where all programs of the same user look.
"""

from __future__ import annotations

import hashlib
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Literal

from connectoe.core.game import Game
from connectoe.engines.cache import cache_folder, foreign_modules

Part = Literal["levels", "table", "hard", "analysis"]
PARTS: tuple[Part, ...] = ("levels", "table", "hard", "analysis")
"""What can be prepared, in this order: the tree search of `easy` and `medium`, the table of a small game, the engines
of `hard`, and those of an analysis."""

_ready: set[tuple[Game, Part]] = set()


def is_ready(game: Game, part: Part) -> bool:
    """Whether this part of a game's engines can start at once."""
    if (game, part) in _ready:
        return True
    marker = marker_of(game, part)
    if marker is None or not marker.exists():
        return False
    _ready.add((game, part))
    return True


def note_ready(game: Game, part: Part) -> None:
    """Note for all programs that a part is prepared; if that cannot be written, for this one only."""
    _ready.add((game, part))
    marker = marker_of(game, part)
    if marker is not None:
        with suppress(OSError):
            marker.parent.mkdir(parents=True, exist_ok=True)
            marker.touch()


def marker_of(game: Game, part: Part) -> Path | None:
    """Return the file that says that a part is prepared; None where compiled code cannot be kept."""
    rules = game.rules
    folder = cache_folder(foreign_modules([rules.legal_moves, rules.play, rules.outcome, rules.player]))
    if folder is None:
        return None
    name = hashlib.sha256(f"{game.id} {game.options_text}".encode()).hexdigest()[:16]
    return folder / f"ready-{name}-{part}"


LONGEST_TURN = 600.0
"""The seconds after which another program's turn is taken to be over, whatever became of it."""


@contextmanager
def taking_turns(game: Game, part: Part) -> Iterator[None]:
    """Keep programs from preparing the same part at the same time; where that cannot be arranged, they may."""
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
    """Yield a file for locking; None where that cannot be had."""
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
