"""The statistics of a study: intervals, tests, and the correction for many of them.

Whatever is random here has a seed of its own, so that the same games always give the same figures.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from statistics import NormalDist
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

Z95 = 1.959964
RESAMPLES = 1000
"""How often a bootstrap draws the games again."""
SEED = 20_261_115


class Estimate(NamedTuple):
    """A figure with its 95% interval and the number of games it rests on.

    >>> wilson(50, 100)
    Estimate(value=0.5, low=0.403832, high=0.596168, games=100)
    """

    value: float
    low: float
    high: float
    games: int

    @property
    def reach(self) -> float:
        """Half the width of the interval.

        >>> round(wilson(50, 100).reach, 2)
        0.1
        """
        return (self.high - self.low) / 2


def wilson(successes: int, games: int) -> Estimate | None:
    """A share of the games with Wilson's interval (1927); None without games.

    >>> wilson(0, 10)
    Estimate(value=0.0, low=0.0, high=0.277533, games=10)
    >>> wilson(0, 0) is None
    True
    """
    return share_of_points(successes, 0, games - successes)


def share_of_points(won: int, drawn: int, lost: int) -> Estimate | None:
    """A share of the points, a draw being half, with Wilson's interval; None without games.

    Wilson's formula asks how much the games vary, which is `share * (1 - share)` where there are no draws, and less
    where there are. So without draws this is the share of games won, with the same interval; and a score of 100% is
    within it only if nothing but wins was seen.

    >>> share_of_points(5, 10, 5)
    Estimate(value=0.5, low=0.347076, high=0.652924, games=20)
    >>> share_of_points(149, 1, 0).high < 1
    True
    """
    games = won + drawn + lost
    if games == 0:
        return None
    share = (won + drawn / 2) / games
    variance = max(0.0, share * (1 - share) - drawn / games / 4)
    spread = 1 + Z95 * Z95 / games
    middle = share + Z95 * Z95 / (2 * games)
    reach = Z95 * math.sqrt(variance / games + Z95 * Z95 / (4 * games * games))
    low = 0.0 if won + drawn == 0 else (middle - reach) / spread
    high = 1.0 if drawn + lost == 0 else (middle + reach) / spread
    return rounded(Estimate(share, low, high, games))


def for_all_of(number: int, estimate: Estimate) -> Estimate:
    """The estimate of one of so many things, with an interval so wide that the intervals of all of them together hold
    the truth 95 times in a hundred (Bonferroni): what was picked from many for its figure looks better than it is.

    >>> for_all_of(1, Estimate(0.5, 0.4, 0.6, 100))
    Estimate(value=0.5, low=0.4, high=0.6, games=100)
    >>> for_all_of(50, Estimate(0.5, 0.4, 0.6, 100))
    Estimate(value=0.5, low=0.332113, high=0.667887, games=100)
    """
    value, low, high, games = estimate
    wider = 1.0 if number == 1 else NormalDist().inv_cdf(1 - 0.025 / number) / Z95
    low, high = max(0.0, value - wider * (value - low)), min(1.0, value + wider * (high - value))
    return rounded(Estimate(value, low, high, games))


def rounded(estimate: Estimate) -> Estimate:
    """The estimate with six digits behind the point, which is how figures are kept.

    >>> rounded(Estimate(1 / 3, 0.2, 0.5, 9)).value
    0.333333
    """
    value, low, high = (round(float(number), 6) + 0.0 for number in estimate[:3])
    return Estimate(value, low, high, estimate.games)


Statistic = Callable[[NDArray[Any], NDArray[Any]], NDArray[Any]]
"""A figure of games in groups: of the values of the groups, and of rows of how many games are in each."""


def mean_of(values: NDArray[Any], counts: NDArray[Any]) -> NDArray[Any]:
    """The mean, for each row of counts.

    >>> mean_of(np.array([0.0, 1.0]), np.array([[1, 3], [2, 2]])).tolist()
    [0.75, 0.5]
    """
    means: NDArray[Any] = counts @ values / counts.sum(axis=-1)
    return means


def bootstrap(
    groups: Mapping[float, int], statistic: Statistic = mean_of, bounds: tuple[float, float] | None = None
) -> Estimate | None:
    """A figure of games that are counted by value, with its bootstrap interval (Efron 1979, percentiles).

    Drawing games again with replacement is drawing the counts from a multinomial distribution, so a million games take
    no longer than ten. Games that all ended alike are no proof that none ends otherwise, though a bootstrap takes them
    for one: between `bounds`, the interval is then as wide as the share of other games, by Wilson's, may be.

    >>> score = bootstrap({0.0: 30, 0.5: 20, 1.0: 50})
    >>> score.value, 0.5 < score.low < 0.53, 0.67 < score.high < 0.7
    (0.6, True, True)
    >>> bootstrap({1.0: 10}, bounds=(0.0, 1.0))
    Estimate(value=1.0, low=0.722467, high=1.0, games=10)
    >>> bootstrap({}) is None
    True
    """
    values, counts = _arrays(groups)
    games = int(counts.sum())
    if games == 0:
        return None
    value = float(statistic(values, counts[None, :])[0])
    if len(values) == 1 and bounds and (others := wilson(0, games)):
        low, high = (value + (bound - value) * others.high for bound in bounds)
    else:
        draws = np.random.default_rng(SEED).multinomial(games, counts / games, RESAMPLES)
        low, high = np.percentile(statistic(values, draws), [2.5, 97.5])
    return rounded(Estimate(value, float(low), float(high), games))


def bootstrap_values(values: Sequence[float], bounds: tuple[float, float] | None = None) -> Estimate | None:
    """The mean of a list of numbers, one a game, with its bootstrap interval.

    >>> bootstrap_values([1.0, 2.0, 3.0]).value
    2.0
    """
    groups: dict[float, int] = {}
    for value in values:
        groups[value] = groups.get(value, 0) + 1
    return bootstrap(groups, bounds=bounds)


def _arrays(groups: Mapping[float, int]) -> tuple[NDArray[Any], NDArray[Any]]:
    ordered = sorted((float(value), int(count)) for value, count in groups.items() if count)
    return np.array([value for value, _ in ordered], float), np.array([count for _, count in ordered], np.int64)


class Difference(NamedTuple):
    """How far two figures are apart, with its 95% interval, and the p-value: how often chance alone would make a gap as
    large as that, or larger, if there were none in truth.

    >>> gap = share_difference(300, 1000, 250, 1000)
    >>> round(gap.value, 2), gap.p < 0.05
    (0.05, True)
    """

    value: float
    low: float
    high: float
    p: float


def share_difference(first: int, of_first: int, second: int, of_second: int) -> Difference:
    """Two shares compared: the two-proportion z test with the pooled share, and Newcombe's interval.

    >>> share_difference(5, 10, 5, 10).p
    1.0
    >>> share_difference(0, 20, 0, 20)
    Difference(value=0.0, low=-0.161125, high=0.161125, p=1.0)
    """
    pooled = (first + second) / (of_first + of_second)
    error = math.sqrt(pooled * (1 - pooled) * (1 / of_first + 1 / of_second))
    return _difference(*_apart(wilson(first, of_first), wilson(second, of_second)), error)


def score_difference(first: tuple[int, int, int], second: tuple[int, int, int]) -> Difference:
    """Two shares of the points compared, each of games won, drawn and lost: the z test of `mean_difference`, and
    Newcombe's interval.

    >>> score_difference((50, 20, 30), (40, 20, 40)).value
    0.1
    """
    won, drawn, lost = (a + b for a, b in zip(first, second, strict=True))
    games = won + drawn + lost
    share = (won + drawn / 2) / games
    variance = (share * (1 - share) - drawn / games / 4) * games / (games - 1)
    error = math.sqrt(max(0.0, variance) * (1 / sum(first) + 1 / sum(second)))
    return _difference(*_apart(share_of_points(*first), share_of_points(*second)), error)


def _apart(a: Estimate | None, b: Estimate | None) -> tuple[float, float, float]:
    """How far two figures are apart, with the interval that Newcombe (1998, his method 10) makes of theirs."""
    assert a
    assert b
    gap = a.value - b.value
    return gap, gap - math.hypot(a.value - a.low, b.high - b.value), gap + math.hypot(a.high - a.value, b.value - b.low)


def mean_difference(first: Mapping[float, int], second: Mapping[float, int]) -> Difference:
    """Two means of counted values compared: a z test with the variance of all games together, as the test of two shares
    has it, so that a few games that all ended alike prove nothing; and the bootstrap interval of the difference, or
    what that test would take for chance, whichever reaches further.

    >>> mean_difference({10.0: 50, 12.0: 50}, {10.0: 50, 12.0: 50}).value
    0.0
    >>> mean_difference({9.0: 1}, {7.0: 1}).p > 0.05, mean_difference({9.0: 100}, {7.0: 100}).p < 0.001
    (True, True)
    """
    dice = np.random.default_rng(SEED)
    draws, means, sizes = [], [], []
    for groups in (first, second):
        values, counts = _arrays(groups)
        sizes.append(int(counts.sum()))
        draws.append(mean_of(values, dice.multinomial(sizes[-1], counts / sizes[-1], RESAMPLES)))
        means.append(float(mean_of(values, counts[None, :])[0]))
    values, counts = _arrays({value: first.get(value, 0) + second.get(value, 0) for value in {**first, **second}})
    games = sum(sizes)
    variance = float(counts @ (values - counts @ values / games) ** 2) / (games - 1)
    gap = means[0] - means[1]
    low, high = (float(bound) for bound in np.percentile(draws[0] - draws[1], [2.5, 97.5]))
    error = math.sqrt(variance * (1 / sizes[0] + 1 / sizes[1]))
    return _difference(gap, min(low, gap - Z95 * error), max(high, gap + Z95 * error), error)


def _difference(value: float, low: float, high: float, error: float) -> Difference:
    if error == 0:
        return Difference(round(value, 6) + 0.0, round(low, 6) + 0.0, round(high, 6) + 0.0, 1.0 if value == 0 else 0.0)
    p = math.erfc(abs(value) / error / math.sqrt(2))
    return Difference(round(value, 6) + 0.0, round(low, 6) + 0.0, round(high, 6) + 0.0, float(f"{p:.4g}"))


def holm(chances: Sequence[float]) -> list[float]:
    """The chances of many tests, corrected for their number (Holm 1979): each stands for itself at its level then.

    >>> holm([0.01, 0.04, 0.03])
    [0.03, 0.06, 0.06]
    """
    corrected = [0.0] * len(chances)
    highest = 0.0
    for rank, number in enumerate(sorted(range(len(chances)), key=lambda i: chances[i])):
        highest = max(highest, min(1.0, (len(chances) - rank) * chances[number]))
        corrected[number] = float(f"{highest:.4g}")
    return corrected
