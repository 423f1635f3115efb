"""Nine boards.

Nine Connect Four boards make one large board of 3x3. Drop a disc into any column of any board: four of your discs in
line win the board, which is then closed. Three boards of yours in line win the game. When every board is won or full
and nobody has three in line, it is a draw.

A move is the letter of a column and the row of boards, from 1 at the bottom: `d2` is the middle column of the leftmost
board in the middle row.
"""

from connectoe.kit import NestedRecipe, columns, discs, drop, full, grid, line, nested, option


class NineBoards(NestedRecipe):
    """Tic-tac-toe whose squares are Connect Four boards."""

    id = "nine-boards"
    name = "Nine boards"
    summary = "Win a Connect Four board to take a square, and three squares in line to win."
    cols: int = option(7, range(4, 8), "columns of a small board")
    rows: int = option(6, range(4, 8), "rows of a small board")
    layout = nested(grid(3, 3), columns(cols, rows), line=4)
    pieces = discs()
    moves = (drop(),)
    ends = (line(3), full())
