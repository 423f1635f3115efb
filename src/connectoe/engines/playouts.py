"""Uniformly random games, in compiled batches over threads."""

from __future__ import annotations

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import lru_cache
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from connectoe.engines.compiling import compiled
from connectoe.errors import ConnectoeError
from connectoe.game import DRAWN, ONGOING, Game, Rules, rule

CHUNK = 256
"""Games that share a stream of random numbers. Streams belong to chunks, not to threads, so that the number of threads
changes nothing."""


class Playouts(NamedTuple):
    """What random games came to, one entry a game.

    >>> import connectoe
    >>> played = play_out(connectoe.load("tic-tac-toe"), 1000)
    >>> len(played.results), int(played.lengths.min())
    (1000, 5)
    """

    results: NDArray[np.int8]
    """Who won, or DRAWN; a game stopped at the ply limit counts as drawn."""
    lengths: NDArray[np.int32]
    """Moves played."""
    endings: NDArray[np.int8]
    """How it ended: a number for the names in `Game.endings`, -1 for a game stopped at the ply limit."""

    @property
    def shares(self) -> tuple[float, float, float]:
        """The shares of games won by player 0, won by player 1, and drawn.

        >>> import connectoe
        >>> game = connectoe.load("tic-tac-toe")
        >>> one_move_left = game.state("XOX/OXO/OX1 X")
        >>> play_out(game, 100, position=one_move_left.position).shares
        (1.0, 0.0, 0.0)
        """
        counts = np.bincount(self.results, minlength=3) / len(self.results)
        return float(counts[0]), float(counts[1]), float(counts[2])

    def by_ending(self, game: Game) -> dict[str, int]:
        """How many games ended in each of the ways this game can end, and, if any did, at the ply limit.

        >>> import connectoe
        >>> game = connectoe.load("tic-tac-toe")
        >>> play_out(game, 100, position=game.state("XOX/OXO/OX1 X").position).by_ending(game)
        {'three marks': 100, 'board full': 0}
        """
        at_limit, *counts = np.bincount(self.endings + 1, minlength=len(game.endings) + 1).tolist()
        ended = dict(zip(game.endings, counts, strict=True))
        return ended | {"ply limit": at_limit} if at_limit else ended


