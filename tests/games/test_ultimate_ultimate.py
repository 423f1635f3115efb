"""The decisions on ultimate ultimate tic-tac-toe, as play.

Positions are given as the boards on which something has happened, by name: `{"1.1": "XX1OO4"}` is board 1 of 9x9 board
1 with X X . / O O . / . . . on it; `:21` behind it are two tallies of X and one of O; `=X` is completed by X.
"""

from __future__ import annotations

import random

import pytest

from connectoe import State, load
from connectoe.core.errors import BadPosition, IllegalMove
from connectoe.games.ultimate_ultimate.look import WIDTH_OF_9X9
from tests.games.plain_ultimate_ultimate import PlainUltimateUltimate
from tests.games.side_by_side import plain_figures, plain_perft
from tests.playing import after

ALL_BOARDS = {f"{large}.{small}" for large in range(1, 10) for small in range(1, 10)}


def position(boards: dict[str, str], step: str, mover: str = "X", tallies: int = 3) -> State:
    """The state with these boards, player and step.

    On all other boards something has happened, so that a game may have come by any way to this. On 9.8, filled and
    cleared before, there is one mark, which can have sent the player to move to the 9x9 board of its number.
    """
    cells = [mover if step.startswith(number) else "1" for number in "123456789"]
    others = {"9.8": "".join(cells) + ":11", "9.9": "9:11"} if tallies > 1 else {"9.9": "=O" if mover == "X" else "=X"}
    rest = "9:11" if tallies > 1 else "XO7"
    shown = dict.fromkeys(ALL_BOARDS, rest) | others | boards
    nines = [",".join(shown[f"{large}.{small}"] for small in range(1, 10)) for large in range(1, 10)]
    return load("ultimate-ultimate", tallies=tallies).state(f"{'/'.join(nines)} {mover} {step}")


def on(state: State, name: str) -> str:
    """A 3x3 board, as the position text gives it."""
    large, small = name.split(".")
    nine = state.text.split()[0].split("/")[int(large) - 1]
    return "9" if nine == "-" else nine.split(",")[int(small) - 1]


def play(state: State, moves: str) -> State:
    for move in moves.split():
        state = state.play(move)
    return state


def playable(state: State) -> set[str]:
    """The 3x3 boards the moves are on."""
    return {move.rpartition(".")[0] for move in state.legal_moves()}


ONE_LEFT = "XXOOOXX1O"
"""X X O / O O X / X . O: eight marks, and a mark on cell 8 makes no line."""
ONE_LEFT_FOR_A_LINE_OF_X = "XO1OXXXOO"
"""X O . / O X X / X O O: eight marks, and X on cell 3 makes a line."""
NO_LINE_TO_COME = "XXOOOXX2"
"""X X O / O O X / X . . : X on 8 and O on 9 fill it without a line."""


# A turn


def test_the_first_turn_is_free() -> None:
    state = load("ultimate-ultimate").start
    assert len(state.legal_moves()) == 729
    assert playable(state) == ALL_BOARDS


def test_boards_and_cells_are_numbered_in_reading_order_from_the_top_left() -> None:
    rows = after("ultimate-ultimate", "1.1.1").board()
    assert rows[0] == "X" + "." * 26
    rows = after("ultimate-ultimate", "9.9.9").board()
    assert rows[26] == "." * 26 + "X"
    rows = after("ultimate-ultimate", "2.1.3").board()
    assert rows[0] == "." * 11 + "X" + "." * 15


def test_a_turn_is_two_steps_by_the_same_player() -> None:
    state = after("ultimate-ultimate", "5.5.1")
    assert state.turn == 0
    assert state.legal_moves() == ["+2", "+3", "+4", "+5", "+6", "+7", "+8", "+9"]
    assert state.play("+9").turn == 1


