"""What beginners are told of mistakes in a recipe."""

from __future__ import annotations

from pathlib import Path

import pytest

from connectoe import ConnectoeError, load

RECIPE = '''"""Mine.

Four discs in line win.
"""

from connectoe.kit import *


class Mine(Recipe):
    """A recipe to make mistakes in."""

    id, name, summary = "mine", "Mine", "Four in line win."
    cols: int = option(7, range(4, 8), "columns of the board")
    layout = columns(cols, 6)
    pieces = discs()
    moves = (drop("{column}"),)
    ends = (line(4), full())
'''


@pytest.mark.parametrize(
    ("right", "wrong", "words"),
    [
        ('(drop("{column}"),)', "drop()", r"moves is a list, also of one block: write moves = \[drop\(\)\]"),
        ("(line(4), full())", "line(4)", r"ends is a list, also of one block: write ends = \[line\(4\)\]"),
        ('(drop("{column}"),)', "()", "moves is a list of blocks"),
        ('(drop("{column}"),)', "(drop,)", r"moves has drop without parentheses: write drop\(\)"),
        ("discs()", "discs", r"pieces has discs without parentheses: write discs\(\)"),
        ("discs()", "'discs'", "pieces holds kinds of pieces"),
        ("discs()", "(discs(), discs())", "pieces has two kinds that are called 'disc'"),
        ("discs()", "discs(in_hand=-1)", "in_hand says how many discs a player has, a number from 0, not -1"),
        ('"{column}"', '"{square}"', "the text '{square}' of a move may name its place only as {column}"),
        ('"{column}"', '"{column}", then=capture', "then has capture without parentheses"),
        ('"{column}"', '"{column}", "stone"', "the recipe has no 'stone'; its pieces are: disc$"),
        ("line(4)", 'line("four")', r"line takes how many pieces are in line, as line\(4\), not 'four'"),
        ("line(4)", 'line(4, winner=chosen(cols, {5: "owner"}))', "does not say what the value 7 of its option"),
        ("columns(cols, 6)", 'columns("7", 6)', "columns and rows of a board are numbers from 1 or options, not '7'"),
        ("columns(cols, 6)", "columns(0, 6)", "columns and rows of a board are numbers from 1 or options, not 0"),
        ("columns(cols, 6)", "(7, 6)", "layout is a board"),
    ],
)
def test_a_mistake_is_told_in_words_of_the_recipe(tmp_path: Path, right: str, wrong: str, words: str) -> None:
    assert right in RECIPE
    file = tmp_path / "mine.py"
    file.write_text(RECIPE.replace(right, wrong))
    with pytest.raises(ConnectoeError, match=words):
        load(file)


def test_without_a_mistake_it_is_a_game(tmp_path: Path) -> None:
    file = tmp_path / "mine.py"
    file.write_text(RECIPE)
    assert load(file).start.legal_moves() == list("abcdefg")
