"""Ultimate tic-tac-toe: the game put together."""

from __future__ import annotations

from connectoe.core.game import Game
from connectoe.core.options import option
from connectoe.games.ultimate import engines, look, words
from connectoe.games.ultimate.lessons import LESSONS


class Ultimate(Game):
    """Ultimate tic-tac-toe.

    >>> state = Ultimate().start.play("e5").play("d4")
    >>> state.legal_moves()
    ['a1', 'a2', 'a3', 'b1', 'b2', 'b3', 'c1', 'c2', 'c3']
    """

    id = "ultimate"
    name = "Ultimate tic-tac-toe"
    summary = "Tic-tac-toe of tic-tac-toes: your square decides on which board your opponent must play."
    move_help = "a square from a1 (bottom left) to i9"
    won_boards: str = option(
        "closed",
        {"closed": "it is finished", "open": "it is played on until it is full"},
        "what becomes of a won board",
    )
    undecided: str = option(
        "draw",
        {"draw": "it is a draw", "most-boards": "the player who has won more small boards wins"},
        "what an end without three boards in line is",
    )

    make_rules = staticmethod(engines.rules_for_engines)
    endings = engines.ENDINGS
    planes = engines.planes
    tuning = engines.TUNING
    tuning_with_opinion = engines.TUNING_WITH_OPINION
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
    lessons = LESSONS

    scene = look.scene
