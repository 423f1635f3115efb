from __future__ import annotations

import random

import pytest

from connectoe import BadOption, BadPosition, State, load
from tests.games.all_positions import reachable_texts, readable_texts
from tests.games.plain_connect_tac_toe import PlainConnectTacToe
from tests.games.side_by_side import plain_figures, plain_perft, play_in_lockstep
from tests.playing import after, ending

TWO_MARKS_ON_D = "a1 b1 a2 b2 a3 +d2 +d3"
STUCK = "a1 a2 a3 +b2 b3"
"""On 2 columns of 3 rows: O owes a disc, and the only empty cell, b1, lies under a disc."""


def rests(state: State, column: str) -> set[str]:
    """Where a disc dropped into the column can come to rest."""
    return {move for move in state.legal_moves() if move.startswith(column)}


def marks(state: State) -> set[str]:
    return {move for move in state.legal_moves() if move.startswith("+")}


def test_each_turn_drops_a_disc_or_places_a_mark() -> None:
    state = after("connect-tac-toe", "d1")
    assert {"d2", "a1"} < set(state.legal_moves())
    assert {"+a1", "+g1"} < set(state.legal_moves())


def test_a_disc_may_fall_through_two_marks_or_rest_on_them() -> None:
    assert rests(after("connect-tac-toe", TWO_MARKS_ON_D), "d") == {"d1", "d4"}


def test_a_disc_does_not_rest_inside_a_mark() -> None:
    state = after("connect-tac-toe", TWO_MARKS_ON_D)
    assert state.why_illegal("d2") == "'d2' is not legal: there is a piece on d2 already"


def test_a_disc_may_rest_between_marks() -> None:
    state = after("connect-tac-toe", "a1 b1 a2 b2 a3 +d1 +d3 c1 c2")
    assert rests(state, "d") == {"d2", "d4"}


def test_a_disc_never_falls_through_a_disc() -> None:
    state = after("connect-tac-toe", TWO_MARKS_ON_D).play("d4")
    assert rests(state, "d") == {"d5"}
    assert state.why_illegal("d1") == "'d1' is not legal: a disc cannot pass the disc on d4"


def test_a_disc_rests_on_the_floor_or_right_on_a_piece() -> None:
    state = after("connect-tac-toe", "d1")
    assert rests(state, "d") == {"d2"}
    assert rests(state, "e") == {"e1"}
    assert state.why_illegal("e2") == "'e2' is not legal: a disc cannot rest on e2: nothing is under it"


def test_a_column_with_a_mark_on_top_still_takes_discs_below() -> None:
    state = after("connect-tac-toe", "a1 a2 a3 +b3 +c3", rows=3)
    assert rests(state, "b") == {"b1"}


def test_any_gap_lets_a_disc_rest_below_a_disc() -> None:
    state = after("connect-tac-toe", TWO_MARKS_ON_D + " d4", drop="any-gap")
    assert rests(state, "d") == {"d1", "d5"}


def test_any_gap_counts_the_floor_as_something_under_it() -> None:
    assert rests(after("connect-tac-toe", drop="any-gap"), "d") == {"d1"}


def test_any_gap_still_wants_something_right_under_the_disc() -> None:
    state = after("connect-tac-toe", drop="any-gap")
    assert state.why_illegal("d2") == "'d2' is not legal: a disc cannot rest on d2: nothing is under it"


def test_while_no_disc_is_on_the_board_no_mark_may_be_placed() -> None:
    state = after("connect-tac-toe")
    assert state.legal_moves() == ["a1", "b1", "c1", "d1", "e1", "f1", "g1"]
    assert state.why_illegal("+a1") == "'+a1' is not legal: no mark may be placed while no disc is on the board"


def test_a_mark_goes_on_any_empty_cell_not_higher_than_the_highest_disc_of_either_player() -> None:
    state = after("connect-tac-toe", "d1 d2")  # X's turn; the highest disc is O's
    expected = {f"+{column}{row}" for column in "abcdefg" for row in (1, 2)} - {"+d1", "+d2"}
    assert marks(state) == expected
    assert state.why_illegal("+a3") == "'+a3' is not legal: a3 is higher than the highest disc, which is in row 2"


def test_a_mark_does_not_raise_the_height_for_marks() -> None:
    state = after("connect-tac-toe", "d1 d2 +a2 +b2 c1")
    assert state.why_illegal("+a3") is not None


def test_a_mark_goes_on_no_taken_cell() -> None:
    state = after("connect-tac-toe", "d1 +e1")
    assert state.why_illegal("+d1") == "'+d1' is not legal: there is a piece on d1 already"
    assert state.why_illegal("+e1") == "'+e1' is not legal: there is a piece on e1 already"


