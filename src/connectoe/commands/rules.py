"""`connectoe rules`."""

from __future__ import annotations

import click


@click.command()
@click.argument("game")
def rules(game: str) -> None:
    """Explain the rules of GAME and its options."""
    from rich.markdown import Markdown
    from rich.table import Column, Table

    from connectoe.analysis_words import theory_in_words
    from connectoe.core.catalogue import game_class, load
    from connectoe.terminal.screen import console

    found = game_class(game)
    title, _, text = found.rules_text().partition("\n")
    screen = console()
    screen.width = min(screen.width, 100)
    screen.print(f"[bold]{title.strip().rstrip('.')}[/bold]\n")
    screen.print(Markdown(text.strip() or found.summary))
    if theory := theory_in_words(load(found)):
        screen.print(f"\n{theory}.")
    if found.all_options():
        table = Table(*(Column(name, overflow="fold") for name in ("option", "default", "allowed", "meaning")))
        for option in found.all_options():
            table.add_row(option.name, str(option.default), option.allowed_text, option.explained)
        screen.print()
        screen.print(table)
