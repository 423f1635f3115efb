"""How long the exact values of all moves of Connect Four take, at every stage of a game on the usual board.

    python bench/connect_four_plies.py [--positions 10] [--first 0] [--last 41] [--json FILE]

For each number of discs, some positions come from random play and as many from careful play, which makes a line where
it can, stops one where it must, and is random otherwise. Each is solved with the opening book and an empty table: the
score after every move. Last, the empty board is solved without the book. The time is that of the processor, so that
other programs on the machine matter less.
"""

from __future__ import annotations

import argparse
import json
import random
import time
from pathlib import Path
from statistics import median
from typing import Any

from connectoe import ONGOING, Game, load
from connectoe.engines.exact.connect_four import ExactConnectFour
from connectoe.engines.exact.opening_book import ConnectFourWithBook


def main() -> None:
    """Print a line for each number of discs, and a summary."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--positions", type=int, default=10, help="how many of each kind for each number of discs")
    parser.add_argument("--first", type=int, default=0, help="the fewest discs")
    parser.add_argument("--last", type=int, default=41, help="the most discs")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--json", type=Path, help="write the figures to this file")
    chosen = parser.parse_args()
    game = load("connect-four")
    solver = ConnectFourWithBook(game)
    solver.scores(game.start)
    choice = random.Random(chosen.seed)
    figures = []
    everything: list[float] = []
    print(f"{'discs':>5}{'positions':>11}{'median s':>10}{'max s':>8}{'within 1 s':>12}{'million nodes, max':>20}")
    for discs in range(chosen.first, chosen.last + 1):
        seconds, nodes = [], []
        for number in range(2 * chosen.positions):
            position = position_with(game, discs, choice, is_careful=number % 2 == 1)
            solver.forget()
            began = time.process_time()
            solver.scores(position)
            seconds.append(time.process_time() - began)
            nodes.append(solver.nodes)
        everything += seconds
        figures.append({"discs": discs, "seconds": seconds, "nodes": nodes})
        print(
            f"{discs:>5}{len(seconds):>11}{median(seconds):>10.3f}{max(seconds):>8.2f}{within(1, seconds):>12.0%}"
            f"{max(nodes) / 1e6:>20.1f}",
            flush=True,
        )
    print(
        f"all: at most {max(everything):.2f} s, {within(1, everything):.1%} within 1 s, "
        f"{within(10, everything):.1%} within 10 s"
    )
    print_from_scratch(game)
    if chosen.json:
        chosen.json.write_text(json.dumps(figures, indent=2) + "\n")


def print_from_scratch(game: Game) -> None:
    """Solve the empty board without a book, and print what that took."""
    solver = ExactConnectFour(game)
    began = time.process_time()
    score = solver.score(game.rules.start)
    taken = time.process_time() - began
    print(f"the empty board from scratch: score {score}, {solver.nodes / 1e6:.1f} million nodes, {taken:.2f} s")


def within(limit: float, seconds: list[float]) -> float:
    """Return the share that took no longer than this."""
    return sum(taken <= limit for taken in seconds) / len(seconds)


def position_with(game: Game, discs: int, choice: random.Random, *, is_careful: bool) -> Any:
    """Return an unfinished position with this many discs."""
    rules = game.rules
    while True:
        position = rules.start
        for _ in range(discs):
            position = rules.play(position, choice.choice(worth_trying(game, position, is_careful=is_careful)))
            if rules.outcome(position) != ONGOING:
                break
        else:
            return position


def worth_trying(game: Game, position: Any, *, is_careful: bool) -> list[int]:
    """Return the legal moves; in careful play those that do not let the opponent win at once, if there are any."""
    rules = game.rules
    moves = list(rules.legal_moves(position))
    if not is_careful:
        return moves
    careful = []
    for move in moves:
        after = rules.play(position, move)
        replies = rules.legal_moves(after) if rules.outcome(after) == ONGOING else ()
        if all(rules.outcome(rules.play(after, reply)) in (ONGOING, rules.player(position)) for reply in replies):
            careful.append(move)
    # A win at once would end the game, of which more is wanted.
    quiet = [move for move in careful if rules.outcome(rules.play(position, move)) == ONGOING]
    return quiet or careful or moves


if __name__ == "__main__":
    main()
