"""Shift Tac Toe: the game put together."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar

from connectoe.core.errors import IllegalMove
from connectoe.core.game import Game
from connectoe.core.options import option
from connectoe.games.shift_tac_toe import engines, look, words
from connectoe.games.shift_tac_toe.lessons import LESSONS


class ShiftTacToe(Game):
    """Shift Tac Toe, with sliders that carry pieces outside the grid or as the boxed game.

    >>> state = ShiftTacToe().start
    >>> for move in "129":
    ...     state = state.play(move)
    >>> state.board()[2], state.text
    (['X', '', ''], '5/5/OX3 RRC X')
    """

    id = "shift-tac-toe"
    name = "Shift Tac Toe"
    summary = "Drop a piece or slide a whole row: three in line win, until somebody pulls the floor from under them."
    move_help = "a digit: 1 2 3 drop, 4 5 6 slide the top, middle, bottom row right, 7 8 9 left"
    symbols = ("O", "X")
    can_repeat = True
    edition: str = option(
        "sliders",
        {
            "sliders": "sliders hold pieces outside the grid, and the supply of pieces is unlimited",
            "pressman": "the boxed game, with five discs each, which go back to the hand when they leave the grid",
        },
        "which edition is played",
    )
    both: str = option(
        "mover",
        {"mover": "the mover wins", "draw": "the game is drawn"},
        "what happens when a slide makes lines for both",
    )

    make_rules = staticmethod(engines.rules_for_engines)
    endings = engines.ENDINGS
    planes = engines.planes
    levels = engines.levels
    has_perfect_play = engines.has_perfect_play
    known_result = engines.known_result
    puzzle_making = engines.PUZZLE_MAKING

    notation = words.notation
    reason = words.reason
    winning_line = words.winning_line
    why_illegal = words.why_illegal
    goal = words.goal
    may_do = words.may_do
    board = words.board
    write = words.write
    read = words.read
    setting_up = words.setting_up
    moves_run_together = True
    special_moves: ClassVar[Mapping[str, str]] = {"slide": "[4-9]"}
    lessons = LESSONS

    scene = look.scene
    stages = look.stages
    refusals = look.refusals
    pieces_travel = True

    @property
    def is_pressman(self) -> bool:
        """Whether this is the boxed game, with five discs per player and nothing outside the grid."""
        return self.edition == "pressman"


def final_grid(moves: str | Sequence[str]) -> list[list[str]]:
    """Return the 3x3 grid after these digits, as nested lists of 'O', 'X' and ''; what comes after a win is ignored."""
    state = ShiftTacToe().start
    for number, move in enumerate(moves, 1):
        if state.outcome:
            break
        try:
            state = state.play(move)
        except IllegalMove as problem:
            raise IllegalMove(f"move {number}: {problem}") from None
    grid: list[list[str]] = state.board()
    return grid
