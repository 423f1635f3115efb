"""Files of tables. A table is one file. Little-endian, in this order:

    64 bytes   "connectoe table", format version, length and CRC-32 of the facts
    facts      as JSON: game, options, fingerprint of the rules, counts, what the solving found out, types of the arrays
    padding    to a multiple of 64
    keys       the packed positions, smallest first (uint32, or int64 where they need it)
    values     one for each key (int8, or int16 where wins are long): plies to a win, minus plies to a loss, 0 a draw
    checks     the CRC-32 of every MiB of keys and values together (uint32)

Only unfinished positions are in it, and of mirror images only the one with the smallest key. The file is mapped into
memory, so that opening one is quick and several programs share it.

Every opening checks the facts, that they fit the game, and the length of the file; it reads the whole of a table below
64 MiB against its checks, and a few pieces all over a larger one; with `check_all`, everything. A table that fails is
never used and is made again on need. A table is written under another name and renamed when it is complete.
"""

from __future__ import annotations

import json
import mmap
import os
import struct
import time
import zlib
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from connectoe.atomic import atomic_file
from connectoe.core.errors import ConnectoeError
from connectoe.core.game import Game
from connectoe.engines.cache import user_cache_folder
from connectoe.engines.cache_files import remove_oldest
from connectoe.engines.exact.fingerprint import rules_fingerprint
from connectoe.engines.exact.lookup import Table

Array = NDArray[Any]
MAGIC = b"connectoe table\n"
FORMAT = 1
HEADER = struct.Struct("<16sIQI32x")
ALIGNMENT = 64
BLOCK = 1 << 20
"""The bytes that share a check."""
CHECKED_WHOLE = 64 * BLOCK
"""Tables up to this size are checked whole when they are opened."""
PIECES_CHECKED = 16
"""The blocks of a larger table that are checked then."""
QUICKLY_MADE = 64 * BLOCK
"""Tables up to this size are removed, those not used for longest first, when there are too many."""
MOST_BYTES = 1 << 30
"""How large these tables may be together."""
ABANDONED = 3600.0
"""The seconds after which an unfinished file is considered left over from a run that was killed."""


class BadTable(ConnectoeError):
    """A file that is no table of this game, is damaged, or was made for other rules.

    >>> import connectoe
    >>> open_table(connectoe.load("tic-tac-toe"), Path("nowhere"))
    Traceback (most recent call last):
    connectoe.engines.exact.table_files.BadTable: ...
    """


def tables_folder() -> Path:
    """Return the usual folder of tables: $CONNECTOE_TABLES, or one in the user's cache."""
    chosen = os.environ.get("CONNECTOE_TABLES")
    return Path(chosen) if chosen else user_cache_folder() / "tables"


def table_path(game: Game, folder: Path | None = None) -> Path:
    """Return the file of a game's table."""
    name = "-".join([game.id, *(f"{name}={value}" for name, value in game.options.items())])
    return (folder or tables_folder()) / f"{name}.table"


def write_table(table: Table, path: Path) -> Table:
    """Write a table to a file, completely or not at all, and open it there; OSError if that fails."""
    keys: Any = np.ascontiguousarray(table.keys)
    values: Any = np.ascontiguousarray(table.values)
    facts = {**table.facts, "keys": keys.dtype.str, "values": values.dtype.str, "count": len(keys)}
    text = json.dumps(facts, ensure_ascii=False).encode()
    path.parent.mkdir(parents=True, exist_ok=True)
    _remove_abandoned(path)
    with atomic_file(path) as file:
        header = HEADER.pack(MAGIC, FORMAT, len(text), zlib.crc32(text))
        file.write(header + text + bytes(-(len(header) + len(text)) % ALIGNMENT))
        data = (memoryview(keys).cast("B"), memoryview(values).cast("B"))
        for part in data:
            file.write(part)
        file.write(_checks(*data).tobytes())
    remove_oldest(_quickly_made(path.parent), MOST_BYTES)
    return open_table(table.game, path)


