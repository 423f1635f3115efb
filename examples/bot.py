"""A bot that joins a match by its link and plays it to the end.

connectoe serve &
python examples/bot.py http://localhost:8000/matches/ID/join/CODE --level medium
"""

from __future__ import annotations

import argparse

from connectoe.client import join_by_link, match_of
from connectoe.players import player


def main() -> None:
    """Take the seat, then play what a level of Connectoe chooses. Put your own choice there."""
    parser = argparse.ArgumentParser(description="Join a match by its link and play it.")
    parser.add_argument("link", help="the link to join, shown to the person who made the match")
    parser.add_argument("--level", default="medium", help="random, easy, medium, hard or perfect")
    parser.add_argument("--name", default="Bot")
    arguments = parser.parse_args()
    seat = join_by_link(arguments.link, arguments.name)
    for match in seat.turns():
        move = player(arguments.level, match.game).choose(match)
        seat.play(move, match.ply)
        print(f"{match.ply + 1}. {move}", flush=True)
    print(match_of(seat.read()).status)


if __name__ == "__main__":
    main()
