"""What follows from a recipe: words, pictures, animations, texts, and what is said of mistakes in one."""

from __future__ import annotations

import pytest

from connectoe import BadPosition, IllegalMove, Match, read_matches
from connectoe.core.errors import BadGame
from connectoe.kit import (
    Recipe,
    bomb,
    columns,
    discs,
    drop,
    full,
    grid,
    line,
    marks,
    numbers,
    place,
    pop,
    repetition,
    total,
)
from tests.kit.loading import example
from tests.playing import after, ending


def test_mistakes_with_numbers_are_explained() -> None:
    with pytest.raises(BadGame, match="numbers takes numbers from 1 to 26, as numbers.1, 2, 3., not .0, 1."):
        numbers(0, 1)
    with pytest.raises(BadGame, match="numbers takes each number once; in_hand=2 gives a player two of each"):
        numbers(1, 1, 2)
    with pytest.raises(BadGame, match=r"the recipe needs numbers\(1, 2, 3\) among its pieces"):

        class Sum(Recipe):
            id, name, summary = "sum", "Sum", "Nothing to add up."
            layout, pieces, moves, ends = grid(3, 3), marks(), (place(),), (total(9), full())


def test_popout_pops_a_disc_and_those_above_it_fall() -> None:
    state = after(example("popout"), "d d e d -d")
    assert state.board()[-2:] == ["...O...", "...OX.."]


def test_popout_says_why_a_disc_cannot_be_popped() -> None:
    state = after(example("popout"), "d d e")
    with pytest.raises(IllegalMove, match="the disc on d1 is not yours"):
        state.play("-d")
    with pytest.raises(IllegalMove, match="there is no disc on a1 to pop"):
        state.play("-a")


@pytest.mark.parametrize(("both", "winner"), [("mover", 0), ("opponent", 1), ("draw", None)])
def test_popout_with_lines_for_both_after_a_pop(both: str, winner: int | None) -> None:
    state = example("popout", both=both).state("7/7/O6/XOOO3/OXXX3/XOXO3 X").play("-a")
    assert state.board()[-3:] == ["OOOO...", "XXXX...", "OOXO..."]
    lines = ["four discs a2-d2", "four discs a3-d3"]
    assert ending(state) == (winner, " and ".join(reversed(lines) if winner == 1 else lines))


def test_a_piece_keeps_its_id_while_it_falls() -> None:
    match = Match(example("popout"))
    for move in "d d e d".split():
        match.play(move)
    before = {piece.id: (piece.x, piece.y) for piece in match.scene().pieces}
    match.play("-d")
    after_pop = {piece.id: (piece.x, piece.y) for piece in match.scene().pieces}
    assert len(after_pop) == 3
    for name, (x, y) in after_pop.items():
        was_x, was_y = before[name]
        assert x == was_x
        assert y - was_y == (1 if x == 3.5 else 0)


def test_notakto_is_lost_by_three_in_a_row_unless_an_option_says_otherwise() -> None:
    assert ending(after(example("notakto"), "a1 b2 c3")) == (1, "three marks a1-c3")
    assert ending(after(example("notakto", three="owner"), "a1 b2 c3")) == (0, "three marks a1-c3")


def test_five_in_a_row_wants_five() -> None:
    assert after(example("five_in_a_row"), "a1 a7 b1 b7 c1 c7 d1 d7").outcome is None
    assert ending(after(example("five_in_a_row"), "a1 a7 b1 b7 c1 c7 d1 d7 e1")) == (0, "five marks a1-e1")


def test_words_follow_from_the_blocks() -> None:
    game = example("popout")
    assert game.goal() == "Get four of your discs in line: across, upright or diagonally."
    assert game.may_do(game.start.position) == "Drop a disc into a column that is not full."
    assert game.may_do(after(game, "d d").position) == (
        "Drop a disc into a column that is not full, or pop one of your discs out of the bottom of a column."
    )
    assert game.move_help == "d to drop a disc in column d, or -d to pop the lowest disc out of column d"
    assert (game.can_repeat, game.pieces_travel, game.tools) == (True, True, ("disc", "pop"))
    assert game.special_moves == {"pop": "[-][a-z]+"}


def test_a_position_comes_back_for_the_third_time_and_is_drawn() -> None:
    match = Match(example("popout"))
    for move in "a b -a -b a b -a -b".split():
        match.play(move)
    assert match.outcome
    assert match.outcome.winner is None


def test_a_record_is_read_back() -> None:
    game = example("popout")
    match = Match(game)
    for move in "d d e d -d".split():
        match.play(move)
    assert [read.moves for read in read_matches(match.to_text(), type(game))] == [match.moves]


class Stones(Recipe):
    """Three marks each."""

    id, name, summary = "stones", "Stones", "Three marks each."
    layout = grid(3, 3)
    pieces = marks(in_hand=3)
    moves = (place(),)
    ends = (line(3),)


def test_a_player_without_a_piece_in_hand_cannot_put_one_and_the_game_is_drawn() -> None:
    state = after(Stones(), "a1 b2 b1 a3 c2 b3")
    assert ending(state) == (None, "no move is left")
    assert state.text == "OO1/1OX/XX1 X 0 0"
    with pytest.raises(BadPosition, match="marks in hand of X is 0 to 3, not '4'"):
        Stones().state("3/3/3 X 4 3")


def test_texts_of_impossible_positions_are_refused() -> None:
    game = example("popout")
    with pytest.raises(BadPosition, match="the disc on d2 floats"):
        game.state("7/7/7/7/3X3/7 O")
    with pytest.raises(BadPosition, match="X must have as many pieces as O"):
        example("five_in_a_row").state("7/7/7/7/7/7/XX5 X")
    with pytest.raises(BadPosition, match="X has a line already, and the game ended there"):
        example("five_in_a_row").state("7/7/7/7/7/OOOO3/XXXXXO1 X")


def test_mistakes_in_a_recipe_are_reported() -> None:
    with pytest.raises(BadGame, match="the recipe Empty does not say its layout, pieces, moves, ends"):

        class Empty(Recipe):
            id = "empty"

    with pytest.raises(BadGame, match="a recipe with bomb"):

        class NoBombs(Recipe):
            layout = columns(7, 6)
            pieces = discs()
            moves = (drop(), bomb())
            ends = (line(4), full())

    with pytest.raises(BadGame, match="the recipe has no 'stone'; its pieces are: disc"):

        class NoStones(Recipe):
            layout = columns(7, 6)
            pieces = discs()
            moves = (drop(piece="stone"),)
            ends = (line(4), full())

    with pytest.raises(BadGame, match='pop takes whose="own" or whose="any"'):

        class Popped(Recipe):
            layout = columns(7, 6)
            pieces = discs()
            moves = (drop(), pop(whose="mine"))
            ends = (line(4),)

    with pytest.raises(BadGame, match="repetition knows no other rule"):
        repetition(4)