def play_out(
    game: Game,
    games: int,
    *,
    position: Any = None,
    seed: int = 0,
    threads: int | None = None,
    ply_limit: int | None = None,
) -> Playouts:
    """The results of so many random games, from the start or a position; the same from the same seed.

    >>> import connectoe
    >>> random_games = play_out(connectoe.load("tic-tac-toe"), 100_000, seed=1)
    >>> [round(share, 1) for share in random_games.shares]
    [0.6, 0.3, 0.1]
    >>> int(random_games.lengths.max())
    9
    """
    if games < 1:
        raise ConnectoeError(f"the number of games must be at least 1, not {games}")
    run = _engine(game)
    root = game.rules.start if position is None else position
    limit = game.ply_limit if ply_limit is None else ply_limit
    made = Playouts(np.empty(games, np.int8), np.empty(games, np.int32), np.empty(games, np.int8))
    chunks = -(-games // CHUNK)
    threads = min(threads or os.cpu_count() or 1, chunks)
    bounds = [chunks * part // threads for part in range(threads + 1)]
    with ThreadPoolExecutor(threads) as pool:
        parts = [pool.submit(run, root, seed, first, last, limit, *made) for first, last in pairwise(bounds)]
        for part in parts:
            part.result()
    return made


@lru_cache(maxsize=64)
def _engine(game: Game) -> Callable[..., None]:
    rules = game.rules
    return make_playouts(
        random_move_rule(rules), *overwriting_rules(rules), rules.outcome, ending_rule(game), len(game.move_texts)
    )


def ending_rule(game: Game) -> Callable[[Any], int]:
    """The game's own rule for how a finished position ended, or else whether it was won (0) or drawn (1).

    >>> import connectoe
    >>> game = connectoe.load("tic-tac-toe")
    >>> game.endings[ending_rule(game)(game.state("XXX/OO1/3 O").position)]
    'three marks'
    """
    if game.rules.ending:
        return game.rules.ending
    outcome = game.rules.outcome

    @rule
    def ending(position: Any) -> int:
        return 1 if outcome(position) == DRAWN else 0

    return ending


@rule
def stream_of(seed: int, number: Any) -> Any:
    """The beginning of a stream of random numbers: a well mixed state, never 0 (SplitMix64, Steele et al. 2014).

    >>> with np.errstate(over="ignore"):  # compiled, numbers wrap without a word
    ...     int(stream_of(1, 0)) == int(stream_of(1, 1))
    False
    """
    state = np.uint64(seed) * np.uint64(0x9E3779B97F4A7C15) + np.uint64(number + 1) * np.uint64(0xD1342543DE82EF95)
    state = (state ^ (state >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    state = (state ^ (state >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return (state ^ (state >> np.uint64(31))) | np.uint64(1)


@rule
def next_random(state: Any) -> Any:
    """The next state of a xorshift generator (Marsaglia 2003).

    >>> int(next_random(np.uint64(1)))
    1082269761
    """
    state ^= state << np.uint64(13)
    state ^= state >> np.uint64(7)
    return state ^ (state << np.uint64(17))


@rule
def below(state: Any, limit: int) -> int:
    """A random number from 0 up to, not including, a limit.

    >>> int(below(np.uint64(1 << 63), 10))  # in the middle of all states, so in the middle of 0 to 9
    5
    """
    return np.int64(((state >> np.uint64(32)) * np.uint64(limit)) >> np.uint64(32))  # type: ignore[return-value]


def random_move_rule(rules: Rules) -> Callable[[Any, Any, Any], int]:
    """The rule for a random move: by the game's own `pick`, or else by listing all moves in the room it is given.

    >>> import connectoe
    >>> rules = connectoe.load("connect-four").rules
    >>> room = np.empty(7, np.int64)
    >>> int(random_move_rule(rules)(rules.start, np.uint64(1 << 63), room))  # the middle one of all
    3
    >>> int(random_move_rule(rules._replace(pick=None))(rules.start, np.uint64(1 << 63), room))
    3
    """
    pick, legal_moves = rules.pick, rules.legal_moves
    if pick:

        @rule
        def picked_move(position: Any, state: Any, moves: Any) -> Any:
            number: Any = np.int64(state >> np.uint64(32))
            return pick(position, number)

        return picked_move

    @rule
    def listed_move(position: Any, state: Any, moves: Any) -> Any:
        count = 0
        for move in legal_moves(position):
            moves[count] = move
            count += 1
        return moves[below(state, count)]

    return listed_move


def overwriting_rules(rules: Rules) -> tuple[Callable[[Any], Any], Callable[[Any, int], Any]]:
    """How to play on from a position that others need as well: the rules that copy it, and that play over the copy. In
    a game without these, a copy is the position itself, and it is played as always.

    >>> import connectoe
    >>> rules = connectoe.load("ultimate-ultimate").rules
    >>> copied, play_over = overwriting_rules(rules)
    >>> mine = copied(rules.start)
    >>> play_over(mine, 0).boards is mine.boards, bool(rules.start.boards.any())
    (True, False)
    """
    if rules.copied and rules.play_over:
        return rules.copied, rules.play_over

    @rule
    def itself(position: Any) -> Any:
        return position

    return itself, rules.play


def make_playouts(
    random_move: Any, copied: Any, play_over: Any, outcome: Any, ending: Any, move_count: int
) -> Callable[..., None]:
    """Compiled random play for these rules: fills the entries of the games in the chunks from `first` to `last`.

    >>> import connectoe
    >>> game = connectoe.load("tic-tac-toe")
    >>> rules = game.rules
    >>> how = random_move_rule(rules), *overwriting_rules(rules), rules.outcome, ending_rule(game)
    >>> run = make_playouts(*how, move_count=9)
    >>> played = Playouts(np.empty(20, np.int8), np.empty(20, np.int32), np.empty(20, np.int8))
    >>> run(game.rules.start, 1, 0, 1, game.ply_limit, *played)
    >>> bool((played.lengths >= 5).all())
    True
    """

    def playouts(
        root: Any, seed: int, first: int, last: int, ply_limit: int, results: Any, lengths: Any, endings: Any
    ) -> None:
        moves = np.empty(move_count, np.int64)
        for chunk in range(first, last):
            state = stream_of(seed, chunk)
            for game in range(chunk * CHUNK, min(results.size, (chunk + 1) * CHUNK)):
                position = copied(root)
                result = outcome(position)
                ply = 0
                while result == ONGOING and ply < ply_limit:
                    state = next_random(state)
                    position = play_over(position, random_move(position, state, moves))
                    result = outcome(position)
                    ply += 1
                results[game] = DRAWN if result == ONGOING else result
                lengths[game] = ply
                endings[game] = -1 if result == ONGOING else ending(position)

    return compiled(playouts)
