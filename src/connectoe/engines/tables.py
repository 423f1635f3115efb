"""Tables of solved games: what a position is worth, looked up in microseconds.

A table is one file. Little-endian, in this order:

    64 bytes   "connectoe table", format version, length and CRC-32 of the facts
    facts      as JSON: game, options, fingerprint of the rules, counts, what the solving found out, types of the arrays
    padding    to a multiple of 64
    keys       the packed positions, smallest first (uint32, or int64 where they need it)
    values     one for each key (int8, or int16 where wins are long): plies to a win, minus plies to a loss, 0 a draw
    checks     the CRC-32 of every MiB of keys and values together (uint32)

Only unfinished positions are in it, and of mirror images only the one with the smallest key. The file is mapped into
memory, so that opening one is quick and several programs share it.

Every opening checks the facts, that they fit the game, and the length of the file; it reads the whole of a table below
64 MiB against its checks, and of a larger one a few pieces all over it. `Table.verify` reads everything. A table that
fails is never used and is made again on need. A table is written under another name and renamed when it is complete.
"""

from __future__ import annotations

import hashlib
import json
import math
import mmap
import os
import secrets
import struct
import time
import zlib
from collections.abc import Callable, Collection
from contextlib import suppress
from functools import lru_cache
from pathlib import Path
from types import CodeType, FunctionType
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from connectoe.engines.cache import user_cache_folder
from connectoe.engines.compiling import compiled
from connectoe.engines.mirrors import smallest_image
from connectoe.engines.retrograde import (
    MOST_POSITIONS,
    Progress,
    Solution,
    can_be_packed,
    count_finished,
    estimate,
    solve,
)
from connectoe.errors import BadPosition, ConnectoeError
from connectoe.game import ONGOING, Game, Rules

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
ABANDONED = 3600.0
"""The seconds after which an unfinished file is taken to be left from a run that was killed."""


class BadTable(ConnectoeError):
    """A file that is no table of this game, is damaged, or was made for other rules.

    >>> import connectoe
    >>> open_table(connectoe.load("tic-tac-toe"), Path("nowhere"))
    Traceback (most recent call last):
    connectoe.engines.tables.BadTable: ...
    """


class Value(NamedTuple):
    """What a position is worth to the player to move, and the plies to the end under best play (none for a draw).

    The winner plays for the shortest win, the loser for the longest loss.

    >>> str(Value("win", 7)), str(Value("draw", None))
    ('win in 7', 'draw')
    """

    result: Literal["win", "draw", "loss"]
    plies: int | None

    def __str__(self) -> str:
        return self.result if self.plies is None else f"{self.result} in {self.plies}"


VALUES = {plies: Value("win" if plies > 0 else "loss", abs(plies)) for plies in range(-200, 201) if plies}
VALUES[0] = Value("draw", None)
"""The values that are asked for all the time, by their number in a table."""


def value_of(number: int) -> Value:
    """The value that a number in a table stands for.

    >>> value_of(-4)
    Value(result='loss', plies=4)
    """
    return VALUES.get(number) or Value("win" if number > 0 else "loss", abs(number))


