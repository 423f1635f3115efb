"""Confidence intervals, tests of differences, and the correction for many tests.

Everything random has a fixed seed, so the same games always give the same figures. All intervals are 95% intervals.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from statistics import NormalDist
from typing import Any

import numpy as np
from numpy.typing import NDArray

Z95 = 1.959964
"""The standard normal quantile of 95% intervals."""
RESAMPLES = 1000
"""Resamples of a bootstrap."""
SEED = 20_261_115


@dataclass(frozen=True, slots=True)
class Measurement:
    """A value with its 95% interval and the number of games it is based on.

    >>> share_of_games(50, 100)
    Measurement(value=0.5, low=0.403832, high=0.596168, games=100)
    """

    value: float
    low: float
    high: float
    games: int


def measured(value: float, low: float, high: float, games: int) -> Measurement:
    """Return the measurement rounded to six decimals, the precision in which figures are stored."""
    return Measurement(_rounded(value), _rounded(low), _rounded(high), games)


def _rounded(number: float) -> float:
    return round(float(number), 6) + 0.0  # -0.0 becomes 0.0


def wilson_interval(share: float, count: int, variance: float | None = None) -> tuple[float, float]:
    """Return Wilson's interval (1927) of a share seen in `count` trials.

    The variance of a single trial is `share * (1 - share)` unless given; it is smaller if a trial can count half.

    >>> low, high = wilson_interval(0.5, 100)
    >>> round(low, 4), round(high, 4)
    (0.4038, 0.5962)
    """
    if variance is None:
        variance = share * (1 - share)
    scale = 1 + Z95 * Z95 / count
    middle = share + Z95 * Z95 / (2 * count)
    reach = Z95 * math.sqrt(variance / count + Z95 * Z95 / (4 * count * count))
    low = 0.0 if share == 0 else (middle - reach) / scale
    high = 1.0 if share == 1 else (middle + reach) / scale
    return max(0.0, low), min(1.0, high)


def share_of_games(count: int, games: int) -> Measurement | None:
    """Return a share of the games with Wilson's interval, or None without games."""
    return share_of_points(count, 0, games - count)


def share_of_points(won: int, drawn: int, lost: int) -> Measurement | None:
    """Return a share of the points, half a point for a draw, with Wilson's interval; None without games.

    Draws lower the variance in Wilson's formula. Without draws the result equals the share of games won, and a score of
    100% is inside the interval only if every game was won.
    """
    games = won + drawn + lost
    if games == 0:
        return None
    share = (won + drawn / 2) / games
    low, high = wilson_interval(share, games, max(0.0, share * (1 - share) - drawn / games / 4))
    return measured(share, low, high, games)


def widened(measurement: Measurement, number: int) -> Measurement:
    """Return the measurement with an interval that holds for `number` such intervals at once (Bonferroni).

    A value picked as the best of many is likely to be a lucky one, so its own interval is too narrow.
    """
    value, low, high = measurement.value, measurement.low, measurement.high
    factor = 1.0 if number == 1 else NormalDist().inv_cdf(1 - 0.025 / number) / Z95
    low, high = max(0.0, value - factor * (value - low)), min(1.0, value + factor * (high - value))
    return measured(value, low, high, measurement.games)


Groups = Mapping[Any, int]
"""The number of games for each value."""
Statistic = Callable[[NDArray[Any], NDArray[Any]], NDArray[Any]]
"""A statistic of grouped games: takes the value of each group and rows of group sizes, returns one number per row."""


def mean_of(values: NDArray[Any], counts: NDArray[Any]) -> NDArray[Any]:
    """Return the mean for each row of counts."""
    means: NDArray[Any] = counts @ values / counts.sum(axis=-1)
    return means


def deviation_of(values: NDArray[Any], counts: NDArray[Any]) -> NDArray[Any]:
    """Return the standard deviation for each row of counts."""
    games = counts.sum(axis=-1)
    means = counts @ values / games
    deviations: NDArray[Any] = np.sqrt(np.maximum(0.0, counts @ values**2 / games - means**2))
    return deviations


