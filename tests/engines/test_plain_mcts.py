"""The tree search in plain Python, which plays while nothing is compiled and is the reference of the compiled one."""

from __future__ import annotations

import random
from threading import Event

import pytest

from connectoe import Match, game_ids, load
from connectoe.core.errors import ConnectoeError
from connectoe.engines.engine import Analysis, Limits
from connectoe.engines.mcts import MCTS
from connectoe.engines.plain_mcts import PlainMCTS

FEW = Limits(simulations=300)


@pytest.mark.parametrize("game_id", game_ids())
def test_it_looks_at_every_game_and_at_no_illegal_move(game_id: str) -> None:
    state = load(game_id).start
    found = PlainMCTS(state.game, seed=1).search(state.position, Limits(simulations=20, seconds=5))
    assert {candidate.move for candidate in found.candidates} == set(state.moves())
    assert found.line[0] == found.move


def test_a_win_in_one_is_played_and_a_loss_in_one_avoided() -> None:
    state = load("connect-four").state("7/7/7/XO5/XO5/XO5 X")
    found = PlainMCTS(state.game).search(state.position, Limits(simulations=1))
    assert (state.game.move_text(found.move), found.result, found.plies) == ("a", "win", 1)
    state = load("connect-four").state("7/7/7/3X3/1O1X3/1O1X3 O")
    found = PlainMCTS(state.game, seed=2).search(state.position, FEW)
    assert state.game.move_text(found.move) == "d"


def test_proofs_agree_with_the_compiled_search() -> None:
    game, dice = load("tic-tac-toe"), random.Random(3)
    proven = 0
    for _ in range(40):
        match = Match(game)
        for _ in range(4):
            match.play(dice.choice(match.legal_moves()))
        state = match.state
        plain = PlainMCTS(game, seed=1).search(state.position, Limits(simulations=10_000))
        compiled = MCTS(game, seed=1).search(state.position, Limits(simulations=30_000))
        assert plain.result == compiled.result
        proven += plain.result is not None
    assert proven == 40


@pytest.mark.parametrize("game_id", ["connect-four", "ultimate", "advanced", "shift-tac-toe"])
def test_estimates_agree_with_the_compiled_search(game_id: str) -> None:
    """Both play the same random games on the same tree: their estimates of a position differ by chance alone."""
    state = load(game_id).start

    def average(found: Analysis) -> float:
        visits = sum(candidate.visits for candidate in found.candidates)
        return sum(candidate.share * candidate.visits for candidate in found.candidates) / visits

    limits = Limits(simulations=1000)
    plain = PlainMCTS(state.game, seed=1, exploration=2.0).search(state.position, limits)
    compiled = [
        average(MCTS(state.game, seed=seed, prior=0, trust=0.0, exploration=2.0).search(state.position, limits))
        for seed in range(5)
    ]
    assert min(compiled) - 0.06 < average(plain) < max(compiled) + 0.06


def test_searches_of_one_position_add_to_each_other() -> None:
    state = load("connect-four").start
    engine = PlainMCTS(state.game)
    for expected in (99, 199):
        found = engine.search(state.position, Limits(simulations=100))
        assert sum(candidate.visits for candidate in found.candidates) == expected
    other = state.play("d")
    found = engine.search(other.position, Limits(simulations=100))
    assert sum(candidate.visits for candidate in found.candidates) == 99


def test_it_stops_when_told_even_inside_a_long_game() -> None:
    state = load("ultimate-ultimate").start  # a random game has over two thousand moves
    stop = Event()
    stop.set()
    for limits in (Limits(stop=stop), Limits(seconds=0.0)):
        found = PlainMCTS(state.game).search(state.position, limits)
        assert len(found.candidates) == 729
        assert sum(candidate.visits for candidate in found.candidates) <= 1


def test_what_is_over_is_not_searched_and_a_limit_is_needed() -> None:
    game = load("tic-tac-toe")
    with pytest.raises(ConnectoeError, match="the game is over"):
        PlainMCTS(game).search(game.state("XXX/OO1/3 O").position, FEW)
    with pytest.raises(ConnectoeError, match="needs a limit"):
        PlainMCTS(game).search(game.rules.start, Limits())
