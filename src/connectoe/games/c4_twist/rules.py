"""C4 with a Twist.

Connect Four with an explosive. Two players take turns to drop a disc of theirs into one of seven columns; four discs in
line, across, upright or diagonally, win. Each player also has one bomb. Instead of dropping a disc you may bomb a
column: all its discs are gone, the bomb is spent, and that was your turn. A full column cannot be bombed; an empty one
can, which is a way to pass. Discs never move sideways, so clearing a column makes no new line. When all cells are full
and nobody has a line, it is a draw: no column can be bombed then. Boards may have other sizes, of up to 16 columns of
16 rows.

A move is the letter of a column to drop a disc, `d`, or a star and the letter to bomb it, `*d`.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from connectoe.board import full_mask, has_line, lowest_bit_on
from connectoe.core.rules import DRAWN, ONGOING, Rules, rule
from connectoe.core.wide import sized, widened


class Position(NamedTuple):
    """The discs of the player to move and of the opponent, as in `board.py`, whose turn it is, and the bombs left."""

    own: int
    other: int
    turn: int
    own_bombs: int
    other_bombs: int


def rules(cols: int, rows: int, connect: int, bombs: int) -> Rules:
    """Return the rules with `bombs` per player; move `column` drops a disc, move `cols + column` bombs the column."""
    height = rows + 1
    bits = cols * height
    one, full = sized(1, bits), sized(full_mask(cols, rows), bits)
    new_position = widened(Position, bits, "own", "other")
    top_cells = sized(full & ~(full >> 1), bits)
    column_of = bytes(cell // height for cell in range(bits))
    lowest = lowest_bit_on(bits)
    one_column = sized((1 << rows) - 1, bits)

    @rule
    def legal_moves(position: Position) -> Iterator[int]:
        open_tops = top_cells & ~(position.own | position.other)
        while open_tops != 0:
            column = column_of[lowest(open_tops)]
            open_tops &= open_tops - 1
            yield column
            if position.own_bombs > 0:
                yield cols + column

    @rule
    def play(position: Position, move: int) -> Position:
        own, other = position.own, position.other
        if move >= cols:
            left = ~(one_column << ((move - cols) * height))
            turn, bombs_left = 1 - position.turn, position.own_bombs - 1
            return new_position(other & left, own & left, turn, position.other_bombs, bombs_left)
        # Adding the column's lowest bit carries up to its first empty cell.
        landed = (own | other) + (one << (move * height)) & ~(own | other)
        return new_position(other, own | landed, 1 - position.turn, position.other_bombs, position.own_bombs)

    @rule
    def outcome(position: Position) -> int:
        # A bomb takes discs away, so only the player who has just moved can have a line, and only by a drop.
        if has_line(position.other, rows, connect, bits):
            return 1 - position.turn
        if position.own | position.other == full:
            return DRAWN
        return ONGOING

    @rule
    def player(position: Position) -> int:
        return position.turn

    return Rules(new_position(0, 0, 0, bombs, bombs), legal_moves, play, outcome, player)
