"""Many games at once, compiled: what training by self-play wants.

All games of a batch take a step together. One that ends begins anew at once, so that every game always waits for a
move; `finished` and `rewards` tell what happened in the step.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import lru_cache
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
from numba.np.unsafe.ndarray import to_fixed_tuple
from numba.typed import List
from numpy.typing import ArrayLike, NDArray

from connectoe.engines.compiling import compiled
from connectoe.engines.playouts import next_random, overwriting_rules, random_move_rule, stream_of
from connectoe.engines.repetition import repetition_rule
from connectoe.envs.observing import observing_rule, planes_of
from connectoe.errors import ConnectoeError, IllegalMove
from connectoe.game import DRAWN, ONGOING, Game, rule
from connectoe.state import State

FEWEST_A_THREAD = 256
"""Games that are worth a thread."""


class Now(NamedTuple):
    """Where the games of a batch stand, one entry a game.

    These are the batch's own arrays: the next step writes over them. Copy what is to be kept.

    >>> import connectoe
    >>> now = Batch(connectoe.load("tic-tac-toe"), games=2).now
    >>> now.movers.tolist(), now.plies.tolist()
    ([0, 0], [0, 0])
    """

    observations: NDArray[np.int8]
    """What the player to move sees: shape (games, planes, rows, columns)."""
    masks: NDArray[np.int8]
    """1 for a legal move: shape (games, moves)."""
    movers: NDArray[np.int8]
    """The player to move."""
    rewards: NDArray[np.float32]
    """1 for a player who has just won, -1 for one who has lost, else 0: shape (games, 2)."""
    finished: NDArray[np.bool_]
    """Whether a game has just ended; what stands here is then the start of the next one."""
    truncated: NDArray[np.bool_]
    """Whether it ended because it had become too long."""
    plies: NDArray[np.int32]
    """Moves played in the game that is going on."""


class Batch:
    """So many games of one kind, played together.

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
        """`threads` share the games among them; 0 takes a thread for every core. What happens depends on the seed, not
        on the threads."""
        if games < 1:
            raise ConnectoeError(f"a batch has at least 1 game, not {games}")
        if threads < 0:
            raise ConnectoeError(f"the number of threads is at least 0, not {threads}")
        if game.can_repeat and game.rules.has_arrays:
            raise ConnectoeError(
                f"positions of {game.id} are more than ints and can repeat: a batch cannot follow that"
            )
        self.game = game
        self.planes = planes_of(game)
        moves = len(game.move_texts)
        self.now = Now(
            np.zeros((games, *self.planes.shape), np.int8),
            np.zeros((games, moves), np.int8),
            np.zeros(games, np.int8),
            np.zeros((games, 2), np.float32),
            np.zeros(games, np.bool_),
            np.zeros(games, np.bool_),
            np.zeros(games, np.int32),
        )
        threads = min(threads or os.cpu_count() or 1, -(-games // FEWEST_A_THREAD))
        self._parts = list(pairwise(games * part // threads for part in range(threads + 1)))
        self._pool = ThreadPoolExecutor(threads) if threads > 1 else None
        self._engine = _engine(game)
        # Only games that can repeat themselves need to know where they have been.
        length, fields = (game.ply_limit + 1, len(game.rules.start)) if game.can_repeat else (1, 1)
        self._history = np.zeros((games, length, fields), np.int64)
        self._random = np.zeros(games, np.uint64)
        self._positions = self._engine.begin(game.rules.start, games)
        self.reset(seed)

    def __len__(self) -> int:
        return len(self.now.movers)

    def reset(self, seed: int | None = None) -> Now:
        """All games at their start; with a seed, random moves begin anew as well.

        >>> import connectoe
        >>> batch = Batch(connectoe.load("tic-tac-toe"), games=2)
        >>> _ = batch.step([4, 0])
        >>> batch.reset().plies.tolist()
        [0, 0]
        """
        if seed is not None:
            with np.errstate(over="ignore"):
                self._random[:] = stream_of(int(seed) % (1 << 64), np.arange(len(self), dtype=np.uint64))
        self._go(self._engine.restart)
        return self.now

    def step(self, moves: ArrayLike) -> Now:
        """Plays a move in every game; raises IllegalMove, and plays none, if one of them is not legal.

        >>> import connectoe
        >>> batch = Batch(connectoe.load("tic-tac-toe"), games=2)
        >>> for moves in ([0, 4], [3, 0], [1, 8], [4, 2], [2, 1]):
        ...     now = batch.step(moves)
        >>> now.finished.tolist(), now.rewards.tolist()
        ([True, False], [[1.0, -1.0], [0.0, 0.0]])
        >>> batch.step([0, 0])
        Traceback (most recent call last):
        connectoe.errors.IllegalMove: in game 1: 'a1' is not legal: there is a mark on a1 already
        """
        chosen = np.asarray(moves)
        if chosen.shape != (len(self),) or chosen.dtype.kind not in "iu":
            raise ConnectoeError(
                f"a step of {len(self)} games takes {len(self)} ints, not {chosen.dtype} of shape {chosen.shape}"
            )
        chosen = chosen.astype(np.int64, copy=False)
        self._check(chosen)
        self._go(self._engine.step, chosen, self.game.ply_limit)
        return self.now

    def random_moves(self) -> NDArray[np.int64]:
        """A random legal move for every game.

        >>> import connectoe
        >>> batch = Batch(connectoe.load("tic-tac-toe"), games=3, seed=5)
        >>> moves = batch.random_moves()
        >>> bool(batch.now.masks[range(3), moves].all())
        True
        """
        moves = np.empty(len(self), np.int64)
        self._each_part(self._engine.choose, self._positions, self._random, moves)
        return moves

    def position(self, number: int) -> Any:
        """The position of one of the games, for its rules or to be shown.

        >>> import connectoe
        >>> batch = Batch(connectoe.load("connect-four"), games=2)
        >>> _ = batch.step([3, 0])
        >>> batch.game.write(batch.position(0))
        '7/7/7/7/7/3X3 O'
        """
        if not 0 <= number < len(self):
            raise ConnectoeError(f"the games are 0..{len(self) - 1}, not {number}")
        return self._engine.take(self._positions, number)

    def _check(self, moves: NDArray[np.int64]) -> None:
        out_of_range = (moves < 0) | (moves >= self.now.masks.shape[1])
        is_illegal = self.now.masks[np.arange(len(self)), np.where(out_of_range, 0, moves)] == 0
        wrong = np.flatnonzero(out_of_range | is_illegal)
        if wrong.size:
            first = int(wrong[0])
            try:
                State(self.game, self.position(first)).play(int(moves[first]))
            except IllegalMove as error:
                raise IllegalMove(f"in game {first}: {error}") from None

    def _go(self, engine: Callable[..., None], *arguments: Any) -> None:
        """Lets all games go to where the engine takes them, and looks at what is there."""
        now = self.now
        told = now.rewards, now.finished, now.truncated, now.plies
        self._each_part(engine, self.game.rules.start, self._positions, self._history, *told, *arguments)
        self._each_part(self._engine.look, self._positions, now.observations, now.masks, now.movers)

    def _each_part(self, engine: Callable[..., None], *arguments: Any) -> None:
        if self._pool is None:
            engine(0, len(self), *arguments)
            return
        parts = [self._pool.submit(engine, first, last, *arguments) for first, last in self._parts]
        for part in parts:  # `concurrent.futures.wait` would leave jobs locked at Ctrl-C
            part.result()


class Engine(NamedTuple):
    """The compiled functions behind a batch; those that change games do so from the `first` to before the `last`.

    >>> Engine._fields
    ('begin', 'restart', 'step', 'look', 'choose', 'take')
    """

    begin: Callable[..., Any]
    restart: Callable[..., None]
    step: Callable[..., None]
    look: Callable[..., None]
    choose: Callable[..., None]
    take: Callable[..., Any]


def storing_rules(game: Game) -> tuple[Callable[..., Any], Callable[..., Any], Callable[..., None]]:
    """How the positions of many games are kept: rules that make room for them, take one out and put one in.

    Ints are kept as rows of an array; getting a tuple from a list of Numba's takes longer than a move.

    >>> import connectoe
    >>> room, _, put = storing_rules(connectoe.load("tic-tac-toe"))
    >>> stored = room(connectoe.load("tic-tac-toe").rules.start, 2)
    >>> put(stored, 1, connectoe.load("tic-tac-toe").start.play("a1").position)
    >>> stored.tolist()
    [[0, 0, 0], [0, 1, 1]]
    """
    start = game.rules.start
    fields, position_class = len(start), type(start)
    as_tuple: Any = to_fixed_tuple
    if not game.rules.has_arrays:

        @rule
        def room_in_rows(start: Any, games: int) -> Any:
            return np.zeros((games, fields), np.int64)

        @rule
        def take_row(stored: Any, game: int) -> Any:
            return position_class(*as_tuple(stored[game], fields))

        @rule
        def put_row(stored: Any, game: int, position: Any) -> None:
            for field in range(fields):
                stored[game, field] = position[field]

        return room_in_rows, take_row, put_row

    @rule
    def room_in_list(start: Any, games: int) -> Any:
        stored = List()
        for _ in range(games):
            stored.append(start)
        return stored

    @rule
    def take_item(stored: Any, game: int) -> Any:
        return stored[game]

    @rule
    def put_item(stored: Any, game: int, position: Any) -> None:
        stored[game] = position

    return room_in_list, take_item, put_item


@lru_cache(maxsize=64)
def _engine(game: Game) -> Engine:
    rules = game.rules
    return make_engine(
        *storing_rules(game),
        rules.legal_moves,
        *overwriting_rules(rules),
        rules.outcome,
        rules.player,
        observing_rule(game),
        random_move_rule(rules),
        repetition_rule(game),
        len(game.move_texts),
    )


def make_engine(
    room_for: Any,
    stored: Any,
    store: Any,
    legal_moves: Any,
    copied: Any,
    play_over: Any,
    outcome: Any,
    player: Any,
    observe: Any,
    random_move: Any,
    is_third: Any,
    move_count: int,
) -> Engine:
    """Compiled batches for these rules.

    >>> import connectoe
    >>> engine = _engine(connectoe.load("tic-tac-toe"))
    >>> positions = engine.begin(connectoe.load("tic-tac-toe").rules.start, 2)
    >>> engine.take(positions, 1)
    Position(own=0, other=0, turn=0)
    """

    def begin(start: Any, games: int) -> Any:
        return room_for(start, games)

    def take(positions: Any, game: int) -> Any:
        return copied(stored(positions, game))

    def choose(first: int, last: int, positions: Any, states: Any, chosen: Any) -> None:
        moves = np.empty(move_count, np.int64)
        for game in range(first, last):
            states[game] = next_random(states[game])
            chosen[game] = random_move(stored(positions, game), states[game], moves)

    def restart(
        first: int, last: int, start: Any, positions: Any, history: Any, rewards: Any, finished: Any, truncated: Any,
        plies: Any,
    ) -> None:  # fmt: skip
        for game in range(first, last):
            position = copied(start)
            store(positions, game, position)
            is_third(history[game], 0, position)
            rewards[game] = 0
            finished[game] = truncated[game] = False
            plies[game] = 0

    def step(
        first: int, last: int, start: Any, positions: Any, history: Any, rewards: Any, finished: Any, truncated: Any,
        plies: Any, moves: Any, ply_limit: int,
    ) -> None:  # fmt: skip
        for game in range(first, last):
            position = play_over(stored(positions, game), moves[game])
            plies[game] += 1
            result = outcome(position)
            is_repeated = is_third(history[game], plies[game], position)
            is_too_long = result == ONGOING and not is_repeated and plies[game] >= ply_limit
            finished[game] = result != ONGOING or is_repeated or is_too_long
            truncated[game] = is_too_long
            rewards[game] = 0
            if result != ONGOING and result != DRAWN:
                rewards[game, result] = 1
                rewards[game, 1 - result] = -1
            if finished[game]:
                position = copied(start)
                is_third(history[game], 0, position)
                plies[game] = 0
            store(positions, game, position)

    # Apart from `step` and `restart`, so that it is compiled once and not with each of them.
    def look(first: int, last: int, positions: Any, observations: Any, masks: Any, movers: Any) -> None:
        for game in range(first, last):
            position = stored(positions, game)
            mover = player(position)
            movers[game] = mover
            observations[game] = 0
            observe(position, mover, observations[game])
            masks[game] = 0
            for move in legal_moves(position):
                masks[game, move] = 1

    return Engine(*(compiled(function) for function in (begin, restart, step, look, choose, take)))
