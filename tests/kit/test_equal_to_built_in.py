"""Recipes of built-in games are those games: by perft, and move by move in random games, with every option."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

import pytest

from connectoe import Game, load
from connectoe.core.rules import ONGOING
from connectoe.engines.perft import interpreted_perft, perft
from tests.kit.loading import RECIPES, recipe_of

TABLES = Path(__file__).parents[1] / "games"
GAMES = sorted(file.stem.replace("_", "-") for file in RECIPES.glob("[!_]*.py"))
each_game = pytest.mark.parametrize("game_id", GAMES)
DEEPEST = 3_000_000
"""The largest figure of the tables that is counted here."""


def figures(game_id: str) -> Iterator[tuple[int, int, dict[str, str]]]:
    for line in (TABLES / f"{game_id}.perft").read_text().splitlines():
        if line and not line.startswith("#"):
            depth, count, options, _ = line.split()
            chosen = {} if options == "-" else dict(part.split("=") for part in options.split(","))
            yield int(depth), int(count), chosen


def choices(game_id: str) -> list[dict[str, str]]:
    """The options that occur in a game's table."""
    found: list[dict[str, str]] = []
    for _, _, options in figures(game_id):
        if options not in found:
            found.append(options)
    return found


@each_game
def test_interpreted_the_recipe_has_the_figures_of_the_game(game_id: str) -> None:
    for depth, count, options in figures(game_id):
        if count <= 3_500 and depth < 20:
            assert interpreted_perft(recipe_of(game_id, **options), depth) == count, options


@pytest.mark.slow
@each_game
def test_compiled_the_recipe_has_the_figures_of_the_game(game_id: str) -> None:
    game = recipe_of(game_id)
    for depth, count, options in figures(game_id):
        if not options and count <= DEEPEST:
            assert perft(game, depth) == count


def in_lockstep(recipe: Game, room: Game, seed: int) -> None:
    """Play one random game on both, and compare moves, board, text, turn and result after each move."""
    dice = random.Random(seed)
    one, other = recipe.start, room.start
    while True:
        assert one.outcome == other.outcome or (one.outcome and other.outcome), one
        assert one.turn == other.turn
        assert one.board() == other.board()
        assert one.text == other.text
        assert one.legal_moves() == other.legal_moves()
        if one.outcome and other.outcome:
            assert (one.outcome.winner, one.outcome.line) == (other.outcome.winner, other.outcome.line)
            return
        move = dice.choice(one.legal_moves())
        one, other = one.play(move), other.play(move)


@each_game
def test_random_games_go_alike_with_every_option(game_id: str) -> None:
    for options in choices(game_id):
        recipe, room = recipe_of(game_id, **options), load(game_id, **options)
        for seed in range(2 if options else 6):
            in_lockstep(recipe, room, seed)


@each_game
def test_every_option_of_the_game_is_one_of_the_recipe(game_id: str) -> None:
    recipe, room = recipe_of(game_id), load(game_id)
    assert [option[:3] for option in recipe.option_list] == [option[:3] for option in room.option_list]


@each_game
def test_the_planes_show_what_those_of_the_game_show(game_id: str) -> None:
    import numpy as np

    recipe, room = recipe_of(game_id), load(game_id)
    shape = room.planes()
    assert shape is not None
    assert recipe.planes() == shape
    one, other = recipe.start, room.start
    dice = random.Random(5)
    while one.outcome is None:
        for viewer in (0, 1):
            seen = [np.zeros(shape.shape, np.int8) for _ in (0, 1)]
            for game, state, planes in ((recipe, one, seen[0]), (room, other, seen[1])):
                assert game.rules.observe
                game.rules.observe(state.position, viewer, planes)
            assert (seen[0] == seen[1]).all()
        move = dice.choice(one.legal_moves())
        one, other = one.play(move), other.play(move)
    assert recipe.rules.outcome(one.position) != ONGOING
