"""Recipes that tests play: those of built-in games, and the examples."""

from __future__ import annotations

from pathlib import Path

from connectoe import Game, load

RECIPES = Path(__file__).with_name("recipes")
EXAMPLES = Path(__file__).parents[2] / "examples" / "games"


def recipe_of(game_id: str, **options: object) -> Game:
    """The recipe that is to equal a built-in game."""
    return load(RECIPES / f"{game_id.replace('-', '_')}.py", **options)


def example(name: str, **options: object) -> Game:
    """A game of examples/games."""
    return load(EXAMPLES / f"{name}.py", **options)


def examples() -> list[str]:
    """The names of all of them."""
    return sorted(file.stem for file in EXAMPLES.glob("*.py"))
