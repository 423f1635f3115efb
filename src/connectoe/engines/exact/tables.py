"""Finding the table of a solved game, or making it."""

from __future__ import annotations

import logging
from functools import cache
from pathlib import Path
from typing import Any, Literal

import numpy as np

from connectoe.core.game import Game
from connectoe.engines.cache import user_cache_folder
from connectoe.engines.cache_files import note_use
from connectoe.engines.exact.fingerprint import rules_fingerprint
from connectoe.engines.exact.lookup import MISSING, Table, merit, numbers_of_moves, value_of
from connectoe.engines.exact.mirrors import smallest_image
from connectoe.engines.exact.positions import TooLarge
from connectoe.engines.exact.retrograde import (
    EXACT_UP_TO,
    MOST_POSITIONS,
    Progress,
    Solution,
    can_be_packed,
    count_finished,
    estimate_size,
    solve,
)
from connectoe.engines.exact.table_files import BadTable, open_table, table_path, write_table

log = logging.getLogger("connectoe")
AFFORDABLE = 5_000_000
"""The positions, up to mirror images, of the largest table that is made without being asked for: seconds of work."""

MOST_WITHOUT_ASKING = {"small": EXACT_UP_TO, "affordable": AFFORDABLE}

_open_tables: dict[tuple[Game, Path, str], Table] = {}
_too_large: set[tuple[Game, str]] = set()
"""Games that turned out to be too large for each way to make a table."""


def load_table(
    game: Game,
    *,
    make: Literal["small", "affordable", "always", "never"] = "small",
    folder: Path | None = None,
    progress: Progress | None = None,
) -> Table | None:
    """Return the table of a game, found or made; None if there is none and it may not be made.

    With `make="small"` only the table of a game with up to 200,000 positions up to mirror images is made, which takes a
    second or two; with "affordable", one of up to 5 million. If the file cannot be written, the table lasts as long
    as the program runs.
    """
    game = game.plain  # positions are worth the same by the pie rule, which is the match's business
    if not can_be_packed(game):
        return None
    path = table_path(game, folder)
    known = (game, path, rules_fingerprint(game))
    if known not in _open_tables:
        table = _found_or_made(game, path, make, progress)
        if table is None:
            return None
        _open_tables[known] = table
    note_use(path)  # also if it could not be written: other programs cannot use it then
    return _open_tables[known]


def _found_or_made(game: Game, path: Path, make: str, progress: Progress | None) -> Table | None:
    try:
        return open_table(game, path)
    except BadTable as problem:
        if path.exists():
            _tell(str(problem))
    if make == "never" or (game, make) in _too_large:
        return None
    try:
        if make == "always":
            table = solved_table(game, expected=estimate_size(game).kept, progress=progress)
        else:
            table = solved_table(game, most_positions=MOST_WITHOUT_ASKING[make], progress=progress)
    except TooLarge:
        if make == "always":
            raise
        _too_large.add((game, make))
        return None
    try:
        return write_table(table, path)
    except OSError:
        return table


@cache
def _tell(problem: str) -> None:
    """Log once that a table is not used."""
    log.warning("%s", problem)


def solved_table(
    game: Game,
    *,
    expected: int = 0,
    most_positions: int = MOST_POSITIONS,
    with_finished: bool = False,
    progress: Progress | None = None,
) -> Table:
    """Return a game's table, just worked out and not in a file yet."""
    solution = solve(game, most_positions=most_positions, expected=expected, progress=progress)
    table = Table(game, solution.keys, solution.values, {})
    check_by_plain_rules(table)
    table.facts = facts_of(table, solution)
    if with_finished:
        finished = count_finished(game, solution, progress)
        table.facts["finished"] = {"won by 0": finished[0], "won by 1": finished[1], "drawn": finished[2]}
    return table


def check_by_plain_rules(table: Table, positions: int = 500) -> None:
    """Compare some values with those of the positions after each move, by the rules in plain Python; raise BadTable if
    they differ.

    Compiled code comes from a cache that other programs write to as well. A wrong table must not be kept.
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
        best = max(numbers_of_moves(rules, position, number_of).values(), key=merit)
        if number != best or table._number(position) != number:
            raise BadTable(
                f"the compiled engine has solved {table.game!r} wrongly: {table.game.write(position)} is "
                f"{value_of(number)}, but its best move gives {value_of(best)}. Remove the folder "
                f"{user_cache_folder()} to compile everything again; if that does not help, please report it"
            )


def facts_of(table: Table, solution: Solution) -> dict[str, Any]:
    """Return what solving found out about a game, ready for JSON."""
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
