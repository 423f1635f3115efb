"""Files of puzzles: one puzzle per line, below some lines that tell how the file was made.

The puzzles of a game lie in its room, as `puzzles.txt`; those of a one-file game `mine.py` beside it, as
`mine.puzzles.txt`.
"""

from __future__ import annotations

import random
import re
import sys
from collections.abc import Sequence
from datetime import UTC, date, datetime
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from connectoe.atomic import atomic_file
from connectoe.core.errors import BadRecord, ConnectoeError
from connectoe.core.game import Game
from connectoe.engines.alpha_beta import supports
from connectoe.puzzles.puzzle import COLUMNS, Puzzle, puzzle_from


class Making(NamedTuple):
    """How a file of puzzles is made, and how much of it is done.

    >>> Making(seed=1, wanted=300).games
    0
    """

    seed: int
    wanted: int
    """How many puzzles are wanted."""
    games: int = 0
    """The games that were looked at."""


class PuzzleFile(NamedTuple):
    """What is in a file of puzzles."""

    making: Making
    puzzles: tuple[Puzzle, ...]


def file_of(game: Game) -> Path:
    """Return where the puzzles of a game lie, if it has any.

    >>> import connectoe
    >>> file_of(connectoe.load("connect-four")).name
    'puzzles.txt'
    """
    home = Path(str(sys.modules[type(game).__module__].__file__))
    return home.with_name("puzzles.txt") if home.stem == "__init__" else home.with_suffix(".puzzles.txt")


def title(game: Game) -> str:
    """Return the first line of a file of puzzles of this game."""
    return f"# Puzzles of {game.id} {game.options_text}".rstrip()


def write_puzzles(path: Path, game: Game, content: PuzzleFile) -> None:
    """Write a file of puzzles, whole or not at all."""
    making, puzzles = content
    lines = [
        title(game),
        f"# seed {making.seed}, count {making.wanted}, games {making.games}",
        "# " + "\t".join((*COLUMNS, "failures of levels …")),
        *(puzzle.as_line() for puzzle in puzzles),
    ]
    with atomic_file(path) as file:
        file.write("".join(f"{line}\n" for line in lines).encode())


def read_puzzles(path: Path, game: Game) -> PuzzleFile:
    """Return the puzzles in a file, or raise BadRecord if it is no file of puzzles of this game with its options."""
    try:
        first, second, *rest = path.read_text(encoding="utf-8").splitlines()
    except (OSError, ValueError) as error:
        raise BadRecord(f"{path} is no file of puzzles: {getattr(error, 'strerror', None) or error}") from error
    made = re.fullmatch(r"# seed (-?[0-9]{1,18}), count ([0-9]{1,9}), games ([0-9]{1,12})", second)
    if first != title(game) or not made:
        raise BadRecord(f"{path} holds no puzzles of {game!r}: it begins with {first[:60]!r}, not {title(game)!r}")
    puzzles = []
    for number, line in enumerate(rest, start=3):
        if line and not line.startswith("#"):
            try:
                puzzles.append(puzzle_from(game, line))
            except ConnectoeError as error:
                raise BadRecord(f"{path}, line {number}: {error}") from error
    seed, count, games = map(int, made.groups())
    return PuzzleFile(Making(seed, count, games), tuple(puzzles))


@lru_cache(maxsize=16)
def puzzles_of(game: Game) -> tuple[Puzzle, ...]:
    """Return the puzzles that come with a game; none if it has none with these options.

    >>> import connectoe
    >>> puzzles_of(connectoe.load("connect-four", cols=5))
    ()
    """
    path = file_of(game)
    if not path.is_file():
        return ()
    with path.open(encoding="utf-8") as file:
        is_for_these_options = file.readline().rstrip("\n") == title(game)
    return read_puzzles(path, game).puzzles if is_for_these_options else ()


def why_none(game: Game) -> str:
    """Return in a sentence why no puzzles come with a game.

    >>> import connectoe
    >>> why_none(connectoe.load("connect-four", cols=5))
    'No puzzles come with Connect Four with these options.'
    """
    if not supports(game):
        return f"{game.name} has no puzzles: its positions are too large for a search to prove what wins."
    if file_of(game).is_file():
        return f"No puzzles come with {game.name} with these options."
    return f"No puzzles come with {game.name}."


def puzzle_of(game: Game, puzzle_id: str) -> Puzzle:
    """Return the puzzle of a game with this id, or raise ConnectoeError."""
    for puzzle in puzzles_of(game):
        if puzzle.id == puzzle_id:
            return puzzle
    raise ConnectoeError(f"{game.id} has no puzzle {puzzle_id[:20]!r}")


def today() -> date:
    """Return the date in UTC, which is the same for everybody."""
    return datetime.now(UTC).date()


def puzzle_of_the_day(puzzles: Sequence[Puzzle], day: date) -> Puzzle:
    """Return the puzzle for a date, the same for everybody; each comes once before any comes again.

    >>> import connectoe
    >>> puzzles = puzzles_of(connectoe.load("connect-four"))
    >>> puzzle_of_the_day(puzzles, date(2026, 11, 18)) == puzzle_of_the_day(puzzles, date(2026, 11, 19))
    False
    """
    if not puzzles:
        raise ConnectoeError("there are no puzzles to choose from")
    times_through, place = divmod(day.toordinal(), len(puzzles))
    order = list(range(len(puzzles)))
    random.Random(f"{puzzles[0].game.id} {times_through}").shuffle(order)
    return puzzles[order[place]]
