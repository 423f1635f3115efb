"""How pieces get from one position to another, step by step, as data for the page's script.

A step says which pieces are `put` on the board or look different, which `go` elsewhere and which are `gone`; and which
panels `slide`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from connectoe.core.match import Match
from connectoe.draw.svg import piece_svg
from connectoe.scene import Piece, Scene

MOST_ANIMATED = 6
"""How many missed moves are animated; a page that has missed more shows only the last position."""


def changes(before: Sequence[Piece], after: Sequence[Piece], scene: Scene) -> dict[str, Any]:
    """Return what happens to the pieces between two pictures."""
    old, new = {piece.id: piece for piece in before}, {piece.id: piece for piece in after}
    return {
        "put": {name: piece_svg(piece, scene) for name, piece in new.items() if _look(piece) != _look(old.get(name))},
        "go": {
            name: [round(piece.x, 3), round(piece.y, 3), piece.size]
            for name, piece in new.items()
            if name in old and _place(piece) != _place(old[name])
        },
        "gone": [name for name in old if name not in new],
    }


def _look(piece: Piece | None) -> tuple[object, ...] | None:
    return piece and (piece.kind, piece.owner, piece.text, piece.facing)


def _place(piece: Piece) -> tuple[float, float, float]:
    return piece.x, piece.y, piece.size


def steps_since(match: Match, since: int, now: Scene | None = None) -> list[dict[str, Any]]:
    """Return the steps that led from an earlier ply to where a match stands; none if that is long ago.

    `now` is the scene in which it stands, if it has been made before.
    """
    if not 0 <= since < match.ply or match.ply - since > MOST_ANIMATED:
        return []
    steps = []
    scene = match.scene(since)
    for ply in range(since + 1, match.ply + 1):
        pieces, panels = scene.pieces, scene.panels
        scene = now if now and ply == match.ply else match.scene(ply)
        slid = {
            str(number): round(panel.x - was.x, 3)
            for number, (was, panel) in enumerate(zip(panels, scene.panels, strict=False))
            if panel.kind == "slider" and panel.x != was.x
        }
        for stage in match.stages(ply, scene):
            steps.append(changes(pieces, stage, scene) | {"slide": slid})
            pieces, slid = stage, {}
    return steps


def steps_between(match: Match, since: int, ply: int) -> list[dict[str, Any]]:
    """Return the steps from one ply of a match to another: forward move by move, back all at once."""
    if since < ply:
        return steps_since(match.beginning(ply), since)
    if ply < since <= match.ply:
        scene = match.scene(ply)
        return [changes(match.scene(since).pieces, scene.pieces, scene) | {"slide": {}}]
    return []


def preview(match: Match, move: str) -> dict[str, Any]:
    """Return what a move would do to the pieces; nothing if it cannot be played."""
    before = match.scene()
    if move not in match.legal_moves():  # somebody has moved meanwhile
        return changes(before.pieces, before.pieces, before)
    after = match.copy()
    after.play(move)
    scene = after.scene()
    return changes(before.pieces, scene.pieces, scene)
