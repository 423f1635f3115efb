"""`connectoe play`."""

from __future__ import annotations

import click

from connectoe.commands.shared import game_options, load_game, read_records


@click.command()
@click.argument("game", required=False)
@game_options
@click.option("--x", "x_player", metavar="PLAYER", default="human", help="Who plays X: human (default) or random.")
@click.option("--o", "o_player", metavar="PLAYER", default="human", help="Who plays O: human (default) or random.")
@click.option("--position", metavar="TEXT", help="Begin from this position instead of the usual start.")
@click.option("--resume", type=click.Path(dir_okay=False), help="Go on with the match saved in this file.")
@click.option("--seed", type=int, help="Make random choices repeatable.")
def play(
    game: str | None,
    options: tuple[str, ...],
    x_player: str,
    o_player: str,
    position: str | None,
    resume: str | None,
    seed: int | None,
) -> None:
    """Play GAME in the terminal, with a friend or against the computer.

    Without GAME, choose one from a list. While playing, type a move, or `help` to see what else there is.
    """
    from connectoe.match import Match
    from connectoe.terminal import Table, choose_game, choose_players

    seats = {"X": x_player, "O": o_player}
    if resume:
        if game or options or position:
            raise click.UsageError("--resume knows the game, its options and position: give it alone")
        match = read_records(resume)[-1]
    elif game is None:
        if options or position:
            raise click.UsageError("options and a position need the GAME they belong to")
        chosen = choose_game()
        if chosen is None:
            return
        match = Match(chosen)
        if (x_player, o_player) == ("human", "human"):
            seats = choose_players(chosen)
    else:
        chosen = load_game(game, options)
        match = Match(chosen, start=chosen.state(position) if position else None)
    Table(match, seats, seed).play()
