"""The openings of the published studies, as the explorer counts them."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import pytest

from connectoe import Match, game_ids, load
from connectoe.web.service.openings import FOLDER, openings

DOCS = Path(__file__).parents[2] / "docs"


def test_moves_are_counted_with_the_score_of_their_player() -> None:
    game = load("connect-four")
    first, *others = openings(game).moves(game.start)
    assert first.move == "d"
    assert first.games + sum(one.games for one in others) <= openings(game).games
    reply = openings(game).moves(game.start.play("d"))[0]
    assert 0 <= reply.share <= 1
    assert sum(one.games for one in openings(game).moves(game.start.play("d"))) <= first.games


def test_lines_that_lead_to_the_same_position_are_counted_together() -> None:
    game = load("tic-tac-toe")
    one, other = game.start.play("b2").play("a1").play("b1"), game.start.play("b1").play("a1").play("b2")
    assert openings(game).moves(one) == openings(game).moves(other) != []


def test_a_variant_has_its_own_openings() -> None:
    known, other, unknown = (openings(load("c4-twist", bombs=bombs)) for bombs in (1, 2, 3))
    assert known.games > 0 < other.games
    assert known.played != other.played
    assert (unknown.games, unknown.played) == (0, {})


@pytest.mark.parametrize("game_id", game_ids())
def test_what_is_packed_is_small_and_can_be_played(game_id: str) -> None:
    file = FOLDER / f"{game_id}.txt"
    assert file.stat().st_size < 60_000
    assert openings(load(game_id)).games > 0


def test_the_maker_counts_games_and_half_points() -> None:
    spec = importlib.util.spec_from_file_location("make_openings", DOCS / "results" / "make_openings.py")
    assert spec
    assert spec.loader
    maker = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(maker)
    matches = []
    for moves in ("a1 b1 a2 b2 a3", "a1 b1 a2 b2 a3", "a1 c1 b2 c3"):
        match = Match(load("tic-tac-toe"))
        for move in moves.split():
            match.play(move)
        if not match.outcome:
            match.agree_draw()
        matches.append(match)
    assert list(maker.lines_of("", matches)) == ["= 3", "1 a1 3 5", "2 b1 2 4", "3 a2 2 4", "4 b2 2 4", "5 a3 2 4"]
