"""Alpha-beta against plain minimax, and what it promises about its answers."""

from __future__ import annotations

import _thread
import random
import time
from threading import Event, Timer
from typing import Any

import pytest

from connectoe import DRAWN, ONGOING, ConnectoeError, Game, game_ids, load
from connectoe.core.rules import STRONGEST_OPINION
from connectoe.engines.alpha_beta import AlphaBeta, supports
from connectoe.engines.alpha_beta_search import INFINITE, PROVEN, WIN
from connectoe.engines.compiling import compiled
from connectoe.engines.engine import Limits
from tests.plain_minimax import plain_result
from tests.playing import after

pytestmark = pytest.mark.slow

ENOUGH = 900_000
"""Nodes that settle everything small."""


def engine_for(game: Game) -> AlphaBeta:
    return AlphaBeta(game, table_megabytes=2)


def plain_score(game: Game, position: Any, depth: int, ply: int = 0) -> int:
    """The score by trying everything, for the player to move."""
    rules = game.rules
    mover = rules.player(position)
    best = -INFINITE
    for move in rules.legal_moves(position):
        following = rules.play(position, move)
        result = rules.outcome(following)
        if result == DRAWN:
            score = 0
        elif result != ONGOING:
            score = (WIN - ply - 1) * (1 if result == mover else -1)
        elif depth == 1:
            score = (rules.evaluate(following) if rules.evaluate else 0) * (1 if mover == 0 else -1)
        else:
            score = plain_score(game, following, depth - 1, ply + 1)
            score *= 1 if rules.player(following) == mover else -1
        best = max(best, score)
    return best


def ongoing_positions(game: Game, count: int, least: int = 0, most: int = 40, seed: int = 11) -> list[Any]:
    """Positions that random play comes to after some number of moves."""
    choice = random.Random(seed)
    found: list[Any] = []
    while len(found) < count:
        state = game.start
        for _ in range(choice.randint(least, most)):
            if state.outcome:
                break
            state = state.play(choice.choice(state.moves()))
        else:
            if not state.outcome:
                found.append(state.position)
    return found


SHALLOW = {
    "tic-tac-toe": 5,
    "semaphores": 3,
    "connect-four": 4,
    "c4-twist": 3,
    "connect-tac-toe": 2,
    "shift-tac-toe": 4,
    "advanced": 2,
    "ultimate": 3,
}


def test_all_games_but_those_with_arrays_are_searched() -> None:
    assert set(SHALLOW) == {game_id for game_id in game_ids() if supports(load(game_id))}
    with pytest.raises(ConnectoeError, match="alpha-beta cannot search ultimate-ultimate: .* mcts can"):
        AlphaBeta(load("ultimate-ultimate"))


@pytest.mark.parametrize("game_id", SHALLOW)
def test_the_score_at_a_depth_is_that_of_plain_minimax(game_id: str) -> None:
    game = load(game_id)
    for position in ongoing_positions(game, 5, most=16):
        engine = engine_for(game)
        for depth in range(1, SHALLOW[game_id] + 1):
            found = engine.search(position, Limits(depth=depth))
            assert found.score == plain_score(game, position, found.depth)
            assert found.depth == depth or found.is_exact


def test_a_player_who_moves_twice_running_is_followed_rightly() -> None:
    game = load("advanced")
    rules = game.rules

    def may_move_twice(position: Any) -> bool:
        following = [rules.play(position, move) for move in rules.legal_moves(position)]
        return any(rules.outcome(p) == ONGOING and rules.player(p) == rules.player(position) for p in following)

    positions = [position for position in ongoing_positions(game, 60, least=4) if may_move_twice(position)]
    assert len(positions) > 5
    for position in positions[:6]:
        assert engine_for(game).search(position, Limits(depth=2)).score == plain_score(game, position, 2)


def assert_same(game: Game, engine: AlphaBeta, position: Any) -> None:
    result, plies = plain_result(game, position)
    found = engine.search(position, Limits(nodes=ENOUGH))
    assert found.is_exact
    assert found.result == result
    if result != "draw":
        assert found.plies == plies
        assert len(found.line) <= plies


def all_ongoing(game: Game) -> set[Any]:
    rules = game.rules
    seen, waiting = {rules.start}, [rules.start]
    while waiting:
        position = waiting.pop()
        for move in rules.legal_moves(position):
            following = rules.play(position, move)
            if rules.outcome(following) == ONGOING and following not in seen:
                seen.add(following)
                waiting.append(following)
    return seen


def test_every_position_of_tic_tac_toe_has_its_value_and_its_distance() -> None:
    game = load("tic-tac-toe")
    engine = engine_for(game)  # one for all: what it remembers must not mislead it
    positions = all_ongoing(game)
    assert len(positions) == 4520
    for position in sorted(positions):
        assert_same(game, engine, position)


@pytest.mark.parametrize(
    ("game_id", "options", "least"),
    [
        ("semaphores", {"rows": 3, "cols": 3}, 8),
        ("connect-four", {"cols": 4, "rows": 4}, 6),
        ("c4-twist", {"cols": 3, "rows": 3, "connect": 3}, 2),
    ],
)
def test_small_boards_are_solved_with_exact_distances(game_id: str, options: dict[str, int], least: int) -> None:
    game = load(game_id, **options)
    engine = engine_for(game)
    for position in ongoing_positions(game, 40, least, most=16):
        assert_same(game, engine, position)


