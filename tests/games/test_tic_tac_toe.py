"""Tic-tac-toe as everyone knows it, and the numbers everyone can look up."""

from __future__ import annotations

from collections import Counter
from functools import cache

import pytest

from connectoe import State, load
from connectoe.core.errors import BadPosition, IllegalMove
from tests.playing import after

GAME = load("tic-tac-toe")


def every_position() -> set[State]:
    """Every position that play can reach."""
    reached = {GAME.start}
    waiting = [GAME.start]
    while waiting:
        state = waiting.pop()
        for move in state.moves():
            following = state.play(move)
            if following not in reached:
                reached.add(following)
                waiting.append(following)
    return reached


def looks(board: tuple[str, ...]) -> list[tuple[str, ...]]:
    """A board in its eight symmetries: turned by quarters, and mirrored."""
    found = []
    for _ in range(4):
        board = tuple("".join(row) for row in zip(*reversed(board), strict=True))
        found += [board, tuple(row[::-1] for row in board)]
    return found


def test_5478_positions_can_be_reached_and_765_up_to_symmetry() -> None:
    boards = {tuple(state.board()) for state in every_position()}
    assert len(boards) == 5478
    assert len({min(looks(board)) for board in boards}) == 765


def test_every_reachable_position_is_written_and_read_back() -> None:
    for state in every_position():
        assert GAME.state(state.text) == state


def test_255168_complete_games_split_131184_to_77904_with_46080_draws() -> None:
    @cache
    def games(state: State) -> Counter[str]:
        if state.outcome:
            return Counter([state.outcome.result])
        ends: Counter[str] = Counter()
        for move in state.moves():
            ends += games(state.play(move))
        return ends

    ends = games(GAME.start)
    assert ends.total() == 255_168
    assert ends == {"0": 131_184, "1": 77_904, "draw": 46_080}


def test_drawn_with_best_play() -> None:
    @cache
    def value(state: State) -> int:
        """1 if X wins with best play, -1 if O does, 0 for a draw."""
        if state.outcome:
            return {"0": 1, "1": -1, "draw": 0}[state.outcome.result]
        values = [value(state.play(move)) for move in state.moves()]
        return max(values) if state.turn == 0 else min(values)

    assert value(GAME.start) == 0


@pytest.mark.parametrize(
    ("moves", "line"),
    [
        ("a1 a2 b1 b2 c1", "a1-c1"),
        ("a2 a1 b2 b1 c2", "a2-c2"),
        ("a3 a1 b3 b1 c3", "a3-c3"),
        ("a1 b1 a2 b2 a3", "a1-a3"),
        ("b1 a1 b2 a2 b3", "b1-b3"),
        ("c1 a1 c2 a2 c3", "c1-c3"),
        ("a1 a2 b2 a3 c3", "a1-c3"),
        ("a3 a1 b2 a2 c1", "a3-c1"),
    ],
)
def test_three_marks_in_a_row_column_or_diagonal_win(moves: str, line: str) -> None:
    state = after(GAME, moves)
    assert str(state.outcome) == f"won by 0: three marks {line}"
    assert state.turn is None
    assert state.legal_moves() == []


def test_the_second_player_wins_too() -> None:
    assert str(after(GAME, "a1 a2 b1 b2 c3 c2").outcome) == "won by 1: three marks a2-c2"


def test_a_full_board_without_a_line_is_a_draw() -> None:
    state = after(GAME, "b2 a1 c1 a3 a2 c2 b1 b3 c3")
    assert state.board() == ["OOX", "XXO", "OXX"]
    assert str(state.outcome) == "drawn: board full"


def test_a_line_made_by_the_ninth_mark_wins() -> None:
    state = after(GAME, "a1 a2 a3 b1 b3 b2 c2 c1 c3")
    assert str(state.outcome) == "won by 0: three marks a3-c3"


def test_a_taken_square_cannot_be_marked() -> None:
    assert after(GAME, "b2").why_illegal("b2") == "'b2' is not legal: there is a mark on b2 already"
    with pytest.raises(IllegalMove, match="there is a mark on b2 already"):
        after(GAME, "b2 b2")


def test_nothing_can_be_played_after_the_end() -> None:
    with pytest.raises(IllegalMove, match="comes after the end: the game is won by X"):
        after(GAME, "a1 a2 b1 b2 c1 c2")


def test_squares_are_named_from_the_bottom_left() -> None:
    assert after(GAME, "a1 c3").board() == ["..O", "...", "X.."]
    assert GAME.start.legal_moves() == ["a1", "a2", "a3", "b1", "b2", "b3", "c1", "c2", "c3"]


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("3/1X1/3 X", "with X to move, X must have as many marks as O"),
        ("3/3/3 O", "with O to move, X must have one mark more than O"),
        ("XXX/3/OOO X", "the game was over before all these marks were made"),
        ("XXX/OO1/1O1 X", "the game was over before all these marks were made"),
        ("3/3 X", "the board has 3 rows"),
        ("3/4/3 X", "must have 3 squares"),
        ("3/1Z1/3 X", "'Z' in row 2 is no piece"),
        ("03/3/3 X", "'03' in row 3 is no number of empty squares"),
        ("3/X0O1/3 X", "'0' in row 2 is no number of empty squares"),
        ("3/3/3", "a position is"),
        ("3/3/3 Y", "the player to move is X or O"),
    ],
)
def test_impossible_positions_are_refused_with_the_reason(text: str, reason: str) -> None:
    with pytest.raises(BadPosition, match=reason):
        GAME.state(text)


def test_the_picture_shows_marks_the_last_move_and_the_winning_line() -> None:
    scene = after(GAME, "a1 a2 b1 b2 c1").scene()
    assert {(piece.id, piece.owner) for piece in scene.pieces} == {
        ("mark-a1", 0), ("mark-b1", 0), ("mark-c1", 0), ("mark-a2", 1), ("mark-b2", 1),
    }  # fmt: skip
    assert [mark.kind for mark in scene.highlights] == ["last", "win", "win", "win"]
    assert len(scene.strokes) == 1
    assert scene.targets == []
