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
    from collections.abc import Sequence

    from connectoe.core.game import Game


@click.command()
@click.argument("game")
@game_options
@click.option("--measure", is_flag=True, help="Let neighbours play; print the steps in Elo, and skills for even ones.")
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
    from connectoe.arena.ladder import even_skills, measured_steps
    from connectoe.people import CHARACTERS, MOST_SKILL, NAMES, skills_of

    chosen = load_game(game, options)
    workers = processes or os.cpu_count() or 1
    if calibrate:

        def step(weaker: float, stronger: float) -> float:
            return measured_step(chosen, (f"person:{weaker:g}", f"person:{stronger:g}"), games, seed, workers)

        click.echo(declared(even_skills(measured_steps(step))))
        return
    for number, character in enumerate(CHARACTERS):
        skill = f"skill {skills_of(chosen)[number]:.2f}" if number < len(skills_of(chosen)) else "the strongest level"
        click.echo(f"{number + 1:2}. {character.name} {character.describes} ({skill})")
    if measure:
        steps = {
            skill: measured_step(chosen, (f"person:{weaker}", f"person:{stronger}"), games, seed, workers)
            for (weaker, stronger), skill in zip(pairwise(NAMES), (*skills_of(chosen)[1:], MOST_SKILL), strict=True)
        }
        click.echo(f"with even steps: {declared(even_skills(steps))}")


def declared(skills: Sequence[float]) -> str:
    """Return the skills of a game's people as the game declares them."""
    return f"people=({', '.join(f'{skill:.2f}' for skill in skills)})"


def measured_step(game: Game, names: tuple[str, str], games: int, seed: int, processes: int) -> float:
    """Return how much better the second player is than the first, in Elo, and print it."""
    from connectoe.arena.ladder import step_of
    from connectoe.arena.tournament import contest

    weaker, stronger = names
    pairs = []
    with (
        progress_bar(f"{stronger} against {weaker}", games // 2, COMPILING) as tick,
        closing(contest(game, stronger, weaker, games - games % 2, seed=seed, processes=processes)) as coming,
    ):
        for pair in coming:
            pairs.append(pair)
            tick()
    step = step_of(pairs)
    click.echo(f"{stronger}: {step:+.0f} Elo above {weaker}")
    return step
