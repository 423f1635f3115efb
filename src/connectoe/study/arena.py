"""Matches between players: pairs of games from one opening with sides swapped, and what they say about strength."""

from __future__ import annotations

import json
import math
import random
from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future
from concurrent.futures.process import BrokenProcessPool
from contextlib import ExitStack
from itertools import combinations
from queue import SimpleQueue
from statistics import stdev
from typing import NamedTuple

import numpy as np

from connectoe.engines.interrupt import ctrl_c_for_oneself
from connectoe.errors import ConnectoeError
from connectoe.game import Game, Value
from connectoe.match import Match
from connectoe.players import Player, player
from connectoe.study import running
from connectoe.study.external import PREFIX, SECONDS, ExternalPlayer, Forfeit
from connectoe.study.openings import opening
from connectoe.study.plan import Source, game_from, source_of
from connectoe.study.running import stopping

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
    forfeits: tuple[str, ...] = ()
    """What engines did that lost them a game."""


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


def play_pair(game: Game, names: tuple[str, str], number: int, seed: int, plies: int, seconds: float = SECONDS) -> Pair:
    """Two games of A and B from an opening of their own, sides swapped; `seconds` is what other programs have a move.

    >>> import connectoe
    >>> pair = play_pair(connectoe.load("tic-tac-toe"), ("random", "random"), number=0, seed=1, plies=2)
    >>> pair.points == sum({"win": 1, "draw": 0.5, "loss": 0}[result] for result in pair.results)
    True
    """
    moves = opening(game, seed + number, plies)
    points = 0.0
    records, results, forfeits = [], [], []
    for a_is in (0, 1):
        seats = names if a_is == 0 else (names[1], names[0])
        match = Match(game, players=seats, tags={"Round": f"{number + 1}.{a_is + 1}"})
        for move in moves:
            match.play(move)
        if moves:
            match.comment("opening")
        with ExitStack() as engines:
            players: list[Player] = []
            for seat, name in enumerate(seats):
                if name.startswith(PREFIX):
                    players.append(engines.enter_context(ExternalPlayer(name, game, seconds)))
                else:
                    players.append(player(name, game, seed * 1_000_003 + 4 * number + 2 * a_is + seat))
            forfeit = _play_on(match, players)
        if forfeit:
            forfeits.append(forfeit)
        if match.outcome is None:
            match.agree_draw()
        winner = match.outcome.winner if match.outcome else None
        points += 0.5 if winner is None else float(winner == a_is)
        results.append("draw" if winner is None else "win" if winner == a_is else "loss")
        records.append(match.to_json())
    return Pair(number, (records[0], records[1]), points, (results[0], results[1]), tuple(forfeits))


def _play_on(match: Match, players: Sequence[Player]) -> str | None:
    """Plays a match to its end; what an engine did that ended it, if one did."""
    turn = match.turn
    try:
        for turn, one in enumerate(players):
            if isinstance(one, ExternalPlayer):
                one.new_game(turn)
        while (turn := match.turn) is not None and match.ply < LONGEST:
            match.play(players[turn].choose(match))
    except Forfeit as problem:
        assert turn is not None
        match.resign(turn)
        match.comment(f"forfeit by player {turn}: {problem}")
        return f"{players[turn].name} lost a game: {problem}"
    return None


def _pair_elsewhere(
    source: Source,
    options: Mapping[str, Value],
    names: tuple[str, str],
    number: int,
    seed: int,
    plies: int,
    seconds: float,
) -> Pair:
    """`play_pair` in another process, to which a game of one's own travels as its file."""
    return play_pair(game_from(source, options), names, number, seed, plies, seconds)


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


def different_games(pairs: Iterable[Pair]) -> int:
    """How many of the games are others than all before them.

    >>> import connectoe
    >>> names = "alpha-beta:50", "alpha-beta:2000"
    >>> different_games([play_pair(connectoe.load("tic-tac-toe"), names, 0, seed=1, plies=0)] * 3)
    2
    """
    return len({tuple(json.loads(record)["moves"]) for pair in pairs for record in pair.records})


def check_competitor(name: str, game: Game) -> None:
    """Refuses players that do not exist, and programs that cannot be started, before anything is played.

    >>> import connectoe
    >>> check_competitor("exec:no-such-program", connectoe.load("tic-tac-toe"))
    Traceback (most recent call last):
    connectoe.errors.ConnectoeError: the engine 'exec:no-such-program' cannot be started: No such file or directory
    """
    if name.startswith(PREFIX):
        ExternalPlayer(name, game).close()
    else:
        player(name, game)


