"""`connectoe study`."""

from __future__ import annotations

import os
import shlex
import sys
from collections.abc import Iterable
from contextlib import ExitStack
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from connectoe.commands.shared import Command, load_game, progress_bar
from connectoe.errors import BadOption, ConnectoeError

if TYPE_CHECKING:
    from connectoe.game import Game
    from connectoe.study.plan import Plan


def study_options(command: Command) -> Command:
    """Adds what `study` and `compare` have in common."""
    options = [
        click.option(
            "--option", "-O", "options", multiple=True, metavar="NAME=VALUE,VALUE…",
            help="An option of the game; with several values, all combinations are studied. May be repeated.",
        ),
        click.option(
            "--variant", "chosen", multiple=True, metavar="'NAME=VALUE NAME=VALUE'",
            help="A variant with these options together, like 'cols=6 rows=5'. May be repeated.",
        ),
        click.option("--players", default="random,easy", show_default=True, help="Levels or engines, weakest first."),
        click.option(
            "--games", default="1000", show_default=True,
            help="Games of each pairing; or by player, like random=100000,easy=2000.",
        ),
        click.option("--seed", default=0, show_default=True, help="The same seed plays the same games."),
        click.option("--plies", type=click.IntRange(0, 20), help="Random moves games begin with; see docs/studies.md."),
        click.option("--records", default=1000, show_default=True, help="Most games of a pairing to write down."),
        click.option("--evaluated", default=40, show_default=True, help="Games of each pairing to evaluate."),
        click.option("--evaluation", default=1000, show_default=True, help="Simulations a position for that."),
        click.option("--measures", help="Only these measures, like first_score,draws,length."),
        click.option("--processes", type=click.IntRange(1, 256), help="Workers; as many as there are cores."),
        click.option("--cluster", metavar="tcp://HOST:PORT", help="Let the workers of this Dask cluster play."),
        click.option(
            "--output", "-o", type=click.Path(file_okay=False, path_type=Path),
            help="The folder of the study; GAME-study if not said.",
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
    other with both sides. A study that was interrupted goes on when it is asked for again.
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
    output: Path | None,
    at_least: int = 1,
) -> None:
    """Plans a study, or finds it in its folder, plays what is missing and writes its report."""
    from connectoe.study.measures import chosen_measures
    from connectoe.study.plan import make_plan

    wanted = tuple(words(measures or ""))
    chosen_measures(wanted)
    if min(records, evaluated) < 0 or evaluation < 1:
        raise ConnectoeError("records and evaluated games are numbers from 0, simulations from 1")
    variants = variants_of(game, options, chosen)
    if len(variants) < at_least:
        raise BadOption("there is nothing to compare: give an option several values, or several --variant")
    plan = make_plan(
        variants,
        words(players),
        numbers_of_games(games),
        seed=seed,
        plies=plies,
        records=records,
        evaluated=evaluated,
        evaluation=evaluation,
    )
    folder = output or Path(f"{variants[0].id}-study")
    play(plan, folder, processes or os.cpu_count() or 1, cluster)
    report(plan, folder, command_line(), wanted)


def words(text: str) -> list[str]:
    """What stands between the commas; settings of one player (mcts:100,exploration=1) stay together."""
    found: list[str] = []
    for word in filter(None, (part.strip() for part in text.split(","))):
        if "=" in word and ":" not in word and found and ":" in found[-1]:
            found[-1] += f",{word}"
        else:
            found.append(word)
    return found


def variants_of(game: str, options: Iterable[str], chosen: Iterable[str]) -> list[Game]:
    """The game in every combination of options that was asked for."""
    ranges: dict[str, list[str]] = {}
    for text in options:
        name, equals, values = text.partition("=")
        if not equals:
            raise BadOption(f"an option is given as NAME=VALUE, not {text[:40]!r}")
        ranges[name.strip()] = [value.strip() for value in values.split(",")]
    combinations = [[f"{k}={v}" for k, v in zip(ranges, values, strict=True)] for values in product(*ranges.values())]
    named = [text.split() for text in chosen] or [[]]
    return list(dict.fromkeys(load_game(game, [*some, *others]) for some in named for others in combinations))


def numbers_of_games(text: str) -> int | dict[str, int]:
    """How many games, of all or by player."""
    try:
        if "=" not in text:
            return int(text.replace("_", ""))
        return {name.strip(): int(number) for name, number in (part.rsplit("=", 1) for part in text.split(","))}
    except ValueError:
        raise ConnectoeError(f"games are a number, or numbers by player like easy=1000, not {text[:60]!r}") from None


def command_line() -> str:
    """What was typed, without what changes nothing about the result."""
    kept: list[str] = []
    without = iter(sys.argv[1:])
    for word in without:
        if word in ("--processes", "--cluster", "-o", "--output"):
            next(without, None)
        elif not word.startswith(("--processes=", "--cluster=", "--output=")):
            kept.append(word)
    return shlex.join(["connectoe", *kept])


def play(plan: Plan, folder: Path, workers: int, address: str | None) -> None:
    """Plays what is missing of a study, with a progress bar."""
    from connectoe.study.plan import chunks_of
    from connectoe.study.running import cluster, prepare, processes, run, unfinished

    with ExitStack() as stack:
        make_executor = processes(workers)
        if address:
            make_executor, workers = stack.enter_context(cluster(address))
        prepare(plan, folder)
        left, all_chunks = len(unfinished(plan, folder)), sum(1 for _ in chunks_of(plan))
        if 0 < left < all_chunks:
            click.echo(f"going on: {all_chunks - left} of {all_chunks} chunks are there already", err=True)
        try:
            with progress_bar(f"studying {plan.game(0).id}", left) as step:
                run(plan, folder, make_executor, workers, step)
        except KeyboardInterrupt:
            click.echo(f"stopped; what is finished is in {folder}, and the same command goes on from there", err=True)
            sys.exit(130)


def report(plan: Plan, folder: Path, command: str, measures: tuple[str, ...]) -> None:
    """Writes the report of a finished study and says in short what came out."""
    from connectoe.study.report import FILES, summary, write_report

    found = write_report(plan, folder, command, measures)
    for variant in found["variants"]:
        click.echo(f"{found['game']} {' '.join(f'{k}={v}' for k, v in variant['options'].items())}".strip())
        alike = [pairing for pairing in variant["pairings"] if len(set(pairing["players"])) == 1]
        for sentence in summary(variant, alike):
            click.echo(f"  {sentence}")
    if found["comparisons"]:
        real = sum(row["real"] for row in found["comparisons"]["rows"])
        click.echo(f"{real} of {found['comparisons']['tests']} differences are real (Holm, 5%)")
    click.echo(f"report: {folder / FILES[0]}")
