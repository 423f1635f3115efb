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

from connectoe.core.errors import ConnectoeError
from connectoe.core.game import Game
from connectoe.core.rules import DRAWN, ONGOING, Rules, rule
from connectoe.engines.compiling import compiled

CHUNK = 256
"""Games that share a stream of random numbers. Streams belong to chunks, not to threads, so that the number of threads
changes nothing."""


class Playouts(NamedTuple):
    """The results of random games, one entry per game.

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
        """The shares of games won by player 0, won by player 1, and drawn."""
        counts = np.bincount(self.results, minlength=3) / len(self.results)
        return float(counts[0]), float(counts[1]), float(counts[2])

    def by_ending(self, game: Game) -> dict[str, int]:
        """Return how many games ended in each of the ways this game can end, and, if any did, at the ply limit."""
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
    """Return the results of random games, from the start or a position; the same for the same seed."""
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
    return make_playouts(game.rules, len(game.move_texts))


def ending_rule(rules: Rules) -> Callable[[Any], int]:
    """Return the game's own rule for how a finished position ended, or else whether it was won (0) or drawn (1)."""
    if rules.ending:
        return rules.ending
    outcome = rules.outcome

    @rule
    def ending(position: Any) -> int:
        return 1 if outcome(position) == DRAWN else 0

    return ending


@rule
def stream_of(seed: int, number: Any) -> Any:
    """Return the start of a stream of random numbers: a well mixed state, never 0 (SplitMix64, Steele et al. 2014)."""
    state = np.uint64(seed) * np.uint64(0x9E3779B97F4A7C15) + np.uint64(number + 1) * np.uint64(0xD1342543DE82EF95)
    state = (state ^ (state >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    state = (state ^ (state >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return (state ^ (state >> np.uint64(31))) | np.uint64(1)


@rule
def next_random(state: Any) -> Any:
    """Return the next state of a xorshift generator (Marsaglia 2003)."""
    state ^= state << np.uint64(13)
    state ^= state >> np.uint64(7)
    return state ^ (state << np.uint64(17))


@rule
def below(state: Any, limit: int) -> int:
    """Return a random number from 0 up to, not including, a limit."""
    return np.int64(((state >> np.uint64(32)) * np.uint64(limit)) >> np.uint64(32))  # type: ignore[return-value]


def random_move_rule(rules: Rules) -> Callable[[Any, Any, Any], int]:
    """Return the rule for a random move: the game's own `pick`, or else one that lists all moves."""
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
    """Return how to play on from a position that is still needed: a rule that copies it, one that plays over the copy.

    In a game without these, the copy is the position itself, and it is played as always.
    """
    if rules.copied and rules.play_over:
        return rules.copied, rules.play_over

    @rule
    def itself(position: Any) -> Any:
        return position

    return itself, rules.play


def make_playouts(rules: Rules, move_count: int) -> Callable[..., None]:
    """Return compiled random play for these rules: it fills the entries of the games in chunks `first` to `last`."""
    outcome, ending, random_move = rules.outcome, ending_rule(rules), random_move_rule(rules)
    copied, play_over = overwriting_rules(rules)

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