def test_a_mark_is_not_affected_by_gravity_and_may_go_under_a_disc() -> None:
    state = after("connect-tac-toe", "d1 d2 +a2 e1 a3")
    assert state.board()[3:] == ["X......", "x..O...", "...XO.."]
    assert "+a1" in state.legal_moves()


def test_after_placing_a_mark_your_own_next_turn_must_be_a_disc() -> None:
    state = after("connect-tac-toe", "d1 +e1 d2")
    assert marks(state) == set()
    assert state.why_illegal("+a1") == "'+a1' is not legal: O owes a disc, having placed a mark the turn before"
    state = state.play("a1").play("a2")
    assert marks(state) != set()


def test_the_opponent_of_a_player_who_owes_a_disc_may_place_a_mark() -> None:
    state = after("connect-tac-toe", "d1 +e1 +f1")
    assert state.text.endswith(" O XO")
    assert marks(state) == set()
    assert marks(state.play("a1")) == set()


def test_four_discs_in_line_win() -> None:
    assert ending(after("connect-tac-toe", "a1 a2 b1 b2 c1 c2 d1")) == (0, "four discs a1-d1")


def test_discs_in_line_may_rest_on_marks() -> None:
    moves = "d1 a1 d2 +a2 +b1 a3 b2 +g1 c1 g2 c2 g3 e1 f1"
    state = after("connect-tac-toe", moves)
    assert state.outcome is None
    assert ending(state.play("e2")) == (0, "four discs b2-e2")


def test_three_marks_in_line_win() -> None:
    state = after("connect-tac-toe", "a1 g1 +b1 g2 a2 f1 +c1 f2 a3 e1 +d1")
    assert ending(state) == (0, "three marks b1-d1")


def test_three_marks_of_the_second_player_win_diagonally() -> None:
    state = after("connect-tac-toe", "a1 +b1 a2 b2 a3 +c2 d1 c1 e1 +d3")
    assert ending(state) == (1, "three marks b1-d3")


def test_a_line_of_marks_longer_than_needed_wins_too() -> None:
    moves = "a1 +b1 a2 g1 a3 +c1 a4 g2 b2 +e1 b3 g3 c2 +f1 c3 g4 b4"
    state = after("connect-tac-toe", moves, discs=6)
    assert state.outcome is None
    assert ending(state.play("+d1")) == (1, "five marks b1-f1")


def test_discs_and_marks_never_mix() -> None:
    # X has the mark b1 and the discs a1, c1 and d1.
    assert after("connect-tac-toe", "a1 a2 +b1 b2 c1 c2 d1").outcome is None
    # O has the marks b1 and d1 and the disc c1.
    assert after("connect-tac-toe", "a1 +b1 a2 c1 a3 +d1").outcome is None


def test_marks_of_both_players_make_no_line() -> None:
    assert after("connect-tac-toe", "a1 +b1 +c1 a2 a3 +d1").outcome is None


def test_a_disc_owed_that_cannot_be_dropped_makes_a_draw_even_with_cells_empty() -> None:
    state = after("connect-tac-toe", STUCK, cols=2, rows=3)
    assert state.board() == ["XX", "Oo", "X."]
    assert ending(state) == (None, "no disc can be dropped")
    assert state.legal_moves() == []
    assert state.status == "Draw: no disc can be dropped"


def test_a_player_who_owes_nothing_may_place_a_mark_where_no_disc_can_be_dropped() -> None:
    state = after("connect-tac-toe", "a1 a2 +b2 a3 b3", cols=2, rows=3)
    assert state.text == "OX/Ox/X1 O -"
    assert state.legal_moves() == ["+b1"]
    assert ending(state.play("+b1")) == (None, "board full")


def test_stuck_free_lifts_the_duty_when_no_disc_can_be_dropped() -> None:
    state = after("connect-tac-toe", STUCK, cols=2, rows=3, stuck="free")
    assert state.outcome is None
    assert state.legal_moves() == ["+b1"]
    assert state.why_illegal("b1") == "'b1' is not legal: a disc cannot pass the disc on b3"
    assert ending(state.play("+b1")) == (None, "board full")


def test_stuck_free_keeps_the_duty_while_a_disc_can_be_dropped() -> None:
    state = after("connect-tac-toe", "d1 +e1 d2", stuck="free")
    assert marks(state) == set()


def test_any_gap_never_leaves_a_player_stuck() -> None:
    dice = random.Random(6)
    for _ in range(60):
        state = after("connect-tac-toe", cols=4, rows=4, discs=6, marks=6, drop="any-gap")
        while state.outcome is None:
            state = state.play(dice.choice(state.moves()))
        assert state.outcome.reason == "board full"


