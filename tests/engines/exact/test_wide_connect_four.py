"""The exact solver of Connect Four on boards of several words, and what others have published about sizes."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import lru_cache
from pathlib import Path

import pytest

from connectoe import BadPosition, Game, State, load
from connectoe.core.errors import BadOption
from connectoe.core.match import Match
from connectoe.engines.engine import Limits
from connectoe.engines.exact.connect_four import ExactConnectFour
from connectoe.engines.exact.tables import load_table
from connectoe.players import player
from tests.plain_minimax import plain_result
from tests.playing import after

pytestmark = pytest.mark.slow

PUBLISHED = json.loads(Path("docs/results/published_sizes.json").read_text())
"""What best play leads to on boards of columns x rows, as others have found: docs/results/make_sizes.py says who."""
SOON = ["4x4", "4x5", "4x6", "4x7", "4x9", "5x4", "5x5", "5x6", "6x4", "6x5", "7x4"]
"""The sizes that are solved within a second."""

WIDE = [(8, 7, 4), (8, 8, 4), (16, 6, 5), (9, 13, 6)]


class WideEverywhere(ExactConnectFour):
    """The solver with ints of two words even where one would do."""

    least_bits = 126


@lru_cache
def solver(cols: int, rows: int, connect: int = 4) -> ExactConnectFour:
    return ExactConnectFour(load("connect-four", cols=cols, rows=rows, connect=connect), table_megabytes=1)


def late_states(game: Game, empty: int, how_many: int, seed: int = 1) -> Iterator[State]:
    """Unfinished states with this many empty cells, from random play that takes back what leads to an end."""
    choice = random.Random(seed)
    discs = len(game.move_texts) * len(game.start.board()) - empty
    for _ in range(how_many):
        states = [game.start]
        while len(states) <= discs:
            following = [states[-1].play(move) for move in states[-1].moves()]
            ongoing = [state for state in following if state.outcome is None]
            if ongoing:
                states.append(choice.choice(ongoing))
            else:
                del states[max(1, len(states) - choice.randrange(1, discs)) :]
        yield states[-1]


@pytest.mark.parametrize(
    ("size", "solver_of"),
    [*((size, ExactConnectFour) for size in SOON), *((size, WideEverywhere) for size in ("4x7", "6x5", "7x4"))],
)
def test_boards_have_the_published_results(size: str, solver_of: type[ExactConnectFour]) -> None:
    cols, rows = map(int, size.split("x"))
    game = load("connect-four", cols=cols, rows=rows)
    assert list(solver_of(game, table_megabytes=16).value(game.start)) == PUBLISHED[size]


@pytest.mark.parametrize(("cols", "rows", "connect"), WIDE)
def test_late_positions_have_the_values_of_plain_minimax(cols: int, rows: int, connect: int) -> None:
    exact = solver(cols, rows, connect)
    results = set()
    for empty in (2, 4, 7):
        for state in late_states(exact.game, empty, 5, seed=empty):
            result, plies = plain_result(exact.game, state.position)
            assert exact.value(state) == (result, None if result == "draw" else plies), state.text
            results.add(result)
    assert len(results) > 1


@pytest.mark.parametrize(("cols", "rows"), [(7, 6), (6, 5)])
def test_two_words_search_as_one_word_does(cols: int, rows: int) -> None:
    game = load("connect-four", cols=cols, rows=rows)
    narrow, wide = ExactConnectFour(game, table_megabytes=1), WideEverywhere(game, table_megabytes=2)
    for empty in (28, 24, 20, 16):
        for state in late_states(game, empty, 10, seed=empty):
            assert wide.score(state) == narrow.score(state)
            assert wide.nodes == narrow.nodes
    assert narrow.nodes > 5_000


def test_two_words_have_the_values_of_a_table() -> None:
    game = load("connect-four", cols=4, rows=4)
    table, exact = load_table(game), WideEverywhere(game, table_megabytes=1)
    assert table
    for empty in (1, 3, 6, 9, 12, 15, 16):
        for state in late_states(game, empty, 20, seed=empty):
            assert exact.search(state, Limits()).values == table.search(state.position, Limits()).values


def test_mirror_images_and_moves_of_a_wide_board_agree() -> None:
    exact = solver(9, 7)
    (mirror,) = exact.game.rules.mirrors
    for empty in (14, 18, 22):
        for state in late_states(exact.game, empty, 5, seed=empty):
            score, scores = exact.score(state), exact.scores(state)
            assert score == max(scores.values())
            exact.forget()
            assert exact.score(mirror(state.position)) == score
            for move, worth in scores.items():
                following = state.play(move)
                assert following.outcome or worth == -exact.score(following)


def test_threads_may_share_the_solver_of_a_wide_board() -> None:
    game = load("connect-four", cols=8, rows=7)
    states = list(late_states(game, 20, 12))
    alone, shared = ExactConnectFour(game, table_megabytes=1), ExactConnectFour(game, table_megabytes=1)
    with ThreadPoolExecutor(4) as threads:
        assert list(threads.map(shared.score, states * 2)) == [alone.score(state) for state in states] * 2


def test_what_is_no_position_of_a_wide_board_is_refused() -> None:
    exact = solver(8, 7)
    beside_it = exact.game.start.position._replace(own=1 << 64)
    with pytest.raises(BadPosition, match="cannot lie on the board"):
        exact.score(beside_it)
    with pytest.raises(BadPosition, match="the game is over: X wins: four discs a1-a4"):
        exact.score(after("connect-four", "a b a b a b a", cols=8, rows=7))


def test_boards_of_more_than_two_words_have_no_solver() -> None:
    game = load("connect-four", cols=16, rows=8)
    assert game.solver() is None
    with pytest.raises(BadOption, match="16x8 is too large to be solved: columns times .rows . 1. is at most 126"):
        ExactConnectFour(game)
    with_bombs = load("c4-twist", cols=8, rows=8, bombs=1)
    assert with_bombs.solver() is None
    assert load("c4-twist", cols=8, rows=8, bombs=0).solver() is not None


def test_hard_finds_the_only_move_late_on_a_wide_board() -> None:
    game = load("connect-four", cols=9, rows=7)
    exact = solver(9, 7)
    with_one_move = (
        (state, best)
        for state in late_states(game, 24, 200)
        if len(best := exact.best_moves(state)) == 1 and exact.score(state) >= 0
    )
    for _ in range(3):
        state, best = next(with_one_move)
        match = Match(game, start=state)
        assert player("hard", game, seed=1).choose(match) == game.move_text(best[0])
