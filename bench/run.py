"""Comparisons of Connectoe with other programs.

    python bench/run.py speed [PART…]     ratios of speed, and connectoe's own figures: a few minutes
    python bench/run.py match [GAME…]     matches against open_spiel's MCTSBot with the same time per move: long
    python bench/run.py solve FILE[:N]…   exact connect-four beside bitbully, on (the first N) positions of files
    python bench/run.py growth [GAME…]    how MCTS grows stronger with simulations: long
    python bench/run.py page              write docs/results/speed.md from the last runs of speed, solve and match

Both sides run in their own processes and are measured in turn, several times. The median of the ratios counts, so that
other load on the machine affects both alike. The figures are written to bench/results.json.
"""

from __future__ import annotations

import json
import os
import time
from itertools import pairwise, product
from pathlib import Path

import click
from circumstances import circumstances
from connect_four import Group, compare, group_in
from figures import RESULTS, Row, keep, show_rows, table_of
from growth import SHORTER, elo_text, grow
from matches import LATER, Disagreement, play_match
from rich.console import Console
from rich.table import Table
from sides import HERE, PACKAGES, PeerMissing, python_with, version_of
from speed_page import speed_page
from speeds import PARTS, Bench

import connectoe
from connectoe import players
from connectoe.core.catalogue import game_ids
from connectoe.core.errors import ConnectoeError


def named_pythons(context: click.Context, parameter: click.Parameter, given: tuple[str, ...]) -> dict[str, str]:
    """Return the peers' Pythons from the command line."""
    pythons = {}
    for text in given:
        peer, equals, python = text.partition("=")
        if peer not in PACKAGES or not equals:
            raise click.BadParameter(f"{text!r} is not PEER=PYTHON with one of {', '.join(PACKAGES)}")
        pythons[peer] = python
    return pythons


def even(context: click.Context, parameter: click.Parameter, games: int) -> int:
    """Return the number of games, which must be even."""
    if games < 2 or games % 2:
        raise click.BadParameter(f"games are played in pairs with sides swapped: an even number, not {games}")
    return games


peer_option = click.option(
    "--peer",
    "peers",
    multiple=True,
    metavar="PEER=PYTHON",
    callback=named_pythons,
    help="Use a Python that has this peer, instead of installing it.",
)
seed_option = click.option("--seed", default=1, show_default=True, help="The seed of random numbers.")


@click.group(help=__doc__)
def bench() -> None:
    """The commands."""


@bench.command()
@click.argument("parts", nargs=-1, type=click.Choice(list(PARTS)))
@click.option("--rounds", default=5, show_default=True, help="How often both sides are measured.")
@click.option("--seconds", default=0.5, show_default=True, help="About how long one measurement takes.")
@seed_option
@peer_option
def speed(parts: tuple[str, ...], rounds: int, seconds: float, seed: int, peers: dict[str, str]) -> None:
    """Compare speeds: all PARTS, or the ones named."""
    run = Bench(rounds, seconds, seed, dict(peers))
    began = time.perf_counter()
    for name in parts or PARTS:
        try:
            PARTS[name](run)
        except PeerMissing as problem:
            run.left_out.append(f"{name}: left out, because {problem}")
    rows = [{**row._asdict(), "reached": row.reached} for row in run.rows]
    taken = round(time.perf_counter() - began)
    keep("speed", {"peers": run.versions, "seconds": taken, "rounds": rounds, "rows": rows, "left_out": run.left_out})
    show_rows(run.rows, run.left_out)


def groups_named(context: click.Context, parameter: click.Parameter, given: tuple[str, ...]) -> list[Group]:
    """Return the positions of files, or of their first lines."""
    groups = []
    for text in given:
        name, colon, count = text.rpartition(":")
        try:
            group = group_in(Path(name), max(0, int(count))) if colon else group_in(Path(text), None)
            if not group[1]:
                raise ValueError("there are none")
        except (OSError, ValueError) as problem:
            raise click.BadParameter(f"{text!r} is not FILE or FILE:N with positions: {problem}") from problem
        groups.append(group)
    return groups


@bench.command()
@click.argument("groups", metavar="FILE[:N]...", nargs=-1, required=True, callback=groups_named)
@click.option("--rounds", default=3, show_default=True, help="How often both sides are measured.")
@peer_option
def solve(groups: list[Group], rounds: int, peers: dict[str, str]) -> None:
    """Solve the positions in files, one per line (columns as digits, and the score), beside bitbully."""
    try:
        python = peers.get("bitbully") or python_with("bitbully")
    except PeerMissing as problem:
        raise click.ClickException(str(problem)) from problem
    figures = compare(groups, python, rounds=rounds)
    keep("solve", {"peers": {"bitbully": version_of("bitbully", python)}, "rounds": rounds, "rows": figures})


