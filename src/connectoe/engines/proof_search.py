"""Proof search: whether the player to move can force a win within a number of plies, and by which moves.

It is alpha-beta without opinions: the game's `evaluate` is never asked, so a search only tells forced wins from
everything else. A search that ends within its nodes is a proof, both that a win is forced and that none is, because no
cut-off is a guess. A position that repeats changes nothing: the shortest forced win passes no position twice.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any

import numpy as np

from connectoe.core.errors import ConnectoeError
from connectoe.core.game import Game
from connectoe.core.rules import ONGOING
from connectoe.engines.alpha_beta import supports
from connectoe.engines.alpha_beta_search import DEEPEST, NO_MOVE, NODES, STOPPED, WIN, make_search, new_memory
from connectoe.engines.engine import NotSolved, refuse_if_over


@lru_cache(maxsize=64)
def _search_engine(game: Game) -> Callable[..., int]:
    return make_search(game.rules._replace(evaluate=None), len(game.move_texts))


class ProofSearch:
    """Forced wins of one game. What it finds out is kept for the questions that follow.

    >>> import connectoe
    >>> state = connectoe.load("connect-four").start
    >>> for move in "d a c a".split():
    ...     state = state.play(move)
    >>> search = ProofSearch(state.game, table_megabytes=1)
    >>> search.shortest_win(state.position, most=5)
    3
    >>> [state.game.move_text(move) for move in search.winning_moves(state.position, plies=3)]
    ['e']
    """

    def __init__(self, game: Game, table_megabytes: float = 16) -> None:
        if not supports(game):
            raise ConnectoeError(f"{game.id} cannot be searched for proofs: its positions are not made of ints alone")
        self.game = game
        self.nodes = 0
        """The moves that were tried for all questions so far."""
        self._memory = new_memory(table_megabytes, len(game.move_texts))
        self._stop = np.zeros(1, np.int64)
        self._report = np.zeros(4, np.int64)
        self._number = 0

    def forget(self) -> None:
        """Forget everything, so that the next question takes as long as the first."""
        self._memory.table[:] = 0
        self.nodes = self._number = 0

    def wins_within(self, position: Any, player: int, plies: int, nodes: int | None = None) -> bool:
        """Whether this player can force a win within this many plies, with either to move; NotSolved if it takes more
        nodes."""
        rules = self.game.rules
        outcome = rules.outcome(position)
        if outcome != ONGOING or plies < 1:
            return bool(outcome == player)
        # Scores are those of the player to move. A null window asks one question: is the win this short? If it asked
        # only for a win, a longer one could be the answer, which the table knows from an earlier question.
        is_mover = rules.player(position) == player
        low = WIN - plies - 1 if is_mover else plies - WIN
        for depth in range(2 - plies % 2, min(plies, DEEPEST) + 1, 2):  # shallow searches order the moves of deep ones
            if (self._search(position, depth, low, nodes) > low) == is_mover:
                return True
        return False

    def shortest_win(self, position: Any, most: int, nodes: int | None = None) -> int | None:
        """Return in how many plies the player to move can force a win; None if it takes more than `most`."""
        refuse_if_over(self.game, position)
        player = self.game.rules.player(position)
        return next((plies for plies in range(1, most + 1) if self.wins_within(position, player, plies, nodes)), None)

    def winning_moves(self, position: Any, plies: int, nodes: int | None = None) -> list[int]:
        """Return the moves that force a win within this many plies, counting the move itself."""
        refuse_if_over(self.game, position)
        rules = self.game.rules
        player = rules.player(position)
        return [
            int(move)
            for move in rules.legal_moves(position)
            if self.wins_within(rules.play(position, move), player, plies - 1, nodes)
        ]

    def _search(self, position: Any, depth: int, low: int, nodes: int | None) -> int:
        self._number = self._number % 255 + 1
        self._memory.killers[:] = NO_MOVE
        budget = 1 << 62 if nodes is None else nodes
        search = _search_engine(self.game)
        report = self._report
        score = search(position, depth, low, low + 1, budget, self._number, self._memory, self._stop, report)
        self.nodes += int(report[NODES])
        if report[STOPPED]:
            raise NotSolved(f"{budget:,} nodes do not suffice to search {depth} plies deep")
        return int(score)
