"""`connectoe study`."""

from __future__ import annotations

import os
import re
import shlex
import sys
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from itertools import pairwise, product
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from connectoe.commands.shared import CTRL_C, Command, load_game
from connectoe.core.errors import BadOption, ConnectoeError
from connectoe.terminal.progress import COMPILING, progress

if TYPE_CHECKING:
    from connectoe.core.game import Game
    from connectoe.study.execution import Tell
    from connectoe.study.outlook import Outlook
    from connectoe.study.plan import Chunk, Plan


def study_options(command: Command) -> Command:
    """Add the options that `study` and `compare` have in common."""
    options = [
        click.option(
            "--option", "-O", "options", multiple=True, metavar="NAME=VALUE,VALUE…",
            help="An option of the game; with several values, all combinations are studied. Can be repeated.",
        ),
        click.option(
            "--variant", "chosen", multiple=True, metavar="'NAME=VALUE NAME=VALUE'",
            help="A variant with these options together, like 'cols=6 rows=5'. Can be repeated.",
        ),
        click.option("--players", default="random,easy", show_default=True, help="Levels or engines, weakest first."),
        click.option(
            "--games", default="1000", show_default=True,
            help="Games per pairing; or by player and pair of neighbours, like easy=2000,hard=900,easy/hard=100.",
        ),
        click.option("--seed", default=0, show_default=True, help="The same seed plays the same games."),
        click.option("--plies", type=click.IntRange(0, 20), help="Random opening moves; see docs/studies.md."),
        click.option("--records", default=1000, show_default=True, help="Most games of each pairing to record."),
        click.option("--evaluated", default=40, show_default=True, help="Games of each pairing to evaluate."),
        click.option("--evaluation", default=1000, show_default=True, help="Simulations per evaluated position."),
        click.option("--measures", help="Only these measures, like first_score,draws,length."),
        click.option("--processes", type=click.IntRange(1, 256), help="Worker processes; one per core by default."),
        click.option("--cluster", metavar="tcp://HOST:PORT", help="Play on the workers of this Dask cluster."),
        click.option(
            "--from", "others", multiple=True, type=click.Path(exists=True, file_okay=False, path_type=Path),
            metavar="FOLDER",
            help="Reuse what the study in this folder has played: the same with fewer games, or other variants. "
            "The figures stay the same. Can be repeated.",
        ),
        click.option(
            "--output", "-o", type=click.Path(file_okay=False, path_type=Path),
            help="The folder of the study; GAME-study by default.",
        ),
    ]  # fmt: skip
    for option in reversed(options):
        command = option(command)
    return command


@click.command()
@click.argument("game")
@study_options
def study(game: str, **asked: Any) -> None:
    """Find out whether GAME is fair: let players of several levels play it, and write a report.

    Every combination of the options is played by each player against itself, and by neighbours in the list against each
    other with either side first. To continue a study that was interrupted, run the same command again.
    """
    run_study(game, **asked)


def run_study(
    game: str,
    *,
    options: tuple[str, ...],
    chosen: tuple[str, ...],
    players: str,
    games: str,
    seed: int,
    plies: int | None,
    records: int,
    evaluated: int,
    evaluation: int,
    measures: str | None,
    processes: int | None,
    cluster: str | None,
    others: tuple[Path, ...],
    output: Path | None,
    at_least: int = 1,
) -> None:
    """Plan a study, or find it in its folder, play what is missing and write its report."""
    from connectoe.study.measures import chosen_measures
    from connectoe.study.plan import make_plan
    from connectoe.study.report import check_packages

    check_packages()
    wanted = tuple(words(measures or ""))
    chosen_measures(wanted)
    if min(records, evaluated) < 0 or evaluation < 1:
        raise ConnectoeError("--records and --evaluated must be 0 or more, --evaluation 1 or more")
    names = words(players)
    variants = variants_of(game, options, chosen)
    if len(variants) < at_least:
        raise BadOption("there is nothing to compare: give an option several values, or several --variant")
    plan = make_plan(
        variants,
        names,
        numbers_of_games(games, names),
        seed=seed,
        plies=plies,
        records=records,
        evaluated=evaluated,
        evaluation=evaluation,
    )
    folder = output or Path(f"{variants[0].id}-study")
    play(plan, folder, processes or os.cpu_count() or 1, cluster, others)
    report(plan, folder, command_line(), wanted)


def words(text: str) -> list[str]:
    """Split a text at its commas; the settings of a player (mcts:100,exploration=1) stay together."""
    found: list[str] = []
    for word in filter(None, (part.strip() for part in text.split(","))):
        if "=" in word and ":" not in word and found and ":" in found[-1]:
            found[-1] += f",{word}"
        else:
            found.append(word)
    return found


def variants_of(game: str, options: Iterable[str], chosen: Iterable[str]) -> list[Game]:
    """Return the game in every combination of the options."""
    ranges: dict[str, list[str]] = {}
    for text in options:
        name, equals, values = text.partition("=")
        if not equals:
            raise BadOption(f"an option is given as NAME=VALUE, not {text[:40]!r}")
        ranges.setdefault(name.strip(), []).extend(value.strip() for value in values.split(","))
    combinations = [[f"{k}={v}" for k, v in zip(ranges, values, strict=True)] for values in product(*ranges.values())]
    named = [text.split() for text in chosen] or [[]]
    return list(dict.fromkeys(load_game(game, [*some, *others]) for some in named for others in combinations))


