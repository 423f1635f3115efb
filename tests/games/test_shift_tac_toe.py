"""The decisions on Shift Tac Toe, each as play."""

from __future__ import annotations

import random
from collections import Counter, deque
from collections.abc import Iterator
from copy import copy
from functools import cache
from itertools import product

import pytest

from connectoe import IllegalMove, Match, State, load
from connectoe.core.rules import ONGOING
from connectoe.games.shift_tac_toe import final_grid
from tests.games.plain_shift_tac_toe import PlainShiftTacToe
from tests.playing import after

Grid = list[list[str]]


def played(digits: str, **options: object) -> State:
    """The state after these digits; blanks between them are for the eye."""
    return after("shift-tac-toe", " ".join(digits.replace(" ", "")), **options)


def pressman(digits: str, both: str = "mover") -> State:
    return played(digits, edition="pressman", both=both)


def grid(*rows: str) -> Grid:
    """A grid as the original text writes it, from rows like 'X.O'."""
    return [["" if sign == "." else sign for sign in row] for row in rows]


def board(state: State) -> str:
    """The rows of the position text, top first."""
    return state.text.split()[0]


# The task of the original text.

CONSISTENT = {
    "123332": grid("..O", ".XX", "OXO"),
    "2283911752": grid(".X.", "OX.", "OX."),
    "8873334917349": grid("...", "..O", "XXO"),
    "799333466": grid("...", "...", "..."),
    "99372467643": grid("...", "...", "..O"),
    "939318836537734654": grid("...", "...", "..O"),
}
CORRECTED = {
    ("33387741347", "33397741347"): grid("...", "..O", "XOX"),
    ("228374739", "229374739"): grid("...", "...", "XXX"),
}


@pytest.mark.parametrize("digits", CONSISTENT)
def test_the_six_consistent_examples_of_the_original_text(digits: str) -> None:
    assert final_grid(digits) == CONSISTENT[digits]


@pytest.mark.parametrize(("printed", "corrected"), CORRECTED)
def test_the_two_misprinted_examples_come_out_as_printed_when_their_8_is_a_9(printed: str, corrected: str) -> None:
    assert [old + new for old, new in zip(printed, corrected, strict=True) if old != new] == ["89"]
    assert final_grid(printed) != CORRECTED[printed, corrected]
    assert final_grid(corrected) == CORRECTED[printed, corrected]


def test_the_narrated_game_contradicts_the_misprinted_example_after_2283() -> None:
    assert final_grid("2283") == grid("...", "...", "XOX")


def test_moves_after_a_win_are_ignored() -> None:
    assert final_grid("1212144499x") == final_grid("12121") == grid("O..", "OX.", "OX.")


def test_the_digits_may_be_a_list() -> None:
    assert final_grid(["2", "2"]) == final_grid("22") == grid("...", ".X.", ".O.")
    assert final_grid("") == final_grid([]) == grid("...", "...", "...")


@pytest.mark.parametrize(
    ("digits", "problem"),
    [
        ("120", "move 3: '0' is no move of shift-tac-toe: a move is a digit"),
        ("1 2", "move 2: ' ' is no move"),
        ("11112", "move 4: '1' is not legal: the left column is full"),
        ("4", "move 1: '4' is not legal: the top slider is fully right already"),
        ("8828", "move 4: '8' is not legal: the middle slider is fully left already"),
    ],
)
def test_an_impossible_digit_is_refused_with_its_number(digits: str, problem: str) -> None:
    with pytest.raises(IllegalMove, match=f"^{problem}"):
        final_grid(digits)


# The sliders edition.

NARRATED = """
    2  5/5/1O3        RRR
    2  5/1X3/1O3      RRR
    8  5/5/XO3        RCR
    3  5/5/XOX2       RCR
    9  5/5/XOX2       RCC
    1  5/1X3/XOX2     RCC
    1  O4/1X3/XOX2    RCC
    7  5/OX3/XOX2     CCC
    5  5/OX3/XOX2     CRC
    2  2X2/OX3/XOX2   CRC
"""


