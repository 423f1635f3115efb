"""Monte Carlo tree search."""

from __future__ import annotations

import math
import random
import time
from collections.abc import Iterator
from threading import Event, Timer

import pytest

from connectoe import DRAWN, ONGOING, Game, State, game_ids, load, player
from connectoe.engines import mcts
from connectoe.engines.engine import Limits
from connectoe.engines.mcts import MCTS
from connectoe.engines.mcts_simulations import LOST, UNTRIED
from tests.plain_minimax import plain_result
from tests.playing import after

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("game_id", game_ids())
def test_it_finds_a_legal_move_in_every_game(game_id: str) -> None:
    game = load(game_id)
    found = MCTS(game, seed=1).search(game.rules.start, Limits(simulations=200))
    assert sorted(candidate.move for candidate in found.candidates) == sorted(game.rules.legal_moves(game.rules.start))
    assert 150 <= sum(candidate.visits for candidate in found.candidates) <= 200


def positions_with_a_win_in_one(game: Game, count: int) -> Iterator[tuple[State, list[int]]]:
    """Positions that random play comes to, with the moves that win at once; none in a game that no mover ever wins."""
    choice = random.Random(3)
    found = 0
    for _ in range(20 * count):
        state = game.start
        while not state.outcome and found < count:
            mover = game.rules.player(state.position)
            wins = [m for m in state.moves() if game.rules.outcome(game.rules.play(state.position, m)) == mover]
            if wins:
                found += 1
                yield state, wins
                break
            state = state.play(choice.choice(state.moves()))


@pytest.mark.parametrize("game_id", game_ids())
def test_it_never_misses_a_win_in_one(game_id: str) -> None:
    tried = list(positions_with_a_win_in_one(load(game_id), 5))
    for number, (state, wins) in enumerate(tried):
        found = MCTS(state.game, seed=number).search(state.position, Limits(simulations=1))
        assert found.move in wins
        assert (found.result, found.plies) == ("win", 1)
    assert len(tried) in (0, 5)  # in a game like Notakto, no move ever wins


def test_the_same_seed_finds_the_same_with_one_thread() -> None:
    game = load("connect-four")
    one, two = (MCTS(game, seed=4).search(game.rules.start, Limits(simulations=5000)) for _ in range(2))
    other = MCTS(game, seed=5).search(game.rules.start, Limits(simulations=5000))
    assert one == two
    assert one != other


def test_several_threads_share_the_simulations() -> None:
    game = load("connect-four")
    found = MCTS(game, seed=4, threads=3).search(game.rules.start, Limits(simulations=3001))
    assert 2990 <= sum(candidate.visits for candidate in found.candidates) <= 3001
    assert game.move_text(found.move) in "cde"


def test_the_tree_is_kept_between_moves() -> None:
    game = load("connect-four")
    engine = MCTS(game, seed=4)
    engine.search(game.rules.start, Limits(simulations=20_000))
    state = game.start.play("d").play("d")
    found = engine.search(state.position, Limits(simulations=100))
    assert sum(candidate.visits for candidate in found.candidates) > 1000
    elsewhere = after(game, "a a a a")
    found = engine.search(elsewhere.position, Limits(simulations=100))
    assert sum(candidate.visits for candidate in found.candidates) <= 100


def test_a_kept_tree_is_the_tree_it_was() -> None:
    game = load("tic-tac-toe")
    engine = MCTS(game, seed=4)
    before = engine.search(game.rules.start, Limits(simulations=4000))
    child = engine.search(game.start.play("b2").position, Limits(simulations=0))
    visits = {candidate.move: candidate.visits for candidate in before.candidates}
    assert visits[4] - 2 <= sum(candidate.visits for candidate in child.candidates) <= visits[4]


@pytest.mark.parametrize("moves", ["", "a1", "b2", "a1 b2", "a1 b2 c3", "a1 c3 a3", "b2 b1", "a1 b1", "a1 a2 b2"])
def test_proven_results_of_tic_tac_toe_are_right(moves: str) -> None:
    state = after("tic-tac-toe", moves)
    found = MCTS(state.game, seed=2).search(state.position, Limits(simulations=60_000))
    for candidate in found.candidates:
        if candidate.result:
            expected, _ = plain_result(state.game, state.game.rules.play(state.position, candidate.move))
            # The result of the position after the move is the opponent's.
            assert candidate.result == {"win": "loss", "loss": "win", "draw": "draw"}[expected]
    if found.result:
        assert found.result == plain_result(state.game, state.position)[0]


