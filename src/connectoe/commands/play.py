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
@click.option("--o", "o_player", metavar="PLAYER", default="human", help="Who plays O: the same choices.")
@click.option("--position", metavar="TEXT", help="Start from this position.")
@click.option(
    "--resume",
    type=click.Path(dir_okay=False),
    help="Continue the match saved in this file, the last one if it holds several. For a game of your own, name GAME "
    "too.",
)
@click.option(
    "--seconds", type=float, help="Let engines think this long about each move, instead of as long as their level does."
)
@click.option("--seed", type=int, help="Make random choices reproducible.")
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

    Without GAME, choose one from a list. While playing, type a move, or `help` for a list of commands.
    """
    from connectoe.core.catalogue import game_class
    from connectoe.core.match import Match
    from connectoe.terminal.choosing import choose_game, choose_players, seat_options
    from connectoe.terminal.play import TerminalMatch
    from connectoe.terminal.screen import fitted

    seats: tuple[str, str] | None = None
    note = ""
    if resume is not None:
        if options or position is not None:
            raise click.UsageError("the saved match has its options and position: give at most GAME with --resume")
        own = [game_class(game)] if game else []
        file = os.path.expanduser(resume)
        matches = matches_in(read_text(file), file, *own, own_game=f"connectoe play FILE.py --resume {resume}")
        match = matches[-1]
        if own and type(match.game) not in own:
            raise click.UsageError(f"{resume} holds a match of {match.game.id}, not of {own[0].id}")
        if len(matches) > 1:
            note = f"There are {len(matches)} matches in {resume}; this is the last."
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
    at_terminal = TerminalMatch(match, seats, seed, seconds)
    at_terminal.message = fitted(note)
    try:
        at_terminal.play()
    except KeyboardInterrupt:
        sys.exit(CTRL_C)  # whether the match was saved has been said