def test_the_second_step_puts_the_opponents_mark_on_the_same_board() -> None:
    assert on(after("ultimate-ultimate", "5.5.1 +9"), "5.5") == "X7O"
    assert on(after("ultimate-ultimate", "5.5.1 +9 9.1.2 +3"), "9.1") == "1OX6"


def test_the_first_marks_cell_is_the_3x3_board_and_the_seconds_the_9x9_board_to_go_to() -> None:
    state = after("ultimate-ultimate", "5.5.1 +9")
    assert state.legal_moves() == [f"9.1.{cell}" for cell in range(1, 10)]
    assert playable(after("ultimate-ultimate", "5.5.1 +9 9.1.2 +3")) == {"3.2"}


def test_one_must_play_on_the_board_one_is_sent_to() -> None:
    with pytest.raises(IllegalMove, match=r"O was sent to board 9\.1 and must play there"):
        after("ultimate-ultimate", "5.5.1 +9 1.1.1")


def test_sent_to_a_completed_3x3_board_one_may_play_on_any_open_board() -> None:
    state = play(position({"2.1": "=X"}, "5.5"), "5.5.1 +2")
    assert playable(state) == ALL_BOARDS - {"2.1"}


def test_sent_to_a_closed_9x9_board_one_may_play_on_any_open_board() -> None:
    closed = {"2.1": "=X", "2.2": "=X", "2.3": "=X"}
    state = play(position(closed, "5.5"), "5.5.4 +2")
    assert playable(state) == {name for name in ALL_BOARDS if not name.startswith("2.")}


def test_whether_the_board_is_open_is_judged_after_scoring() -> None:
    # X's marks on 3 and 9 would send O right to board 9.3, but the line they make completes it.
    state = play(position({"9.3": "XX1OO4:20"}, "9.3"), "9.3.3 +9")
    assert playable(state) == ALL_BOARDS - {"9.3"}


# Scoring


def test_three_in_a_row_are_a_tally_and_clear_the_board() -> None:
    state = play(position({"1.1": "XX1OO4"}, "1.1"), "1.1.3 +9")
    assert on(state, "1.1") == "9:10"
    assert state.board()[0][:3] == "..."


def test_a_line_is_not_scored_before_the_second_step() -> None:
    state = play(position({"1.1": "XX1OO4"}, "1.1"), "1.1.3")
    assert on(state, "1.1") == "XXXOO4"
    assert state.turn == 0


def test_my_line_counts_alone_even_if_my_second_step_makes_one_for_the_opponent() -> None:
    assert on(play(position({"1.1": "XX1OO4"}, "1.1"), "1.1.3 +6"), "1.1") == "9:10"


def test_my_line_counts_alone_even_if_the_board_is_full() -> None:
    assert on(play(position({"1.1": "XX1OOXXO1:01"}, "1.1"), "1.1.3 +9"), "1.1") == "9:11"


def test_else_the_opponents_line_is_a_tally_for_the_opponent() -> None:
    assert on(play(position({"1.1": "XX1OO4"}, "1.1"), "1.1.9 +6"), "1.1") == "9:01"
    assert on(play(position({"1.1": "XX1OO4"}, "1.1", mover="O"), "1.1.9 +3"), "1.1") == "9:10"


def test_else_a_full_board_is_a_tally_for_both() -> None:
    state = play(position({"1.1": f"{NO_LINE_TO_COME}:01"}, "1.1"), "1.1.8 +9")
    assert on(state, "1.1") == "9:12"
    assert state.turn == 1


def test_a_board_that_gives_no_tally_keeps_its_marks() -> None:
    assert on(play(position({"1.1": "XX1OO4"}, "1.1"), "1.1.9 +3"), "1.1") == "XXOOO3X"


def test_three_tallies_complete_the_board_for_that_player() -> None:
    assert on(play(position({"1.1": "XX1OO4:12"}, "1.1"), "1.1.3 +9"), "1.1") == "9:22"
    assert on(play(position({"1.1": "XX1OO4:22"}, "1.1"), "1.1.3 +9"), "1.1") == "=X"
    assert on(play(position({"1.1": "XX1OO4:22"}, "1.1"), "1.1.9 +6"), "1.1") == "=O"
    assert play(position({"1.1": "XX1OO4:22"}, "1.1"), "1.1.3 +9").board()[0][:3] == "xxx"


