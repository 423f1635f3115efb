"""Ultimate ultimate tic-tac-toe: the game put together."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, ClassVar

from connectoe.core.game import Game
from connectoe.core.options import option
from connectoe.games.ultimate_ultimate import engines, look, reading, words
from connectoe.games.ultimate_ultimate.lessons import LESSONS


class UltimateUltimate(Game):
    """Ultimate ultimate tic-tac-toe.

    >>> state = UltimateUltimate().start.play("5.5.1").play("+9")
    >>> state.turn, state.legal_moves()[:3]
    (1, ['9.1.1', '9.1.2', '9.1.3'])
    """

    id = "ultimate-ultimate"
    name = "Ultimate ultimate tic-tac-toe"
    summary = "729 cells and two marks a turn, one of them your opponent's: where they stand decides where play goes."
    move_help = "B.S.C (board and cell, like 5.1.9), +C for the opponent's mark, or >B for the bonus, all 1..9"
    ply_limit = 10_000
    tallies: int = option(3, range(1, 10), "tallies that complete a 3x3 board")

    make_rules = staticmethod(engines.rules_for_engines)
    endings = engines.ENDINGS
    planes = engines.planes
    levels = engines.levels
    special_moves: ClassVar[Mapping[str, str]] = {"bonus": ">.+"}
    special_events: ClassVar[Mapping[str, Callable[[Any, int], bool]]] = {"tally by tie": engines.is_tally_by_tie}

    notation = words.notation
    reason = words.reason
    winning_line = words.winning_line
    why_illegal = words.why_illegal
    goal = words.goal
    may_do = words.may_do
    board = words.board
    write = words.write
    read = reading.read
    lessons = LESSONS

    scene = look.scene
    stages = look.stages
    refusals = look.refusals
