"""OpenSpiel's own tests, and its algorithms on our games."""

from __future__ import annotations

import numpy as np
import pyspiel
import pytest
from open_spiel.python.algorithms import mcts, minimax
from open_spiel.python.observation import make_observation

from connectoe import game_ids, load
from connectoe.envs.observing import observed
from connectoe.envs.open_spiel import open_spiel_game, register_all

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module", autouse=True)
def known() -> None:
    register_all()
    register_all()  # twice does no harm


@pytest.mark.parametrize("game_id", [game_id for game_id in game_ids() if game_id != "ultimate-ultimate"])
def test_every_game_passes_the_random_test(game_id: str) -> None:
    game = pyspiel.load_game(f"connectoe_{game_id.replace('-', '_')}")
    pyspiel.random_sim_test(game, num_sims=2, serialize=True, verbose=False)


def test_a_game_of_many_moves() -> None:
    state = open_spiel_game("ultimate-ultimate", tallies=1).new_initial_state()
    choice = np.random.default_rng(1)
    for _ in range(100):
        state.apply_action(int(choice.choice(state.legal_actions())))
    assert state.clone().legal_actions() == state.legal_actions()
    assert state.current_player() == state.match.turn


def test_options_are_parameters() -> None:
    game = pyspiel.load_game("connectoe_shift_tac_toe(edition=pressman,both=draw)")
    assert game.game == load("shift-tac-toe", edition="pressman", both="draw")
    assert pyspiel.load_game(str(game)).game == game.game
    with pytest.raises(ValueError, match=r"bombs=9 is out of range"):
        open_spiel_game("c4-twist", bombs=9)


def test_a_loaded_game_keeps_its_options() -> None:
    assert open_spiel_game(load("connect-four", rows=5)).game.rows == 5
    assert open_spiel_game(load("connect-four", rows=5), cols=6).game == load("connect-four", cols=6, rows=5)


def test_minimax_finds_the_value_of_a_game() -> None:
    state = open_spiel_game("tic-tac-toe").new_initial_state()
    for move in "b2 a1 c1 a3".split():
        state.apply_action(load("tic-tac-toe").move_from(move))
    value, move = minimax.alpha_beta_search(state.get_game(), state=state, maximum_depth=9)
    assert (value, state.action_to_string(move)) == (0, "a2")


def test_its_tree_search_finds_a_win() -> None:
    game = open_spiel_game("connect-four")
    state = game.new_initial_state()
    for move in (3, 0, 3, 0, 3, 0):
        state.apply_action(move)
    choice = np.random.RandomState(1)
    bot = mcts.MCTSBot(game, 2, 50, mcts.RandomRolloutEvaluator(1, choice), random_state=choice)
    assert state.action_to_string(bot.step(state)) == "d"


def test_the_end() -> None:
    state = open_spiel_game("connect-four").new_initial_state()
    for move in (0, 1, 0, 1, 0, 1, 0):
        state.apply_action(move)
    assert state.is_terminal()
    assert state.returns() == [1, -1]
    assert state.current_player() == pyspiel.PlayerId.TERMINAL


def test_a_game_that_lasts_too_long_is_drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(type(load("connect-four")), "ply_limit", 2)
    state = open_spiel_game("connect-four").new_initial_state()
    state.apply_action(0)
    state.apply_action(0)
    assert state.is_terminal()
    assert state.returns() == [0, 0]


def test_observations_are_those_of_the_other_environments() -> None:
    game = open_spiel_game("c4-twist")
    state = game.new_initial_state()
    state.apply_action(3)
    observation = make_observation(game)
    for viewer in (0, 1):
        observation.set_from(state, viewer)
        assert (observation.dict["observation"] == observed(game.game, state.match.state.position, viewer)).all()
    assert observation.string_from(state, 0) == "7/7/7/7/7/3X3 O 1 1"


def test_a_clone_shares_the_past_and_not_the_future() -> None:
    state = open_spiel_game("ultimate").new_initial_state()
    state.apply_action(40)
    twin = state.clone()
    assert twin.match.state_at(0) is state.match.state_at(0)
    twin.apply_action(twin.legal_actions()[0])
    assert (state.match.ply, twin.match.ply) == (1, 2)


@pytest.mark.parametrize("game_id", ["tic_tac_toe", "connect_four", "shift_tac_toe"])
def test_with_the_pie_rule_it_passes_the_random_test(game_id: str) -> None:
    pyspiel.random_sim_test(
        pyspiel.load_game(f"connectoe_{game_id}(swap=yes)"), num_sims=6, serialize=True, verbose=False
    )


def test_after_a_swap_players_keep_their_numbers_and_change_sides() -> None:
    game = open_spiel_game("connect-four", swap="yes")
    state = game.new_initial_state()
    assert state.legal_actions() == [0, 1, 2, 3, 4, 5, 6]
    state.apply_action(0)
    before, text = state.clone(), game.make_py_observer().string_from(state, 0)
    assert state.legal_actions()[-1] == 7
    assert state.action_to_string(7) == "swap"
    state.apply_action(7)
    assert (state.current_player(), state.legal_actions()) == (0, [0, 1, 2, 3, 4, 5, 6])
    assert game.make_py_observer().string_from(state, 0) == text + " swapped"
    assert str(state) != str(before)
    observation = make_observation(game)
    observation.set_from(state, 1)
    assert (observation.dict["observation"] == observed(game.game, state.match.state.position, 0)).all()
    for move in (1, 0, 1, 0, 1, 0):
        state.apply_action(move)
    assert state.returns() == [-1, 1]  # the discs in column a are player 1's by now


def test_by_the_pie_rule_who_begins_does_not_win() -> None:
    """With three in line on a 4x3 board, who begins wins; with the pie rule, the other player takes that side over."""
    values = [
        minimax.alpha_beta_search(open_spiel_game("connect-four", cols=4, rows=3, connect=3, swap=swap))[0]
        for swap in ("no", "yes")
    ]
    assert values == [1, -1]
