"""The decisions on Advanced Tic Tac Toe, each as play.

Positions are texts: `X2Ea2` is X's 2 on a2, facing east; then the crown's holder, then the placement this round has
seen. A round is two placements; `round_from` says what stands on the board after it.
"""

from __future__ import annotations

import random
from collections import Counter

import pytest

from connectoe import State, load
from tests.games.plain_advanced import PlainAdvanced
from tests.playing import after


def state_of(text: str, both: str = "continue") -> State:
    return load("advanced", both=both).state(text)


def on_board(state: State) -> str:
    return state.text.split()[0].replace(",", " ")


def round_from(pieces: str, first: str, second: str, crown: str = "X") -> str:
    """The pieces on the board after a round in which the crown's holder and then the other place these."""
    return on_board(state_of(f"{pieces.replace(' ', ',')} {crown} -").play(first).play(second))


# The round.


def test_each_player_has_pieces_1_to_5_and_twelve_edge_places() -> None:
    start = after("advanced")
    assert len(start.legal_moves()) == 60
    assert start.legal_moves()[:12] == sorted(f"1{place}" for place in "Na Nb Nc E1 E2 E3 Sa Sb Sc W1 W2 W3".split())
    assert {move[0] for move in start.legal_moves()} == set("12345")


def test_player_0_starts_with_the_crown_and_places_first() -> None:
    assert after("advanced").text == "- X -"
    assert after("advanced").turn == 0
    assert after("advanced", "4Nb").turn == 1


def test_the_other_player_places_on_another_place() -> None:
    state = after("advanced", "4Nb")
    assert state.text == "- X 4Nb"
    assert len(state.legal_moves()) == 55
    assert state.why_illegal("1Nb") == "'1Nb' is not legal: X4 waits on edge place Nb already"


def test_a_piece_on_the_board_cannot_be_placed() -> None:
    state = after("advanced", "4Nb 1W3 2Sc")
    assert state.why_illegal("4Sa") == "'4Sa' is not legal: X4 is not in hand: it stands on b3"


def test_pieces_face_the_board_and_all_move_one_step_when_both_have_placed() -> None:
    assert on_board(after("advanced", "4Nb 1W3")) == "X4Sb3 O1Ea3"
    assert on_board(after("advanced", "4Sb 1E3")) == "X4Nb1 O1Wc3"
    assert on_board(after("advanced", "4Nb 1W1 5Sa 5Sc")) == "X4Sb2 X5Nc1 O1Eb1 O5Na1"


def test_the_crown_passes_after_each_round() -> None:
    assert after("advanced", "4Nb 1W3").text == "X4Sb3,O1Ea3 O -"
    assert after("advanced", "4Nb 1W3").turn == 1
    assert after("advanced", "4Nb 1W3 5Sa 5Sc").text.split()[1] == "X"


def test_pieces_move_number_by_number() -> None:
    assert round_from("X3Ea2 O2Wc2", "5Sa", "5Sc") == "X3Ea2 X5Na1 O2Wb2 O5Nc1"


def test_the_crown_holders_piece_moves_first_of_two_equal_numbers() -> None:
    assert round_from("X2Ea2 O2Wc2", "5Sa", "5Sc", crown="X") == "X2Eb2 X5Na1 O2Wc2 O5Nc1"
    assert round_from("X2Ea2 O2Wc2", "5Sc", "5Sa", crown="O") == "X2Ea2 X5Na1 O2Wb2 O5Nc1"


# Moving.


def test_off_the_board_a_piece_returns_to_its_hand() -> None:
    state = state_of("X2Wa2 X -").play("5Sa").play("5Sc")
    assert on_board(state) == "X5Na1 O5Nc1"
    assert "2W2" in state.play("1W3").legal_moves()


def test_an_edge_place_where_a_piece_still_waits_is_not_free() -> None:
    # X2 cannot leave over W2, where O5 waits; O5 in turn finds a2 taken.
    assert round_from("X2Wa2", "3Sc", "5W2") == "X2Wa2 X3Nc1"


def test_a_piece_blocked_on_the_edge_returns_to_its_hand_at_once_and_is_in_nobodys_way() -> None:
    # O1 is blocked by X3 and goes; so W2 is free when X3 moves.
    state = state_of("X3Wa2 X -").play("2Sc").play("1W2")
    assert on_board(state) == "X2Nc1"
    assert "1W2" in state.legal_moves()


