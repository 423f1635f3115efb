"""What a picture must show of the last move, the win and the board one must play in, whatever the game."""

from __future__ import annotations

from dataclasses import replace

from connectoe.draw.svg import svg
from connectoe.draw.text import text
from connectoe.scene import Scene


def check_marks(scene: Scene) -> None:
    """Each kind of highlight can be seen in either picture: without it, the picture would be another, in black and
    white too."""
    for kind in {mark.kind for mark in scene.highlights} & {"last", "win", "forced"}:
        without = replace(scene, highlights=[mark for mark in scene.highlights if mark.kind != kind])
        assert text(without) != text(scene), f"{kind} cannot be seen in text"
        assert svg(without) != svg(scene), f"{kind} cannot be seen in the picture"