def test_some_random_games_end_stuck_on_the_whole_board() -> None:
    moves = (
        "f1 +c1 c2 c3 +d2 a1 g1 e1 c4 c5 +a4 +g5 g6 c6 +d1 +d5 a2 f2 "
        "+d4 +a6 a5 d6 e2 +g4 +f3 f4 f5 +f6 +e5 e6 b1 +b5 b6"
    )
    state = after("connect-tac-toe", moves)
    assert ending(state) == (None, "no disc can be dropped")
    assert "".join(state.board()).count(".") == 9


def test_a_full_board_without_a_line_is_a_draw() -> None:
    assert ending(after("connect-tac-toe", "a1 b1 b2 a2", cols=2, rows=2)) == (None, "board full")


def test_a_line_on_the_last_cell_is_a_win() -> None:
    state = after("connect-tac-toe", "c1 a1 +b1 a2 a3 +b2 b3 c2 c3", cols=3, rows=3, discs=3)
    assert "." not in "".join(state.board())
    assert ending(state) == (0, "three discs a3-c3")


@pytest.mark.parametrize("discs", [3, 4, 5, 6])
def test_discs_sets_how_many_discs_win(discs: int) -> None:
    moves = " ".join(f"a{row} b{row}" for row in range(1, discs))
    almost = after("connect-tac-toe", moves, discs=discs)
    assert almost.outcome is None
    outcome = almost.play(f"a{discs}").outcome
    assert outcome is not None
    assert outcome.winner == 0
    assert outcome.reason.endswith(f"discs a1-a{discs}")


@pytest.mark.parametrize("count", [3, 4, 5, 6])
def test_marks_sets_how_many_marks_win(count: int) -> None:
    state = after("connect-tac-toe", "a1", cols=8, marks=count, discs=6)
    for made in range(count):
        assert state.outcome is None
        column = "bcdefg"[made]
        state = state.play(f"+{column}1")
        if made < count - 1:
            state = state.play(f"{column}2").play(f"{column}3").play(f"{column}4")
    assert state.outcome is not None
    assert state.outcome.winner == 1


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"drop": "free"}, r"drop=free is out of range: drop \(.*\) may be through-marks or any-gap"),
        ({"stuck": "lost"}, r"stuck=lost is out of range: stuck \(.*\) may be draw or free"),
        ({"marks": 2}, r"marks=2 is out of range: marks \(marks in line that win\) may be 3..6"),
        ({"discs": 7}, r"discs=7 is out of range: discs \(discs in line that win\) may be 3..6"),
        ({"cols": 9, "rows": 17}, r"rows=17 is out of range: rows \(rows of the board\) may be 1..16"),
    ],
)
def test_an_option_out_of_range_is_refused_with_its_range(options: dict[str, object], message: str) -> None:
    with pytest.raises(BadOption, match=message):
        load("connect-tac-toe", **options)


@pytest.mark.parametrize("stuck", ["draw", "free"])
@pytest.mark.parametrize("drop", ["through-marks", "any-gap"])
@pytest.mark.parametrize(
    ("cols", "rows", "discs", "marks", "games"),
    [(7, 6, 4, 3, 25), (4, 4, 4, 4, 25), (3, 5, 6, 5, 25), (2, 3, 3, 3, 15), (1, 4, 3, 3, 3), (9, 1, 3, 4, 10)],
)
def test_random_games_go_as_by_the_plain_reference(
    cols: int, rows: int, discs: int, marks: int, games: int, drop: str, stuck: str
) -> None:
    game = load("connect-tac-toe", cols=cols, rows=rows, discs=discs, marks=marks, drop=drop, stuck=stuck)
    for seed in range(games):
        play_in_lockstep(game, PlainConnectTacToe(cols, rows, discs, marks, drop, stuck), seed)


@pytest.mark.slow
@pytest.mark.parametrize(("depth", "count", "options"), plain_figures("connect-tac-toe"))
def test_the_plain_reference_counts_the_same_lines(depth: int, count: int, options: dict[str, str]) -> None:
    sizes = {name: int(value) for name, value in options.items() if value.isdigit()}
    readings = {name: value for name, value in options.items() if not value.isdigit()}
    assert plain_perft(PlainConnectTacToe(**sizes, **readings), depth) == count  # type: ignore[arg-type]


