"""Geometry shared by the games: names of squares, lines on a grid, and boards as bits.

Boards of discs that fall keep one bit per cell, column by column, with an empty guard bit above each column
(John Tromp's layout), so that a line is found by shifting. On 7 columns of 6 rows:

      6 13 20 27 34 41 48   the guard row, always 0
      5 12 19 26 33 40 47   row 6
      4 11 18 25 32 39 46
      3 10 17 24 31 38 45
      2  9 16 23 30 37 44
      1  8 15 22 29 36 43
      0  7 14 21 28 35 42   row 1
      a  b  c  d  e  f  g
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import Any

from connectoe.core.rules import rule
from connectoe.core.squares import Square as Square
from connectoe.core.squares import column_name as column_name
from connectoe.core.squares import square_name as square_name
from connectoe.core.wide import FITTING, bit_count, lowest_set_bit, sized


@lru_cache(maxsize=64)
def lines(cols: int, rows: int, length: int) -> tuple[tuple[Square, ...], ...]:
    """Return every line of `length` squares (column, row) on a grid, in rows, columns and both diagonals.

    >>> len(lines(3, 3, 3)), len(lines(7, 6, 4))
    (8, 69)
    """
    found = []
    for column in range(cols):
        for row in range(rows):
            for right, up in ((1, 0), (0, 1), (1, 1), (1, -1)):
                end = (column + right * (length - 1), row + up * (length - 1))
                if 0 <= end[0] < cols and 0 <= end[1] < rows:
                    found.append(tuple((column + right * i, row + up * i) for i in range(length)))
    return tuple(found)


@rule
def has_line(cells: int, rows: int, length: int, bits: int = FITTING) -> bool:
    """Whether `length` (3 to 6) of these cells are in line, on columns of `rows` cells and a guard bit.

    A board that takes more than 62 bits in all says how many.

    >>> diagonal = bit(0, 0, rows=6) | bit(1, 1, rows=6) | bit(2, 2, rows=6)
    >>> has_line(diagonal, 6, 3), has_line(diagonal, 6, 4)
    (True, False)
    """
    for direction in (1, rows, rows + 1, rows + 2):  # up, down right, right, up right
        if (length - 1) * direction >= bits:
            continue  # there is no room for such a line, and compiled code cannot shift that far
        run = cells & cells >> direction  # the cells that begin two in line
        if length == 3:
            run &= run >> direction
        else:
            run &= run >> 2 * direction  # four in line
            if length > 4:
                run &= run >> (length - 4) * direction
        if run != 0:
            return True
    return False


@lru_cache(maxsize=64)
def has_line_on(bits: int) -> Callable[[int, int, int], bool]:
    """Return the rule `has_line` for boards of this many bits."""
    if bits <= FITTING:
        return has_line

    @rule
    def has_wide_line(cells: int, rows: int, length: int) -> bool:
        return has_line(cells, rows, length, bits)

    return has_wide_line


@rule
def columns_mirrored(cells: int, cols: int, rows: int) -> int:
    """Return the cells with left and right swapped.

    >>> columns_mirrored(bit(0, 2, rows=6), 7, 6) == bit(6, 2, rows=6)
    True
    """
    mirrored = 0
    for _ in range(cols):
        mirrored = mirrored << (rows + 1) | cells & (1 << rows) - 1
        cells >>= rows + 1
    return mirrored


def make_image(cols: int, rows: int, mirror: bool, flip: bool, diagonal: bool) -> Callable[[int], int]:
    """Return the rule for cells with left and right, top and bottom, or columns and rows swapped, or several of these.

    >>> make_image(3, 3, mirror=False, flip=False, diagonal=True)(bit(0, 2, rows=3)) == bit(2, 0, rows=3)
    True
    """
    height, bits = rows + 1, cols * (rows + 1)
    floor = sized(sum(1 << column * height for column in range(cols)), bits)

    @rule
    def image(cells: int) -> int:
        if mirror:
            cells = columns_mirrored(cells, cols, rows)
        if flip:
            upright = cells
            cells = 0
            for row in range(rows):
                cells |= (upright >> row & floor) << (rows - 1 - row)
        if diagonal:
            across = cells
            cells = 0
            for row in range(rows):
                for column in range(cols):
                    cells |= (across >> (column * height + row) & 1) << (row * height + column)
        return cells

    return image


@rule
def stacked(own: int, other: int) -> int:
    """Return both players' discs in one int: per column the own discs, and a 1 right above the highest disc, less 1."""
    return own + (own | other)


