"""`connectoe perft`."""

from __future__ import annotations

import click

from connectoe.commands.shared import game_options, load_game
from connectoe.terminal.progress import progress_bar


@click.command()
@click.argument("game")
@click.argument("depth", type=click.IntRange(0, 60))
@game_options
@click.option("--position", metavar="TEXT", help="Count from this position instead of the start.")
@click.option("--divide", is_flag=True, help="Show the count below each first move.")
def perft(game: str, depth: int, options: tuple[str, ...], position: str | None, divide: bool) -> None:
    """Count the lines of play of GAME that are DEPTH moves long."""
    chosen = load_game(game, options)
    state = chosen.start if position is None else chosen.state(position)
    if depth == 0:
        click.echo(1)
        return
    total = 0
    with progress_bar(f"perft {depth}", len(state.moves())) as step:
        from connectoe.engines.perft import perft as count

        counts = {}
        for move in state.moves():
            counts[chosen.move_text(move)] = below = count(chosen, depth - 1, chosen.rules.play(state.position, move))
            total += below
            step()
    if divide:
        for text in sorted(counts):
            click.echo(f"{text}\t{counts[text]}")
    click.echo(total)
