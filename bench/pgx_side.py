"""The side of pgx: random games of Connect Four in large batches, in an environment that has pgx and jax.

Two ways of playing batches are tried, each with several batch sizes: to play until every game of the batch is over,
and to begin a new game wherever one has ended, which wastes nothing but costs something at every move.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import cache
from typing import Any

import jax  # type: ignore[import-not-found, unused-ignore]
import jax.numpy as jnp  # type: ignore[import-not-found, unused-ignore]
import pgx  # type: ignore[import-not-found, unused-ignore]
from pgx.experimental.wrappers import auto_reset  # type: ignore[import-not-found, unused-ignore]
from sides import answer

PLIES = 42
"""Moves in the longest game of Connect Four."""

Run = Callable[[Any], Any]


def random_actions(key: Any, legal: Any) -> Any:
    """Return a uniformly random legal action for each game."""
    return jnp.argmax(jnp.where(legal, jax.random.uniform(key, legal.shape), -1.0), axis=-1)


@cache
def until_finished(game: str, batch: int) -> Run:
    """Play a batch of games until all are over and return their number; compiled."""
    env = pgx.make(game)

    def run(key: Any) -> Any:
        key, first = jax.random.split(key)
        games = jax.vmap(env.init)(jax.random.split(first, batch))

        def some_go_on(carried: Any) -> Any:
            return ~carried[0].terminated.all()

        def move(carried: Any) -> Any:
            games, key = carried
            key, choice = jax.random.split(key)
            return jax.vmap(env.step)(games, random_actions(choice, games.legal_action_mask)), key

        games, _ = jax.lax.while_loop(some_go_on, move, (games, key))
        return games.terminated.sum()

    compiled = jax.jit(run)
    compiled(jax.random.key(0)).block_until_ready()
    return lambda key: compiled(key).block_until_ready()


@cache
def beginning_anew(game: str, batch: int) -> Run:
    """Play PLIES moves in each game of a batch and return how many games ended; compiled."""
    env = pgx.make(game)
    step = auto_reset(env.step, env.init)

    def run(games: Any, key: Any) -> Any:
        def move(_: Any, carried: Any) -> Any:
            games, key, ended = carried
            key, choice, anew = jax.random.split(key, 3)
            actions = random_actions(choice, games.legal_action_mask)
            games = jax.vmap(step)(games, actions, jax.random.split(anew, batch))
            return games, key, ended + games.terminated.sum()

        return jax.lax.fori_loop(0, PLIES, move, (games, key, 0))

    compiled = jax.jit(run)
    games = jax.vmap(env.init)(jax.random.split(jax.random.key(0), batch))
    # After the longest game that is possible, the games stand at all stages.
    games, _, ended = compiled(games, jax.random.key(1))
    ended.block_until_ready()

    def go_on(key: Any) -> Any:
        nonlocal games
        games, _, ended = compiled(games, key)
        return ended.block_until_ready()

    return go_on


WAYS = {"until finished": until_finished, "beginning anew": beginning_anew}


def playouts(game: str, way: str, batch: int, amount: int, seed: int) -> dict[str, float]:
    """Play at least `amount` random games on all cores; the time does not include compiling."""
    run = WAYS[way](game, batch)
    keys = iter(jax.random.split(jax.random.key(seed), 1 + 2 * amount // batch))
    done = 0
    began = time.perf_counter()
    while done < amount:
        done += int(run(next(keys)))
    return {"done": done, "seconds": time.perf_counter() - began}


@cache
def one_step(game: str, batch: int) -> tuple[Any, Any]:
    """Take one random step in every game of a batch, restart finished games and return the games; compiled."""
    env = pgx.make(game)
    step = auto_reset(env.step, env.init)

    def run(games: Any, key: Any) -> Any:
        key, choice, anew = jax.random.split(key, 3)
        return jax.vmap(step)(
            games, random_actions(choice, games.legal_action_mask), jax.random.split(anew, batch)
        ), key

    compiled = jax.jit(run)
    games = jax.vmap(env.init)(jax.random.split(jax.random.key(0), batch))
    jax.block_until_ready(compiled(games, jax.random.key(1)))
    return compiled, games


def steps(game: str, batch: int, amount: int, seed: int) -> dict[str, float]:
    """Take at least `amount` random steps; each is a call that returns all games with their observations."""
    run, games = one_step(game, batch)
    key = jax.random.key(seed)
    done = 0
    began = time.perf_counter()
    while done < amount:
        games, key = jax.block_until_ready(run(games, key))
        done += batch
    return {"done": done, "seconds": time.perf_counter() - began}


if __name__ == "__main__":
    answer({"playouts": playouts, "steps": steps})