@rule
def unstacked(stacks: int, full: int, rows: int) -> tuple[int, int]:
    """Return the two players' discs that `stacked` put together."""
    marked = stacks + (full & ~(full << 1))
    discs = marked >> 1 & full
    for _ in range(rows - 1):
        discs |= discs >> 1 & full
    return marked & discs, discs & ~marked


@rule
def nth_column(open_columns: int, top_cells: int, n: int) -> int:
    """Return the column of the top cell in `open_columns` that has n others before it.

    A column has as many columns to its left as its number says.
    """
    for _ in range(n):
        open_columns &= open_columns - 1
    return how_many(top_cells & (open_columns & -open_columns) - 1)


@rule
def how_many(cells: int) -> int:
    """Return the number of cells in a mask, adding up the bits of pairs, fours and bytes in parallel.

    >>> how_many(0b1011), how_many(full_mask(7, 6))
    (3, 42)
    """
    cells -= cells >> 1 & 0x5555555555555555
    cells = (cells & 0x3333333333333333) + (cells >> 2 & 0x3333333333333333)
    cells = cells + (cells >> 4) & 0x0F0F0F0F0F0F0F0F
    return (cells * 0x0101010101010101 >> 56) & 0xFF


@rule
def how_many_wide(cells: int) -> int:
    """Return the number of cells in a mask of any size.

    >>> how_many_wide(full_mask(16, 16))
    256
    """
    return bit_count(cells)


def how_many_on(bits: int) -> Callable[[int], int]:
    """Return the rule `how_many` for boards of this many bits."""
    return how_many if bits <= FITTING else how_many_wide


@rule
def lowest_bit_wide(mask: int) -> int:
    """Return the number of the lowest bit in a mask of any size that is not 0.

    >>> lowest_bit_wide(bit(15, 15, rows=16))
    270
    """
    return lowest_set_bit(mask)


def lowest_bit_on(bits: int) -> Callable[[int], int]:
    """Return the rule `lowest_bit` for boards of this many bits."""
    return lowest_bit if bits <= FITTING else lowest_bit_wide


@rule
def nth_bit_wide(mask: int, n: int) -> int:
    """Return the number of the bit in a mask of any size that has n lower ones.

    >>> nth_bit_wide(bit(0, 0, rows=16) | bit(15, 15, rows=16), 1)
    270
    """
    for _ in range(n):
        mask &= mask - 1
    return lowest_set_bit(mask)


@lru_cache(maxsize=64)
def open_lines_on(bits: int) -> Callable[..., int]:
    """Return the rule `open_lines` for boards of this many bits."""
    count = how_many_on(bits)

    @rule
    def open_lines(own: int, blocked: int, full: int, rows: int, length: int, factor: int) -> int:
        """Return the worth of a player's unblocked lines: 1 with one piece, `factor` times as much for each further
        piece.
        """
        worth = 0
        for direction in (1, rows, rows + 1, rows + 2):  # as in `has_line`
            if (length - 1) * direction >= bits:
                continue
            free = full & ~blocked
            begin = free  # where a line begins that nothing blocks
            for step in range(1, length):
                begin &= free >> step * direction
            # The number of pieces on each of these lines, in binary, all lines at once.
            ones = twos = fours = begin ^ begin  # 0
            for step in range(length):
                piece = own >> step * direction & begin
                fours ^= ones & twos & piece
                twos ^= ones & piece
                ones ^= piece
            line_worth = 1
            for pieces in range(1, length):
                with_so_many = begin & (ones if pieces & 1 else ~ones) & (twos if pieces & 2 else ~twos)
                with_so_many &= fours if pieces & 4 else ~fours
                worth += line_worth * count(with_so_many)
                line_worth *= factor
        return worth

    return open_lines