def test_how_many_tallies_complete_a_board_is_an_option() -> None:
    assert on(play(position({"1.1": "XX1OO4"}, "1.1", tallies=1), "1.1.3 +9"), "1.1") == "=X"
    assert on(play(position({"1.1": "XX1OO4:78"}, "1.1", tallies=9), "1.1.3 +9"), "1.1") == "9:88"
    assert on(play(position({"1.1": "XX1OO4:88"}, "1.1", tallies=9), "1.1.3 +9"), "1.1") == "=X"


def test_if_one_event_takes_both_to_three_the_player_whose_turn_it_is_completes_the_board() -> None:
    assert on(play(position({"1.1": f"{NO_LINE_TO_COME}:22"}, "1.1"), "1.1.8 +9"), "1.1") == "=X"
    assert on(play(position({"1.1": f"{NO_LINE_TO_COME}:22"}, "1.1", mover="O"), "1.1.9 +8"), "1.1") == "=O"


def test_if_a_full_board_takes_one_player_to_three_that_player_completes_it() -> None:
    assert on(play(position({"1.1": f"{NO_LINE_TO_COME}:12"}, "1.1"), "1.1.8 +9"), "1.1") == "=O"
    assert on(play(position({"1.1": f"{NO_LINE_TO_COME}:21"}, "1.1"), "1.1.8 +9"), "1.1") == "=X"


# A board with eight marks


def test_filling_the_last_cell_with_a_line_is_a_tally_for_me_at_once() -> None:
    state = position({"1.1": ONE_LEFT_FOR_A_LINE_OF_X}, "1.1").play("1.1.3")
    assert on(state, "1.1") == "9:10"
    assert state.turn == 0


def test_filling_the_last_cell_without_a_line_is_a_tally_for_both_at_once() -> None:
    assert on(position({"1.1": ONE_LEFT}, "1.1").play("1.1.8"), "1.1") == "9:11"


def test_the_opponents_mark_then_goes_on_any_of_the_nine_cells_of_the_cleared_board() -> None:
    state = position({"1.1": ONE_LEFT}, "1.1").play("1.1.8")
    assert state.legal_moves() == [f"+{cell}" for cell in range(1, 10)]
    again = state.play("+8")
    assert on(again, "1.1") == "7O1:11"
    assert playable(again) == {"8.8"}


def test_it_is_not_scored_again() -> None:
    state = play(position({"1.1": f"{ONE_LEFT}:11"}, "1.1"), "1.1.8 +1")
    assert on(state, "1.1") == "O8:22"


def test_filling_that_completes_the_board_for_me_gives_the_bonus() -> None:
    state = position({"1.1": f"{ONE_LEFT}:21"}, "1.1").play("1.1.8")
    assert on(state, "1.1") == "=X"
    assert state.turn == 0
    assert state.legal_moves() == [f">{large}" for large in range(1, 10)]


def test_the_bonus_sends_the_opponent_to_the_board_numbered_like_my_mark() -> None:
    state = play(position({"1.1": f"{ONE_LEFT}:22"}, "1.1"), "1.1.8 >6")
    assert state.turn == 1
    assert playable(state) == {"6.8"}


def test_the_bonus_places_no_second_mark() -> None:
    state = play(position({"1.1": f"{ONE_LEFT}:22"}, "1.1"), "1.1.8 >6")
    assert {on(state, name) for name in ALL_BOARDS - {"9.8"}} == {"=X", "9:11"}


