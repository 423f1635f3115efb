"""Intervals cover the truth as often as they say, and tests are wrong as seldom as they say."""

from __future__ import annotations

import numpy as np
import pytest

from connectoe.statistics import (
    holm,
    mean_difference,
    score_difference,
    share_difference,
    share_of_games,
    share_of_points,
    widened,
)
from connectoe.study.chunks import PlayedGames, Results
from connectoe.study.measures import advantage, balance, first_score, first_wins


@pytest.mark.parametrize("share", [0.02, 0.127, 0.5849])
@pytest.mark.parametrize("games", [100, 1000])
def test_wilson_intervals_of_simulated_games_cover_the_true_share(share: float, games: int) -> None:
    drawn = np.random.default_rng(1).binomial(games, share, 2000)
    intervals = [interval for wins in drawn.tolist() if (interval := share_of_games(wins, games))]
    covered = sum(interval.low <= share <= interval.high for interval in intervals)
    assert 0.935 <= covered / 2000 <= 0.975


def games_with(won: int, lost: int, drawn: int = 0) -> PlayedGames:
    return PlayedGames(Results(won, lost, drawn))


@pytest.mark.parametrize("shares", [(0.45, 0.15, 0.40), (0.05, 0.9, 0.05), (0.93, 0.04, 0.03), (0.6, 0.0, 0.4)])
@pytest.mark.parametrize("games", [60, 400])
def test_intervals_of_the_score_cover_the_truth_with_many_draws_and_with_few(
    shares: tuple[float, float, float], games: int
) -> None:
    truth = shares[0] + shares[1] / 2
    tables = np.random.default_rng(2).multinomial(games, shares, 1000).tolist()
    scores = [score for won, drawn, lost in tables if (score := share_of_points(won, drawn, lost))]
    assert 0.93 <= sum(score.low <= truth <= score.high for score in scores) / 1000 <= 0.995


def test_without_draws_the_score_is_the_share_of_games_won() -> None:
    games = games_with(148, 2)
    assert first_score(games) == first_wins(games)


def test_a_score_of_all_points_is_not_possible_any_more_after_a_draw_or_a_loss() -> None:
    for score in (share_of_points(148, 0, 2), share_of_points(149, 1, 0)):
        assert score
        assert score.high < 1
    lost = share_of_points(0, 1, 149)
    assert lost
    assert lost.low > 0


def test_games_that_all_ended_alike_leave_room_for_others() -> None:
    assert share_of_points(20, 0, 0) == share_of_games(20, 20)
    drawn = share_of_points(0, 20, 0)
    assert drawn
    assert drawn.low < 0.45 < 0.55 < drawn.high


@pytest.mark.parametrize("share", [0.5, 0.52, 0.7])
@pytest.mark.parametrize("games", [100, 5000])
def test_intervals_of_the_balance_cover_the_truth_of_a_fair_game_and_of_others(share: float, games: int) -> None:
    truth = 1 - abs(2 * share - 1)
    drawn = np.random.default_rng(4).binomial(games, share, 1000).tolist()
    balances = [found for wins in drawn if (found := balance(games_with(wins, games - wins)))]
    covered = sum(found.low - 1e-6 <= truth <= found.high + 1e-6 for found in balances) / 1000
    assert covered >= 0.93
    assert covered <= 0.975 or share == 0.52, "near an even game, either side may be the one ahead"


def test_the_balance_reaches_all_of_it_where_nobody_may_be_ahead() -> None:
    games = games_with(159, 141)
    gap, alike = advantage(games), balance(games)
    assert gap
    assert alike
    assert gap.low < 0 < gap.high
    assert alike.high == 1
    assert alike.low == pytest.approx(1 - gap.high)


def test_the_best_of_many_is_not_mistaken_for_better_than_it_is() -> None:
    # Fifty openings, all of them exactly even: how often are all intervals right, as whoever picks one must hope?
    tables = np.random.default_rng(5).binomial(100, 0.5, (500, 50)).tolist()
    plain = corrected = 0
    for openings in tables:
        scores = [score for won in openings if (score := share_of_games(won, 100))]
        plain += all(score.low <= 0.5 <= score.high for score in scores)
        wide = [widened(score, 50) for score in scores]
        corrected += all(score.low <= 0.5 <= score.high for score in wide)
    assert plain / 500 < 0.3
    assert corrected / 500 > 0.93


def test_games_that_all_ended_alike_on_both_sides_leave_room_for_a_difference() -> None:
    for gap in (share_difference(0, 20, 0, 20), score_difference((0, 20, 0), (0, 20, 0))):
        assert gap.low < -0.05 < 0.05 < gap.high
        assert gap.value == 0
    # All twenty took nine moves here and seven there, which does not make the gap exactly two.
    length = mean_difference({9.0: 20}, {7.0: 20})
    assert length.low < 1.7 < 2.3 < length.high


@pytest.mark.parametrize(("one", "other"), [(0.02, 0.02), (0.3, 0.25), (0.9, 0.5)])
def test_intervals_of_differences_cover_the_truth(one: float, other: float) -> None:
    drawn = np.random.default_rng(6).binomial(80, (one, other), (1000, 2)).tolist()
    gaps = [share_difference(a, 80, b, 80) for a, b in drawn]
    assert sum(gap.low <= one - other <= gap.high for gap in gaps) / 1000 >= 0.93


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
    assert score_difference((2, 0, 0), (0, 0, 2)).p > 0.05
    assert mean_difference({9.0: 100}, {7.0: 100}).p < 1e-6
