"""Pentago.

Put a mark of yours on an empty square of a 6x6 board, then turn one of its four parts of 3x3 squares by a quarter, to
the left or to the right. Five of your marks in line win, across, upright or diagonally, counted after the turn. Lines
for both players are a draw, and so is a full board.

A move is the square, then the lowest left square of the part that is turned, and l or r: `b2:d4r`.
"""

from connectoe.kit import Recipe, full, grid, line, marks, place, rotate


class Pentago(Recipe):
    """Five in a row on a board that turns."""

    id = "pentago"
    name = "Pentago"
    summary = "Five in a row, but after each mark a quarter of the board is turned."
    layout = grid(6, 6)
    pieces = marks()
    moves = (place(then=rotate(3)),)
    ends = (line(5, both="draw"), full())
