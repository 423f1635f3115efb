"""Recipes with boards that take several machine words."""

from __future__ import annotations

import pickle
import random
from typing import Any

import numpy as np
import pytest

from connectoe import Game, Match
from connectoe.board import lines_on
from connectoe.core.rules import ONGOING
from connectoe.core.wide import WidePosition
from connectoe.engines.compiling import compiled
from connectoe.engines.perft import interpreted_perft, perft
from connectoe.engines.playouts import play_out
from connectoe.engines.proof_search import ProofSearch
from connectoe.kit import (
    Recipe,
    bomb,
    bombs,
    capture,
    clear,
    columns,
    discs,
    drop,
    drop_through,
    fall,
    flip,
    full,
    grid,
    jump,
    lights,
    line,
    marks,
    most,
    numbers,
    pass_,
    place,
    pop,
    push_row,
    rotate,
    slide_row,
    small_marks,
    step,
    stuck,
    total,
)
from connectoe.kit import turn as turn_lights
from connectoe.kit.boards import Board
from connectoe.players import player
from tests.kit.loading import example, recipe_of

WIDE_EXAMPLES: list[tuple[str, dict[str, int]]] = [
    ("five_in_a_row", {"cols": 15, "rows": 15}),
    ("popout", {"cols": 12, "rows": 10}),
    ("order_and_chaos", {"size": 10}),
    ("quixo", {"size": 9}),
]


class Moving(Recipe):
    """Pieces are flipped, turned, pushed, slid, taken from square to square, and captured."""

    id, name, summary = "moving", "Moving", "All that moves."
    layout = grid(9, 9)
    pieces = marks(in_hand=40)
    moves = (
        place(then=(flip(must=False), rotate(3))),
        push_row("push{square}{push}"),
        slide_row("s{row}{push}"),
        step(),
        jump("{from}x{to}", captures=True),
        pass_(),
    )
    ends = (line(5, both="draw"), most())


class Dropping(Recipe):
    """Pieces fall, are popped, bombed and captured, and marks are owed a disc."""

    id, name, summary = "dropping", "Dropping", "All that falls."
    layout = columns(9, 8)
    pieces = discs(), small_marks(), bombs(2)
    moves = (
        drop("{column}", then=(capture(many=1), fall())),
        pop(),
        bomb(),
        drop_through("t{square}"),
        place("+{square}", "mark", up_to="disc", owes="disc", when_stuck="free"),
    )
    ends = (line(4, "disc"), line(3, "mark", winner="opponent"), full("first"), stuck("mover"))


class Adding(Recipe):
    """Numbers add up."""

    id, name, summary = "adding", "Adding", "All that counts."
    layout = grid(8, 8)
    pieces = numbers(1, 2, 6, in_hand=9)
    moves = tuple(place(f"{number}{{square}}", f"piece {number}") for number in (1, 2, 6))
    ends = (total(9), stuck())


class Turning(Recipe):
    """Lights are turned."""

    id, name, summary = "turning", "Turning", "All that shines."
    layout = grid(16, 5)
    pieces = lights()
    moves = (turn_lights(),)
    ends = (line(3),)


class Clearing(Recipe):
    """Lines vanish from the largest board."""

    id, name, summary = "clearing", "Clearing", "All that vanishes."
    layout = grid(16, 16)
    pieces = marks()
    moves = (place(then=clear(3)),)
    ends = (full("most"),)


class Rotating(Recipe):
    """A recipe with as many moves as the largest board allows."""

    id, name, summary = "rotating", "Rotating", "All that turns, twice."
    layout = grid(16, 16)
    pieces = marks()
    moves = (place(then=rotate(2)), place("!{square}", then=rotate(2)))
    ends = (line(5), full())


EVERY_BLOCK = [Moving, Dropping, Adding, Turning, Clearing]


def positions(game: Game, seed: int, longest: int = 60) -> list[Any]:
    """The positions of a random game, of a certain length or to its end."""
    dice, rules, found = random.Random(seed), game.rules, [game.rules.start]
    while rules.outcome(found[-1]) == ONGOING and len(found) < longest:
        found.append(rules.play(found[-1], dice.choice(list(rules.legal_moves(found[-1])))))
    return found


