"""Boards that take several machine words."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest

from connectoe import Game, load
from connectoe.core.match import Match
from connectoe.engines.compiling import compiled
from connectoe.engines.perft import interpreted_perft, perft
from connectoe.engines.playouts import play_out
from connectoe.players import player
from tests.games.plain_c4_twist import PlainC4Twist
from tests.games.plain_connect_tac_toe import PlainConnectTacToe
from tests.games.side_by_side import play_in_lockstep
from tests.playing import after, ending

GAMES = ["connect-four", "c4-twist", "connect-tac-toe"]
SIZES = [(8, 7), (8, 8), (9, 7), (10, 10), (16, 16)]


def positions(game: Game, games: int) -> list[Any]:
    """The positions of some random games, finished ones too."""
    dice, rules, found = random.Random(5), game.rules, []
    for _ in range(games):
        position = rules.start
        found.append(position)
        while rules.outcome(position) == -1:
            position = rules.play(position, dice.choice(list(rules.legal_moves(position))))
            found.append(position)
    return found


@pytest.mark.parametrize("connect", [3, 4, 5, 6])
@pytest.mark.parametrize(("cols", "rows"), [*SIZES, (5, 16), (16, 4), (12, 12)])
def test_connect_four_plays_like_the_plain_reference(cols: int, rows: int, connect: int) -> None:
    game = load("connect-four", cols=cols, rows=rows, connect=connect)
    for seed in range(3):
        play_in_lockstep(game, PlainC4Twist(cols, rows, connect, bombs=0), seed)


@pytest.mark.parametrize(("drop", "stuck"), [("through-marks", "draw"), ("any-gap", "free")])
@pytest.mark.parametrize(("cols", "rows"), [*SIZES, (5, 16), (16, 4)])
def test_connect_tac_toe_plays_like_the_plain_reference(cols: int, rows: int, drop: str, stuck: str) -> None:
    game = load("connect-tac-toe", cols=cols, rows=rows, discs=6, marks=5, drop=drop, stuck=stuck)
    play_in_lockstep(game, PlainConnectTacToe(cols, rows, 6, 5, drop, stuck), seed=1)


def test_lines_reach_the_last_column_and_row() -> None:
    across = after("connect-four", "m m n n o o p", cols=16, rows=16)
    assert ending(across) == (0, "four discs m1-p1")
    upright = after("connect-four", "p " * 12 + "p o p o p o p", cols=16, rows=16)
    assert ending(upright) == (0, "four discs p13-p16")


@pytest.mark.slow
@pytest.mark.parametrize("game_id", GAMES)
@pytest.mark.parametrize(("cols", "rows"), [(8, 7), (8, 8), (16, 16)])
def test_interpreted_and_compiled_rules_agree(game_id: str, cols: int, rows: int) -> None:
    length = {"discs": 3} if game_id == "connect-tac-toe" else {"connect": 3}
    game = load(game_id, cols=cols, rows=rows, **length)
    depth = 3 if cols < 16 else 2
    begin = positions(game, 1)[-4]
    for position in (game.rules.start, begin):
        assert perft(game, depth, position) == interpreted_perft(game, depth, position)
    rules, planes = game.rules, game.planes()
    assert planes
    assert rules.evaluate
    assert rules.observe
    play, evaluate, observe = compiled(rules.play), compiled(rules.evaluate), compiled(rules.observe)
    outcome, mirror = compiled(rules.outcome), compiled(rules.mirrors[0])
    for position in positions(game, 5):
        assert outcome(position) == rules.outcome(position)
        assert mirror(position) == rules.mirrors[0](position)
        assert evaluate(position) == rules.evaluate(position)
        seen, expected = np.zeros((2, *planes.shape), np.int8)
        observe(position, 1, seen)
        rules.observe(position, 1, expected)
        assert (seen == expected).all()
        if rules.outcome(position) == -1:
            move = next(iter(rules.legal_moves(position)))
            after_it = play(position, move)
            assert after_it == rules.play(position, move)
            assert type(after_it) is type(position)


@pytest.mark.parametrize("game_id", GAMES)
@pytest.mark.parametrize(("cols", "rows"), SIZES)
def test_texts_round_trip_and_mirrors_agree(game_id: str, cols: int, rows: int) -> None:
    game = load(game_id, cols=cols, rows=rows)
    (mirror,) = game.rules.mirrors
    for position in positions(game, 3):
        assert game.read(game.write(position)) == position
        image = mirror(position)
        assert game.board(image) == [row[::-1] for row in game.board(position)]
        assert game.rules.outcome(image) == game.rules.outcome(position)
        assert game.scene(position)


@pytest.mark.slow
@pytest.mark.parametrize(("cols", "rows"), [(8, 8), (16, 16)])
def test_every_engine_sees_a_win(cols: int, rows: int) -> None:
    game = load("connect-four", cols=cols, rows=rows)
    match = Match(game)
    for move in ("a", "b", "a", "b", "a", "b"):
        match.play(move)
    for name in ("medium", "mcts:500", "alpha-beta:4"):
        assert player(name, game).choose(match) == "a"
    assert play_out(game, 50).lengths.max() <= cols * rows
