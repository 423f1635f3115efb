"""Pictures: the renderers, and the pictures in the documents."""

from __future__ import annotations

import random
import re
from pathlib import Path
from xml.etree import ElementTree

import pytest
from docs.draw_pictures import ROOT, draw_all, picture_commands

from connectoe import ConnectoeError, State, game_ids, load
from connectoe.draw import svg as drawing
from connectoe.draw.png import png
from connectoe.draw.svg import box_of, inline_svg, svg
from connectoe.draw.text import text
from connectoe.draw.theme import DARK, LIGHT
from connectoe.scene import Highlight, Piece, Scene
from tests.marks import check_marks
from tests.playing import after


def test_the_pictures_in_the_documents_are_what_their_commands_draw(tmp_path: Path) -> None:
    drawn = draw_all(tmp_path)
    assert len(drawn) >= 9
    for file in drawn:
        assert file.read_bytes() == (ROOT / file.relative_to(tmp_path)).read_bytes(), f"run make pictures: {file.name}"


def test_every_picture_a_document_shows_has_a_command_that_draws_it() -> None:
    made = {arguments[arguments.index("-o") + 1] for arguments in picture_commands()}
    for document in [ROOT / "README.md", *(ROOT / "docs").rglob("*.md")]:
        for alt, target in re.findall(r"!\[(.*?)\]\((.*?\.svg)\)", document.read_text()):
            assert alt
            assert str((document.parent / target).resolve().relative_to(ROOT)) in made


@pytest.mark.parametrize("game_id", ["ultimate", "connect-four", "tic-tac-toe"])
def test_what_stays_the_same_on_a_board_is_drawn_once(game_id: str, monkeypatch: pytest.MonkeyPatch) -> None:
    state = load(game_id).start
    first = inline_svg(state.scene())

    def draws_again(*parts: object) -> str:
        raise AssertionError("drawn already")

    for part in ("_panel", "_cell", "_label"):
        monkeypatch.setattr(drawing, part, draws_again)
    assert inline_svg(state.play(state.legal_moves()[0]).scene()) != first


def luminance(colour: str) -> float:
    """Relative luminance as WCAG 2 defines it."""
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("theme", [LIGHT, DARK])
def test_pieces_and_words_stand_out_from_what_they_lie_on(theme: dict[str, str]) -> None:
    for piece in ("orange", "blue", "corner", "ink"):
        for under in ("square", "hole", "small", "outside", "last", "win"):
            assert contrast(theme[piece], theme[under]) >= 3, (piece, under)
    for piece in ("orange", "blue"):
        assert contrast(theme["on"], theme[piece]) >= 4.5
    assert contrast(theme["ink"], theme["paper"]) >= 7
    assert contrast(theme["quiet"], theme["paper"]) >= 4.5


def test_what_a_game_calls_its_pieces_stays_within_their_attributes() -> None:
    """A piece's id and kind come from the game, which may be anybody's."""
    name = 'disc" onclick="alert(1)" x=\'<&'
    scene = Scene(pieces=[Piece(name, 0, 0, "disc", 0)])
    for picture in (svg(scene), inline_svg(scene)):
        found = [element for element in ElementTree.fromstring(picture).iter() if name in element.attrib.values()]
        assert len(found) == 1
        assert "onclick" not in found[0].attrib


def test_a_tray_is_seen_when_something_is_in_it_and_keeps_its_place() -> None:
    nothing, owed = (after("connect-tac-toe", moves) for moves in ("d1 e1", "d1 +c1"))
    assert ('class="f-outside"' in nothing.svg(), 'class="f-outside"' in owed.svg()) == (False, True)
    assert box_of(nothing.scene()) == box_of(owed.scene())


def test_players_differ_in_shape_as_well_as_in_colour() -> None:
    picture = after("connect-four", "d e").svg()
    cross, ring = re.findall(r'<g id="disc-[de]1".*?</g>', picture)
    assert ("<path" in cross) != ("<path" in ring)


@pytest.mark.parametrize("game_id", game_ids())
def test_x_is_orange_and_o_is_blue_no_matter_who_moves_first(game_id: str) -> None:
    symbols = load(game_id).symbols
    assert {symbols[owner]: Scene(symbols).colour(owner) for owner in (0, 1)} == {"X": "orange", "O": "blue"}


def test_players_with_other_symbols_differ_too() -> None:
    assert [Scene(("A", "B")).colour(owner) for owner in (0, 1)] == ["orange", "blue"]
    assert [Scene(("A", "X")).colour(owner) for owner in (0, 1)] == ["blue", "orange"]
    assert [Scene(("O", "B")).colour(owner) for owner in (0, 1)] == ["blue", "orange"]


