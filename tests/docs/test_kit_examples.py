"""The games in the page about the kit are games."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from connectoe import load
from connectoe.examining import BEFORE_COMPILING, examined

PAGE = (Path(__file__).parents[2] / "docs" / "kit.md").read_text()
GAMES = {
    found[1]: code
    for code in re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
    if (found := re.search(r"class (\w+)\(Recipe\)", code))
}


def test_there_are_some() -> None:
    assert set(GAMES) == {"SmallHasami", "Crossfire"}


@pytest.mark.parametrize("name", GAMES)
def test_a_game_of_the_page_is_in_order(name: str, tmp_path: Path) -> None:
    file = tmp_path / "game.py"
    file.write_text(f'"""A game of the page."""\n\nfrom connectoe.kit import *\n\n{GAMES[name]}')
    game = load(file)
    assert examined(game, steps=BEFORE_COMPILING) == []