def test_the_narrated_game_of_the_original_text() -> None:
    state = played("")
    for line in NARRATED.split("\n")[1:-1]:
        digit, rows, stands = line.split()
        state = state.play(digit)
        assert state.text.split()[:2] == [rows, stands]
    assert state.outcome is not None
    assert str(state.outcome) == "won by 1: three in the middle column"
    assert state.status == "X wins: three in the middle column"


def test_o_is_player_0_and_begins() -> None:
    assert played("").status == "O to move"
    assert played("").turn == 0
    assert board(played("2")) == "5/5/1O3"


def test_all_sliders_start_fully_right() -> None:
    assert played("").text == "5/5/5 RRR O"
    assert played("").legal_moves() == list("123789")


def test_a_slider_stands_0_1_or_2_steps_left_of_its_start() -> None:
    assert played("7").text == "5/5/5 CRR X"
    assert played("77").text == "5/5/5 LRR O"
    assert played("77").legal_moves() == list("123489")
    assert played("77 4 4").text == "5/5/5 RRR O"


@pytest.mark.parametrize(("row", "left", "right"), [("top", "7", "4"), ("middle", "8", "5"), ("bottom", "9", "6")])
def test_a_slider_does_not_move_past_its_ends(row: str, left: str, right: str) -> None:
    assert played("").why_illegal(right) == f"'{right}' is not legal: the {row} slider is fully right already"
    assert played(left * 2).why_illegal(left) == f"'{left}' is not legal: the {row} slider is fully left already"


def test_a_full_column_takes_no_drop() -> None:
    assert played("333").why_illegal("3") == "'3' is not legal: the right column is full"
    assert played("222").why_illegal("2") == "'2' is not legal: the middle column is full"


def test_456_move_the_top_middle_and_bottom_slider_right_and_789_left() -> None:
    assert [played(digit).text.split()[1] for digit in "789"] == ["CRR", "RCR", "RRC"]
    assert [played("789" + digit).text.split()[1] for digit in "456"] == ["RCC", "CRC", "CCR"]


def test_pieces_without_support_fall_after_a_slide() -> None:
    assert played("2 2 8").board() == grid("...", "...", "XO.")


def test_lower_pieces_fall_first_so_a_stack_comes_down_in_order() -> None:
    # The bottom O slides away from under X and O.
    assert played("2 2 2 9").board() == grid("...", ".O.", "OX.")


def test_a_falling_piece_passes_places_where_a_slider_has_no_holder() -> None:
    # As in the picture of the original text, but on the left: X goes down past the middle slider, which ends before.
    state = played("91113")
    assert state.text == "X4/O4/1X1O1 RRC X"
    assert state.play("7").text == "5/O4/XX1O1 CRC O"


def test_an_outside_piece_falls_out_when_the_bottom_slider_does_not_reach_its_column() -> None:
    assert board(played("1 1")) == "5/X4/O4"
    assert board(played("1 1 8")) == "5/5/O4"


def test_a_piece_is_out_when_it_would_stand_on_a_bottom_piece_where_the_middle_slider_does_not_reach() -> None:
    state = played("21911")
    assert pieces(state) == {"a3": "O", "a2": "X", "a1": "O", "z1": "X"}
    assert pieces(state.play("7")) == {"a2": "X", "a1": "O", "z1": "X"}


def pieces(state: State) -> dict[str, str]:
    """Each piece's place and sign, from the scene."""
    return {
        piece.id.removeprefix("piece-"): state.game.symbols[piece.owner or 0]
        for piece in state.scene().pieces
        if piece.id.startswith("piece-")
    }


def test_a_drop_into_the_grid_always_lands_wherever_the_sliders_stand() -> None:
    for stands in ("", "7", "77", "8", "88", "9", "99", "778899", "7889"):
        for column in "123":
            state = played(stands + column * 3)
            assert [row["123".index(column)] != "" for row in state.board()] == [True] * 3


