"""`connectoe ladder`."""

from __future__ import annotations

import os
from contextlib import closing
from itertools import pairwise
from typing import TYPE_CHECKING

import click

from connectoe.commands.shared import game_options, load_game
from connectoe.terminal.progress import COMPILING, progress_bar

if TYPE_CHECKING:
    from connectoe.core.game import Game


@click.command()
@click.argument("game")
@game_options
@click.option("--measure", is_flag=True, help="Let neighbours play, and print the steps between them in Elo.")
@click.option("--calibrate", is_flag=True, help="Find skills that make the steps even, and print them.")
@click.option("--games", type=click.IntRange(2, 10_000), default=40, show_default=True, help="Games of each pair.")
@click.option("--seed", default=0, show_default=True, help="The same seed plays the same games.")
@click.option("--processes", type=click.IntRange(1, 256), help="Games played at once; one per core by default.")
def ladder(
    game: str,
    options: tuple[str, ...],
    measure: bool,
    calibrate: bool,
    games: int,
    seed: int,
    processes: int | None,
) -> None:
    """Show the ten people who play GAME, from the weakest to the strongest.

    `connectoe play GAME --o person:otto` plays against one of them.
    """
    from connectoe.people import CHARACTERS, NAMES, STRONGEST, skills_of

    chosen = load_game(game, options)
    workers = processes or os.cpu_count() or 1
    if calibrate:
        from connectoe.arena.ladder import GRID, even_skills

        names = [*(f"person:{skill:g}" for skill in GRID), STRONGEST]
        steps = steps_between(chosen, names, games, seed, workers)
        for name, step in zip(names[1:], steps, strict=True):
            click.echo(f"{name}: {step:+.0f} Elo above the one before")
        click.echo("people=(" + ", ".join(f"{skill:.2f}" for skill in even_skills(steps)) + ")")
        return
    people = [f"person:{name}" for name in NAMES]
    steps = steps_between(chosen, people, games, seed, workers) if measure else []
    for number, character in enumerate(CHARACTERS):
        skill = f"skill {skills_of(chosen)[number]:.2f}" if number < len(skills_of(chosen)) else "the strongest level"
        above = f", {steps[number - 1]:+.0f} Elo" if steps and number else ""
        click.echo(f"{number + 1:2}. {character.name} {character.describes} ({skill}{above})")


def steps_between(game: Game, names: list[str], games: int, seed: int, processes: int) -> list[float]:
    """Return how much better each player is than the one before, in Elo."""
    from connectoe.arena.ladder import step_of
    from connectoe.arena.tournament import contest

    steps = []
    with progress_bar(f"{len(names)} people of {game.id}", (len(names) - 1) * (games // 2), COMPILING) as tick:
        for weaker, stronger in pairwise(names):
            pairs = []
            with closing(contest(game, stronger, weaker, games - games % 2, seed=seed, processes=processes)) as coming:
                for pair in coming:
                    pairs.append(pair)
                    tick()
            steps.append(step_of(pairs))
    return steps
