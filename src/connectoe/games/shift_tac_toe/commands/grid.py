"""`connectoe grid`."""

from __future__ import annotations

import click


@click.command()
@click.argument("moves", nargs=-1, required=True)
def grid(moves: tuple[str, ...]) -> None:
    """Play Shift Tac Toe MOVES, the digits 1 to 9, and print the final 3x3 grid; moves after a win are ignored."""
    from connectoe.games.shift_tac_toe import final_grid

    rows = final_grid("".join("".join(moves).split()))
    shown = [f"[{','.join(repr(cell) for cell in row)}]" for row in rows]
    click.echo(f"[{shown[0]},\n{shown[1]},\n{shown[2]}]")
