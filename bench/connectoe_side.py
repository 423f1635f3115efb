"""Connectoe's own side.

Moves of ultimate are 9 * board + square, both counted row by row from the top left, as most programs count; connectoe
counts from the bottom left, so that they are turned over here and nowhere else.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from functools import cache
from importlib.util import find_spec
from itertools import cycle
from typing import Any

from sides import answer

import connectoe
from connectoe.core.match import Match
from connectoe.core.rules import ONGOING
from connectoe.engines.engine import Limits
from connectoe.engines.mcts import MCTS
from connectoe.engines.playouts import play_out
from connectoe.envs.batch import Batch
from connectoe.players import Player, player

LOOKUPS = 20_000


def playouts(game: str, amount: int, seed: int, threads: int | None = 1) -> dict[str, float]:
    """Play random games from the start, on one thread or, with None, on all cores."""
    loaded = connectoe.load(game)
    play_out(loaded, 1)  # compiles, if nothing has before
    began = time.perf_counter()
    play_out(loaded, amount, seed=seed, threads=threads)
    return {"done": amount, "seconds": time.perf_counter() - began}


def steps(game: str, batch: int, amount: int, seed: int) -> dict[str, float]:
    """Take at least `amount` random steps in a batch of games, on all cores, including observations and masks."""
    games = _batch(game, batch)
    games.reset(seed)
    done = 0
    began = time.perf_counter()
    while done < amount:
        games.step(games.random_moves())
        done += batch
    return {"done": done, "seconds": time.perf_counter() - began}


@cache
def _batch(game: str, batch: int) -> Batch:
    games = Batch(connectoe.load(game), batch, threads=0)
    games.step(games.random_moves())  # compiles, if nothing has before
    return games


def searches(
    game: str, amount: int, simulations: int, positions: list[list[int]], seed: int, seconds: float | None = None
) -> dict[str, float]:
    """Search `amount` times, going round the positions; with `seconds`, stop after that time at the latest."""
    loaded = connectoe.load(game)
    MCTS(loaded).search(loaded.rules.start, Limits(simulations=1))
    roots = [match_after(game, moves).state.position for moves in positions]
    done, taken = 0, 0.0
    for number, root in zip(range(amount), cycle(roots), strict=False):
        began = time.perf_counter()
        left = None if seconds is None else seconds - taken
        found = MCTS(loaded, seed=seed + number).search(root, Limits(simulations=simulations, seconds=left))
        taken += time.perf_counter() - began
        done += sum(candidate.visits for candidate in found.candidates)
        if seconds is not None and taken >= seconds:
            break
    return {"done": done, "seconds": taken}


def match_after(game: str, moves: list[int]) -> Match:
    """Return the match after these moves."""
    match = Match(connectoe.load(game))
    for move in moves:
        match.play(turned_over(game, move))
    return match


def turned_over(game: str, move: int) -> int:
    """Return a move of ours as the sides number it, or the reverse.

    >>> turned_over("ultimate", 0), turned_over("ultimate", turned_over("ultimate", 13)), turned_over("connect-four", 2)
    (60, 13, 2)
    """
    if game != "ultimate":
        return move
    board, square = (3 * (2 - number // 3) + number % 3 for number in divmod(move, 9))
    return 9 * board + square


def look(game: str, moves: list[int]) -> dict[str, Any]:
    """Return the legal moves after these moves, or the result for the first player: 1, 0 or -1."""
    match = match_after(game, moves)
    legal = sorted(turned_over(game, match.game.move_from(text)) for text in match.legal_moves())
    if match.outcome is None:
        return {"legal": legal, "result": None}
    return {"legal": legal, "result": {None: 0, 0: 1, 1: -1}[match.outcome.winner]}


thinking: dict[str, Player] = {}
"""The player of the current game; it may keep its search tree from move to move."""


def begin(game: str, name: str, seconds: float, seed: int) -> None:
    """Begin a game with a player that thinks `seconds` per move."""
    thinking["player"] = player(name, connectoe.load(game), seed, seconds)


def choose(game: str, moves: list[int]) -> dict[str, Any]:
    """Return the move that the player chooses."""
    match = match_after(game, moves)
    return {"move": turned_over(game, match.game.move_from(thinking["player"].choose(match)))}


def compiling(game: str) -> dict[str, float]:
    """Return the seconds until random play and the search are ready, in a process that has just started."""
    began = time.perf_counter()
    loaded = connectoe.load(game)
    play_out(loaded, 1)
    MCTS(loaded).search(loaded.rules.start, Limits(simulations=1))
    return {"seconds": time.perf_counter() - began}


def strong_solving(game: str, options: dict[str, int], seed: int) -> dict[str, float] | None:
    """Return the figures of solving a game and of table lookups; None without such an engine."""
    if not (is_there("retrograde") and is_there("tables")):
        return None
    from connectoe.engines.exact.lookup import Table
    from connectoe.engines.exact.retrograde import solve

    loaded = connectoe.load(game, **options)
    solution = solve(loaded)
    table = Table(loaded, solution.keys, solution.values, {})
    positions = positions_of_random_play(loaded, LOOKUPS, seed)
    table.value(positions[0])
    began = time.perf_counter()
    for position in positions:
        table.value(position)
    looking_up = time.perf_counter() - began
    return {
        "positions": solution.positions,
        "seconds": sum(seconds for step, seconds in solution.seconds.items() if step != "compiling"),
        "bytes": solution.memory,
        "lookup_seconds": looking_up / len(positions),
    }


def positions_of_random_play(game: connectoe.Game, count: int, seed: int) -> list[Any]:
    """Return unfinished positions from random games."""
    rules, choice = game.rules, random.Random(seed)
    positions: list[Any] = []
    while len(positions) < count:
        position = rules.start
        while rules.outcome(position) == ONGOING and len(positions) < count:
            positions.append(position)
            position = rules.play(position, choice.choice(list(rules.legal_moves(position))))
    return positions


def deep_search(game: str, depth: int) -> dict[str, float] | None:
    """Return the seconds alpha-beta takes to search the start of a game to this depth; None without such an engine."""
    if not is_there("alpha_beta"):
        return None
    from connectoe.engines.alpha_beta import AlphaBeta  # type: ignore[import-not-found, unused-ignore]

    loaded = connectoe.load(game)
    AlphaBeta(loaded).search(loaded.rules.start, Limits(depth=1))
    began = time.perf_counter()
    AlphaBeta(loaded).search(loaded.rules.start, Limits(depth=depth))
    return {"seconds": time.perf_counter() - began}


def is_there(engine: str) -> bool:
    """Whether connectoe has this engine."""
    return find_spec(f"connectoe.engines.{engine}") is not None


ANSWERS: dict[str, Callable[..., Any]] = {
    "playouts": playouts,
    "steps": steps,
    "searches": searches,
    "look": look,
    "begin": begin,
    "choose": choose,
    "compiling": compiling,
    "strong_solving": strong_solving,
    "deep_search": deep_search,
}

if __name__ == "__main__":
    answer(ANSWERS)