def test_the_bonus_chooses_among_open_9x9_boards_only() -> None:
    closed = {"2.1": "=O", "2.2": "=O", "2.3": "=O"}
    state = position({"1.1": f"{ONE_LEFT}:22", **closed}, "1.1").play("1.1.8")
    assert ">2" not in state.legal_moves()
    assert state.why_illegal(">2") == "'>2' is not legal: 9x9 board 2 is closed: O has won it"


def test_a_9x9_board_closed_by_the_fill_itself_cannot_be_chosen() -> None:
    state = position({"1.1": f"{ONE_LEFT}:22", "1.2": "=X", "1.3": "=X"}, "1.1").play("1.1.8")
    assert state.legal_moves() == [f">{large}" for large in range(2, 10)]


def test_if_the_bonus_points_to_a_completed_board_the_opponent_may_play_anywhere() -> None:
    state = play(position({"1.1": f"{ONE_LEFT}:22", "6.8": "=O"}, "1.1"), "1.1.8 >6")
    assert playable(state) == ALL_BOARDS - {"1.1", "6.8"}


def test_if_completing_the_board_ends_the_game_there_is_no_bonus() -> None:
    won = {f"{large}.{small}": "=X" for large in (2, 3) for small in (1, 2, 3)}
    state = position({"1.1": f"{ONE_LEFT}:22", "1.2": "=X", "1.3": "=X", **won}, "1.1").play("1.1.8")
    assert str(state.outcome) == "won by 0: three 9x9 boards 1, 2, 3"
    assert state.legal_moves() == []


def test_filling_that_completes_the_board_for_the_opponent_ends_my_turn_and_sets_the_opponent_free() -> None:
    state = position({"1.1": f"{ONE_LEFT}:12"}, "1.1").play("1.1.8")
    assert on(state, "1.1") == "=O"
    assert state.turn == 1
    assert playable(state) == ALL_BOARDS - {"1.1"}


def test_filling_with_a_line_that_completes_nothing_for_the_opponent() -> None:
    state = position({"1.1": f"{ONE_LEFT_FOR_A_LINE_OF_X}:12"}, "1.1").play("1.1.3")
    assert on(state, "1.1") == "9:22"
    assert state.turn == 0


# The end


def test_three_completed_boards_in_line_win_a_9x9_board() -> None:
    state = play(position({"1.1": "XX1OO4:20", "1.5": "=X", "1.9": "=X"}, "1.1"), "1.1.3 +9")
    assert [piece.id for piece in state.scene().pieces if piece.kind == "claim"] == ["claim-1"]
    assert state.scene().pieces[0].owner == 0
    assert not [name for name in playable(play(state, "9.3.3 +1")) if name.startswith("1.")]


def test_a_9x9_board_with_all_nine_completed_and_no_line_belongs_to_nobody() -> None:
    signs = "XXOOOXXXO"
    boards = {f"1.{number}": f"={sign}" for number, sign in enumerate(signs, 1)}
    state = play(position(boards | {"1.1": "XX1OO4:20"}, "1.1"), "1.1.3 +9")
    assert [(piece.id, piece.owner) for piece in state.scene().pieces if piece.kind == "claim"] == [("claim-1", None)]
    assert state.outcome is None
    anywhere = play(position(boards | {"1.1": "XX1OO4:20"}, "1.1"), "1.1.3 +9 9.3.3 +1")
    assert anywhere.why_illegal("1.3.1") == "'1.3.1' is not legal: 9x9 board 1 is closed: all its boards are completed"


def test_three_9x9_boards_in_line_win() -> None:
    won = {f"{large}.{small}": "=O" for large in (5, 7) for small in (1, 2, 3)}
    state = play(position({"3.1": "OO1XX4:02", "3.4": "=O", "3.7": "=O", **won}, "3.1", mover="O"), "3.1.3 +9")
    assert str(state.outcome) == "won by 1: three 9x9 boards 3, 5, 7"
    assert state.turn is None


