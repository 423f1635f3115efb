from __future__ import annotations

import random

import pytest

from connectoe import BadOption, BadPosition, load
from connectoe.scene import Highlight
from tests.games.all_positions import reachable_texts, readable_texts
from tests.games.plain_c4_twist import PlainC4Twist
from tests.games.side_by_side import plain_figures, plain_perft, play_in_lockstep
from tests.playing import after, ending


def bombs(state_moves: list[str]) -> list[str]:
    return [move for move in state_moves if move.startswith("*")]


def test_a_turn_drops_a_disc_or_bombs_a_column() -> None:
    assert after("c4-twist").legal_moves() == [*(f"*{letter}" for letter in "abcdefg"), *"abcdefg"]


def test_a_bomb_empties_the_whole_column_and_nothing_else() -> None:
    state = after("c4-twist", "d d d e c *d")
    assert state.board() == [
        ".......",
        ".......",
        ".......",
        ".......",
        ".......",
        "..X.O..",
    ]


def test_a_bomb_takes_discs_of_both_players() -> None:
    assert after("c4-twist", "d d *d").board() == after("c4-twist").board()


def test_using_a_bomb_is_the_whole_turn() -> None:
    assert after("c4-twist", "d").turn == 1
    assert after("c4-twist", "d *d").turn == 0


def test_each_player_has_one_bomb() -> None:
    state = after("c4-twist", "*a")
    assert len(bombs(state.legal_moves())) == 7
    state = state.play("d")
    assert bombs(state.legal_moves()) == []
    assert state.why_illegal("*d") == "'*d' is not legal: X has no bomb left"
    state = state.play("d")
    assert len(bombs(state.legal_moves())) == 7
    state = state.play("*e").play("e")
    assert state.why_illegal("*e") == "'*e' is not legal: O has no bomb left"


def test_a_bomb_may_not_be_used_on_a_full_column() -> None:
    state = after("c4-twist", "d d d d d d")
    assert "*d" not in state.legal_moves()
    assert state.why_illegal("*d") == "'*d' is not legal: column d is full, and a full column cannot be bombed"
    assert state.why_illegal("d") == "'d' is not legal: column d is full"


def test_a_column_one_short_of_full_may_be_bombed() -> None:
    assert after("c4-twist", "d d d d d *d").board() == after("c4-twist").board()


def test_a_bomb_may_be_used_on_an_empty_column() -> None:
    state = after("c4-twist", "*d")
    assert state.board() == after("c4-twist").board()
    assert state.turn == 1


def test_a_bomb_breaks_a_line_in_the_making() -> None:
    assert ending(after("c4-twist", "a a b b c c d")) == (0, "four discs a1-d1")
    state = after("c4-twist", "a a b b c *b d")
    assert state.outcome is None
    assert ending(state.play("g").play("b")) == (0, "four discs a1-d1")


def test_clearing_a_column_makes_no_new_line() -> None:
    # X has three on either side of column d; discs do not close up over the gap.
    state = after("c4-twist", "a g a g a e b *d b")
    assert state.outcome is None
    for seed in range(40):
        dice = random.Random(seed)
        state = after("c4-twist", bombs=3)
        while state.outcome is None:
            move = dice.choice(state.legal_moves())
            state = state.play(move)
            assert not (move.startswith("*") and state.outcome)


def test_four_in_line_win_after_a_bomb_as_before() -> None:
    assert ending(after("c4-twist", "*g a d *g d a c a c a")) == (1, "four discs a1-a4")


def test_a_full_board_without_a_line_is_a_draw_even_with_bombs_left() -> None:
    state = after("c4-twist", "a a b b", cols=2, rows=2)
    assert ending(state) == (None, "board full")
    assert state.text == "OO/XX X 1 1"


def test_a_board_that_was_bombed_must_be_filled_again_before_it_is_a_draw() -> None:
    state = after("c4-twist", "a *a a a b", cols=2, rows=2)
    assert state.outcome is None
    assert ending(state.play("b")) == (None, "board full")


@pytest.mark.parametrize("count", [0, 1, 2, 3])
def test_bombs_sets_how_many_each_player_has(count: int) -> None:
    state = after("c4-twist", "*a *b " * count, bombs=count)
    assert bombs(state.legal_moves()) == []
    assert state.text == "7/7/7/7/7/7 X 0 0"


def test_without_bombs_it_is_connect_four() -> None:
    dice = random.Random(2)
    for _ in range(20):
        twist, four = after("c4-twist", bombs=0), after("connect-four")
        while four.outcome is None:
            assert twist.legal_moves() == four.legal_moves()
            move = dice.choice(four.legal_moves())
            twist, four = twist.play(move), four.play(move)
        assert twist.outcome == four.outcome


def test_more_than_three_bombs_are_refused() -> None:
    with pytest.raises(BadOption, match=r"bombs=4 is out of range: bombs \(bombs each player has\) may be 0..3"):
        load("c4-twist", bombs=4)


def test_it_has_the_sizes_of_connect_four() -> None:
    assert load("c4-twist", cols=5, rows=4, connect=3).options == {"cols": 5, "rows": 4, "connect": 3, "bombs": 1}
    with pytest.raises(BadOption, match=r"rows=17 is out of range"):
        load("c4-twist", cols=8, rows=17)


