"""Blocks that move pieces, held against plain lists of squares; and the examples made of them."""

from __future__ import annotations

import random
from pathlib import Path
from string import ascii_lowercase
from typing import Any

import pytest

from connectoe import Game, IllegalMove, Match, load
from connectoe.core.squares import Square, square_name
from connectoe.kit import (
    Recipe,
    capture,
    clear,
    columns,
    discs,
    drop,
    fall,
    flip,
    full,
    grid,
    jump,
    line,
    marks,
    most,
    pass_,
    place,
    rotate,
    rule,
    slide_row,
    step,
    stuck,
)
from connectoe.kit.blocks import Context, Move
from connectoe.kit.eject import ejected
from tests.kit.loading import example
from tests.playing import after, ending

Board = dict[Square, str]


def board_of(rows: list[str]) -> Board:
    return {(x, len(rows) - 1 - y): sign for y, row in enumerate(rows) for x, sign in enumerate(row)}


def plain_quixo(board: Board, size: int, mover: str) -> dict[str, Board]:
    """Every move of a player, and the board after it."""
    found = {}
    for (x, y), sign in board.items():
        if sign not in (mover, ".") or not {x, y} & {0, size - 1}:
            continue
        for way, line_of, at in (
            ("r", [(i, y) for i in range(x + 1)], x),
            ("l", [(i, y) for i in range(size - 1, x - 1, -1)], size - 1 - x),
            ("u", [(x, i) for i in range(y + 1)], y),
            ("d", [(x, i) for i in range(size - 1, y - 1, -1)], size - 1 - y),
        ):
            if at:
                pushed = [mover, *(board[square] for square in line_of[:-1])]
                found[f"{square_name(x, y)}{way}"] = {**board, **dict(zip(line_of, pushed, strict=True))}
    return found


def test_quixo_pushes_as_plain_lists_do() -> None:
    dice = random.Random(1)
    for size in (3, 5, 9):
        for _ in range(4):
            state = example("quixo", size=size).start
            for _ in range(25):
                if state.outcome:
                    break
                plain = plain_quixo(board_of(state.board()), size, "XO"[state.turn or 0])
                assert state.legal_moves() == sorted(plain)
                move = dice.choice(state.legal_moves())
                state = state.play(move)
                assert board_of(state.board()) == plain[move]


def turned(board: Board, corner: Square, way: str) -> Board:
    """The board with a part of 3x3 squares turned."""
    x, y = corner
    part = {(i, j): board[x + i, y + j] for i in range(3) for j in range(3)}
    to_right = {(x + i, y + j): part[2 - j, i] for i in range(3) for j in range(3)}
    to_left = {(x + i, y + j): part[j, 2 - i] for i in range(3) for j in range(3)}
    return {**board, **(to_right if way == "r" else to_left)}


class WidePentago(Recipe):
    """Pentago on a board of nine parts."""

    id, name, summary = "wide-pentago", "Wide Pentago", "Turn one of nine parts."
    layout = grid(9, 9)
    pieces = marks()
    moves = (place(then=rotate(3)),)
    ends = (line(5, both="draw"), full())


def square_from(name: str) -> Square:
    return ascii_lowercase.index(name[0]), int(name[1]) - 1


@pytest.mark.parametrize("game", [example("pentago"), WidePentago()])
def test_pentago_turns_as_plain_lists_do(game: Game) -> None:
    dice = random.Random(2)
    state = game.start
    squares = len(board_of(state.board()))
    assert len(state.legal_moves()) == squares * squares // 9 * 2
    while state.outcome is None:
        move = dice.choice(state.legal_moves())
        square, part = move.split(":")
        corner = square_from(part[:2])
        board = board_of(state.board()) | {square_from(square): "XO"[state.turn or 0]}
        state = state.play(move)
        assert board_of(state.board()) == turned(board, corner, part[2])


def test_a_part_of_the_board_turns_to_the_right() -> None:
    assert after(example("pentago"), "a1:a1r").board()[3:] == ["X.....", "......", "......"]
    assert after(example("pentago"), "a1:a1l").board()[3:] == ["......", "......", "..X..."]


