"""Exact Connect Four side by side with bitbully, the solver on PyPI, without its opening book.

    python bench/connect_four.py                          positions from random play
    python bench/connect_four.py FILE… [--positions N]    positions from files, the first N of each

A line of a file is a position as the columns played, 1 to 7; a score after it, if there is one, is checked. Both
solvers get the same positions in the same order, one after the other, each in a process of its own, and start each
round with an empty table that they keep from position to position. The rounds alternate; medians are reported.

bitbully is installed from PyPI into bench/.venvs, unless `--peer` names a Python that has it.
"""

from __future__ import annotations

import argparse
import json
import random
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median
from typing import Any

from sides import python_with

RANDOM_POSITIONS = {36: 500, 28: 500, 22: 500, 18: 200, 14: 50}
"""The number of random positions by their number of discs, where no files are given."""
METHODS = ("null_window", "negamax", "mtdf")
"""The search methods of bitbully; the first is its fastest in all but the last few moves."""

Group = tuple[str, list[str], list[int] | None]
"""A name, positions as columns 1..7, and their scores if known."""


def main() -> None:
    """Print the comparison as a table and, if asked, write it as JSON."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="*", type=Path)
    parser.add_argument("--positions", type=int, help="use only this many positions of each file")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--method", choices=METHODS, default=METHODS[0], help="how bitbully searches")
    parser.add_argument("--peer", metavar="PYTHON", help="a Python that has bitbully installed")
    parser.add_argument("--json", type=Path, help="write the figures to this file")
    parser.add_argument("--solve-as", choices=["connectoe", *METHODS], help=argparse.SUPPRESS)
    chosen = parser.parse_args()
    if chosen.solve_as:
        answer_questions(connectoe_solver() if chosen.solve_as == "connectoe" else bitbully_solver(chosen.solve_as))
        return
    groups = [group_in(file, chosen.positions) for file in chosen.files] or random_groups()
    figures = compare(groups, chosen.peer or python_with("bitbully"), chosen.method, chosen.rounds)
    if chosen.json:
        chosen.json.write_text(json.dumps(figures, indent=2) + "\n")


def compare(groups: list[Group], peer_python: str, method: str = METHODS[0], rounds: int = 3) -> list[dict[str, Any]]:
    """Return the microseconds and nodes per position of both solvers for each group, and print them on the way."""
    figures = []
    print(f"{'positions':<24}{'errors':>7}{'connectoe':>17}{'bitbully':>17}{'ratio':>8}{'nodes':>14}{'nodes':>14}")
    with Solver(sys.executable, "connectoe") as ours, Solver(peer_python, method) as theirs:
        for name, positions, known in groups:
            runs = [(ours.solve(positions), theirs.solve(positions)) for _ in range(rounds)]
            our_scores, their_scores = runs[0][0]["scores"], runs[0][1]["scores"]
            expected = known or their_scores
            errors = sum(ours != right for ours, right in zip(our_scores, expected, strict=True))
            our_time, their_time = (median(run[side]["seconds"] for run in runs) / len(positions) for side in (0, 1))
            our_nodes, their_nodes = (runs[0][side]["nodes"] / len(positions) for side in (0, 1))
            ratio = median(theirs["seconds"] / ours["seconds"] for ours, theirs in runs)
            times = f"{our_time * 1e6:>14,.1f} us{their_time * 1e6:>14,.1f} us{ratio:>7.2f}x"
            nodes = f"{our_nodes:>14,.0f}{their_nodes:>14,.0f}"
            print(f"{f'{len(positions)} of {name}':<24}{errors:>7}{times}{nodes}", flush=True)
            figures.append(
                {
                    "positions": name,
                    "count": len(positions),
                    "errors": errors,
                    "connectoe_us": our_time * 1e6,
                    "bitbully_us": their_time * 1e6,
                    "times_faster": ratio,
                    "connectoe_nodes": our_nodes,
                    "bitbully_nodes": their_nodes,
                    "bitbully_method": method,
                    "rounds": rounds,
                }
            )
    return figures


def group_in(file: Path, count: int | None) -> Group:
    """Return the positions of a file, with their scores if it has them."""
    lines = [line.split() for line in file.read_text().splitlines()[:count] if line.strip()]
    has_scores = all(len(fields) == 2 for fields in lines)
    return file.name, [fields[0] for fields in lines], [int(fields[1]) for fields in lines] if has_scores else None


def random_groups(seed: int = 4) -> list[Group]:
    """Return unfinished positions from random games, the same every time."""
    import connectoe

    rules = connectoe.load("connect-four").rules
    choice = random.Random(seed)
    groups: list[Group] = []
    for discs, count in RANDOM_POSITIONS.items():
        positions: list[str] = []
        while len(positions) < count:
            position, moves = rules.start, ""
            while len(moves) < discs and rules.outcome(position) == connectoe.ONGOING:
                move = choice.choice(list(rules.legal_moves(position)))
                position, moves = rules.play(position, move), moves + str(move + 1)
            if rules.outcome(position) == connectoe.ONGOING:
                positions.append(moves)
        groups.append((f"{discs} discs", positions, None))
    return groups


class Solver:
    """A solver in a process of its own."""

    def __init__(self, python: str, solve_as: str) -> None:
        command = [python, __file__, "--solve-as", solve_as]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def solve(self, positions: list[str]) -> dict[str, Any]:
        """Return seconds, nodes and scores."""
        assert self.process.stdin
        assert self.process.stdout
        self.process.stdin.write(json.dumps(positions) + "\n")
        self.process.stdin.flush()
        answer: dict[str, Any] = json.loads(self.process.stdout.readline())
        return answer

    def __enter__(self) -> Solver:
        return self

    def __exit__(self, *problem: object) -> None:
        assert self.process.stdin
        self.process.stdin.close()
        self.process.wait()


# What follows runs in the processes of the solvers.

Start = Callable[[], None]
Read = Callable[[list[int]], Any]
Solve = Callable[[Any], int]
Nodes = Callable[[], int]


def answer_questions(solver: tuple[Start, Read, Solve, Nodes]) -> None:
    """Solve the positions of each line of standard input and answer with a line; reading is not timed."""
    start, read, solve, nodes = solver
    for line in sys.stdin:
        positions = [read([int(column) - 1 for column in moves]) for moves in json.loads(line)]
        solve(positions[0])  # whatever happens only at the first call
        start()
        begin = time.perf_counter()
        scores = [solve(position) for position in positions]
        seconds = time.perf_counter() - begin
        print(json.dumps({"seconds": seconds, "nodes": nodes(), "scores": scores}), flush=True)


def connectoe_solver() -> tuple[Start, Read, Solve, Nodes]:
    """Connectoe's solver."""
    import connectoe
    from connectoe.engines.exact.connect_four import ExactConnectFour

    game = connectoe.load("connect-four")
    solver = ExactConnectFour(game)

    def read(moves: list[int]) -> Any:
        position = game.rules.start
        for move in moves:
            position = game.rules.play(position, move)
        return position

    return solver.forget, read, solver.score, lambda: solver.nodes


def bitbully_solver(method: str) -> tuple[Start, Read, Solve, Nodes]:
    """bitbully's solver."""
    from bitbully import BitBully, Board  # type: ignore[import-not-found, unused-ignore]

    solver = BitBully(opening_book=None)

    def start() -> None:
        solver.reset_transposition_table()
        solver.reset_node_counter()

    return start, Board, getattr(solver, method), solver.get_node_counter


if __name__ == "__main__":
    main()
