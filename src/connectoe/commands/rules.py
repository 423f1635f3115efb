"""`connectoe rules`."""

from __future__ import annotations

import sys

import click


@click.command()
@click.argument("game")
def rules(game: str) -> None:
    """Explain the rules of GAME and its options."""
    from rich.markdown import Markdown
    from rich.table import Column, Table

    from connectoe.catalogue import game_class
    from connectoe.screen import console

    found = game_class(game)
    title, _, text = (sys.modules[found.__module__].__doc__ or found.__doc__ or found.name).partition("\n")
    screen = console()
    screen.width = min(screen.width, 100)
    screen.print(f"[bold]{title.strip().rstrip('.')}[/bold]\n")
    screen.print(Markdown(text.strip() or found.summary))
    if found.option_list:
        table = Table(*(Column(name, overflow="fold") for name in ("option", "default", "allowed", "meaning")))
        for option in found.option_list:
            table.add_row(option.name, str(option.default), option.allowed_text, option.explained)
        screen.print()
        screen.print(table)