def numbers_of_games(text: str, players: Sequence[str]) -> int | dict[str, int]:
    """Return the number of games: of all, or by player and pair of neighbours.

    Names of players can contain commas and equals signs (mcts:100,exploration=1), so they are matched as a whole before
    the text is split at its commas.
    """
    from connectoe.study.plan import pair_name

    names = [*players, *(pair_name(*two) for two in pairwise(players))]
    known = "|".join(re.escape(name) for name in sorted(names, key=len, reverse=True)) or "(?!)"
    numbers: dict[str, int] = {}
    try:
        if "=" not in text:
            return int(text)
        for part in re.findall(rf"(?:{known})=[^,]*|[^,]+", text):
            name, _, number = (word.strip() for word in part.rpartition("="))
            if not name or name in numbers:
                raise ValueError
            numbers[name] = int(number)
    except ValueError:
        raise ConnectoeError(
            f"games are a number, or numbers by player like easy=1000,hard=500,easy/hard=100, not {text[:60]!r}"
        ) from None
    return numbers


def command_line() -> str:
    """Return the command as typed, without options that do not change the result."""
    kept: list[str] = []
    without = iter(sys.argv[1:])
    for word in without:
        if word in ("--processes", "--cluster", "--from", "-o", "--output"):
            next(without, None)
        elif not word.startswith(("--processes=", "--cluster=", "--from=", "--output=")):
            kept.append(word)
    return shlex.join(["connectoe", *kept])


def play(plan: Plan, folder: Path, workers: int, address: str | None, others: Sequence[Path] = ()) -> None:
    """Play what is missing in this study and in the others, with a progress bar."""
    from connectoe.running.workers import cluster, processes
    from connectoe.study.execution import run
    from connectoe.study.folder import prepare, read_plan, take_over, unfinished
    from connectoe.study.outlook import Outlook
    from connectoe.study.plan import chunks_of

    for other in others:
        read_plan(other)  # refuses a folder without a study before this one is begun
    with ExitStack() as stack:
        make_executor = processes(workers)
        if address:
            make_executor, workers = stack.enter_context(cluster(address))
        prepare(plan, folder)
        taken = take_over(plan, folder, others)
        if others:
            click.echo(f"{taken} chunks reused from other studies", err=True)
        left, all_chunks = unfinished(plan, folder), sum(1 for _ in chunks_of(plan))
        if 0 < len(left) < all_chunks:
            click.echo(f"continuing: {all_chunks - len(left)} of {all_chunks} chunks are already there", err=True)
        try:
            with study_progress(f"studying {plan.game(0).id}", Outlook(left, workers)) as tell:
                run(plan, folder, make_executor, workers, tell)
        except KeyboardInterrupt:
            click.echo(f"stopped; what is finished is kept in {folder}; run the same command to continue", err=True)
            sys.exit(CTRL_C)


@contextmanager
def study_progress(what: str, outlook: Outlook) -> Iterator[Tell]:
    """Show the progress of a study and the time left: a bar on a terminal, otherwise one line per minute."""
    from connectoe.study.outlook import in_words

    def said() -> str:
        if not outlook.share_done:
            return COMPILING + what
        return f"{what}: {outlook.share_done:.0%}, {in_words(outlook.seconds_left)}"

    if not sys.stderr.isatty():
        last_told = time.monotonic()

        def tell_by_lines(chunk: Chunk, seconds: float) -> None:
            nonlocal last_told
            outlook.finished(chunk, seconds)
            if time.monotonic() - last_told >= 60:
                last_told = time.monotonic()
                click.echo(said(), err=True)

        yield tell_by_lines
        return
    with progress(said(), 0.0, numbers=False) as show:

        def tell_by_bar(chunk: Chunk, seconds: float) -> None:
            outlook.finished(chunk, seconds)
            show(said(), None if outlook.seconds_left is None else outlook.share_done)

        yield tell_by_bar


def report(plan: Plan, folder: Path, command: str, measures: tuple[str, ...]) -> None:
    """Write the report of a finished study and print a summary."""
    from connectoe.study.report import FILES, write_report
    from connectoe.study.sentences import answers, differences, level_by_level

    figures = write_report(plan, folder, command, measures)
    for variant in figures.variants:
        click.echo(f"{figures.game} {' '.join(f'{k}={v}' for k, v in variant.options.items())}".strip())
        for question, answer in answers(variant):
            click.echo(f"  {question} {answer}")
        for sentence in level_by_level(variant.equals):
            click.echo(f"  {sentence}")
    if figures.comparisons:
        for sentence in differences(figures):
            click.echo(sentence)
        real = sum(row.real for row in figures.comparisons.rows)
        click.echo(f"{real} of {figures.comparisons.tests} differences are real (Holm, 5%)")
    click.echo(f"report: {folder / FILES[0]}")
