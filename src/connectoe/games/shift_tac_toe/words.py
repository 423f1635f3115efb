"""Shift Tac Toe in words: notation, reasons, and positions as text."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from connectoe.board import Square, lines
from connectoe.board_texts import side_to_move, split_fields, squeeze, unsqueeze
from connectoe.core.errors import BadPosition
from connectoe.core.setting_up import Choice, SettingUp, Sign, whose_turn
from connectoe.games.shift_tac_toe.rules import DISCS, LEFT, LINES, WIDTH, Position, has_line, steps_left

if TYPE_CHECKING:
    from connectoe.games.shift_tac_toe import ShiftTacToe

COLUMNS = "yzabcde"
"""The columns of the frame, as the places of pieces name them."""
LINE_NAMES: dict[tuple[Square, ...], str] = {
    ((0, 0), (1, 0), (2, 0)): "in the bottom row",
    ((0, 1), (1, 1), (2, 1)): "in the middle row",
    ((0, 2), (1, 2), (2, 2)): "in the top row",
    ((0, 0), (0, 1), (0, 2)): "in the left column",
    ((1, 0), (1, 1), (1, 2)): "in the middle column",
    ((2, 0), (2, 1), (2, 2)): "in the right column",
    ((0, 0), (1, 1), (2, 2)): "on the rising diagonal",
    ((0, 2), (1, 1), (2, 0)): "on the falling diagonal",
}
ROW_NAMES = ("bottom", "middle", "top")
COLUMN_NAMES = ("left", "middle", "right")
STANDS = "RCL"
"""A slider's stand in position texts: fully right, in the middle (centre), fully left."""


def notation(game: ShiftTacToe) -> Sequence[str]:
    """Return the nine digits."""
    return "123456789"


def reason(game: ShiftTacToe, position: Position) -> str:
    """Return the line, or that both players have one."""
    if has_line(position.noughts) and has_line(position.crosses):
        moved = game.symbols[1 - position.turn]
        return f"{moved} made lines for both" + ("" if game.both == "draw" else ", and the mover's counts")
    winner = game.rules.outcome(position)
    by_whom = ", by the opponent's slide" if winner == position.turn else ""
    return f"three {LINE_NAMES[winning_line(game, position)]}{by_whom}"


def winning_line(game: ShiftTacToe, position: Position) -> tuple[Square, ...]:
    """Return the line of the winner; none if both players have one."""
    noughts, crosses = (winning_lines(position, owner) for owner in range(2))
    return () if noughts and crosses else next(iter(noughts + crosses), ())


def winning_lines(position: Position, owner: int) -> list[tuple[Square, ...]]:
    """Return the lines of a player, as squares of the grid."""
    return [line for line, bits in zip(lines(3, 3, 3), LINES, strict=True) if position[owner] & bits == bits]


def why_illegal(game: ShiftTacToe, position: Position, move: int) -> str:
    """Explain that a column is full, a hand is empty, or a slider is at its end."""
    if move < 3:
        if game.is_pressman and position[position.turn].bit_count() == DISCS:
            return f"all five discs of {game.symbols[position.turn]} are on the board, so only slides are left"
        return f"the {COLUMN_NAMES[move]} column is full"
    return f"the {ROW_NAMES[2 - move % 3]} slider is fully {'left' if move >= 6 else 'right'} already"


def goal(game: ShiftTacToe) -> str:
    """Return how to win."""
    return "Get three of your pieces in line inside the 3x3 window. Pieces outside it do not count."


def may_do(game: ShiftTacToe, position: Position) -> str:
    """Return whether the player to move may drop a piece as well as slide."""
    if any(move < 3 for move in game.rules.legal_moves(position)):
        return "Drop a piece into a column, or slide a row one step left or right."
    return "Slide a row one step left or right: no piece can be dropped."