open_lines = open_lines_on(FITTING)
"""The worth of a player's unblocked lines on a board of up to 62 bits.

>>> board = full_mask(4, 4)
>>> open_lines(bit(0, 0, rows=4), 0, board, 4, length=4, factor=3)
3
>>> open_lines(bit(0, 0, rows=4) | bit(1, 1, rows=4), bit(0, 3, rows=4), board, 4, length=4, factor=3)
6
"""


@rule
def show(cells: int, planes: Any, plane: int, cols: int, rows: int) -> None:
    """Write the cells of a board into one of the planes that a learning player sees, top row first.

    >>> import numpy as np
    >>> planes = np.zeros((1, 2, 2), np.int8)
    >>> show(bit(0, 1, rows=2), planes, 0, cols=2, rows=2)
    >>> planes[0].tolist()
    [[1, 0], [0, 0]]
    """
    shown = planes[plane]
    for row in range(rows):
        for column in range(cols):
            shown[row, column] = int(cells >> (column * (rows + 1) + rows - 1 - row) & 1)


def bit(column: int, row: int, rows: int) -> int:
    """Return the bit of a cell on columns of `rows` cells and a guard bit.

    >>> bit(1, 0, rows=6) == 1 << 7
    True
    """
    return 1 << (column * (rows + 1) + row)


_PRIME = 67
_BIT_BY_REMAINDER = bytes(next((n for n in range(66) if (1 << n) % _PRIME == r), 0) for r in range(_PRIME))
"""The powers of two up to 2**65 leave different remainders by 67, so the remainder of a single bit tells its number."""


@rule
def lowest_bit(mask: int) -> int:
    """Return the number of the lowest bit in a mask that is not 0.

    >>> lowest_bit(0b1010_0000)
    5
    """
    return _BIT_BY_REMAINDER[(mask & -mask) % _PRIME]


@rule
def bits(mask: int) -> Iterator[int]:
    """Yield the number of each bit in a mask, the lowest first.

    >>> list(bits(0b1010_0001))
    [0, 5, 7]
    """
    while mask != 0:
        yield _BIT_BY_REMAINDER[(mask & -mask) % _PRIME]
        mask &= mask - 1


@rule
def nth_bit(mask: int, n: int) -> int:
    """Return the number of the bit that `bits` yields after n others.

    >>> nth_bit(0b1010_0001, 2)
    7
    """
    for _ in range(n):
        mask &= mask - 1
    return _BIT_BY_REMAINDER[(mask & -mask) % _PRIME]


def full_mask(cols: int, rows: int) -> int:
    """Return all cells of the board, without the guard row.

    >>> bin(full_mask(2, 3))
    '0b1110111'
    """
    return sum(((1 << rows) - 1) << (column * (rows + 1)) for column in range(cols))


def cells_of(mask: int, rows: int) -> list[Square]:
    """Return the (column, row) of each cell in a mask with guard bits, column by column.

    >>> cells_of(0b0001_0110, rows=3)
    [(0, 1), (0, 2), (1, 0)]
    """
    cells = []
    while mask:
        lowest = mask & -mask
        cells.append(divmod(lowest.bit_length() - 1, rows + 1))
        mask ^= lowest
    return cells


def lines_on(squares: set[Square], length: int) -> list[tuple[Square, ...]]:
    """Return every maximal line of at least `length` of these squares.

    >>> lines_on({(0, 0), (1, 1), (2, 2), (2, 1)}, 3)
    [((0, 0), (1, 1), (2, 2))]
    """
    found = []
    for column, row in sorted(squares):
        for right, up in ((1, 0), (0, 1), (1, 1), (1, -1)):
            if (column - right, row - up) in squares:
                continue
            run = [(column, row)]
            while (run[-1][0] + right, run[-1][1] + up) in squares:
                run.append((run[-1][0] + right, run[-1][1] + up))
            if len(run) >= length:
                found.append(tuple(run))
    return found


def by_player(own: int, other: int, turn: int) -> tuple[int, int]:
    """Return what players 0 and 1 have, given what the player to move and the opponent have; or the reverse.

    >>> by_player(0b01, 0b10, turn=1)
    (2, 1)
    """
    return (own, other) if turn == 0 else (other, own)
