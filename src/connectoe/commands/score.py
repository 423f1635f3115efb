"""`connectoe score`."""

from __future__ import annotations

import time
from collections.abc import Iterable
from typing import TYPE_CHECKING

import click

from connectoe.board import column_name
from connectoe.commands.shared import printable, standard_input
from connectoe.errors import ConnectoeError, IllegalMove
from connectoe.screen import status_line

if TYPE_CHECKING:
    from connectoe.game import Game
    from connectoe.state import State

PATIENCE = 2.0
"""Seconds after which a person who is looking is told how it goes."""


@click.command()
@click.argument("positions", nargs=-1, required=True, metavar="POSITION…")
@click.option("--cols", type=int, help="Columns of the board; 7 if not said.")
@click.option("--rows", type=int, help="Rows of the board; 6 if not said.")
@click.option("--connect", type=int, help="Discs in line that win; 4 if not said.")
@click.pass_context
def score(
    ctx: click.Context, positions: tuple[str, ...], cols: int | None, rows: int | None, connect: int | None
) -> None:
    """Print the exact score of each Connect Four POSITION, one a line.

    A position is the columns played from the start, as digits from 1 or letters from a, with or without blanks between
    them: 4433, ddcc and "d d c c" are the same. On more than nine columns, a number is a word of its own. With `-`,
    read one position a line from standard input, where an empty line is the start; of a file whose lines also hold a
    known score, give only the first field: `cut -d" " -f1 FILE | connectoe score -`.

    The score is for the player to move: 0 is a draw; a win is 1, and 1 more for every disc that the winner still has to
    drop when the line is made; a loss is as much below zero.

    A bad position is reported, with its number, on standard error; the others go on, and the exit code is 1.
    """
    from connectoe.catalogue import load
    from connectoe.engines.connect_four import ExactConnectFour

    chosen = {"cols": cols, "rows": rows, "connect": connect}
    game = load("connect-four", **{name: value for name, value in chosen.items() if value is not None})
    progress = ProgressLine()
    solver = ExactConnectFour(game, report=progress.show)
    from_input = positions == ("-",)
    texts: Iterable[str] = (line.decode(errors="replace") for line in standard_input()) if from_input else positions
    failed = False
    for number, text in enumerate(texts, start=1):
        name = f"{'line' if from_input else 'position'} {number}"
        progress.start(name, solver.nodes)
        try:
            answer = solver.score(state_after(game, text))
        except ConnectoeError as error:
            failed = True
            click.echo(f"{name}: {printable(str(error))}", err=True)
        else:
            progress.clear()
            click.echo(answer)
    if failed:
        ctx.exit(1)


def state_after(game: Game, text: str) -> State:
    """The state after the columns that a text names."""
    state = game.start
    for number, move in enumerate(columns_in(text, len(game.move_texts)), start=1):
        try:
            state = state.play(move)
        except IllegalMove as error:
            raise IllegalMove(f"move {number}: {error}") from error
    return state


def columns_in(text: str, cols: int) -> list[int]:
    """The columns that a text names, counted from 0."""
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


class ProgressLine:
    """A line on standard error that says how a long search goes, if a person is looking."""

    def __init__(self) -> None:
        self.name = ""
        self.nodes_before = 0
        self.began = 0.0
        self.is_shown = False

    def start(self, name: str, nodes: int) -> None:
        """The search of another position begins."""
        self.name, self.nodes_before, self.began = name, nodes, time.monotonic()

    def show(self, nodes: int) -> None:
        """So many nodes have been searched in all."""
        if time.monotonic() - self.began > PATIENCE:
            millions = (nodes - self.nodes_before) // 1_000_000
            status_line(f"{self.name}: {millions:,} million positions searched")
            self.is_shown = True

    def clear(self) -> None:
        """Takes the line away."""
        if self.is_shown:
            status_line("")
            self.is_shown = False
