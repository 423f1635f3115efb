"""Puzzles as plain data, for programs."""

from __future__ import annotations

from typing import Any

from connectoe.puzzles.grading import grade
from connectoe.puzzles.puzzle import Puzzle
from connectoe.puzzles.themes import themes


def as_data(puzzle: Puzzle, *, with_solution: bool = True) -> dict[str, Any]:
    """Return a puzzle as plain data for JSON.

    >>> import connectoe
    >>> from connectoe.puzzles.puzzle import puzzle_from
    >>> puzzle = puzzle_from(connectoe.load("tic-tac-toe"), "win\\t5\\ttable\\ta1 b1\\ta3 a2 b2 c2 c3\\t-\\t-")
    >>> as_data(puzzle, with_solution=False)["position"]
    '3/3/XO1 X'
    """
    facts: dict[str, Any] = {
        "id": puzzle.id,
        "game": puzzle.game.id,
        "options": puzzle.game.options,
        "moves": list(puzzle.moves),
        "position": puzzle.state.text,
        "turn": puzzle.state.turn,
        "goal": puzzle.goal,
        "plies": puzzle.plies,
        "own_moves": puzzle.own_moves,
        "proof": puzzle.proof,
        "grade": grade(puzzle),
        "themes": list(themes(puzzle)),
        "failures": {level: {"failed": tries.failed, "of": tries.of} for level, tries in puzzle.levels.items()},
    }
    if with_solution:
        also = [{"ply": place, "move": move} for place, move in puzzle.also]
        facts |= {"line": list(puzzle.line), "also": also, "tempting": puzzle.tempting}
    return facts
