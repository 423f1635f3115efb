"""Positions of games that do not say how they are written: ints, wide ints and arrays."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from connectoe import BadPosition, Match, load, read_matches
from connectoe.core.errors import BadGame
from connectoe.core.field_texts import read, written
from connectoe.core.state import comparable
from connectoe.core.wide import widened
from connectoe.engines.perft import interpreted_perft, perft
from connectoe.engines.playouts import play_out
from connectoe.envs.batch import Batch
from connectoe.envs.observing import observed, observing_rule, planes_of
from connectoe.players import player

WITH_AN_ARRAY = '''"""Four in a row on an array."""

from typing import Any, NamedTuple

import numpy as np

from connectoe import DRAWN, ONGOING, Game, Rules, rule
from connectoe.board import square_name
from connectoe.scene import Piece, Scene

SIZE = 5


class Position(NamedTuple):
    cells: Any  # 0 empty, 1 X, 2 O
    moves: int


@rule
def is_line(cells, x, y, right, up):
    for step in range(1, 4):
        i, j = x + step * right, y + step * up
        if not (0 <= i < SIZE and 0 <= j < SIZE) or cells[i, j] != cells[x, y]:
            return False
    return cells[x, y] != 0


@rule
def ones_of(mask):
    for square in range(SIZE * SIZE):
        if mask >> square & 1:
            yield square


@rule
def legal_moves(position):
    empty = 0
    for square in range(SIZE * SIZE):
        if position.cells[square // SIZE, square % SIZE] == 0:
            empty |= 1 << square
    return ones_of(empty)


@rule
def play(position, move):
    cells = position.cells.copy()
    cells[move // SIZE, move % SIZE] = 1 + position.moves % 2
    return Position(cells, position.moves + 1)


@rule
def outcome(position):
    for square in range(SIZE * SIZE):
        x, y = square // SIZE, square % SIZE
        for right, up in ((1, 0), (0, 1), (1, 1), (1, -1)):
            if is_line(position.cells, x, y, right, up):
                return (position.moves - 1) % 2
    return DRAWN if position.moves == SIZE * SIZE else ONGOING


@rule
def player(position):
    return position.moves % 2


def rules():
    return Rules(Position(np.zeros((SIZE, SIZE), np.int8), 0), legal_moves, play, outcome, player)


class FourInARow(Game):
    """Four."""

    id, name, summary = "four", "Four", "Four in a row."
    make_rules = staticmethod(rules)

    def notation(self):
        return [square_name(square // SIZE, square % SIZE) for square in range(SIZE * SIZE)]

    def scene(self, position, last=None):
        scene = Scene(self.symbols)
        scene.add_grid(SIZE, SIZE)
        for square, name in enumerate(self.move_texts):
            place = (square // SIZE, square % SIZE)
            if position.cells[place]:
                owner = int(position.cells[place]) - 1
                scene.pieces.append(Piece(f"mark-{name}", *scene.middle(*place), "mark", owner))
            elif self.rules.outcome(position) == ONGOING:
                scene.target(name, place, "mark", f"put a mark on {name}")
        return scene
'''


@pytest.fixture
def file(tmp_path: Path) -> Path:
    file = tmp_path / "four.py"
    file.write_text(WITH_AN_ARRAY)
    return file


class Fields(NamedTuple):
    cells: Any
    flags: Any
    sum: int


LIKE = Fields(np.zeros((2, 3, 4), np.int16), np.zeros(7, np.bool_), 0)


@settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    arrays.arrays(np.int16, (2, 3, 4), elements=st.one_of(st.just(0), st.integers(-(2**15), 2**15 - 1))),
    arrays.arrays(np.bool_, 7),
    st.integers(-(2**62) + 1, 2**62 - 1),
)
def test_any_arrays_read_back(cells: Any, flags: Any, count: int) -> None:
    position = Fields(cells, flags, count)
    again = read(written(position), LIKE, "a-game")
    assert comparable(again) == comparable(position)
    assert (again.cells.dtype, again.flags.dtype) == (np.int16, np.bool_)


def test_numbers_alike_are_counted() -> None:
    cells = np.zeros((2, 3, 4), np.int16)
    cells[0, 1, 2] = -7
    assert written(Fields(cells, np.array([1, 1, 0, 1, 1, 1, 1], np.bool_), 3)) == (
        "0*4/0*2.-7.0/0*4/0*4/0*4/0*4,1*2.0.1*4,3"
    )


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "a position of a-game is 3 numbers and arrays with commas between them, not 1"),
        ("0*4/0*4/0*4,0*7,0", "cells has 6 rows with slashes between them, not 3"),
        ("0*4/0*5/0*4/0*4/0*4/0*4,0*7,0", "row 2 of cells has 4 numbers with dots between them, not more"),
        ("0*4/0*3/0*4/0*4/0*4/0*4,0*7,0", "row 2 of cells has 4 numbers with dots between them, not 3"),
        ("0*4/0*4/0*4/0*4/0*4/0*9999999,0*7,0", "row 6 of cells has 4 numbers with dots between them, not more"),
        ("0*4/0*4/0*4/0*4/0*4/0*0,0*7,0", r"row 6 of cells has numbers, where 0\*9 are nine zeros, not '0\*0'"),
        ("0*4/0*4/0*4/0*4/0*4/32768.0*3,0*7,0", "a number of row 6 of cells is too large: 32768"),
        ("0*4/0*4/0*4/0*4/0*4/x.0*3,0*7,0", "row 6 of cells holds a number, as 12, where this says 'x'"),
        ("0*4/0*4/0*4/0*4/0*4/0*4,0*6.2,0", "a number of flags is too large: 2"),
        ("0*4/0*4/0*4/0*4/0*4/0*4,0*6.-1,0", "a number of flags is too small: -1"),
        ("0*4/0*4/0*4/0*4/0*4/0*4,0*7,0x1", "sum holds a number, as 12, where this says '0x1'"),
        ("0*4/0*4/0*4/0*4/0*4/0*4,0*7," + "9" * 30, "a number of sum is too large"),
        ("0*4/0*4/0*4/0*4/0*4/0*4,0*7,٣", "sum holds a number"),
    ],
)
def test_what_is_wrong_with_a_text_is_said(text: str, problem: str) -> None:
    with pytest.raises(BadPosition, match=problem):
        read(text, LIKE, "a-game")


def test_ints_of_several_words_read_back() -> None:
    class Wide(NamedTuple):
        own: int
        turn: int

    wide = widened(Wide, 100, "own")
    assert read(written(wide(1 << 99, 1)), wide(0, 0), "a-game") == (1 << 99, 1)
    for text, problem in ((f"{1 << 128},0", "a number of own is too large"), ("-1,0", "own is too small")):
        with pytest.raises(BadPosition, match=problem):
            read(text, wide(0, 0), "a-game")


def test_a_game_with_an_array_needs_no_words_of_its_own_for_positions(file: Path) -> None:
    game, dice = load(file), random.Random(4)
    match = Match(game)
    while match.outcome is None:
        state = match.state
        again = game.state(state.text)
        assert again == state
        assert again.position.cells.dtype == np.int8
        match.play(dice.choice(state.legal_moves()))
    [read_back] = read_matches(match.to_text(), type(game))
    assert (read_back.moves, read_back.outcome) == (match.moves, match.outcome)
    assert game.start.play("a1").text == "1.0*4/0*5/0*5/0*5/0*5,1"
    with pytest.raises(BadPosition, match="row 1 of cells has 5 numbers with dots between them, not 4"):
        game.state("0*4/0*5/0*5/0*5/0*5,0")


@pytest.mark.slow
def test_a_game_with_an_array_is_observed_by_its_bits(file: Path) -> None:
    game = load(file)
    planes = planes_of(game)
    assert planes.names == (*(f"cells {bit}" for bit in range(1, 9)), "moves 1", "moves 2", "moves 3", "is player 1")
    assert planes.shape == (12, 5, 5)
    position = game.start.play("b1").play("e5").play("a1").position
    by_hand = np.zeros(planes.shape, np.int8)
    by_hand[0, 0, 0] = by_hand[0, 1, 0] = by_hand[1, 4, 4] = 1  # X on a1 and b1, O on e5, as in the array
    by_hand[8, 0, :2] = by_hand[11] = 1  # three moves, and player 1 looks
    interpreted = np.zeros(planes.shape, np.int8)
    observing_rule(game)(position, 1, interpreted)
    assert np.array_equal(interpreted, by_hand)
    assert np.array_equal(observed(game, position, 1), by_hand)


@pytest.mark.slow
def test_every_engine_plays_a_game_with_an_array(file: Path) -> None:
    game = load(file)
    assert perft(game, 2) == interpreted_perft(game, 2)
    assert play_out(game, 20).lengths.min() >= 7
    match = Match(game)
    for move in "a1 b1 a2 b2 a3 b3".split():
        match.play(move)
    assert player("mcts:300", game).choose(match) == "a4"
    batch = Batch(game, games=2, seed=1)
    for _ in range(30):
        batch.step(batch.random_moves())
    assert batch.now.masks.any(axis=1).all()


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ("np.int8", "np.float64", "an array of its positions holds no ints or has no size"),
        ("position.cells.copy()", "np.pad(position.cells, 1)", "an array of its positions changes its shape"),
    ],
)
def test_arrays_that_cannot_be_written_are_refused(file: Path, old: str, new: str, problem: str) -> None:
    file.write_text(WITH_AN_ARRAY.replace(old, new))
    with pytest.raises(BadGame, match=problem):
        load(file)