@pytest.mark.parametrize(
    ("numbers", "line"),
    [
        ((1, 2, 3), ((0, 2), (1, 2), (2, 2))),
        ((1, 4, 7), ((0, 0), (0, 1), (0, 2))),
        ((1, 5, 9), ((0, 2), (1, 1), (2, 0))),
        ((3, 5, 7), ((0, 0), (1, 1), (2, 2))),
    ],
)
def test_the_winning_line_runs_to_the_right_or_upwards(
    numbers: tuple[int, ...], line: tuple[tuple[int, int], ...]
) -> None:
    won = {f"{large}.{small}": "=X" for large in numbers for small in (1, 2, 3)}
    state = position(won, "any", mover="O")
    assert state.outcome is not None
    assert state.outcome.line == line


def test_a_player_can_win_on_the_opponents_turn() -> None:
    won = {f"{large}.{small}": "=O" for large in (5, 7) for small in (1, 2, 3)}
    state = play(position({"3.1": "OO1XX4:22", "3.4": "=O", "3.7": "=O", **won}, "3.1"), "3.1.9 +3")
    assert str(state.outcome) == "won by 1: three 9x9 boards 3, 5, 7"


def test_all_nine_closed_without_a_line_is_a_draw() -> None:
    signs = "XXOOOXXXO"
    boards = {f"{large}.{small}": f"={sign}" for large, sign in enumerate(signs, 1) for small in (1, 2, 3)}
    state = play(position({**boards, "1.1": "XX1OO4:20"}, "1.1"), "1.1.3 +9")
    assert str(state.outcome) == "drawn: all 9x9 boards are closed and nobody has three in line"
    filled = position({**boards, "1.1": f"{ONE_LEFT}:22"}, "1.1").play("1.1.8")
    assert filled.outcome is not None
    assert filled.outcome.winner is None


@pytest.mark.slow
def test_a_random_game_runs_to_about_2300_steps() -> None:
    rules = load("ultimate-ultimate").rules
    dice = random.Random(1)
    steps = 0
    for _ in range(30):
        here = rules.start
        while rules.outcome(here) == -1:
            here = rules.play(here, dice.choice(list(rules.legal_moves(here))))
            steps += 1
    assert 2200 < steps / 30 < 2400


# The plain reference


@pytest.mark.slow
@pytest.mark.parametrize(("tallies", "games"), [(1, 16), (2, 4), (3, 4), (9, 1)])
def test_played_in_lockstep_with_the_plain_reference(tallies: int, games: int) -> None:
    for seed in range(games):
        dice = random.Random(seed)
        state = load("ultimate-ultimate", tallies=tallies).start
        plain = PlainUltimateUltimate(tallies)
        while state.outcome is None:
            legal = state.legal_moves()
            assert legal == sorted(plain.legal_moves())
            move = dice.choice(legal)
            state = state.play(move)
            plain.play(move)
            assert state.board() == plain.board()
            assert state.outcome is not None or state.turn == "XO".index(plain.mover)
        assert state.outcome.result == plain.result()


@pytest.mark.slow
@pytest.mark.parametrize(("depth", "count", "options"), plain_figures("ultimate-ultimate"))
def test_the_plain_reference_counts_the_same_lines(depth: int, count: int, options: dict[str, str]) -> None:
    assert plain_perft(PlainUltimateUltimate(**{name: int(value) for name, value in options.items()}), depth) == count


def test_tallies_agree_with_the_plain_reference() -> None:
    dice = random.Random(7)
    state, plain = load("ultimate-ultimate").start, PlainUltimateUltimate()
    for _ in range(1500):
        move = dice.choice(state.legal_moves())
        state = state.play(move)
        plain.play(move)
    shown = {name: on(state, f"{name[0]}.{name[1]}").partition(":")[2] for name in plain.cells}
    assert {name: tallies for name, tallies in shown.items() if tallies} == plain.tallies_shown()


# Words