def _quickly_made(folder: Path) -> Iterator[Path]:
    """Yield the files of tables that take seconds to make again, since they are made without being asked for."""
    for path in folder.glob("*.table"):
        with suppress(OSError):
            if path.stat().st_size <= QUICKLY_MADE:
                yield path


def _remove_abandoned(path: Path) -> None:
    """Remove unfinished files that killed runs have left."""
    for left in path.parent.glob(f".{path.name}.*.part"):
        with suppress(OSError):
            if left.stat().st_mtime < time.time() - ABANDONED:
                left.unlink()


def _checks(keys: memoryview, values: memoryview) -> Array:
    """Return the CRC-32 of each block of the two together."""
    length = len(keys) + len(values)
    return np.array([_check(keys, values, begin) for begin in range(0, length, BLOCK)], np.uint32)


def _check(keys: memoryview, values: memoryview, begin: int) -> int:
    """Return the CRC-32 of the block that begins there."""
    end = begin + BLOCK
    of_keys = zlib.crc32(keys[begin:end])
    return zlib.crc32(values[max(0, begin - len(keys)) : max(0, end - len(keys))], of_keys)


def open_table(game: Game, path: Path | None = None, *, check_all: bool = False) -> Table:
    """Return the table in a file, mapped into memory; BadTable if it is not a sound table for these rules."""
    path = path or table_path(game)
    try:
        with path.open("rb") as file:
            size = os.fstat(file.fileno()).st_size
            if size < HEADER.size:
                raise BadTable(f"{path} is no table: it has only {size} bytes")
            mapped = memoryview(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ))
    except OSError as error:
        raise BadTable(f"there is no table {path}: {error.strerror}") from error
    facts, begin = _facts_in(mapped, path)
    if facts["game"] != game.id or facts["options"] != game.options or facts["fingerprint"] != rules_fingerprint(game):
        raise BadTable(f"{path} was made for other rules than those of {game!r} now; `connectoe solve` makes it again")
    key_type, value_type, count = np.dtype(facts["keys"]), np.dtype(facts["values"]), facts["count"]
    values_at = begin + count * key_type.itemsize
    checks_at = values_at + count * value_type.itemsize
    blocks = -(-(checks_at - begin) // BLOCK)
    if size != checks_at + 4 * blocks:
        raise BadTable(f"{path} is damaged: it has {size} bytes and should have {checks_at + 4 * blocks}")
    checks = np.frombuffer(mapped, np.dtype("<u4"), blocks, checks_at)
    whole = check_all or size <= CHECKED_WHOLE
    chosen = range(blocks) if whole else np.linspace(0, blocks - 1, PIECES_CHECKED).astype(int).tolist()
    for block in chosen:
        if _check(mapped[begin:values_at], mapped[values_at:checks_at], block * BLOCK) != checks[block]:
            raise BadTable(f"{path} is damaged: MiB {block + 1} of its {blocks} is not what was written")
    keys = np.frombuffer(mapped, key_type, count, begin)
    values = np.frombuffer(mapped, value_type, count, values_at)
    with suppress(OSError):  # what is used is not removed
        os.utime(path)
    return Table(game, keys, values, facts, path)


def _facts_in(mapped: memoryview, path: Path) -> tuple[dict[str, Any], int]:
    """Return the facts of a table file, and where its keys begin."""
    magic, version, length, check = HEADER.unpack_from(mapped)
    if magic != MAGIC:
        raise BadTable(f"{path} is no table")
    if version != FORMAT:
        raise BadTable(f"{path} has format {version}; this version of Connectoe reads format {FORMAT}")
    text = bytes(mapped[HEADER.size : HEADER.size + length])
    if zlib.crc32(text) != check:
        raise BadTable(f"{path} is damaged: its facts are not what was written")
    end = HEADER.size + length
    return json.loads(text), end + -end % ALIGNMENT
