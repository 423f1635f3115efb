"""`connectoe games`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from connectoe.core.options import Option

NARROWEST_TABLE = 70
"""The columns a terminal must have for the table to be readable."""


@click.command()
def games() -> None:
    """List the games."""
    from rich.table import Column, Table

    from connectoe.core.catalogue import game_class, game_ids
    from connectoe.terminal.screen import console, fitted

    screen = console()
    title = "The games of Connectoe"
    table = Table(
        Column("game", no_wrap=True), "what it is", Column("options (default first)", overflow="fold"), title=title
    )
    table.title_justify = "left"
    listed = [title]
    for game_id in game_ids():
        game = game_class(game_id)
        choices = [option_text(option) for option in game.option_list]
        table.add_row(f"[bold]{game_id}[/bold]", game.summary, "  ".join(choices) or "–")
        listed += ["", game_id, *(f"  {fitted(text, '  ')}" for text in (game.summary, " ".join(choices)) if text)]
    if screen.width < NARROWEST_TABLE:
        click.echo("\n".join([*listed, ""]))
    else:
        screen.print(table)
    click.echo(fitted("Read the rules with `connectoe rules GAME`, play with `connectoe play GAME`."))


def option_text(option: Option) -> str:
    """Return an option with its default, followed by its other values if it is not a range."""
    others = [] if isinstance(option.allowed, range) else [value for value in option.allowed if value != option.default]
    return f"{option.name}={','.join(str(value) for value in (option.default, *others))}"