def test_pieces_outside_the_grid_stay_in_play_and_come_back() -> None:
    assert pieces(played("1 9")) == {"z1": "O"}
    assert played("1 9").board() == grid("...", "...", "...")
    assert played("1 9 6").board() == grid("...", "...", "O..")


def test_pieces_may_stack_outside_the_grid() -> None:
    assert pieces(played("939318836537734654")) == {
        "c1": "O", "d1": "X", "e1": "X", "d2": "O", "e2": "X", "e3": "X",
    }  # fmt: skip


def test_the_picture_of_grid_2_has_one_o_where_its_digits_drop_an_x() -> None:
    assert pieces(played("939318836537734654"))["e3"] == "X"


def test_only_lines_inside_the_grid_count() -> None:
    state = played("99372467643")
    assert pieces(state) == {"c1": "O", "d1": "O", "e1": "O"}
    assert state.outcome is None


def test_the_supply_is_unlimited() -> None:
    state = played("21922922318332173")
    assert Counter(pieces(state).values()) == {"O": 7, "X": 6}


def test_a_slide_may_win() -> None:
    assert str(played("2239267").outcome) == "won by 0: three in the bottom row"


def test_a_slide_that_makes_a_line_only_for_the_opponent_loses() -> None:
    assert str(played("1232337").outcome) == "won by 1: three in the middle column, by the opponent's slide"
    assert str(played("331737").outcome) == "won by 0: three in the bottom row, by the opponent's slide"


@pytest.mark.parametrize(("digits", "mover"), [("122133219", 0), ("2328331225", 1)])
def test_a_slide_that_makes_lines_for_both_wins_for_the_one_who_moved(digits: str, mover: int) -> None:
    sign = "OX"[mover]
    state = played(digits)
    assert str(state.outcome) == f"won by {mover}: {sign} made lines for both, and the mover's counts"
    assert len(state.scene().strokes) == 2


@pytest.mark.parametrize(("digits", "mover"), [("122133219", "O"), ("2328331225", "X")])
def test_both_draw_makes_it_a_draw(digits: str, mover: str) -> None:
    assert str(played(digits, both="draw").outcome) == f"drawn: {mover} made lines for both"


def test_the_same_position_for_the_third_time_is_a_draw_of_the_match() -> None:
    match = Match(load("shift-tac-toe"))
    for move in "747":
        match.play(move)
        assert match.outcome is None
    match.play("4")
    assert match.outcome is not None
    assert match.outcome.winner is None


# The Pressman edition.


def test_pressman_rows_start_centred_and_stand_one_step_either_way() -> None:
    assert pressman("").text == "3/3/3 CCC O"
    assert pressman("").legal_moves() == list("123456789")
    assert pressman("4").why_illegal("4") == "'4' is not legal: the top slider is fully right already"
    assert pressman("7").why_illegal("7") == "'7' is not legal: the top slider is fully left already"


def test_pressman_sliding_a_row_moves_its_pieces_one_column() -> None:
    assert pressman("1 6").board() == grid("...", "...", ".O.")


def test_pressman_a_piece_that_leaves_the_grid_goes_back_to_its_owners_hand_at_once() -> None:
    assert hands(pressman("1")) == (4, 5)
    assert hands(pressman("1 9")) == (5, 5)
    assert pressman("1 9").board() == grid("...", "...", "...")


def test_pressman_the_place_that_comes_in_is_empty() -> None:
    assert pressman("1 9 6").board() == grid("...", "...", "...")


def test_pressman_pieces_fall_inside_the_grid() -> None:
    assert pressman("2 2 2 9").board() == grid("...", ".O.", "OX.")
    assert pressman("1 1 1 9").board() == grid("...", "O..", "X..")


def hands(state: State) -> tuple[int, int]:
    """How many discs O and X have in hand, from the scene."""
    owners = [piece.owner for piece in state.scene().pieces if piece.id.startswith("hand-")]
    return owners.count(0), owners.count(1)


