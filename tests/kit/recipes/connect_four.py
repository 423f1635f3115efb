"""Connect Four as a recipe."""

from connectoe.kit import Recipe, columns, discs, drop, full, line, option


class ConnectFour(Recipe):
    """Connect Four."""

    id = "connect-four"
    name = "Connect Four"
    summary = "Four of your discs in line win."
    cols: int = option(7, range(1, 17), "columns of the board")
    rows: int = option(6, range(1, 17), "rows of the board")
    connect: int = option(4, range(3, 7), "discs in line that win")
    layout = columns(cols, rows)
    pieces = discs()
    moves = (drop(),)
    ends = (line(connect), full())
