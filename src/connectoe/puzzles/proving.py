"""Proving that a position has exactly one right move: by the game's table or exact solver, and by a search of the
rules."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from connectoe.analysis import exact_solver, small_table
from connectoe.core.game import Game, declares
from connectoe.core.looking import loses_at_once
from connectoe.core.rules import ONGOING
from connectoe.engines.engine import Analysis, Exact, Limits, NotSolved
from connectoe.engines.exact.lookup import Table
from connectoe.engines.proof_search import ProofSearch
from connectoe.puzzles.puzzle import MARGIN, Goal, Proof

FEWEST_PLIES = 2
"""A win in one is no puzzle."""


class OnlyMove(NamedTuple):
    """The only right move of a position, and what that rests on.

    >>> OnlyMove(3, "win", 5, "search").plies
    5
    """

    move: int
    goal: Goal
    plies: int
    proof: Proof


@lru_cache(maxsize=8)
def prover(game: Game) -> Prover:
    """Return the prover of a game, made once."""
    return Prover(game)


class Prover:
    """What is certain about the positions of one game.

    >>> import connectoe
    >>> state = connectoe.load("connect-four").start
    >>> for move in "d a c a".split():
    ...     state = state.play(move)
    >>> found = Prover(state.game).only_move(state.position)
    >>> state.game.move_text(found.move), found.plies, found.proof
    ('e', 3, 'search')
    """

    def __init__(self, game: Game) -> None:
        self.game = game
        self.making = game.puzzle_making
        self.search = ProofSearch(game)
        self.solver = exact_solver(game)
        self.table = None if self.solver else _table(game)

    def only_move(self, position: Any) -> OnlyMove | None:
        """Return the only move that wins an ongoing position, or that saves the draw, if that can be proven.

        A move that wins at once is no puzzle, and neither is the only one after which the opponent does not win at
        once.
        """
        rules = self.game.rules
        moves = [int(move) for move in rules.legal_moves(position)]
        if len(moves) < 2:
            return None
        try:
            found = self._only_win(position) or self._only_draw(position)
        except NotSolved:
            return None
        if found is None or all(loses_at_once(rules, position, move) for move in moves if move != found.move):
            return None
        return found

    def _only_win(self, position: Any) -> OnlyMove | None:
        nodes = self.making.nodes
        plies = self.search.shortest_win(position, self.making.longest, nodes)
        if plies is None or plies < FEWEST_PLIES:
            return None
        winning = self.search.winning_moves(position, plies, nodes)
        if len(winning) != 1:
            return None
        exact = self._exact(position)
        if exact:
            if [candidate.result for candidate in exact.candidates].count("win") != 1:
                return None
            return OnlyMove(winning[0], "win", plies, self.proof)
        if self.search.winning_moves(position, plies + MARGIN, nodes) != winning:
            return None
        return OnlyMove(winning[0], "win", plies, "search")

    def _only_draw(self, position: Any) -> OnlyMove | None:
        exact = self._exact(position)
        if exact is None or exact.result != "draw":
            return None
        drawing = [candidate for candidate in exact.candidates if candidate.result == "draw"]
        losing = [candidate.plies for candidate in exact.candidates if candidate.result == "loss"]
        longest = max((plies or 1 << 30 for plies in losing), default=0)
        if len(drawing) != 1 or len(losing) + 1 != len(exact.candidates) or longest > self.making.longest + 1:
            return None
        return OnlyMove(drawing[0].move, "draw", longest, self.proof)

    @property
    def proof(self) -> Proof:
        """What exact values come from."""
        return "table" if self.table else "solver" if self.solver else "search"

    def _exact(self, position: Any) -> Analysis | None:
        """Return the exact value of every move, or None if they are not known."""
        engine = self.table or self.solver
        try:
            return engine.search(position, Limits(nodes=self.making.nodes)) if engine else None
        except NotSolved:
            return None

    def value_of(self, position: Any, move: int) -> Exact | None:
        """Return what a move is worth to the player who makes it, where a table or a solver knows."""
        exact = self._exact(position)
        value = exact.values.get(move) if exact else None
        return value if isinstance(value, Exact) else None

    def line(self, position: Any, plies: int) -> list[int]:
        """Return a forced win in this many plies: the quickest win against the longest defence.

        Of defences that last equally long, the opponent chooses one that leaves the fewest winning answers.
        """
        rules = self.game.rules
        winner = rules.player(position)
        line = []
        while rules.outcome(position) == ONGOING:
            moves = [int(move) for move in rules.legal_moves(position)]
            if rules.player(position) == winner:
                wins = (move for move in moves if self.wins_after(position, move, winner, plies))
                move = next(wins)
            else:
                move = self.defence(position, plies)
            line.append(move)
            position = rules.play(position, move)
            plies -= 1
        return line

    def also_winning(self, position: Any, line: Sequence[int]) -> list[tuple[int, int]]:
        """Return the other moves that win as soon as those of a winning line, each with its place in the line."""
        rules = self.game.rules
        winner = rules.player(position)
        found = []
        for place, move in enumerate(line):
            if rules.player(position) == winner:
                winning = self.search.winning_moves(position, len(line) - place)
                found += [(place, other) for other in winning if other != move]
            position = rules.play(position, move)
        return found

    def wins_after(self, position: Any, move: int, player: int, plies: int) -> bool:
        """Whether this player forces a win within this many plies, counting this move of either player."""
        return self.search.wins_within(self.game.rules.play(position, move), player, plies - 1)

    def defence(self, position: Any, plies: int) -> int:
        """Return the move that delays a forced win of the opponent's within this many plies the longest."""
        rules = self.game.rules
        winner = 1 - rules.player(position)

        def resistance(move: int) -> tuple[int, int]:
            after = rules.play(position, move)
            if rules.outcome(after) != ONGOING:
                return 1, 0
            lasts = next(n for n in range(plies) if self.search.wins_within(after, winner, n))
            is_winner_next = rules.player(after) == winner
            return lasts + 1, -len(self.search.winning_moves(after, lasts)) if is_winner_next else 0

        return max((int(move) for move in rules.legal_moves(position)), key=resistance)


def _table(game: Game) -> Table | None:
    """Return the table of a solved game, which is made if that takes only seconds."""
    if declares(game, "has_perfect_play") and game.has_perfect_play():
        from connectoe.engines.exact.tables import load_table

        return load_table(game, make="affordable")
    return small_table(game)
