"""Many games at once, compiled, for training by self-play.

All games of a batch take a step together. A game that ends is replaced by a new one at once, so that every game always
waits for a move; `finished` and `rewards` say what happened in the step.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import lru_cache
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
from numba.typed import List
from numpy.typing import ArrayLike, NDArray

from connectoe.core.errors import ConnectoeError, IllegalMove
from connectoe.core.game import Game
from connectoe.core.rules import DRAWN, ONGOING, Rules, rule
from connectoe.core.state import State
from connectoe.core.swapping import NO_SWAP, SWAP_MOVE
from connectoe.engines.compiling import compiled
from connectoe.engines.playouts import below, next_random, overwriting_rules, random_move_rule, stream_of
from connectoe.engines.repetition import repetition_rule
from connectoe.engines.rows import row_rules
from connectoe.envs.actions import action_count, has_swap
from connectoe.envs.observing import observing_rule, planes_of

GAMES_PER_THREAD = 256
"""The fewest games that are worth a thread."""

OPEN, MOVED, SWAPPED = 0, 1, 2
"""Whether the second player still has the choice to swap, has moved instead, or has swapped."""


class Now(NamedTuple):
    """The state of the games of a batch, one entry per game.

    These are the batch's own arrays, which the next step overwrites. Copy what you want to keep.

    >>> import connectoe
    >>> now = Batch(connectoe.load("tic-tac-toe"), games=2).now
    >>> now.movers.tolist(), now.plies.tolist()
    ([0, 0], [0, 0])
    """

    observations: NDArray[np.int8]
    """What the player to move sees: shape (games, planes, rows, columns)."""
    masks: NDArray[np.int8]
    """1 for a legal move: shape (games, moves); by the pie rule the last one swaps sides."""
    movers: NDArray[np.int8]
    """The agent to move; agents and sides are the same, except after a swap (see `actions`)."""
    rewards: NDArray[np.float32]
    """1 for an agent that has just won, -1 for one that has lost, else 0: shape (games, 2)."""
    finished: NDArray[np.bool_]
    """Whether a game has just ended; the other arrays then describe the start of the next one."""
    truncated: NDArray[np.bool_]
    """Whether it ended at the ply limit."""
    plies: NDArray[np.int32]
    """Moves played so far in the current game."""


class Batch:
    """A number of games of one kind, played together.

    >>> import connectoe
    >>> batch = Batch(connectoe.load("connect-four"), games=64, seed=1)
    >>> batch.now.observations.shape, batch.now.masks.shape
    ((64, 2, 6, 7), (64, 7))
    >>> for _ in range(100):
    ...     now = batch.step(batch.random_moves())
    >>> bool((now.masks.sum(axis=1) > 0).all())
    True
    """

    def __init__(self, game: Game, games: int, seed: int = 0, threads: int = 1) -> None:
        """The games are divided among `threads`; 0 means one thread per core. Random moves depend on the seed, not on
        the number of threads."""
        if games < 1:
            raise ConnectoeError(f"a batch has at least 1 game, not {games}")
        if threads < 0:
            raise ConnectoeError(f"the number of threads is at least 0, not {threads}")
        if game.can_repeat and game.rules.has_arrays:
            raise ConnectoeError(f"positions of {game.id} hold arrays and can repeat: a batch does not support that")
        self.game = game
        self.planes = planes_of(game)
        moves = action_count(game)
        self.now = Now(
            np.zeros((games, *self.planes.shape), np.int8),
            np.zeros((games, moves), np.int8),
            np.zeros(games, np.int8),
            np.zeros((games, 2), np.float32),
            np.zeros(games, np.bool_),
            np.zeros(games, np.bool_),
            np.zeros(games, np.int32),
        )
        threads = min(threads or os.cpu_count() or 1, -(-games // GAMES_PER_THREAD))
        self._parts = list(pairwise(games * part // threads for part in range(threads + 1)))
        self._pool = ThreadPoolExecutor(threads) if threads > 1 else None
        self._engine = _engine(game)
        # Only games in which positions can repeat need a history.
        length, ints = (game.ply_limit + 1, row_rules(game.rules.start).length) if game.can_repeat else (1, 1)
        self._history = np.zeros((games, length, ints), np.int64)
        self._random = np.zeros(games, np.uint64)
        self._swaps = np.zeros(games, np.int8)
        self._positions = self._engine.begin(game.rules.start, games)
        self.reset(seed)

    def __len__(self) -> int:
        return len(self.now.movers)

    def reset(self, seed: int | None = None) -> Now:
        """Begin all games again and return their state; a seed also restarts the random moves."""
        if seed is not None:
            with np.errstate(over="ignore"):
                self._random[:] = stream_of(int(seed) % (1 << 64), np.arange(len(self), dtype=np.uint64))
        self._advance(self._engine.restart)
        return self.now

    def step(self, moves: ArrayLike) -> Now:
        """Play a move in every game and return the new state; raise IllegalMove, and play none, if one is illegal."""
        chosen = np.asarray(moves)
        if chosen.shape != (len(self),) or chosen.dtype.kind not in "iu":
            raise ConnectoeError(
                f"a step of {len(self)} games takes {len(self)} ints, not {chosen.dtype} of shape {chosen.shape}"
            )
        chosen = chosen.astype(np.int64, copy=False)
        self._check(chosen)
        self._advance(self._engine.step, chosen, self.game.ply_limit)
        return self.now

    def random_moves(self) -> NDArray[np.int64]:
        """Return a random legal move for every game."""
        moves = np.empty(len(self), np.int64)
        self._each_part(self._engine.choose, self._positions, self._swaps, self._random, moves)
        return moves

    def position(self, number: int) -> Any:
        """Return the position of one of the games."""
        if not 0 <= number < len(self):
            raise ConnectoeError(f"the games are 0..{len(self) - 1}, not {number}")
        return self._engine.position(self._positions, number)

    def _check(self, moves: NDArray[np.int64]) -> None:
        out_of_range = (moves < 0) | (moves >= self.now.masks.shape[1])
        is_illegal = self.now.masks[np.arange(len(self)), np.where(out_of_range, 0, moves)] == 0
        wrong = np.flatnonzero(out_of_range | is_illegal)
        if wrong.size:
            first = int(wrong[0])
            move = int(moves[first])
            try:
                if has_swap(self.game) and move == len(self.game.move_texts):
                    raise IllegalMove(f"{SWAP_MOVE!r} is not legal: {NO_SWAP}")
                State(self.game, self.position(first)).play(move)
            except IllegalMove as error:
                raise IllegalMove(f"in game {first}: {error}") from None

    def _advance(self, engine: Callable[..., None], *arguments: Any) -> None:
        """Restart or step all games, then observe them."""
        now = self.now
        results = now.rewards, now.finished, now.truncated, now.plies
        kept = self._positions, self._history, self._swaps
        self._each_part(engine, self.game.rules.start, *kept, *results, *arguments)
        self._each_part(self._engine.observe, self._positions, self._swaps, now.observations, now.masks, now.movers)

    def _each_part(self, engine: Callable[..., None], *arguments: Any) -> None:
        if self._pool is None:
            engine(0, len(self), *arguments)
            return
        parts = [self._pool.submit(engine, first, last, *arguments) for first, last in self._parts]
        for part in parts:  # `concurrent.futures.wait` would leave them locked at Ctrl-C
            part.result()


class BatchEngine(NamedTuple):
    """The compiled functions behind a batch; those that take `first` and `last` work on the games from `first` up to,
    not including, `last`."""

    begin: Callable[..., Any]
    restart: Callable[..., None]
    step: Callable[..., None]
    observe: Callable[..., None]
    choose: Callable[..., None]
    position: Callable[..., Any]


def storing_rules(rules: Rules) -> tuple[Callable[..., Any], Callable[..., Any], Callable[..., None]]:
    """Return the rules for storing the positions of many games: they allocate room, read a position and write one.

    Positions of ints are rows of an array: reading a tuple from one of Numba's lists takes longer than a move.
    """
    if not rules.has_arrays:
        length, write, read = row_rules(rules.start)

        @rule
        def room_in_rows(start: Any, games: int) -> Any:
            return np.zeros((games, length), np.int64)

        @rule
        def read_row(stored: Any, game: int) -> Any:
            return read(stored[game])

        @rule
        def write_row(stored: Any, game: int, position: Any) -> None:
            write(position, stored[game])

        return room_in_rows, read_row, write_row

    @rule
    def room_in_list(start: Any, games: int) -> Any:
        stored = List()
        for _ in range(games):
            stored.append(start)
        return stored

    @rule
    def read_item(stored: Any, game: int) -> Any:
        return stored[game]

    @rule
    def write_item(stored: Any, game: int, position: Any) -> None:
        stored[game] = position

    return room_in_list, read_item, write_item


@lru_cache(maxsize=64)
def _engine(game: Game) -> BatchEngine:
    """Return the compiled functions for batches of this game."""
    rules, move_count, by_pie_rule = game.rules, len(game.move_texts), has_swap(game)
    legal_moves, outcome, player = rules.legal_moves, rules.outcome, rules.player
    room_for, stored, store = storing_rules(rules)
    copied, play_over = overwriting_rules(rules)
    observe_position, random_move, is_third = observing_rule(game), random_move_rule(rules), repetition_rule(game)

    def begin(start: Any, games: int) -> Any:
        return room_for(start, games)

    def position_of(positions: Any, game: int) -> Any:
        return copied(stored(positions, game))

    @rule
    def may_swap(position: Any, swap: int) -> bool:
        return by_pie_rule and swap == OPEN and player(position) == 1

    @rule
    def swap_at_start(start: Any) -> int:
        return OPEN if player(start) == 0 else MOVED

    def choose(first: int, last: int, positions: Any, swaps: Any, states: Any, chosen: Any) -> None:
        moves = np.empty(move_count, np.int64)
        for game in range(first, last):
            position = stored(positions, game)
            states[game] = next_random(states[game])
            chosen[game] = random_move(position, states[game], moves)
            if may_swap(position, swaps[game]):
                count = 1
                for _ in legal_moves(position):
                    count += 1
                states[game] = next_random(states[game])
                if below(states[game], count) == 0:
                    chosen[game] = move_count

    def restart(
        first: int, last: int, start: Any, positions: Any, history: Any, swaps: Any, rewards: Any, finished: Any,
        truncated: Any, plies: Any,
    ) -> None:  # fmt: skip
        for game in range(first, last):
            position = copied(start)
            store(positions, game, position)
            is_third(history[game], 0, position)
            swaps[game] = swap_at_start(start)
            rewards[game] = 0
            finished[game] = truncated[game] = False
            plies[game] = 0

    def step(
        first: int, last: int, start: Any, positions: Any, history: Any, swaps: Any, rewards: Any, finished: Any,
        truncated: Any, plies: Any, moves: Any, ply_limit: int,
    ) -> None:  # fmt: skip
        for game in range(first, last):
            position = stored(positions, game)
            is_swap = by_pie_rule and moves[game] == move_count
            if by_pie_rule and swaps[game] == OPEN and player(position) == 1:
                swaps[game] = SWAPPED if is_swap else MOVED
            is_swapped = by_pie_rule and swaps[game] == SWAPPED
            is_repeated = False
            if not is_swap:
                position = play_over(position, moves[game])
                is_repeated = is_third(history[game], plies[game] + (0 if is_swapped else 1), position)
            plies[game] += 1
            result = outcome(position)
            is_too_long = result == ONGOING and not is_repeated and plies[game] >= ply_limit
            finished[game] = result != ONGOING or is_repeated or is_too_long
            truncated[game] = is_too_long
            rewards[game] = 0
            if result != ONGOING and result != DRAWN:
                winner = 1 - result if is_swapped else result
                rewards[game, winner] = 1
                rewards[game, 1 - winner] = -1
            if finished[game]:
                position = copied(start)
                is_third(history[game], 0, position)
                swaps[game] = swap_at_start(start)
                plies[game] = 0
            store(positions, game, position)

    # Not part of `step` and `restart`, so that it is compiled only once.
    def observe(
        first: int, last: int, positions: Any, swaps: Any, observations: Any, masks: Any, movers: Any
    ) -> None:  # fmt: skip
        for game in range(first, last):
            position = stored(positions, game)
            mover = player(position)
            movers[game] = 1 - mover if by_pie_rule and swaps[game] == SWAPPED else mover
            observations[game] = 0
            observe_position(position, mover, observations[game])
            masks[game] = 0
            for move in legal_moves(position):
                masks[game, move] = 1
            if may_swap(position, swaps[game]):
                masks[game, move_count] = 1

    return BatchEngine(*(compiled(function) for function in (begin, restart, step, observe, choose, position_of)))
