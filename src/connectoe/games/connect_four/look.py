"""Connect Four as a picture."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from connectoe.board import by_player, cells_of, column_name, square_name
from connectoe.core.rules import ONGOING, LastMove
from connectoe.games.connect_four.words import winning_lines
from connectoe.scene import Piece, Scene, Target

if TYPE_CHECKING:
    from connectoe.games.connect_four import ConnectFour


def scene(game: ConnectFour, position: Any, last: LastMove | None = None) -> Scene:
    """Return discs behind a board of holes, where each column is a target."""
    scene = board_of_discs(game, position, last)
    if game.rules.outcome(position) == ONGOING:
        scene.targets += [drop_target(game, move) for move in game.rules.legal_moves(position)]
    return scene


def board_of_discs(game: ConnectFour, position: Any, last: LastMove | None) -> Scene:
    """Return the board with its discs, the last one and the winning lines marked."""
    scene = Scene(game.symbols)
    scene.add_grid(game.cols, game.rows, "hole")
    for owner, discs in enumerate(by_player(*position[:3])):
        for square in cells_of(discs, game.rows):
            scene.pieces.append(Piece(f"disc-{square_name(*square)}", *scene.middle(*square), "disc", owner))
    if last:
        scene.highlight("last", cells_of(position.other & ~last.before.own, game.rows))
    outcome = game.rules.outcome(position)
    if outcome in (0, 1):
        for line in winning_lines(game, position):
            scene.win(line, outcome)
    return scene


def drop_target(game: ConnectFour, column: int) -> Target:
    """Return the column as a place to drop a disc."""
    letter = column_name(column)
    return Target(letter, column, 0, 1, game.rows, "disc", f"drop a disc in column {letter}")
