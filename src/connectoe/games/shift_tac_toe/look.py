"""Shift Tac Toe as a picture, and a move in steps."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from connectoe.board import Square
from connectoe.core.rules import ONGOING, LastMove
from connectoe.games.shift_tac_toe.rules import DISCS, LEFT, WIDTH, Position
from connectoe.games.shift_tac_toe.words import (
    COLUMN_NAMES,
    COLUMNS,
    ROW_NAMES,
    places_of,
    slider_columns,
    winning_lines,
)
from connectoe.scene import Cell, Highlight, Label, Panel, Piece, Scene, Stroke, Target

if TYPE_CHECKING:
    from connectoe.games.shift_tac_toe import ShiftTacToe

ENDS = -1.91, 4.91
"""The middles of what slides a row left and right."""
HEAD = -0.95
"""The top of the columns with their numbers."""
HAND_SIZE = 0.48


def middle(column: int, row: int) -> tuple[float, float]:
    """Return where a place of the frame has its middle; a small gap sets the grid apart."""
    apart = -0.15 if column < LEFT else 0.15 if column >= LEFT + 3 else 0.0
    return column - LEFT + 0.5 + apart, 2.5 - row


def hand_place(owner: int, number: int) -> tuple[float, float]:
    """Return where a disc in hand lies; they are numbered from 1, and the last one is dropped first."""
    return -1.95 + 5.3 * owner + 0.4 * (number - 1), 3.75


def disc_at(place: Square, owner: int) -> Piece:
    """Return the piece on a place of the frame; it is named after it: 'piece-b1', or 'piece-d1' right of the grid."""
    column, row = place
    return Piece(f"piece-{COLUMNS[column]}{row + 1}", *middle(column, row), "disc", owner)


def disc_in_hand(owner: int, number: int) -> Piece:
    """Return a disc in hand (Pressman edition)."""
    return Piece(f"hand-{owner}-{number}", *hand_place(owner, number), "disc", owner, size=HAND_SIZE)


def hand_of(game: ShiftTacToe, position: Position, owner: int) -> list[Piece]:
    """Return the discs a player has in hand; without a hand to hold any, none."""
    in_hand = DISCS - position[owner].bit_count() if game.is_pressman else 0
    return [disc_in_hand(owner, number) for number in range(1, in_hand + 1)]


def scene(game: ShiftTacToe, position: Position, last: LastMove | None = None) -> Scene:
    """Return three sliders behind the window of the grid; columns and the ends of rows are targets."""
    scene = Scene(game.symbols, may_flip=False)
    _draw_frame(scene, position)
    for owner in range(2):
        scene.pieces += [disc_at(place, owner) for place in places_of(position[owner])]
        if game.is_pressman:
            scene.panels.append(Panel(hand_place(owner, 1)[0] - 0.2, 3.45, 2, 0.6, "tray"))
            scene.pieces += hand_of(game, position, owner)
    if last:
        _mark_last(scene, position, last)
    if game.rules.outcome(position) == ONGOING:
        scene.targets += [_target(game, move) for move in game.rules.legal_moves(position)]
    for owner in range(2):
        for line in winning_lines(position, owner):
            places = [(column + LEFT, row) for column, row in line]
            for place in places:
                _highlight(scene, "win", place)
            scene.strokes.append(Stroke(*middle(*places[0]), *middle(*places[-1]), owner))
    return scene


def _draw_frame(scene: Scene, position: Position) -> None:
    for row in range(3):
        columns = slider_columns(position.sliders, row)
        x, y = middle(columns[0], row)
        width = middle(columns[-1], row)[0] - x + 1
        scene.panels.append(Panel(x - 0.5, y - 0.42, width, 0.84, "slider"))
        for column in range(WIDTH):
            kind = "gap" if column not in columns else "square" if LEFT <= column < LEFT + 3 else "holder"
            scene.cells.append(Cell(*middle(column, row), kind))
        # Where a slider can still go there is room beyond its end.
        if columns[0] > 0:
            scene.labels.append(Label(ENDS[0], y, f"← {9 - row}"))
        if columns[-1] < WIDTH - 1:
            scene.labels.append(Label(ENDS[1], y, f"{6 - row} →"))
    for column in range(3):
        scene.labels.append(Label(column + 0.5, HEAD + 0.37, str(column + 1)))
    scene.highlights.append(Highlight("frame", -0.03, 0, 3.06, 3))


def _mark_last(scene: Scene, position: Position, last: LastMove) -> None:
    if last.move < 3:
        mover = last.before.turn
        for place in places_of(position[mover] & ~last.before[mover]):
            _highlight(scene, "last", place)
    else:
        row = 2 - last.move % 3
        columns = slider_columns(position.sliders, row)
        (left, y), (right, _) = middle(columns[0], row), middle(columns[-1], row)
        scene.highlights.append(Highlight("last", left - 0.5, y - 0.5, right - left + 1, 1))


def _highlight(scene: Scene, kind: str, place: Square) -> None:
    x, y = middle(*place)
    scene.highlights.append(Highlight(kind, x - 0.5, y - 0.5))


def _target(game: ShiftTacToe, move: int) -> Target:
    digit = game.move_text(move)
    if move < 3:
        says = f"drop a piece into the {COLUMN_NAMES[move]} column"
        return Target(digit, move, HEAD, 1, 3 - HEAD, "drop", says)
    row, is_left = 2 - move % 3, move >= 6
    says = f"slide the {ROW_NAMES[row]} row {'left' if is_left else 'right'}"
    x = ENDS[0] if is_left else ENDS[1]
    return Target(digit, x - 0.54, middle(0, row)[1] - 0.5, 1.08, 1, "slide", says)


def refusals(game: ShiftTacToe, position: Position) -> Sequence[Target]:
    """Return the columns that take no drop, and the ends that rows do not slide to."""
    legal = set(game.rules.legal_moves(position))
    return [
        _target(game, move)._replace(says=game.why_illegal(position, move)) for move in range(9) if move not in legal
    ]


def stages(game: ShiftTacToe, position: Position, move: int) -> Sequence[Sequence[Piece]]:
    """Return, for a slide, the pieces when the row has moved and when everything has fallen.

    A drop has one stage in the Pressman edition: the disc from the hand is where it lands. In the other edition the
    dropped piece is new, and nothing else moves.
    """
    if move >= 3:
        return _stages_of_slide(game, position, move)
    return [_after_drop(game, position, move)] if game.is_pressman else []


def _after_drop(game: ShiftTacToe, position: Position, move: int) -> list[Piece]:
    mover = position.turn
    (landed,) = places_of(game.rules.play(position, move)[mover] & ~position[mover])
    x, y = middle(*landed)
    dropped = hand_of(game, position, mover)[-1]
    pieces = scene(game, position).pieces
    return [piece._replace(x=x, y=y, size=1.0) if piece == dropped else piece for piece in pieces]


def _stages_of_slide(game: ShiftTacToe, position: Position, move: int) -> list[list[Piece]]:
    after: Position = game.rules.play(position, move)
    slid, fallen = [], []
    for owner in range(2):
        for column, row in places_of(position[owner]):
            piece = disc_at((column, row), owner)
            step = 0 if row != 2 - move % 3 else -1 if move >= 6 else 1
            x, y = middle(column + step, row)
            slid.append(piece._replace(x=x, y=y))
            rest = _place_after(game, position, (column, row), move)
            if rest:
                x, y = middle(*rest)
                fallen.append(piece._replace(x=x, y=y))
            elif game.is_pressman:
                x, y = hand_place(owner, DISCS - after[owner].bit_count())
                fallen.append(piece._replace(x=x, y=y, size=HAND_SIZE))
        in_hand = hand_of(game, position, owner)
        slid += in_hand
        fallen += in_hand
    return [slid, fallen]


def _place_after(game: ShiftTacToe, position: Position, place: Square, move: int) -> Square | None:
    """Return where the piece on a place stands after a slide; None if it has left the frame."""
    # The rules move the pieces of both players alike, so let this one be the only nought.
    column, row = place
    piece = 1 << (WIDTH * row + column)
    others = (position.noughts | position.crosses) & ~piece
    alone = game.rules.play(Position(piece, others, position.sliders, 1), move)
    return next(iter(places_of(alone.noughts)), None)
