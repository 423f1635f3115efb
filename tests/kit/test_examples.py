"""The games of examples/games: short, complete, and the same compiled as interpreted."""

from __future__ import annotations

import pickle
import random

import pytest

from connectoe import ConnectoeError, Match, read_matches
from connectoe.draw.svg import svg
from connectoe.engines.perft import interpreted_perft, perft
from tests.kit.loading import EXAMPLES, example, examples
from tests.playing import after, ending

each_example = pytest.mark.parametrize("name", examples())


@each_example
def test_an_example_has_fewer_than_40_lines(name: str) -> None:
    assert len((EXAMPLES / f"{name}.py").read_text().splitlines()) < 40


@each_example
def test_a_match_is_played_recorded_and_read_back(name: str) -> None:
    game, dice = example(name), random.Random(7)
    match = Match(game)
    while match.outcome is None and len(match.moves) < 40:
        state = match.state
        assert game.state(state.text) == state
        assert game.may_do(state.position)
        assert len(match.scene().targets) == len(state.legal_moves())
        match.play(dice.choice(state.legal_moves()))
    [again] = read_matches(match.to_text(), type(game))
    assert (again.moves, again.outcome) == (match.moves, match.outcome)
    assert pickle.loads(pickle.dumps(game)) == game


@each_example
def test_every_illegal_move_is_explained(name: str) -> None:
    game = example(name)
    state = game.start.play(game.start.legal_moves()[0])
    for move in set(range(len(game.move_texts))) - set(state.moves()):
        assert game.why_illegal(state.position, move)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["nine_boards", "quixo"])
def test_compiled_an_example_counts_what_it_counts_interpreted(name: str) -> None:
    game = example(name)
    assert perft(game, 2) == interpreted_perft(game, 2)


def test_three_boards_in_line_win_nine_boards() -> None:
    game = example("nine_boards", cols=4, rows=4)
    state = after(game, "a1 a2 a1 a2 a1 a2 a1 d3 e1 e2 e1 e2 e1 e2 e1 d3 i1 i2 i1 i2 i1 i2 i1")
    assert ending(state) == (0, "three boards a1-c1")


def test_a_closed_board_is_not_played_on() -> None:
    game = example("nine_boards", cols=4, rows=4)
    state = after(game, "a1 a2 a1 a2 a1 a2 a1")
    with pytest.raises(ConnectoeError, match="board a1-d4 is finished"):
        state.play("b1")


def test_a_line_that_adds_up_to_nine_wins() -> None:
    game = example("make_nine")
    assert ending(after(game, "5b2 3a1 1b1 2a3 3b3")) == (0, "three pieces b1-b3 make 9")
    assert after(game, "5b2 3a1 1b1 2a3 4b3").outcome is None  # in line, but ten
    assert ending(after(example("make_nine", amount=10), "5b2 3a1 1b1 2a3 4b3")) == (0, "three pieces b1-b3 make 10")


def test_a_number_is_played_once_and_lies_in_the_tray_before() -> None:
    game = example("make_nine")
    state = after(game, "5b2 3a1")
    in_tray = [(piece.owner, piece.text) for piece in state.scene().pieces if piece.id.startswith("hand")]
    assert in_tray == [(0, "1"), (0, "2"), (0, "3"), (0, "4"), (1, "1"), (1, "2"), (1, "4"), (1, "5")]
    with pytest.raises(ConnectoeError, match="X has no piece 5 left"):
        state.play("5c3")
    with pytest.raises(ConnectoeError, match="there is a piece 3 on a1 already"):
        state.play("1a1")


def test_tools_that_are_no_pieces_have_a_picture() -> None:
    assert example("popout").tool_pictures == {"pop": "sign ↓"}


def test_a_quarter_is_turned_by_a_second_press_beside_its_middle() -> None:
    game = example("pentago")
    [target] = [each for each in game.start.scene().targets if each.move == "b2:d4r"]
    assert target.first is not None
    assert (target.first[:4], target.first.says) == ((1, 4, 1, 1), "put your mark on b2")
    assert (target.x, target.y, target.width, target.height, target.sign) == (4.5, 1, 1.5, 1, "↻")
    assert game.tools == ()
    taken = game.start.play("b2:d4r").position
    assert [(place[1:5], place.says) for place in game.refusals(taken)] == [
        ((1, 4, 1, 1), "there is a mark on b2 already")
    ]


def test_a_row_is_pushed_from_where_a_piece_is_taken_to_where_it_comes_in() -> None:
    targets = {target.move: target for target in example("quixo").start.scene().targets}
    push = targets["a5u"]
    assert push.first is not None
    assert (push.first.says, push.first[:2], (push.x, push.y)) == ("take a5 and push it in again", (0, 0), (0, 4))


def test_crosses_and_rings_look_alike_whatever_the_players_are_called() -> None:
    game = example("order_and_chaos")
    state = game.start.play("xc3").play("od4")
    assert [piece.text for piece in state.scene().pieces] == ["X", "O"]
    assert "Order" not in str(state)
    assert ">O<" not in svg(state.scene())
    assert game.tool_pictures == {"cross": "mark X", "ring": "mark O"}
