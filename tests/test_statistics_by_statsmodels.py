"""The statistics agree with statsmodels and scipy on random inputs."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import bootstrap as scipy_bootstrap
from scipy.stats import norm
from statsmodels.stats.multitest import multipletests
from statsmodels.stats.proportion import confint_proportions_2indep, proportion_confint, proportions_ztest
from statsmodels.stats.weightstats import DescrStatsW

from connectoe.statistics import (
    Z95,
    bootstrap,
    bootstrap_mean,
    deviation_of,
    holm,
    mean_difference,
    score_difference,
    share_difference,
    share_of_games,
    share_of_points,
    widened,
    wilson_interval,
)

pytestmark = pytest.mark.slow

ROUNDED = 1.1e-6
"""Figures have six decimals."""


def tables(seed: int, number: int = 500) -> list[tuple[int, int, int, int]]:
    """Random counts of two groups of games: successes and games of each, none and all of them included."""
    dice = np.random.default_rng(seed)
    made = []
    for _ in range(number):
        first, second = (int(games) for games in np.exp(dice.uniform(0, 12, 2)) + 1)
        shares = np.clip(dice.uniform(-0.2, 1.2, 2), 0, 1)
        made.append((int(dice.binomial(first, shares[0])), first, int(dice.binomial(second, shares[1])), second))
    return made


def test_the_quantile_is_that_of_the_normal_distribution() -> None:
    assert pytest.approx(norm.ppf(0.975), abs=5e-7) == Z95


def test_wilson_intervals() -> None:
    for count, games, *_ in tables(seed=1):
        expected = proportion_confint(count, games, method="wilson")
        found = share_of_games(count, games)
        assert found
        assert (found.low, found.high) == pytest.approx(expected, abs=ROUNDED)
        assert wilson_interval(count / games, games) == pytest.approx(expected, abs=ROUNDED)


def test_intervals_of_scores_use_the_variance_of_the_points() -> None:
    dice = np.random.default_rng(2)
    for won, drawn, lost in dice.multinomial(200, dice.dirichlet((1, 1, 1), 300)).tolist():
        found = share_of_points(won, drawn, lost)
        assert found
        points = DescrStatsW([1, 0.5, 0], weights=[won, drawn, lost])
        assert found.value == pytest.approx(points.mean, abs=ROUNDED)
        # Wilson's limits solve (p - mean)² = z²/n · p(1 - p); draws take away from the variance on the right.
        less = (points.mean * (1 - points.mean) - points.var) / (1 + Z95**2 / 200)
        for limit in (found.low, found.high):
            assert (limit - points.mean) ** 2 == pytest.approx(Z95**2 / 200 * (limit * (1 - limit) - less), abs=2e-6)


def test_newcombe_intervals_and_the_test_of_two_shares() -> None:
    for first, of_first, second, of_second in tables(seed=3):
        found = share_difference(first, of_first, second, of_second)
        expected = confint_proportions_2indep(first, of_first, second, of_second, method="newcomb", compare="diff")
        assert (found.low, found.high) == pytest.approx(expected, abs=2 * ROUNDED)
        if 0 < first + second < of_first + of_second:
            _, p = proportions_ztest([first, second], [of_first, of_second])
            assert found.p == pytest.approx(p, rel=2e-3, abs=1e-12)
        else:
            assert found.p == 1


def test_the_tests_of_scores_and_means_use_the_variance_of_all_games() -> None:
    dice = np.random.default_rng(4)
    for _ in range(300):
        sizes = dice.integers(20, 500, 2)
        first, second = (dice.multinomial(size, dice.dirichlet((1, 1, 1))).tolist() for size in sizes)
        points = (1.0, 0.5, 0.0)
        everything = DescrStatsW(points, weights=np.add(first, second), ddof=1)
        gap = DescrStatsW(points, weights=first).mean - DescrStatsW(points, weights=second).mean
        p = 2 * norm.sf(abs(gap) / np.sqrt(everything.var * (1 / sizes[0] + 1 / sizes[1])))
        score = score_difference(tuple(first), tuple(second))
        length = mean_difference(dict(zip(points, first, strict=True)), dict(zip(points, second, strict=True)))
        for found in (score, length):
            assert found.value == pytest.approx(gap, abs=2 * ROUNDED)
            assert found.p == pytest.approx(p, rel=5e-3, abs=1e-12)


@pytest.mark.parametrize("seed", range(4))
def test_bootstrap_intervals(seed: int) -> None:
    lengths = np.random.default_rng(seed).poisson(30, 400).astype(float)
    groups = dict(zip(*(part.tolist() for part in np.unique(lengths, return_counts=True)), strict=True))
    for found, statistic in (
        (bootstrap_mean(lengths.tolist()), np.mean),
        (bootstrap(groups), np.mean),
        (bootstrap(groups, deviation_of), np.std),
    ):
        expected = scipy_bootstrap((lengths,), statistic, method="percentile", rng=np.random.default_rng(seed))
        assert found
        assert found.value == pytest.approx(statistic(lengths), abs=ROUNDED)
        width = expected.confidence_interval.high - expected.confidence_interval.low
        assert found.low == pytest.approx(expected.confidence_interval.low, abs=0.1 * width)
        assert found.high == pytest.approx(expected.confidence_interval.high, abs=0.1 * width)


def test_holm() -> None:
    dice = np.random.default_rng(5)
    for number in (1, 2, 3, 10, 60):  # each call of multipletests collects all garbage, which takes a second here
        p_values = (10 ** dice.uniform(-6, 0, number)).tolist()
        assert holm(p_values) == pytest.approx(multipletests(p_values, method="holm")[1].tolist(), rel=1e-3)


def test_intervals_for_many_have_the_level_of_bonferroni() -> None:
    plain = share_of_points(4800, 1000, 4200)
    assert plain
    for number in (1, 2, 7, 50):
        found = widened(plain, number)
        factor = norm.ppf(1 - 0.025 / number) / norm.ppf(0.975)
        assert found.high - found.value == pytest.approx(factor * (plain.high - plain.value), abs=2 * ROUNDED)
        assert found.value - found.low == pytest.approx(factor * (plain.value - plain.low), abs=2 * ROUNDED)
