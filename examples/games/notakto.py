"""Notakto.

Both players put the same mark, X, on an empty square. The player who completes three in a row, column or diagonal
loses.

A move is the square: `b2` is the middle one.
"""

from connectoe.kit import Recipe, full, grid, line, marks, option, place


class Notakto(Recipe):
    """Tic-tac-toe with one mark for both."""

    id = "notakto"
    name = "Notakto"
    summary = "Everybody plays X, and three in a row loses."
    size: int = option(3, range(3, 7), "rows and columns of the board")
    three: str = option("opponent", {"opponent": "loses", "owner": "wins"}, "who wins by three in a row")
    layout = grid(size, size)
    pieces = marks(shared=True)
    moves = (place(),)
    ends = (line(3, winner=three), full())
