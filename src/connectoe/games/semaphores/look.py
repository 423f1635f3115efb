"""Semaphores as a picture."""

from __future__ import annotations

from typing import TYPE_CHECKING

from connectoe.board import Square, bit, cells_of, square_name
from connectoe.core.rules import ONGOING, LastMove
from connectoe.games.semaphores.rules import Position
from connectoe.games.semaphores.words import COLOURS, square_of, winning_lines
from connectoe.scene import Piece, Scene

if TYPE_CHECKING:
    from connectoe.games.semaphores import Semaphores


def scene(game: Semaphores, position: Position, last: LastMove | None = None) -> Scene:
    """Return lights on a board of squares; the light on a square stays the same piece when it changes colour."""
    scene = Scene(game.symbols)
    scene.add_grid(game.cols, game.rows)
    for colour, lights in zip(COLOURS, position[:3], strict=True):
        for square in cells_of(lights, game.rows):
            name = f"light-{square_name(*square)}"
            scene.pieces.append(Piece(name, *scene.middle(*square), f"light-{colour}"))
    if last:
        scene.highlight("last", [square_of(game, last.move)])
    outcome = game.rules.outcome(position)
    if outcome in (0, 1):
        for line, _ in winning_lines(game, position):
            scene.win(line, outcome)
    elif outcome == ONGOING:
        for move in game.rules.legal_moves(position):
            square = square_of(game, move)
            scene.target(game.move_text(move), square, "light", _effect(game, position, square))
    return scene


def _effect(game: Semaphores, position: Position, square: Square) -> str:
    """Return what a move does to a square, in words."""
    light = bit(*square, game.rows)
    name = square_name(*square)
    if position.yellow & light:
        return f"turn the yellow light on {name} red"
    if position.green & light:
        return f"turn the green light on {name} yellow"
    return f"put a green light on {name}"
