"""Connect Four.

Two players take turns to drop a disc of theirs into one of seven columns. It falls to the lowest empty cell of the
column. The first player with four discs in line, across, upright or diagonally, wins; more than four win too. When all
42 cells are full and nobody has a line, it is a draw. A full column takes no disc. Boards may have other sizes, of up
to 16 columns of 16 rows.

A move is the letter of a column: `d` drops into the middle one.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from connectoe.board import full_mask, has_line
from connectoe.core.rules import DRAWN, ONGOING, Rules, rule
from connectoe.core.wide import sized, widened


class Position(NamedTuple):
    """The discs of the player to move and of the opponent, in the bit layout of `board.py`, and whose turn it is."""

    own: int
    other: int
    turn: int


def rules(cols: int, rows: int, connect: int) -> Rules:
    """Return the rules of Connect Four on cols x rows cells with `connect` in line."""
    height = rows + 1
    bits = cols * height
    one, full = sized(1, bits), sized(full_mask(cols, rows), bits)
    new_position = widened(Position, bits, "own", "other")
    top_cell = sized(1 << (rows - 1), bits)

    @rule
    def legal_moves(position: Position) -> Iterator[int]:
        discs = position.own | position.other
        for column in range(cols):
            if discs & (top_cell << (column * height)) == 0:
                yield column

    @rule
    def play(position: Position, move: int) -> Position:
        discs = position.own | position.other
        # Adding the column's lowest bit carries up to its first empty cell.
        landed = (discs + (one << (move * height))) & ~discs
        return new_position(position.other, position.own | landed, 1 - position.turn)

    @rule
    def outcome(position: Position) -> int:
        if has_line(position.other, rows, connect, bits):
            return 1 - position.turn
        if position.own | position.other == full:
            return DRAWN
        return ONGOING

    @rule
    def player(position: Position) -> int:
        return position.turn

    return Rules(new_position(0, 0, 0), legal_moves, play, outcome, player)
