"""The living boards of the gallery."""

from __future__ import annotations

import pytest

from connectoe import game_ids
from connectoe.web.render import demo
from connectoe.web.render.demo import demo_moves, demo_picture


def test_the_gallery_is_drawn_once(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn = [demo_picture(game_id) for game_id in game_ids()]

    def draws_again(scene: object) -> str:
        raise AssertionError("drawn already")

    monkeypatch.setattr(demo, "inline_svg", draws_again)
    assert [demo_picture(game_id) for game_id in game_ids()] == drawn


def test_the_picture_of_the_game_with_bombs_shows_one() -> None:
    assert 'data-kind="bomb"' in demo_picture("c4-twist")
    assert demo_moves("c4-twist")


def test_a_tray_is_there_when_something_comes_to_lie_in_it() -> None:
    has_tray = 'data-piece="owed' in demo_picture("connect-tac-toe")
    for move in demo_moves("connect-tac-toe"):
        has_tray = 'class="f-outside"' in move["ground"] if move["ground"] else has_tray
        assert has_tray or not any("owed" in name for step in move["steps"] for name in step["put"])
