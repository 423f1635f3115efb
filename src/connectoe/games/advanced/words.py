"""Advanced Tic Tac Toe in words: notation, reasons, and positions as text."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from connectoe.board import Square, lines_on, square_name
from connectoe.board_texts import line_text, split_fields
from connectoe.core.errors import BadPosition
from connectoe.core.rules import DRAWN, ONGOING
from connectoe.core.setting_up import EMPTY, Choice, Layout, SettingUp, Sign
from connectoe.games.advanced.places import EDGE, HAND, has_hand, is_on_board, piece_at, place_of, put, waiting_edge
from connectoe.games.advanced.rules import Position

if TYPE_CHECKING:
    from connectoe.games.advanced import Advanced

SIDES = "NESW"
SIDE_NAMES = ("north", "east", "south", "west")
PIECE_ON_BOARD = "([XO])([1-5])([NESW])([abc])([123])"
"""A piece in a position text: owner, number, facing, column and row."""


def notation(game: Advanced) -> Sequence[str]:
    """Return every piece on every edge place."""
    return [f"{number}{edge_name(edge)}" for number in range(1, 6) for edge in range(12)]


def edge_name(edge: int) -> str:
    """Return an edge place as moves write it: 'Nb', 'W3'."""
    return SIDES[edge // 3] + ("123" if edge // 3 % 2 else "abc")[edge % 3]


def square_of(place: int) -> Square:
    """Return the (column, row) of a place, counted from a1; edge places lie at -1 and 3."""
    return place % 6 - 1, place // 6 - 1


def facing_of(position: Position, piece: int) -> str:
    """Return the way a piece that is not in hand faces: N, E, S or W."""
    return SIDES[position.facings >> 5 * piece & 3]


def piece_name(game: Advanced, piece: int) -> str:
    """Return a piece as texts write it: 'X4'."""
    return f"{game.symbols[piece // 5]}{piece % 5 + 1}"


def pieces_of(position: Position, owner: int) -> list[tuple[int, int]]:
    """Return the pieces of a player, 0..4 or 5..9, and where they are."""
    return [(piece, place_of(position.places, piece)) for piece in range(5 * owner, 5 * owner + 5)]


def reason(game: Advanced, position: Position) -> str:
    """Return the winning line, or that both players have one."""
    if game.rules.outcome(position) == DRAWN:
        return "both have a line of three after the round"
    return line_text(winning_line(game, position), "pieces")


def winning_line(game: Advanced, position: Position) -> tuple[Square, ...]:
    """Return the line of the winner; none if both players have one."""
    winner = game.rules.outcome(position)
    return winning_lines(position, winner)[0] if winner in (0, 1) else ()


def winning_lines(position: Position, owner: int) -> list[tuple[Square, ...]]:
    """Return the lines of a player."""
    return lines_on({square_of(place) for _, place in pieces_of(position, owner) if is_on_board(place)}, 3)


def why_illegal(game: Advanced, position: Position, move: int) -> str:
    """Explain that a piece is not in hand, or that an edge place is taken."""
    piece = 5 * game.rules.player(position) + move // 12
    place = place_of(position.places, piece)
    if place != HAND:
        return f"{piece_name(game, piece)} is not in hand: it stands on {square_name(*square_of(place))}"
    waiting = piece_at(position.places, EDGE[move % 12])
    return f"{piece_name(game, waiting)} waits on edge place {edge_name(move % 12)} already"


def goal(game: Advanced) -> str:
    """Return how to win."""
    return "Have three of your pieces in line on the 3x3 board at the end of a round, when your opponent has not."


def may_do(game: Advanced, position: Position) -> str:
    """Say that a piece is placed, and what follows."""
    mover = game.rules.player(position)
    ends_round = mover != position.crown or not has_hand(position.places, 1 - mover)
    then = (
        "all pieces march one step"
        if ends_round
        else f"{game.symbols[1 - mover]} does the same, and all march one step"
    )
    return f"Choose a piece and put it on an edge place, facing the board; then {then}."


def board(game: Advanced, position: Position) -> list[str]:
    """Return five rows, the edge included, top first: `X4S` is X's 4 facing south, `...` an empty square."""
    signs = {place: "..." if is_on_board(place) else "   " for place in range(30)}
    signs |= dict.fromkeys(EDGE, " - ")
    for piece in range(10):
        place = place_of(position.places, piece)
        if place != HAND:
            signs[place] = piece_name(game, piece) + facing_of(position, piece)
    return [" ".join(signs[6 * row + column] for column in range(5)).rstrip() for row in range(4, -1, -1)]


