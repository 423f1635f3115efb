"""An engine for tournaments, in any language: it reads lines and answers with moves.

connectoe arena connect-four easy 'exec:python examples/engine.py'

This one plays the move in the middle of the list of legal moves. docs/studies.md has the protocol.
"""

import sys


def choose(position: str, moves: list[str], legal: list[str]) -> str:
    """Return the move to play. Put your own choice here."""
    return legal[len(legal) // 2]


def main() -> None:
    """Answer line by line until the word quit."""
    position, moves, legal = "", [], []
    for line in sys.stdin:
        word, _, rest = line.strip().partition(" ")
        if word == "game":
            print("ready Middle", flush=True)
        elif word == "position":
            position = rest
        elif word == "moves":
            moves = rest.split()
        elif word == "legal":
            legal = rest.split()
        elif word == "go":
            print(choose(position, moves, legal), flush=True)
        elif word == "quit":
            break


if __name__ == "__main__":
    main()