def won_match(game_id: str) -> State:
    """Random play that somebody wins."""
    dice = random.Random(8)
    while True:
        state = load(game_id).start
        while state.outcome is None:
            state = state.play(dice.choice(state.moves()))
        if state.outcome.winner is not None:
            return state


@pytest.mark.parametrize("game_id", game_ids())
def test_a_won_game_shows_its_last_move_and_its_line(game_id: str) -> None:
    scene = won_match(game_id).scene()
    check_marks(scene)
    assert {"last", "win"} <= {mark.kind for mark in scene.highlights}
    assert scene.strokes


@pytest.mark.parametrize("game_id", game_ids())
def test_nothing_covers_the_last_move_and_the_winning_line_covers_no_piece(game_id: str) -> None:
    picture = won_match(game_id).svg()
    corners, line = 'class="n r s-corner"', '<line class="r s-ink"'
    assert picture.rindex(line) < picture.index('<g id="') < picture.rindex('<g id="') < picture.index(corners)


def test_in_text_the_last_move_stands_in_brackets_even_if_it_wins() -> None:
    assert str(after("connect-four", "a a b b c c d")).splitlines()[5] == "1*X*X*X[X]· · ·"
    assert str(after("tic-tac-toe", "a2 a1 b1 b2 c1 c3")).splitlines() == ["3 · ·[O]", "2 X*O*·", "1*O*X X", "  a b c"]


def test_in_text_a_row_that_was_moved_stands_in_one_pair_of_brackets() -> None:
    assert str(after("shift-tac-toe", "1 2 3 7")).splitlines()[1] == "← 7  [- │ · · · │ -]  4 →"


def test_in_text_columns_of_two_letters_stand_apart() -> None:
    scene = Scene(("X", "O"))
    scene.add_grid(29, 1)
    scene.pieces += [Piece(f"disc-{column}", *scene.middle(column, 0), "disc", column - 26) for column in (26, 27)]
    scene.highlight("last", [(27, 0)])
    assert text(scene).splitlines() == [
        f"1{' ·  ' + '·  ' * 25}X [O ]·",
        f"  {'  '.join('abcdefghijklmnopqrstuvwxyz')}  aa ab ac",
    ]


def test_in_text_neighbours_marked_alike_stand_in_one_pair_of_brackets() -> None:
    assert "[X O]" in str(after("ultimate-ultimate", "5.5.1 +2"))


def test_rows_of_boards_are_the_whole_scene_and_nothing_twice() -> None:
    scene = after("ultimate-ultimate", "5.5.1 +2 2.1.5").scene()
    rows = scene.rows_of_boards()
    assert [len(row.cells) for row in rows] == [243, 243, 243]
    for part in ("panels", "cells", "highlights", "pieces", "labels", "targets"):
        assert sorted(thing for row in rows for thing in getattr(row, part)) == sorted(getattr(scene, part))
    assert after("ultimate", "e5").scene().rows_of_boards() == [after("ultimate", "e5").scene()]


def test_the_last_move_and_the_winning_line_are_marked() -> None:
    scene = after("connect-four", "a b a b a b").scene()
    assert scene.highlights == [Highlight("last", 1, 3)]
    scene = after("connect-four", "a b a b a b a").scene()
    assert [mark.kind for mark in scene.highlights].count("win") == 4
    assert len(scene.strokes) == 1


def test_pips_of_tallies_do_not_run_into_those_of_the_opponent() -> None:
    def picture(tallies: str) -> str:
        return svg(Scene(("X", "O"), pieces=[Piece("tally", 0.5, 0.5, "tally", 0, tallies, size=0.75)]))

    assert ">3</text>" not in picture("3")
    assert ">4</text>" in picture("4")


def test_a_picture_follows_the_system_or_one_theme() -> None:
    state = load("tic-tac-toe").start
    assert "prefers-color-scheme" in state.svg()
    assert LIGHT["board"] in state.svg("light")
    assert LIGHT["board"] not in state.svg("dark")
    with pytest.raises(ValueError, match="there is no theme 'pink'"):
        state.svg("pink")


def test_words_in_a_picture_are_escaped() -> None:
    picture = svg(Scene(status="<script>&", notes=['"quoted"']))
    assert "<script>" not in picture
    assert "&lt;script&gt;&amp;" in picture


def test_a_notebook_shows_a_state_as_a_picture() -> None:
    assert load("advanced").start._repr_svg_().startswith("<svg")


def test_a_png_has_the_width_asked_for() -> None:
    made = png(load("tic-tac-toe").start.scene(), width=321)
    assert int.from_bytes(made[16:20], "big") == 321


def test_a_png_of_more_pixels_than_a_screen_could_show_is_refused() -> None:
    with pytest.raises(ConnectoeError, match=r"a picture of 10000x78383 pixels is too large"):
        png(load("connect-four", cols=1, rows=16).start.scene(), width=10_000)
