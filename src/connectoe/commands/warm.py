"""`connectoe warm`."""

from __future__ import annotations

import click

from connectoe.commands.shared import game_options, load_game
from connectoe.terminal.progress import progress_bar


@click.command()
@click.argument("games", nargs=-1)
@game_options
def warm(games: tuple[str, ...], options: tuple[str, ...]) -> None:
    """Compile the engines of GAMES (all, if none is named) and solve the small ones, so that nothing has to be
    prepared later."""
    from connectoe.core.catalogue import game_ids
    from connectoe.engines.perft import perft
    from connectoe.engines.playouts import play_out
    from connectoe.engines.readiness import PARTS
    from connectoe.preparing import Job, prepare

    chosen = [load_game(name, options) for name in games or game_ids()]
    with progress_bar("compiling", (len(PARTS) + 1) * len(chosen)) as step:
        for game in chosen:
            for part in PARTS:
                prepare(Job(game, part))
                step()
            perft(game, 1)
            play_out(game, 1)
            step()
    click.echo(f"ready: {', '.join(game.id for game in chosen)}")
