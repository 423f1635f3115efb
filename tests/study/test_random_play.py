"""Random play and theory, held against exact values by plain recursion."""

from __future__ import annotations

from collections import Counter
from math import sqrt
from pathlib import Path
from typing import Any

import pytest

from connectoe import Game, load, read_matches
from connectoe.engines.playouts import play_out
from connectoe.study.plan import chunks_of, make_plan
from connectoe.study.playing import ending_of, play_chunk, theory_of
from connectoe.study.random_games import random_games, random_moves
from tests.plain_minimax import plain_result
from tests.study.plain_random_play import exact_chances
from tests.study.studying import figures_of

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
    measures = variant["pairings"][0]["measures"]
    for name, exact in (("first_wins", 0.5849), ("second_wins", 0.2881), ("draws", 0.1270)):
        assert measures[name]["low"] < exact < measures[name]["high"], name
        assert measures[name]["high"] - measures[name]["low"] < 0.003
    assert measures["first_score"]["low"] < 0.5849 + 0.1270 / 2 < measures["first_score"]["high"]


@pytest.mark.parametrize("game", small_games())
def test_small_games_at_random_have_their_exact_chances(game: Game) -> None:
    games = 200_000
    _, chunk = chunks_of(make_plan([game], ["random"], games, seed=1, records=0, evaluated=0))
    results = play_chunk(chunk)["results"]
    for count, chance in zip(results, exact_chances(game), strict=True):
        assert abs(count / games - chance) <= 4 * sqrt(chance * (1 - chance) / games)


@pytest.mark.parametrize("game", small_games()[:3])
def test_theory_is_what_plain_recursion_finds(game: Game) -> None:
    theory = theory_of(game)
    assert theory
    result, plies = plain_result(game, game.rules.start)
    assert theory["value"] == result
    if result != "draw":
        assert theory["plies"] == plies
    assert set(theory["moves"]) == set(game.start.legal_moves())


def test_connect_four_is_won_by_the_first_player_in_41() -> None:
    theory = theory_of(load("connect-four"))
    assert theory
    assert (theory["value"], theory["plies"]) == ("win", 41)
    assert theory_of(load("ultimate")) is None


@pytest.mark.parametrize("game_id", ["ultimate", "connect-tac-toe"])
def test_a_study_counts_the_games_that_playouts_play(game_id: str) -> None:
    game = load(game_id)
    ours, theirs = random_games(game, 2000, seed=4), play_out(game, 2000, seed=4)
    for name in ("results", "lengths", "endings"):
        assert (getattr(ours, name) == getattr(theirs, name)).all()
    written = random_moves(game, 50, seed=4)
    assert [len(moves) for moves in written] == ours.lengths[:50].tolist()
    assert [moves[0] for moves in written] == ours.openings[:50].tolist()


@pytest.mark.parametrize("options", [{"edition": "sliders"}, {"edition": "pressman"}])
def test_a_random_game_is_a_match_and_ends_when_a_position_stands_for_the_third_time(options: dict[str, Any]) -> None:
    [chunk] = list(chunks_of(make_plan([load("shift-tac-toe", **options)], ["random"], 200, seed=2, evaluated=0)))[1:]
    counted = play_chunk(chunk)
    matches = read_matches("\n".join(counted["records"]))
    assert Counter(ending_of(match) for match in matches) == Counter(counted["endings"])
    assert Counter(str(match.ply) for match in matches) == Counter(counted["lengths"])
    assert counted["endings"]["repetition"] > 5
