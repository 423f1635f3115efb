"""Gymnasium's own check, and play against opponents."""

from __future__ import annotations

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

from connectoe import game_ids
from connectoe.envs.gymnasium import AgainstOpponent

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("game_id", game_ids())
def test_every_game_passes_the_check_and_is_found_by_name(game_id: str) -> None:
    found = gymnasium.make(f"connectoe/{game_id}-v0", side="random")
    check_env(found.unwrapped, skip_render_check=True)


def test_options_and_opponents_are_keywords() -> None:
    env = gymnasium.make("connectoe/c4-twist-v0", bombs=2, opponent="easy", side="second")
    observation, info = env.reset(seed=1)
    assert info["agent"] == 1
    assert (observation[2] == 2).all()  # two bombs of its own
    assert observation[1].sum() == 1  # the opponent has dropped a disc


@pytest.mark.parametrize("side", ["first", "second"])
def test_with_the_pie_rule_it_passes_the_check(side: str) -> None:
    check_env(gymnasium.make("connectoe/tic-tac-toe-v0", swap="yes", side=side).unwrapped, skip_render_check=True)


def test_the_agent_may_swap_and_plays_on_with_the_other_side() -> None:
    env = AgainstOpponent("connect-four", side="second", swap="yes")
    _, info = env.reset(seed=1)
    assert info["action_mask"].tolist() == [1] * 8
    seen, _, _, _, info = env.step(7)
    assert (info["agent"], info["side"]) == (1, 0)
    assert info["action_mask"].tolist() == [1] * 7 + [0]
    assert (seen[0].sum(), seen[1].sum()) == (1, 1)  # the opponent's first disc is its own; the opponent has answered


def test_after_the_opponent_swaps_an_illegal_move_is_still_the_agents_loss() -> None:
    env = AgainstOpponent("tic-tac-toe", swap="yes")
    for seed in range(100):
        env.reset(seed=seed)
        _, _, _, _, info = env.step(4)
        if info["side"] == 1:
            _, reward, terminated, _, info = env.step(4)
            assert (reward, terminated) == (-1.0, True)
            assert env.match.outcome
            assert env.match.outcome.winner == 0
            return
    raise AssertionError("a random opponent never swapped")


@pytest.mark.parametrize("side", ["first", "second", "random"])
def test_a_random_agent_loses_to_a_good_opponent(side: str) -> None:
    env = AgainstOpponent("tic-tac-toe", opponent="hard", side=side)
    _, info = env.reset(seed=1)
    env.action_space.seed(1)
    rewards: list[float] = []
    while len(rewards) < 20:
        move = env.action_space.sample(mask=info["action_mask"])
        _, reward, terminated, truncated, info = env.step(move)
        assert not truncated
        if terminated:
            assert info["reason"]
            assert not info["action_mask"].any()
            rewards.append(reward)
            _, info = env.reset()
    assert max(rewards) <= 0
    assert sum(rewards) < -10


def test_a_win_is_worth_one() -> None:
    env = AgainstOpponent("connect-four", rows=1, connect=3)
    for seed in range(100):
        env.reset(seed=seed)
        ends = False
        while not ends:
            _, reward, ends, _, info = env.step(int(np.argmax(env.action_masks())))
        if reward == 1:
            assert info["reason"].startswith("three discs")
            return
    raise AssertionError("a random opponent never lost")


def test_the_same_seed_gives_the_same_game() -> None:
    def game() -> list[list[int]]:
        env = AgainstOpponent("connect-four", opponent="easy", side="random")
        seen, info = env.reset(seed=7)
        boards = []
        for _ in range(8):
            seen, _, ended, _, info = env.step(int(np.argmax(info["action_mask"])))
            boards.append(seen.ravel().tolist())
            if ended:
                break
        return boards

    assert game() == game()


def test_an_illegal_move_loses_and_says_why() -> None:
    env = AgainstOpponent("connect-four", rows=1)
    env.reset(seed=1)
    taken = int(np.argmin(env.step(0)[4]["action_mask"]))
    _, reward, terminated, _, info = env.step(taken)
    assert (reward, terminated) == (-1.0, True)
    assert info["illegal"] == "'a' is not legal: column a is full"
    with pytest.raises(ValueError, match="this game is over: reset"):
        env.step(1)


def test_a_game_that_was_truncated_is_over(monkeypatch: pytest.MonkeyPatch) -> None:
    env = AgainstOpponent("connect-four")
    env.reset(seed=1)
    monkeypatch.setattr(type(env.game), "ply_limit", 3)
    env.step(0)
    _, reward, terminated, truncated, info = env.step(1)
    assert (reward, terminated, truncated) == (0.0, False, True)
    assert not info["action_mask"].any()
    assert not env.action_masks().any()
    with pytest.raises(ValueError, match="this game is over: reset"):
        env.step(2)


def test_it_shows_itself(capsys: pytest.CaptureFixture[str]) -> None:
    env = AgainstOpponent("tic-tac-toe", render_mode="ansi")
    env.reset()
    assert "a b c" in env.render()
    env = AgainstOpponent("tic-tac-toe", render_mode="human")
    env.reset()
    env.step(4)
    assert capsys.readouterr().out.count("a b c") == 1


def test_what_cannot_be_is_refused() -> None:
    with pytest.raises(ValueError, match="there is no side 'third'; the sides are: first, second, random"):
        AgainstOpponent("connect-four", side="third")
    with pytest.raises(ValueError, match="there is no player 'nobody'"):
        AgainstOpponent("connect-four", opponent="nobody")
    with pytest.raises(ValueError, match="there is no render mode"):
        AgainstOpponent("connect-four", render_mode="rgb_array")
    with pytest.raises(ValueError, match="has no option 'colour'"):
        AgainstOpponent("connect-four", colour="red")
