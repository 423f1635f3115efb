"""The statistics of a study: intervals, tests, and the correction for many of them.

Whatever is random here has a seed of its own, so that the same games always give the same figures.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
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
    if games == 0:
        return None
    share = successes / games
    spread = 1 + Z95 * Z95 / games
    middle = share + Z95 * Z95 / (2 * games)
    reach = Z95 * math.sqrt(share * (1 - share) / games + Z95 * Z95 / (4 * games * games))
    low = 0.0 if successes == 0 else (middle - reach) / spread
    high = 1.0 if successes == games else (middle + reach) / spread
    return rounded(Estimate(share, low, high, games))


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
    """How far two figures are apart, with its 95% interval, and how likely chance alone makes such a gap.

    >>> gap = share_difference(300, 1000, 250, 1000)
    >>> round(gap.value, 2), gap.p < 0.05
    (0.05, True)
    """

    value: float
    low: float
    high: float
    p: float


def share_difference(first: int, of_first: int, second: int, of_second: int) -> Difference:
    """Two shares compared: the two-proportion z test with the pooled share, and the unpooled interval.

    >>> share_difference(5, 10, 5, 10).p
    1.0
    """
    a, b = first / of_first, second / of_second
    pooled = (first + second) / (of_first + of_second)
    error = math.sqrt(pooled * (1 - pooled) * (1 / of_first + 1 / of_second))
    reach = Z95 * math.sqrt(a * (1 - a) / of_first + b * (1 - b) / of_second)
    return _difference(a - b, a - b - reach, a - b + reach, error)


def mean_difference(first: Mapping[float, int], second: Mapping[float, int]) -> Difference:
    """Two means of counted values compared: a z test with the variance of all games together, as the test of two shares
    has it, so that a few games that all ended alike prove nothing; and the bootstrap interval of the difference.

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
    low, high = np.percentile(draws[0] - draws[1], [2.5, 97.5])
    error = math.sqrt(variance * (1 / sizes[0] + 1 / sizes[1]))
    return _difference(means[0] - means[1], float(low), float(high), error)


def _difference(value: float, low: float, high: float, error: float) -> Difference:
    if error == 0:
        return Difference(round(value, 6), round(low, 6), round(high, 6), 1.0 if value == 0 else 0.0)
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