class Table:
    """The values of all positions of a game.

    >>> import connectoe
    >>> table = load_table(connectoe.load("tic-tac-toe"))
    >>> str(table.value(table.game.rules.start))
    'draw'
    >>> state = table.game.start.play("a1").play("b1")
    >>> str(table.value(state.position)), [state.game.move_text(move) for move in table.best_moves(state.position)]
    ('win in 5', ['a2', 'b2', 'a3'])
    >>> {state.game.move_text(move): str(value) for move, value in table.moves(state.position).items()}["c3"]
    'draw'
    """

    def __init__(self, game: Game, keys: Array, values: Array, facts: dict[str, Any], path: Path | None = None) -> None:
        self.game = game
        self.keys = keys
        self.values = values
        self.facts = facts
        """What the solving found out, as it stands in the file."""
        self.path = path
        """The file, if there is one."""
        self._look_up = _lookup(game)
        self._pack: Any = game.rules.pack

    def value(self, position: Any) -> Value:
        """What an unfinished position that play can reach is worth to the player to move.

        >>> import connectoe
        >>> table = load_table(connectoe.load("tic-tac-toe"))
        >>> table.value(table.game.start.play("a1").position)
        Value(result='draw', plies=None)
        """
        number = self._number(position)
        if number == MISSING:
            if self.game.rules.outcome(position) != ONGOING:
                raise BadPosition("the game is over in this position, so that nobody is to move")
            raise self._unreachable()
        return value_of(number)

    def _number(self, position: Any) -> int:
        return self._look_up(self._pack(position), self.keys, self.values)  # type: ignore[no-any-return]

    def _unreachable(self) -> BadPosition:
        return BadPosition(f"this position is not in the table of {self.game!r}: play cannot lead to it")

    def moves(self, position: Any) -> dict[int, Value]:
        """What each legal move of an unfinished position is worth to the player who makes it; its ply is counted.

        >>> import connectoe
        >>> table = load_table(connectoe.load("tic-tac-toe"))
        >>> len(table.moves(table.game.rules.start))
        9
        """
        return {move: value_of(number) for move, number in self._numbers_of_moves(position).items()}

    def best_moves(self, position: Any, drawn: Collection[int] = ()) -> list[int]:
        """The moves that keep the value of the position: the quickest wins, else the draws, else the latest losses.

        Moves that are said to be `drawn`, because the match has gone that way before, end the game as a draw.

        >>> import connectoe
        >>> table = load_table(connectoe.load("tic-tac-toe"))
        >>> state = table.game.start.play("a1").play("b1")
        >>> sorted(map(table.game.move_text, table.best_moves(state.position)))
        ['a2', 'a3', 'b2']
        """
        numbers = self._numbers_of_moves(position) | dict.fromkeys(drawn, 0)
        best = max(map(merit, numbers.values()))
        return [move for move, number in numbers.items() if merit(number) == best]

    def _numbers_of_moves(self, position: Any) -> dict[int, int]:
        if self.game.rules.outcome(position) != ONGOING:
            raise BadPosition("the game is over in this position, so that there are no moves")
        numbers = _numbers_of_moves(self.game.rules, position, self._number)
        if MISSING in numbers.values():
            raise self._unreachable()
        return numbers

    def verify(self) -> None:
        """Reads the whole table against its checks; raises BadTable if something is wrong with it.

        >>> import connectoe
        >>> load_table(connectoe.load("tic-tac-toe")).verify()
        """
        if self.path is not None:
            open_table(self.game, self.path, check_all=True)

    def __len__(self) -> int:
        return len(self.keys)

    def __repr__(self) -> str:
        return f"<Table of {self.game!r}: {len(self)} positions>"


def _numbers_of_moves(rules: Rules, position: Any, number_of: Callable[[Any], int]) -> dict[int, int]:
    """The number of each legal move for the player who makes it, MISSING where `number_of` says so."""
    mover = rules.player(position)
    numbers = {}
    for move in rules.legal_moves(position):
        following = rules.play(position, move)
        outcome = rules.outcome(following)
        if outcome != ONGOING:
            number = 1 if outcome == mover else -1 if outcome == 1 - mover else 0
        else:
            number = number_of(following)
            if number != MISSING:
                number = number if rules.player(following) == mover else -number
                number += (number > 0) - (number < 0)
        numbers[int(move)] = number
    return numbers


def merit(number: int) -> float:
    """How good a number of a table is for the player: soon won, late won, drawn, late lost, soon lost.

    >>> merit(3) > merit(5) > merit(0) > merit(-6) > merit(-2)
    True
    """
    return 1 / number if number else 0.0


# Looking up.

MISSING = -(1 << 15)