def contest(
    game: Game,
    a: str,
    b: str,
    games: int,
    *,
    seed: int = 0,
    plies: int = 2,
    processes: int = 1,
    seconds: float = SECONDS,
) -> Generator[Pair]:
    """The pairs of a match between two players, as they come in.

    >>> import connectoe
    >>> pairs = list(contest(connectoe.load("tic-tac-toe"), "easy", "random", 20))
    >>> standing(pairs).games
    20
    """
    if games < 2 or games % 2:
        raise ConnectoeError(f"games are played in pairs with sides swapped: an even number from 2, not {games}")
    for name in (a, b):
        check_competitor(name, game)
    numbers = range(games // 2)
    if processes <= 1:
        for number in numbers:
            yield play_pair(game, (a, b), number, seed, plies, seconds)
        return
    source, options = source_of(game), game.options
    try:
        with stopping(running.processes(processes)()) as pool:
            # Ctrl-C in the midst of `concurrent.futures.wait` would leave jobs locked, and the pool waiting for them.
            finished: SimpleQueue[Future[Pair]] = SimpleQueue()
            for number in numbers:
                with ctrl_c_for_oneself():  # the first games that are handed out start the processes
                    job = pool.submit(_pair_elsewhere, source, options, (a, b), number, seed, plies, seconds)
                job.add_done_callback(finished.put)
            for _ in numbers:
                yield finished.get().result()
    except BrokenProcessPool:
        raise ConnectoeError("a process that played was lost (too little memory?)") from None


def in_order(pairs: Iterable[Pair]) -> Iterator[Pair]:
    """The pairs by number: each is held back until those before it are there, so that chance alone, and not the speed
    of a game, decides what a stopping rule sees.

    >>> late = [Pair(number, ("", ""), 1.0, ("win", "loss")) for number in (1, 0, 2)]
    >>> [pair.number for pair in in_order(late)]
    [0, 1, 2]
    """
    held: dict[int, Pair] = {}
    following = 0
    for pair in pairs:
        held[pair.number] = pair
        while following in held:
            yield held.pop(following)
            following += 1


class Sprt(NamedTuple):
    """A stopping rule for "is A better than B": Wald's sequential probability ratio test (1945).

    It weighs "A is `high` Elo points better" against "A is only `low` better", pair by pair, with the generalised ratio
    for scores of any kind (Van den Bergh, as used by fishtest), and stops when either is nearly sure.

    >>> rule = Sprt(0, 100)
    >>> pairs = [Pair(number, ("", ""), 2.0 if number % 2 else 1.5, ("win", "draw")) for number in range(20)]
    >>> rule.verdict(pairs)
    'better'
    """

    low: float
    high: float
    error: float = 0.05
    """How often it may be wrong, either way."""

    @property
    def bound(self) -> float:
        """The logarithm of the ratio at which it stops.

        >>> round(Sprt(0, 10).bound, 3)
        2.944
        """
        return math.log((1 - self.error) / self.error)

    def ratio(self, pairs: Sequence[Pair]) -> float:
        """The logarithm of how much likelier these pairs are if A is better by `high` than if only by `low`.

        >>> Sprt(0, 10).ratio([])
        0.0
        """
        if not pairs:
            return 0.0
        low, high = (1 / (1 + 10 ** (-points / 400)) for points in (self.low, self.high))
        scores = [pair.points / 2 for pair in pairs]
        mean = sum(scores) / len(scores)
        # The made-up drawn pair of `standing`, for the same reason.
        variance = (sum((score - mean) ** 2 for score in scores) + 0.25) / len(scores)
        return len(scores) * (high - low) * (2 * mean - low - high) / (2 * variance)

    def verdict(self, pairs: Sequence[Pair]) -> str | None:
        """'better', 'not better', or None while that cannot be said.

        >>> Sprt(0, 10).verdict([]) is None
        True
        """
        ratio = self.ratio(pairs)
        return "better" if ratio >= self.bound else "not better" if ratio <= -self.bound else None


def pairings(players: Sequence[str], against: str | None = None) -> list[tuple[str, str]]:
    """Who plays whom: everybody everybody else, or all of them one.

    >>> pairings(["a", "b", "c"]), pairings(["a", "b"], against="c")
    ([('a', 'b'), ('a', 'c'), ('b', 'c')], [('a', 'c'), ('b', 'c')])
    """
    everybody = [*players, *([against] if against else [])]
    if len(set(everybody)) < len(everybody):
        raise ConnectoeError("each player takes part once")
    if len(everybody) < 2:
        raise ConnectoeError("a tournament needs two players or more")
    return [(name, against) for name in players] if against else list(combinations(players, 2))


class Rating(NamedTuple):
    """A player's Elo points in a tournament, with the 95% interval, and the score that they come from.

    >>> Rating("easy", 120.0, 80.0, 170.0, 15.5, 20).name
    'easy'
    """

    name: str
    elo: float
    low: float
    high: float
    points: float
    games: int


RESAMPLES = 200


def ratings(played: Mapping[tuple[str, str], Sequence[Pair]], anchor: str | None = None) -> list[Rating]:
    """The Elo points of all players, the strongest first: those under which the results are likeliest (Bradley and
    Terry 1952). Their mean is 0, or the anchor's are. Intervals are as wide as their spread in a bootstrap over pairs,
    or as Fisher's information makes them if that is wider: of results nearly all alike a bootstrap makes too much.

    One made-up drawn game between any two who met keeps those who win everything from being infinitely strong.

    >>> pairs = [Pair(n, ("", ""), 1.5, ("win", "draw")) for n in range(10)]
    >>> [(rating.name, round(rating.elo)) for rating in ratings({("a", "b"): pairs, ("b", "c"): pairs})]
    [('a', 180), ('b', 0), ('c', -180)]
    """
    names = list(dict.fromkeys(name for pairing in played for name in pairing))
    best = _likeliest(names, played, anchor)
    errors = _standard_errors(names, played, best, anchor)
    dice = random.Random(0)
    spread: dict[str, list[float]] = {name: [] for name in names}
    for _ in range(RESAMPLES):
        again = {pairing: dice.choices(pairs, k=len(pairs)) for pairing, pairs in played.items()}
        for name, points in _likeliest(names, again, anchor).items():
            spread[name].append(points)
    found = []
    for name in names:
        reach = 1.96 * max(stdev(spread[name]), errors[name])
        mine = [(pair, is_a) for (a, b), pairs in played.items() for pair in pairs if (is_a := name == a) or name == b]
        points = sum(pair.points if is_a else 2 - pair.points for pair, is_a in mine)
        found.append(Rating(name, best[name], best[name] - reach, best[name] + reach, points, 2 * len(mine)))
    return sorted(found, key=lambda rating: (-rating.elo, rating.name))


def _standard_errors(
    names: Sequence[str],
    played: Mapping[tuple[str, str], Sequence[Pair]],
    points: Mapping[str, float],
    anchor: str | None,
) -> dict[str, float]:
    """How far such points may be off, by Fisher's information: what games between equals tell more of."""
    information = np.zeros((len(names), len(names)))
    for (a, b), pairs in played.items():
        score = 1 / (1 + 10 ** ((points[b] - points[a]) / 400))
        i, j = names.index(a), names.index(b)
        information[[i, j], [i, j]] += (2 * len(pairs) + 1) * score * (1 - score)
        information[[i, j], [j, i]] -= (2 * len(pairs) + 1) * score * (1 - score)
    covariance = np.linalg.pinv(information)  # of points whose mean is 0
    zero = np.zeros(len(names))
    if anchor:
        zero[names.index(anchor)] = 1.0
    apart = np.eye(len(names)) - zero
    return {
        name: 400 / math.log(10) * math.sqrt(max(0.0, row @ covariance @ row))
        for name, row in zip(names, apart, strict=True)
    }


def _likeliest(
    names: Sequence[str], played: Mapping[tuple[str, str], Sequence[Pair]], anchor: str | None
) -> dict[str, float]:
    """By Hunter's iteration (2004)."""
    won = dict.fromkeys(names, 0.0)
    met: dict[str, dict[str, float]] = {name: {} for name in names}
    for (a, b), pairs in played.items():
        points = sum(pair.points for pair in pairs)
        won[a] += points + 0.5
        won[b] += 2 * len(pairs) - points + 0.5
        met[a][b] = met[b][a] = 2 * len(pairs) + 1
    strength = dict.fromkeys(names, 1.0)
    for _ in range(2000):
        before = strength
        strength = {
            name: won[name] / sum(games / (before[name] + before[other]) for other, games in met[name].items())
            for name in names
        }
        mean = math.exp(sum(math.log(value) for value in strength.values()) / len(names))
        strength = {name: value / mean for name, value in strength.items()}
        if max(abs(strength[name] - before[name]) / strength[name] for name in names) < 1e-9:
            break
    points_of = {name: 400 * math.log10(value) for name, value in strength.items()}
    zero = points_of[anchor] if anchor else 0.0
    return {name: points - zero + 0.0 for name, points in points_of.items()}
