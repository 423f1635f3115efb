"""Order and Chaos.

Both players put crosses and rings, whichever they like, on the empty squares of a 6x6 board. Order, who moves first,
wants five alike in line: across, upright or diagonally. Chaos wants the board to be full without such a line.

A move is x or o and the square: `xc3` puts a cross on c3, `oc3` a ring.
"""

from connectoe.kit import Recipe, crosses, full, grid, line, option, place, rings


class OrderAndChaos(Recipe):
    """One player builds, the other one spoils."""

    id = "order-and-chaos"
    name = "Order and Chaos"
    summary = "Order wants five alike in line, Chaos wants none, and both play crosses and rings."
    size: int = option(6, range(5, 17), "rows and columns of the board")
    connect: int = option(5, range(4, 7), "alike in line that Order wants")
    symbols = ("Order", "Chaos")
    layout = grid(size, size)
    pieces = crosses(), rings()
    moves = (place("x{square}", "cross"), place("o{square}", "ring"))
    ends = (line(connect, winner="first"), full("second"))
