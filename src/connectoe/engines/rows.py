"""Positions as rows of 64-bit ints, in which compiled code keeps many: a field takes one, a wide field several."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from numba.np.unsafe.ndarray import to_fixed_tuple

from connectoe.core.rules import rule
from connectoe.core.wide import WideConstant, WidePosition

PART = 60
"""The bits of a wide field that one int of a row takes."""


class RowRules(NamedTuple):
    """How positions of a game are kept."""

    length: int
    """The ints of a row."""
    write: Callable[[Any, Any], None]
    """Write a position into a row."""
    read: Callable[[Any], Any]
    """Return the position in a row."""


def row_rules(start: Any) -> RowRules:
    """Return the rules for rows of positions like this one, which holds ints and no arrays."""
    if isinstance(start, WidePosition):
        return _wide_row_rules(start)
    fields, position_class = len(start), type(start)
    as_tuple: Any = to_fixed_tuple

    @rule
    def write(position: Any, row: Any) -> None:
        for field in range(fields):
            row[field] = position[field]

    @rule
    def read(row: Any) -> Any:
        return position_class(*as_tuple(row, fields))

    return RowRules(fields, write, read)


def _wide_row_rules(start: Any) -> RowRules:
    sizes = [start.words + 1 if name in start.wide_fields else 1 for name in start._fields]
    position_class, fields = type(start), _reading(sizes, start.words)

    @rule
    def read(row: Any) -> Any:
        return position_class(*fields(row))

    return RowRules(sum(sizes), _writing(sizes), read)


def _writing(sizes: Sequence[int]) -> Callable[[Any, Any], None]:
    """Return the rule that writes the first fields, whose sizes are given, one by one, as compiled code needs where
    fields have different types.
    """
    *before, size = sizes
    place, first = len(before), sum(before)
    others = _writing(before) if before else None

    @rule
    def write_first(position: Any, row: Any) -> None:
        field = position[place]
        if size == 1:
            row[first] = int(field)
        else:
            for part in range(size):
                row[first + part] = int(field & (1 << PART) - 1)
                field >>= PART

    @rule
    def write_all(position: Any, row: Any) -> None:
        others(position, row)  # type: ignore[misc]
        write_first(position, row)

    return write_all if before else write_first


def _reading(sizes: Sequence[int], words: int) -> Callable[[Any], tuple[int, ...]]:
    """Return the rule that reads the first fields, whose sizes are given."""
    *before, size = sizes
    first, last = sum(before), sum(before) + size - 1
    nothing = WideConstant(0, words)

    @rule
    def one_int(row: Any) -> Any:
        return row[first]

    @rule
    def wide_int(row: Any) -> Any:
        field = nothing
        for part in range(size):
            field = field << PART | row[last - part]
        return field

    one = one_int if size == 1 else wide_int
    others = _reading(before, words) if before else None

    @rule
    def read_first(row: Any) -> Any:
        return (one(row),)

    @rule
    def read_all(row: Any) -> Any:
        return others(row) + (one(row),)  # type: ignore[misc]  # noqa: RUF005 (stars do not compile here)

    return read_all if before else read_first
