"""How many mistakes `hard` makes in Connect Four on the usual board, by the exact solver.

    python bench/connect_four_hard.py [--games 4] [--plies 42] [--random 8]

`hard` plays each opponent with both sides, after up to `--random` random moves, which lead out of its opening book. A
mistake turns a win into a draw or a loss, or a draw into a loss. After every move of `hard` a solver of its own tells
whether the move was one.
"""

from __future__ import annotations

import argparse
import random
import time
from collections import Counter

from connectoe import Match, load
from connectoe.analysis import exact_solver
from connectoe.engines.exact.opening_book import ConnectFourWithBook
from connectoe.players import player

OPPONENTS = ("random", "easy", "mcts:2000")


def main() -> None:
    """Print a line for each opponent."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=4, help="games against each opponent")
    parser.add_argument("--plies", type=int, default=42, help="end each game after this many moves")
    parser.add_argument("--random", type=int, default=8, help="the most random moves before a game")
    chosen = parser.parse_args()
    game = load("connect-four")
    judge = ConnectFourWithBook(game)
    own_solver = exact_solver(game)
    assert own_solver
    for opponent in OPPONENTS:
        moves = 0
        mistakes: Counter[int] = Counter()
        seconds = []
        for number in range(chosen.games):
            own_solver.forget()
            match = Match(game)
            choice = random.Random(number)
            for _ in range(choice.randint(0, chosen.random)):
                match.play(choice.choice(match.legal_moves()))
            hard = player("hard", game, seed=number)
            other = player(opponent, game, seed=number)
            while not match.outcome and len(match.moves) < chosen.plies:
                if match.turn == number % 2:
                    began = time.process_time()
                    move = hard.choose(match)
                    seconds.append(time.process_time() - began)
                    moves += 1
                    if game.move_number(move) not in judge.safe_moves(match.state):
                        mistakes[len(match.moves)] += 1
                        print(f"  mistake: {' '.join(match.moves)}: {move}")
                else:
                    move = other.choose(match)
                match.play(move)
        found = f"{mistakes.total()} mistakes in {moves} moves, by ply {dict(sorted(mistakes.items()))}"
        print(f"{opponent}: {found}; at most {max(seconds):.2f} s of processor time a move", flush=True)


if __name__ == "__main__":
    main()