def test_a_blocked_piece_on_the_board_stays() -> None:
    assert round_from("X2Eb2 O3Nc2 O5Wc3", "5Sa", "1Sb") == "X2Eb2 X5Na1 O1Nb1 O3Nc2 O5Wb3"


def test_a_4_moves_the_unbroken_chain_ahead_of_it() -> None:
    # O3 is pushed off, O5 and X5 one to the east; those two then still make their own moves north.
    assert round_from("X5Na2 O3Wc2 O5Nb2", "4W2", "1Sa") == "X4Ea2 X5Nb3 O1Na1 O5Nc3"


def test_a_4_moves_only_what_is_in_one_chain_with_it() -> None:
    assert round_from("X5Na2 O5Nc2", "4W2", "1Sa") == "X4Ea2 X5Nb3 O1Na1 O5Nc3"


def test_a_4_moves_another_4() -> None:
    assert round_from("O4Na2", "4W2", "5Sc") == "X4Ea2 O4Nb3 O5Nc1"


def test_a_pushed_piece_that_leaves_the_board_returns_to_hand_and_loses_its_move() -> None:
    assert round_from("X4Eb2 O5Wc2", "5Sa", "1Sb") == "X4Ec2 X5Na1 O1Nb1"


def test_a_4_sends_a_piece_waiting_on_the_edge_back_to_hand() -> None:
    assert round_from("X4Eb2 O3Nc2 O2Sc3", "5Sa", "5E2") == "X4Ec2 X5Na1 O2Sc3"


def test_a_4_that_leaves_the_board_sends_the_piece_waiting_there_back_too() -> None:
    assert round_from("X4Wa2", "5Sc", "5W2") == "X5Nc1"


def test_a_2_3_or_5_pushes_a_1_right_ahead() -> None:
    assert round_from("X2Ea2 O1Wb2", "4Sa", "4Sc") == "X2Eb2 X4Na1 O1Wc2 O4Nc1"
    assert round_from("X3Ea2 O1Wb2", "4Sa", "4Sc") == "X3Eb2 X4Na1 O1Wc2 O4Nc1"
    assert round_from("X5Ea2 O1Wb2", "4Sa", "4Sc") == "X4Na1 X5Eb2 O1Wc2 O4Nc1"


def test_a_1_pushed_off_the_board_returns_to_hand() -> None:
    assert round_from("X2Eb2 O1Wc2", "5Sa", "5Nb") == "X2Ec2 X5Na1 O5Sb3"


def test_a_piece_may_push_a_1_of_its_own() -> None:
    assert round_from("X2Ea2 X1Wb2", "5Sa", "5Sc") == "X1Wc2 X2Eb2 X5Na1 O5Nc1"


def test_a_piece_entering_from_the_edge_pushes_a_1() -> None:
    assert round_from("O1Sa2 O5Na1", "2W2", "3Sc") == "X2Ea2 O1Sb2 O3Nc1 O5Na1"


def test_a_1_is_not_pushed_against_another_piece() -> None:
    assert round_from("X2Ea2 O1Wb2 O3Nc2", "5Sa", "5Sb") == "X2Ea2 X5Na1 O1Wb2 O3Nc3 O5Nb1"


def test_a_1_is_not_pushed_against_another_1() -> None:
    assert round_from("X2Ea2 O1Wb2 X1Wc2", "5Sa", "5Sb") == "X1Wc2 X2Ea2 X5Na1 O1Wb2 O5Nb1"


def test_a_1_is_not_pushed_against_a_piece_waiting_on_the_edge() -> None:
    # Nor can O5, waiting on E2, push O1 against X2; it goes back to hand.
    assert round_from("X2Eb2 O1Nc2 O3Wc3", "5Sa", "5E2") == "X2Eb2 X5Na1 O1Nc2 O3Wb3"


def test_a_1_never_pushes_a_1() -> None:
    assert round_from("X1Ea2 O1Nb2", "5Sa", "5Sc") == "X1Ea2 X5Na1 O1Nb3 O5Nc1"
    assert round_from("O1Na1 O5Ea2", "1W1", "3Sc") == "O1Na1 O3Nc1 O5Eb2"


