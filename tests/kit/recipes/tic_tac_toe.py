"""Tic-tac-toe as a recipe."""

from connectoe.kit import Recipe, full, grid, line, marks, place


class TicTacToe(Recipe):
    """Tic-tac-toe."""

    id = "tic-tac-toe"
    name = "Tic-tac-toe"
    summary = "Three of your marks in line win."
    layout = grid(3, 3)
    pieces = marks()
    moves = (place(),)
    ends = (line(3), full())
