"""How much the levels look at in a game that does not say so itself."""

from __future__ import annotations

import random
from functools import lru_cache

from connectoe.core.game import Game
from connectoe.core.rules import ONGOING, Rules
from connectoe.core.strength import Levels

SAMPLE = 12
"""The random games that show how long a game lasts and how many moves it has."""
NANOSECONDS = 1_200_000_000
"""Roughly the time that `hard` may take for a move on one core."""
NANOSECONDS_A_SIMULATION = 150
NANOSECONDS_A_PLY = 12
NANOSECONDS_A_FIELD = 2
NANOSECONDS_A_MOVE = 2.5
"""The time that the compiled tree search takes for a simulation, for a ply of its random game, for each field of the
position that a ply makes, and for each legal move that it has to list; fitted to several games, and within a factor of
two in most.
"""
FEWEST, MOST = 2_000, 1_000_000
PER_MOVE = {"easy": 1, "medium": 2}
"""The simulations of a weak level for each legal move, at least, so that it has looked at all of them."""
MOST_TIMES = 4
"""But at most this many times what the level usually has."""


def levels_of(game: Game) -> Levels:
    """Return how much the levels of a game look at: what it declares, or as much as gives `hard` about a second.

    That is worked out from some random games, always the same ones, and not by a clock, so that a level plays alike
    everywhere.

    >>> import connectoe
    >>> levels_of(connectoe.load("tic-tac-toe"))[:3]
    (6, 30, 5000)
    """
    return game.levels() if type(game).levels is not Game.levels else _measured(game)


@lru_cache(maxsize=64)
def _measured(game: Game) -> Levels:
    rules, dice = game.rules, random.Random(0)
    plies = moves = 0
    for _ in range(SAMPLE):
        length, listed = _random_game(rules, dice, game.ply_limit)
        plies += length
        moves += 0 if rules.pick else listed
    a_ply = NANOSECONDS_A_PLY + NANOSECONDS_A_FIELD * len(rules.start)
    taken = NANOSECONDS_A_SIMULATION + (a_ply * plies + NANOSECONDS_A_MOVE * moves) / SAMPLE
    return Levels()._replace(hard=round(min(MOST, max(FEWEST, NANOSECONDS / taken))))


def _random_game(rules: Rules, dice: random.Random, longest: int) -> tuple[int, int]:
    """Return the plies of a random game, and the legal moves that it had in all."""
    position, plies, listed = rules.start, 0, 0
    while rules.outcome(position) == ONGOING and plies < longest:
        moves = list(rules.legal_moves(position))
        position = rules.play(position, dice.choice(moves))
        plies += 1
        listed += len(moves)
    return plies, listed


def simulations_for(level: str, usual: int, legal_moves: int) -> int:
    """Return the simulations of a level in a position with this many legal moves.

    >>> simulations_for("easy", 30, legal_moves=7), simulations_for("easy", 30, legal_moves=81)
    (30, 81)
    """
    return max(usual, min(PER_MOVE.get(level, 0) * legal_moves, MOST_TIMES * usual))