def test_a_pushed_piece_keeps_its_facing_and_still_takes_its_own_move() -> None:
    assert round_from("O5Na2", "4W2", "3Sc") == "X4Ea2 O3Nc1 O5Nb3"


# The end.


def test_exactly_one_player_with_a_line_of_three_wins() -> None:
    state = state_of("X1Na2,X2Nb2 X -").play("5Nc").play("5E1")
    assert str(state.outcome) == "won by 0: three pieces a3-c3"
    assert state.legal_moves() == []


def test_a_line_counts_no_matter_who_made_it() -> None:
    # O4 pushes X5 a step further than it would have come.
    state = state_of("X1Na2,X2Nb2,X5Nc1 X -").play("3Sa").play("4Sc")
    assert str(state.outcome) == "won by 0: three pieces a3-c3"


def test_lines_are_looked_at_only_after_all_have_moved() -> None:
    # After the 1s X has a1, b1 and c1; but X2 still leaves the board, and X3 goes on to a1.
    state = state_of("X2Wa1,X3Wb1 X -").play("1Sc").play("5Nb")
    assert on_board(state) == "X1Nc1 X3Wa1 O5Sb3"
    assert state.outcome is None


def test_when_both_have_a_line_play_goes_on() -> None:
    state = state_of("X1Na2,X2Nb2,O2Wb1,O3Wc1 X -").play("5Nc").play("5E1")
    assert state.text == "X1Na3,X2Nb3,X5Sc3,O2Wa1,O3Wb1,O5Wc1 O -"
    assert state.outcome is None
    assert "both have a line of three, so play goes on" in state.scene().notes
    assert state.play("1Nb").outcome is None


def test_both_draw_ends_it() -> None:
    state = state_of("X1Na2,X2Nb2,O2Wb1,O3Wc1 X -", both="draw").play("5Nc").play("5E1")
    assert str(state.outcome) == "drawn: both have a line of three after the round"
    assert len(state.scene().strokes) == 2


def test_a_crown_holder_with_nothing_in_hand_skips_the_placement() -> None:
    state = after("advanced", "2W1 2E1 1Na 3Sc 5Sa 3W3 5Na 1W1 5Sb 4E1")
    assert state.text == "X2Ea1,O1Sa2,O2Wb1,O3Ec3,O4Wc1,O5Sa3 O -"
    assert state.status == "X to move"
    moved = state.play("1Nb")
    assert moved.text.split()[1:] == ["X", "-"]  # the round is over, and the crown has passed


def test_the_other_player_with_nothing_in_hand_skips_the_placement() -> None:
    state = after("advanced", "1Nc 5Nb 1W3 5Sa 3Na 2Sc 3Sb 4E1 2E3 5W3")
    assert state.text == "X1Sc2,X2Wc3,X3Sa3,X4Wb1,X5Na2,O1Eb3,O2Nb2 O -"
    assert state.status == "O to move"
    moved = state.play("3Sc")
    assert moved.text.split()[1:] == ["X", "-"]


# The reference, the numbers, text and picture.


@pytest.mark.slow
@pytest.mark.parametrize("both", ["continue", "draw"])
def test_a_plain_reference_agrees_in_random_games_of_about_24_placements(both: str) -> None:
    game = load("advanced", both=both)
    choice = random.Random(f"advanced {both}")
    placements = 0
    for _ in range(300):
        state, plain = game.start, PlainAdvanced(both)
        for _ in range(150):
            if state.outcome:
                break
            assert game.symbols[state.turn or 0] == plain.mover
            assert state.legal_moves() == plain.legal_moves()
            move = choice.choice(state.legal_moves())
            state = state.play(move)
            plain.play(move)
            placements += 1
            assert standing(state) == {
                f"{walker.owner}{walker.number}": (*walker.at, walker.facing) for walker in plain.walkers if walker.at
            }
            result = state.outcome and state.outcome.result
            assert result == (plain.result and {"X": "0", "O": "1", "draw": "draw"}[plain.result])
    assert 20 < placements / 300 < 28


def test_the_plain_reference_counts_as_many_lines_of_play() -> None:
    count = 0
    for first in PlainAdvanced("draw").legal_moves():
        for second in (plain := plain_after(first)).legal_moves():
            count += len(plain_after(first, second).legal_moves())
        assert plain.mover == "O"
    assert count == 159_168


