"""The moves played in the published studies: how often, and with what score.

The studies' records are not part of the package. `docs/results/make_openings.py` writes what is needed here to one text
for each game in the folder `openings`: after a heading for each variant, a line for each move of the opening that was
played more than once: its ply, the move, the games, and the first player's points in halves. A line follows the line
of the move before it.
"""

from __future__ import annotations

from collections import Counter
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

from connectoe.core.catalogue import load_known
from connectoe.core.errors import ConnectoeError
from connectoe.core.game import Game
from connectoe.core.state import State, comparable

FOLDER = Path(__file__).parent / "openings"
HEADING = "= "


class StudiedMove(NamedTuple):
    """A move in the games of the studies, and the share of the points of the player who made it."""

    move: str
    games: int
    share: float


class Openings(NamedTuple):
    """The moves played in each position of the openings of a game."""

    games: int
    """How many games were counted; 0 if no study of the game is published."""
    halves: dict[Any, Counter[str]]
    """By position: the first player's points after each move, in halves."""
    played: dict[Any, Counter[str]]
    """By position: how often each move was made."""

    def moves(self, state: State) -> list[StudiedMove]:
        """Return the moves made in a position, the most frequent first."""
        key = comparable(state.position)
        found = []
        for move, games in self.played.get(key, Counter()).most_common():
            first = self.halves[key][move] / 2 / games
            found.append(StudiedMove(move, games, first if state.turn == 0 else 1 - first))
        return found


@lru_cache(maxsize=32)
def openings(game: Game) -> Openings:
    """Return the openings of a game with its options.

    >>> from connectoe import load
    >>> known = openings(load("connect-four"))
    >>> known.moves(load("connect-four").start)[0].move
    'd'
    >>> openings(load("connect-four", cols=5)).games
    0
    """
    file = FOLDER / f"{game.id}.txt"
    found = Openings(0, {}, {})
    if not file.is_file():
        return found
    is_wanted = False
    states: list[State] = []
    for line in file.read_text(encoding="utf-8").splitlines():
        if line.startswith(HEADING):
            games, _, options = line.removeprefix(HEADING).partition(" ")
            is_wanted = _has_options(game, options)
            if is_wanted:
                found = found._replace(games=int(games))
                states = [game.start]
        elif is_wanted:
            ply, move, times, halves = line.split()
            del states[int(ply) :]
            key = comparable(states[-1].position)
            found.played.setdefault(key, Counter())[move] += int(times)
            found.halves.setdefault(key, Counter())[move] += int(halves)
            states.append(states[-1].play(move))
    return found


def _has_options(game: Game, options: str) -> bool:
    """Whether a game is the variant that was studied; an option that is newer than the study has its default."""
    given = dict(part.split("=") for part in options.split())
    try:
        return game == load_known(game.id, **given)
    except ConnectoeError:
        return False
