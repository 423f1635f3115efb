from __future__ import annotations

import itertools
import random

import pytest

from connectoe import BadOption, BadPosition, load
from connectoe.board import lines
from connectoe.core.rules import DRAWN, ONGOING
from tests.games.all_positions import reachable_texts, readable_texts
from tests.games.plain_semaphores import PlainSemaphores
from tests.games.side_by_side import plain_figures, plain_perft, play_in_lockstep
from tests.games.symmetries import symmetries
from tests.playing import after, ending


def test_the_customary_board_has_three_rows_of_four_squares() -> None:
    state = after("semaphores")
    assert state.board() == ["....", "....", "...."]
    assert state.legal_moves() == [f"{column}{row}" for column in "abcd" for row in (1, 2, 3)]


def test_a_light_goes_from_green_through_yellow_to_red() -> None:
    assert after("semaphores", "b2").board() == ["....", ".G..", "...."]
    assert after("semaphores", "b2 b2").board() == ["....", ".Y..", "...."]
    assert after("semaphores", "b2 b2 b2").board() == ["....", ".R..", "...."]


def test_red_stays() -> None:
    state = after("semaphores", "b2 b2 b2")
    assert "b2" not in state.legal_moves()
    assert state.why_illegal("b2") == "'b2' is not legal: the light on b2 is red, and red stays"


def test_players_take_turns_whatever_they_do() -> None:
    assert [after("semaphores", moves).turn for moves in ("", "a1", "a1 a1", "a1 a1 a1")] == [0, 1, 0, 1]


@pytest.mark.parametrize(
    ("moves", "winner", "reason"),
    [
        ("a1 b1 c1", 0, "three green lights a1-c1"),
        ("a2 d1 a1 a3", 1, "three green lights a1-a3"),
        ("b1 c2 d3", 0, "three green lights b1-d3"),
        ("a3 c1 b2", 0, "three green lights a3-c1"),
        ("a1 a1 b1 b1 c1 c1", 1, "three yellow lights a1-c1"),
        ("a1 a1 a1 b1 b1 b1 c1 c1 c1", 0, "three red lights a1-c1"),
    ],
)
def test_three_of_one_colour_in_line_win(moves: str, winner: int, reason: str) -> None:
    assert ending(after("semaphores", moves)) == (winner, reason)


def test_the_player_who_completes_three_wins_no_matter_who_placed_the_others() -> None:
    assert ending(after("semaphores", "a1 b1 c1")) == (0, "three green lights a1-c1")
    assert ending(after("semaphores", "a1 d3 b1 c1")) == (1, "three green lights a1-c1")


def test_colours_do_not_mix() -> None:
    assert after("semaphores", "a1 a1 b1 c1").outcome is None


def test_the_three_squares_must_be_adjacent() -> None:
    assert after("semaphores", "a1 b1 d1").outcome is None


def test_a_line_longer_than_needed_wins_too() -> None:
    assert ending(after("semaphores", "a1 b1 d1 c1")) == (1, "four green lights a1-d1")


def test_a_change_of_colour_can_complete_a_line() -> None:
    state = after("semaphores", "a1 a1 b1 b1 c1")
    assert state.outcome is None
    assert ending(state.play("c1")) == (1, "three yellow lights a1-c1")


def test_lights_belong_to_nobody() -> None:
    scene = after("semaphores", "a1 b2 b2 c3 c3 c3").scene()
    assert {(piece.kind, piece.owner) for piece in scene.pieces} == {
        ("light-green", None),
        ("light-yellow", None),
        ("light-red", None),
    }


def test_a_light_stays_the_same_piece_when_it_changes_colour() -> None:
    assert [after("semaphores", "b2 " * turns).scene().pieces[0].id for turns in (1, 2, 3)] == ["light-b2"] * 3


@pytest.mark.slow
def test_3x3_has_180_400_reachable_unfinished_positions_and_no_draw() -> None:
    rules = load("semaphores", rows=3, cols=3).rules
    unfinished = 0
    most_of_a_colour = 0
    layer = {rules.start}
    while layer:
        going_on = []
        for position in layer:
            result = rules.outcome(position)
            assert result != DRAWN
            most_of_a_colour = max(most_of_a_colour, *(lights.bit_count() for lights in position[:3]))
            if result == ONGOING:
                going_on.append(position)
        unfinished += len(going_on)
        layer = {rules.play(position, move) for position in going_on for move in rules.legal_moves(position)}
    assert unfinished == 180_400
    assert most_of_a_colour <= 8


@pytest.mark.parametrize(("cols", "without_a_line"), [(3, 6), (4, 7)])
def test_eight_pieces_a_colour_never_run_out(cols: int, without_a_line: int) -> None:
    """At most seven squares hold no line of three, and the eighth piece of a colour ends the game."""
    squares = list(itertools.product(range(cols), range(3)))
    threes = [set(line) for line in lines(cols, 3, 3)]
    most = max(
        len(chosen)
        for size in range(len(squares) + 1)
        for chosen in itertools.combinations(squares, size)
        if not any(three <= set(chosen) for three in threes)
    )
    assert most == without_a_line


