"""Advanced Tic Tac Toe as a picture, and a round in steps."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from typing import TYPE_CHECKING

from connectoe.core.rules import ONGOING, LastMove
from connectoe.games.advanced.places import (
    AHEAD,
    EDGE,
    HAND,
    has_hand,
    has_line,
    is_on_board,
    piece_at,
    place_of,
    put,
    taken_places,
)
from connectoe.games.advanced.rules import Position, stepped_into
from connectoe.games.advanced.words import SIDE_NAMES, edge_name, facing_of, pieces_of, square_of, winning_lines
from connectoe.scene import Cell, Highlight, Label, Panel, Piece, Scene, Target

if TYPE_CHECKING:
    from connectoe.games.advanced import Advanced

TRAY_X = (-2.3, 5.3)
"""Where the hands of X and O lie."""


def scene(game: Advanced, position: Position, last: LastMove | None = None) -> Scene:
    """Return the board within its edge places, a hand on either side, and the crown over its holder's."""
    scene = Scene(game.symbols, grid_rows=3)
    scene.panels.append(Panel(0, 0, 3, 3))
    scene.cells += [Cell(*scene.middle(column, row)) for row in range(3) for column in range(3)]
    scene.cells += [Cell(*_middle(place), "edge", 0.9) for place in EDGE]
    for edge, place in enumerate(EDGE):
        if piece_at(position.places, place) == 10:
            scene.labels.append(Label(*_middle(place), edge_name(edge)))
    for owner in range(2):
        x = TRAY_X[owner]
        scene.panels.append(Panel(x - 0.5, -1, 1, 5, "tray"))
        scene.labels.append(Label(x, 4.4, game.symbols[owner], "name"))
        scene.cells += [Cell(x, number - 0.5, "tray") for number in range(5)]
        for piece, place in pieces_of(position, owner):
            facing = "" if place == HAND else facing_of(position, piece)
            number = piece % 5 + 1
            scene.pieces.append(
                Piece(f"piece-{owner}-{number}", *_where(position, piece), "numbered", owner, str(number), facing)
            )
    scene.pieces.append(Piece("crown", TRAY_X[position.crown], -1.55, "crown", size=0.9))
    _mark_last_and_lines(game, scene, position, last)
    if game.rules.outcome(position) == ONGOING:
        scene.targets += [_target(game, move) for move in game.rules.legal_moves(position)]
    return scene


def _middle(place: int) -> tuple[float, float]:
    """Return where a place has its middle in the picture."""
    column, row = square_of(place)
    return column + 0.5, 2.5 - row


def _where(position: Position, piece: int) -> tuple[float, float]:
    """Return where a piece is in the picture: on its place, or in its own place in its owner's tray."""
    place = place_of(position.places, piece)
    return (TRAY_X[piece // 5], piece % 5 - 0.5) if place == HAND else _middle(place)


def _mark_last_and_lines(game: Advanced, scene: Scene, position: Position, last: LastMove | None) -> None:
    if last:
        x, y = _where(position, 5 * game.rules.player(last.before) + last.move // 12)
        scene.highlights.append(Highlight("last", x - 0.5, y - 0.5))
    is_over = game.rules.outcome(position) != ONGOING
    for owner in range(2):
        for line in winning_lines(position, owner) if is_over else []:
            scene.win(line, owner)
    scene.notes.append(f"{game.symbols[position.crown]} has the crown")
    if not is_over and has_line(position.places, 0) and has_line(position.places, 1):
        scene.notes.append("both have a line of three, so play goes on")


def _target(game: Advanced, move: int) -> Target:
    number, edge = move // 12 + 1, move % 12
    x, y = _middle(EDGE[edge])
    line = ("column", "rank")[edge // 3 % 2]
    says = f"piece {number} from the {SIDE_NAMES[edge // 3]}, {line} {edge_name(edge)[1]}"
    return Target(game.move_text(move), x - 0.5, y - 0.5, 1, 1, f"piece {number}", says)


def stages(game: Advanced, position: Position, move: int) -> Sequence[Sequence[Piece]]:
    """Return, for a placement that ends the round, the piece on the edge, and then each move of a piece."""
    owner = game.rules.player(position)
    piece, edge = 5 * owner + move // 12, move % 12
    facings = position.facings | (edge // 3 + 2) % 4 << 5 * piece
    steps = [put(position.places, piece, EDGE[edge])]
    if owner == position.crown and has_hand(steps[0], 1 - owner):
        return []
    for number, mover in product(range(5), (position.crown, 1 - position.crown)):
        after = _stepped(steps[-1], facings, 5 * mover + number)
        if after != steps[-1]:
            steps.append(after)
    return [scene(game, Position(places, facings, position.crown, 1)).pieces for places in steps]


def _stepped(places: int, facings: int, piece: int) -> int:
    """Return the places after a piece has made its own move, or lost it; for a piece in hand they are the same."""
    place = place_of(places, piece)
    ahead, taken = AHEAD[place << 2 | facings >> 5 * piece & 3], taken_places(places)
    if taken >> ahead & 1:
        return stepped_into(places, taken, piece, place, ahead)
    return put(places, piece, ahead if is_on_board(ahead) else HAND)