def test_quixo_is_lost_by_a_push_that_makes_lines_for_both() -> None:
    game = example("quixo", size=3)
    assert ending(game.state("X2/OXX/1OO X").play("a1d")) == (1, "three marks a1-c1 and three marks a2-c2")


def test_pieces_keep_their_ids_when_they_are_pushed() -> None:
    match = Match(example("quixo"))
    match.play("a5u")
    [mark] = match.scene().pieces
    match.play("a5u")
    assert mark.id in {piece.id for piece in match.scene().pieces}


class Othello(Recipe):
    """A small Othello."""

    id, name, summary = "small-othello", "Small Othello", "Flip what you enclose."
    layout = grid(4, 4)
    pieces = discs()
    opening = "4/1OX1/1XO1/4"
    moves = (place(then=flip()), pass_())
    ends = (most(),)


def test_enclosed_pieces_are_flipped_and_a_move_must_flip_some() -> None:
    state = Othello().start
    assert state.legal_moves() == ["a3", "b4", "c1", "d2"]
    assert state.play("a3").board() == ["....", "XXX.", ".XO.", "...."]
    with pytest.raises(IllegalMove, match="a disc on a1 would flip nothing"):
        state.play("a1")
    with pytest.raises(IllegalMove, match="a player passes only if there is no other move"):
        state.play("pass")


def test_othello_on_a_small_board_is_played_to_its_end() -> None:
    lengths, passes = set(), 0
    for seed in range(20):
        dice, state = random.Random(seed), Othello().start
        moves = []
        while state.outcome is None:
            moves.append(dice.choice(state.legal_moves()))
            state = state.play(moves[-1])
        passes += moves.count("pass")
        lengths.add(len(moves))
        first, second = (sum(row.count(sign) for row in state.board()) for sign in "XO")
        winner = None if first == second else int(second > first)
        assert ending(state) == (winner, f"{max(first, second)} discs to {min(first, second)}")
    assert passes
    assert len(lengths) > 1


class Walking(Recipe):
    """Two pieces each that step and jump."""

    id, name, summary = "walking", "Walking", "Step and jump."
    layout = grid(4, 3)
    pieces = discs()
    opening = "O2O/4/X2X"
    moves = (step(ways="straight"), jump(captures=True))
    ends = (line(2), stuck("mover"))


def test_pieces_step_and_jump_over_those_they_capture() -> None:
    state = Walking().start
    assert state.legal_moves() == ["a1a2", "a1b1", "d1c1", "d1d2"]
    state = state.play("a1a2")
    assert "a3a1" in state.legal_moves()
    assert state.play("a3a1").board() == ["...O", "....", "O..X"]
    with pytest.raises(IllegalMove, match="there is no disc of yours on a2"):
        state.play("a2b2")


def test_a_piece_keeps_its_id_on_its_way() -> None:
    match = Match(Walking())
    before = {(piece.x, piece.y): piece.id for piece in match.scene().pieces}
    match.play("a1a2")
    after_step = {(piece.x, piece.y): piece.id for piece in match.scene().pieces}
    assert after_step[0.5, 1.5] == before[0.5, 2.5]


class Pente(Recipe):
    """Pairs are captured."""

    id, name, summary = "small-pente", "Small Pente", "Capture pairs."
    layout = grid(6, 6)
    pieces = marks()
    moves = (place(then=capture(many=2)),)
    ends = (line(5), full())


def test_two_enclosed_pieces_are_captured_and_one_or_three_are_not() -> None:
    assert after(Pente(), "a1 b1 f6 c1 d1").board()[-1] == "X..X.."
    assert after(Pente(), "a1 b1 c1").board()[-1] == "XOX..."


class Sliding(Recipe):
    """Rows slide."""

    id, name, summary = "sliding", "Sliding", "Rows slide."
    layout = grid(3, 3)
    pieces = marks()
    moves = (place(), slide_row())
    ends = (line(3),)


