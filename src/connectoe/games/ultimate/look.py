"""Ultimate tic-tac-toe as a picture."""

from __future__ import annotations

from typing import TYPE_CHECKING

from connectoe.board import lines_on, square_name
from connectoe.core.rules import ONGOING, LastMove
from connectoe.games.tic_tac_toe.words import squares_of
from connectoe.games.ultimate.rules import ANY, Position
from connectoe.games.ultimate.words import board_name, marks_by_player, square_of, won_by_player
from connectoe.scene import Cell, Highlight, Label, Panel, Piece, Scene, Stroke, Target

if TYPE_CHECKING:
    from connectoe.games.ultimate import Ultimate

GAP = 0.2
"""How far small boards stand apart."""
BOARD_PLACES = tuple(
    "middle" if row == column == "middle" else f"{row} {column}"
    for row in ("bottom", "middle", "top")
    for column in ("left", "middle", "right")
)


def place(column: float, row: float) -> tuple[float, float]:
    """Return the middle of a square in the picture."""
    return column + 0.5 + GAP * (column // 3), 8.5 - row + GAP * (2 - row // 3)


def scene(game: Ultimate, position: Position, last: LastMove | None = None) -> Scene:
    """Return nine small boards that stand apart, with large marks over those that are won."""
    scene = Scene(game.symbols)
    _add_boards(game, scene)
    _add_marks(game, scene, position)
    if last:
        x, y = place(*square_of(last.move))
        scene.highlights.append(Highlight("last", x - 0.5, y - 0.5))
    outcome = game.rules.outcome(position)
    if outcome in (0, 1):
        for line in lines_on(set(squares_of(position.other_won)), 3):
            scene.highlights += [_over("win", 3 * row + column) for column, row in line]
            (from_column, from_row), (to_column, to_row) = line[0], line[-1]
            ends = *place(3 * from_column + 1, 3 * from_row + 1), *place(3 * to_column + 1, 3 * to_row + 1)
            scene.strokes.append(Stroke(*ends, outcome, size=3))
    elif outcome == ONGOING:
        _add_targets(game, scene, position)
    return scene


def _add_boards(game: Ultimate, scene: Scene) -> None:
    side = 9 + 2 * GAP
    above = GAP if game.won_boards == "open" else 0  # room for the owners of the top boards
    scene.panels.append(Panel(0, -above, side, side + above))
    for board in range(9):
        x, y = place(*square_of(9 * board + 6))
        scene.panels.append(Panel(x - 0.5, y - 0.5, 3, 3, "small"))
    scene.cells += [Cell(*place(column, row)) for row in range(9) for column in range(9)]
    for i in range(9):
        x, y = place(i, i)
        scene.labels += [Label(x, side + 0.4, square_name(i, 0)[0]), Label(-0.4, y, str(i + 1))]


def _add_marks(game: Ultimate, scene: Scene, position: Position) -> None:
    """Add the marks that no claim covers, and who has won which board."""
    marks, won = marks_by_player(position), won_by_player(position)
    for owner in (0, 1):
        for board in range(9):
            is_covered = game.won_boards == "closed" and position.finished & (won[0] | won[1]) & 1 << board
            for square in range(9):
                if marks[owner][board] >> square & 1 and not is_covered:
                    name = game.move_text(9 * board + square)
                    scene.pieces.append(Piece(f"mark-{name}", *place(*square_of(9 * board + square)), "mark", owner))
            if won[owner] >> board & 1:
                _add_claim(game, scene, board, owner)


def _add_claim(game: Ultimate, scene: Scene, board: int, owner: int) -> None:
    """Cover a closed board with its owner's mark; tint an open one, with a small mark above it."""
    x, y = place(*square_of(9 * board + 4))
    if game.won_boards == "closed":
        scene.pieces.append(Piece(f"claim-{board_name(board)}", x, y, "claim", owner, size=3))
    else:
        scene.highlights.append(_over("owned", board, owner))
        scene.pieces.append(Piece(f"owner-{board_name(board)}", x, y - 1.5 - GAP / 2, "mark", owner, size=0.4))


def _add_targets(game: Ultimate, scene: Scene, position: Position) -> None:
    """Add where the player to move may play, in highlights, words and targets."""
    mover = game.symbols[position.turn]
    if position.board == ANY:
        scene.notes.append(f"{mover} may play on any open board")
    else:
        scene.highlights.append(_over("forced", position.board))
        where = f"the {BOARD_PLACES[position.board]} board, {board_name(position.board)}"
        scene.notes.append(f"{mover} must play on {where}")
    for move in game.rules.legal_moves(position):
        name = game.move_text(move)
        x, y = place(*square_of(move))
        scene.targets.append(Target(name, x - 0.5, y - 0.5, 1, 1, "mark", f"put your mark on {name}"))


def _over(kind: str, board: int, owner: int | None = None) -> Highlight:
    x, y = place(*square_of(9 * board + 6))
    return Highlight(kind, x - 0.5, y - 0.5, 3, 3, owner)
