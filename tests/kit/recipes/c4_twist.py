"""C4 with a Twist as a recipe."""

from connectoe.kit import Recipe, bomb, columns, discs, drop, full, line, option
from connectoe.kit import bombs as bombs_in_hand


class C4Twist(Recipe):
    """Connect Four with bombs."""

    id = "c4-twist"
    name = "C4 with a Twist"
    summary = "Connect Four with a bomb each."
    cols: int = option(7, range(1, 17), "columns of the board")
    rows: int = option(6, range(1, 17), "rows of the board")
    connect: int = option(4, range(3, 7), "discs in line that win")
    bombs: int = option(1, range(4), "bombs each player has")
    layout = columns(cols, rows)
    pieces = discs(), bombs_in_hand(bombs)
    moves = (drop(), bomb())
    ends = (line(connect), full())
