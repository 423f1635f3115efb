"""Ultimate tic-tac-toe as a recipe."""

from connectoe.kit import NestedRecipe, chosen, full, grid, line, marks, nested, option, place


class Ultimate(NestedRecipe):
    """Tic-tac-toe of tic-tac-toes."""

    id = "ultimate"
    name = "Ultimate tic-tac-toe"
    summary = "Your square decides on which board your opponent must play."
    won_boards: str = option("closed", ("closed", "open"), "what becomes of a won board")
    undecided: str = option("draw", ("draw", "most-boards"), "what an end without a line is")
    layout = nested(grid(3, 3), grid(3, 3), line=3, sends=True, when_won=won_boards)
    pieces = marks()
    moves = (place(),)
    ends = (line(3), full(chosen(undecided, {"draw": "draw", "most-boards": "most"})))
