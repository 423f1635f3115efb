"""Connect Four, exactly: the score of every position, on any board.

**The score** of a position is seen from the player to move. A win is worth 1, and 1 more for every disc that the winner
still had to drop when the line was made; a loss is worth as much below zero; a draw is 0. On 7x6 cells each player has
21 discs, so a win with the fourth of them is worth 18 and a win with the very last 1. A higher score means a quicker
win: best play wins as soon as the opponent allows, or loses as late as possible. With `left` empty cells before a move,

    a win by this move is worth (left + 1) // 2, and a loss to the opponent's next move -(left // 2).

The search itself is in `connect_four_search.py`.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from threading import Event, Lock
from typing import Any, ClassVar

import numpy as np

from connectoe.core.catalogue import load
from connectoe.core.errors import BadOption, BadPosition, ConnectoeError
from connectoe.core.game import Game
from connectoe.core.rules import DRAWN, ONGOING
from connectoe.core.state import State
from connectoe.core.wide import FITTING, TWO_WORDS, sized, words_for
from connectoe.engines.engine import Analysis, Candidate, Exact, Limits, NotSolved, Result, best_first
from connectoe.engines.exact.connect_four_search import (
    FIELDS_OF_MOVES,
    FIRST_OF_MOVES,
    SMALL_TABLE_BITS,
    bits_of_bounds,
    make_solver,
)
from connectoe.engines.exact.falling_discs import GAME_OVER, NO_POSITION, UNDECIDED, Words

SLICE = 2_000_000
"""Nodes to search, for about a fifth of a second, before Python is asked whether to go on."""
NODES_A_SECOND = 15_000_000
"""What is searched in a second on a board of one word."""
COST_OF_WIDE_NODES = 4
"""How many times as long a node takes on a board of two words, which has more columns too."""


class ExactConnectFour:
    """Exact scores, values and best moves in connect-four on any board; the module says what a score is.

    What was found out is kept, in a table of about `table_megabytes`, for the questions that follow. `nodes` counts the
    positions entered so far. `report`, if given, is called with that count several times a second in a long search, and
    ends it by raising an exception. Threads may share a solver; on
    boards of more than 62 bits they take turns.

    Questions are asked about a position, or a state, in which the game is not over. They may be given a limit of nodes,
    and raise NotSolved if it does not suffice.

    >>> import connectoe
    >>> state = connectoe.load("connect-four").start
    >>> for move in "bddcgbfaafbgeeef":
    ...     state = state.play(move)
    >>> solver = ExactConnectFour(state.game)
    >>> solver.score(state), str(solver.value(state)), [state.game.move_text(move) for move in solver.best_moves(state)]
    (2, 'win in 23', ['e'])
    """

    limited_by: ClassVar[tuple[str, ...]] = ("nodes", "seconds", "stop")
    is_deterministic: ClassVar[bool] = True
    most_bits: ClassVar[int] = TWO_WORDS
    """The bits of the largest boards: columns times (rows + 1)."""
    least_bits: ClassVar[int] = 0
    """The bits that ints have at least: with more than 62, small boards are searched as wide ones are."""

    def __init__(self, game: Game, table_megabytes: int = 64, report: Callable[[int], None] | None = None) -> None:
        if not self.can_solve(game):
            raise ConnectoeError(f"this solver is not for {game!r}")
        cols, rows, connect = (int(game.options[name]) for name in ("cols", "rows", "connect"))
        if cols * (rows + 1) > self.most_bits:
            raise BadOption(
                f"a board of {cols}x{rows} is too large to be solved: "
                f"columns times (rows + 1) is at most {self.most_bits}"
            )
        if table_megabytes < 1:
            raise ConnectoeError(f"a table has at least 1 megabyte, not {table_megabytes}")
        self.game = game
        self.report = report
        self.nodes = 0
        self._cells = cols * rows
        self._bits = max(cols * (rows + 1), self.least_bits)
        self._is_wide = self._bits > FITTING
        cost_of_a_node = COST_OF_WIDE_NODES if self._is_wide else 1
        self.nodes_a_second = NODES_A_SECOND // cost_of_a_node
        self._slice = SLICE // cost_of_a_node
        self._prepare(cols, rows, connect, (table_megabytes << 20).bit_length() - 1)
        self._frames_at_hand: list[Words] = []

    @staticmethod
    def can_solve(game: Game) -> bool:
        """Whether a game is played as Connect Four: it is, or it is C4 with a Twist without its bombs."""
        return game.id == "connect-four" or (game.id == "c4-twist" and game.options["bombs"] == 0)

    @property
    def has_book(self) -> bool:
        """Whether it answers within seconds wherever a player who asks it before every move can get to."""
        return False

    def score(self, position: Any, node_limit: int | None = None) -> int:
        """Return the score for the player to move."""
        if isinstance(position, State):
            position = self._position(position)
        allowance = UNLIMITED if node_limit is None else Allowance(node_limit)
        return self._score_within(position, -self._highest, self._highest, allowance)

    def scores(self, position: Any, node_limit: int | None = None, stop: Event | None = None) -> dict[int, int]:
        """Return the score after each legal move, for the player who makes it; NotSolved if it is stopped before."""
        position = self._position(position)
        return self._scores(position, Allowance(node_limit, stop))

    def _scores(self, position: Any, allowance: Allowance) -> dict[int, int]:
        moves = self._legal_moves(position)
        scores = {move: self._score_after(position, move, allowance) for move in self._in_order(moves)}
        return {move: scores[move] for move in moves}

    def known_values(self, position: Any, limits: Limits) -> Iterator[dict[int, Exact]]:
        """Yield the values of the moves that are known so far, again and again, until all are or a limit is reached.

        At first they tell who wins, for one move after the other, and then how soon.
        """
        position = self._position(position)
        moves = self._in_order(self._legal_moves(position))
        allowance = Allowance(limits.nodes, limits.stop, limits.seconds)
        values: dict[int, Exact] = {}
        try:
            for move in moves:
                values[move] = Exact(self._result_after(position, move, allowance))
                yield dict(values)
            for move in moves:
                if values[move].result != "draw":
                    score = self._score_after(position, move, allowance)
                    values[move] = self._value_of(score, position)
                    yield dict(values)
        except NotSolved:
            return

    def best_moves(self, position: Any, node_limit: int | None = None) -> list[int]:
        """Return the moves with the highest score; found sooner than all scores."""
        position = self._position(position)
        allowance = Allowance(node_limit)
        best = self._score_within(position, -self._highest, self._highest, allowance)
        alpha = self._alpha_after(best - 1)
        moves = []
        for move in self._legal_moves(position):
            after = self.game.rules.play(position, move)
            score = self._score_of_the_end(after)
            if self._score_within(after, alpha, alpha + 1, allowance) <= alpha if score is None else score == best:
                moves.append(move)
        return moves

    def best_move(self, position: Any, node_limit: int | None = None) -> int:
        """Return one of the moves with the highest score."""
        return self.best_moves(position, node_limit)[0]

    def book_move(self, position: Any) -> Candidate | None:
        """Return a best move from the opening book; None where there is no book or it does not hold the position."""
        return None

    def safe_moves(self, position: Any, node_limit: int | None = None) -> list[int]:
        """Return the moves that keep the result: those that win if any does, else those that draw, else all.

        That takes a fraction of the nodes that the best moves take: how soon the game ends need not be known. If the
        nodes suffice only for some of these moves, those are returned.
        """
        position = self._position(position)
        allowance = Allowance(node_limit)
        moves = self._legal_moves(position)
        worth = self._score_within(position, -1, 1, allowance)
        if worth < 0:
            return moves
        alpha = self._alpha_after(0 if worth > 0 else -1)
        safe = []
        try:
            for move in self._in_order(moves):
                after = self.game.rules.play(position, move)
                score = self._score_of_the_end(after)
                if self._score_within(after, alpha, alpha + 1, allowance) <= alpha if score is None else score >= worth:
                    safe.append(move)
        except NotSolved:
            if not safe:
                raise
        return [move for move in moves if move in safe]

    def result(self, position: Any, node_limit: int | None = None) -> Result:
        """Return whether the player to move wins, draws or loses; found sooner than the score."""
        return _result_of(self._score_within(self._position(position), -1, 1, Allowance(node_limit)))

    def value(self, position: Any, node_limit: int | None = None) -> Exact:
        """Whether the player to move wins, and in how many moves of both players together if both play their best."""
        position = self._position(position)
        return self._value_of(self.score(position, node_limit), position)

    def search(self, position: Any, limits: Limits) -> Analysis:
        """Return the exact value of every legal move; NotSolved if the limits do not suffice."""
        position = self._position(position)
        node_limit = None if limits.nodes is None else max(1, limits.nodes)
        scores = self._scores(position, Allowance(node_limit, limits.stop, limits.seconds))
        return best_first(Candidate(move, self._value_of(score, position)) for move, score in scores.items())

    def forget(self) -> None:
        """Empty the table and set `nodes` to 0, so that the next question takes as long as the first."""
        self._table.fill(0)
        self.nodes = 0

    def _position(self, position: Any) -> Any:
        if not isinstance(position, State):
            return position
        if position.game != self.game:
            raise ConnectoeError(f"this solver is for {self.game!r}, the position is one of {position.game!r}")
        return position.position

    def _in_order(self, moves: list[int]) -> list[int]:
        """Return moves in the order in which they are worth trying: from the middle outwards."""
        cols = int(self.game.options["cols"])
        return sorted(moves, key=lambda move: (abs(2 * (move % cols) - (cols - 1)), move))

    def _legal_moves(self, position: Any) -> list[int]:
        self._refuse_if_over(position)
        return [int(move) for move in self.game.rules.legal_moves(position)]

    def _refuse_if_over(self, position: Any) -> None:
        if self.game.rules.outcome(position) != ONGOING:
            raise BadPosition(f"the game is over: {State(self.game, position).status}")

    def _score_of_the_end(self, position: Any) -> int | None:
        """Return the score of a finished position for the player who made the last move; None if the game goes on."""
        outcome = self.game.rules.outcome(position)
        if outcome == ONGOING:
            return None
        return 0 if outcome == DRAWN else self._score_of_winning(self._left(position) + 1)

    def _score_after(self, position: Any, move: int, allowance: Allowance) -> int:
        """Return the score after a move for the player who makes it."""
        after = self.game.rules.play(position, move)
        score = self._score_of_the_end(after)
        if score is not None:
            return score
        low = self._least_after(position, self._highest)
        return self._before(self._score_within(after, low, self._highest, allowance))

    def _result_after(self, position: Any, move: int, allowance: Allowance) -> Result:
        """Return the result of a move for the player who makes it; how soon it comes is left open."""
        after = self.game.rules.play(position, move)
        score = self._score_of_the_end(after)
        if score is None:
            score = -self._score_within(after, self._least_after(position, 1), 1, allowance)
        return _result_of(score)

    def _least_after(self, position: Any, highest: int) -> int:
        """Return what a position after a move is worth at least, within `highest` of 0: no move is worth more than the
        position before it."""
        known = self._known_score(position)
        return -highest if known is None else min(max(-known, -highest), highest)

    def _known_score(self, position: Any) -> int | None:
        """Return the score for the player to move, if it is known without a search."""
        return None

    def _score_within(self, position: Any, low: int, high: int, allowance: Allowance) -> int:
        """Return the score for the player to move, as far as it lies between low and high."""
        # Late in a game a search takes less time than calling it, so that nothing is made here that can be kept.
        try:
            frames = self._frames_at_hand.pop()
        except IndexError:  # the first search, or other threads are searching
            frames = np.empty(self._frames_shape, np.int64)
        goes_on = False
        while True:
            limit = allowance.left if allowance.left < self._slice else self._slice
            score, nodes = self._search(position, low, high, frames, limit, goes_on)
            allowance.left -= nodes
            self.nodes += nodes
            if score > UNDECIDED:
                self._frames_at_hand.append(frames)
                return score
            if score == GAME_OVER:
                self._refuse_if_over(position)
            if score == NO_POSITION:
                raise BadPosition(f"these discs cannot lie on the board of {self.game!r} with a player to move")
            if allowance.left == 0:
                raise NotSolved(f"{allowance.nodes:,} nodes do not suffice to solve this position")
            if allowance.is_over:
                raise NotSolved("the search was stopped before the position was solved")
            if self.report:
                self.report(self.nodes)
            goes_on = True

    def _left(self, position: Any) -> int:
        """Return the number of empty cells."""
        return self._cells - (int(position[0]) | int(position[1])).bit_count()

    # What depends on how the search counts and remembers.

    def _prepare(self, cols: int, rows: int, connect: int, table_bits: int) -> None:
        """Make the table, of 2**table_bits bytes, and the search."""
        hash_bits = cols * (rows + 1)
        words = words_for(self._bits)
        # Bits of the hash that an entry's place says: all, or at least those for which the entry has no room.
        place_bits = table_bits - (8 * words).bit_length() + 1
        place_bits = min(max(place_bits, hash_bits + bits_of_bounds(self._bits) - (64 * words - 1)), hash_bits)
        self._large_tag_bits = hash_bits - place_bits
        self._table = np.zeros(words * ((1 << min(SMALL_TABLE_BITS, hash_bits)) + (1 << place_bits)), np.int64)
        self._frames_shape = (self._cells + 2, words * (FIRST_OF_MOVES + FIELDS_OF_MOVES * cols))
        self._taking_turns = Lock()
        self._highest = self._cells
        self._solve = make_solver(cols, rows, connect, self._bits)

    def _search(self, position: Any, low: int, high: int, frames: Words, limit: int, goes_on: bool) -> tuple[int, int]:
        own, other = position[0], position[1]
        if not self._is_wide:
            return self._solve(own, other, low, high, self._table, self._large_tag_bits, frames, limit, goes_on)
        own, other = sized(own, self._bits), sized(other, self._bits)
        with self._taking_turns:  # an entry of two words cannot be read and written at once
            return self._solve(own, other, low, high, self._table, self._large_tag_bits, frames, limit, goes_on)

    def _score_of_winning(self, left: int) -> int:
        """Return the score of winning by a move made with this many cells empty."""
        return (left + 1) // 2

    def _before(self, score: int) -> int:
        """Return the score before a move for the player who makes it, from the opponent's score after it."""
        return -score

    def _alpha_after(self, alpha: int) -> int:
        """Return what the opponent's score after a move must not exceed for the score before it to be above alpha."""
        return -alpha - 1

    def _value_of(self, score: int, position: Any) -> Exact:
        """Return what a score for the player to move means."""
        if score == 0:
            return Exact("draw")
        # The winner drops the last disc with 2 * score empty cells, or one less: whose turn it is tells which.
        left = self._left(position)
        left_to_winner = left if score > 0 else left - 1
        left_at_the_end = 2 * abs(score) - left_to_winner % 2
        return Exact("win" if score > 0 else "loss", left - left_at_the_end + 1)


