"""`connectoe learn`."""

from __future__ import annotations

import sys

import click

from connectoe.commands.shared import CTRL_C, load_game


@click.command()
@click.argument("game", required=False)
@click.option("--step", type=click.IntRange(min=1), default=1, show_default=True, help="Begin with this step.")
def learn(game: str | None, step: int) -> None:
    """Learn GAME step by step, by playing.

    Each step shows a position and says what to do. A move that is not what the step asks for is answered in words, and
    you try again. Without GAME, choose one from a list. A game without lessons of its own gets a first lesson made from
    its rules.
    """
    from connectoe.core.lessons import lesson_of
    from connectoe.terminal.choosing import choose_game
    from connectoe.terminal.lesson import TerminalLesson

    chosen = choose_game() if game is None else load_game(game)
    if chosen is None:
        return
    exercises = lesson_of(chosen)
    if step > len(exercises):
        raise click.UsageError(f"the lesson of {chosen.id} has {len(exercises)} steps: there is no step {step}")
    try:
        TerminalLesson(chosen, exercises, step - 1).run()
    except KeyboardInterrupt:
        click.echo()
        sys.exit(CTRL_C)
