"""Blocks put together: effects after every kind of move, several kinds of pieces, options, and rules by hand."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest

from connectoe import IllegalMove, Match, load
from connectoe.core.errors import BadGame
from connectoe.engines.perft import interpreted_perft
from connectoe.kit import (
    ONGOING,
    NestedRecipe,
    Recipe,
    by_hand,
    capture,
    chosen,
    columns,
    crosses,
    discs,
    drop,
    drop_through,
    fall,
    flip,
    full,
    grid,
    jump,
    line,
    marks,
    most,
    nested,
    numbers,
    option,
    place,
    pop,
    rotate,
    rule,
    slide_row,
    small_marks,
    step,
    stuck,
    total,
)
from connectoe.kit import turn as turn_lights
from connectoe.kit.eject import ejected
from tests.playing import after, ending


def declared(**parts: Any) -> Recipe:
    """A recipe with these parts."""
    words = {"id": "mixed", "name": "Mixed", "summary": "A mixture of blocks.", "__module__": __name__}
    made: type[Recipe] = type("Mixed", (Recipe,), {**words, "ends": (stuck(),), **parts})
    return made()


def test_a_disc_captures_around_the_cell_where_it_lands() -> None:
    game = declared(layout=columns(4, 4), pieces=discs(), moves=(drop(then=(capture(), fall())),))
    assert after(game, "a d b c a b").board()[-2:] == ["XO..", "XXOO"]
    assert after(game, "a d b c a b c").board()[-2:] == ["X.X.", "XXOO"]


def test_what_is_captured_in_a_column_leaves_a_gap_that_positions_keep() -> None:
    game = declared(layout=columns(3, 3), pieces=discs(), moves=(drop(then=capture()),))
    state = after(game, "a b b a c")
    assert state.board() == ["...", "OX.", "X.X"]
    assert game.state(state.text) == state
    rules = game.rules
    assert rules.pack
    assert rules.unpack
    assert rules.unpack(rules.pack(state.position)) == state.position


class Hasami(Recipe):
    """Pieces step, and take what they enclose."""

    id, name, summary = "hasami", "Hasami", "Step and enclose."
    layout = grid(4, 3)
    pieces = discs()
    opening = "1O2/4/XO1X"
    moves = (step(ways="straight", then=capture()),)
    ends = (stuck("mover"),)


def test_a_step_captures_what_it_encloses() -> None:
    assert after(Hasami(), "d1c1").board() == [".O..", "....", "X.X."]
    match = Match(Hasami())
    kept = match.scene().pieces[-1].id
    match.play("d1c1")
    assert kept in {piece.id for piece in match.scene().pieces}


def test_a_step_may_take_the_piece_on_its_square() -> None:
    game = declared(layout=grid(3, 3), pieces=discs(), opening="3/1O1/X2", moves=(step(captures=True),))
    assert game.start.play("a1b2").board() == ["...", ".X.", "..."]
    with pytest.raises(IllegalMove, match="there is a disc on a1 already"):
        declared(layout=grid(3, 3), pieces=discs(), opening="3/3/XX1", moves=(step(captures=True),)).start.play("b1a1")


def test_rows_slide_and_pieces_fall() -> None:
    game = declared(layout=columns(3, 3), pieces=discs(), moves=(drop(), slide_row(wraps=False, then=fall())))
    state = after(game, "a b b a 1r")
    assert state.board() == ["...", ".X.", "OXO"]
    assert after(game, "a a 1r").board() == ["...", "...", "OX."]
    match = Match(game)
    for move in "a a".split():
        match.play(move)
    upper = next(piece.id for piece in match.scene().pieces if piece.y == 1.5)
    match.play("1r")
    assert [piece.y for piece in match.scene().pieces if piece.id == upper] == [2.5]


def test_every_kind_of_piece_walks_and_is_captured_and_flipped() -> None:
    kinds = numbers(1, 2, in_hand=None)
    walk = declared(layout=grid(3, 3), pieces=kinds, opening="3/b2/AB1", moves=(step(), jump("{from}x{to}")))
    assert walk.start.play("b1b2").board() == ["...", "bB.", "A.."]
    assert "a1xc1" in walk.start.legal_moves()
    only = declared(layout=grid(3, 3), pieces=kinds, opening="3/b2/AB1", moves=(step(piece="piece 2"),))
    assert {move[:2] for move in only.start.legal_moves()} == {"b1"}
    around = declared(
        layout=grid(3, 1),
        pieces=kinds,
        opening="Ab1",
        moves=(place("2{square}", "piece 2", then=capture()), place("1{square}", "piece 1", then=flip())),
    )
    assert around.start.play("2c1").board() == ["A.B"]
    assert around.start.play("1c1").board() == ["ABA"]


def test_every_kind_of_piece_is_popped_and_counted() -> None:
    kinds = numbers(1, 2, in_hand=None)
    drops = tuple(drop(f"{number}{{column}}", f"piece {number}") for number in (1, 2))
    popping = declared(layout=columns(2, 2), pieces=kinds, moves=(*drops, pop()), ends=(stuck(),))
    assert after(popping, "2a 1b 1a 1b").legal_moves() == ["-a"]
    for end, words in ((most(), "2 pieces to 1"), (full("most"), "board full")):
        game = declared(layout=columns(3, 1), pieces=kinds, moves=drops, ends=(end,))
        assert ending(after(game, "2a 1b 1c")) == (0, words)


def test_many_numbers_in_hand_are_counted_beside_a_small_board() -> None:
    kinds = numbers(1, 2, 3, in_hand=5)
    drops = tuple(drop(f"{number}{{column}}", f"piece {number}") for number in (1, 2, 3))
    scene = after(declared(layout=columns(5, 5), pieces=kinds, moves=drops), "1a").scene()
    assert max(panel.width for panel in scene.panels) <= 6
    assert [label.text for label in scene.labels if label.text.startswith("×")] == ["×4", "×5", "×5"] + ["×5"] * 3
    assert "in hand: X 1 (4), 2 (5), 3 (5); O 1 (5), 2 (5), 3 (5)" in scene.notes


def test_a_part_of_the_board_turns_after_a_step() -> None:
    game = declared(layout=grid(2, 2), pieces=marks(), opening="2/X1", moves=(step(then=rotate(2)), place("+{square}")))
    assert game.start.play("a1b1:a1l").board() == [".X", ".."]
    assert game.start.play("a1a2:a1r").board() == [".X", ".."]


@pytest.mark.parametrize(
    ("parts", "words"),
    [
        ({"pieces": crosses(), "moves": (place(then=capture()),)}, "no kind of piece may be shared"),
        ({"pieces": marks(), "moves": (place(then=(rotate(3), capture())),)}, r"follows drop\(\), place\(\), step\(\)"),
        ({"pieces": marks(), "moves": (turn_lights(),)}, r"from one shared kind to the next: pieces = lights\(\)"),
        ({"pieces": marks(), "moves": (by_hand("{square}", len, len),)}, "two functions marked with @rule.* not 'len'"),
        ({"pieces": (crosses(), small_marks()), "moves": (place(),), "ends": (most(),)}, "a cross belongs to nobody"),
    ],
)
def test_what_does_not_go_together_is_refused(parts: dict[str, Any], words: str) -> None:
    with pytest.raises(BadGame, match=words):
        declared(**{"layout": grid(3, 3), **parts})


def test_a_move_that_a_narrow_board_has_no_room_for_is_refused() -> None:
    small = {"pieces": discs(), "opening": "2/X1", "layout": grid(2, 2)}
    with pytest.raises(BadGame, match=r"jump\(\) can never be played on a board of 2x2"):
        declared(**small, moves=(step(), jump("{from}x{to}")))
    column = declared(pieces=discs(), opening="1/O/X", layout=grid(1, 3), moves=(jump(), step("{from}-{to}")))
    assert column.start.legal_moves() == ["a1a3"]


class Choosing(Recipe):
    """Options stand everywhere."""

    id, name, summary = "choosing", "Choosing", "Everything is chosen."
    ways: str = option("straight", ("straight", "all"), "the ways of a step")
    takes: str = option("no", {"no": "nothing", "yes": "what it lands on"}, "what a step takes")
    ring: str = option("none", {"none": "nothing", "capture": "what is enclosed"}, "what is taken")
    wide: str = option("no", {"no": "three columns", "yes": "five columns"}, "the board")
    layout = grid(chosen(wide, {"no": 3, "yes": 5}), 3)
    pieces = discs()
    opening = chosen(wide, {"no": "OOO/3/XXX", "yes": "OOOOO/5/XXXXX"})
    moves = (
        step(
            ways=ways,
            captures=chosen(takes, {"no": False, "yes": True}),
            then=chosen(ring, {"none": (), "capture": capture(many=1)}),
        ),
    )
    ends = (stuck("mover"),)


def test_an_option_may_stand_wherever_a_block_takes_a_value() -> None:
    game = Choosing()
    assert len(game.start.legal_moves()) == 3
    assert len(Choosing(wide="yes").start.legal_moves()) == 5
    assert len(Choosing(ways="all").start.legal_moves()) == 7
    assert "a2a3" in after(Choosing(takes="yes"), "a1a2 c3c2").legal_moves()
    assert "a2a3" not in after(game, "a1a2 c3c2").legal_moves()
    assert after(Choosing(ring="capture", takes="yes"), "a1a2 b3b2 c1c2").board()[1] == "X.X"


class Alternating(Recipe):
    """A disc is followed by a mark, and a mark by a disc."""

    id, name, summary = "alternating", "Alternating", "Each owes the other kind."
    layout = grid(3, 3)
    pieces = discs(), small_marks()
    moves = (place("d{square}", "disc", owes="mark"), place("m{square}", "mark", owes="disc"))
    ends = (line(3), full())


def test_each_move_may_owe_another() -> None:
    state = after(Alternating(), "da1 mb1")
    assert {move[0] for move in state.legal_moves()} == {"m"}
    state = state.play("ma2")
    assert {move[0] for move in state.legal_moves()} == {"d"}
    assert Alternating().state(state.text) == state
    with pytest.raises(IllegalMove, match="O owes a disc"):
        state.play("mc3")


CORNER, MIDDLE = 1 << 0, 1 << 5


@rule
def corner_taken(position: Any) -> Any:
    return 1 - position.turn if position.other & CORNER else ONGOING


@rule
def middle_emptied(position: Any) -> Any:
    """The middle is emptied."""
    own, other, turn = position
    return own & ~MIDDLE, other & ~MIDDLE, turn


@rule
def opponents_pieces(position: Any) -> Any:
    return position.other


@rule
def shoot(position: Any, cell: int) -> Any:
    own, other, turn = position
    return own, other & ~(1 << cell), turn


class ByHand(Recipe):
    """Rules by hand in place of an effect, a move and an end."""

    id, name, summary = "by-hand", "By hand", "Rules by hand."
    layout = grid(3, 3)
    pieces = marks()
    moves = (place(then=middle_emptied), by_hand("!{square}", opponents_pieces, shoot))
    ends = (corner_taken, line(3), full())


def test_rules_by_hand_stand_for_an_effect_a_move_and_an_end() -> None:
    assert after(ByHand(), "b2").board() == ["...", "...", "..."]
    state = after(ByHand(), "b1 b3 !b3")
    assert state.board() == ["...", "...", ".X."]
    with pytest.raises(IllegalMove, match="shoot is not allowed on b3 now"):
        after(ByHand(), "b1 !b3")
    assert ending(after(ByHand(), "a1")) == (0, "corner taken")
    assert "shoot on b3" in {target.says for target in after(ByHand(), "b1 b3").scene().targets}


def test_rules_by_hand_are_written_out_with_the_rest(tmp_path: Path) -> None:
    file = tmp_path / "by_hand.py"
    file.write_text(ejected(ByHand()))
    assert __name__ not in file.read_text()
    assert interpreted_perft(load(file), 3) == interpreted_perft(ByHand(), 3)


def test_one_rule_is_no_move() -> None:
    with pytest.raises(BadGame, match="a move takes two: where it can be played, and what it does"):
        declared(layout=grid(3, 3), pieces=marks(), moves=(shoot,))


class Sent(NestedRecipe):
    """Whether one is sent to a board is an option."""

    id, name, summary = "sent", "Sent", "Boards in a board."
    follow: str = option("yes", {"yes": "one is sent", "no": "any board"}, "where one plays")
    layout = nested(grid(3, 3), grid(3, 3), sends=chosen(follow, {"yes": True, "no": False}))
    pieces = marks()
    moves = (place(),)
    ends = (line(3), full("most"))


def test_where_one_is_sent_may_be_an_option() -> None:
    assert len(after(Sent(), "a1").legal_moves()) == 8
    assert len(after(Sent(follow="no"), "a1").legal_moves()) == 80


def test_a_disc_that_passes_others_captures_too() -> None:
    game = declared(
        layout=columns(3, 3), pieces=discs(), moves=(drop(), drop_through("t{square}", passes="all", then=capture()))
    )
    assert after(game, "a b tc1").board()[-1] == "X.X"


class Turned(Recipe):
    """Numbers on parts that are turned, so that a move can make totals of both players."""

    id, name, summary = "turned", "Turned", "Do not make three."
    layout = grid(4, 2)
    pieces = numbers(1, 2, 3, in_hand=4)
    moves = tuple(place(f"{number}{{square}}", f"piece {number}", then=rotate(2)) for number in (1, 2, 3))
    ends = (total(3, 2, winner="opponent", both="draw"), full())


def test_totals_of_either_player_are_told_wherever_they_are() -> None:
    dice, game, seen = random.Random(1), Turned(), set()
    for _ in range(200):
        state = game.start
        while state.outcome is None:
            state = state.play(dice.choice(state.legal_moves()))
        totals = {0: 0, 1: 0}
        rows = [["" if sign == "." else sign for sign in row] for row in state.board()]
        cells = {(x, -y): sign for y, row in enumerate(rows) for x, sign in enumerate(row) if sign}
        for (x, y), sign in cells.items():
            for right, up in ((1, 0), (0, 1), (1, 1), (1, -1)):
                other = cells.get((x + right, y + up), "")
                if other and sign.isupper() == other.isupper() and {sign.upper(), other.upper()} == {"A", "B"}:
                    totals[int(sign.islower())] += 1
        if state.outcome.reason.endswith("make 3"):
            expected = None if all(totals.values()) else 1 if totals[0] else 0
            assert state.outcome.winner == expected, state
            assert len(game.lines(state.position)) == sum(totals.values())
            seen.add(expected)
        else:
            assert not any(totals.values()), state
    assert seen == {None, 0, 1}
