"""`connectoe warm`."""

from __future__ import annotations

import click

from connectoe.commands.shared import game_options, load_game, progress_bar


@click.command()
@click.argument("games", nargs=-1)
@game_options
def warm(games: tuple[str, ...], options: tuple[str, ...]) -> None:
    """Compile the engines of GAMES (all, if none is named) ahead, so that the first move comes at once."""
    from connectoe.catalogue import game_ids
    from connectoe.engines.mcts import MCTS
    from connectoe.engines.perft import perft
    from connectoe.engines.playouts import play_out

    chosen = [load_game(name, options) for name in games or game_ids()]
    with progress_bar("compiling", 3 * len(chosen)) as step:
        for game in chosen:
            perft(game, 1)
            step()
            play_out(game, 1)
            step()
            MCTS(game).search(game.rules.start, simulations=1)
            step()
    click.echo(f"ready: {', '.join(game.id for game in chosen)}")