@pytest.mark.slow
@pytest.mark.parametrize("recipe", [Moving, Dropping, Adding, Turning])
def test_compiled_every_block_does_what_it_does_interpreted(recipe: type[Recipe]) -> None:
    game = recipe()
    rules, shape = game.rules, game.planes()
    outcome, ending, pick, play, observe = rules.outcome, rules.ending, rules.pick, rules.play, rules.observe
    mirror: Any = rules.mirrors[-1] if rules.mirrors else outcome
    assert shape
    assert ending
    assert pick
    assert observe

    def looked_at(position: Any, planes: Any) -> Any:
        observe(position, 1, planes)
        return outcome(position), ending(position), mirror(position)

    def moved(position: Any, number: int) -> Any:
        move = pick(position, number)
        return move, play(position, move)

    look, move = compiled(looked_at), compiled(moved)
    dice = random.Random(1)
    for position in positions(game, 1) + positions(game, 2):
        seen = np.zeros((2, *shape.shape), np.int8)
        assert look(position, seen[0]) == looked_at(position, seen[1])
        assert (seen[0] == seen[1]).all()
        if rules.outcome(position) == ONGOING:
            number = dice.randrange(1 << 32)
            chosen, after = move(position, number)
            assert (chosen, after) == moved(position, number)
            assert type(after) is type(position)
            legal = list(rules.legal_moves(position))
            assert chosen == legal[number * len(legal) >> 32]


@pytest.mark.slow
@pytest.mark.parametrize(("name", "options"), WIDE_EXAMPLES)
def test_compiled_an_example_counts_what_it_counts_interpreted(name: str, options: dict[str, int]) -> None:
    game = example(name, **options)
    for position in (game.rules.start, positions(game, 3)[-2]):
        depth = 1 if len(game.move_texts) > 220 else 2
        assert perft(game, depth, position) == interpreted_perft(game, depth, position)


@pytest.mark.parametrize(("name", "options"), WIDE_EXAMPLES)
def test_a_wide_example_is_played_recorded_and_read_back(name: str, options: dict[str, int]) -> None:
    game = example(name, **options)
    assert isinstance(game.rules.start, WidePosition)
    match, dice = Match(game), random.Random(2)
    while match.outcome is None and match.ply < 40:
        state = match.state
        assert game.state(state.text) == state
        assert pickle.loads(pickle.dumps(state)) == state
        assert len(match.scene().targets) == len(state.legal_moves())
        match.play(dice.choice(state.legal_moves()))


@pytest.mark.parametrize("recipe", [*EVERY_BLOCK, Rotating])
def test_texts_round_trip_and_mirrors_agree(recipe: type[Recipe]) -> None:
    game = recipe()
    rules = game.rules
    assert rules.pick
    assert recipe is Dropping or rules.mirrors
    for position in positions(game, 4, longest=12)[:: 6 if recipe is Rotating else 3]:
        assert game.read(game.write(position)) == position
        moves = list(rules.legal_moves(position))
        for number in (0, 1 << 31, (1 << 32) - 1):  # of all random numbers, the first, one in the middle, and the last
            assert rules.pick(position, number) == moves[number * len(moves) >> 32]
        for mirror in rules.mirrors:
            assert rules.outcome(mirror(position)) == rules.outcome(position)
            after = {mirror(rules.play(position, move)) for move in moves[:9]}
            image = mirror(position)
            assert after <= {rules.play(image, move) for move in rules.legal_moves(image)}


@pytest.mark.parametrize(("cols", "rows"), [(8, 8), (15, 15), (16, 16), (16, 5), (5, 16)])
def test_lines_are_found_wherever_they_are(cols: int, rows: int) -> None:
    dice, board = random.Random(cols), Board(cols, rows, "square")
    for length in (2, 3, 5, 6):
        has_line = board.has_line(min(length, cols, rows))
        for _ in range(150):
            squares = {square for square in board.squares if dice.random() < length * 0.06}
            assert has_line(board.mask_of(squares)) == bool(lines_on(squares, min(length, cols, rows)))


@pytest.mark.slow
def test_every_engine_sees_a_win_on_a_wide_board() -> None:
    game = example("five_in_a_row", cols=15, rows=15)
    match = Match(game)
    for move in "o15 a1 n14 a2 m13 a3 l12 b1".split():
        match.play(move)
    for name in ("medium", "mcts:500", "alpha-beta:2000"):
        assert player(name, game).choose(match) == "k11"
    assert play_out(game, 20).lengths.max() <= 225


@pytest.mark.slow
def test_a_win_on_a_wide_board_is_proven() -> None:
    game = example("popout", cols=12, rows=10)
    state = game.start
    for move in "f a g a".split():
        state = state.play(move)
    search = ProofSearch(game, table_megabytes=1)
    assert [game.move_text(move) for move in search.winning_moves(state.position, 3)] == ["e", "h"]
    assert not search.wins_within(state.position, 1, 4)


def test_a_board_is_wide_only_if_it_does_not_fit_into_one_word() -> None:
    assert isinstance(recipe_of("connect-four", cols=16, rows=16).rules.start, WidePosition)
    assert not isinstance(recipe_of("connect-four", cols=3, rows=16).rules.start, WidePosition)
