"""Measures recipes against the built-in games they equal: random games and perft leaves per second, alternately.

    python bench/kit.py [GAME…]

Other work on the machine only ever takes time, so the best CPU time of each side counts.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from time import process_time

from connectoe import Game, load
from connectoe.engines.perft import perft
from connectoe.engines.playouts import play_out

RECIPES = Path(__file__).parents[1] / "tests" / "kit" / "recipes"
DEPTHS = {"tic-tac-toe": 9, "connect-four": 9, "c4-twist": 7, "semaphores": 7, "connect-tac-toe": 6, "ultimate": 6}
ROUNDS, SECONDS = 9, 0.3


def seconds(work: Callable[[], object]) -> float:
    """The CPU time that some work takes."""
    begun = process_time()
    work()
    return process_time() - begun


def ratio(one: Callable[[int], object], other: Callable[[int], object]) -> float:
    """How much faster the first is, at as much work as takes the second some tenths of a second."""
    amount = 1
    one(amount)
    while seconds(partial(other, amount)) < SECONDS:
        amount *= 2
    rounds = [(seconds(partial(one, amount)), seconds(partial(other, amount))) for _ in range(ROUNDS)]
    return min(times[1] for times in rounds) / min(times[0] for times in rounds)


def compare(game_id: str) -> str:
    """How fast a recipe is, in parts of the built-in game's speed."""
    recipe, room = load(RECIPES / f"{game_id.replace('-', '_')}.py"), load(game_id)

    def random_games(game: Game) -> Callable[[int], object]:
        return lambda amount: play_out(game, 500 * amount, threads=1)

    def leaves(game: Game) -> Callable[[int], object]:
        return lambda amount: [perft(game, DEPTHS[game_id]) for _ in range(amount)]

    playouts, lines = ratio(random_games(recipe), random_games(room)), ratio(leaves(recipe), leaves(room))
    return f"{game_id:16} random games {playouts:6.0%}   perft {lines:6.0%}"


if __name__ == "__main__":
    for name in sys.argv[1:] or [file.stem.replace("_", "-") for file in sorted(RECIPES.glob("[!_]*.py"))]:
        sys.stdout.write(f"{compare(name)}\n")