def make_lookup(unpack: Any, canonical: Callable[[Any], int]) -> Any:
    """A compiled binary search for a packed position among sorted keys; answers its value, or MISSING.

    It takes the packed position because ints come into compiled code quickly. Of two games whose positions are tuples
    alike in all but their class, Numba takes one for the other at first, and finds out only after 100 microseconds.

    >>> import connectoe
    >>> from connectoe.engines.mirrors import smallest_image
    >>> rules = connectoe.load("tic-tac-toe").rules
    >>> callable(make_lookup(rules.unpack, smallest_image(rules)))
    True
    """

    def look_up(packed: int, keys: Array, values: Array) -> int:
        key = canonical(unpack(packed))
        low, high = 0, len(keys)
        while low < high:
            middle = (low + high) // 2
            if keys[middle] < key:
                low = middle + 1
            else:
                high = middle
        if low < len(keys) and keys[low] == key:
            return np.int64(values[low])  # type: ignore[return-value]
        return MISSING

    return compiled(look_up)


@lru_cache(maxsize=64)
def _lookup(game: Game) -> Any:
    return make_lookup(game.rules.unpack, smallest_image(game.rules))


# Finding and making tables.


def tables_folder() -> Path:
    """Where tables are kept if nothing else is said: $CONNECTOE_TABLES, or a folder in the user's cache.

    >>> isinstance(tables_folder(), Path)
    True
    """
    chosen = os.environ.get("CONNECTOE_TABLES")
    return Path(chosen) if chosen else user_cache_folder() / "tables"


def table_path(game: Game, folder: Path | None = None) -> Path:
    """The file of a game's table.

    >>> import connectoe
    >>> table_path(connectoe.load("connect-four", cols=5, rows=5)).name
    'connect-four-cols=5-rows=5-connect=4.table'
    """
    name = "-".join([game.id, *(f"{name}={value}" for name, value in game.options.items())])
    return (folder or tables_folder()) / f"{name}.table"


_open_tables: dict[tuple[Game, Path, str], Table] = {}


def load_table(
    game: Game,
    *,
    make: Literal["small", "always", "never"] = "small",
    folder: Path | None = None,
    progress: Progress | None = None,
) -> Table | None:
    """The table of a game, found or made; None if there is none and it may not be made.

    With `make="small"` only the table of a game with up to 200,000 positions up to mirror images is made, which takes a
    second or two. If the file cannot be written, the table is good as long as the program runs.

    >>> import connectoe
    >>> len(load_table(connectoe.load("tic-tac-toe")))
    627
    """
    if not can_be_packed(game):
        return None
    path = table_path(game, folder)
    known = (game, path, rules_fingerprint(game))
    if known not in _open_tables:
        table = _found_or_made(game, path, make, progress)
        if table is None:
            return None
        _open_tables[known] = table
    return _open_tables[known]


def _found_or_made(game: Game, path: Path, make: str, progress: Progress | None) -> Table | None:
    with suppress(BadTable):
        return open_table(game, path)
    if make == "never":
        return None
    expected = estimate(game, enough=0 if make == "small" else math.inf)
    if make == "small" and not expected.exact:
        return None
    table = solved_table(game, expected=expected.kept, progress=progress)
    try:
        return write_table(table, path)
    except OSError:
        return table


def solved_table(
    game: Game,
    *,
    expected: int = 0,
    most_positions: int = MOST_POSITIONS,
    with_finished: bool = False,
    progress: Progress | None = None,
) -> Table:
    """A game's table, just worked out and not in a file yet.

    >>> import connectoe
    >>> len(solved_table(connectoe.load("tic-tac-toe")))
    627
    """
    solution = solve(game, most_positions=most_positions, expected=expected, progress=progress)
    table = Table(game, solution.keys, solution.values, {})
    check_by_plain_rules(table)
    table.facts = facts_of(table, solution)
    if with_finished:
        finished = count_finished(game, solution, progress)
        table.facts["finished"] = {"won by 0": finished[0], "won by 1": finished[1], "drawn": finished[2]}
    return table