def test_a_forced_win_is_proven() -> None:
    state = after("connect-four", "d a e a")  # X has d1 e1 with both ends open
    found = MCTS(state.game, seed=1).search(state.position, Limits(simulations=20_000))
    assert found.result == "win"
    assert found.plies == 3


def test_players_who_move_twice_running_are_understood() -> None:
    game = load("ultimate-ultimate", tallies=1)
    state = game.start.play("5.5.5")
    assert state.turn == 0
    found = MCTS(game, seed=1).search(state.position, Limits(simulations=300))
    assert 0.3 < found.share <= 1


def test_no_time_and_a_stop_still_give_a_legal_move() -> None:
    game = load("ultimate")
    engine = MCTS(game)
    assert engine.search(game.rules.start, Limits(simulations=0)).move in range(81)
    assert engine.search(game.rules.start, Limits(seconds=0)).move in range(81)
    stop = Event()
    Timer(0.1, stop.set).start()
    assert engine.search(game.rules.start, Limits(stop=stop)).move in range(81)


def test_seconds_bound_a_search() -> None:
    game = load("ultimate")
    engine = MCTS(game)
    engine.search(game.rules.start, Limits(simulations=10))
    begun = time.perf_counter()
    engine.search(game.rules.start, Limits(seconds=0.2))
    assert time.perf_counter() - begun >= 0.2


def test_what_cannot_be_searched_is_refused() -> None:
    won = after("tic-tac-toe", "a1 a2 b1 b2 c1")
    with pytest.raises(ValueError, match="the game is over"):
        MCTS(won.game).search(won.position, Limits(simulations=10))
    with pytest.raises(ValueError, match="needs a limit"):
        MCTS(won.game).search(won.game.rules.start, Limits())


def test_a_tree_grows_as_needed() -> None:
    game = load("ultimate")
    engine = MCTS(game, seed=1)
    engine.search(game.rules.start, Limits(simulations=100_000))
    assert engine.trees[0].used[0] > 1 << 16
    assert int(engine.trees[0].nodes[0]["visits"]) == 100_000


def test_a_new_node_begins_with_what_its_evaluation_promises() -> None:
    state = after("ultimate", "e5 d4 a1 b2 d6 b7")
    rules = state.game.rules
    assert rules.evaluate
    engine = MCTS(state.game, prior=8, trust=0, seed=1)
    engine.search(state.position, Limits(simulations=2))  # the root, and one child: the others are new
    [tree] = engine.trees
    children = tree.nodes[tree.children(0)]
    assert sorted(children["visits"])[-2:] == [8, 9]
    for child in children[children["visits"] == 8]:
        evaluation = rules.evaluate(rules.play(state.position, int(child["move"])))
        promised = 1 / (1 + math.exp(-evaluation / engine.unit))
        assert child["share"] == pytest.approx(promised)  # X, who is player 0, moves there
        assert child["points"] == pytest.approx(8 * promised)


def test_a_simulation_that_is_not_trusted_brings_what_the_evaluation_promises() -> None:
    state = after("ultimate", "e5 d4 a1 b2 d6 b7")
    rules = state.game.rules
    assert rules.evaluate
    engine = MCTS(state.game, prior=0, trust=1, seed=1)
    engine.search(state.position, Limits(simulations=8))
    [tree] = engine.trees
    tried = [child for child in tree.nodes[tree.children(0)] if child["visits"] == 1]
    assert len(tried) > 5
    for child in tried:
        evaluation = rules.evaluate(rules.play(state.position, int(child["move"])))
        assert child["points"] == pytest.approx(1 / (1 + math.exp(-evaluation / engine.unit)))


def test_visits_that_were_never_made_are_not_counted() -> None:
    game = load("ultimate")
    found = MCTS(game, prior=8, seed=1, threads=2).search(game.rules.start, Limits(simulations=500))
    assert sum(candidate.visits for candidate in found.candidates) == 498  # all but the first of each thread