def test_semaphores_on_3x3_is_won_in_17() -> None:
    found = engine_for(load("semaphores", rows=3, cols=3)).search(
        load("semaphores", rows=3).rules.start, Limits(depth=17)
    )
    assert (found.result, found.plies, found.is_exact) == ("win", 17, True)


def test_every_candidate_has_its_own_value() -> None:
    game = load("connect-four", cols=4, rows=4)
    for position in ongoing_positions(game, 10, least=5):
        found = engine_for(game).search(position, Limits(nodes=ENOUGH), every_move=True)
        assert found.result == plain_result(game, position)[0]
        assert found.candidates[0].move == found.move
        assert sorted(candidate.move for candidate in found.candidates) == list(game.rules.legal_moves(position))
        for candidate in found.candidates:
            following = game.rules.play(position, candidate.move)
            if game.rules.outcome(following) == ONGOING:
                result, plies = plain_result(game, following)
                assert candidate.result == {"win": "loss", "loss": "win", "draw": "draw"}[result]
                assert candidate.plies == (None if result == "draw" else plies + 1)


def test_the_line_of_a_forced_win_ends_with_the_win() -> None:
    state = after("connect-four", "d d c c")
    found = engine_for(state.game).search(state.position, Limits(depth=6))
    assert (found.result, found.plies) == ("win", 3)
    for move in found.line:
        state = state.play(move)
    assert state.outcome is not None
    assert state.outcome.winner == 0


def test_an_opinion_is_not_taken_for_the_truth() -> None:
    found = engine_for(load("connect-four")).search(load("connect-four").rules.start, Limits(depth=4), every_move=True)
    assert not found.is_exact
    assert found.result is None
    assert {candidate.result for candidate in found.candidates} == {None}


def test_a_search_without_time_or_nodes_gives_a_legal_move() -> None:
    for game_id in SHALLOW:
        game = load(game_id)
        legal = list(game.rules.legal_moves(game.rules.start))
        stopped = Event()
        stopped.set()
        engine = engine_for(game)
        for limits in ({"seconds": 0.0}, {"nodes": 0}, {"depth": 0}, {"stop": stopped}):
            assert engine.search(game.rules.start, Limits(**limits)).move in legal
            assert engine.search(game.rules.start, Limits(**limits), every_move=True).move in legal


def test_a_search_stopped_anywhere_gives_a_legal_move_and_keeps_to_its_nodes() -> None:
    game = load("advanced")
    for position in ongoing_positions(game, 3):
        engine = engine_for(game)
        for nodes in range(1, 4000, 97):
            found = engine.search(position, Limits(nodes=nodes))
            assert found.move in game.rules.legal_moves(position)
            assert found.nodes <= nodes
            assert not found.line or found.line[0] == found.move


def ready_engine(game_id: str) -> tuple[AlphaBeta, Any]:
    """An engine that has been compiled, and the position to search."""
    game = load(game_id)
    engine = engine_for(game)
    engine.search(game.rules.start, Limits(depth=1))
    return engine, game.rules.start


def test_another_thread_can_stop_a_search() -> None:
    engine, start = ready_engine("ultimate")
    stop = Event()
    Timer(0.2, stop.set).start()
    found = engine.search(start, Limits(stop=stop))
    assert found.depth > 0
    assert not found.is_exact


def test_time_runs_out() -> None:
    engine, start = ready_engine("ultimate")
    begun = time.monotonic()
    assert engine.search(start, Limits(seconds=0.2)).depth > 0
    assert time.monotonic() - begun >= 0.2


@pytest.mark.usefixtures("hears_ctrl_c")
def test_ctrl_c_is_heard() -> None:
    engine, start = ready_engine("ultimate")
    Timer(0.2, _thread.interrupt_main).start()
    with pytest.raises(KeyboardInterrupt):
        engine.search(start, Limits(seconds=600))


def test_a_finished_game_and_a_search_without_limits_are_refused() -> None:
    over = after("tic-tac-toe", "a1 a2 b1 b2 c1")
    engine = engine_for(over.game)
    with pytest.raises(ConnectoeError, match="the game is over"):
        engine.search(over.position, Limits(depth=3))
    with pytest.raises(ConnectoeError, match="needs a limit: depth, nodes, seconds"):
        engine.search(over.game.rules.start, Limits())
    with pytest.raises(ConnectoeError, match="cannot be negative"):
        engine.search(over.game.rules.start, Limits(seconds=-1))


def test_the_same_search_comes_out_the_same() -> None:
    game = load("c4-twist")
    for position in ongoing_positions(game, 3, most=10):
        all_found = {engine_for(game).search(position, Limits(nodes=20_000)) for _ in range(2)}
        engine = engine_for(game)
        engine.search(game.rules.start, Limits(nodes=5_000))
        engine.forget()
        all_found.add(engine.search(position, Limits(nodes=20_000)))
        assert len(all_found) == 1


@pytest.mark.parametrize("game_id", [game_id for game_id in game_ids() if load(game_id).rules.evaluate])
def test_an_evaluation_is_the_same_compiled_and_in_every_mirror_and_keeps_to_its_range(game_id: str) -> None:
    game = load(game_id)
    evaluate = game.rules.evaluate
    assert evaluate
    quickly = compiled(evaluate)
    opinions = set()
    for position in ongoing_positions(game, 60):
        opinion = evaluate(position)
        opinions.add(opinion)
        assert quickly(position) == opinion
        assert abs(opinion) <= STRONGEST_OPINION < PROVEN
        for mirror in game.rules.mirrors:
            assert evaluate(mirror(position)) == opinion
    assert len(opinions) > 3
