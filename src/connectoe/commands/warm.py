"""`connectoe warm`."""

from __future__ import annotations

import os

import click

from connectoe.commands.shared import game_options, load_game
from connectoe.terminal.progress import progress_bar


@click.command()
@click.argument("games", nargs=-1)
@game_options
@click.option("--gently", is_flag=True, help="Leave the machine to whatever else it has to do.")
def warm(games: tuple[str, ...], options: tuple[str, ...], gently: bool) -> None:
    """Compile the engines of GAMES (all, if none is named) ahead, so that the first move comes at once."""
    from connectoe.analysis import analyse
    from connectoe.core.catalogue import game_ids
    from connectoe.core.match import Match
    from connectoe.engines.alpha_beta import AlphaBeta, supports
    from connectoe.engines.engine import Limits
    from connectoe.engines.mcts import MCTS
    from connectoe.engines.perft import perft
    from connectoe.engines.playouts import play_out
    from connectoe.players import player

    if gently and hasattr(os, "nice"):
        os.nice(10)
    chosen = [load_game(name, options) for name in games or game_ids()]
    with progress_bar("compiling", 5 * len(chosen)) as step:
        for game in chosen:
            perft(game, 1)
            step()
            play_out(game, 1)
            step()
            # The tree search of two positions running: the second keeps what it knows from the first.
            match, levels = Match(game), MCTS(game)
            levels.search(match.state.position, Limits(simulations=10))
            match.play(match.legal_moves()[0])
            if match.turn is not None:
                levels.search(match.state.position, Limits(simulations=10))
            step()
            # The exact solvers and tables, and alpha-beta, which an analysis asks only where those do not know.
            analyse(game, game.rules.start, seconds=0)
            if supports(game):
                AlphaBeta(game, table_megabytes=1).search(game.rules.start, Limits(nodes=1))
            step()
            for level in ("easy", "hard"):
                player(level, game, seconds=0).choose(Match(game))
            step()
    click.echo(f"ready: {', '.join(game.id for game in chosen)}")