@pytest.mark.parametrize(
    ("state", "move", "reason"),
    [
        (load("ultimate-ultimate").start, "+1", "X's own mark comes first"),
        (load("ultimate-ultimate").start, ">1", "the bonus comes only after filling the last cell of a board"),
        (after("ultimate-ultimate", "5.5.1"), "5.5.2", "X has made the first mark; O's mark on board 5.5 is due"),
        (after("ultimate-ultimate", "5.5.1"), "+1", "there is a mark on cell 5.5.1 already"),
        (after("ultimate-ultimate", "5.5.1"), ">1", "the bonus comes only after filling the last cell of a board"),
        (after("ultimate-ultimate", "5.5.1 +2"), "1.1.1", "O was sent to board 2.1 and must play there"),
        (position({"1.1": "XO7"}, "1.1"), "1.1.2", "there is a mark on cell 1.1.2 already"),
        (position({"2.2": "=O"}, "any"), "2.2.1", "board 2.2 is completed by O"),
        (position({"2.1": "=O", "2.5": "=O", "2.9": "=O"}, "any"), "2.2.1", "9x9 board 2 is closed: O has won it"),
        (position({"1.1": f"{ONE_LEFT}:22"}, "1.1").play("1.1.8"), "+1", "X has the bonus and chooses a 9x9 board"),
        (position({"1.1": f"{ONE_LEFT}:22"}, "1.1").play("1.1.8"), "5.5.5", "X has the bonus and chooses a 9x9 board"),
    ],
)
def test_an_illegal_move_is_refused_in_the_words_of_the_rules(state: State, move: str, reason: str) -> None:
    with pytest.raises(IllegalMove, match=reason):
        state.play(move)


def test_the_text_of_a_position() -> None:
    assert load("ultimate-ultimate").start.text == "-/-/-/-/-/-/-/-/- X any"
    assert after("ultimate-ultimate", "5.5.1").text == "-/-/-/-/9,9,9,9,X8,9,9,9,9/-/-/-/- X 5.5.1+"
    assert after("ultimate-ultimate", "5.5.1 +9").text == "-/-/-/-/9,9,9,9,X7O,9,9,9,9/-/-/-/- O 9.1"
    assert position({"1.1": f"{ONE_LEFT}:22"}, "1.1").play("1.1.8").text.endswith(" X 8>")


@pytest.mark.slow
@pytest.mark.parametrize("tallies", [1, 3])
def test_every_position_of_a_game_is_written_and_read_back(tallies: int) -> None:
    dice = random.Random(3)
    state = load("ultimate-ultimate", tallies=tallies).start
    while True:
        assert state.game.state(state.text) == state
        if state.outcome:
            return
        state = state.play(dice.choice(state.moves()))


