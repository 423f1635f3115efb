"""Pictures: the renderers, and the pictures in the documents."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from docs.draw_pictures import ROOT, draw_all, picture_commands

from connectoe import load
from connectoe.draw.svg import DARK, LIGHT, png, svg
from connectoe.scene import Highlight, Scene
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
    for piece in ("p0", "p1"):
        for under in ("square", "hole", "small", "outside", "last"):
            assert contrast(theme[piece], theme[under]) >= 3, (piece, under)
        assert contrast(theme["on"], theme[piece]) >= 4.5
    assert contrast(theme["ink"], theme["paper"]) >= 7
    assert contrast(theme["quiet"], theme["paper"]) >= 4.5


def test_players_differ_in_shape_as_well_as_in_colour() -> None:
    picture = after("connect-four", "d e").svg()
    cross, ring = re.findall(r'<g id="disc-[de]1".*?</g>', picture)
    assert ("<path" in cross) != ("<path" in ring)


def test_the_last_move_and_the_winning_line_are_marked() -> None:
    scene = after("connect-four", "a b a b a b").scene()
    assert scene.highlights == [Highlight("last", 1, 3)]
    scene = after("connect-four", "a b a b a b a").scene()
    assert [mark.kind for mark in scene.highlights].count("win") == 4
    assert len(scene.strokes) == 1


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
