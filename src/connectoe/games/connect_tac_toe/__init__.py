"""Connect Tac Toe: the game put together."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from connectoe.core.game import Game
from connectoe.core.options import option
from connectoe.games.connect_tac_toe import engines, look, words
from connectoe.games.connect_tac_toe.lessons import LESSONS


class ConnectTacToe(Game):
    """Connect Tac Toe, with the readings its text leaves open as options.

    >>> state = ConnectTacToe().start.play("d1").play("+a1")
    >>> state.play("e1").why_illegal("+b1")
    "'+b1' is not legal: O owes a disc, ..."
    """

    id = "connect-tac-toe"
    name = "Connect Tac Toe"
    summary = "Drop discs or place marks on one board: four discs or three marks in line win."
    move_help = "a cell, like d3 to drop a disc that rests there, or +d3 to place a mark"
    cols: int = option(7, range(1, 17), "columns of the board")
    rows: int = option(6, range(1, 17), "rows of the board")
    discs: int = option(4, range(3, 7), "discs in line that win")
    marks: int = option(3, range(3, 7), "marks in line that win")
    drop: str = option(
        "through-marks",
        {
            "through-marks": "marks, but never a disc",
            "any-gap": "anything, down to any empty cell with the floor or a piece right under it",
        },
        "what a falling disc may pass",
    )
    stuck: str = option(
        "draw",
        {"draw": "the game is drawn", "free": "the player may place a mark after all"},
        "what happens when a player owes a disc and can drop none",
    )

    make_rules = staticmethod(engines.rules_for_engines)
    endings = engines.ENDINGS
    planes = engines.planes
    tuning = engines.TUNING
    levels = engines.levels
    has_perfect_play = engines.has_perfect_play
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
    special_moves: ClassVar[Mapping[str, str]] = {"mark": "[+].+"}
    lessons = LESSONS

    scene = look.scene
    refusals = look.refusals
    tools = ("disc", "mark")
