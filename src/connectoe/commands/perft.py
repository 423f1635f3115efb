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
    from connectoe.core.match import Match

    chosen = load_game(game, options)
    match = Match(chosen, start=None if position is None else chosen.state(position))
    if depth == 0:
        click.echo(1)
        return
    total = 0
    with progress_bar(f"perft {depth}", len(match.legal_moves())) as step:
        from connectoe.engines.perft import lines_after

        counts = {}
        for move in match.legal_moves():
            after = match.copy()
            after.play(move)
            counts[move] = below = lines_after(after, depth - 1)
            total += below
            step()
    if divide:
        for text in sorted(counts):
            click.echo(f"{text}\t{counts[text]}")
    click.echo(total)
