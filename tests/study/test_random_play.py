"""Random play and theory, held against exact values by plain recursion."""

from __future__ import annotations

from collections import Counter
from math import sqrt
from pathlib import Path
from typing import Any

import pytest

from connectoe import Game, load, read_matches
from connectoe.engines.playouts import play_out
from connectoe.study.chunks import PlayedGames
from connectoe.study.plan import chunks_of, make_plan
from connectoe.study.playing import play_chunk
from connectoe.study.random_games import random_games, random_moves
from connectoe.study.samples import ending_of
from connectoe.study.theory import theory_of
from tests.plain_minimax import plain_result
from tests.study.plain_random_play import (
    chance_that_the_first_player_wins_semaphores,
    chances_of_matches,
    exact_chances,
)
from tests.study.studying import figures_of

pytestmark = pytest.mark.slow

SMALL_GAMES: list[tuple[str, dict[str, Any]]] = [
    ("tic-tac-toe", {}),
    ("connect-four", {"cols": 4, "rows": 4}),
    ("c4-twist", {"cols": 3, "rows": 3, "connect": 3}),
    ("connect-tac-toe", {"cols": 3, "rows": 3, "discs": 3}),
    ("connect-tac-toe", {"cols": 3, "rows": 3, "discs": 3, "drop": "any-gap", "stuck": "free"}),
]


def small_games() -> list[Any]:
    games = [load(game_id, **options) for game_id, options in SMALL_GAMES]
    return [pytest.param(game, id=repr(game)) for game in games]


def test_tic_tac_toe_at_random_is_won_by_58_lost_by_29_and_drawn_by_13_of_a_hundred(tmp_path: Path) -> None:
    variant = figures_of(load("tic-tac-toe"), ["random"], 1_000_000, tmp_path, seed=3)
    measures = variant.pairings[0].measures
    for name, exact in (("first_wins", 0.5849), ("second_wins", 0.2881), ("draws", 0.1270)):
        found = measures[name]
        assert found
        assert found.low < exact < found.high, name
        assert found.high - found.low < 0.003
    score = measures["first_score"]
    assert score
    assert score.low < 0.5849 + 0.1270 / 2 < score.high


def counted(game: Game, games: int, seed: int = 1) -> PlayedGames:
    """Return what a study counts of this many random games."""
    _, chunk = chunks_of(make_plan([game], ["random"], games, seed=seed, records=0, evaluated=0))
    result = play_chunk(chunk).games
    assert result
    return result


def is_near(count: int, games: int, chance: float) -> bool:
    """Whether that many of the games are what such a chance makes likely: within four standard deviations."""
    return abs(count - games * chance) <= 4 * sqrt(games * chance * (1 - chance)) + 1


@pytest.mark.parametrize("game", small_games())
def test_small_games_at_random_have_their_exact_chances_and_lengths(game: Game) -> None:
    games = 200_000
    found, exact = counted(game, games), exact_chances(game)
    assert sum(map(sum, exact)) == pytest.approx(1)
    for result, chances in zip(found.results, zip(*exact, strict=True), strict=True):
        assert is_near(result, games, sum(chances))
    for length, chance in enumerate(map(sum, exact)):
        assert is_near(found.lengths.get(length, 0), games, chance)


def test_semaphores_at_random_has_its_exact_chances() -> None:
    first, second, drawn = counted(load("semaphores", rows=3, cols=3), 200_000).results
    assert drawn == 0
    assert is_near(first, first + second, chance_that_the_first_player_wins_semaphores())


@pytest.mark.parametrize(("edition", "moves"), [("sliders", 6), ("pressman", 5)])
def test_shift_tac_toe_at_random_is_over_early_by_lines_and_repetition_as_often_as_it_must(
    edition: str, moves: int
) -> None:
    games = 200_000
    game = load("shift-tac-toe", edition=edition)
    lengths = counted(game, games).lengths
    chances = chances_of_matches(game, moves)
    assert chances[4] > 0  # to and fro and to and fro: the start stands for the third time
    for length, chance in enumerate(chances):
        assert is_near(lengths.get(length, 0), games, chance)


def test_random_games_that_may_go_round_in_circles_have_their_exact_chances() -> None:
    game = load("shift-tac-toe", edition="pressman")
    chances = [sum(part) for part in zip(*exact_chances(game), strict=True)]
    assert sum(chances) == pytest.approx(1)
    games = 200_000
    played = play_out(game, games, seed=1)  # without regard to repetition
    for result in (0, 1):
        assert is_near(int((played.results == result).sum()), games, chances[result])


@pytest.mark.parametrize("game", small_games()[:3])
def test_theory_is_what_plain_recursion_finds(game: Game) -> None:
    theory = theory_of(game)
    assert theory
    result, plies = plain_result(game, game.rules.start)
    assert theory.value == result
    if result != "draw":
        assert theory.plies == plies
    assert set(theory.moves) == set(game.start.legal_moves())


def test_connect_four_is_won_by_the_first_player_in_41() -> None:
    theory = theory_of(load("connect-four"))
    assert theory
    assert (theory.value, theory.plies) == ("win", 41)
    assert theory_of(load("ultimate")) is None


@pytest.mark.parametrize("game_id", ["ultimate", "connect-tac-toe"])
def test_a_study_counts_the_games_that_playouts_play(game_id: str) -> None:
    game = load(game_id)
    ours, theirs = random_games(game, 2000, seed=4), play_out(game, 2000, seed=4)
    for name in ("results", "lengths", "endings"):
        assert (getattr(ours, name) == getattr(theirs, name)).all()
    written = random_moves(game, 300, seed=4)  # more than share a stream of random numbers
    assert [len(moves) for moves in written] == ours.lengths[:300].tolist()
    assert [moves[0] for moves in written] == ours.openings[:300].tolist()


@pytest.mark.parametrize("options", [{"edition": "sliders"}, {"edition": "pressman"}])
def test_a_random_game_is_a_match_and_ends_when_a_position_stands_for_the_third_time(options: dict[str, Any]) -> None:
    [chunk] = list(chunks_of(make_plan([load("shift-tac-toe", **options)], ["random"], 200, seed=2, evaluated=0)))[1:]
    counted = play_chunk(chunk).games
    assert counted
    matches = read_matches("\n".join(counted.records))
    assert Counter(ending_of(match) for match in matches) == Counter(counted.endings)
    assert Counter(match.ply for match in matches) == Counter(counted.lengths)
    assert counted.endings["repetition"] > 5
