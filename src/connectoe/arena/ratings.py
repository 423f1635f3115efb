"""Strength from the results of games: scores, Elo points, and the test that stops a match early."""

from __future__ import annotations

import math
import random
from collections.abc import Mapping, Sequence
from statistics import stdev
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from connectoe.statistics import Z95

if TYPE_CHECKING:
    from connectoe.arena.tournament import Pair

RESAMPLES = 200


class Standing(NamedTuple):
    """The result of A against B so far.

    >>> from connectoe.arena.tournament import Pair
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
        """A's advantage in Elo points, and its interval."""
        return elo(self.score), elo(self.low), elo(self.high)


def elo(score: float) -> float:
    """Return the difference in Elo points at which this score is expected."""
    if score <= 0:
        return -math.inf
    return math.inf if score >= 1 else 400 * math.log10(score / (1 - score))


def expected_score(points: float) -> float:
    """Return the score that is expected of a player who is this many Elo points stronger."""
    return 1 / (1 + 10 ** (-points / 400))


def standing(pairs: Sequence[Pair]) -> Standing:
    """Return the result of these pairs."""
    results = [result for pair in pairs for result in pair.results]
    wins, draws, losses = (results.count(result) for result in ("win", "draw", "loss"))
    mean, variance = _mean_and_variance(pairs)
    reach = Z95 * math.sqrt(variance) / math.sqrt(len(pairs))
    return Standing(len(results), wins, draws, losses, mean, max(0.0, mean - reach), min(1.0, mean + reach))


def _mean_and_variance(pairs: Sequence[Pair]) -> tuple[float, float]:
    """Of the scores of pairs. A fictitious drawn pair keeps the variance above 0 when all pairs end alike."""
    scores = [pair.points / 2 for pair in pairs]
    mean = sum(scores) / len(scores)
    return mean, (sum((score - mean) ** 2 for score in scores) + 0.25) / len(scores)


class Sprt(NamedTuple):
    """A stopping rule for the question whether A is better than B: Wald's sequential probability ratio test (1945).

    It weighs "A is `high` Elo points better" against "A is only `low` Elo points better", pair by pair, with the
    generalised ratio for scores of any kind (Van den Bergh, as used by fishtest).

    >>> from connectoe.arena.tournament import Pair
    >>> rule = Sprt(0, 100)
    >>> pairs = [Pair(number, ("", ""), 2.0 if number % 2 else 1.5, ("win", "draw")) for number in range(20)]
    >>> rule.verdict(pairs)
    'better'
    """

    low: float
    high: float
    error: float = 0.05
    """The probability of a wrong verdict, either way."""

    @property
    def bound(self) -> float:
        """The log-likelihood ratio at which the test stops."""
        return math.log((1 - self.error) / self.error)

    def ratio(self, pairs: Sequence[Pair]) -> float:
        """Return the log-likelihood ratio of "A is better by `high`" to "A is better by `low`"."""
        if not pairs:
            return 0.0
        low, high = expected_score(self.low), expected_score(self.high)
        mean, variance = _mean_and_variance(pairs)
        return len(pairs) * (high - low) * (2 * mean - low - high) / (2 * variance)

    def verdict(self, pairs: Sequence[Pair]) -> str | None:
        """Return 'better' or 'not better', or None while the test is undecided."""
        ratio = self.ratio(pairs)
        return "better" if ratio >= self.bound else "not better" if ratio <= -self.bound else None


class Rating(NamedTuple):
    """A player's Elo points in a tournament with their 95% interval, and the score they follow from.

    >>> Rating("easy", 120.0, 80.0, 170.0, 15.5, 20).name
    'easy'
    """

    name: str
    elo: float
    low: float
    high: float
    points: float
    games: int


Played = Mapping[tuple[str, str], Sequence["Pair"]]
"""The pairs of games between any two players."""


def ratings(played: Played, anchor: str | None = None) -> list[Rating]:
    """Return the Elo points of all players, strongest first, by maximum likelihood (Bradley and Terry 1952).

    Their mean is 0, or the anchor has 0. Standard errors are those of a bootstrap over pairs or of Fisher's
    information, whichever is larger: a bootstrap of results that are nearly all alike has too little spread. A
    fictitious drawn game between any two who met keeps the points of a player who wins everything finite.
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
        reach = Z95 * max(stdev(spread[name]), errors[name])
        mine = [(pair, is_a) for (a, b), pairs in played.items() for pair in pairs if (is_a := name == a) or name == b]
        points = sum(pair.points if is_a else 2 - pair.points for pair, is_a in mine)
        found.append(Rating(name, best[name], best[name] - reach, best[name] + reach, points, 2 * len(mine)))
    return sorted(found, key=lambda rating: (-rating.elo, rating.name))


def _standard_errors(
    names: Sequence[str], played: Played, points: Mapping[str, float], anchor: str | None
) -> dict[str, float]:
    """Return the standard errors of the points by Fisher's information, of which games between equals have most."""
    information = np.zeros((len(names), len(names)))
    for (a, b), pairs in played.items():
        score = expected_score(points[a] - points[b])
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


def _likeliest(names: Sequence[str], played: Played, anchor: str | None) -> dict[str, float]:
    """Return the points of maximum likelihood, by Hunter's iteration (2004)."""
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
