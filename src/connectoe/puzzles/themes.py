"""Themes of puzzles: short names, derived from the solution and from what the game declares."""

from __future__ import annotations

import re
from itertools import islice

from connectoe.core.looking import loses_at_once
from connectoe.core.rules import ONGOING
from connectoe.puzzles.puzzle import Puzzle

SAVE_THE_DRAW = "save the draw"
HIDDEN = "hidden"
UNDER_THREAT = "under threat"
MEANINGS = {
    SAVE_THE_DRAW: "every move but one loses",
    HIDDEN: "a look one ply ahead prefers another move",
    UNDER_THREAT: "most other moves lose at once",
}


def themes(puzzle: Puzzle) -> tuple[str, ...]:
    """Return the themes of a puzzle: its length, what hides it, the kind of the first move, and how it ends.

    >>> import connectoe
    >>> from connectoe.puzzles.puzzle import puzzle_from
    >>> game = connectoe.load("tic-tac-toe")
    >>> themes(puzzle_from(game, "win\\t5\\ttable\\ta1 b1\\ta3 a2 b2 c2 c3\\t-\\t-"))
    ('win in 3',)
    """
    found = [f"win in {puzzle.own_moves}" if puzzle.goal == "win" else SAVE_THE_DRAW]
    if puzzle.tempting:
        found.append(HIDDEN)
    if _is_under_threat(puzzle):
        found.append(UNDER_THREAT)
    found += special_moves(puzzle)
    if puzzle.goal == "win" and len(puzzle.game.endings) > 2:
        found.append(_ending(puzzle))
    return tuple(found)


def special_moves(puzzle: Puzzle) -> list[str]:
    """Return the kinds of special moves that the solution is one of."""
    kinds = puzzle.game.special_moves.items()
    return [name for name, pattern in kinds if re.fullmatch(pattern, puzzle.solution)]


def _is_under_threat(puzzle: Puzzle) -> bool:
    rules, position = puzzle.game.rules, puzzle.state.position
    others = [move for move in puzzle.state.moves() if move != puzzle.game.move_from(puzzle.solution)]
    half = (len(others) + 1) // 2
    safe = (move for move in others if not loses_at_once(rules, position, move))
    return len(list(islice(safe, half))) < half  # enough safe moves settle it, which saves most of the time


def _ending(puzzle: Puzzle) -> str:
    rules, position = puzzle.game.rules, puzzle.state.position
    for move in puzzle.line:
        position = rules.play(position, puzzle.game.move_from(move))
    assert rules.outcome(position) != ONGOING
    return puzzle.game.ending(position)
