"""Boards of a recipe: a grid of squares, or columns in which pieces fall.

Both have the bit layout of `connectoe.board`: column by column, with an empty guard bit above each column. A board of
more than 62 bits has masks of several words (see `core/wide.py`), and `Board` alone decides that: its masks are such
constants then, and it has the rules that count and find bits. Blocks use these and are written the same for all boards.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from connectoe.board import (
    Square,
    full_mask,
    how_many,
    how_many_wide,
    lowest_bit,
    lowest_bit_wide,
    nth_bit,
    nth_bit_wide,
)
from connectoe.core.errors import BadGame, BadOption
from connectoe.core.rules import rule
from connectoe.core.wide import FITTING, sized
from connectoe.kit.tuples import Rule

WIDEST = 16
"""The most columns, and the most rows, that a board may have."""
LOOKUP_BITS = 12
"""Boards of up to this many bits look lines up in a table, which is faster than shifting."""


class BoardSpec(NamedTuple):
    """A board as a recipe declares it; its sizes may be options."""

    cols: Any
    rows: Any
    cell: str
    """The kind of cell that a scene shows."""


def grid(cols: Any, rows: Any) -> BoardSpec:
    """Return a board of squares.

    >>> grid(3, 3).cell
    'square'
    """
    return BoardSpec(cols, rows, "square")


def columns(cols: Any, rows: Any) -> BoardSpec:
    """Return a board of columns, into which pieces fall from above.

    >>> columns(7, 6).cell
    'hole'
    """
    return BoardSpec(cols, rows, "hole")


class Board(NamedTuple):
    """A board of a certain size."""

    cols: int
    rows: int
    cell: str
    looks_up: bool = True
    """Whether rules may look things up in tables where that is faster; code that is written out does not."""

    @property
    def height(self) -> int:
        """The bits of a column: its cells and the guard bit.

        >>> Board(7, 6, "hole").height
        7
        """
        return self.rows + 1

    @property
    def bits(self) -> int:
        """The bits of a mask."""
        return self.cols * self.height

    @property
    def is_wide(self) -> bool:
        """Whether masks take several words."""
        return self.bits > FITTING

    def mask(self, cells: int) -> int:
        """Return a mask as a constant of rules.

        >>> type(Board(7, 6, "hole").mask(5)).__name__, type(Board(9, 7, "hole").mask(5)).__name__
        ('int', 'WideConstant')
        """
        return sized(cells, self.bits)

    @property
    def one(self) -> int:
        """The lowest cell of the first column, which rules shift to any other cell."""
        return self.mask(1)

    @property
    def full(self) -> int:
        """All cells."""
        return self.mask(full_mask(self.cols, self.rows))

    @property
    def floor(self) -> int:
        """The lowest cell of each column."""
        return self.mask(self.full & ~(self.full << 1))

    @property
    def first_column(self) -> int:
        """The cells of the first column."""
        return self.mask((1 << self.rows) - 1)

    @property
    def how_many(self) -> Rule:
        """The rule for the number of cells in a mask."""
        return how_many_wide if self.is_wide else how_many

    @property
    def lowest_bit(self) -> Rule:
        """The rule for the lowest cell in a mask that is not empty."""
        return lowest_bit_wide if self.is_wide else lowest_bit

    @property
    def nth_bit(self) -> Rule:
        """The rule for the cell in a mask that has a number of lower ones."""
        return nth_bit_wide if self.is_wide else nth_bit

    @property
    def cell_bits(self) -> int:
        """How many bits it takes to number the cells, where a number stands for a cell and something else.

        >>> Board(7, 6, "hole").cell_bits, Board(16, 16, "hole").cell_bits
        (6, 9)
        """
        return max(6, (self.bits - 1).bit_length())

    @property
    def squares(self) -> list[Square]:
        """The squares, column by column."""
        return [(column, row) for column in range(self.cols) for row in range(self.rows)]

    def cell_at(self, square: Square) -> int:
        """Return the number of a square's bit.

        >>> Board(7, 6, "hole").cell_at((1, 0))
        7
        """
        return square[0] * self.height + square[1]

    def square_at(self, cell: int) -> Square:
        """Return the square of a bit.

        >>> Board(7, 6, "hole").square_at(8)
        (1, 1)
        """
        return divmod(cell, self.height)

    def mask_of(self, squares: Any) -> int:
        """Return the mask of these squares.

        >>> Board(3, 3, "square").mask_of([(0, 0), (1, 0)])
        17
        """
        return self.mask(sum(1 << self.cell_at(square) for square in squares))

    def check(self, wide: bool = True) -> None:
        """Raise BadOption for a board that is too large, or that takes more than 62 bits and may not be wide.

        >>> Board(8, 17, "hole").check()
        Traceback (most recent call last):
        connectoe.core.errors.BadOption: a board of 8x17 is too large: it may have at most 16 columns and 16 rows
        >>> Board(8, 8, "hole").check(wide=False)
        Traceback (most recent call last):
        connectoe.core.errors.BadOption: a board of 8x8 is too large: with 8 columns it may have at most 6 rows
        """
        size = f"a board of {self.cols}x{self.rows} is too large"
        if max(self.cols, self.rows) > WIDEST:
            raise BadOption(f"{size}: it may have at most {WIDEST} columns and {WIDEST} rows")
        most = FITTING // self.cols - 1
        if not wide and self.rows > most:
            raise BadOption(f"{size}: with {self.cols} columns it may have at most {most} rows")

    def has_line(self, length: int) -> Rule:
        """Return the rule that says whether `length` cells of a mask are in line: across, upright or diagonally.

        >>> Board(3, 3, "square").has_line(3)(0b0001_0001_0001)
        True
        """
        in_line, bits = shifted_lines(self.rows, length, self.bits), self.bits
        if bits > LOOKUP_BITS or not self.looks_up:
            return in_line
        table = bytes(in_line(mask & self.full) for mask in range(1 << bits))

        @rule
        def looked_up(cells: int) -> bool:
            return table[cells] != 0

        return looked_up


def check_length(what: str, length: Any) -> None:
    """Raise BadGame if this is not the length of a line."""
    if type(length) is not int or length < 2:
        raise BadGame(f"{what} takes how many pieces are in line, as {what}(4), not {length!r:.40}")


def shifted_lines(rows: int, length: int, bits: int) -> Rule:
    """Return the rule that says whether `length` cells of a mask of this many bits are in line, on columns of `rows`
    cells and a guard bit.

    >>> shifted_lines(6, 2, 49)(0b11), shifted_lines(6, 2, 49)(0b101)
    (True, False)
    """
    steps = tuple(step for step in (1, rows, rows + 1, rows + 2) if (length - 1) * step < bits)
    doublings = length.bit_length() - 1  # each shift doubles the length of line that is found: two, four, … cells
    rest = length - (1 << doublings)

    @rule
    def in_line(cells: int) -> bool:
        for step in steps:
            run, shift = cells, step
            for _ in range(doublings):
                run &= run >> shift
                shift *= 2
            if rest:
                run &= run >> rest * step
            if run != 0:
                return True
        return False

    return in_line
