from __future__ import annotations

import random
from collections.abc import Iterator
from functools import lru_cache

import pytest

from connectoe import BadPosition, ConnectoeError, State, load
from connectoe.engines.engine import Limits, NotSolved
from connectoe.engines.exact.c4_twist import SURE, ExactC4Twist
from connectoe.engines.exact.connect_four import ExactConnectFour
from connectoe.games.c4_twist.rules import Position
from tests.plain_minimax import plain_result
from tests.playing import after

pytestmark = pytest.mark.slow

OPPOSITE = {"win": "loss", "loss": "win", "draw": "draw"}


@lru_cache
def solver(**options: int) -> ExactC4Twist:
    return ExactC4Twist(load("c4-twist", **options), table_megabytes=16)


def random_states(exact: ExactC4Twist, most_moves: int, how_many: int) -> Iterator[State]:
    """Unfinished states after at most this many random moves."""
    choice = random.Random(1)
    for _ in range(how_many):
        state = exact.game.start
        for _ in range(choice.randrange(most_moves + 1)):
            following = state.play(choice.choice(state.moves()))
            if following.outcome:
                break
            state = following
        yield state


@pytest.mark.parametrize(
    "options",
    [
        {"cols": 3, "rows": 3, "connect": 3, "bombs": 1},
        {"cols": 3, "rows": 2, "connect": 3, "bombs": 2},
        {"cols": 4, "rows": 3, "connect": 3, "bombs": 1},
    ],
)
def test_values_and_moves_are_those_of_plain_minimax(options: dict[str, int]) -> None:
    exact = solver(**options)
    for state in random_states(exact, 14, 150):
        result, plies = plain_result(state.game, state.position)
        assert exact.value(state) == (result, None if result == "draw" else plies), state.text
        assert exact.score(state) == {"win": SURE - plies, "draw": 0, "loss": plies - SURE}[result]
        values = exact.search(state, Limits()).values
        for move in state.moves():
            result, plies = plain_result(state.game, state.game.rules.play(state.position, move))
            assert values[move] == (OPPOSITE[result], None if result == "draw" else plies + 1), state.text
        scores = exact.scores(state)
        assert exact.best_moves(state) == [move for move, score in scores.items() if score == max(scores.values())]


def test_without_bombs_it_is_connect_four() -> None:
    exact = solver(bombs=0)
    connect_four = ExactConnectFour(load("connect-four"), table_megabytes=16)
    for moves in ("dgeddcaggdaegdcbg", "fceaddedeedddccgcfaagf", "fedccdcddcgfgebgefaffgcbcgaa"):
        state = after("connect-four", " ".join(moves))
        twist = after("c4-twist", " ".join(moves), bombs=0)
        assert exact.value(twist) == connect_four.value(state)


def test_a_bomb_can_be_the_only_way_not_to_lose_at_once() -> None:
    # O has b1, c1 and d1, and wins on a1 or e1; only a bomb on one of the three stops both.
    state = after("c4-twist", "g b g c f d")
    best = {state.game.move_text(move) for move in solver().best_moves(state, node_limit=20_000_000)}
    losses = {
        state.game.move_text(move)
        for move, value in solver().search(state, Limits()).values.items()
        if value == ("loss", 2)
    }
    assert losses.isdisjoint({"*b", "*c", "*d"})
    assert best <= {"*b", "*c", "*d"}


def test_mirror_images_have_the_same_value() -> None:
    for moves in ("d e d e *d c f b b a", "a b a b a *b d d c e"):
        mirrored = "".join("gfedcba"["abcdefg".index(move)] if move.isalpha() else move for move in moves)
        limit = 20_000_000
        assert solver().value(after("c4-twist", moves), limit) == solver().value(after("c4-twist", mirrored), limit)


def test_the_whole_board_takes_more_nodes_than_one_may_have() -> None:
    with pytest.raises(NotSolved, match="100,000 nodes do not suffice"):
        solver().value(load("c4-twist").start, node_limit=100_000)


def test_finished_and_impossible_positions_and_other_games_are_refused() -> None:
    with pytest.raises(BadPosition, match="the game is over: X wins: four discs a1-a4"):
        solver().value(after("c4-twist", "a b a b a b a"))
    with pytest.raises(BadPosition, match="cannot lie on the board"):
        solver().value(Position(0b100, 0b1, 0, 1, 1))
    with pytest.raises(ConnectoeError, match="this solver is not for load..connect-four"):
        ExactC4Twist(load("connect-four"))
