"""`connectoe arena`."""

from __future__ import annotations

import os

import click

from connectoe.commands.shared import game_options, load_game, progress_bar, write_file


@click.command()
@click.argument("game")
@click.argument("a")
@click.argument("b")
@game_options
@click.option("--games", default=100, show_default=True, help="How many games, an even number.")
@click.option("--plies", default=2, show_default=True, help="Random moves each pair of games begins with.")
@click.option("--seed", default=0, show_default=True, help="The same seed plays the same games.")
@click.option("--processes", type=click.IntRange(1, 256), help="Games played at once; as many as there are cores.")
@click.option("--output", "-o", type=click.Path(dir_okay=False), help="Save all games to this file, as JSON lines.")
def arena(
    game: str,
    a: str,
    b: str,
    options: tuple[str, ...],
    games: int,
    plies: int,
    seed: int,
    processes: int | None,
    output: str | None,
) -> None:
    """Let players A and B play GAME against each other.

    Each opening is played twice with sides swapped. Players are levels (random, easy, medium, hard) or engines with
    settings, like mcts:1000 or mcts:1000,exploration=0.5.
    """
    from connectoe.arena import contest, standing

    chosen = load_game(game, options)
    pairs = []
    with progress_bar(f"{a} against {b}", games // 2) as step:
        for pair in contest(chosen, a, b, games, seed=seed, plies=plies, processes=processes or os.cpu_count() or 1):
            pairs.append(pair)
            step()
    pairs.sort()
    if output:
        write_file(output, "".join(record + "\n" for pair in pairs for record in pair.records).encode())
    score = standing(pairs)
    middle, low, high = score.elo
    click.echo(f"{chosen.id} {chosen.options_text}".strip())
    click.echo(f"{a} against {b}: {score.games} games, +{score.wins} ={score.draws} -{score.losses}")
    click.echo(f"score {score.score:.1%}, 95% interval {score.low:.1%} to {score.high:.1%}")
    click.echo(f"Elo difference {middle:+.0f}, 95% interval {low:+.0f} to {high:+.0f}")