def write(game: Advanced, position: Position) -> str:
    """Return the pieces on the board with facing and square, the crown's holder, and the placement of this round.

    `X4Sb3,O1Ea2 O 2W3`; a dash stands for none. All other pieces are in hand.
    """
    on_board = [
        f"{piece_name(game, piece)}{facing_of(position, piece)}{square_name(*square_of(place))}"
        for owner in range(2)
        for piece, place in pieces_of(position, owner)
        if is_on_board(place)
    ]
    placement = "-"
    if position.placed:
        edge = waiting_edge(position.places)
        placement = f"{piece_at(position.places, EDGE[edge]) % 5 + 1}{edge_name(edge)}"
    return f"{','.join(on_board) or '-'} {game.symbols[position.crown]} {placement}"


def setting_up(game: Advanced) -> SettingUp:
    """Return how pieces are set on squares, each facing a side, who has the crown, and what was placed."""
    signs = [
        Sign(
            f"{piece_name(game, piece)}{side}",
            f"{piece_name(game, piece)} facing {SIDE_NAMES[number]}",
            "numbered",
            piece // 5,
            text=str(piece % 5 + 1),
            facing=side,
            piece=piece_name(game, piece),
            is_single=True,
        )
        for piece in range(10)
        for number, side in enumerate(SIDES)
    ]
    placements = {move: f"piece {move[0]} on {move[1:]}" for move in game.move_texts}
    choices = (
        Choice("the crown is with", {symbol: symbol for symbol in game.symbols}),
        Choice("placed in this round", {"-": "nothing yet", **placements}),
    )
    return SettingUp(tuple(signs), choices, layout=Layout(3, _split, _join))


def _split(text: str) -> tuple[list[str], list[str]] | None:
    """Return the piece on each square in reading order, and the crown's holder and the placement."""
    fields = text.split()
    items = fields[0].split(",") if len(fields) == 3 and fields[0] != "-" else []
    if len(fields) != 3 or not all(re.fullmatch(PIECE_ON_BOARD, item) for item in items):
        return None
    squares = {item[3:]: item[:3] for item in items}
    return [squares.get(column + row, EMPTY) for row in "321" for column in "abc"], fields[1:]


def _join(signs: Sequence[str], values: Sequence[str]) -> str:
    """Return the text of the pieces on the squares, in the order in which `write` has them."""
    names = [column + row for row in "321" for column in "abc"]
    items = [sign + name for sign, name in zip(signs, names, strict=True) if sign != EMPTY]
    items.sort(key=lambda item: (item[0] != "X", item))
    return " ".join([",".join(items) or "-", *values])


def read(game: Advanced, text: str) -> Position:
    """Return the position; refuse pieces that are there twice or share a square, and placements that were not legal."""
    pieces, holder, placement = split_fields(text, ["pieces on the board", "crown holder", "placement this round"])
    if holder not in game.symbols:
        raise BadPosition(f"the crown belongs to {game.symbols[0]} or {game.symbols[1]}, not to {holder[:20]!r}")
    places = facings = 0
    for item in pieces.split(",") if pieces != "-" else []:
        found = re.fullmatch(PIECE_ON_BOARD, item)
        if not found:
            raise BadPosition(f"{item[:20]!r} is no piece on the board: one is written like X4Sb2")
        piece = 5 * game.symbols.index(found[1]) + int(found[2]) - 1
        place = 6 * int(found[5]) + "abc".index(found[4]) + 1
        if place_of(places, piece) != HAND:
            raise BadPosition(f"{piece_name(game, piece)} is on the board twice")
        if piece_at(places, place) < 10:
            raise BadPosition(f"{found[4]}{found[5]} holds two pieces")
        places = put(places, piece, place)
        facings |= SIDES.index(found[3]) << 5 * piece
    position = Position(places, facings, game.symbols.index(holder), 0)
    return position if placement == "-" else _after_placement(game, position, placement)


def _after_placement(game: Advanced, position: Position, placement: str) -> Position:
    """Return the position after the crown's holder has placed a piece, or raise BadPosition."""
    holder, other = game.symbols[position.crown], game.symbols[1 - position.crown]
    move = game.move_numbers.get(placement)
    if move is None:
        raise BadPosition(f"{placement[:20]!r} is no placement: one is written like 4Nb, none is -")
    if game.rules.outcome(position) != ONGOING:
        raise BadPosition(f"no piece could be placed: the game was over, {reason(game, position)}")
    if place_of(position.places, 5 * position.crown + move // 12) != HAND:
        raise BadPosition(f"{holder} cannot have placed piece {move // 12 + 1}: it is on the board")
    if not has_hand(position.places, 1 - position.crown):
        raise BadPosition(f"{other} has nothing in hand, so the round was over with this placement")
    following: Position = game.rules.play(position, move)
    return following
