from __future__ import annotations

import random

import pytest

from connectoe import BadOption, BadPosition, IllegalMove, load
from connectoe.board import bit, full_mask, open_lines, square_name
from connectoe.engines.compiling import compiled
from tests.games.all_positions import reachable_texts, readable_texts
from tests.games.plain_c4_twist import PlainC4Twist
from tests.games.side_by_side import plain_figures, plain_perft, play_in_lockstep
from tests.playing import after, ending

FULL_WITHOUT_LINE = " ".join("edgabeffbbfabgabffbaegdcggaegfcaececccdddd")
LINE_BY_THE_LAST_DISC = " ".join("efgeeedebcdcfdagbbegaccdafgadbbaafdgbcgcff")


def test_a_move_is_the_letter_of_one_of_seven_columns() -> None:
    assert after("connect-four").legal_moves() == ["a", "b", "c", "d", "e", "f", "g"]
    with pytest.raises(IllegalMove, match="'h' is no move of connect-four: a move is the letter of a column, like d"):
        after("connect-four", "h")


def test_a_disc_falls_to_the_lowest_empty_cell() -> None:
    assert after("connect-four", "d d e").board() == [
        ".......",
        ".......",
        ".......",
        ".......",
        "...O...",
        "...XX..",
    ]


@pytest.mark.parametrize(
    ("moves", "reason"),
    [
        ("a a b b c c d", "four discs a1-d1"),
        ("a b a b a b a", "four discs a1-a4"),
        ("a b b c c d c d d a d", "four discs a1-d4"),
        ("g f f e e d e d d g d", "four discs d4-g1"),
    ],
)
def test_four_in_line_win_across_upright_and_diagonally(moves: str, reason: str) -> None:
    state = after("connect-four", moves)
    assert ending(state) == (0, reason)
    assert state.outcome
    assert "-".join(square_name(*square) for square in (state.outcome.line[0], state.outcome.line[-1])) in reason


def test_the_second_player_wins_by_a_line_too() -> None:
    assert ending(after("connect-four", "a b a b a b c b")) == (1, "four discs b1-b4")


def test_a_line_longer_than_needed_wins_too() -> None:
    assert ending(after("connect-four", "a a b b c c e e f f g g d")) == (0, "seven discs a1-g1")


def test_a_line_does_not_run_round_the_edge() -> None:
    # X has a5, a6, b1 and b2, and on the bottom row e1, f1, g1 and then a1.
    assert after("connect-four", "a a a a a g a g b g b").outcome is None
    assert after("connect-four", "e e f f g g a").outcome is None


def test_a_full_board_without_a_line_is_a_draw() -> None:
    state = after("connect-four", FULL_WITHOUT_LINE)
    assert ending(state) == (None, "board full")
    assert state.legal_moves() == []
    assert state.turn is None


def test_a_line_made_by_the_42nd_disc_is_a_win() -> None:
    moves = LINE_BY_THE_LAST_DISC.split()
    assert len(moves) == 42
    before = after("connect-four", " ".join(moves[:-1]))
    assert before.outcome is None
    outcome = before.play(moves[-1]).outcome
    assert outcome is not None
    assert outcome.winner == 1


def test_a_full_column_takes_no_disc() -> None:
    state = after("connect-four", "d d d d d d")
    assert "d" not in state.legal_moves()
    assert state.why_illegal("d") == "'d' is not legal: column d is full"


def test_nothing_can_be_played_after_the_end() -> None:
    state = after("connect-four", "a b a b a b a")
    with pytest.raises(IllegalMove, match="'c' comes after the end: the game is won by X: four discs a1-a4"):
        state.play("c")


@pytest.mark.parametrize("connect", [3, 4, 5, 6])
def test_as_many_in_line_as_the_option_says_win_and_one_fewer_do_not(connect: int) -> None:
    almost = after("connect-four", "a b " * (connect - 1), connect=connect)
    assert almost.outcome is None
    outcome = almost.play("a").outcome
    assert outcome is not None
    assert outcome.winner == 0
    assert outcome.reason.endswith(f"discs a1-a{connect}")


def test_a_board_too_small_for_a_line_can_only_be_drawn() -> None:
    assert ending(after("connect-four", "a a b b c c", cols=3, rows=2)) == (None, "board full")
    assert ending(after("connect-four", "a", cols=1, rows=1)) == (None, "board full")


def sizes() -> list[tuple[int, int]]:
    return [(cols, rows) for cols in range(1, 17) for rows in range(1, 17) if cols * (rows + 1) <= 62]


