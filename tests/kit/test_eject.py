"""A recipe written out is a plain game, and the same one."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from connectoe import Game, load
from connectoe.engines.perft import interpreted_perft, perft
from connectoe.kit import NestedRecipe, Recipe
from connectoe.kit.eject import ejected
from connectoe.scene import Scene
from tests.commands.calling import connectoe
from tests.kit.loading import EXAMPLES, RECIPES, example, examples, recipe_of
from tests.kit.test_equal_to_built_in import GAMES


def written_out(game: Game, folder: Path) -> Game:
    """The plain game that a recipe is ejected as."""
    assert isinstance(game, Recipe)
    file = folder / "ejected.py"
    file.write_text(ejected(game))
    assert not [line for line in file.read_text().splitlines() if len(line) > 120 and "move_help" not in line]
    assert "connectoe.kit" not in file.read_text()
    plain = load(file)
    assert not isinstance(plain, Recipe)
    return plain


@pytest.mark.parametrize("game_id", GAMES)
def test_an_ejected_game_of_the_built_in_ones_is_equal(game_id: str, tmp_path: Path) -> None:
    check_equal(recipe_of(game_id), tmp_path)


@pytest.mark.parametrize("name", examples())
def test_an_ejected_example_is_equal(name: str, tmp_path: Path) -> None:
    check_equal(example(name), tmp_path)


def check_equal(recipe: Game, folder: Path) -> None:
    plain = written_out(recipe, folder)
    assert plain.notation() == recipe.notation()
    assert (plain.id, plain.endings, plain.symbols) == (recipe.id, recipe.endings, recipe.symbols)
    assert (plain.tools, plain.tool_pictures) == (recipe.tools, recipe.tool_pictures)
    assert interpreted_perft(plain, 1) == interpreted_perft(recipe, 1)
    one, other = recipe.start, plain.start
    dice = random.Random(3)
    for _ in range(30):
        if one.outcome:
            break
        assert one.legal_moves() == other.legal_moves()
        move = dice.choice(one.legal_moves())
        one, other = one.play(move), other.play(move)
        assert tuple(one.position) == tuple(other.position)
        assert one.turn == other.turn
        assert len(one.scene().targets) == len(other.scene().targets)
        if not isinstance(recipe, NestedRecipe):  # which shows won boards without their pieces
            assert looks(other.scene()) <= looks(one.scene())  # which shows hands, too
    assert (other.outcome.winner if other.outcome else "") == (one.outcome.winner if one.outcome else "")


def looks(scene: Scene) -> set[tuple[object, ...]]:
    return {piece[1:] for piece in scene.pieces}


@pytest.mark.slow
def test_an_ejected_game_compiles_to_the_same_perft(tmp_path: Path) -> None:
    recipe = example("popout")
    assert perft(written_out(recipe, tmp_path), 6) == perft(recipe, 6)


def test_options_are_put_in(tmp_path: Path) -> None:
    plain = written_out(example("popout", cols=5, rows=4, connect=3), tmp_path)
    assert plain.options == {}
    assert plain.notation() == ["a", "b", "c", "d", "e", "-a", "-b", "-c", "-d", "-e"]


def test_the_command_writes_a_file(tmp_path: Path) -> None:
    file = tmp_path / "plain.py"
    assert connectoe("eject", str(EXAMPLES / "notakto.py"), "-o", str(file)).exit_code == 0
    assert load(file).id == "notakto"
    printed = connectoe("eject", str(RECIPES / "tic_tac_toe.py")).output
    assert "class Position(NamedTuple):" in printed
    assert "connectoe.kit" not in printed


def test_a_game_that_is_no_recipe_is_refused() -> None:
    refused = connectoe("eject", "connect-four")
    assert refused.exit_code == 2
    assert "connect-four is not a recipe" in refused.output