def test_pressman_each_player_has_five_discs_and_with_all_on_the_board_only_slides_are_left() -> None:
    state = load("shift-tac-toe", edition="pressman").state("O1O/XXO/OOX CCC O")
    assert hands(state) == (0, 2)
    assert state.legal_moves() == list("456789")
    assert state.why_illegal("2") == "'2' is not legal: all five discs of O are on the board, so only slides are left"
    assert "2" in state.play("5").legal_moves()


def test_pressman_no_drop_into_a_column_of_three() -> None:
    assert pressman("333").why_illegal("3") == "'3' is not legal: the right column is full"


def test_pressman_ends_as_the_sliders_edition_does() -> None:
    assert str(pressman("2739286").outcome) == "won by 0: three in the bottom row"
    assert str(pressman("9181625").outcome) == "won by 1: three in the bottom row, by the opponent's slide"
    assert str(pressman("12217216134").outcome) == "won by 0: O made lines for both, and the mover's counts"
    assert str(pressman("12217216134", "draw").outcome) == "drawn: O made lines for both"
    assert str(pressman("721224134327").outcome) == "won by 1: X made lines for both, and the mover's counts"


def test_pressman_left_and_right_are_alike_and_the_sliders_edition_has_no_symmetry() -> None:
    assert len(load("shift-tac-toe", edition="pressman").rules.mirrors) == 1
    assert load("shift-tac-toe").rules.mirrors == ()


Graph = dict[tuple[int, ...], list[tuple[int, ...]]]


@cache
def pressman_graph(both: str) -> Graph:
    """Every position that play can reach, with the positions that follow it."""
    rules = load("shift-tac-toe", edition="pressman", both=both).rules
    graph: Graph = {}
    waiting = [rules.start]
    while waiting:
        position = waiting.pop()
        if position not in graph:
            is_ongoing = rules.outcome(position) == ONGOING
            moves = rules.legal_moves(position) if is_ongoing else ()
            graph[position] = [rules.play(position, move) for move in moves]
            waiting += graph[position]
    return graph


@pytest.mark.slow
@pytest.mark.parametrize("both", ["mover", "draw"])
def test_pressman_has_106494_reachable_positions_41068_of_them_finished_and_1008_with_lines_for_both(
    both: str,
) -> None:
    game = load("shift-tac-toe", edition="pressman", both=both)
    graph = pressman_graph(both)
    assert len(graph) == 106_494
    finished = [State(game, position) for position, following in graph.items() if not following]
    assert len(finished) == 41_068
    assert sum("lines for both" in game.reason(state.position) for state in finished) == 1_008


@pytest.mark.slow
def test_pressman_every_position_that_can_be_reached_can_be_read_and_only_playable_ones() -> None:
    # Of all ways to pile up at most five discs a player, with any stands and either player to move, every 211th.
    game = load("shift-tac-toe", edition="pressman")
    piles = [pile for height in range(4) for pile in product((1, 2), repeat=height)]
    positions = [
        type(game.rules.start)(*discs, low | middle << 2 | top << 4, turn)
        for columns in product(piles, repeat=3)
        for discs in [tuple(discs_in(columns, owner) for owner in (1, 2))]
        if max(map(int.bit_count, discs)) <= 5
        for low, middle, top in product(range(3), repeat=3)
        for turn in (0, 1)
    ]
    assert len(positions) == 149_958
    assert set(positions) >= pressman_graph("mover").keys()
    for position in positions[::211]:
        state = game.state(game.write(position))
        assert state.position == position
        assert state.outcome or state.legal_moves()


def discs_in(columns: tuple[tuple[int, ...], ...], owner: int) -> int:
    """The discs of an owner, 1 or 2, in three piles, as the rules number the places of the frame."""
    return sum(
        1 << 7 * row + 2 + column
        for column, pile in enumerate(columns)
        for row, disc in enumerate(pile)
        if disc == owner
    )


@pytest.mark.parametrize("edition", ["sliders", "pressman"])
def test_what_long_games_lead_to_is_read_back(edition: str) -> None:
    choice = random.Random(edition)
    for _ in range(20):
        state = played("", edition=edition)
        for _ in range(40):
            if state.outcome:
                break
            state = state.play(choice.choice(state.moves()))
            assert state.game.state(state.text) == state


