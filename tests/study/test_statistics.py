"""Intervals cover the truth as often as they say, and tests are wrong as seldom as they say."""

from __future__ import annotations

import numpy as np
import pytest

from connectoe.study.statistics import bootstrap, holm, mean_difference, share_difference, wilson


@pytest.mark.parametrize("share", [0.02, 0.127, 0.5849])
@pytest.mark.parametrize("games", [100, 1000])
def test_wilson_intervals_of_simulated_games_cover_the_true_share(share: float, games: int) -> None:
    drawn = np.random.default_rng(1).binomial(games, share, 2000)
    intervals = [interval for wins in drawn.tolist() if (interval := wilson(wins, games))]
    covered = sum(interval.low <= share <= interval.high for interval in intervals)
    assert 0.935 <= covered / 2000 <= 0.975


def test_bootstrap_intervals_of_simulated_games_cover_the_true_score() -> None:
    shares = [0.45, 0.15, 0.40]  # won, drawn, lost
    true_score = 0.45 + 0.15 / 2
    tables = np.random.default_rng(2).multinomial(400, shares, 1000).tolist()
    covered = 0
    for won, drawn, lost in tables:
        score = bootstrap({1.0: won, 0.5: drawn, 0.0: lost})
        assert score
        covered += score.low <= true_score <= score.high
    assert 0.925 <= covered / 1000 <= 0.97


def test_games_that_all_ended_alike_leave_room_for_others() -> None:
    score = bootstrap({1.0: 20}, bounds=(0.0, 1.0))
    share = wilson(20, 20)
    assert score
    assert share
    assert (score.low, score.high) == pytest.approx((share.low, share.high), abs=1e-5)


def test_where_there_is_no_difference_one_test_in_twenty_finds_one() -> None:
    dice = np.random.default_rng(3)
    shares = [share_difference(*[int(n) for n in (a, 500, b, 500)]).p for a, b in dice.binomial(500, 0.3, (1000, 2))]
    means = []
    for _ in range(300):
        one, other = (dict(zip((1.0, 2.0, 5.0), dice.multinomial(300, [0.2, 0.5, 0.3]), strict=True)) for _ in "ab")
        means.append(mean_difference(one, other).p)
    assert 0.035 <= sum(p < 0.05 for p in shares) / 1000 <= 0.07
    assert 0.02 <= sum(p < 0.05 for p in means) / 300 <= 0.09


def test_a_real_difference_is_found_with_its_sign() -> None:
    gap = share_difference(600, 1000, 500, 1000)
    assert gap.p < 0.001
    assert 0 < gap.low < gap.value < gap.high


def test_holm_asks_more_of_the_first_than_of_the_last() -> None:
    # Holm 1979: the smallest of four by four, the next by three, …, and never below one before it.
    assert holm([0.005, 0.011, 0.02, 0.04]) == [0.02, 0.033, 0.04, 0.04]
    assert holm([]) == []


def test_a_game_each_proves_no_difference_and_a_hundred_do() -> None:
    # Games that all end alike have no spread of their own, which is no proof after one of them.
    assert mean_difference({9.0: 1}, {7.0: 1}).p > 0.05
    assert mean_difference({1.0: 2}, {0.0: 2}).p > 0.05
    assert mean_difference({9.0: 100}, {7.0: 100}).p < 1e-6
