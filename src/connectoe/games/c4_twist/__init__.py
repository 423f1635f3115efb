"""C4 with a Twist: the game put together."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from connectoe.core.options import option
from connectoe.games.c4_twist import engines, look, words
from connectoe.games.c4_twist.lessons import LESSONS
from connectoe.games.connect_four import ConnectFour


class C4Twist(ConnectFour):
    """Connect Four with bombs.

    >>> state = C4Twist().start
    >>> for move in "d d *d".split():
    ...     state = state.play(move)
    >>> state.text
    '7/7/7/7/7/7 O 0 1'
    """

    id = "c4-twist"
    name = "C4 with a Twist"
    summary = "Connect Four with a bomb each: one blast empties a whole column."
    move_help = "the letter of a column, like d to drop a disc, or *d to bomb the column"
    bombs: int = option(1, range(4), "bombs each player has")

    make_rules = staticmethod(engines.rules_for_engines)
    planes = engines.planes
    tuning = engines.TUNING
    levels = engines.levels
    solver = engines.solver
    has_perfect_play = engines.has_perfect_play
    known_result = engines.known_result
    puzzle_making = engines.PUZZLE_MAKING

    notation = words.notation
    why_illegal = words.why_illegal
    may_do = words.may_do
    write = words.write
    read = words.read
    setting_up = words.setting_up
    special_moves: ClassVar[Mapping[str, str]] = {"bomb": "[*].+"}
    lessons = LESSONS

    scene = look.scene
    stages = look.stages
    tools = ("disc", "bomb")
