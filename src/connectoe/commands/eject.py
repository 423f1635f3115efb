"""`connectoe eject`."""

from __future__ import annotations

import click

from connectoe.commands.shared import game_options, load_game, write_file


@click.command()
@click.argument("game")
@game_options
@click.option("--output", "-o", type=click.Path(dir_okay=False), help="Write this file instead of printing the source.")
def eject(game: str, options: tuple[str, ...], output: str | None) -> None:
    """Write out the plain game that the recipe GAME, a file, stands for.

    The rules are written as plain functions, with the options put in; from there you can change them by hand.
    """
    from connectoe.kit.eject import ejected
    from connectoe.kit.recipe import Recipe

    found = load_game(game, options)
    if not isinstance(found, Recipe):
        raise click.UsageError(f"{found.id} is not a recipe: its rules are plain functions already")
    source = ejected(found)
    if output is None:
        click.echo(source)
    else:
        write_file(output, source.encode())
