"""`connectoe rules`."""

from __future__ import annotations

import sys

import click


@click.command()
@click.argument("game")
def rules(game: str) -> None:
    """Explain the rules of GAME and its options."""
    from rich.console import Console
    from rich.markdown import Markdown
    from rich.table import Table

    from connectoe.catalogue import game_class

    found = game_class(game)
    title, _, text = (sys.modules[found.__module__].__doc__ or found.__doc__ or found.summary).partition("\n")
    console = Console(width=min(Console().width, 100))
    console.print(f"[bold]{title.strip().rstrip('.')}[/bold]\n")
    console.print(Markdown(text.strip() or found.summary))
    if found.option_list:
        table = Table("option", "default", "allowed", "meaning")
        for option in found.option_list:
            table.add_row(option.name, str(option.default), option.allowed_text, option.meaning)
        console.print()
        console.print(table)
