"""`connectoe analyse`."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import click

from connectoe.commands.shared import game_options, load_game, match_after, printable, standard_input
from connectoe.terminal.progress import progress

if TYPE_CHECKING:
    from threading import Event

    from connectoe.core.game import Game
    from connectoe.core.match import Match
    from connectoe.engines.engine import Analysis


@click.command()
@click.argument("game")
@click.argument("moves", nargs=-1)
@game_options
@click.option("--position", metavar="TEXT", help="Begin from this position instead of the usual start.")
@click.option("--seconds", default=2.0, show_default=True, help="How long to search where the answer is not known.")
@click.option("--seed", default=0, show_default=True, help="Make the estimates repeatable, as far as time allows.")
@click.option("--wait", "waits", is_flag=True, help="Wait until the engines are compiled, if they are not yet.")
@click.option("--json", "as_json", is_flag=True, help="Answer in JSON, one object per line.")
@click.pass_context
def analyse(
    ctx: click.Context,
    game: str,
    moves: tuple[str, ...],
    options: tuple[str, ...],
    position: str | None,
    seconds: float,
    seed: int,
    waits: bool,
    as_json: bool,
) -> None:
    """Say what each move of GAME is worth after MOVES, exactly where that is known.

    With `-` for MOVES, read one game per line from standard input. Ctrl-C ends the search and shows the best so far;
    the remaining lines are skipped.

    The first time, the engines of a game are compiled, and small games are solved, in the background. Until then the
    values are estimates of a slower search; --wait waits instead, and so does reading from standard input.
    """
    from connectoe.analysis import as_data
    from connectoe.core.errors import ConnectoeError
    from connectoe.engines.interrupt import first_ctrl_c
    from connectoe.engines.readiness import is_ready
    from connectoe.terminal.replay import BadMove
    from connectoe.terminal.screen import fitted

    chosen = load_game(game, options)
    if moves != ("-",):
        match = match_after(chosen, moves, position)
        with first_ctrl_c() as stop:
            found = think(match, seconds, seed, stop, waits)
        click.echo(json.dumps(as_data(match, found)) if as_json else in_a_table(chosen, match, found))
        if not waits and not found.is_exact and not is_ready(chosen, "analysis"):
            told = "The engines are being compiled: ask again in some seconds, or with --wait, to know more."
            click.echo(fitted(told), err=True)
        return
    match_after(chosen, [], position)  # an impossible start is reported once, not for every line
    failed = False
    for number, line in enumerate(standard_input(), start=1):
        where = 0
        try:
            match = match_after(chosen, [line.decode(errors="replace")], position)
            where = match.ply
            with first_ctrl_c() as stop:
                found = think(match, seconds, seed, stop, waits=True)
        except ConnectoeError as error:
            failed = True
            where = error.number if isinstance(error, BadMove) else where
            if as_json:
                click.echo(json.dumps({"error": str(error), "line": number, "move": where}))
            else:
                click.echo(f"line {number}: {printable(str(error))}", err=True)
            continue
        click.echo(json.dumps(as_data(match, found)) if as_json else in_a_table(chosen, match, found))
        if stop.is_set():
            raise KeyboardInterrupt  # Ctrl-C skips the other lines as well
    if failed:
        ctx.exit(1)


def think(match: Match, seconds: float, seed: int, stop: Event, waits: bool) -> Analysis:
    """Return what the engines find until they are stopped, showing progress on standard error."""
    from connectoe.analysis import improving_analysis
    from connectoe.analysis_words import in_words
    from connectoe.core.errors import ConnectoeError
    from connectoe.preparing import prepare_in_background

    if match.outcome:
        raise ConnectoeError(f"there is nothing to analyse: the match is {match.game.how_it_ended(match.outcome)}")
    if not waits:
        prepare_in_background(match.game)
    found: Analysis | None = None
    position, drawn = match.state.position, match.repeating_moves()
    with progress("analysing") as tell:
        for found in improving_analysis(
            match.game, position, seconds=seconds, stop=stop, seed=seed, drawn=drawn, waits=waits
        ):
            best = found.candidates[0]
            tell(f"{match.game.move_text(best.move)}: {in_words(best)}", None)
    assert found is not None
    return found


def in_a_table(game: Game, match: Match, found: Analysis) -> str:
    """Return the analysis for people."""
    from connectoe.analysis_words import in_words, line_in_words

    texts = [game.move_text(candidate.move) for candidate in found.candidates]
    width = max(map(len, texts))
    rows = [
        f"{text.ljust(width)}  {'exactly' if candidate.result else 'about'}: {in_words(candidate)}"
        for text, candidate in zip(texts, found.candidates, strict=True)
    ]
    return "\n".join([match.status, *rows, f"expected: {line_in_words(game, found)}"])
