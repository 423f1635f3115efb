"""Advanced Tic Tac Toe: the game put together."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from connectoe.core.game import Game
from connectoe.core.options import option
from connectoe.games.advanced import engines, look, words
from connectoe.games.advanced.lessons import LESSONS


class Advanced(Game):
    """Advanced Tic Tac Toe: pieces that march in from the edge.

    >>> state = Advanced().start.play("1Na").play("2E2")
    >>> state.text
    'X1Sa3,O2Wc2 O -'
    """

    id = "advanced"
    name = "Advanced Tic Tac Toe"
    summary = "Place numbered pieces on the edge; every round all march on, shove and fall off: three in line win."
    move_help = "a piece, a side and a line, like 4Nb or 1W3"
    can_repeat = True
    both: str = option(
        "continue",
        {"continue": "play goes on", "draw": "the game is drawn"},
        "what happens when both have a line at the end of a round",
    )

    make_rules = staticmethod(engines.rules_for_engines)
    endings = engines.ENDINGS
    planes = engines.planes
    tuning = engines.TUNING
    levels = engines.levels
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
    special_moves: ClassVar[Mapping[str, str]] = {f"piece {number}": f"{number}.+" for number in range(1, 6)}
    lessons = LESSONS

    scene = look.scene
    stages = look.stages
    tools = tuple(f"piece {number}" for number in range(1, 6))
