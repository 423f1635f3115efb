"""Quixo.

Take a cube from the edge of a 5x5 board that is blank or shows your mark. Push it in again, showing your mark, at
another end of its row or column; the cubes between are pushed by one. Five of your marks in line win, across, upright
or diagonally. If a push makes lines for both players, the one who pushed loses.

A move is the square of the cube and the way its line goes, right, left, up or down: `c1u`.
"""

from connectoe.kit import Recipe, grid, line, marks, option, push_row


class Quixo(Recipe):
    """Tic-tac-toe in which everything moves."""

    id = "quixo"
    name = "Quixo"
    summary = "Take a cube from the edge, push it in elsewhere, and watch the row move: five in line win."
    size: int = option(5, range(3, 17), "rows and columns of the board, and marks in line that win")
    layout = grid(size, size)
    pieces = marks()
    moves = (push_row(),)
    ends = (line(size, both="opponent"),)