@pytest.mark.parametrize(
    ("boards", "step", "mover", "reason"),
    [
        ({"1.1": "XXX1OO3"}, "any", "X", "X has a line on board 1.1, which would have been cleared"),
        ({"1.1": "XXXOO4"}, "1.1.9+", "X", "the first mark of this turn, on 1.1.9, is not there"),
        ({"1.1": "XXXOO3X"}, "1.1.9+", "X", "X has a line on board 1.1, which would have been cleared"),
        ({"1.1": "XXOOOXXXO"}, "any", "X", "board 1.1 is full and would have been cleared"),
        ({"1.1": "XXOOOXXXO"}, "1.1.1+", "X", "board 1.1 is full and would have been cleared"),
        ({"1.1": "9"}, "1.1.1+", "X", "board 1.1 was not cleared, and the first mark of this turn is not there"),
        ({"1.1": "XX7"}, "5.5", "X", "the numbers of X and O on board 1.1 differ by 2"),
        ({"1.1": "X8:10"}, "5.5", "X", "X can have more marks than O on board 1.1 only if O has a tally there"),
        ({"1.1": "9:30"}, "5.5", "X", "3 tallies would have completed board 1.1"),
        ({"1.1": "XO8"}, "5.5", "X", "board 1.1 has nine cells, 'XO8' has 10"),
        ({"1.1": "Z8"}, "5.5", "X", "'Z8' is no 3x3 board"),
        ({"1.1": "9:00"}, "5.5", "X", "'9:00' is no 3x3 board"),
        ({"1.1": "=Z"}, "5.5", "X", "'=Z' is no 3x3 board"),
        ({"1.1": "=X"}, "1.1", "X", "X cannot play on board 1.1: it is not open"),
        ({"1.1": "=X", "1.2": "=X", "1.3": "=X"}, "1.5", "X", "X cannot play on board 1.5: it is not open"),
        ({}, "any", "X", "X may not play anywhere: every board is open"),
        ({"1.1": "=O"}, "5>", "X", "X has completed no board and cannot have the bonus"),
        ({}, "0.5", "X", "the step is any, or like 3.5, 3.5.1. or 1>, not '0.5'"),
        ({f"1.{n}": "=X" for n in (1, 2, 3, 7, 8, 9)}, "any", "X", "9x9 board 1 was closed before all these boards"),
        (
            {"1.1": "=X", "1.2": "=X", "1.3": "=X", "1.4": "=O", "1.5": "=O", "1.6": "=O"},
            "any", "X", "9x9 board 1 was closed before all these boards",
        ),
        (
            {f"{large}.{n}": "=X" for large in (1, 2, 3, 7, 8, 9) for n in (1, 2, 3)},
            "any", "X", "the game was over before all these 9x9 boards were won",
        ),
        ({f"{large}.{n}": "=X" for large in (1, 2, 3) for n in (1, 2, 3)}, "4>", "X", "the game is over: no step is"),
    ],
)  # fmt: skip
def test_impossible_positions_are_refused_with_the_reason(
    boards: dict[str, str], step: str, mover: str, reason: str
) -> None:
    with pytest.raises(BadPosition, match=reason):
        position(boards, step, mover)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("-/-/-/-/-/-/-/- X any", "there are nine 9x9 boards with / between them, this has 8"),
        ("-/-/-/-/-/-/-/-/9,9 X any", "9x9 board 9 is - or nine boards with commas, this has 2"),
        ("-/-/-/-/-/-/-/-/- X 5.5", "no two marks by O send X to board 5.5"),
        ("-/-/-/-/-/-/-/-/- O any", "after 0 turns it is not O who is to move"),
        ("XO7,9,9,9,9,9,9,9,9/-/-/-/-/-/-/-/- O 2.2", "no two marks by X send O to board 2.2"),
        ("XO7,9,9,9,9,9,9,9,9/-/-/-/-/-/-/-/- X 1.2", "after 1 turns it is not X who is to move"),
    ],
)
def test_before_the_first_tally_the_way_to_a_position_is_known_better(text: str, reason: str) -> None:
    with pytest.raises(BadPosition, match=reason):
        load("ultimate-ultimate").state(text)


def test_a_turn_sends_nobody_back_to_its_own_board() -> None:
    """Its two marks are on different cells."""
    with pytest.raises(BadPosition, match=r"no two marks by O send X to board 1\.1"):
        load("ultimate-ultimate").state("9:10,9,9,9,9,9,9,9,9/-/-/-/-/-/-/-/- X 1.1")


@pytest.mark.parametrize("tallies", [1, 2, 3])
def test_a_game_on_as_few_boards_as_can_be_is_read_back(tallies: int) -> None:
    dice = random.Random(tallies)
    state = load("ultimate-ultimate", tallies=tallies).start.play("5.1.2")
    for _ in range(100):
        some_moves = dice.sample(state.moves(), min(9, len(state.moves())))
        state = state.play(min(some_moves, key=lambda move: touched_by(state, move)))
        assert state.game.state(state.text) == state


def touched_by(state: State, move: int) -> int:
    """How many boards something has happened on, or is to happen, after a move."""
    following = state.play(move).position
    return int((following.boards[:81] > 0).sum() + (following.where < 81 and not following.boards[following.where]))


