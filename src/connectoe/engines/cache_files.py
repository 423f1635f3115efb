"""Files of compiled code: trusted only if they are ours and whole, and limited in their total size.

Loading damaged machine code crashes the program, and loading somebody else's does whatever they want. So a file begins
with the SHA-256 of its content, and only files that nobody else may have written are read.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import NamedTuple

from connectoe.atomic import atomic_file

DIGEST = hashlib.sha256().digest_size
MOST_BYTES = 500 * 2**20
"""The largest size of all compiled code together, enough for some 500 variants; above it, the least recently used is
removed.
"""
MOST_FILES = 10_000
BLOCK = 4096
"""The bytes that even the smallest file takes on a disk."""
OTHERS_MAY_WRITE = 0o022

_noted: list[set[Path]] = []


class BadFile(Exception):
    """A file that must not be trusted: it is damaged, or somebody else may have written it."""


def is_ours(status: os.stat_result) -> bool:
    """Whether only we and the system's administrator may have written a file or folder.

    >>> is_ours(os.stat(os.__file__))
    True
    """
    if not hasattr(os, "geteuid"):  # Windows keeps others out of a user's folders
        return True
    return status.st_uid in (os.geteuid(), 0) and not status.st_mode & OTHERS_MAY_WRITE


def read_checked(path: Path) -> bytes:
    """Return the content of a file; raise BadFile if it must not be trusted, OSError if it cannot be read."""
    with path.open("rb") as file:
        if not is_ours(os.fstat(file.fileno())):
            raise BadFile("it belongs to somebody else, or others may write to it")
        digest, content = file.read(DIGEST), file.read()
    if hashlib.sha256(content).digest() != digest:
        raise BadFile("it is damaged")
    note_use(path)
    with suppress(OSError):  # what is used is not removed
        os.utime(path)
    return content


def write_checked(path: Path, content: bytes) -> None:
    """Write a file that `read_checked` accepts, completely or not at all."""
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    with atomic_file(path, mode=0o600) as file:
        file.write(hashlib.sha256(content).digest() + content)


def note_use(path: Path) -> None:
    """Tell all who asked that a file is used."""
    for noted in _noted:
        noted.add(path)


@contextmanager
def noting_use() -> Iterator[set[Path]]:
    """Yield a set to which the files are added that are used from now on."""
    noted: set[Path] = set()
    _noted.append(noted)
    try:
        yield noted
    finally:
        _noted.remove(noted)


class _Found(NamedTuple):
    used: float
    size: int
    path: Path


def remove_oldest(paths: Iterable[Path], most_bytes: int, most_files: int = MOST_FILES) -> int:
    """Remove the least recently used of these files until the others fit; return how many."""
    found: list[_Found] = []
    for path in paths:
        with suppress(OSError):  # another program has removed it
            status = path.lstat()
            found.append(_Found(status.st_mtime, max(BLOCK, status.st_size), path))
    found.sort()
    size, count = sum(file.size for file in found), len(found)
    removed = 0
    for file in found:
        if size <= most_bytes and count - removed <= most_files:
            break
        with suppress(OSError):
            file.path.unlink()
        size -= file.size
        removed += 1
    return removed
