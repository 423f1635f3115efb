"""`connectoe arena`."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING

import click

from connectoe.commands.shared import CTRL_C, game_options, load_game
from connectoe.core.errors import ConnectoeError
from connectoe.terminal.progress import COMPILING, progress_bar

if TYPE_CHECKING:
    from connectoe.arena.ratings import Sprt
    from connectoe.arena.tournament import Pair


@click.command()
@click.argument("game")
@click.argument("players", nargs=-1, required=True)
@game_options
@click.option("--against", metavar="PLAYER", help="Let all play this player instead of each other.")
@click.option("--games", default=100, show_default=True, help="Games of each pair of players, an even number from 2.")
@click.option(
    "--plies",
    type=click.IntRange(0, 20),
    default=2,
    show_default=True,
    help="Random moves at the start of each pair of games.",
)
@click.option("--seed", default=0, show_default=True, help="The same seed plays the same games.")
@click.option(
    "--sprt",
    metavar="LOW,HIGH",
    help="Stop as soon as it is clear whether the first player is better than the second by HIGH Elo or only by LOW.",
)
@click.option("--seconds", default=10.0, show_default=True, help="Seconds per move for engines of other programs.")
@click.option("--processes", type=click.IntRange(1, 256), help="Games played at once; one per core by default.")
@click.option("--output", "-o", type=click.Path(dir_okay=False), help="Save all games to this new file, as JSON lines.")
def arena(
    game: str,
    players: tuple[str, ...],
    options: tuple[str, ...],
    against: str | None,
    games: int,
    plies: int,
    seed: int,
    sprt: str | None,
    seconds: float,
    processes: int | None,
    output: str | None,
) -> None:
    """Let PLAYERS play GAME against each other: two play a match, more a tournament.

    Each opening is played twice with sides swapped. Players are levels (random, easy, medium, hard, perfect), engines
    with settings, like mcts:1000 or mcts:1000,exploration=0.5, or programs, like 'exec:python examples/engine.py',
    which read positions and answer with moves (docs/write-an-engine.md
    has the protocol).
    """
    from connectoe.arena.ratings import ratings, standing
    from connectoe.arena.tournament import check_competitor, contest, different_games, in_order, pairings
    from connectoe.study.plan import always_alike

    chosen = load_game(game, options)
    if games < 2 or games % 2:
        raise click.UsageError(f"games are played in pairs with sides swapped: give an even number from 2, not {games}")
    if not 0 < seconds <= 3600:
        raise click.UsageError(f"the time per move must be between 0 and 3600 seconds, not {seconds:g}")
    try:
        meetings = pairings(players, against)
        stopping = stopping_rule(sprt, len(meetings)) if sprt else None
    except ConnectoeError as error:
        raise click.UsageError(str(error)) from error
    for name in dict.fromkeys(name for meeting in meetings for name in meeting):
        check_competitor(name, chosen)
    played: dict[tuple[str, str], list[Pair]] = {}
    problem: Exception | KeyboardInterrupt | None = None
    try:
        with records_file(output) as keep:
            for a, b in meetings:
                pairs = played[a, b] = []
                with progress_bar(f"{a} against {b}", games // 2, COMPILING) as step:
                    workers = processes or os.cpu_count() or 1
                    # However this ends, for instance by Ctrl-C at any line, no more games are played.
                    with closing(
                        contest(chosen, a, b, games, seed=seed, plies=plies, processes=workers, seconds=seconds)
                    ) as coming:
                        for pair in in_order(coming):
                            keep(pair.records)
                            pairs.append(pair)
                            step()
                            if stopping and stopping.verdict(pairs):
                                break
    except (KeyboardInterrupt, ConnectoeError, click.FileError) as error:
        played = {meeting: pairs for meeting, pairs in played.items() if pairs}
        if not played:
            raise
        problem = error  # what was played until then is still reported
    click.echo(f"{chosen.id} {chosen.options_text}".strip())
    for (a, b), pairs in played.items():
        score = standing(pairs)
        middle, low, high = score.elo
        click.echo(f"{a} against {b}: {score.games} games, +{score.wins} ={score.draws} -{score.losses}")
        click.echo(f"score {score.score:.1%}, 95% interval {score.low:.1%} to {score.high:.1%}")
        click.echo(f"Elo difference {middle:+.0f}, 95% interval {low:+.0f} to {high:+.0f}")
        if {a, b} <= always_alike(chosen, (a, b)) and (different := different_games(pairs)) < score.games:
            click.echo(
                f"only {different} of the {score.games} games are different: these players always make the same move "
                "in the same position, so the intervals are too narrow; more --plies help"
            )
        if stopping:
            verdict = stopping.verdict(pairs)
            says = f"{a} is {verdict} than {b}" if verdict else "undecided, more games are needed"
            ratio = stopping.ratio(pairs)
            click.echo(f"SPRT {stopping.low:g} against {stopping.high:g} Elo: {says} (log ratio {ratio:+.2f})")
    if len(played) > 1:
        click.echo("ratings, with 95% intervals:")
        for place, rating in enumerate(ratings(played, against), start=1):
            interval = f"{rating.low:+.0f} to {rating.high:+.0f}"
            click.echo(f"{place:3}. {rating.name}: {rating.elo:+.0f} ({interval}), {rating.points:g}/{rating.games}")
    forfeits = [forfeit for pairs in played.values() for pair in pairs for forfeit in pair.forfeits]
    for forfeit in forfeits[:3]:
        click.echo(forfeit, err=True)
    if len(forfeits) > 3:
        click.echo(f"… and {len(forfeits) - 3} more; see the records", err=True)
    if isinstance(problem, KeyboardInterrupt):
        click.echo("stopped before the end", err=True)
        sys.exit(CTRL_C)
    if problem:
        raise problem


@contextmanager
def records_file(output: str | None) -> Iterator[Callable[[Iterable[str]], None]]:
    """Yield a function that appends records to the file at once; the file is opened before the first game."""
    if output is None:
        yield lambda records: None
        return

    @contextmanager
    def named() -> Iterator[None]:
        try:
            yield
        except (OSError, ValueError) as error:
            raise click.FileError(output[:100], getattr(error, "strerror", None) or str(error)) from error

    with named():
        path = Path(output)
        if path.is_file() and path.stat().st_size:
            raise FileExistsError("it already exists: give a new file")
        file = path.open("a", encoding="utf-8")  # closed below, where a full disk has already been reported

    def keep(records: Iterable[str]) -> None:
        with named():
            file.writelines(f"{record}\n" for record in records)
            file.flush()

    try:
        yield keep
    finally:
        with suppress(OSError):
            file.close()


def stopping_rule(text: str, meetings: int) -> Sprt:
    """Return the stopping rule in a text like 0,50."""
    from connectoe.arena.ratings import Sprt

    if meetings != 1:
        raise ConnectoeError("--sprt tests whether one player is better than another: give two players")
    try:
        low, high = (float(part) for part in text.split(","))
        if not -1000 <= low < high <= 1000:
            raise ValueError
    except ValueError:
        raise ConnectoeError(
            f"--sprt takes two numbers of Elo points, the lower first, like 0,50, not {text[:40]!r}"
        ) from None
    return Sprt(low, high)
