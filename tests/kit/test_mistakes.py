"""What beginners are told of mistakes in a recipe."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from connectoe import ConnectoeError, load
from connectoe.core.errors import BadGame, BadOption
from connectoe.core.own_games import mistake_from
from connectoe.kit import (
    NestedRecipe,
    Recipe,
    capture,
    discs,
    full,
    grid,
    line,
    marks,
    nested,
    numbers,
    place,
    small_marks,
    total,
)

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
        ("columns(cols, 6)", "nested(grid(3, 3), grid(3, 3))", "whose layout is nested(…) derives from NestedRecipe"),
        ("Mine(Recipe)", "Mine(NestedRecipe)", "whose layout is one board derives from Recipe"),
        ("    layout = columns(cols, 6)", "    board = columns(cols, 6)", "does not say its layout: write layout = "),
        ("line(4)", "line(9)", r"line\(9\) can never hold on a board of 7x6: its longest line has 7 squares"),
        ("line(4)", "line(1)", r"line takes how many pieces are in line, as line\(4\), not 1"),
        ("line(4)", 'line(4, both="win")', "what lines for both do is mover, opponent or draw, not 'win'"),
        ("line(4)", "line()", r"it is written line\(length, piece=None, winner='owner', both='mover'\)"),
        ("line(4)", "lines(4)", "name 'lines' is not defined; did you mean 'line'"),
        ("line(4)", "drop()", r"ends has drop\(\), which is a move: it belongs in moves"),
        ('(drop("{column}"),)', "(line(4),)", r"moves has line\(\), which is an end: it belongs in ends"),
        ('(drop("{column}"),)', "(drop(), fall())", r"moves has fall\(\), which is an effect: it follows a move"),
        ('(drop("{column}"),)', "(drop(), 'pop')", "'pop' is none"),
        ('(drop("{column}"),)', "(drop(), drop())", "two blocks with a move 'a': give drop() a text of its own"),
        ('(drop("{column}"),)', "(pass_(),)", "a player passes only if there is no other move: add another one"),
        ('(drop("{column}"),)', "(step(),)", "the game is over before it begins: no move left; `opening` puts pieces"),
        ('(drop("{column}"),)', "(drop(), place('+{square}', owes='disk'))", "nobody can owe 'disk': .*, here 'disc'"),
        ('"{column}"', '"column"', "7 moves of drop() have the text 'column': its text must tell them apart"),
        ('"{column}"', '"{column}", then="fall"', r"then takes effects, as then=fall\(\), not 'fall'"),
        ('"{column}"', '"{column}", then=clear(8)', r"clear\(8\) can never hold on a board of 7x6"),
        ("discs()", "discs(in_hand=3)", r"line\(4\) can never hold: there are only 3 discs for it, as in_hand says"),
        ("discs()", "(discs(), marks())", "have the same letters in position texts, XO: take other pieces"),
        ("discs()", "(discs(), bombs(2))", r"no move plays a bomb, which is among the pieces: add bomb\(\) to moves"),
        ("discs()", "numbers(1, 2)", r"no move plays a piece 2, which is among the pieces: add drop\(…, 'piece 2'\)"),
        ("discs()", "bombs(2)", r"pieces has none that go on the board: add discs\(\) or marks\(\)"),
        ("discs()", 'discs()\n    opening = "7/7/7/7/7/XXXX3"', "the opening has a line already, a1-d1"),
        ("discs()", 'discs()\n    opening = "7/7/7/7/X6/7"', "in the opening, the disc on a2 floats"),
        ("discs()", 'discs()\n    symbols = ("Red", "Red")', "its symbols are two different texts"),
        ("line(4)", "line(cols - 3)", r"an option has no value yet: say what depends on it by chosen\(option"),
        ("line(4)", "lambda position: 0", "ends has a lambda, which is not marked with @rule"),
        (
            '"{column}"',
            '"{column}", piece=discs()',
            "a block is told its kind of piece by its name, as 'disc', not Kind",
        ),
        ("discs()", 'discs()\n    opening = "XO"', "opening has the rows of the board .* this has 1"),
    ],
)
def test_a_mistake_is_reported_in_words_of_the_recipe(tmp_path: Path, right: str, wrong: str, words: str) -> None:
    assert right in RECIPE
    file = tmp_path / "mine.py"
    file.write_text(RECIPE.replace(right, wrong))
    words = words.replace("()", r"\(\)").replace("(…)", r"\(…\)")
    with pytest.raises(ConnectoeError, match=words):
        load(file)


def test_a_mistake_is_reported_with_its_file_and_line(tmp_path: Path) -> None:
    file = tmp_path / "mine.py"
    file.write_text(RECIPE.replace("discs()", "numbers(0)"))
    with pytest.raises(ConnectoeError, match=r"mine\.py, line 15: numbers takes numbers from 1 to 26"):
        load(file)


def test_a_mistake_in_a_block_is_found_in_its_line(tmp_path: Path) -> None:
    file = tmp_path / "mine.py"
    file.write_text(RECIPE.replace("(line(4), full())", "(\n        line(4),\n        full('nobody'),\n    )"))
    with pytest.raises(ConnectoeError, match=r"mine\.py, line 19: who wins is") as caught:
        load(file)
    mistake = mistake_from(caught.value, [file])
    assert (mistake.line, mistake.code) == (19, "full('nobody'),")
    assert mistake.words.startswith("who wins is mover")


def test_a_block_that_is_not_imported_is_named_with_its_import(tmp_path: Path) -> None:
    file = tmp_path / "mine.py"
    file.write_text(RECIPE.replace("import *", "import Recipe, columns, discs, drop, full, option"))
    with pytest.raises(ConnectoeError, match="add it to what is imported: from connectoe.kit import line"):
        load(file)


def test_options_that_do_not_go_together_are_reported_as_such(tmp_path: Path) -> None:
    file = tmp_path / "mine.py"
    file.write_text(RECIPE.replace("line(4)", 'line(4, winner=chosen(cols, {7: "owner"}))'))
    assert load(file)
    with pytest.raises(BadOption, match=r"Mine cannot be played so: chosen\(\) does not say what the value 5"):
        load(file, cols=5)


def test_a_line_longer_than_a_small_board_is_refused() -> None:
    with pytest.raises(BadGame, match=r"nested\(…, line=4\) can never hold on a board of 3x3"):

        class Longer(NestedRecipe):
            id, name, summary = "longer", "Longer", "Four of three."
            layout = nested(grid(3, 3), grid(3, 3), line=4)
            pieces = marks()
            moves = (place(),)
            ends = (line(3), full())


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ({"moves": (place(), place("!{square}"))}, "a recipe has one move, which puts a piece on a small board"),
        ({"moves": (place(then=capture()),)}, "and has no effects"),
        ({"moves": (place(owes="mark"),)}, "as place"),
        ({"pieces": (discs(), small_marks())}, "played with one kind of piece"),
        ({"pieces": marks(shared=True)}, "played with one kind of piece"),
        ({"pieces": marks(in_hand=9)}, "without in_hand"),
        ({"opening": "X8/9/9/9/9/9/9/9/9"}, "boards in boards begin empty"),
        ({"layout": nested(grid(3, 3), grid(9, 9))}, r"9x9 is too large: .* as one of the boards in nested"),
        ({"layout": nested(grid(3, 3), nested(grid(3, 3), grid(3, 3)))}, "boards are nested once"),  # type: ignore[arg-type]
        ({"layout": nested(grid(3, 3), grid(3, 3), sends="yes")}, "nested takes sends=True or sends=False"),
    ],
)
def test_what_boards_in_boards_do_not_have_is_told(wrong: dict[str, Any], words: str) -> None:
    parts = {"layout": nested(grid(3, 3), grid(3, 3)), "pieces": marks(), "moves": (place(),), "ends": (line(3),)}
    named = {"id": "wrong", "name": "Wrong", "summary": "Wrong.", "__module__": __name__}
    with pytest.raises(BadGame, match=words):
        type("Wrong", (NestedRecipe,), {**named, **parts, **wrong})


def test_a_total_that_numbers_never_make_is_refused() -> None:
    with pytest.raises(
        BadGame, match=r"total\(30\) can never hold: 3 of a player's numbers never make that; they make 6"
    ):

        class Thirty(Recipe):
            id, name, summary = "thirty", "Thirty", "Make thirty."
            layout = grid(3, 3)
            pieces = numbers(1, 2, 3, 4)
            moves = tuple(place(f"{number}{{square}}", f"piece {number}") for number in range(1, 5))
            ends = (total(30), full())


def test_without_a_mistake_it_is_a_game(tmp_path: Path) -> None:
    file = tmp_path / "mine.py"
    file.write_text(RECIPE)
    assert load(file).start.legal_moves() == list("abcdefg")
