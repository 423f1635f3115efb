"""Solving a puzzle by play: whether a move keeps the win, and how the opponent answers it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

from connectoe.core.errors import ConnectoeError
from connectoe.core.rules import ONGOING
from connectoe.core.state import State
from connectoe.puzzles.checking import PlainProof
from connectoe.puzzles.puzzle import Puzzle

Verdict = Literal["solved", "right", "wrong"]
PLAIN_PLIES = 3
"""Questions so short are answered by plain recursion, which waits for no compiler."""


@dataclass(frozen=True)
class Judgement:
    """What is said of a move: solved, right so far, or wrong, and what the opponent plays next."""

    verdict: Verdict
    reply: str | None = None
    """The opponent's answer: to a right move the longest defence, to a wrong one a move that wins, if there is one."""
    plies_left: int = 0
    """The plies within which the win is still forced, after the reply to a right move."""

    def as_data(self) -> dict[str, Any]:
        """Return the judgement as plain data for JSON."""
        return {"verdict": self.verdict, "reply": self.reply, "plies_left": self.plies_left}


def judge(puzzle: Puzzle, played: Sequence[str]) -> Judgement:
    """Return whether the last of the moves played since the puzzle's position is right.

    The moves are those of both sides, and the last one is the solver's. A right move keeps the win within the plies
    that the puzzle promises; after the first move there may be several.

    >>> import connectoe
    >>> from connectoe.puzzles.puzzle import puzzle_from
    >>> puzzle = puzzle_from(connectoe.load("tic-tac-toe"), "win\\t5\\ttable\\ta1 b1\\ta3 a2 b2 c2 c3\\t-")
    >>> judge(puzzle, ["a3"])
    Judgement(verdict='right', reply='a2', plies_left=3)
    >>> judge(puzzle, ["c3"]).verdict
    'wrong'
    """
    if not played:
        raise ConnectoeError("there is no move to judge")
    before = puzzle.state
    for move in played[:-1]:
        before = before.play(move)
    if before.turn != puzzle.state.turn:
        raise ConnectoeError(f"the last move is not one of {puzzle.game.symbols[puzzle.state.turn or 0]}'s")
    after = before.play(played[-1])
    if puzzle.goal == "draw":
        return Judgement("solved") if played[-1] == puzzle.solution else _wrong(puzzle, after, puzzle.plies - 1)
    left = puzzle.plies - len(played)
    if tuple(played) == puzzle.line[: len(played)]:
        return Judgement("right", puzzle.line[len(played)], left - 1) if left else Judgement("solved")
    solver = int(before.turn or 0)
    if not _wins_within(puzzle, after.position, solver, left):
        return _wrong(puzzle, after, left)
    if after.outcome:
        return Judgement("solved")
    if after.turn == solver:  # the same player moves again
        return Judgement("right", None, left)
    reply = _longest_defence(puzzle, after, solver, left)
    lasting = after.play(reply)
    return Judgement("solved", reply) if lasting.outcome else Judgement("right", reply, left - 1)


def _wrong(puzzle: Puzzle, after: State, plies: int) -> Judgement:
    """Return the judgement of a wrong move, with a winning answer if the opponent has one within so many plies."""
    if after.turn is None or after.turn == puzzle.state.turn:
        return Judgement("wrong")
    opponent, rules = after.turn, puzzle.game.rules
    for within in range(1, min(plies, PLAIN_PLIES) + 1):
        for move in after.moves():
            if _wins_within(puzzle, rules.play(after.position, move), opponent, within - 1):
                return Judgement("wrong", puzzle.game.move_text(move))
    return Judgement("wrong")


def _longest_defence(puzzle: Puzzle, state: State, solver: int, plies: int) -> str:
    """Return the move that delays the solver's win the longest; it is won within so many plies from here."""
    rules = puzzle.game.rules

    def lasts(move: int) -> int:
        position = rules.play(state.position, move)
        if rules.outcome(position) != ONGOING:
            return 0
        return next((n for n in range(plies) if _wins_within(puzzle, position, solver, n)), plies)

    return puzzle.game.move_text(max(state.moves(), key=lasts))


def _wins_within(puzzle: Puzzle, position: Any, player: int, plies: int) -> bool:
    if plies <= PLAIN_PLIES:
        return PlainProof(puzzle.game).wins_within(position, player, plies)
    from connectoe.puzzles.proving import prover

    return prover(puzzle.game).search.wins_within(position, player, plies)
