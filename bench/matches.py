"""Matches of Connectoe's players against open_spiel's MCTSBot."""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor
from statistics import median
from typing import NamedTuple

from openings import opening_moves, openings
from sides import PEER_NAMES, Side, our_side

from connectoe.arena.ratings import Standing, standing
from connectoe.arena.tournament import Pair
from connectoe.terminal.progress import progress_bar


class Disagreement(Exception):
    """The two sides see a position differently."""


class Clocks(NamedTuple):
    """The seconds per move that each side is given."""

    ours: float
    theirs: float


LATER = 1.1
"""The ratio of our mean time per move to the peer's up to which the times count as equal."""


class Thought(NamedTuple):
    """The seconds a side took for its moves, and their number."""

    seconds: float = 0.0
    moves: int = 0

    def plus(self, seconds: float) -> Thought:
        """Return the sum with one more move."""
        return Thought(self.seconds + seconds, self.moves + 1)


def play_game(
    game: str, start: list[int], ours: Side, theirs: Side, ours_is: int, player: str, clocks: Clocks, seed: int
) -> tuple[str, list[Thought]]:
    """Return whether connectoe's player won, drew or lost a game, and the time each side took."""
    moves = list(start)
    thoughts = [Thought(), Thought()]
    ours.ask("begin", game=game, name=player, seconds=clocks.ours, seed=seed)
    while True:
        we_see, they_see = (
            ours.ask("look", game=game, moves=moves),
            theirs.ask("look", game=PEER_NAMES[game], moves=moves),
        )
        if (we_see["result"], we_see["legal"]) != (they_see["result"], sorted(they_see["legal"])):
            raise Disagreement(f"{game} after {moves}: {we_see} here, {they_see} in open_spiel")
        if we_see["result"] is not None:
            return {0: "draw", 1: ("win", "loss")[ours_is], -1: ("loss", "win")[ours_is]}[we_see["result"]], thoughts
        is_ours = len(moves) % 2 == ours_is
        began = time.perf_counter()
        if is_ours:
            chosen = ours.ask("choose", game=game, moves=moves)
        else:
            details = {"seconds": clocks.theirs, "seed": seed + len(moves)}
            chosen = theirs.ask("choose", game=PEER_NAMES[game], moves=moves, **details)
        mover = 0 if is_ours else 1
        thoughts[mover] = thoughts[mover].plus(time.perf_counter() - began)
        moves.append(chosen["move"])


def play_pair(
    game: str, number: int, ours: Side, theirs: Side, player: str, clocks: Clocks, seed: int, plies: int = 2
) -> tuple[Pair, list[Thought]]:
    """Play two games from one opening with sides swapped."""
    start = opening_moves(game, seed + number, plies)
    results, thoughts = [], []
    for ours_is in (0, 1):
        own_seed = 1_000_003 * seed + 1_000 * (2 * number + ours_is)
        result, thought = play_game(game, start, ours, theirs, ours_is, player, clocks, own_seed)
        results.append(result)
        thoughts.append(thought)
    points = sum({"win": 1.0, "draw": 0.5, "loss": 0.0}[result] for result in results)
    total = [
        Thought(first.seconds + second.seconds, first.moves + second.moves)
        for first, second in zip(*thoughts, strict=True)
    ]
    return Pair(number, ("", ""), points, (results[0], results[1])), total


def time_taken(game: str, player: str, seconds: float, seed: int) -> float:
    """Return the seconds per move that our player really takes, at least those it is given; the peer gets as many."""
    taken = []
    with our_side() as ours:
        for moves in openings(game, 6, seed):
            ours.ask("begin", game=game, name=player, seconds=seconds, seed=seed)
            began = time.perf_counter()
            ours.ask("choose", game=game, moves=moves)
            taken.append(time.perf_counter() - began)
    return max(seconds, median(taken[1:]))  # the first may include compiling


def play_match(
    game: str, games: int, player: str, seconds: float, seed: int, peer: str, processes: int, plies: int = 2
) -> tuple[Standing, list[float]]:
    """Return the standing of connectoe's player against MCTSBot, and the mean seconds per move of both."""
    clocks = Clocks(seconds, time_taken(game, player, seconds, seed))
    numbers = iter(range(games // 2))
    pairs: list[Pair] = []
    thoughts: list[list[Thought]] = []

    with progress_bar(f"{game} against open_spiel", games // 2) as step:

        def play_pairs() -> None:
            with our_side() as ours, Side(peer, "open_spiel_side.py") as theirs:
                # Work that is done only once, like compiling, is not part of a game.
                play_pair(game, 0, ours, theirs, player, Clocks(0.01, 0.01), seed, plies)
                for number in numbers:
                    pair, thought = play_pair(game, number, ours, theirs, player, clocks, seed, plies)
                    pairs.append(pair)
                    thoughts.append(thought)
                    step()

        with ThreadPoolExecutor(processes) as pool:
            for job in [pool.submit(play_pairs) for _ in range(processes)]:
                job.result()
    totals = [[thought[side] for thought in thoughts] for side in (0, 1)]
    return standing(pairs), [sum(t.seconds for t in total) / sum(t.moves for t in total) for total in totals]