@pytest.mark.slow
def test_every_size_up_to_62_bits_plays_like_the_plain_reference() -> None:
    for number, (cols, rows) in enumerate(sizes()):
        connect = 3 + number % 4
        game = load("connect-four", cols=cols, rows=rows, connect=connect)
        play_in_lockstep(game, PlainC4Twist(cols, rows, connect, bombs=0), seed=number)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"cols": 0}, r"cols=0 is out of range: cols \(columns of the board\) may be 1..16"),
        ({"cols": 17}, r"cols=17 is out of range: cols \(columns of the board\) may be 1..16"),
        ({"rows": 17}, r"rows=17 is out of range: rows \(rows of the board\) may be 1..16"),
        ({"connect": 2}, r"connect=2 is out of range: connect \(discs in line that win\) may be 3..6"),
        ({"connect": 7}, r"connect=7 is out of range: connect \(discs in line that win\) may be 3..6"),
        ({"connect": "four"}, r"connect=four is out of range"),
        ({"bombs": 1}, "connect-four has no option 'bombs'; its options are: cols, rows, connect"),
    ],
)
def test_an_option_out_of_range_is_refused_with_its_range(options: dict[str, object], message: str) -> None:
    with pytest.raises(BadOption, match=message):
        load("connect-four", **options)


@pytest.mark.slow
@pytest.mark.parametrize(("depth", "count", "options"), plain_figures("connect-four"))
def test_the_plain_reference_counts_the_same_lines(depth: int, count: int, options: dict[str, str]) -> None:
    sizes = {name: int(value) for name, value in options.items()}
    assert plain_perft(PlainC4Twist(**sizes, bombs=0), depth) == count


def test_the_text_of_a_position_is_its_rows_from_the_top_and_the_player_to_move() -> None:
    state = after("connect-four", "d d e")
    assert state.text == "7/7/7/7/3O3/3XX2 O"
    assert state.game.state(state.text) == state


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("7/7/7/7/7/3X3", r"a position is <board> <player to move>; .* has 1 part"),
        ("7/7/7/7/7/3X3 Y", "the player to move is X or O, not 'Y'"),
        ("7/7/7/7/3X3 O", "the board has 6 rows with / between them, this has 5"),
        ("7/7/7/7/7/3X4 O", "row 1 must have 7 squares"),
        ("7/7/7/7/7/3x3 O", "'x' in row 1 is no piece: pieces are X, O"),
        ("7/7/7/7/3X3/7 O", "the disc on d2 floats: nothing is under it"),
        ("7/7/7/7/7/3X3 X", "with X to move, X must have as many discs as O; X has 1 and O has 0"),
        ("7/7/7/7/7/3XX2 O", "with O to move, X must have one disc more than O; X has 2 and O has 0"),
        ("7/7/7/7/OOO4/XXXX2O X", "X has a line already, and the game ended there"),
        (
            "X5X/X4OX/XOO2XX/XXOXOXX/OXOOOXO/OOXOXOO O",
            "no one disc, dropped last, can have made all lines of X",
        ),
    ],
)
def test_a_position_that_cannot_be_is_refused_with_the_reason(text: str, message: str) -> None:
    with pytest.raises(BadPosition, match=message):
        load("connect-four").state(text)


def test_every_position_that_can_be_reached_can_be_read_and_only_playable_ones() -> None:
    game = load("connect-four", cols=3, rows=3, connect=3)
    assert set(readable_texts(game, 3, 3, ".XO", [""])) >= reachable_texts(game)


def test_lines_that_have_no_room_are_worth_nothing_compiled_too() -> None:
    discs, board = bit(0, 0, rows=30) | bit(1, 2, rows=30), full_mask(2, 30)
    worth = open_lines(discs, 0, board, rows=30, length=3, factor=3)
    assert compiled(open_lines)(discs, 0, board, 30, 3, 3) == worth == 1 + 3


def test_a_position_from_a_long_game_is_read_back() -> None:
    dice = random.Random(4)
    for _ in range(30):
        state = after("connect-four")
        while state.outcome is None:
            state = state.play(dice.choice(state.moves()))
            assert state.game.state(state.text) == state


def test_the_scene_marks_the_last_disc_and_offers_the_columns() -> None:
    scene = after("connect-four", "d d").scene()
    assert [(mark.kind, mark.x, mark.y) for mark in scene.highlights] == [("last", 3, 4)]
    assert [(target.move, target.tool, target.height) for target in scene.targets] == [
        (letter, "disc", 6) for letter in "abcdefg"
    ]
    assert scene.targets[3].says == "drop a disc in column d"


def test_the_scene_strokes_every_line_of_the_winner() -> None:
    scene = after("connect-four", "a f b c a e a c b b f a a d").scene()
    assert scene.targets == []
    assert [(stroke.owner, stroke.x1, stroke.y1, stroke.x2, stroke.y2) for stroke in scene.strokes] == [
        (1, 0.5, 2.5, 3.5, 5.5),
        (1, 2.5, 5.5, 5.5, 5.5),
    ]
