"""Batches play as matches do."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from connectoe import Match, game_ids, load
from connectoe.core.errors import IllegalMove
from connectoe.core.state import comparable
from connectoe.envs.actions import action_mask, agent_to_move, play_action, winning_agent
from connectoe.envs.batch import GAMES_PER_THREAD, Batch
from connectoe.envs.observing import observed

pytestmark = pytest.mark.slow

ALL = [(game_id, {"tallies": 1} if game_id == "ultimate-ultimate" else {}) for game_id in game_ids()]
OTHERS = [("shift-tac-toe", {"edition": "pressman"}), ("c4-twist", {"cols": 4, "rows": 4, "bombs": 3})]
SWAPS = [("tic-tac-toe", {"swap": "yes"}), ("shift-tac-toe", {"swap": "yes"})]


@pytest.mark.parametrize(("game_id", "options"), [*ALL, *OTHERS, *SWAPS])
def test_every_game_of_a_batch_goes_as_its_match_does(game_id: str, options: dict[str, Any]) -> None:
    game = load(game_id, **options)
    batch = Batch(game, games=5, seed=3)
    matches = [Match(game) for _ in range(5)]
    ended = swaps = 0
    for _ in range(300):
        moves = batch.random_moves()
        now = batch.step(moves)
        for number, move in enumerate(moves.tolist()):
            match = matches[number]
            play_action(match, move)
            outcome = match.outcome
            swaps += match.moves[-1] == "swap"
            assert now.finished[number] == (outcome is not None)
            winner = winning_agent(match)
            rewards = [0, 0] if winner is None else [1, -1] if winner == 0 else [-1, 1]
            assert now.rewards[number].tolist() == rewards
            if outcome:
                ended += 1
                match = matches[number] = Match(game)
            position = match.state.position
            assert comparable(batch.position(number)) == comparable(position)
            assert now.plies[number] == match.ply
            assert now.movers[number] == agent_to_move(match)
            assert (now.masks[number] == action_mask(match)).all()
            assert match.turn is not None
            assert (now.observations[number] == observed(game, position, match.turn)).all()
        assert not now.truncated.any()
    assert ended or game_id == "ultimate-ultimate"
    assert (swaps > 0) == (game.swap == "yes")


def test_a_swap_is_refused_where_it_is_not_legal() -> None:
    batch = Batch(load("connect-four", swap="yes"), games=1)
    with pytest.raises(IllegalMove, match="in game 0: 'swap' is not legal: only the second player may"):
        batch.step([7])
    batch.step([3])
    assert batch.now.masks[0].tolist() == [1] * 8
    now = batch.step([7])
    assert (now.movers.tolist(), now.masks[0].tolist()) == ([0], [1] * 7 + [0])


def test_a_position_that_stands_for_the_third_time_ends_a_game() -> None:
    game = load("shift-tac-toe")
    batch = Batch(game, games=1)
    slides = [game.move_from(move) for move in "9696969"]
    ends = [bool(batch.step([move]).finished[0]) for move in slides]
    assert ends == [False, False, False, True, False, False, False]  # the start stands again after 2 and after 4
    assert not batch.now.rewards.any()


def test_a_game_that_lasts_too_long_is_truncated(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(type(load("connect-four")), "ply_limit", 3)
    batch = Batch(load("connect-four"), games=2)
    told = [batch.step([0, 1]) and (batch.now.finished.tolist(), batch.now.truncated.tolist()) for _ in range(3)]
    assert told == [([False] * 2, [False] * 2)] * 2 + [([True] * 2, [True] * 2)]
    assert batch.now.plies.tolist() == [0, 0]


def test_threads_change_nothing() -> None:
    game, games = load("connect-four"), 3 * GAMES_PER_THREAD + 7
    alone, together = Batch(game, games, seed=9), Batch(game, games, seed=9, threads=3)
    for _ in range(60):
        moves = alone.random_moves()
        assert (moves == together.random_moves()).all()
        mine, theirs = alone.step(moves)._asdict(), together.step(moves)._asdict()
        assert all((mine[name] == theirs[name]).all() for name in mine)


def test_the_seed_decides_about_random_moves() -> None:
    game = load("ultimate")
    first, same, other = Batch(game, 20, seed=1), Batch(game, 20, seed=1), Batch(game, 20, seed=2)
    assert (first.random_moves() == same.random_moves()).all()
    assert (first.random_moves() != other.random_moves()).any()
    first.reset(seed=4)
    same.reset(seed=4)
    assert (first.random_moves() == same.random_moves()).all()


@pytest.mark.parametrize("seed", [-1, 2**63, 2**70, np.int64(5)])
def test_any_int_is_a_seed(seed: int) -> None:
    batch = Batch(load("tic-tac-toe"), games=50, seed=seed)
    assert len(set(batch.random_moves().tolist())) > 5


def test_random_moves_are_spread_over_all_legal_ones() -> None:
    batch = Batch(load("tic-tac-toe"), games=9000, seed=1)
    counts = np.bincount(batch.random_moves(), minlength=9)
    assert counts.min() > 850
    assert counts.max() < 1150


def test_an_illegal_move_is_named_and_no_move_is_played() -> None:
    batch = Batch(load("connect-four", rows=1), games=3)
    batch.step([0, 1, 2])
    with pytest.raises(ValueError, match="in game 2: 'c' is not legal: column c is full"):
        batch.step([1, 2, 2])
    assert batch.now.plies.tolist() == [1, 1, 1]
    with pytest.raises(ValueError, match=r"in game 2: 7 is no move of connect-four: its moves are 0..6"):
        batch.step([1, 2, 7])
    with pytest.raises(ValueError, match=r"-1 is no move of connect-four"):
        batch.step([1, 2, -1])


@pytest.mark.parametrize("moves", [[1, 2], [1.0, 2.0, 3.0], [[1, 2, 3]], 1, ["a", "b", "c"], [True, False, True]])
def test_a_step_takes_an_int_for_every_game(moves: Any) -> None:
    with pytest.raises(ValueError, match="a step of 3 games takes 3 ints"):
        Batch(load("connect-four"), games=3).step(moves)


def test_what_cannot_be_is_refused() -> None:
    game = load("connect-four")
    with pytest.raises(ValueError, match="at least 1 game, not 0"):
        Batch(game, games=0)
    with pytest.raises(ValueError, match="the number of threads is at least 0, not -1"):
        Batch(game, games=1, threads=-1)
    with pytest.raises(ValueError, match=r"the games are 0..1, not 2"):
        Batch(game, games=2).position(2)


def test_a_position_that_was_taken_stays_as_it_was() -> None:
    batch = Batch(load("ultimate-ultimate"), games=1, seed=2)
    batch.step(batch.random_moves())
    taken = batch.position(0)
    before = comparable(taken)
    for _ in range(10):
        batch.step(batch.random_moves())
    assert comparable(taken) == before
    assert not load("ultimate-ultimate").rules.start.boards.any()
