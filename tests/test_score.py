"""`connectoe score`."""

from __future__ import annotations

import pytest

from connectoe.core.errors import IllegalMove
from connectoe.games.connect_four.commands.score import columns_in
from tests.commands.calling import connectoe

LATE = {"fbebgfaggccacdfdgggc": -9, "fceaddedeedddccgcfaagf": -1, "eaegeggbgfaegbbadaagbceb": 7}


@pytest.mark.slow
def test_positions_are_columns_as_letters_or_digits() -> None:
    letters = list(LATE)
    digits = ["".join(str(ord(letter) - ord("a") + 1) for letter in moves) for moves in letters]
    apart = [" ".join(moves) for moves in letters]
    for positions in (letters, digits, apart):
        result = connectoe("score", *positions)
        assert (result.exit_code, result.output) == (0, "-9\n-1\n7\n")


@pytest.mark.slow
def test_positions_are_read_from_standard_input_and_bad_ones_are_reported() -> None:
    lines = ["fceaddedeedddccgcfaagf", "d8", "d d d d d d d", "1212121", "fbebgfaggccacdfdgggc"]
    result = connectoe("score", "-", stdin="\n".join(lines))
    assert result.exit_code == 1
    assert result.stdout == "-1\n-9\n"
    assert result.stderr.splitlines() == [
        "line 2: move 2: '8' is no column: columns are 1 to 7, or a to g",
        "line 3: move 7: 'd' is not legal: column d is full",
        "line 4: the game is over: X wins: four discs a1-a4",
    ]


@pytest.mark.slow
def test_other_boards_are_chosen_by_options_and_an_empty_line_is_the_start() -> None:
    result = connectoe("score", "--cols", "4", "--rows", "4", "-", stdin="\n1\n")
    assert (result.exit_code, result.output) == (0, "0\n0\n")
    result = connectoe("score", "--cols", "4", "--rows", "3", "--connect", "3", "")
    assert (result.exit_code, result.output) == (0, "2\n")


def test_a_board_that_cannot_be_is_a_wrong_call() -> None:
    result = connectoe("score", "--cols", "20", "--rows", "20", "1")
    assert result.exit_code == 2
    assert "cols (columns of the board) may be 1..16" in result.output
    assert connectoe("score").exit_code == 2


def test_on_wide_boards_a_number_is_a_word() -> None:
    assert columns_in("d 4 44", 7) == [3, 3, 3, 3]
    assert columns_in("10 1 jb", 12) == [9, 0, 9, 1]
    assert columns_in("27 aa c", 30) == [26, 26, 2]
    with pytest.raises(IllegalMove, match="move 2: '13' is no column: columns are 1 to 12, or a to l"):
        columns_in("1 13", 12)


def test_control_characters_in_a_position_are_not_echoed() -> None:
    result = connectoe("score", "-", stdin=b"\x1b[31m\n\xff\n")
    assert result.exit_code == 1
    assert "\x1b" not in result.output