@pytest.mark.parametrize(("cols", "rows", "connect"), [(8, 7, 4), (8, 8, 4), (9, 7, 5), (15, 3, 3), (16, 16, 6)])
def test_boards_of_several_words_play_like_the_plain_reference(cols: int, rows: int, connect: int) -> None:
    game = load("c4-twist", cols=cols, rows=rows, connect=connect, bombs=2)
    for seed in range(5):
        play_in_lockstep(game, PlainC4Twist(cols, rows, connect, bombs=2), seed)


@pytest.mark.parametrize("count", [0, 1, 2, 3])
@pytest.mark.parametrize(
    ("cols", "rows", "connect"), [(7, 6, 4), (4, 4, 3), (3, 2, 3), (1, 5, 3), (5, 7, 6), (8, 1, 4)]
)
def test_random_games_go_as_by_the_plain_reference(cols: int, rows: int, connect: int, count: int) -> None:
    game = load("c4-twist", cols=cols, rows=rows, connect=connect, bombs=count)
    for seed in range(15):
        play_in_lockstep(game, PlainC4Twist(cols, rows, connect, count), seed)


@pytest.mark.slow
@pytest.mark.parametrize(("depth", "count", "options"), plain_figures("c4-twist"))
def test_the_plain_reference_counts_the_same_lines(depth: int, count: int, options: dict[str, str]) -> None:
    assert plain_perft(PlainC4Twist(**{name: int(value) for name, value in options.items()}), depth) == count


def test_the_text_of_a_position_ends_with_the_bombs_of_x_and_of_o() -> None:
    state = after("c4-twist", "d e *e")
    assert state.text == "7/7/7/7/7/3X3 O 0 1"
    assert state.game.state(state.text) == state


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("7/7/7/7/7/3X3 O", r"a position is <board> <player to move> <bombs of X> <bombs of O>"),
        ("7/7/7/7/7/3X3 O 2 1", "X has 0 to 1 bombs, not '2'"),
        ("7/7/7/7/7/3X3 O 1 one", "O has 0 to 1 bombs, not 'one'"),
        ("7/7/7/7/3X3/7 O 1 1", "the disc on d2 floats: nothing is under it"),
        ("7/7/7/7/7/7 O 1 1", "turns that alternate and 0 bombs do not lead to 0 discs of X and 0 of O with O to move"),
        ("7/7/7/7/7/XXX1XXX X 1 0", "turns that alternate and 1 bomb do not lead to 6 discs of X and 0 of O"),
        ("7/7/7/7/7/XXXX3 X 0 0", "X has a line already, and the game ended there"),
        ("X5X/X4OX/XOO2XX/XXOXOXX/OXOOOXO/OOXOXOO O 1 1", "no one disc, dropped last, can have made all lines of X"),
        ("X5X/X4OX/XOO2XX/XXOXOXX/OXOOOXO/OOXOXOO O 0 0", "no one disc, dropped last, can have made all lines of X"),
    ],
)
def test_a_position_that_cannot_be_is_refused_with_the_reason(text: str, message: str) -> None:
    with pytest.raises(BadPosition, match=message):
        load("c4-twist").state(text)


def test_bombs_loosen_the_count_of_discs_by_what_they_can_take_away() -> None:
    # X dropped d1, d2, d3 and O bombed them: O is three discs ahead and X is to move.
    state = after("c4-twist", "d a d b d *d")
    assert state.text == "7/7/7/7/7/OO5 X 1 0"
    assert state.game.state(state.text) == state
    # A bomb cannot take away four more of one player's discs than of the other's: four on top of each other win.
    with pytest.raises(BadPosition, match="turns that alternate and 1 bomb do not lead to"):
        load("c4-twist").state("7/7/7/7/7/OOO1OO1 X 1 0")


@pytest.mark.parametrize(
    ("cols", "rows", "count", "positions"), [(3, 2, 1, 1183), (2, 3, 1, 746), (2, 3, 2, 2016), (4, 1, 1, 131)]
)
def test_every_position_that_can_be_reached_can_be_read_and_only_playable_ones(
    cols: int, rows: int, count: int, positions: int
) -> None:
    game = load("c4-twist", cols=cols, rows=rows, connect=3, bombs=count)
    tails = [f"{first} {second}" for first in range(count + 1) for second in range(count + 1)]
    reachable = reachable_texts(game)
    assert len(reachable) == positions
    assert set(readable_texts(game, cols, rows, ".XO", tails)) >= reachable


def test_the_scene_keeps_the_bombs_left_in_a_tray_with_stable_names() -> None:
    scene = after("c4-twist", "*a", bombs=2).scene()
    assert [(piece.id, piece.owner) for piece in scene.pieces] == [("bomb-X1", 0), ("bomb-O1", 1), ("bomb-O2", 1)]
    assert scene.notes == ["bombs left: X 1, O 2"]
    assert after("c4-twist", bombs=0).scene().notes == []


def test_the_scene_marks_the_whole_column_that_was_bombed() -> None:
    scene = after("c4-twist", "d d *d").scene()
    assert scene.highlights == [Highlight("last", 3, 0, 1, 6)]


def test_a_column_is_a_target_for_a_disc_and_for_a_bomb() -> None:
    targets = [target for target in after("c4-twist").scene().targets if target.x == 3]
    assert [(target.move, target.tool, target.says) for target in targets] == [
        ("d", "disc", "drop a disc in column d"),
        ("*d", "bomb", "bomb column d"),
    ]
    assert {(target.y, target.width, target.height) for target in targets} == {(0, 1, 6)}
