"""How engines play a game: what a game declares so that levels are well spaced and searches well tuned."""

from __future__ import annotations

from typing import NamedTuple


class Levels(NamedTuple):
    """How much each level of a game searches before a move.

    >>> Levels(easy=6, medium=30, hard=5_000).hard_nodes
    0
    """

    easy: int = 30
    """Simulations of the tree search for a move; each level should clearly beat the one before."""
    medium: int = 600
    hard: int = 20_000
    """Simulations for `hard`, which should take under two seconds on one core."""
    hard_nodes: int = 0
    """Nodes for `hard` where alpha-beta beats the tree search at equal time; 0 for the tree search."""
    solver_nodes: int = 0
    """Nodes that `hard` first allows the game's exact solver; 0 for none."""
    people: tuple[float, ...] = ()
    """The skills of the nine people below the strongest, at even steps of Elo as `connectoe ladder` measures them; the
    usual skills if there are none."""


class KnownResult(NamedTuple):
    """What best play from the start leads to, in a solved game.

    >>> KnownResult(winner=1, plies=26).plies
    26
    """

    winner: int | None
    """The player who wins; None for a draw."""
    plies: int | None = None
    """The plies to the end if the winner hurries and the loser resists."""


class PuzzleMaking(NamedTuple):
    """How the search for puzzles of a game goes.

    >>> PuzzleMaking(longest=9).opening
    4
    """

    longest: int = 7
    """The plies of the longest win that is searched for; a proof must take only a few hundredths of a second."""
    nodes: int = 200_000
    """What each question of a proof may look at: a search of the rules, or the game's exact solver."""
    opening: int = 4
    """The most random moves at the start of a game that positions are taken from."""


class Tuning(NamedTuple):
    """Settings of the tree search, the best found in matches; docs/results/tuning.md has the measurements.

    >>> Tuning(exploration=0.45).prior
    0
    """

    exploration: float = 0.7
    sees_wins: bool = False
    """Whether simulated games play a winning move wherever there is one."""
    prior: int = 0
    """How many visits the game's own evaluation counts for in a new node."""
    trust: float = 0.0
    """The share of a simulation's result that is the evaluation's instead."""
    unit: float = 50
    """The evaluation that stands for 73% of the points."""
