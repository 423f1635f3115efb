"""How hard a puzzle is: which levels fail, how long the solution is, and whether a look one ply ahead sees it."""

from __future__ import annotations

from typing import Any

from connectoe.core.game import Game
from connectoe.core.looking import loses_at_once
from connectoe.core.match import Match
from connectoe.core.rules import ONGOING
from connectoe.core.state import State
from connectoe.players import player
from connectoe.puzzles.puzzle import Puzzle, Tries

TRIES = {"easy": 5, "medium": 5, "hard": 1}
"""How often each level tries a puzzle, with different seeds."""
GRADES = range(1, 6)
HIDDEN = 0.5
PER_MOVE = 0.25
"""What being hidden, and each own move beyond the second, adds to the difficulty; each level adds its share of
failures.
"""
MOST_FOR_LENGTH = 1.0
PLAYOUTS = 64
"""The random games that say how a move looks in a game without `evaluate`."""


def difficulty(puzzle: Puzzle) -> float:
    """Return how hard a puzzle is: the shares of failures of all levels, and something for its length and for being
    hidden."""
    failed = sum(tries.share for tries in puzzle.levels.values())
    length = min(MOST_FOR_LENGTH, PER_MOVE * max(0, puzzle.own_moves - 2))
    return failed + length + (HIDDEN if puzzle.tempting else 0)


def grade(puzzle: Puzzle) -> int:
    """Return the grade of a puzzle, from 1 (easy) to 5.

    >>> import connectoe
    >>> from connectoe.puzzles.puzzle import puzzle_from
    >>> game = connectoe.load("tic-tac-toe")
    >>> grade(puzzle_from(game, "win\\t5\\ttable\\ta1 b1\\ta3 a2 b2 c2 c3\\t-\\t-\\teasy 4/4\\tmedium 3/4"))
    3
    """
    return min(GRADES[-1], GRADES[0] + int(difficulty(puzzle)))


def failures(game: Game, state: State, solution: str, level: str, tries: int, seed: int = 0) -> Tries:
    """Return how often a level does not find the solution of a position."""
    failed = sum(
        player(level, game, seed=seed + number).choose(Match(game, start=state)) != solution for number in range(tries)
    )
    return Tries(failed, tries)


def measured(game: Game, state: State, solution: str, seed: int = 0) -> dict[str, Tries]:
    """Return how often each level fails to find the solution of a position."""
    return {level: failures(game, state, solution, level, tries, seed) for level, tries in TRIES.items()}


def tempting_move(game: Game, position: Any, solution: int) -> int | None:
    """Return the move that a look one ply ahead prefers to the solution; None if it finds the solution.

    The look passes over moves that let the opponent win at once, and then follows the game's `evaluate` or, in a game
    without it, some random games.
    """
    rules = game.rules
    moves = [int(move) for move in rules.legal_moves(position)]
    safe = [move for move in moves if not loses_at_once(rules, position, move)] or moves
    looks = {move: _look(game, position, move) for move in safe}
    best = max(looks.values())
    if looks.get(solution, -1e9) == best:
        return None
    return next(move for move in safe if looks[move] == best)


def _look(game: Game, position: Any, move: int) -> float:
    """Return how good a move looks to the player who makes it."""
    rules = game.rules
    mover = rules.player(position)
    after = rules.play(position, move)
    outcome = rules.outcome(after)
    if outcome != ONGOING:
        return 1e6 if outcome == mover else -1e6 if outcome == 1 - mover else 0.0
    if rules.evaluate:
        opinion = rules.evaluate(after)
        return float(opinion if mover == 0 else -opinion)
    from connectoe.engines.playouts import play_out

    shares = play_out(game, PLAYOUTS, position=after, threads=1).shares
    return shares[mover] - shares[1 - mover]
