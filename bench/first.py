"""How soon a newcomer gets an answer: a server with an empty cache folder, once for each game.

    python bench/first.py                         every game, other sizes and options, and a user's own game
    python bench/first.py semaphores "connect-four cols=5 rows=4" --levels easy,medium,hard

For each game it tells the seconds to the first move of each level and to a first hint, how long until every move of the
start has an exact value (where it gets one within --patience seconds), and how long pages took meanwhile.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import threading
import time
from itertools import cycle
from pathlib import Path
from typing import Any, NamedTuple

import httpx

from connectoe import game_ids, load
from connectoe.client import Server
from connectoe.core.own_games import offering

sys.path.insert(0, str(Path(__file__).parents[1]))
from tests.web.serving import Process

OWN_GAME = Path(__file__).parents[1] / "examples" / "games" / "popout.py"
OTHERS = (
    "connect-four cols=8 rows=5",
    "connect-four cols=9 rows=9",
    "connect-tac-toe cols=5",
    "c4-twist swap=yes",
    str(OWN_GAME),
)
HINT_SECONDS = 1.0


class First(NamedTuple):
    """What somebody who opens a game for the first time waits for, in seconds."""

    game: str
    moves: dict[str, float]
    hint: float
    exact: float | None
    slowest_page: float
    median_page: float


def timed_move(url: str, game: str, options: dict[str, Any], level: str) -> float:
    """Return the seconds until an engine of this level has answered the first move of a new match."""
    seat = Server(url).create(game, options, opponent=level)
    match = next(seat.turns())
    began = time.perf_counter()
    seat.play(match.legal_moves()[len(match.legal_moves()) // 2], match.ply)
    for following in seat.turns():
        if following.ply > match.ply + 1:
            break
        seat.play(following.legal_moves()[0], following.ply)  # the second half of a turn of two moves
    return time.perf_counter() - began


def watch_pages(url: str, game: str, is_over: threading.Event, taken: list[float]) -> None:
    """Load pages again and again, the gallery and those of the game, and note how long each time took."""
    with httpx.Client() as client:
        for page in cycle(("/", f"/rules/{game}", f"/new/{game}", f"/analyse/{game}")):
            if is_over.wait(0.1):
                return
            began = time.perf_counter()
            client.get(url + page).raise_for_status()
            taken.append(time.perf_counter() - began)


def measure(chosen: str, options: dict[str, Any], levels: list[str], patience: float) -> First:
    """Return what a newcomer waits for on a server that has compiled nothing yet; a game is named by id or file."""
    files, game = ([chosen], load(chosen).id) if chosen.endswith(".py") else ([], chosen)
    with tempfile.TemporaryDirectory() as folder, offering(*map(Path, files)):
        os.environ["CONNECTOE_CACHE"] = f"{folder}/cache"
        server = Process(f"sqlite:///{folder}/matches.db", None, "--unlimited", *files)
        is_over, pages = threading.Event(), list[float]()
        watching = threading.Thread(target=watch_pages, args=(server.url, game, is_over, pages))
        try:
            began = time.perf_counter()
            watching.start()
            with httpx.Client(base_url=f"{server.url}/api/v1", timeout=60) as client:
                asked = {"game": game, "options": options, "seconds": HINT_SECONDS}
                client.post("/analyse", json=asked).raise_for_status()
                hint = time.perf_counter() - began
                moves = {level: timed_move(server.url, game, options, level) for level in levels}
                exact = None
                while exact is None and time.perf_counter() - began < patience:
                    found = client.post("/analyse", json=asked).json()
                    if all(candidate["exact"] for candidate in found["candidates"]):
                        exact = time.perf_counter() - began
                    else:
                        time.sleep(0.5)
        finally:
            is_over.set()
            watching.join()
            server.stop()
    name = " ".join([game, *(f"{option}={value}" for option, value in options.items())])
    pages.sort()
    return First(name, moves, hint, exact, pages[-1], pages[len(pages) // 2])


def game_and_options(words: str) -> tuple[str, dict[str, Any]]:
    """Return a game, by id or file, and the options named after it."""
    game, *settings = words.split()
    options = dict(setting.split("=") for setting in settings)
    return game, {name: int(value) if value.isdigit() else value for name, value in options.items()}


def main() -> None:
    """Measure the chosen games and print a table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("games", nargs="*", help="ids or files, each with options; all, if none is named")
    parser.add_argument("--levels", default="easy,medium,hard", help="the levels whose first move is timed")
    parser.add_argument("--patience", type=float, default=40.0, help="seconds to wait for exact values")
    asked = parser.parse_args()
    levels = asked.levels.split(",")
    print(f"| game | {' | '.join(levels)} | hint | all exact | page: median, slowest |")
    print(f"|---|{'--:|' * (len(levels) + 3)}", flush=True)
    for words in asked.games or (*game_ids(), *OTHERS):
        game, options = game_and_options(words)
        first = measure(game, options, levels, asked.patience)
        exact = "–" if first.exact is None else f"{first.exact:.1f} s"
        moves = " | ".join(f"{first.moves[level]:.2f} s" for level in levels)
        pages = f"{1000 * first.median_page:.0f}, {1000 * first.slowest_page:.0f} ms"
        print(f"| {first.game} | {moves} | {first.hint:.2f} s | {exact} | {pages} |", flush=True)


if __name__ == "__main__":
    main()
