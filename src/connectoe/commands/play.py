"""`connectoe play`."""

from __future__ import annotations

import os
import sys

import click

from connectoe.commands.shared import CTRL_C, game_options, load_game, matches_in, read_text


@click.command()
@click.argument("game", required=False)
@game_options
@click.option(
    "--x",
    "x_player",
    metavar="PLAYER",
    default="human",
    help="Who plays X: human (default), random, easy, medium, hard or, where the game is solved, perfect.",
)
@click.option("--o", "o_player", metavar="PLAYER", default="human", help="Who plays O: the same choice.")
@click.option("--position", metavar="TEXT", help="Begin from this position instead of the usual start.")
@click.option(
    "--resume",
    type=click.Path(dir_okay=False),
    help="Go on with the match saved in this file (the last, if there are several); a game of your own must be named "
    "too.",
)
@click.option("--seconds", type=float, help="Let the computer think so long a move instead of its level's measure.")
@click.option("--seed", type=int, help="Make random choices repeatable.")
def play(
    game: str | None,
    options: tuple[str, ...],
    x_player: str,
    o_player: str,
    position: str | None,
    resume: str | None,
    seconds: float | None,
    seed: int | None,
) -> None:
    """Play GAME in the terminal, with a friend or against the computer.

    Without GAME, choose one from a list. While playing, type a move, or `help` to see what else there is.
    """
    from connectoe.catalogue import game_class
    from connectoe.match import Match
    from connectoe.terminal import Table, choose_game, choose_players, fitted, seat_options

    seats: tuple[str, str] | None = None
    says = ""
    if resume is not None:
        if options or position is not None:
            raise click.UsageError("--resume knows the options and the position: give at most the GAME with it")
        own = [game_class(game)] if game else []
        file = os.path.expanduser(resume)
        matches = matches_in(read_text(file), file, *own, own_game=f"connectoe play FILE.py --resume {resume}")
        match = matches[-1]
        if own and type(match.game) not in own:
            raise click.UsageError(f"the match in {resume} is one of {match.game.id}, not of {own[0].id}")
        if len(matches) > 1:
            says = f"There are {len(matches)} matches in {resume}; this is the last."
    elif game is None:
        if options or position is not None:
            raise click.UsageError("options and a position need the GAME they belong to")
        chosen = choose_game()
        if chosen is None:
            return
        match = Match(chosen)
        if (x_player, o_player) == ("human", "human"):
            seats = choose_players(chosen)
            if seats is None:
                return
    else:
        chosen = load_game(game, options)
        match = Match(chosen, start=None if position is None else chosen.state(position))
    if seats is None:
        chosen_for = {"--x": x_player, "--o": o_player}
        first, second = seat_options(match.game)
        seats = chosen_for[first], chosen_for[second]
    table = Table(match, seats, seed, seconds)
    table.message = fitted(says)
    try:
        table.play()
    except KeyboardInterrupt:
        sys.exit(CTRL_C)  # the table has said what there is to say
