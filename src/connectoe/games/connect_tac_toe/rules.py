"""Connect Tac Toe.

Connect Four and tic-tac-toe on one board of seven columns and six rows. Each turn you drop a disc or place a mark. Four
discs of yours in line win, and so do three marks of yours; discs and marks never count together.

- A disc is dropped from the top. It may pass through marks or come to rest on one, as you wish, but never passes a
  disc. It rests on an empty cell with the floor or any piece right under it, so a column can offer several cells:
  with marks on d2 and d3 alone, a disc may rest on d4 or on d1.
- A mark does not fall. It goes on any empty cell that is not higher than the highest disc on the whole board; while no
  disc is on the board, no mark may be placed.
- After placing a mark, your own next turn must be a disc: you owe it. If you owe a disc and none can be dropped, the
  game is drawn. It is also drawn when the board is full without a line.

Two readings are options. With `drop=any-gap` a disc may also pass discs, and rest on any empty cell with the floor or a
piece right under it. With `stuck=free`, a player who owes a disc that cannot be dropped may place another mark instead.
Boards may have other sizes, of up to 16 columns of 16 rows.

A move is the cell where a disc comes to rest, `d3`, or a plus and the cell for a mark, `+d3`.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from connectoe.board import full_mask, has_line_on, lowest_bit_on
from connectoe.core.rules import DRAWN, ONGOING, Rules, rule
from connectoe.core.wide import sized, widened


class Position(NamedTuple):
    """The discs and marks of the player to move and of the opponent, and whether each owes a disc (1) or not (0).

    Discs and marks have the bit layout of `board.py`. The moves are the cells in the order of their bits, without the
    guard row; on 7 columns of 6 rows, discs are 0..41 and marks 42..83:

          5 11 17 23 29 35 41   row 6
          4 10 16 22 28 34 40
          3  9 15 21 27 33 39
          2  8 14 20 26 32 38
          1  7 13 19 25 31 37
          0  6 12 18 24 30 36   row 1
          a  b  c  d  e  f  g
    """

    own_discs: int
    other_discs: int
    own_marks: int
    other_marks: int
    own_owes: int
    other_owes: int
    turn: int


PIECES = ("own_discs", "other_discs", "own_marks", "other_marks")
"""The fields with cells of the board."""


@rule
def all_discs(position: Position) -> int:
    """Return the cells with a disc."""
    return position.own_discs | position.other_discs


@rule
def all_pieces(position: Position) -> int:
    """Return the cells with a disc or a mark."""
    return position.own_discs | position.other_discs | position.own_marks | position.other_marks


@rule
def floor_of(full: int) -> int:
    """Return the lowest cell of each column: a cell of the board with none right under it."""
    return full & ~(full << 1)


@rule
def under_discs(discs: int, full: int, rows: int) -> int:
    """Return the cells that have a disc somewhere above them in their column."""
    under = discs >> 1 & full
    for _ in range(rows - 2):
        under |= under >> 1 & full
    return under


@rule
def up_to_highest(discs: int, full: int, rows: int) -> int:
    """Return the cells that are not higher than the highest of these discs, in any column."""
    floor = floor_of(full)
    for row in range(rows - 1, -1, -1):
        if discs & floor << row:
            return floor * ((2 << row) - 1)  # in each column the bits 0 to row
    return 0


@rule
def resting_cells(position: Position, full: int, rows: int, any_gap: bool) -> int:
    """Return the cells where a disc that is dropped can come to rest."""
    taken = all_pieces(position)
    resting = (taken << 1 | floor_of(full)) & full & ~taken
    if any_gap:
        return resting
    return resting & ~under_discs(all_discs(position), full, rows)


@rule
def markable_cells(position: Position, resting: int, full: int, rows: int, stuck_is_free: bool) -> int:
    """Return the cells where a mark may be placed: none for a player who owes a disc, unless no disc can rest."""
    if position.own_owes and not (stuck_is_free and not resting):
        return 0
    return up_to_highest(all_discs(position), full, rows) & ~all_pieces(position)


def rules(cols: int, rows: int, discs: int, marks: int, drop: str, stuck: str) -> Rules:
    """Return the rules on cols x rows cells, where `discs` discs or `marks` marks in line win."""
    cells, bits = cols * rows, cols * (rows + 1)
    move_on = bytes(cell - cell // (rows + 1) for cell in range(bits - 1))  # without the guard row
    one, full = sized(1, bits), sized(full_mask(cols, rows), bits)
    new_position = widened(Position, bits, *PIECES)
    has_line, lowest = has_line_on(bits), lowest_bit_on(bits)
    any_gap = drop == "any-gap"
    stuck_is_free = stuck == "free"

    @rule
    def legal_moves(position: Position) -> Iterator[int]:
        resting = resting_cells(position, full, rows, any_gap)
        markable = markable_cells(position, resting, full, rows, stuck_is_free)
        while resting != 0:
            yield move_on[lowest(resting)]
            resting &= resting - 1
        while markable != 0:
            yield cells + move_on[lowest(markable)]
            markable &= markable - 1

    @rule
    def play(position: Position, move: int) -> Position:
        disc, mark = 0, 0
        if move < cells:
            disc = one << (move + move // rows)
        else:
            mark = one << (move - cells + (move - cells) // rows)
        return new_position(
            position.other_discs,
            position.own_discs | disc,
            position.other_marks,
            position.own_marks | mark,
            position.other_owes,
            1 if mark else 0,
            1 - position.turn,
        )

    @rule
    def outcome(position: Position) -> int:
        if has_line(position.other_discs, rows, discs) or has_line(position.other_marks, rows, marks):
            return 1 - position.turn
        if all_pieces(position) == full:
            return DRAWN
        # A player who owes nothing always has a move: where no disc can rest, all empty cells are under discs, so that
        # marks may go there.
        if position.own_owes and not stuck_is_free and not resting_cells(position, full, rows, any_gap):
            return DRAWN
        return ONGOING

    @rule
    def player(position: Position) -> int:
        return position.turn

    return Rules(new_position(0, 0, 0, 0, 0, 0, 0), legal_moves, play, outcome, player)
