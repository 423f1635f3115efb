"""Make Nine.

Each player has the pieces 1 to 5, one of each, and puts one of them on an empty square of a 3x3 board. The first player
who has three of their own in line that add up to nine wins. If no piece is left, it is a draw.

A move is the number and the square: `5b2` puts the 5 in the middle.
"""

from connectoe.kit import Recipe, grid, numbers, option, place, stuck, total


class MakeNine(Recipe):
    """A line that adds up."""

    id = "make-nine"
    name = "Make Nine"
    summary = "Three of your numbers in line that add up to nine win."
    amount: int = option(9, range(6, 13), "what a line must add up to")
    layout = grid(3, 3)
    pieces = numbers(1, 2, 3, 4, 5)
    moves = tuple(place(f"{number}{{square}}", f"piece {number}") for number in range(1, 6))
    ends = (total(amount, 3), stuck("draw"))