def test_the_text_of_a_position_shows_discs_as_capitals_marks_as_small_letters_and_who_owes() -> None:
    assert after("connect-tac-toe", "d1 d2").text == "7/7/7/7/3O3/3X3 X -"
    assert after("connect-tac-toe", "d1 +e1").text == "7/7/7/7/7/3Xo2 X O"
    assert after("connect-tac-toe", "d1 +e1 +c1").text == "7/7/7/7/7/2xXo2 O XO"
    state = after("connect-tac-toe", "d1 +e1 +c1 a1")
    assert state.text == "7/7/7/7/7/O1xXo2 X X"
    assert state.game.state(state.text) == state


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("7/7/7/7/7/3X3 O", "a position is <board> <player to move> <who owes a disc>"),
        ("7/7/7/7/7/3X3 O Z", "who owes a disc is X, O, XO or -, not 'Z'"),
        ("7/7/7/7/3X3/7 O -", "the disc on d2 floats: nothing is under it"),
        ("7/7/7/7/o6/3X3 X O", "the mark on a2 is higher than any disc"),
        ("7/7/7/7/7/3X3 X -", "with X to move, X must have as many pieces as O; X has 1 and O has 0"),
        ("7/7/7/7/7/3X3 O X", "X owes a disc without having placed a mark"),
        ("7/7/7/7/7/3Xo2 X -", "O has too many marks: a mark must be followed by a disc"),
        ("7/7/7/7/7/o1XXo2 X O", "O has too many marks: a mark must be followed by a disc"),
        ("7/7/7/7/OOO4/XXXX2O X -", "X has a line already, and the game ended there"),
        ("7/7/X5X/X3O1X/X1OOO1X/XOOOXOX O -", "no one piece, placed last, can have made all lines of X"),
    ],
)
def test_a_position_that_cannot_be_is_refused_with_the_reason(text: str, message: str) -> None:
    with pytest.raises(BadPosition, match=message):
        load("connect-tac-toe").state(text)


@pytest.mark.parametrize("stuck", ["draw", "free"])
@pytest.mark.parametrize("drop", ["through-marks", "any-gap"])
@pytest.mark.parametrize(("cols", "rows"), [(1, 4), (2, 2), (3, 1)])
def test_every_position_that_can_be_reached_can_be_read_and_only_playable_ones(
    cols: int, rows: int, drop: str, stuck: str
) -> None:
    game = load("connect-tac-toe", cols=cols, rows=rows, discs=3, drop=drop, stuck=stuck)
    assert set(readable_texts(game, cols, rows, ".XOxo", ["-", "X", "O", "XO"])) >= reachable_texts(game)


@pytest.mark.slow
def test_every_position_with_gaps_under_discs_that_can_be_reached_can_be_read() -> None:
    game = load("connect-tac-toe", cols=2, rows=3, discs=3)
    reachable = reachable_texts(game)
    assert len(reachable) == 330
    assert set(readable_texts(game, 2, 3, ".XOxo", ["-", "X", "O", "XO"])) >= reachable


def test_the_owed_disc_is_shown_beside_the_board_and_in_words() -> None:
    scene = after("connect-tac-toe", "d1 +e1").scene()
    assert scene.notes == ["O owes a disc"]
    assert [mark.kind for mark in scene.highlights] == ["last", "owed"]
    assert [(piece.id, piece.kind, piece.owner) for piece in scene.pieces][-1] == ("owed-O", "disc", 1)
    assert after("connect-tac-toe", "d1 +e1 d2 a1").scene().notes == []


def test_discs_and_marks_can_be_told_apart_in_the_picture() -> None:
    scene = after("connect-tac-toe", "d1 +e1").scene()
    assert [(piece.id, piece.kind, piece.owner, piece.text) for piece in scene.pieces[:2]] == [
        ("disc-d1", "disc", 0, ""),
        ("mark-e1", "mark", 1, "o"),
    ]


def test_a_disc_is_dropped_by_the_empty_cells_above_its_own() -> None:
    state = after("connect-tac-toe", TWO_MARKS_ON_D)
    cells = {target.move: (target.y, target.height) for target in state.scene().targets if target.tool == "disc"}
    assert cells["d4"] == (0, 3)  # d4 to d6
    assert cells["d1"] == (5, 1)
    assert cells["g1"] == (0, 6)
    refused = {place.move: place.says for place in state.game.refusals(state.position) if place.tool == "disc"}
    assert refused.keys() == {"a1", "a2", "a3", "b1", "b2", "d2", "d3"}


def test_a_cell_is_a_target_for_a_disc_and_for_a_mark() -> None:
    targets = {target.move: (target.tool, target.says) for target in after("connect-tac-toe", "d1").scene().targets}
    assert targets["e1"] == ("disc", "drop a disc that rests on e1")
    assert targets["+e1"] == ("mark", "place a mark on e1")


def test_a_disc_is_named_by_the_cell_where_it_comes_to_rest() -> None:
    assert after("connect-tac-toe", "d1 d2").board()[-2:] == ["...O...", "...X..."]