def _result_of(score: int) -> Result:
    return "win" if score > 0 else "loss" if score < 0 else "draw"


def solver_for(
    *, cols: int | None, rows: int | None, connect: int | None, report: Callable[[int], None] | None = None
) -> ExactConnectFour:
    """Return the solver of Connect Four with these options, or the usual ones where they are None."""
    chosen = {"cols": cols, "rows": rows, "connect": connect}
    game = load("connect-four", **{name: value for name, value in chosen.items() if value is not None})
    return ExactConnectFour(game, report=report)


class Allowance:
    """The nodes that a question may take, how many of them are left, and what stops it before.

    >>> Allowance(1000).left
    1000
    """

    __slots__ = ("deadline", "left", "nodes", "stop")

    def __init__(self, nodes: int | None, stop: Event | None = None, seconds: float | None = None) -> None:
        self.left = self.nodes = 1 << 62 if nodes is None else max(nodes, 0)
        self.stop = stop
        self.deadline = None if seconds is None else time.perf_counter() + seconds

    @property
    def is_over(self) -> bool:
        """Whether the time is over, or somebody has stopped the search."""
        is_late = self.deadline is not None and time.perf_counter() >= self.deadline
        return is_late or (self.stop is not None and self.stop.is_set())


UNLIMITED = Allowance(None)
"""More nodes than any number of questions can use up."""
