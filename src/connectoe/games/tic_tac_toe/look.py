"""Tic-tac-toe as a picture."""

from __future__ import annotations

from typing import TYPE_CHECKING

from connectoe.board import by_player, lines_on, square_name
from connectoe.core.rules import ONGOING, LastMove
from connectoe.games.tic_tac_toe.rules import Position
from connectoe.games.tic_tac_toe.words import squares_of
from connectoe.scene import Piece, Scene

if TYPE_CHECKING:
    from connectoe.games.tic_tac_toe import TicTacToe


def scene(game: TicTacToe, position: Position, last: LastMove | None = None) -> Scene:
    """Return marks on a board of squares, where each empty square is a target."""
    scene = Scene(game.symbols)
    scene.add_grid(3, 3)
    for owner, marks in enumerate(by_player(*position)):
        for square in squares_of(marks):
            scene.pieces.append(Piece(f"mark-{square_name(*square)}", *scene.middle(*square), "mark", owner))
    if last:
        scene.highlight("last", squares_of(1 << last.move))
    outcome = game.rules.outcome(position)
    if outcome in (0, 1):
        for line in lines_on(set(squares_of(position.other)), 3):
            scene.win(line, outcome)
    elif outcome == ONGOING:
        for move in game.rules.legal_moves(position):
            name = game.move_text(move)
            scene.target(name, (move % 3, move // 3), "mark", f"put your mark on {name}")
    return scene