def test_a_row_slides_and_comes_in_again_at_the_other_end() -> None:
    state = after(Sliding(), "a1 b1")
    assert state.play("1r").board()[-1] == ".XO"
    assert state.play("1l").board()[-1] == "O.X"
    assert "2r" not in state.legal_moves()


class Falling(Recipe):
    """Enclosed discs are taken, and those above them fall."""

    id, name, summary = "falling", "Falling", "Take and fall."
    layout = columns(4, 4)
    pieces = discs()
    moves = (drop(then=(capture(many=1), fall())),)
    ends = (line(4), full())


def test_discs_fall_where_others_are_captured() -> None:
    state = after(Falling(), "a b d b")
    assert state.board()[-2:] == [".O..", "XO.X"]
    state = state.play("c")  # encloses b1, and the disc on b2 falls
    assert state.board()[-2:] == ["....", "XOXX"]


def test_a_disc_that_falls_keeps_its_id() -> None:
    match = Match(Falling())
    for move in "a b d b".split():
        match.play(move)
    [upper] = [piece.id for piece in match.scene().pieces if (piece.x, piece.y) == (1.5, 2.5)]
    match.play("c")
    assert upper in {piece.id for piece in match.scene().pieces if (piece.x, piece.y) == (1.5, 3.5)}


class Clearing(Recipe):
    """Lines of three are cleared."""

    id, name, summary = "clearing", "Clearing", "Lines vanish."
    layout = grid(4, 3)
    pieces = marks()
    moves = (place(then=clear(3)),)
    ends = (full(),)


def test_lines_are_cleared() -> None:
    assert after(Clearing(), "a1 a3 b1 b3 c1").board() == ["OO..", "....", "...."]


class edge_first(place):  # noqa: N801 (as docs/kit.md has it)
    """A mark is put on the edge of the board while there is room."""

    def bind(self, context: Context) -> Move:
        move = super().bind(context)
        anywhere, board = move.cells, context.board
        inside = board.mask_of((x, y) for x, y in board.squares if 0 < x < board.cols - 1 and 0 < y < board.rows - 1)

        @rule
        def on_the_edge(position: Any, group: int) -> Any:
            cells = anywhere(position, group)
            return cells & ~inside if cells & ~inside else cells

        move.cells = on_the_edge
        return move


class EdgeFirst(Recipe):
    """A rule by hand in place of a block."""

    id, name, summary = "edge-first", "Edge first", "The edge comes first."
    layout = grid(3, 3)
    pieces = marks()
    moves = (edge_first(),)
    ends = (line(3), full())


def test_a_rule_by_hand_stands_for_that_of_a_block() -> None:
    state = EdgeFirst().start
    assert "b2" not in state.legal_moves()
    assert len(state.legal_moves()) == 8
    assert after(EdgeFirst(), "a1 a2 a3 b1 b3 c3 c1 c2").legal_moves() == ["b2"]


def test_a_step_is_pressed_on_the_piece_and_then_on_where_it_goes() -> None:
    class Frogs(Recipe):
        id, name, summary = "frogs", "Frogs", "Leap."
        layout = grid(3, 3)
        pieces = marks()
        moves = (step(), jump("{from}x{to}", captures=True))
        ends = (stuck("mover"),)
        opening = "3/O2/X2"

    game = Frogs()
    presses = {target.move: target.first and target.first.says for target in game.start.scene().targets}
    assert presses["a1b1"] == presses["a1xa3"] == "take the mark on a1"
    assert (game.tools, game.tool_pictures) == ((), {})
    assert game.goal() == "Leave your opponent without a legal move."


def test_an_ejected_step_is_pressed_alike(tmp_path: Path) -> None:
    class Walk(Recipe):
        id, name, summary = "walk", "Walk", "Walk."
        layout = grid(2, 2)
        pieces = marks()
        moves = (step(),)
        ends = (stuck("mover"),)
        opening = "O1/X1"

    file = tmp_path / "walk.py"
    file.write_text(ejected(Walk()))
    assert load(file).start.scene().targets == Walk().start.scene().targets
