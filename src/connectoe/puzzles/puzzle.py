"""A puzzle: a position that play has led to, and the only move that wins it or saves the draw."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal, NamedTuple

from connectoe.core.errors import BadRecord, ConnectoeError
from connectoe.core.game import Game
from connectoe.core.state import State

Goal = Literal["win", "draw"]
Proof = Literal["table", "solver", "search"]
GOALS: tuple[Goal, ...] = ("win", "draw")
PROOFS: dict[Proof, str] = {
    "table": "the table of the solved game",
    "solver": "the game's exact solver",
    "search": "a finished search of all lines of play",
}
"""What a proof rests on. A table and a solver know that no other move wins at all, a search knows it to its depth."""
MARGIN = 2
"""A search shows that no other move wins within this many plies more than the solution takes."""
COLUMNS = ("goal", "plies", "proof", "moves", "line", "also", "tempting")
"""The columns of a puzzle's line of text; one for each level follows."""
NONE = "-"


class Tries(NamedTuple):
    """How often a level failed to find the solution.

    >>> Tries(failed=3, of=4).share
    0.75
    """

    failed: int
    of: int

    @property
    def share(self) -> float:
        """The share of the tries that failed."""
        return self.failed / self.of if self.of else 0.0


@dataclass(frozen=True)
class Puzzle:
    """A position with exactly one right move.

    >>> import connectoe
    >>> game = connectoe.load("tic-tac-toe")
    >>> puzzle = Puzzle(game, ("a1", "b1"), "win", 5, ("a3", "a2", "b2", "c2", "c3"), "table")
    >>> puzzle.state.text, puzzle.solution, puzzle.own_moves
    ('3/3/XO1 X', 'a3', 3)
    """

    game: Game
    moves: tuple[str, ...]
    """The moves of the game from the start to the position."""
    goal: Goal
    plies: int
    """The plies of the win; for a draw, those within which every other move loses."""
    line: tuple[str, ...]
    """The solution: the only right move, then the longest defence and the quickest win; for a draw only the move."""
    proof: Proof
    also: tuple[tuple[int, str], ...] = ()
    """Other moves that are as good as those of the line after the first, each with its place in the line."""
    tempting: str | None = None
    """The wrong move that a look one ply ahead prefers; None if that look finds the solution."""
    levels: Mapping[str, Tries] = field(default_factory=dict)
    """How often each level failed, measured with seeds."""

    @cached_property
    def state(self) -> State:
        """The position to be solved."""
        state = self.game.start
        for move in self.moves:
            state = state.play(move)
        return state

    @property
    def solution(self) -> str:
        """The only right move."""
        return self.line[0]

    @property
    def depth(self) -> int:
        """The plies within which no other move wins; where a table or a solver has the proof, no other wins at all."""
        return self.plies + MARGIN if self.proof == "search" and self.goal == "win" else self.plies

    @cached_property
    def own_moves(self) -> int:
        """The moves that the solver makes in the line."""
        state, count = self.state, 0
        for move in self.line:
            count += state.turn == self.state.turn
            state = state.play(move)
        return count

    @cached_property
    def id(self) -> str:
        """A short name that stays the same as long as the position does."""
        whole = f"{self.game.id} {self.game.options_text} {self.state.text}"
        return hashlib.sha256(whole.encode()).hexdigest()[:10]

    def as_line(self) -> str:
        """Return the puzzle as a line of a file of puzzles."""
        tries = (f"{level} {count.failed}/{count.of}" for level, count in self.levels.items())
        facts = (self.goal, str(self.plies), self.proof, " ".join(self.moves), " ".join(self.line))
        also = " ".join(f"{place}={move}" for place, move in self.also)
        return "\t".join((*facts, also or NONE, self.tempting or NONE, *tries))


def puzzle_from(game: Game, line: str) -> Puzzle:
    """Return the puzzle of a game that a line of text stands for, or raise BadRecord; its moves are not played yet.

    >>> import connectoe
    >>> game = connectoe.load("tic-tac-toe")
    >>> puzzle_from(game, "win\\t5\\ttable\\ta1 b1\\ta3 a2 b2 c2 c3\\t4=a1\\t-\\teasy 3/4").levels["easy"].share
    0.75
    """
    parts = line.rstrip("\n").split("\t")
    if len(parts) < len(COLUMNS):
        raise BadRecord(f"a puzzle has {len(COLUMNS)} columns or more with tabs between them, this has {len(parts)}")
    goal, plies, proof, moves, solution, also, tempting = parts[: len(COLUMNS)]
    others = [re.fullmatch(r"([0-9]{1,4})=(\S+)", part) for part in also.split() if part != NONE]
    tries = [re.fullmatch(r"(\S+) ([0-9]{1,6})/([0-9]{1,6})", part) for part in parts[len(COLUMNS) :]]
    if goal not in GOALS or proof not in PROOFS or not re.fullmatch("[0-9]{1,4}", plies) or not solution.split():
        raise BadRecord(f"not a puzzle: {line[:60]!r}")
    if not all(others):
        raise BadRecord(f"a move that is as good as one of the line looks like `2=d`: {also[:60]!r}")
    if not all(tries):
        raise BadRecord(f"the tries of a level look like `easy 3/4`: {line[-60:]!r}")
    try:
        as_good = tuple((int(found[1]), found[2]) for found in others if found)
        named = (*moves.split(), *solution.split(), *(move for _, move in as_good))
        for move in (*named, *([] if tempting == NONE else [tempting])):
            game.move_from(move)
    except ConnectoeError as error:
        raise BadRecord(str(error)) from error
    return Puzzle(
        game,
        tuple(moves.split()),
        goal,
        int(plies),
        tuple(solution.split()),
        proof,
        as_good,
        None if tempting == NONE else tempting,
        {found[1]: Tries(int(found[2]), int(found[3])) for found in tries if found},
    )