def places_of(pieces: int) -> list[Square]:
    """Return the (frame column, row) of each piece, the grid's columns being 2, 3 and 4; from the bottom left."""
    return [(index % WIDTH, index // WIDTH) for index in range(3 * WIDTH) if pieces >> index & 1]


def slider_columns(sliders: int, row: int) -> range:
    """Return the frame columns a slider stands in."""
    first = LEFT - steps_left(sliders, row)
    return range(first, first + 5)


def holder_columns(game: ShiftTacToe, sliders: int, row: int) -> range:
    """Return the frame columns where a row can hold pieces."""
    return range(LEFT, LEFT + 3) if game.is_pressman else slider_columns(sliders, row)


def board(game: ShiftTacToe, position: Position) -> list[list[str]]:
    """Return the 3x3 grid as nested lists of 'O', 'X' and '', top row first."""
    signs = [["", "", ""] for _ in range(3)]
    for owner in range(2):
        for column, row in places_of(position[owner]):
            if LEFT <= column < LEFT + 3:
                signs[2 - row][column - LEFT] = game.symbols[owner]
    return signs


def write(game: ShiftTacToe, position: Position) -> str:
    """Return the rows from the top, the sliders' stands from the top (R, C or L), and the player to move.

    A row is its slider's five holders, or three squares in the Pressman edition, with empty ones counted:
    `5/5/1O3 RRC X`.
    """
    signs = {**dict.fromkeys(places_of(position.noughts), "O"), **dict.fromkeys(places_of(position.crosses), "X")}
    rows = [
        "".join(signs.get((column, row), ".") for column in holder_columns(game, position.sliders, row))
        for row in (2, 1, 0)
    ]
    stands = "".join(STANDS[steps_left(position.sliders, row)] for row in (2, 1, 0))
    return f"{squeeze(rows)} {stands} {game.symbols[position.turn]}"


def setting_up(game: ShiftTacToe) -> SettingUp:
    """Return how pieces are set in the holders of the sliders, or of the grid alone, and how the sliders stand."""
    stands = dict(zip(STANDS, ("right", "in the middle", "left"), strict=True))
    sliders = [Choice(f"{name} slider", stands, is_joined=name != "top") for name in reversed(ROW_NAMES)]
    signs = tuple(Sign(symbol, symbol, "disc", owner) for owner, symbol in enumerate(game.symbols))
    cells = ("square",) if game.is_pressman else ("square", "holder")
    return SettingUp(signs, (*sliders, whose_turn(game.symbols)), cells)


def read(game: ShiftTacToe, text: str) -> Position:
    """Return the position; refuse pieces that float and more discs than there are."""
    rows, stands, mover = split_fields(text, ["rows", "stands of the sliders", "player to move"])
    turn = side_to_move(mover, game.symbols)
    if len(stands) != 3 or any(stand not in STANDS for stand in stands):
        raise BadPosition(f"the sliders stand R, C or L, three letters from the top, not {stands[:20]!r}")
    sliders = sum(STANDS.index(stand) << (2 * row) for row, stand in zip((2, 1, 0), stands, strict=True))
    pieces = [0, 0]
    for row, signs in zip((2, 1, 0), unsqueeze(rows, 3 if game.is_pressman else 5, 3, "OX"), strict=True):
        for column, sign in zip(holder_columns(game, sliders, row), signs, strict=True):
            if sign != ".":
                pieces[game.symbols.index(sign)] |= 1 << (WIDTH * row + column)
    taken = pieces[0] | pieces[1]
    for column, row in places_of(taken):
        if row and not taken >> (WIDTH * (row - 1) + column) & 1:
            raise BadPosition(f"the piece on {COLUMNS[column]}{row + 1} floats: nothing is under it")
    for symbol, discs in zip(game.symbols, pieces, strict=True):
        if game.is_pressman and discs.bit_count() > DISCS:
            raise BadPosition(f"{symbol} has five discs, not {discs.bit_count()}")
    return Position(pieces[0], pieces[1], sliders, turn)
