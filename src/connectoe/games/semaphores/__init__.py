"""Semaphores: the game put together."""

from __future__ import annotations

from connectoe.core.errors import BadOption
from connectoe.core.game import Game
from connectoe.core.options import option
from connectoe.games.semaphores import engines, look, words
from connectoe.games.semaphores.lessons import LESSONS

MOST_SQUARES = 24


class Semaphores(Game):
    """Semaphores on a board of up to 24 squares.

    >>> state = Semaphores().start
    >>> for move in "b2 b2 a2 a2 c2 c2".split():
    ...     state = state.play(move)
    >>> state.board(), state.status
    (['....', 'YYY.', '....'], 'O wins: three yellow lights a2-c2')
    """

    id = "semaphores"
    name = "Semaphores"
    summary = "Green, yellow, red: the lights are everybody's, and the first to make three alike in line wins."
    move_help = "the square whose light changes, like b2"
    rows: int = option(3, range(1, MOST_SQUARES + 1), "rows of the board")
    cols: int = option(4, range(1, MOST_SQUARES + 1), "columns of the board")

    make_rules = staticmethod(engines.rules_for_engines)
    endings = engines.ENDINGS
    planes = engines.planes
    tuning = engines.TUNING
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

    def check_options(self) -> None:
        """Raise BadOption for a board of more than 24 squares."""
        if self.rows * self.cols > MOST_SQUARES:
            raise BadOption(
                f"a board of {self.rows} rows and {self.cols} columns is too large: "
                f"it may have at most {MOST_SQUARES} squares"
            )