def plain_after(*moves: str) -> PlainAdvanced:
    plain = PlainAdvanced("draw")
    for move in moves:
        plain.play(move)
    return plain


def standing(state: State) -> dict[str, tuple[int, int, str]]:
    """Where every piece stands or waits and how it faces, from the plain board; the squares count from 1."""
    found = {}
    for down, row in enumerate(state.board()):
        for column in range(5):
            sign = row[4 * column : 4 * column + 3].strip(" .-")
            if sign:
                found[sign[:2]] = (column, 4 - down, sign[2])
    return found


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("- X", "a position is <pieces on the board> <crown holder> <placement this round>"),
        ("- Z -", "the crown belongs to X or O"),
        ("X6Na1 X -", "'X6Na1' is no piece on the board"),
        ("X1Na1,X1Nb1 X -", "X1 is on the board twice"),
        ("X1Na1,O1Na1 X -", "a1 holds two pieces"),
        ("- X 4Nd", "'4Nd' is no placement"),
        ("X4Na1 X 4Nb", "X cannot have placed piece 4: it is on the board"),
        ("X1Na1,X2Nb1,X3Nc1 X 4Nb", "no piece could be placed: the game was over, three pieces a1-c1"),
        ("O1Na1,O2Nb1,O3Sa3,O4Nc2,O5Sc3 X 1Nb", "O has nothing in hand, so the round was over"),
    ],
)
def test_an_impossible_position_is_refused(text: str, problem: str) -> None:
    with pytest.raises(ValueError, match=problem):
        state_of(text)


@pytest.mark.parametrize(
    ("moves", "text"),
    [
        # Odd as it looks, a round can leave the board empty: pieces that are blocked on the edge return to hand.
        ("3Na 3Sc 1Na 1Sc 1W2 1E2 5Sa 5Nc 1Nc 1Sa", "- O -"),
        # Nor need a player who places a piece every round have one on the board.
        (
            "3W3 2Na 1Na 1W3 1Sa 1W1 3E2 1Sa 1Sa 1E2 1Sa 2E2 5E2 5W2 5W2 1E1 3E3 5W2 1Nc 4E1 1W1",
            "X1Wa1,X2Wa2,X3Wa3,X4Wb1,X5Wb2 O -",
        ),
    ],
)
def test_a_position_that_looks_impossible_is_read_if_play_can_lead_to_it(moves: str, text: str) -> None:
    assert after("advanced", moves).text == text
    assert state_of(text) == after("advanced", moves)


@pytest.mark.parametrize("both", ["continue", "draw"])
def test_what_long_games_lead_to_is_read_back(both: str) -> None:
    choice = random.Random(f"reading {both}")
    for _ in range(4):
        state = load("advanced", both=both).start
        while state.outcome is None:
            state = state.play(choice.choice(state.moves()))
            assert state.game.state(state.text) == state


def test_every_piece_keeps_its_id_on_the_board_on_the_edge_and_in_hand() -> None:
    expected = Counter([f"piece-{owner}-{number}" for owner in (0, 1) for number in range(1, 6)] + ["crown"])
    for moves in ("", "4Nb", "4Nb 1W3", "4Nb 1W3 5Sa 5Sc 1E1"):
        assert Counter(piece.id for piece in after("advanced", moves).scene().pieces) == expected


def test_targets_speak_of_pieces_sides_and_lines() -> None:
    says = {target.move: (target.tool, target.says) for target in after("advanced").scene().targets}
    assert says["4Nb"] == ("piece 4", "piece 4 from the north, column b")
    assert says["1W3"] == ("piece 1", "piece 1 from the west, rank 3")


def test_the_text_picture_shows_hands_facings_and_the_crown() -> None:
    assert str(after("advanced", "4Nb 1W3 2E1 3Sa 1W2")).splitlines() == [
        "  ♛",
        "     ║      Na  Nb  Nc     ║",
        "  X2 ║  W3 O1→  ·   ·   E3 ║",
        "     ║[X1→] ·  X4↓  ·   E2 ║  O3",
        "     ║  W1 X3↑  ·  O2←  E1 ║  O4",
        "  X5 ║      Sa  Sb  Sc     ║  O5",
        "  X                           O",
    ]


def test_a_placement_is_named_by_piece_side_and_line() -> None:
    assert on_board(after("advanced", "4Nb 1W3")) == "X4Sb3 O1Ea3"
