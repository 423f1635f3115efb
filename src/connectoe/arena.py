"""Matches between players: pairs of games from one opening with sides swapped, and what they say about strength."""

from __future__ import annotations

import math
import random
from collections.abc import Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from multiprocessing import get_context
from typing import NamedTuple

from connectoe.errors import ConnectoeError
from connectoe.game import Game
from connectoe.match import Match
from connectoe.players import player

LONGEST = 20_000
"""Moves after which a game is called a draw."""


class Pair(NamedTuple):
    """Two games from one opening; in the first, A is player 0.

    >>> import connectoe
    >>> pair = play_pair(connectoe.load("tic-tac-toe"), ("random", "random"), number=0, seed=1, plies=2)
    >>> len(connectoe.read_matches("".join(pair.records)))
    2
    """

    number: int
    records: tuple[str, str]
    """Both as JSON."""
    points: float
    """What A won of the two points."""
    results: tuple[str, str]


class Standing(NamedTuple):
    """What the games so far say about A against B.

    >>> so_far = standing([Pair(0, ("", ""), 2.0, ("win", "win")), Pair(1, ("", ""), 0.5, ("loss", "draw"))])
    >>> so_far.wins, so_far.draws, so_far.losses, so_far.score
    (2, 1, 1, 0.625)
    """

    games: int
    wins: int
    draws: int
    losses: int
    score: float
    """A's share of the points."""
    low: float
    high: float
    """The 95% interval of the score, from the spread between pairs."""

    @property
    def elo(self) -> tuple[float, float, float]:
        """A's advantage in Elo points, and its interval.

        >>> [round(points) for points in Standing(100, 75, 0, 25, 0.75, 0.66, 0.84).elo]
        [191, 115, 288]
        """
        return elo(self.score), elo(self.low), elo(self.high)


def elo(score: float) -> float:
    """The Elo difference that such a score is expected at.

    >>> round(elo(0.75)), elo(0.5)
    (191, 0.0)
    """
    if score <= 0:
        return -math.inf
    return math.inf if score >= 1 else 400 * math.log10(score / (1 - score))


def opening(game: Game, seed: int, plies: int) -> list[str]:
    """So many random moves that do not end the game and let nobody win at once; fewer if there are no such moves.

    >>> import connectoe
    >>> len(opening(connectoe.load("connect-four"), seed=1, plies=4))
    4
    """
    choice = random.Random(f"{game.id} {game.options_text} {seed}")
    for length in range(plies, -1, -1):
        for _ in range(20):
            match = Match(game)
            while len(match.moves) < length and not match.outcome:
                match.play(choice.choice(match.legal_moves()))
            if not match.outcome and not _wins_at_once(match):
                return match.moves
    return []


def _wins_at_once(match: Match) -> bool:
    rules, position = match.game.rules, match.state.position
    mover = rules.player(position)
    return any(rules.outcome(rules.play(position, move)) == mover for move in rules.legal_moves(position))


def play_pair(game: Game, names: tuple[str, str], number: int, seed: int, plies: int) -> Pair:
    """Two games of A and B from an opening of their own, sides swapped.

    >>> import connectoe
    >>> pair = play_pair(connectoe.load("tic-tac-toe"), ("random", "random"), number=0, seed=1, plies=2)
    >>> pair.points == sum({"win": 1, "draw": 0.5, "loss": 0}[result] for result in pair.results)
    True
    """
    moves = opening(game, seed + number, plies)
    points = 0.0
    records, results = [], []
    for a_is in (0, 1):
        seats = names if a_is == 0 else (names[1], names[0])
        match = Match(game, players=seats, tags={"Round": f"{number + 1}.{a_is + 1}"})
        players = [player(name, game, seed * 1_000_003 + 4 * number + 2 * a_is + i) for i, name in enumerate(seats)]
        for move in moves:
            match.play(move)
        if moves:
            match.comment("opening")
        while match.turn is not None and len(match.moves) < LONGEST:
            match.play(players[match.turn].choose(match))
        if match.outcome is None:
            match.agree_draw()
        winner = match.outcome.winner if match.outcome else None
        points += 0.5 if winner is None else float(winner == a_is)
        results.append("draw" if winner is None else "win" if winner == a_is else "loss")
        records.append(match.to_json())
    return Pair(number, (records[0], records[1]), points, (results[0], results[1]))


def standing(pairs: list[Pair]) -> Standing:
    """What these pairs say.

    >>> first, second = Pair(0, ("", ""), 2.0, ("win", "win")), Pair(1, ("", ""), 1.0, ("win", "loss"))
    >>> standing([first, second]).score
    0.75
    """
    results = [result for pair in pairs for result in pair.results]
    wins, draws, losses = (results.count(result) for result in ("win", "draw", "loss"))
    scores = [pair.points / 2 for pair in pairs]
    mean = sum(scores) / len(scores)
    # One made-up drawn pair keeps the spread from vanishing when all pairs have ended alike.
    spread = math.sqrt((sum((score - mean) ** 2 for score in scores) + 0.25) / len(scores))
    reach = 1.96 * spread / math.sqrt(len(scores))
    return Standing(len(results), wins, draws, losses, mean, max(0.0, mean - reach), min(1.0, mean + reach))


def contest(
    game: Game, a: str, b: str, games: int, *, seed: int = 0, plies: int = 2, processes: int = 1
) -> Iterator[Pair]:
    """The pairs of a match between two players, as they come in.

    >>> import connectoe
    >>> pairs = list(contest(connectoe.load("tic-tac-toe"), "easy", "random", 20))
    >>> standing(pairs).games
    20
    """
    if games < 2 or games % 2:
        raise ConnectoeError(f"games are played in pairs with sides swapped: an even number, not {games}")
    for name in (a, b):
        player(name, game)  # refuses unknown names before anything is played
    numbers = range(games // 2)
    if processes <= 1:
        for number in numbers:
            yield play_pair(game, (a, b), number, seed, plies)
        return
    with ProcessPoolExecutor(processes, mp_context=get_context("spawn")) as pool:
        waiting: set[Future[Pair]] = {pool.submit(play_pair, game, (a, b), n, seed, plies) for n in numbers}
        try:
            while waiting:
                done, waiting = wait(waiting, return_when=FIRST_COMPLETED)
                for job in done:
                    yield job.result()
        finally:
            pool.shutdown(wait=False, cancel_futures=True)