@bench.command()
@click.argument("games_named", metavar="[GAME]...", nargs=-1, type=click.Choice(["connect-four", "ultimate"]))
@click.option("--games", default=200, show_default=True, callback=even, help="The number of games of each.")
@click.option("--seconds", default=0.1, show_default=True, help="The time per move, for both sides.")
@click.option("--player", default="hard", show_default=True, help="Connectoe's player: mcts, or a named one.")
@click.option(
    "--plies",
    "beginnings",
    type=click.IntRange(min=0),
    multiple=True,
    default=(0, 2),
    show_default=True,
    help="Random moves at the start of each pair of games; may be repeated.",
)
@click.option("--processes", default=1, show_default=True, help="Games played at once.")
@seed_option
@peer_option
def match(
    games_named: tuple[str, ...],
    games: int,
    seconds: float,
    player: str,
    beginnings: tuple[int, ...],
    processes: int,
    seed: int,
    peers: dict[str, str],
) -> None:
    """Play matches against open_spiel's MCTSBot with the same wall time per move."""
    rows, kept = [], []
    name = f"mcts:seconds={seconds:g}" if player == "mcts" else player
    try:
        players.player(name, connectoe.load("connect-four"), seconds=seconds)  # refuses an unknown player
        python = peers.get("open_spiel") or python_with("open_spiel")
        for game, plies in product(games_named or ("connect-four", "ultimate"), beginnings):
            result, times = play_match(game, games, name, seconds, seed, python, processes, plies)
            is_fair = times[0] <= LATER * times[1]
            taken = f"{times[0]:.2g} s a move, theirs {times[1]:.2g} s"
            begins = f"after {plies} random moves" if plies else "from the start"
            what = f"score of {player} in {games} games of {game} {begins}, {taken}"
            unit = "share of the points" if is_fair else "share of the points, but NOT at equal time"
            row = Row(what, unit, result.score, at_least=0.9 if is_fair else None)
            rows.append(row)
            kept.append(
                {**row._asdict(), **result._asdict(), "reached": row.reached, "seconds_a_move": times, "asked": seconds}
            )
            click.echo(
                f"{game} {begins}: {result.wins} won, {result.draws} drawn, {result.losses} lost; {result.score:.1%} "
                f"({result.low:.1%} to {result.high:.1%}); {times[0]:.3f} and {times[1]:.3f} s a move"
            )
    except (PeerMissing, Disagreement, ConnectoeError) as problem:
        raise click.ClickException(str(problem)) from problem
    keep("match", {"peers": {"open_spiel": version_of("open_spiel", python)}, "rows": kept})
    Console().print(table_of(rows))


@bench.command()
@click.argument("games_named", metavar="[GAME]...", nargs=-1, type=click.Choice(game_ids()))
@click.option("--games", default=40, show_default=True, callback=even, help="The number of games for each step.")
@click.option("--least", default=100, show_default=True, help="The fewest simulations per move.")
@click.option("--most", default=100_000, show_default=True, help="The most simulations per move.")
@click.option("--longest", default=1.0, show_default=True, help="Leave out steps that take more seconds per move.")
@click.option("--processes", default=os.cpu_count() or 1, show_default=True, help="Games played at once.")
@seed_option
def growth(
    games_named: tuple[str, ...], games: int, least: int, most: int, longest: float, processes: int, seed: int
) -> None:
    """Measure how much stronger ten times the simulations make MCTS; each step goes to docs/results/growth.md."""
    if not 1 <= least <= most // 10:
        raise click.ClickException(f"there is no step between the fewest and the most simulations: {least} and {most}")
    steps = [least]
    while 10 * steps[-1] <= most:
        steps.append(10 * steps[-1])
    command = f"python bench/run.py growth --games {games} --most {most} --longest {longest:g} --seed {seed}"
    if least != 100:
        command += f" --least {least}"
    how = {"command": command, "commit": circumstances()["commit"]}  # before the first step changes growth.json
    table = Table("game", *(f"{fewer:,} to {more:,}" for fewer, more in pairwise(steps)))
    for game in games_named or game_ids():
        loaded = connectoe.load(game, **SHORTER.get(game, {}))
        measured = grow(loaded, steps, games, seed, processes, longest, how)
        table.add_row(game, *map(elo_text, measured))
    Console().print(table)


@bench.command()
def page() -> None:
    """Write docs/results/speed.md from the last runs of speed and match."""
    if not RESULTS.exists():
        raise click.ClickException("there are no figures yet: run speed or match first")
    file = HERE.parent / "docs" / "results" / "speed.md"
    file.write_text(speed_page(json.loads(RESULTS.read_text()), game_ids()))
    click.echo(f"{file.name} is written")


if __name__ == "__main__":
    bench()