# The picture


def test_the_board_to_play_on_is_highlighted_in_both_steps() -> None:
    for moves, legal in (("5.5.1 +9", 9), ("5.5.1 +9 9.1.2", 8)):
        scene = after("ultimate-ultimate", moves).scene()
        (forced,) = [mark for mark in scene.highlights if mark.kind == "forced"]
        assert len(scene.targets) == legal
        for target in scene.targets:
            assert forced.x <= target.x < forced.x + 3
            assert forced.y <= target.y < forced.y + 3


def test_notes_say_which_step_is_due() -> None:
    assert load("ultimate-ultimate").start.scene().notes == ["Step 1: X's own mark, on any open board"]
    assert after("ultimate-ultimate", "5.5.1").scene().notes == [
        "Step 2: X places O's mark, on an empty cell of board 5.5 (+1 to +9)"
    ]
    assert after("ultimate-ultimate", "5.5.1 +9").scene().notes == ["Step 1: O's own mark, on board 9.1"]
    bonus = position({"1.1": f"{ONE_LEFT}:22"}, "1.1").play("1.1.8").scene()
    assert bonus.notes == ["Bonus: X sends O to board 8 of any open 9x9 board (>1 to >9)"]
    assert len(bonus.targets) == 9


def test_tallies_stand_above_their_board_only_where_there_are_any() -> None:
    scene = position({"1.1": "9:20"}, "5.5").scene()
    tallies = {piece.id: piece.text for piece in scene.pieces if piece.kind == "tally"}
    assert [name for name in tallies if "-1.1-" in name] == ["tally-1.1-0"]
    assert (tallies["tally-1.1-0"], tallies["tally-9.9-0"], tallies["tally-9.9-1"]) == ("2", "1", "1")


def test_the_last_turns_marks_are_highlighted_or_the_board_they_were_cleared_from_or_the_one_chosen() -> None:
    def last(state: State) -> list[float]:
        return [mark.width for mark in state.scene().highlights if mark.kind == "last"]

    assert last(after("ultimate-ultimate", "5.5.1")) == [1]
    assert last(after("ultimate-ultimate", "5.5.1 +9")) == [1, 1]
    assert last(play(position({"1.1": "XX1OO4"}, "1.1"), "1.1.3 +9")) == [3]
    assert last(play(position({"1.1": f"{ONE_LEFT}:22"}, "1.1"), "1.1.8 >6")) == [WIDTH_OF_9X9]


def test_in_a_terminal_a_cleared_board_stands_in_brackets() -> None:
    lines = str(play(position({"1.1": "XX1OO4"}, "1.1"), "1.1.3 +9")).splitlines()
    assert [line[:8] for line in lines[2:5]] == ["[· · ·]│"] * 3


def test_in_a_terminal_won_9x9_boards_stand_between_stars() -> None:
    won = {f"{large}.{small}": "=X" for large in (1, 5, 9) for small in (1, 2, 3)}
    lines = str(position(won, "any", mover="O")).splitlines()
    assert lines[2] == "*X     │       │     X*║ · · · │ · · · │ · · · ║ · · · │ · · · │ · · ·"


def test_the_winning_9x9_boards_are_struck_through() -> None:
    won = {f"{large}.{small}": "=X" for large in (1, 5, 9) for small in (1, 2, 3)}
    scene = position(won, "any", mover="O").scene()
    assert [mark.kind for mark in scene.highlights] == ["win"] * 3
    assert [stroke.owner for stroke in scene.strokes] == [0]


def test_the_whole_board_fits_a_terminal() -> None:
    dice = random.Random(5)
    state = load("ultimate-ultimate").start
    while state.outcome is None:
        state = state.play(dice.choice(state.moves()))
    for shown in (str(state), str(load("ultimate-ultimate").start)):
        lines = shown.splitlines()
        assert len(lines) <= 60
        assert max(len(line) for line in lines) <= 100
