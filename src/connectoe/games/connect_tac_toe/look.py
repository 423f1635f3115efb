"""Connect Tac Toe as a picture."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from connectoe.board import bit, cells_of, square_name
from connectoe.core.rules import ONGOING, LastMove
from connectoe.games.connect_tac_toe.rules import Position, all_pieces
from connectoe.games.connect_tac_toe.words import (
    discs_by_player,
    is_mark,
    marks_by_player,
    owes_by_player,
    square_of,
    winning_lines,
)
from connectoe.scene import Highlight, Label, Panel, Piece, Scene, Target

if TYPE_CHECKING:
    from connectoe.games.connect_tac_toe import ConnectTacToe


def scene(game: ConnectTacToe, position: Position, last: LastMove | None = None) -> Scene:
    """Return discs and marks on a board of holes, and under it the discs that are owed."""
    scene = Scene(game.symbols)
    scene.add_grid(game.cols, game.rows, "hole")
    for owner, discs in enumerate(discs_by_player(position)):
        for square in cells_of(discs, game.rows):
            scene.pieces.append(Piece(f"disc-{square_name(*square)}", *scene.middle(*square), "disc", owner))
    for owner, marks in enumerate(marks_by_player(position)):
        for square in cells_of(marks, game.rows):
            name, letter = f"mark-{square_name(*square)}", game.symbols[owner].lower()
            scene.pieces.append(Piece(name, *scene.middle(*square), "mark", owner, letter, size=0.85))
    if last:
        scene.highlight("last", [square_of(game, last.move)])
    outcome = game.rules.outcome(position)
    if outcome in (0, 1):
        for line, _ in winning_lines(game, position):
            scene.win(line, outcome)
    _show_owed_discs(game, scene, position)
    if outcome == ONGOING:
        scene.targets += [_target(game, position, move) for move in game.rules.legal_moves(position)]
    return scene


def _show_owed_discs(game: ConnectTacToe, scene: Scene, position: Position) -> None:
    """Put the discs that are owed into a tray under the board: X's on the left, O's on the right."""
    middle, y = game.cols / 2, game.rows + 1.3
    scene.panels.append(Panel(middle - 2.5, y - 0.5, 5, 1, "tray"))  # always there, so that the picture keeps its size
    owes = owes_by_player(position) if game.rules.outcome(position) not in (0, 1) else (0, 0)
    if any(owes):
        scene.labels.append(Label(middle, y, "owed", "note"))
    for owner, x in enumerate((middle - 2, middle + 2)):
        if owes[owner]:
            scene.highlights.append(Highlight("owed", x - 0.5, y - 0.5))
            scene.pieces.append(Piece(f"owed-{game.symbols[owner]}", x, y, "disc", owner))
            scene.notes.append(f"{game.symbols[owner]} owes a disc")


def _target(game: ConnectTacToe, position: Position, move: int) -> Target:
    """Return where a move is pressed: its cell, and for a disc also the empty cells above, which it falls through."""
    column, row = square_of(game, move)
    name = square_name(column, row)
    if is_mark(game, move):
        return Target(f"+{name}", column, game.rows - row - 1, 1, 1, "mark", f"place a mark on {name}")
    top = row
    while _is_empty(game, position, column, row) and _is_empty(game, position, column, top + 1):
        top += 1
    return Target(name, column, game.rows - top - 1, 1, top - row + 1, "disc", f"drop a disc that rests on {name}")


def _is_empty(game: ConnectTacToe, position: Position, column: int, row: int) -> bool:
    """Whether there is a cell, and no piece on it."""
    return 0 <= row < game.rows and not all_pieces(position) & bit(column, row, game.rows)


def refusals(game: ConnectTacToe, position: Position) -> Sequence[Target]:
    """Return the cells where no disc can rest, and those where no mark may be placed."""
    legal = set(game.rules.legal_moves(position))
    found = []
    for move in range(len(game.move_texts)):
        column, row = square_of(game, move)
        is_fallen_through = all(_is_empty(game, position, column, place) for place in (row, row - 1))
        if move not in legal and (is_mark(game, move) or not is_fallen_through):
            found.append(_target(game, position, move)._replace(says=game.why_illegal(position, move)))
    return found