def check_by_plain_rules(table: Table, positions: int = 500) -> None:
    """Holds some values against what the moves lead to, by the rules as plain Python; BadTable if they do not fit.

    Compiled code comes from a cache that other programs write to as well. A table that it got wrong must not be kept.

    >>> import connectoe
    >>> check_by_plain_rules(load_table(connectoe.load("tic-tac-toe")), positions=10)
    """
    rules = table.game.rules
    unpack: Any = rules.unpack
    packed = smallest_image(rules)

    def number_of(position: Any) -> int:
        key = packed(position)
        at = int(table.keys.searchsorted(table.keys.dtype.type(key)))
        return int(table.values[at]) if at < len(table) and table.keys[at] == key else MISSING

    for at in np.random.default_rng(0).integers(0, len(table), positions):
        position = unpack(int(table.keys[at]))
        number = int(table.values[at])
        best = max(_numbers_of_moves(rules, position, number_of).values(), key=merit)
        if number != best or table._number(position) != number:
            raise BadTable(
                f"the compiled engine has solved {table.game!r} wrongly: {table.game.write(position)} is "
                f"{value_of(number)}, but its best move gives {value_of(best)}. Removing the folder "
                f"{user_cache_folder()} has everything compiled anew; if that does not help, please report it"
            )


def facts_of(table: Table, solution: Solution) -> dict[str, Any]:
    """What there is to say about a solved game, ready for JSON.

    >>> import connectoe
    >>> "game" in solved_table(connectoe.load("tic-tac-toe")).facts
    True
    """
    game, rules = table.game, table.game.rules
    tallies = solution.tallies
    longest = max(map(abs, tallies))
    unpack: Any = rules.unpack
    longest_at = int(table.keys[int(np.argmax(np.abs(table.values)))]) if longest else None
    start = table.value(rules.start)
    return {
        "game": game.id,
        "options": game.options,
        "fingerprint": rules_fingerprint(game),
        "positions": solution.positions,
        "kept": len(table),
        "won": sum(tally for value, tally in tallies.items() if value > 0),
        "drawn": tallies.get(0, 0),
        "lost": sum(tally for value, tally in tallies.items() if value < 0),
        "start": list(start),
        "first_moves": {game.move_text(move): list(value) for move, value in table.moves(rules.start).items()},
        "longest_win": longest,
        "longest_win_at": game.write(unpack(longest_at)) if longest_at is not None else None,
        "layers": solution.layers,
        "sweeps": solution.sweeps,
        "seconds": {step: round(seconds, 4) for step, seconds in solution.seconds.items()},
        "memory": solution.memory,
    }


# Files.


def write_table(table: Table, path: Path) -> Table:
    """Writes a table to a file, all of it or nothing, and opens it there; an OSError says why it could not.

    >>> import connectoe, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     len(write_table(solved_table(connectoe.load("tic-tac-toe")), Path(folder) / "made.table"))
    627
    """
    keys: Any = np.ascontiguousarray(table.keys)
    values: Any = np.ascontiguousarray(table.values)
    facts = {**table.facts, "keys": keys.dtype.str, "values": values.dtype.str, "count": len(keys)}
    text = json.dumps(facts, ensure_ascii=False).encode()
    path.parent.mkdir(parents=True, exist_ok=True)
    _remove_abandoned(path)
    unfinished = path.with_name(f".{path.name}.{secrets.token_hex(4)}.part")
    try:
        with unfinished.open("xb") as file:
            header = HEADER.pack(MAGIC, FORMAT, len(text), zlib.crc32(text))
            file.write(header + text + bytes(-(len(header) + len(text)) % ALIGNMENT))
            data = (memoryview(keys).cast("B"), memoryview(values).cast("B"))
            for part in data:
                file.write(part)
            file.write(_checks(*data).tobytes())
            file.flush()
            os.fsync(file.fileno())
        unfinished.replace(path)
    except BaseException:
        with suppress(OSError):
            unfinished.unlink()
        raise
    return open_table(table.game, path)


