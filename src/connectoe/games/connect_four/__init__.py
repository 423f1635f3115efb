"""Connect Four: the game put together."""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar

from connectoe.core.game import Game
from connectoe.core.options import option
from connectoe.core.rules import Rules
from connectoe.core.strength import Tuning
from connectoe.games.connect_four import engines, look, words
from connectoe.games.connect_four.lessons import LESSONS


class ConnectFour(Game):
    """Connect Four on a board of any size up to 16x16.

    >>> state = ConnectFour(cols=5, rows=4).start
    >>> for move in "a b a b a b a".split():
    ...     state = state.play(move)
    >>> state.board(), state.status
    (['X....', 'XO...', 'XO...', 'XO...'], 'X wins: four discs a1-a4')
    """

    id = "connect-four"
    name = "Connect Four"
    summary = "Drop discs into columns; four of yours in line win."
    move_help = "the letter of a column, like d"
    cols: int = option(7, range(1, 17), "columns of the board")
    rows: int = option(6, range(1, 17), "rows of the board")
    connect: int = option(4, range(3, 7), "discs in line that win")

    make_rules: ClassVar[Callable[..., Rules]] = staticmethod(engines.rules_for_engines)
    endings = engines.ENDINGS
    planes = engines.planes
    tuning: ClassVar[Tuning] = engines.TUNING
    levels = engines.levels
    solver = engines.solver
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
    lessons = LESSONS

    scene = look.scene
