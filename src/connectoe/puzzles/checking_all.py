"""Checking many puzzles at once, in several processes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial

from connectoe.core.options import OptionValue
from connectoe.puzzles.checking import problems_of
from connectoe.puzzles.puzzle import Puzzle, puzzle_from
from connectoe.running import workers
from connectoe.running.sources import Source, game_from, source_of


def checked(puzzles: Sequence[Puzzle], processes: int = 1) -> Iterator[tuple[Puzzle, list[str]]]:
    """Yield each puzzle of one game with what is wrong with it, in any order."""
    if processes <= 1 or len(puzzles) < 2:
        yield from ((puzzle, problems_of(puzzle)) for puzzle in puzzles)
        return
    game = puzzles[0].game
    check = partial(_problems_in_worker, source_of(game), game.options)
    lines = {puzzle.as_line(): puzzle for puzzle in puzzles}
    with workers.stopping(workers.processes(processes)()) as pool:
        for line, problems in workers.completed(pool, check, lines, processes):
            yield lines[line], problems


def _problems_in_worker(source: Source, options: Mapping[str, OptionValue], line: str) -> list[str]:
    return problems_of(puzzle_from(game_from(source, options), line))
