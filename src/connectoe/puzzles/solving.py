"""Solving a puzzle by play: whether a move keeps the win, and how the opponent answers it.

A file of puzzles holds the whole answer, so that nothing is searched here: the line, and the other moves that are as
good as those of the line.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

from connectoe.core.errors import ConnectoeError
from connectoe.core.state import State
from connectoe.puzzles.puzzle import Puzzle

Verdict = Literal["solved", "right", "wrong"]


@dataclass(frozen=True)
class Judgement:
    """The judgement of a move: it solves the puzzle, is right so far, or is wrong; and the opponent's answer."""

    verdict: Verdict
    reply: str | None = None
    """The opponent's answer: to a right move the longest defence, to a wrong one a move that wins at once, if any."""
    plies_left: int = 0
    """The plies within which the win is forced, after the reply to a right move."""
    leaves_the_line: bool = False
    """Whether the move is as good as that of the line, but another one; the puzzle is solved then."""

    def as_data(self) -> dict[str, Any]:
        """Return the judgement as plain data for JSON."""
        return {
            "verdict": self.verdict,
            "reply": self.reply,
            "plies_left": self.plies_left,
            "leaves_the_line": self.leaves_the_line,
        }


def judge(puzzle: Puzzle, played: Sequence[str]) -> Judgement:
    """Return whether the last of the moves played since the puzzle's position is right.

    The moves are those of both sides, they follow the puzzle's line up to the last one, and that is the solver's.

    >>> import connectoe
    >>> from connectoe.puzzles.puzzle import puzzle_from
    >>> puzzle = puzzle_from(connectoe.load("tic-tac-toe"), "win\\t5\\ttable\\ta1 b1\\ta3 a2 b2 c2 c3\\t2=c3\\t-")
    >>> judge(puzzle, ["a3"])
    Judgement(verdict='right', reply='a2', plies_left=3, leaves_the_line=False)
    >>> judge(puzzle, ["a3", "a2", "c3"]).verdict, judge(puzzle, ["c3"]).verdict
    ('solved', 'wrong')
    """
    if not played:
        raise ConnectoeError("there is no move to judge")
    *earlier, move = played
    if tuple(earlier) != puzzle.line[: len(earlier)] or len(earlier) >= len(puzzle.line):
        raise ConnectoeError(f"the moves before the last one follow the line of the puzzle: {' '.join(earlier)[:60]!r}")
    before = puzzle.state
    for earlier_move in earlier:
        before = before.play(earlier_move)
    if before.turn != puzzle.state.turn:
        raise ConnectoeError(f"the last move is not one of {puzzle.game.symbols[puzzle.state.turn or 0]}'s")
    after = before.play(move)
    if move != puzzle.line[len(earlier)]:
        if (len(earlier), move) in puzzle.also:
            return Judgement("solved", leaves_the_line=True)
        return Judgement("wrong", _refutation(after, before.turn))
    if not _moves_again(puzzle, before.turn, after, len(played)):
        return Judgement("solved", puzzle.line[len(played)] if len(played) < len(puzzle.line) else None)
    if after.turn == before.turn:
        return Judgement("right", None, puzzle.plies - len(played))
    return Judgement("right", puzzle.line[len(played)], puzzle.plies - len(played) - 1)


def _moves_again(puzzle: Puzzle, solver: int | None, state: State, place: int) -> bool:
    """Whether the solver makes another move in the rest of the line."""
    for move in puzzle.line[place:]:
        if state.turn == solver:
            return True
        state = state.play(move)
    return False


def _refutation(after: State, solver: int | None) -> str | None:
    """Return a move by which the opponent wins at once, if there is one."""
    if after.turn is None or after.turn == solver:
        return None
    for move in after.moves():
        outcome = after.play(move).outcome
        if outcome and outcome.winner == after.turn:
            return after.game.move_text(move)
    return None
