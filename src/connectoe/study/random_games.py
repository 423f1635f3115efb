"""Random games, compiled: all of them counted, and some of them written down move by move.

The streams of random numbers are those of engines/playouts.py: the first games that are written down are the first
games that are counted. Unlike there, these are whole matches: a position that stands for the third time ends them.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

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
from connectoe.game import DRAWN, ONGOING, Game

AT_THE_LIMIT, BY_REPETITION = -1, -2


class RandomGames(NamedTuple):
    """What random games came to, one entry a game.

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
    """So many random games from the start, on the thread that asks.

    >>> import connectoe
    >>> from connectoe.engines.playouts import play_out
    >>> game = connectoe.load("connect-four")
    >>> bool((random_games(game, 500, seed=7).lengths == play_out(game, 500, seed=7).lengths).all())
    True
    """
    made = RandomGames(
        np.empty(games, np.int8), np.empty(games, np.int32), np.empty(games, np.int8), np.empty(games, np.int32)
    )
    _counting(game)(game.rules.start, seed, -(-games // CHUNK), game.ply_limit, *made)
    return made


def random_moves(game: Game, games: int, seed: int) -> list[list[int]]:
    """The moves of the first of these random games.

    >>> import connectoe
    >>> game = connectoe.load("tic-tac-toe")
    >>> [len(moves) for moves in random_moves(game, 3, seed=1)] == random_games(game, 3, seed=1).lengths.tolist()
    True
    """
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
    rules = game.rules
    return make_counting(
        random_move_rule(rules),
        *overwriting_rules(rules),
        rules.outcome,
        ending_rule(game),
        repetition_rule(game),
        len(game.move_texts),
    )


@lru_cache(maxsize=64)
def _writing(game: Game) -> Callable[..., bool]:
    rules = game.rules
    return make_writing(random_move_rule(rules), rules.play, rules.outcome, repetition_rule(game), len(game.move_texts))


def make_counting(
    random_move: Any, copied: Any, play_over: Any, outcome: Any, ending: Any, is_third: Any, move_count: int
) -> Callable[..., None]:
    """Compiled random play that fills one entry a game.

    >>> import connectoe
    >>> game = connectoe.load("tic-tac-toe")
    >>> rules = game.rules
    >>> how = random_move_rule(rules), *overwriting_rules(rules), rules.outcome, ending_rule(game)
    >>> count = make_counting(*how, repetition_rule(game), 9)
    >>> made = RandomGames(*(np.empty(20, kind) for kind in (np.int8, np.int32, np.int8, np.int32)))
    >>> count(rules.start, 1, 1, game.ply_limit, *made)
    >>> bool((made.lengths >= 5).all())
    True
    """

    def counting(
        root: Any, seed: int, chunks: int, ply_limit: int, results: Any, lengths: Any, endings: Any, openings: Any
    ) -> None:
        moves = np.empty(move_count, np.int64)
        history = np.empty((ply_limit + 1, len(root)), np.int64)
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


def make_writing(random_move: Any, play: Any, outcome: Any, is_third: Any, move_count: int) -> Callable[..., bool]:
    """Compiled random play that writes down all moves, one game after the other, and where each game ends; the
    compiled function says whether there was room for them.

    >>> import connectoe
    >>> game = connectoe.load("tic-tac-toe")
    >>> rules = game.rules
    >>> write = make_writing(random_move_rule(rules), rules.play, rules.outcome, repetition_rule(game), 9)
    >>> write(rules.start, 1, 0, 1000, np.empty(4, np.int32), np.zeros(1, np.int64))
    False
    """

    def writing(root: Any, seed: int, stream: int, ply_limit: int, written: Any, ends: Any) -> bool:
        moves = np.empty(move_count, np.int64)
        history = np.empty((ply_limit + 1, len(root)), np.int64)
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
