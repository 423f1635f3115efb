"""`connectoe score`."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

import click

from connectoe.board import column_name
from connectoe.commands.shared import printable, standard_input
from connectoe.core.errors import ConnectoeError, IllegalMove
from connectoe.terminal.progress import progress

if TYPE_CHECKING:
    from connectoe.core.game import Game
    from connectoe.core.state import State


@click.command()
@click.argument("positions", nargs=-1, required=True, metavar="POSITION…")
@click.option("--cols", type=int, help="Columns of the board; 7 by default.")
@click.option("--rows", type=int, help="Rows of the board; 6 by default.")
@click.option("--connect", type=int, help="Discs in line that win; 4 by default.")
@click.pass_context
def score(
    ctx: click.Context, positions: tuple[str, ...], cols: int | None, rows: int | None, connect: int | None
) -> None:
    """Print the exact score of each Connect Four POSITION, one per line.

    A position is the columns played from the start, as digits from 1 or letters from a, with or without blanks between
    them: 4433, ddcc and "d d c c" are the same. On more than nine columns, a number is a word of its own. With `-`,
    read one position per line from standard input, where an empty line is the start; of a file whose lines also hold a
    known score, give only the first field: `cut -d" " -f1 FILE | connectoe score -`.

    The score is for the player to move: 0 is a draw; a win is 1, and 1 more for every disc that the winner still has to
    drop when the line is made; a loss is as much below zero.

    A bad position is reported, with its number, on standard error; the others are still scored, and the exit code is 1.
    """
    from connectoe.engines.exact.connect_four import solver_for

    def report(nodes: int) -> None:
        tell(f"{name}: {(nodes - nodes_before) // 1_000_000:,} million positions searched", None)

    solver = solver_for(cols=cols, rows=rows, connect=connect, report=report)
    game = solver.game
    from_input = positions == ("-",)
    texts: Iterable[str] = (line.decode(errors="replace") for line in standard_input()) if from_input else positions
    failed = False
    for number, text in enumerate(texts, start=1):
        name = f"{'line' if from_input else 'position'} {number}"
        nodes_before = solver.nodes
        try:
            with progress(f"{name}: searching") as tell:
                answer = solver.score(state_after(game, text))
        except ConnectoeError as error:
            failed = True
            click.echo(f"{name}: {printable(str(error))}", err=True)
        else:
            click.echo(answer)
    if failed:
        ctx.exit(1)


def state_after(game: Game, text: str) -> State:
    """Return the state after the columns that a text names."""
    state = game.start
    for number, move in enumerate(columns_in(text, len(game.move_texts)), start=1):
        try:
            state = state.play(move)
        except IllegalMove as error:
            raise IllegalMove(f"move {number}: {error}") from error
    return state


def columns_in(text: str, cols: int) -> list[int]:
    """Return the columns that a text names, counted from 0."""
    known = {str(column + 1): column for column in range(cols)}
    known |= {column_name(column): column for column in range(cols)}
    columns: list[int] = []
    for word in text.split():
        is_one_name = cols > 26 or (cols > 9 and word.isdigit())
        for name in [word] if is_one_name else word:
            if name not in known:
                raise IllegalMove(
                    f"move {len(columns) + 1}: {name[:20]!r} is no column: columns are 1 to {cols}, "
                    f"or a to {column_name(cols - 1)}"
                )
            columns.append(known[name])
    return columns
