"""`connectoe replay`."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import click

from connectoe.commands.shared import game_options, load_game, match_after, printable, standard_input

if TYPE_CHECKING:
    from connectoe.core.game import Game


@click.command()
@click.argument("game")
@click.argument("moves", nargs=-1)
@game_options
@click.option("--json", "as_json", is_flag=True, help="Print JSON, one object per line.")
@click.option("--ignore-after-end", is_flag=True, help="Ignore moves after the end of a game instead of refusing them.")
@click.pass_context
def replay(
    ctx: click.Context,
    game: str,
    moves: tuple[str, ...],
    options: tuple[str, ...],
    as_json: bool,
    ignore_after_end: bool,
) -> None:
    """Play MOVES of GAME and show the final position.

    With `-` for MOVES, read one game per line from standard input (moves separated by blanks) and answer each. The
    answer to a bad line is {"error", "line", "move"}; the other lines are still read, and the exit code is 1.
    """
    from connectoe.terminal.replay import BadMove, replay, split_moves

    chosen = load_game(game, options)
    lines: Iterable[bytes] = standard_input() if moves == ("-",) else [" ".join(moves).encode(errors="replace")]
    failed = False
    write = sys.stdout.write
    for number, line in enumerate(lines, start=1):
        try:
            text = line.decode("utf-8-sig" if number == 1 else "utf-8", errors="replace")
            end = replay(chosen, split_moves(chosen, text), ignore_after_end)
        except BadMove as error:
            failed = True
            if as_json:
                write(json.dumps({"error": str(error), "line": number, "move": error.number}) + "\n")
            else:
                click.echo(f"line {number}, move {error.number}: {printable(str(error))}", err=True)
            continue
        if as_json:
            write(json.dumps(end) + "\n")
        else:
            click.echo(as_text(chosen, end))
    if failed:
        ctx.exit(1)


def as_text(game: Game, end: dict[str, Any]) -> str:
    """Return the end of a replayed game as text for people."""
    from connectoe.draw.text import text

    scene = match_after(game, end["moves"]).scene()
    return "\n".join([text(scene), scene.status, *scene.notes, f"position: {end['position']}"])
