"""Connect Tac Toe as a recipe."""

from connectoe.kit import Recipe, chosen, columns, drop_through, full, line, option, place, small_marks
from connectoe.kit import discs as discs_of_each


class ConnectTacToe(Recipe):
    """Discs and marks on one board."""

    id = "connect-tac-toe"
    name = "Connect Tac Toe"
    summary = "Four discs or three marks in line win."
    cols: int = option(7, range(1, 17), "columns of the board")
    rows: int = option(6, range(1, 17), "rows of the board")
    discs: int = option(4, range(3, 7), "discs in line that win")
    marks: int = option(3, range(3, 7), "marks in line that win")
    drop: str = option("through-marks", ("through-marks", "any-gap"), "what a falling disc may pass")
    stuck: str = option("draw", ("draw", "free"), "what happens when a player owes a disc and can drop none")
    layout = columns(cols, rows)
    pieces = discs_of_each(), small_marks()
    moves = (
        drop_through("{square}", "disc", passes=chosen(drop, {"through-marks": "others", "any-gap": "all"})),
        place("+{square}", "mark", up_to="disc", owes="disc", when_stuck=stuck),
    )
    ends = (line(discs, "disc"), line(marks, "mark"), full())
