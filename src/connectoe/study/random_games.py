"""Compiled random games: all of them counted, and some of them recorded move by move.

The streams of random numbers are those of engines/playouts.py, and the games that are recorded are the first of those
that are counted. Unlike playouts, these are whole matches: they end when a position occurs for the third time.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from connectoe.core.game import Game
from connectoe.core.rules import DRAWN, ONGOING, Rules
from connectoe.engines.compiling import compiled
from connectoe.engines.playouts import (
    CHUNK,
    ending_rule,
    next_random,
    overwriting_rules,
    random_move_rule,
    stream_of,
)
from connectoe.engines.repetition import repetition_rule
from connectoe.engines.rows import row_rules

AT_THE_LIMIT, BY_REPETITION = -1, -2


class RandomGames(NamedTuple):
    """The results of random games, one entry per game.

    >>> import connectoe
    >>> played = random_games(connectoe.load("tic-tac-toe"), 1000, seed=1)
    >>> int(played.lengths.min()), int(played.openings.max())
    (5, 8)
    """

    results: NDArray[np.int8]
    """Who won, or DRAWN; a game stopped at the ply limit counts as drawn."""
    lengths: NDArray[np.int32]
    endings: NDArray[np.int8]
    """The number of one of `Game.endings`, or AT_THE_LIMIT, or BY_REPETITION."""
    openings: NDArray[np.int32]
    """The first move."""


def random_games(game: Game, games: int, seed: int) -> RandomGames:
    """Play this many random games from the start, on the calling thread."""
    made = RandomGames(
        np.empty(games, np.int8), np.empty(games, np.int32), np.empty(games, np.int8), np.empty(games, np.int32)
    )
    _counting(game)(game.rules.start, seed, -(-games // CHUNK), game.ply_limit, *made)
    return made


def random_moves(game: Game, games: int, seed: int) -> list[list[int]]:
    """Return the moves of the first of these random games."""
    found: list[list[int]] = []
    room = 1 << 12
    while len(found) < games:
        moves, ends = np.empty(room, np.int32), np.zeros(min(CHUNK, games - len(found)), np.int64)
        if _writing(game)(game.rules.start, seed, len(found) // CHUNK, game.ply_limit, moves, ends):
            found += [part.tolist() for part in np.split(moves, ends)[: ends.size]]
        else:
            room *= 4
    return found


@lru_cache(maxsize=64)
def _counting(game: Game) -> Callable[..., None]:
    return make_counting(game.rules, repetition_rule(game), len(game.move_texts))


@lru_cache(maxsize=64)
def _writing(game: Game) -> Callable[..., bool]:
    return make_writing(game.rules, repetition_rule(game), len(game.move_texts))


def make_counting(rules: Rules, is_third: Any, move_count: int) -> Callable[..., None]:
    """Return a compiled function that plays random games and fills one entry per game."""
    outcome, ending, random_move = rules.outcome, ending_rule(rules), random_move_rule(rules)
    copied, play_over = overwriting_rules(rules)
    ints = row_rules(rules.start).length

    def counting(
        root: Any, seed: int, chunks: int, ply_limit: int, results: Any, lengths: Any, endings: Any, openings: Any
    ) -> None:
        moves = np.empty(move_count, np.int64)
        history = np.empty((ply_limit + 1, ints), np.int64)
        for chunk in range(chunks):
            state = stream_of(seed, chunk)
            for game in range(chunk * CHUNK, min(results.size, (chunk + 1) * CHUNK)):
                position = copied(root)
                is_third(history, 0, position)
                state = next_random(state)
                move = random_move(position, state, moves)
                openings[game] = move
                position = play_over(position, move)
                result = outcome(position)
                ply = 1
                is_repeated = is_third(history, ply, position)
                while result == ONGOING and not is_repeated and ply < ply_limit:
                    state = next_random(state)
                    position = play_over(position, random_move(position, state, moves))
                    result = outcome(position)
                    ply += 1
                    is_repeated = is_third(history, ply, position)
                results[game] = DRAWN if result == ONGOING else result
                lengths[game] = ply
                if result != ONGOING:
                    endings[game] = ending(position)
                else:
                    endings[game] = BY_REPETITION if is_repeated else AT_THE_LIMIT

    return compiled(counting)


def make_writing(rules: Rules, is_third: Any, move_count: int) -> Callable[..., bool]:
    """Return a compiled function that writes the moves of random games one after the other, and where each game ends.

    It returns whether there was enough room for them.
    """
    play, outcome, random_move = rules.play, rules.outcome, random_move_rule(rules)
    ints = row_rules(rules.start).length

    def writing(root: Any, seed: int, stream: int, ply_limit: int, written: Any, ends: Any) -> bool:
        moves = np.empty(move_count, np.int64)
        history = np.empty((ply_limit + 1, ints), np.int64)
        state = stream_of(seed, stream)
        at = 0
        for game in range(ends.size):
            position = root
            ply = 0
            while not is_third(history, ply, position) and outcome(position) == ONGOING and ply < ply_limit:
                if at == written.size:
                    return False
                state = next_random(state)
                move = random_move(position, state, moves)
                written[at] = move
                position = play(position, move)
                at += 1
                ply += 1
            ends[game] = at
        return True

    return compiled(writing)
