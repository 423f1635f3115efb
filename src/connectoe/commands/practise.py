"""`connectoe practise`."""

from __future__ import annotations

import random
import sys
from datetime import date
from typing import TYPE_CHECKING

import click

from connectoe.commands.shared import CTRL_C, game_options, load_game
from connectoe.core.errors import ConnectoeError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from connectoe.core.game import Game
    from connectoe.puzzles.puzzle import Puzzle


@click.command()
@click.argument("game")
@game_options
@click.option("--grade", type=click.IntRange(1, 5), help="Only puzzles of this grade, 1 (easy) to 5.")
@click.option("--theme", help="Only puzzles with this theme, such as 'win in 2'; `?` lists the themes.")
@click.option("--daily", is_flag=True, help="The puzzle of the day, which is the same for everybody.")
@click.option("--date", "day", metavar="YYYY-MM-DD", help="The puzzle of another day.")
@click.option("--puzzle", "puzzle_id", metavar="ID", help="The puzzle with this id.")
@click.option("--seed", type=int, help="Make the choice of puzzles reproducible.")
def practise(
    game: str,
    options: tuple[str, ...],
    grade: int | None,
    theme: str | None,
    daily: bool,
    day: str | None,
    puzzle_id: str | None,
    seed: int | None,
) -> None:
    """Solve puzzles of GAME in the terminal.

    Puzzles get harder as you solve them, and those you fail return later. The puzzles and the days that you solved in a
    row are counted.
    """
    from connectoe.puzzles.finding import can_have_puzzles
    from connectoe.puzzles.store import file_of, puzzle_of, puzzle_of_the_day, puzzles_of, today, why_none
    from connectoe.terminal.practise import TerminalPuzzle, practise_day, training_file
    from connectoe.terminal.practise import practise as solve_many

    chosen = load_game(game, options)
    puzzles = puzzles_of(chosen)
    if not puzzles:
        how = f" To find some: connectoe puzzles {game} --count 100 -o {file_of(chosen)}"
        raise ConnectoeError(why_none(chosen) + (how if can_have_puzzles(chosen) else ""))
    try:
        if day:
            TerminalPuzzle(puzzle_of_the_day(puzzles, _date(day))).solve()
        elif daily:
            practise_day(puzzle_of_the_day(puzzles, today()), training_file(chosen), today())
        elif puzzle_id:
            TerminalPuzzle(puzzle_of(chosen, puzzle_id)).solve()
        else:
            solve_many(_wanted(chosen, grade, theme), training_file(chosen), random.Random(seed))
    except KeyboardInterrupt:
        sys.exit(CTRL_C)


def _date(day: str) -> date:
    try:
        return date.fromisoformat(day)
    except ValueError:
        raise click.UsageError(f"a date looks like 2026-11-18, not {day[:40]!r}") from None


def _wanted(game: Game, grade: int | None, theme: str | None) -> Sequence[Puzzle]:
    """Return the puzzles of a grade and theme; raise UsageError if there are none."""
    from connectoe.puzzles.selecting import puzzles_by_theme, selected

    known = puzzles_by_theme(game)
    if theme is not None and theme not in known:
        raise click.UsageError(f"the themes are: {', '.join(known)}")
    wanted = selected(game, theme or "", grade or 0)
    if not wanted:
        raise click.UsageError(f"there are no puzzles of grade {grade}{f' with the theme {theme}' if theme else ''}")
    return wanted
