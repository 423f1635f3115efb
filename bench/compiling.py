"""What compiling a game's engines costs: seconds of CPU time, each game in a new process with an empty cache.

    python bench/compiling.py                                  every game
    python bench/compiling.py connect-four advanced --rounds 5
    python bench/compiling.py --before ../older/src            side by side with the sources of another version

The columns are the tree search of the levels (in ultimate a second one, of `hard`), alpha-beta, the game's exact
solver, and what makes and asks a table, each where the game has it; then the shares of the whole time that Numba spends
on finding types, on translating to LLVM and optimising there, and on the rest.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from statistics import median
from typing import Any

from circumstances import circumstances

from connectoe import game_ids

SOURCES = Path(__file__).parents[1] / "src"
ENGINES = ("tree search", "alpha-beta", "solver", "table")
MEASURE = """
import json, sys, time
from numba.core import event
import connectoe
from connectoe import preparing
from connectoe.engines.alpha_beta import AlphaBeta, supports
from connectoe.engines.effort import levels_of
from connectoe.engines.engine import Limits
from connectoe.engines.mcts import MCTS

class Spent(event.Listener):
    # Functions are compiled inside the compiling of those that call them, so that spans of time lie inside others.
    def __init__(self, name):
        self.name, self.open, self.whole, self.phases = name, [], 0.0, {}
        event.register(name, self)
    def on_start(self, begun):
        self.open.append([time.process_time(), 0.0])
    def on_end(self, ended):
        began, inside = self.open.pop()
        taken = time.process_time() - began
        name = ended.data.get("name", "whole").split()[0]
        self.phases[name] = self.phases.get(name, 0.0) + taken - inside
        if self.open:
            self.open[-1][1] += taken
        else:
            self.whole += taken

def tree_search():
    preparing.PREPARE["levels"](game)
    if not levels_of(game).hard_nodes:  # then `hard` searches a tree as well, with an opinion where the game has one
        MCTS(game, seed=0).search(start, Limits(simulations=1))

def alpha_beta():
    if supports(game):
        AlphaBeta(game, table_megabytes=1).search(start, Limits(nodes=100), every_move=True)

game = connectoe.load(sys.argv[1])
start = game.rules.start
compiling, phases = Spent("numba:compile"), Spent("numba:run_pass")
engines = [tree_search, alpha_beta]
engines += [lambda: preparing._prepare_solver(game), lambda: preparing.PREPARE["table"](game)]
costs = []
for engine in engines:
    before = compiling.whole
    engine()
    costs.append(compiling.whole - before)
print(json.dumps({"costs": costs, "phases": phases.phases}))
"""


def measure(game: str, sources: Path) -> dict[str, Any]:
    """Return what these sources need to compile a game's engines."""
    with tempfile.TemporaryDirectory() as cache:
        environment = {**os.environ, "PYTHONPATH": str(sources), "CONNECTOE_CACHE": cache, "XDG_CACHE_HOME": cache}
        asked = [sys.executable, "-c", MEASURE, game]
        told = subprocess.run(asked, env=environment, capture_output=True, text=True, check=True).stdout
    measured: dict[str, Any] = json.loads(told)
    return measured


def shares(measured: dict[str, Any]) -> tuple[float, float, float]:
    """Return the shares of types, of LLVM, and of the rest."""
    whole = sum(measured["costs"])
    types = measured["phases"].get("nopython_type_inference", 0.0) / whole
    llvm = measured["phases"].get("native_lowering", 0.0) / whole
    return types, llvm, 1 - types - llvm


def seconds(rounds: list[dict[str, Any]], engine: int) -> str:
    """Return what an engine cost in the median of the rounds; a dash if there was nothing to compile."""
    cost = median(measured["costs"][engine] for measured in rounds)
    return f"{cost:.2f}" if cost else "–"


def main() -> None:
    """Measure and print a table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("games", nargs="*", default=game_ids())
    parser.add_argument("--before", type=Path, help="the folder `src` of another version")
    parser.add_argument("--rounds", type=int, default=3)
    chosen = parser.parse_args()
    versions = [SOURCES] if chosen.before is None else [chosen.before.resolve(), SOURCES]
    print(json.dumps(circumstances()))
    ratio = ["ratio"] if chosen.before else []
    columns = ["game", *ENGINES, *ratio, "types", "LLVM", "rest"]
    print("| " + " | ".join(columns) + " |\n|" + "---|" * len(columns))
    for game in chosen.games:
        rounds = [[measure(game, sources) for sources in versions] for _ in range(chosen.rounds)]
        of_versions = list(zip(*rounds, strict=True))
        cells = [
            " → ".join(seconds(of_version, engine) for of_version in of_versions) for engine in range(len(ENGINES))
        ]
        if chosen.before:
            whole = [[sum(version["costs"]) for version in measured] for measured in rounds]
            cells.append(f"{median(now / then for then, now in whole):.2f}")
        newest = [shares(measured[-1]) for measured in rounds]
        cells += [f"{median(share[kind] for share in newest):.0%}" for kind in range(3)]
        print(f"| {game} | " + " | ".join(cells) + " |", flush=True)


if __name__ == "__main__":
    main()
