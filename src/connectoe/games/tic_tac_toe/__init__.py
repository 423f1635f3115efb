"""Tic-tac-toe: the game put together."""

from __future__ import annotations

from connectoe.core.game import Game
from connectoe.games.tic_tac_toe import engines, look, words
from connectoe.games.tic_tac_toe.lessons import LESSONS


class TicTacToe(Game):
    """Tic-tac-toe, as everyone knows it.

    >>> state = TicTacToe().start
    >>> for move in "b2 a1 b1 b3 c2 a2 a3 c1 c3".split():
    ...     state = state.play(move)
    >>> state.board(), state.status
    (['XOX', 'OXX', 'OXO'], 'Draw: board full')
    """

    id = "tic-tac-toe"
    name = "Tic-tac-toe"
    summary = "Three of your marks in line win: the game everybody knows."
    move_help = "a square from a1 (bottom left) to c3"

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
    lessons = LESSONS

    scene = look.scene
