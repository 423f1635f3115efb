"""Five in a row.

Two players take turns to put a mark of theirs on an empty square. The first with five marks in line, across, upright
or diagonally, wins; more than five win too. A full board without a line is a draw.

A move is the square: `d4` is the middle one of the usual board.
"""

from connectoe.kit import Recipe, full, grid, line, marks, option, place


class FiveInARow(Recipe):
    """Gomoku on a small board."""

    id = "five-in-a-row"
    name = "Five in a row"
    summary = "Tic-tac-toe grown up: five of your marks in line win."
    cols: int = option(7, range(5, 17), "columns of the board")
    rows: int = option(7, range(5, 17), "rows of the board")
    connect: int = option(5, range(4, 7), "marks in line that win")
    layout = grid(cols, rows)
    pieces = marks()
    moves = (place(),)
    ends = (line(connect), full())
