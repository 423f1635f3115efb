"""What compiling a game's engines costs: seconds of CPU time, each game in a new process with an empty cache.

    python bench/compiling.py                                  every game
    python bench/compiling.py connect-four advanced --rounds 5
    python bench/compiling.py --before ../older/src            side by side with the sources of another version

The columns are the tree search of `easy` and `medium`, what `hard` needs beyond it, and the share of all that which
Numba spends on finding types, on translating to LLVM and optimising there, and on the rest.
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
MEASURE = """
import json, sys, time
from numba.core import event
import connectoe
from connectoe.players import player

class Phases(event.Listener):
    # Types of a function are found after those of the functions it calls have been, so that phases lie inside phases.
    def __init__(self):
        self.spent, self.open = {}, []
    def on_start(self, begun):
        self.open.append([time.process_time(), 0.0])
    def on_end(self, ended):
        began, inside = self.open.pop()
        taken = time.process_time() - began
        name = ended.data["name"].split()[0]
        self.spent[name] = self.spent.get(name, 0.0) + taken - inside
        if self.open:
            self.open[-1][1] += taken

phases = Phases()
event.register("numba:run_pass", phases)
game = connectoe.load(sys.argv[1])
begun = time.process_time()
player("medium", game, seed=0, seconds=0.01).choose(connectoe.Match(game))
levels = time.process_time()
player("hard", game, seed=0, seconds=0.01).choose(connectoe.Match(game))
hard = time.process_time()
print(json.dumps({"levels": levels - begun, "hard": hard - levels, "phases": phases.spent}))
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
    whole = measured["levels"] + measured["hard"]
    types = measured["phases"].get("nopython_type_inference", 0.0) / whole
    llvm = measured["phases"].get("native_lowering", 0.0) / whole
    return types, llvm, 1 - types - llvm


def main() -> None:
    """Measure and print a table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("games", nargs="*", default=game_ids())
    parser.add_argument("--before", type=Path, help="the folder `src` of another version")
    parser.add_argument("--rounds", type=int, default=3)
    chosen = parser.parse_args()
    versions = [SOURCES] if chosen.before is None else [chosen.before.resolve(), SOURCES]
    print(json.dumps(circumstances()))
    before = ["levels before", "hard before"] if chosen.before else []
    ratio = ["ratio"] if chosen.before else []
    columns = ["game", *before, "levels", "hard", *ratio, "types", "LLVM", "rest"]
    print("| " + " | ".join(columns) + " |\n|" + "---|" * len(columns))
    for game in chosen.games:
        rounds = [[measure(game, sources) for sources in versions] for _ in range(chosen.rounds)]
        cells = []
        for number in range(len(versions)):
            cells += [f"{median(measured[number][part] for measured in rounds):.2f}" for part in ("levels", "hard")]
        if chosen.before:
            whole = [[version["levels"] + version["hard"] for version in measured] for measured in rounds]
            cells.append(f"{median(now / then for then, now in whole):.2f}")
        newest = [shares(measured[-1]) for measured in rounds]
        cells += [f"{median(share[kind] for share in newest):.0%}" for kind in range(3)]
        print(f"| {game} | " + " | ".join(cells) + " |", flush=True)


if __name__ == "__main__":
    main()
