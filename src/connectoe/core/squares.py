"""Squares of a grid and their names: a column letter and a rank number, `a1` at the bottom left."""

from __future__ import annotations

Square = tuple[int, int]
"""Column and row, counted from 0 at the bottom left."""


def column_name(column: int) -> str:
    """The letter of a column: a, b, … z, and aa, ab, … on very wide boards.

    >>> column_name(3), column_name(26)
    ('d', 'aa')
    """
    letter = chr(ord("a") + column % 26)
    return letter if column < 26 else column_name(column // 26 - 1) + letter


def square_name(column: int, row: int) -> str:
    """The name of a square, counted from 0 at the bottom left.

    >>> square_name(0, 0), square_name(3, 2)
    ('a1', 'd3')
    """
    return f"{column_name(column)}{row + 1}"