def _remove_abandoned(path: Path) -> None:
    """Removes what runs that were killed while writing have left."""
    for left in path.parent.glob(f".{path.name}.*.part"):
        with suppress(OSError):
            if left.stat().st_mtime < time.time() - ABANDONED:
                left.unlink()


def _checks(keys: memoryview, values: memoryview) -> Array:
    """The CRC-32 of each block of the two together."""
    length = len(keys) + len(values)
    return np.array([_check(keys, values, begin) for begin in range(0, length, BLOCK)], np.uint32)


def _check(keys: memoryview, values: memoryview, begin: int) -> int:
    """The CRC-32 of the block that begins there."""
    end = begin + BLOCK
    of_keys = zlib.crc32(keys[begin:end])
    return zlib.crc32(values[max(0, begin - len(keys)) : max(0, end - len(keys))], of_keys)


def open_table(game: Game, path: Path | None = None, *, check_all: bool = False) -> Table:
    """The table in a file, mapped into memory; BadTable if it is not a sound table for these rules.

    >>> import connectoe
    >>> table = load_table(connectoe.load("tic-tac-toe"))
    >>> table.path is None or len(open_table(table.game, table.path)) == 627
    True
    """
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
    return Table(game, keys, values, facts, path)


def _facts_in(mapped: memoryview, path: Path) -> tuple[dict[str, Any], int]:
    """The facts of a table file, and where its keys begin."""
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


# Which rules a table was made for.


@lru_cache(maxsize=256)
def rules_fingerprint(game: Game) -> str:
    """A hash of everything that the rules consist of: their compiled functions, all that these call, and all constants.

    So a table is never used for rules that have changed since. Another version of Python compiles functions
    differently; it makes its own tables.

    >>> import connectoe
    >>> closed, open_boards = (connectoe.load("ultimate", won_boards=choice) for choice in ("closed", "open"))
    >>> rules_fingerprint(closed) == rules_fingerprint(open_boards)
    False
    """
    rules = game.rules
    digest = hashlib.sha256()
    walked: list[Any] = []

    def walk(thing: Any) -> None:
        digest.update(f"{type(thing).__name__}(".encode())
        if isinstance(thing, tuple | list):
            for part in thing:
                walk(part)
        elif isinstance(thing, frozenset | set):
            digest.update(repr(sorted(map(repr, thing))).encode())
        elif isinstance(thing, CodeType):
            walk((thing.co_code, thing.co_names, thing.co_varnames, thing.co_freevars, thing.co_consts))
        elif isinstance(thing, FunctionType):
            walk_function(thing)
        elif isinstance(thing, type):
            digest.update(f"{thing.__qualname__}{getattr(thing, '_fields', '')}".encode())
        elif isinstance(thing, np.ndarray):
            digest.update(f"{thing.dtype}{thing.shape}".encode() + thing.tobytes())
        else:
            digest.update(repr(thing).encode())
        digest.update(b")")

    def walk_function(function: FunctionType) -> None:
        if any(function is known for known in walked):
            digest.update(f"number {walked.index(function)}".encode())
            return
        walked.append(function)
        walk((function.__code__, function.__defaults__))
        walk([cell.cell_contents for cell in function.__closure__ or ()])
        for name in sorted(_names_in(function.__code__) & function.__globals__.keys()):
            walk((name, function.__globals__[name]))

    walk((rules.start, rules.legal_moves, rules.play, rules.outcome, rules.player))
    walk((rules.pack, rules.unpack, rules.mirrors))
    return digest.hexdigest()


def _names_in(code: CodeType) -> set[str]:
    """The names a function looks up, inner functions included."""
    names = set(code.co_names)
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            names |= _names_in(constant)
    return names
