"""What a learning player sees of every game."""

from __future__ import annotations

import random
import re
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from connectoe import Game, Match, Rules, State, game_ids, load
from connectoe.envs.observing import mask_of, observed, observing_rule, planes_of
from connectoe.games.ultimate_ultimate import UltimateUltimate
from tests.nim import NIM

pytestmark = pytest.mark.slow

each_game = pytest.mark.parametrize("game_id", game_ids())


def seen(state: State, viewer: int) -> dict[str, NDArray[np.int8]]:
    """The planes of a state, by name."""
    return dict(zip(planes_of(state.game).names, observed(state.game, state.position, viewer), strict=True))


def cells(plane: NDArray[np.int8]) -> list[str]:
    return ["".join(".123456789"[number] for number in row) for row in plane.tolist()]


def random_match(game: Game, seed: int, longest: int) -> Match:
    match, choice = Match(game), random.Random(seed)
    while match.turn is not None and match.ply < longest:
        match.play(choice.choice(match.legal_moves()))
    return match


@each_game
def test_every_game_says_what_its_planes_are(game_id: str) -> None:
    game = load(game_id)
    planes = planes_of(game)
    assert planes == game.planes()
    assert game.rules.observe
    assert len(set(planes.names)) == len(planes.names)


@each_game
@pytest.mark.parametrize("seed", range(3))
def test_planes_are_filled_alike_by_python_and_compiled_and_stay_within_their_numbers(game_id: str, seed: int) -> None:
    game = load(game_id)
    planes, match = planes_of(game), random_match(game, seed, longest=300)
    for ply in range(0, match.ply + 1, 1 + match.ply // 20):
        position = match.state_at(ply).position
        for viewer in (0, 1):
            by_python = np.zeros(planes.shape, np.int8)
            observing_rule(game)(position, viewer, by_python)
            assert by_python.min() >= 0
            assert by_python.max() <= planes.highest
            assert (by_python == observed(game, position, viewer)).all()


@each_game
def test_what_is_ones_own_is_the_opponents_from_the_other_side(game_id: str) -> None:
    match = random_match(load(game_id), seed=5, longest=200)
    for ply in range(0, match.ply + 1, 1 + match.ply // 20):
        mine, theirs = seen(match.state_at(ply), 0), seen(match.state_at(ply), 1)
        for name, plane in mine.items():
            if name == "own crown":
                assert (plane == 1 - theirs[name]).all()
            elif name.startswith("own "):
                assert (plane == theirs[name.replace("own ", "opponent's ")]).all()
                assert (theirs[name] == mine[name.replace("own ", "opponent's ")]).all()
            elif not name.startswith("opponent's "):
                assert (plane == theirs[name]).all()


@each_game
def test_positions_that_differ_look_different_to_the_player_to_move(game_id: str) -> None:
    game = load(game_id)
    looks: dict[bytes, str] = {}
    for seed in range(12):
        match = random_match(game, seed, longest=150)
        for ply in range(match.ply):
            state = match.state_at(ply)
            assert state.turn is not None
            # Players to move see the same if everything has changed sides: so the player belongs to it.
            look = bytes([state.turn]) + observed(game, state.position, state.turn).tobytes()
            assert looks.setdefault(look, state.text) == state.text
    assert len(looks) > 20


def test_connect_four_shows_the_top_row_first() -> None:
    state = load("connect-four", cols=4, rows=3, connect=3).start.play("a").play("b").play("a")
    assert cells(seen(state, 0)["own discs"]) == ["....", "1...", "1..."]
    assert cells(seen(state, 0)["opponent's discs"]) == ["....", "....", ".1.."]


def test_c4_twist_shows_how_many_bombs_are_left() -> None:
    state = load("c4-twist", bombs=2).start.play("a").play("*a")
    assert (seen(state, 0)["own bombs"] == 2).all()
    assert (seen(state, 0)["opponent's bombs"] == 1).all()
    assert not seen(state, 0)["own discs"].any()


def test_connect_tac_toe_shows_who_owes_a_disc() -> None:
    state = load("connect-tac-toe").start.play("b1").play("+a1")
    assert (seen(state, 0)["opponent's debt"] == 1).all()
    assert not seen(state, 0)["own debt"].any()
    assert cells(seen(state, 1)["own marks"])[-1] == "1......"


def test_ultimate_shows_where_to_play() -> None:
    state = load("ultimate").start.play("e5")
    assert cells(seen(state, 1)["boards to play on"]) == ["........."] * 3 + ["...111..."] * 3 + ["........."] * 3
    assert cells(seen(state, 1)["opponent's marks"])[4] == "....1...."


def test_ultimate_ultimate_shows_where_the_first_mark_of_a_turn_leads() -> None:
    state = load("ultimate-ultimate").start.play("1.1.2")
    planes = seen(state, 0)
    assert cells(planes["own marks"])[0] == "." * 1 + "1" + "." * 25
    assert cells(planes["first mark"])[0] == ".1." * 9
    assert cells(planes["boards to play on"])[:4] == ["111" + "." * 24] * 3 + ["." * 27]
    state = state.play("+9")  # the opponent goes to the 3x3 board 2 of the 9x9 board 9
    planes = seen(state, 1)
    assert not planes["first mark"].any()
    assert cells(planes["own marks"])[2] == "..1" + "." * 24
    assert cells(planes["boards to play on"])[17:22] == ["." * 27] + ["." * 21 + "111" + "..."] * 3 + ["." * 27]


def test_shift_tac_toe_shows_the_sliders_with_what_stands_outside_the_grid() -> None:
    state = load("shift-tac-toe").start.play("1").play("9")  # the bottom slider takes O's piece out of the grid
    planes = seen(state, 0)
    assert cells(planes["own pieces"]) == [".......", ".......", ".1....."]
    assert cells(planes["holders"]) == ["..11111", "..11111", ".11111."]


def test_advanced_shows_each_piece_which_way_it_faces_and_the_crown() -> None:
    state = load("advanced").start.play("4Nb")
    planes = seen(state, 1)
    assert cells(planes["opponent's 4"]) == ["..1..", ".....", ".....", ".....", "....."]
    assert cells(planes["facing south"]) == cells(planes["opponent's 4"])
    assert not planes["own crown"].any()
    assert (seen(state, 0)["own crown"] == 1).all()


def test_no_move_is_legal_at_the_end() -> None:
    game = load("tic-tac-toe")
    assert not mask_of(game, game.state("XXX/OO1/3 O").position).any()


def test_a_game_that_says_nothing_of_planes_shows_the_bits_of_its_position(tmp_path: Path) -> None:
    file = tmp_path / "nim.py"
    file.write_text(NIM)
    state = load(file).start
    assert planes_of(state.game).names == ("sticks", "turn", "is player 1")
    planes = seen(state, 1)
    assert cells(planes["sticks"])[0].rstrip(".") == "1.1.1"  # 21, its lowest bit first
    assert planes["is player 1"].all()
    assert not seen(state, 0)["is player 1"].any()


def silent_rules(tallies: int) -> Rules:
    return UltimateUltimate.make_rules(tallies)._replace(observe=None)


class Silent(UltimateUltimate):
    make_rules = staticmethod(silent_rules)

    def planes(self) -> None:  # type: ignore[override]
        return None


def test_a_game_with_arrays_that_says_nothing_of_planes_shows_their_bits_too() -> None:
    game = load(Silent)
    state = game.start.play("5.5.5")
    planes = seen(state, 0)
    [boards, *_] = state.position
    for bit in range(32):
        assert np.array_equal(planes[f"boards {bit + 1}"], boards[np.newaxis] >> bit & 1)


@each_game
def test_the_page_names_all_planes_in_their_order(game_id: str) -> None:
    page = (Path(__file__).parents[2] / "docs" / "training.md").read_text()
    [row] = re.findall(rf"^\| {game_id} \| (.*) \| .* \|$", page, re.MULTILINE)
    named = re.sub(r" \([^)]*\)", "", row).split(", ")
    assert tuple(named) == planes_of(load(game_id)).names