@pytest.mark.parametrize("cols", [3, 4])
def test_a_draw_cannot_happen_on_3x3_and_3x4_since_a_board_all_red_has_lines(cols: int) -> None:
    dice = random.Random(1)
    for _ in range(60):
        state = after("semaphores", rows=3, cols=cols)
        while state.outcome is None:
            state = state.play(dice.choice(state.moves()))
        assert state.outcome.winner in (0, 1)


def test_a_board_too_small_for_a_line_is_drawn_when_all_squares_are_red() -> None:
    state = after("semaphores", "a1 a1 a1 b1 b1 b1 a2 a2 a2 b2 b2", rows=2, cols=2)
    assert state.outcome is None
    assert ending(state.play("b2")) == (None, "all squares are red")


@pytest.mark.parametrize(("rows", "cols"), [(3, 4), (3, 3), (1, 24), (24, 1), (4, 6), (2, 2), (1, 1), (5, 2)])
def test_random_games_go_as_by_the_plain_reference(rows: int, cols: int) -> None:
    for seed in range(15):
        play_in_lockstep(load("semaphores", rows=rows, cols=cols), PlainSemaphores(rows, cols), seed)


@pytest.mark.slow
@pytest.mark.parametrize(("depth", "count", "options"), plain_figures("semaphores"))
def test_the_plain_reference_counts_the_same_lines(depth: int, count: int, options: dict[str, str]) -> None:
    assert plain_perft(PlainSemaphores(**{name: int(value) for name, value in options.items()}), depth) == count


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"rows": 5, "cols": 5}, "a board of 5 rows and 5 columns is too large: it may have at most 24 squares"),
        ({"rows": 0}, r"rows=0 is out of range: rows \(rows of the board\) may be 1..24"),
        ({"cols": 25}, r"cols=25 is out of range: cols \(columns of the board\) may be 1..24"),
    ],
)
def test_a_board_of_more_than_24_squares_is_refused(options: dict[str, object], message: str) -> None:
    with pytest.raises(BadOption, match=message):
        load("semaphores", **options)


def test_only_a_square_board_can_be_turned() -> None:
    assert set(symmetries(load("semaphores"))) == {"mirror", "flip"}
    assert set(symmetries(load("semaphores", rows=3, cols=3))) == {"mirror", "flip", "quarter turn"}


def test_the_text_of_a_position_is_its_rows_from_the_top_and_the_player_to_move() -> None:
    state = after("semaphores", "a1 b2 b2 c3 c3 c3")
    assert state.text == "2R1/1Y2/G3 X"
    assert state.game.state(state.text) == state


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("4/4/4", r"a position is <board> <player to move>; .* has 1 part"),
        ("4/4/3X O", "'X' in row 1 is no piece: pieces are G, Y, R"),
        ("4/4/G3 X", "a green light takes one turn, a yellow two and a red three, 1 in all here: O is to move, not X"),
        ("4/4/GGG1 X", "O is to move"),
        ("YYY1/4/GGG1 O", "no order of moves leads to these lights: there was a line before"),
        ("GGG1/GGG1/4 X", "no order of moves leads to these lights: there was a line before"),
        ("GGGG/YYYY/RRRR X", "no order of moves leads to these lights: there was a line before"),
        ("RRRR/YYYY/RRRR X", "no order of moves leads to these lights: there was a line before"),
    ],
)
def test_a_position_that_cannot_be_is_refused_with_the_reason(text: str, message: str) -> None:
    with pytest.raises(BadPosition, match=message):
        load("semaphores").state(text)


@pytest.mark.parametrize(("text", "rows", "cols"), [("1YY/RRR/RRR X", 3, 3), ("RRRRRR/RRRRRR/RRRRRR/RRRRRR X", 4, 6)])
def test_lines_that_no_one_light_completes_are_refused_on_any_board(text: str, rows: int, cols: int) -> None:
    with pytest.raises(BadPosition, match="no order of moves leads to these lights: there was a line before"):
        load("semaphores", rows=rows, cols=cols).state(text)


@pytest.mark.parametrize(("rows", "cols"), [(2, 3), (2, 2), (1, 5)])
def test_exactly_the_positions_that_can_be_reached_can_be_read(rows: int, cols: int) -> None:
    game = load("semaphores", rows=rows, cols=cols)
    assert set(readable_texts(game, cols, rows, ".GYR", [""])) == reachable_texts(game)


def test_a_target_says_what_happens_to_the_light() -> None:
    scene = after("semaphores", "a1 b1 b1").scene()
    says = {target.move: target.says for target in scene.targets}
    assert says["a1"] == "turn the green light on a1 yellow"
    assert says["b1"] == "turn the yellow light on b1 red"
    assert says["c1"] == "put a green light on c1"
    assert {target.tool for target in scene.targets} == {"light"}
