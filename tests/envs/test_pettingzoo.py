"""PettingZoo's own tests, and what they do not ask."""

from __future__ import annotations

import random
import warnings
from typing import Any

import pytest
from pettingzoo.test import api_test, seed_test

from connectoe import game_ids, load
from connectoe.envs.pettingzoo import GameEnv, env

pytestmark = pytest.mark.slow


def played(game: GameEnv, moves: str) -> GameEnv:
    game.reset()
    for move in moves.split():
        game.step(game.game.move_from(move))
    return game


@pytest.mark.parametrize("game_id", game_ids())
def test_every_game_passes_the_api_test(game_id: str) -> None:
    with warnings.catch_warnings():
        # It warns of a dict with a mask, which is its own way to tell legal moves, and of an empty board.
        warnings.filterwarnings("ignore", "Observation", UserWarning)
        api_test(env(game_id), num_cycles=60)


@pytest.mark.parametrize("game_id", ["tic-tac-toe", "connect-four", "ultimate-ultimate"])
def test_with_the_pie_rule_it_passes_the_api_test(game_id: str) -> None:
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Observation", UserWarning)
        api_test(env(game_id, swap="yes"), num_cycles=60)


def test_after_a_swap_the_agents_change_sides() -> None:
    game = played(GameEnv(load("connect-four", swap="yes")), "a")
    assert game.action_space("player_1").contains(7)
    assert game.observe("player_1")["action_mask"].tolist() == [1] * 8
    game.step(7)
    assert game.agent_selection == "player_0"
    assert game.observe("player_0")["action_mask"].tolist() == [1] * 7 + [0]
    assert game.observe("player_1")["observation"][0, 5, 0] == 1  # the disc is its own now
    for move in (1, 0, 1, 0, 1, 0):
        game.step(move)
    assert game.rewards == {"player_0": -1, "player_1": 1}


def test_the_seed_test() -> None:
    seed_test(lambda: env("connect-four"), num_cycles=40)


def test_a_random_game_to_its_end() -> None:
    game, choice = env("c4-twist", cols=4, rows=4, bombs=2), random.Random(1)
    for _ in range(20):
        game.reset()
        total = {"player_0": 0, "player_1": 0}
        for agent in game.agent_iter():
            observation, reward, terminated, truncated, info = game.last()
            total[agent] += reward
            if terminated or truncated:
                assert "reason" in info
                game.step(None)
            else:
                game.step(choice.choice([move for move, legal in enumerate(observation["action_mask"]) if legal]))
        assert sum(total.values()) == 0
        assert not game.agents


def test_winner_and_loser() -> None:
    game = played(GameEnv(load("connect-four")), "a b a b a b a")
    assert game.rewards == {"player_0": 1, "player_1": -1}
    assert game.terminations == {"player_0": True, "player_1": True}
    assert game.infos["player_1"] == {"reason": "four discs a1-a4"}


def test_a_draw_by_repetition() -> None:
    game = played(GameEnv(load("shift-tac-toe")), "9 6 9 6")
    assert game.terminations["player_0"]
    assert game.rewards == {"player_0": 0, "player_1": 0}
    assert game.infos["player_0"] == {"reason": "repetition"}


def test_who_moves_twice_running_is_asked_twice() -> None:
    game = played(GameEnv(load("ultimate-ultimate")), "5.5.1")
    assert game.agent_selection == "player_0"
    assert played(game, "5.5.1 +9").agent_selection == "player_1"


def test_only_the_player_to_move_has_legal_moves() -> None:
    game = played(GameEnv(load("tic-tac-toe")), "b2")
    assert game.observe("player_1")["action_mask"].sum() == 8
    assert game.observe("player_0")["action_mask"].sum() == 0
    assert game.observe("player_0")["observation"][0, 1, 1] == 1


def test_a_game_that_lasts_too_long_is_truncated(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(type(load("connect-four")), "ply_limit", 2)
    game = played(GameEnv(load("connect-four")), "a b")
    assert game.truncations == {"player_0": True, "player_1": True}
    assert not any(game.terminations.values())


def test_an_illegal_move_loses_or_raises() -> None:
    with pytest.raises(ValueError, match="'b2' is not legal: there is a mark on b2 already"):
        played(GameEnv(load("tic-tac-toe")), "b2 b2")
    game = env("tic-tac-toe")
    game.reset()
    game.step(4)
    game.step(4)
    assert game.rewards == {"player_0": 0, "player_1": -1}


@pytest.mark.parametrize(("mode", "has"), [("ansi", "2 ·[X]·"), ("svg", "<svg"), (None, None)])
def test_it_shows_itself(mode: str | None, has: str | None) -> None:
    shown: Any = played(GameEnv(load("tic-tac-toe"), mode), "b2").render()
    assert shown is None if has is None else has in shown


def test_for_people_it_is_printed_after_every_move(capsys: pytest.CaptureFixture[str]) -> None:
    played(GameEnv(load("tic-tac-toe"), "human"), "b2 a1")
    assert capsys.readouterr().out.count("a b c") == 2


def test_a_mode_that_there_is_not_is_refused() -> None:
    with pytest.raises(ValueError, match="there is no render mode 'rgb_array'; the modes are: human, ansi, svg"):
        env("tic-tac-toe", render_mode="rgb_array")
