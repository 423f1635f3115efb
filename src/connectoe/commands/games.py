"""`connectoe games`."""

from __future__ import annotations

import click


@click.command()
def games() -> None:
    """List the games."""
    from rich.console import Console
    from rich.table import Table

    from connectoe.catalogue import game_class, game_ids

    table = Table("game", "what it is", "options (default first)", title="The games of Connectoe", title_justify="left")
    for game_id in game_ids():
        game = game_class(game_id)
        choices = [
            f"{option.name}={option.default}"
            + (
                ""
                if isinstance(option.allowed, range)
                else "".join(f",{v}" for v in option.allowed if v != option.default)
            )
            for option in game.option_list
        ]
        table.add_row(f"[bold]{game_id}[/bold]", game.summary, "  ".join(choices) or "–")
    Console().print(table)
    click.echo("Read the rules with `connectoe rules GAME`, play with `connectoe play GAME`.")