def bootstrap(
    groups: Groups, statistic: Statistic = mean_of, bounds: tuple[float, float] | None = None
) -> Measurement | None:
    """Return a statistic of games counted by value, with its percentile bootstrap interval (Efron 1979).

    Resampling games is drawing the counts from a multinomial distribution, so a million games take no longer than ten.
    If all games have the same value, a bootstrap interval has no width; with `bounds` it is then as wide as Wilson's
    upper limit for the share of other games allows.
    """
    values, counts = _arrays(groups)
    games = int(counts.sum())
    if games == 0:
        return None
    value = float(statistic(values, counts[None, :])[0])
    if len(values) == 1 and bounds and (others := share_of_games(0, games)):
        low, high = (value + (bound - value) * others.high for bound in bounds)
    else:
        draws = np.random.default_rng(SEED).multinomial(games, counts / games, RESAMPLES)
        low, high = np.percentile(statistic(values, draws), [2.5, 97.5])
    return measured(value, low, high, games)


def bootstrap_mean(values: Sequence[float], bounds: tuple[float, float] | None = None) -> Measurement | None:
    """Return the mean of one number per game, with its bootstrap interval."""
    groups: dict[float, int] = {}
    for value in values:
        groups[value] = groups.get(value, 0) + 1
    return bootstrap(groups, bounds=bounds)


def _arrays(groups: Groups) -> tuple[NDArray[Any], NDArray[Any]]:
    ordered = sorted((float(value), int(count)) for value, count in groups.items() if count)
    return np.array([value for value, _ in ordered], float), np.array([count for _, count in ordered], np.int64)


@dataclass(frozen=True, slots=True)
class Difference:
    """A difference of two measurements with its 95% interval and the p-value of the test for no difference.

    >>> gap = share_difference(300, 1000, 250, 1000)
    >>> round(gap.value, 2), gap.p < 0.05
    (0.05, True)
    """

    value: float
    low: float
    high: float
    p: float


def share_difference(first: int, of_first: int, second: int, of_second: int) -> Difference:
    """Compare two shares: two-proportion z test with the pooled share, and Newcombe's interval."""
    pooled = (first + second) / (of_first + of_second)
    error = math.sqrt(pooled * (1 - pooled) * (1 / of_first + 1 / of_second))
    return _difference(*_newcombe(share_of_games(first, of_first), share_of_games(second, of_second)), error)


def score_difference(first: tuple[int, int, int], second: tuple[int, int, int]) -> Difference:
    """Compare two shares of the points, each of games won, drawn and lost: the z test of `mean_difference`, and
    Newcombe's interval.
    """
    won, drawn, lost = (a + b for a, b in zip(first, second, strict=True))
    games = won + drawn + lost
    share = (won + drawn / 2) / games
    variance = (share * (1 - share) - drawn / games / 4) * games / (games - 1)
    error = math.sqrt(max(0.0, variance) * (1 / sum(first) + 1 / sum(second)))
    return _difference(*_newcombe(share_of_points(*first), share_of_points(*second)), error)


def _newcombe(a: Measurement | None, b: Measurement | None) -> tuple[float, float, float]:
    """Return the difference with Newcombe's interval (1998, method 10), made of the intervals of both."""
    assert a
    assert b
    gap = a.value - b.value
    return gap, gap - math.hypot(a.value - a.low, b.high - b.value), gap + math.hypot(a.high - a.value, b.value - b.low)


def mean_difference(first: Groups, second: Groups) -> Difference:
    """Compare two means of counted values: z test with the variance of all games together, and the bootstrap interval
    of the difference, or that of the test if it is wider.

    The pooled variance, as in the test of two shares, keeps a few games with equal values from proving a difference.
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
    p = float(value == 0) if error == 0 else math.erfc(abs(value) / error / math.sqrt(2))
    return Difference(_rounded(value), _rounded(low), _rounded(high), float(f"{p:.4g}"))


def holm(p_values: Sequence[float]) -> list[float]:
    """Return the p-values corrected for their number by Holm's method (1979)."""
    corrected = [0.0] * len(p_values)
    highest = 0.0
    for rank, number in enumerate(sorted(range(len(p_values)), key=lambda i: p_values[i])):
        highest = max(highest, min(1.0, (len(p_values) - rank) * p_values[number]))
        corrected[number] = float(f"{highest:.4g}")
    return corrected
