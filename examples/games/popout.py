"""PopOut.

Drop a disc into a column, as in Connect Four, or pop one of your own discs out of the bottom of a column: the discs
above it fall by one. Four of your discs in line win. If a pop makes lines for both players, the one who popped wins.
A player without a move draws, and so does a position that occurs for the third time.

A move is the letter of a column to drop a disc, `d`, or a minus and the letter to pop one, `-d`.
"""

from connectoe.kit import Recipe, columns, discs, drop, line, option, pop, repetition, stuck


class PopOut(Recipe):
    """Connect Four whose floor opens."""

    id = "popout"
    name = "PopOut"
    summary = "Four in line, and the floor gives way."
    cols: int = option(7, range(4, 17), "columns of the board")
    rows: int = option(6, range(4, 17), "rows of the board")
    connect: int = option(4, range(3, 7), "discs in line that win")
    both: str = option("mover", ("mover", "draw", "opponent"), "who wins with lines for both")
    layout = columns(cols, rows)
    pieces = discs()
    moves = (drop("{column}"), pop("-{column}", whose="own"))
    ends = (line(connect, both=both), stuck("draw"), repetition(3, "draw"))
