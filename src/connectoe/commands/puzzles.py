"""`connectoe puzzles`."""

from __future__ import annotations

import json
import os
import sys
from collections import Counter
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

import click

from connectoe.commands.shared import CTRL_C, game_options, load_game
from connectoe.core.errors import ConnectoeError
from connectoe.terminal.progress import progress

if TYPE_CHECKING:
    from connectoe.core.game import Game
    from connectoe.puzzles.finding import Collection
    from connectoe.puzzles.puzzle import Puzzle
    from connectoe.puzzles.store import Making


@click.command()
@click.argument("game")
@game_options
@click.option("--count", type=click.IntRange(1, 100_000), default=10, show_default=True, help="How many to find.")
@click.option("--seed", default=0, show_default=True, help="The same seed finds the same puzzles.")
@click.option("--processes", type=click.IntRange(1, 256), help="Games looked at at once; one per core by default.")
@click.option(
    "--output",
    "-o",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Write them to this file. If it holds the beginning of the same search, the search goes on from there.",
)
@click.option("--json", "as_json", is_flag=True, help="Print the puzzles as JSON, one object per line.")
@click.option("--list", "listed", is_flag=True, help="Find nothing; print the puzzles that come with GAME.")
@click.option(
    "--check",
    is_flag=True,
    help="Find nothing; check all puzzles of the file named by --output, or those that come with GAME, by plain "
    "recursion over the rules.",
)
def puzzles(
    game: str,
    options: tuple[str, ...],
    count: int,
    seed: int,
    processes: int | None,
    output: Path | None,
    as_json: bool,
    listed: bool,
    check: bool,
) -> None:
    """Find positions of GAME with exactly one move that wins, or that saves the draw.

    Every solution is proven: by the table of a solved game, by an exact solver, or by a finished search of all lines of
    play. `connectoe practise GAME` lets you solve puzzles.
    """
    from connectoe.puzzles.store import Making, puzzles_of, read_puzzles, why_none

    chosen = load_game(game, options)
    if listed or check:
        known = read_puzzles(output, chosen).puzzles if output else puzzles_of(chosen)
        if not known:
            raise ConnectoeError(why_none(chosen))
        if check:
            check_all(known, processes or os.cpu_count() or 1)
        else:
            show(known, as_json)
        return
    found = find(chosen, Making(seed, count), output, processes or os.cpu_count() or 1)
    if output is None:
        show(found.puzzles, as_json)
    else:
        click.echo(f"{len(found.puzzles)} puzzles in {output}")
        click.echo(summary(found.puzzles))
    if not found.is_full:
        raise ConnectoeError(f"only {len(found.puzzles)} of {count} puzzles were found: {chosen.id} has too few")


def find(game: Game, making: Making, output: Path | None, processes: int) -> Collection:
    """Return puzzles of a game, which are written to the file as they are found."""
    from connectoe.puzzles.finding import EVEN_GAMES, GAMES_PER_PUZZLE, Collection, added, can_have_puzzles, looks
    from connectoe.puzzles.store import PuzzleFile, read_puzzles, why_none, write_puzzles

    if not can_have_puzzles(game):
        raise ConnectoeError(why_none(game))
    found = Collection(game, making.wanted)
    if output and output.exists():
        begun = read_puzzles(output, game)
        if begun.making._replace(games=0) != making:
            raise ConnectoeError(
                f"{output} was made with --seed {begun.making.seed} --count {begun.making.wanted}: give the same to go "
                "on, or another file"
            )
        making = begun.making
        found = Collection(game, making.wanted, begun.puzzles)
    games = making.games
    most = GAMES_PER_PUZZLE * making.wanted

    def keep() -> None:
        if output:
            try:
                write_puzzles(output, game, PuzzleFile(making._replace(games=games), tuple(found.puzzles)))
            except OSError as error:
                raise click.FileError(str(output)[:100], error.strerror or str(error)) from error

    def state_of_search() -> tuple[str, float]:
        return f"{len(found.puzzles)} of {making.wanted} puzzles in {games} games", len(found.puzzles) / making.wanted

    keep()
    try:
        with progress(*state_of_search()) as tell, closing(looks(game, making.seed, games, processes)) as coming:
            while not found.is_full and games < most:
                is_new = added(found, next(coming), is_even=games < EVEN_GAMES * making.wanted)
                games += 1
                if is_new:
                    keep()
                tell(*state_of_search())
    except KeyboardInterrupt:
        keep()
        if output is None:
            raise
        click.echo(f"stopped after {len(found.puzzles)} puzzles; the same command goes on from here", err=True)
        sys.exit(CTRL_C)
    keep()
    return found


def show(puzzles: Sequence[Puzzle], as_json: bool) -> None:
    """Print puzzles, one per line."""
    from connectoe.puzzles.data import as_data
    from connectoe.puzzles.grading import grade
    from connectoe.puzzles.themes import themes

    for puzzle in puzzles:
        if as_json:
            click.echo(json.dumps(as_data(puzzle)))
        else:
            click.echo(f"{puzzle.id}  grade {grade(puzzle)}  {puzzle.state.text}")
            click.echo(f"            {', '.join(themes(puzzle))}: {' '.join(puzzle.line)}")
    if not as_json:
        click.echo(summary(puzzles))


def summary(puzzles: Sequence[Puzzle]) -> str:
    """Return how many puzzles there are of each grade."""
    from connectoe.puzzles.grading import GRADES, grade

    grades = Counter(map(grade, puzzles))
    return ", ".join(f"grade {number}: {grades[number]}" for number in GRADES)


def check_all(puzzles: Sequence[Puzzle], processes: int) -> None:
    """Check puzzles by plain recursion, and raise ConnectoeError if any claims too much."""
    from connectoe.puzzles.checking_all import checked

    failed = 0
    with progress("checking puzzles", 0.0) as tell:
        for number, (puzzle, problems) in enumerate(checked(puzzles, processes), start=1):
            tell(f"{number} of {len(puzzles)} puzzles are checked", number / len(puzzles))
            failed += bool(problems)
            for problem in problems:
                click.echo(f"{puzzle.id}: {problem}", err=True)
    if failed:
        raise ConnectoeError(f"{failed} of {len(puzzles)} puzzles are wrong")
    click.echo(f"all {len(puzzles)} puzzles are right: each has one solution, and no other move does the same")