def test_a_move_that_ends_the_game_has_all_its_visits() -> None:
    game = load("connect-tac-toe", cols=3, rows=3, discs=3)
    choice = random.Random(1)
    seen = 0
    while seen < 20:
        state = game.start
        while not state.outcome:
            after_each = [game.rules.play(state.position, move) for move in state.moves()]
            if any(game.rules.outcome(after) == DRAWN for after in after_each):
                engine = MCTS(game, prior=8, trust=0.5, seed=1)
                found = engine.search(state.position, Limits(simulations=30))
                visits = int(engine.trees[0].nodes[0]["visits"])
                assert sum(candidate.visits for candidate in found.candidates) == visits - 1
                seen += 1
            state = state.play(choice.choice(state.moves()))


def test_a_search_ends_before_its_visits_overflow() -> None:
    game = load("ultimate")
    engine = MCTS(game, seed=1)
    engine.search(game.rules.start, Limits(simulations=100))
    engine.trees[0].nodes[0]["visits"] = mcts.MOST_VISITS
    engine.search(game.rules.start, Limits(seconds=1))
    assert mcts.MOST_VISITS < engine.trees[0].nodes[0]["visits"] < mcts.MOST_VISITS + 100


@pytest.mark.parametrize("setting", ["prior=-1", "prior=1001", "trust=1.5", "trust=nan", "unit=0"])
def test_opinions_out_of_range_are_refused(setting: str) -> None:
    with pytest.raises(ValueError, match="a prior is between 0 and 1000 visits, trust between 0 and 1, a unit above 0"):
        player(f"mcts:10,{setting}", load("ultimate"))
    with pytest.raises(ValueError, match="a prior is between"):
        player(f"mcts:10,{setting}", load("tic-tac-toe"))  # which has no opinions


def test_without_an_evaluation_nothing_is_promised() -> None:
    engine = MCTS(load("tic-tac-toe"), prior=8, trust=0.5)
    assert (engine.prior, engine.trust) == (0, 0)


def test_a_search_without_opinions_has_the_settings_that_suit_it() -> None:
    game = load("ultimate")
    plain, usual = MCTS(game, prior=0, trust=0), MCTS(game)
    assert (plain.exploration, plain.prior, plain.trust) == (0.45, 0, 0)
    assert (usual.exploration, usual.prior, usual.trust) == (0.35, 8, 0.4)


@pytest.mark.parametrize("game_id", ["connect-four", "ultimate-ultimate"])
def test_what_a_node_keeps_ready_follows_from_its_visits_and_points(game_id: str) -> None:
    game = load(game_id)
    state = after(game, "d d d d" if game_id == "connect-four" else "5.5.5")
    engine = MCTS(game, seed=1)
    engine.search(state.position, Limits(simulations=800))
    [tree] = engine.trees
    looked_at = proven = 0
    for parent in range(int(tree.used[0])):
        mover = tree.nodes[parent]["mover"]
        for node in tree.nodes[tree.children(parent)]:
            if node["proven"] == 1 - mover:
                assert (node["share"], node["doubt"]) == (LOST, 0)
                proven += 1
            elif node["visits"] == 0:
                assert (node["share"], node["doubt"]) == (UNTRIED, 0)
            else:
                share = node["points"] / node["visits"]
                assert node["share"] == pytest.approx(share if mover == 0 else 1 - share)
                assert node["doubt"] == pytest.approx(node["visits"] ** -0.5)
                assert node["spread"] == pytest.approx(math.log(node["visits"] + 1) ** 0.5)
                assert node["proven"] in (ONGOING, DRAWN, mover)
                looked_at += 1
    assert looked_at > 100
    assert (proven > 0) == (game_id == "connect-four")


def test_every_move_is_tried_first_about_as_often() -> None:
    game = load("connect-four")
    tried_first = [MCTS(game, seed=seed).search(game.rules.start, Limits(simulations=2)).move for seed in range(700)]
    assert set(tried_first) == set(range(7))
    assert all(65 < tried_first.count(column) < 135 for column in range(7))


def test_a_game_with_more_moves_than_a_node_can_number_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mcts, "MOST_MOVES", 15)
    game = load("semaphores", rows=4, cols=4)
    with pytest.raises(ValueError, match="semaphores has 16 different moves; a tree search can tell 15 apart"):
        MCTS(game).search(game.rules.start, Limits(simulations=1))
