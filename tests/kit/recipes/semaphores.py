"""Semaphores as a recipe."""

from connectoe.kit import Recipe, grid, lights, line, option, stuck, turn


class Semaphores(Recipe):
    """Traffic lights."""

    id = "semaphores"
    name = "Semaphores"
    summary = "Three lights of one colour in line win."
    rows: int = option(3, range(1, 25), "rows of the board")
    cols: int = option(4, range(1, 25), "columns of the board")
    layout = grid(cols, rows)
    pieces = lights("green", "yellow", "red")
    moves = (turn(),)
    ends = (line(3), stuck("draw"))
