"""`connectoe games`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from connectoe.game import Option

ROOM_FOR_A_TABLE = 70
"""The columns of a terminal that a table is readable on."""


@click.command()
def games() -> None:
    """List the games."""
    from rich.table import Column, Table

    from connectoe.catalogue import game_class, game_ids
    from connectoe.screen import console
    from connectoe.terminal import fitted

    screen = console()
    title = "The games of Connectoe"
    table = Table(
        Column("game", no_wrap=True), "what it is", Column("options (default first)", overflow="fold"), title=title
    )
    table.title_justify = "left"
    listed = [title]
    for game_id in game_ids():
        game = game_class(game_id)
        choices = [in_short(option) for option in game.option_list]
        table.add_row(f"[bold]{game_id}[/bold]", game.summary, "  ".join(choices) or "–")
        listed += ["", game_id, *(f"  {fitted(text, '  ')}" for text in (game.summary, " ".join(choices)) if text)]
    if screen.width < ROOM_FOR_A_TABLE:
        click.echo("\n".join([*listed, ""]))
    else:
        screen.print(table)
    click.echo(fitted("Read the rules with `connectoe rules GAME`, play with `connectoe play GAME`."))


def in_short(option: Option) -> str:
    """An option with its default, then what else it may be if those are words."""
    others = [] if isinstance(option.allowed, range) else [value for value in option.allowed if value != option.default]
    return f"{option.name}={','.join(str(value) for value in (option.default, *others))}"
