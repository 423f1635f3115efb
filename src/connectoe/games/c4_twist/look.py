"""C4 with a Twist as a picture: Connect Four with a tray of bombs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from connectoe.board import column_name
from connectoe.core.rules import ONGOING, LastMove
from connectoe.games.c4_twist.rules import Position
from connectoe.games.c4_twist.words import bombs_by_player
from connectoe.games.connect_four import look as connect_four
from connectoe.scene import Highlight, Panel, Piece, Scene, Target

if TYPE_CHECKING:
    from connectoe.games.c4_twist import C4Twist


def scene(game: C4Twist, position: Position, last: LastMove | None = None) -> Scene:
    """Return Connect Four's picture, with the bombs left in a tray under the board."""
    scene = connect_four.board_of_discs(game, position, last)
    if last and last.move >= game.cols:
        scene.highlights.append(Highlight("last", last.move - game.cols, 0, 1, game.rows))
    if game.bombs:
        width = max(game.cols, 2 * game.bombs)
        left = (game.cols - width) / 2
        y = game.rows + 1.2
        scene.panels.append(Panel(left, y - 0.5, width, 1, "tray"))  # as high as a bomb, also when it is empty
        first, second = bombs_by_player(position)
        for number in range(first):
            scene.pieces.append(Piece(f"bomb-X{number + 1}", left + 0.5 + number, y, "bomb", 0))
        for number in range(second):
            scene.pieces.append(Piece(f"bomb-O{number + 1}", left + width - 0.5 - number, y, "bomb", 1))
        scene.notes.append(f"bombs left: X {first}, O {second}")
    if game.rules.outcome(position) == ONGOING:
        scene.targets += [_target(game, move) for move in game.rules.legal_moves(position)]
    return scene


def _target(game: C4Twist, move: int) -> Target:
    if move < game.cols:
        return connect_four.drop_target(game, move)
    column = move - game.cols
    return Target(game.move_text(move), column, 0, 1, game.rows, "bomb", f"bomb column {column_name(column)}")


def stages(game: C4Twist, position: Position, move: int) -> Sequence[Sequence[Piece]]:
    """Return, for a bomb, the moment before it explodes in the middle of its column."""
    if move < game.cols:
        return []
    spent = f"bomb-{game.symbols[position.turn]}{position.own_bombs}"
    x, y = move - game.cols + 0.5, game.rows / 2
    return [[piece._replace(x=x, y=y) if piece.id == spent else piece for piece in scene(game, position).pieces]]
