"""The living boards of the gallery."""

from __future__ import annotations

from connectoe.web.render.demo import demo


def test_the_picture_of_the_game_with_bombs_shows_one() -> None:
    scene, moves = demo("c4-twist")
    assert any(piece.kind == "bomb" for piece in scene.pieces)
    assert moves


def test_a_tray_is_there_when_something_comes_to_lie_in_it() -> None:
    scene, moves = demo("connect-tac-toe")
    has_tray = any(piece.id.startswith("owed") for piece in scene.pieces)
    for move in moves:
        has_tray = 'class="f-outside"' in move["ground"] if move["ground"] else has_tray
        assert has_tray or not any("owed" in name for step in move["steps"] for name in step["put"])