@pytest.mark.slow
@pytest.mark.parametrize(("both", "wins"), [("mover", {"1": 17, "2": 13, "3": 17}), ("draw", {"2": 13})])
def test_pressman_is_a_first_player_win_in_13_plies_by_the_centre_column(both: str, wins: dict[str, int]) -> None:
    game = load("shift-tac-toe", edition="pressman", both=both)
    losses, victories = forced(pressman_graph(both), both)
    assert victories[game.rules.start] == 13
    after_first = {move: game.start.play(move).position for move in "123456789"}
    assert {move: 1 + losses[position] for move, position in after_first.items() if position in losses} == wins


def forced(graph: Graph, both: str) -> tuple[dict[tuple[int, ...], int], dict[tuple[int, ...], int]]:
    """The positions lost and won for the player to move, with the plies best play takes; the rest are drawn."""
    rules = load("shift-tac-toe", edition="pressman", both=both).rules
    before: dict[tuple[int, ...], list[tuple[int, ...]]] = {position: [] for position in graph}
    for position, following in graph.items():
        for next_position in following:
            before[next_position].append(position)
    losses: dict[tuple[int, ...], int] = {}
    victories: dict[tuple[int, ...], int] = {}
    waiting: deque[tuple[int, ...]] = deque()
    for position, following in graph.items():
        if not following and rules.outcome(position) in (0, 1):
            won_by_the_one_to_move = rules.outcome(position) == rules.player(position)
            (victories if won_by_the_one_to_move else losses)[position] = 0
            waiting.append(position)
    unanswered = Counter({position: len(following) for position, following in graph.items()})
    while waiting:
        position = waiting.popleft()
        for earlier in before[position]:
            if earlier in losses or earlier in victories:
                continue
            if position in losses:
                victories[earlier] = losses[position] + 1
                waiting.append(earlier)
            else:
                unanswered[earlier] -= 1
                if not unanswered[earlier]:
                    losses[earlier] = victories[position] + 1
                    waiting.append(earlier)
    return losses, victories


# Both editions.

ALL_OPTIONS = [(edition, both) for edition in ("sliders", "pressman") for both in ("mover", "draw")]


def random_game(edition: str, both: str, seed: int, longest: int = 60) -> Iterator[tuple[State, str]]:
    """The states of a game of random moves, each with the move chosen in it."""
    choice = random.Random(seed)
    state = load("shift-tac-toe", edition=edition, both=both).start
    for _ in range(longest):
        if state.outcome:
            return
        move = choice.choice(state.legal_moves())
        yield state, move
        state = state.play(move)


@pytest.mark.parametrize(("edition", "both"), ALL_OPTIONS)
def test_a_plain_reference_agrees_in_random_games(edition: str, both: str) -> None:
    for seed in range(200):
        plain = PlainShiftTacToe(edition, both)
        for state, move in random_game(edition, both, seed):
            assert state.legal_moves() == plain.legal_moves()
            plain.play(move)
            state = state.play(move)
            assert state.board() == plain.grid()
            assert pieces(state) == {
                f"{'yzabcde'[column + 2]}{row + 1}": sign for (column, row), sign in plain.signs.items()
            }
            result = state.outcome and state.outcome.result
            assert result == (plain.result and {"O": "0", "X": "1", "draw": "draw"}[plain.result])


@pytest.mark.parametrize(("edition", "depth", "count"), [("sliders", 5, 12_868), ("pressman", 5, 33_446)])
def test_the_plain_reference_counts_as_many_lines_of_play(edition: str, depth: int, count: int) -> None:
    def lines_of_play(plain: PlainShiftTacToe, left: int) -> int:
        if plain.result:
            return 0
        if left == 1:
            return len(plain.legal_moves())
        counted = 0
        for move in plain.legal_moves():
            following = copy(plain)
            following.signs, following.stand = dict(plain.signs), dict(plain.stand)
            following.play(move)
            counted += lines_of_play(following, left - 1)
        return counted

    assert lines_of_play(PlainShiftTacToe(edition, "mover"), depth) == count


@pytest.mark.parametrize("edition", ["sliders", "pressman"])
def test_the_last_stage_shows_every_piece_where_it_comes_to_rest(edition: str) -> None:
    for seed in range(60):
        for state, move in random_game(edition, "mover", seed):
            here = {piece.id: piece.owner for piece in state.scene().pieces}
            there = {(piece.x, piece.y): piece.owner for piece in state.play(move).scene().pieces}
            stages = state.game.stages(state.position, state.game.move_from(move))
            moved = stages[-1] if stages else state.scene().pieces
            assert {piece.id for piece in moved} <= here.keys()
            assert all(piece.owner == here[piece.id] for piece in moved)
            at = {(piece.x, piece.y): piece.owner for piece in moved}
            assert len(at) == len(moved)
            new = there.keys() - at.keys()
            assert len(new) == (edition == "sliders" and move in "123")
            assert {place: owner for place, owner in there.items() if place not in new} == at


def test_stages_leave_out_the_piece_that_leaves_the_game_and_bring_discs_to_and_from_the_hand() -> None:
    def end_of_move(state: State, move: str) -> dict[str, tuple[float, float]]:
        *_, rested = state.game.stages(state.position, state.game.move_from(move))
        return {piece.id: (piece.x, piece.y) for piece in rested}

    assert end_of_move(played("1 1"), "8").keys() == {"piece-a1"}
    state = pressman("1")
    in_hand = {piece.id: (piece.x, piece.y) for piece in pressman("").scene().pieces}
    assert end_of_move(state, "9")["piece-a1"] == in_hand["hand-0-5"]
    on_a2 = next(piece for piece in state.play("1").scene().pieces if piece.id == "piece-a2")
    assert end_of_move(state, "1")["hand-1-5"] == (on_a2.x, on_a2.y)


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("5/5/5 RRR", "a position is <rows> <stands of the sliders> <player to move>"),
        ("5/5/5 RRM O", "the sliders stand R, C or L"),
        ("5/5/5 RR O", "the sliders stand R, C or L"),
        ("5/5/5 RRR Z", "the player to move is O or X"),
        ("5/5/4 RRR O", "row 1 must have 5 squares"),
        ("5/1X3/5 RRR O", "the piece on b2 floats"),
        ("5/1X3/1O3 RCR O", "the piece on a2 floats"),
    ],
)
def test_an_impossible_position_is_refused(text: str, problem: str) -> None:
    with pytest.raises(ValueError, match=problem):
        load("shift-tac-toe").state(text)


def test_a_pressman_position_with_six_discs_is_refused() -> None:
    with pytest.raises(ValueError, match="O has five discs, not 6"):
        load("shift-tac-toe", edition="pressman").state("OXO/OXO/OXO CCC O")


def test_the_text_picture_shows_where_the_sliders_stand() -> None:
    assert str(played("2283911")).splitlines() == [
        "          1 2 3",
        "← 7     │[O]· · │ - -",
        "← 8   - │ X · · │ -   5 →",
        "← 9   X │ O X · │ -   6 →",
    ]
    assert "← 7  [- │ · · · │ -]  4 →" in str(played("22839117")).splitlines()


def test_what_slides_a_row_stands_beyond_its_end_where_it_can_still_go() -> None:
    for moves in ("", "7", "77", "7788", "8599"):
        state = played(moves)
        arrows = {label.text.strip("←→ ") for label in state.scene().labels if len(label.text) > 1}
        assert arrows == {move for move in state.legal_moves() if move > "3"}


def test_targets_speak_of_columns_and_rows() -> None:
    says = {target.move: (target.tool, target.says) for target in played("789").scene().targets}
    assert says["3"] == ("drop", "drop a piece into the right column")
    assert says["8"] == ("slide", "slide the middle row left")
    assert says["4"] == ("slide", "slide the top row right")


def test_pressman_the_same_nine_digits_are_the_moves() -> None:
    assert after("shift-tac-toe", edition="pressman").legal_moves() == list("123456789")
