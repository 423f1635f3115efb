"""Positions as text, for games that do not write them themselves: their fields, with commas between them.

An int is a number. An array is its numbers with dots between them, its rows with slashes; `0*9` are nine zeros:
`0*4.1.0*4/2.0*8,17`.
"""

from __future__ import annotations

import re
from itertools import groupby
from typing import Any

import numpy as np

from connectoe.core.errors import BadPosition
from connectoe.core.rules import is_int
from connectoe.core.wide import WidePosition

BITS = 62
MOST_DIGITS = 400
NUMBER = "0|-?[1-9][0-9]*"


def can_be_written(position: Any) -> bool:
    """Whether each field of a position is an int, or an array that holds ints or True and False.

    >>> from connectoe.games.connect_four.rules import Position
    >>> can_be_written(Position(1, np.zeros((2, 2), np.int8), 0)), can_be_written(Position(1, np.zeros(3), 0))
    (True, False)
    """
    return all(
        (field.size > 0 and field.dtype.kind in "iub") if _is_array(field) else is_int(field) for field in position
    )


def written(position: Any) -> str:
    """Return the fields of a position as a line of text.

    >>> from connectoe.games.connect_four.rules import Position
    >>> written(Position(5, np.array([[0, 0, 0], [0, -1, 2]]), 1))
    '5,0*3/0.-1.2,1'
    """
    return ",".join(_array_text(field) if _is_array(field) else str(int(field)) for field in position)


def read(text: str, start: Any, game_id: str) -> Any:
    """Return the position that such a text stands for, given the start position, or raise BadPosition.

    >>> from connectoe.games.connect_four.rules import Position
    >>> read("5,1/-1,0", Position(0, np.zeros((2, 1), np.int8), 0), "a-game").other.tolist()
    [[1], [-1]]
    """
    parts = text.split(",")
    if len(parts) != len(start):
        kinds = "numbers and arrays" if any(map(_is_array, start)) else "numbers"
        raise BadPosition(f"a position of {game_id} is {len(start)} {kinds} with commas between them, not {len(parts)}")
    fields = zip(parts, start, start._fields, strict=True)
    return type(start)(*(_field(part, field, name, start) for part, field, name in fields))


def _is_array(field: Any) -> bool:
    return bool(getattr(field, "ndim", 0))


def _array_text(array: Any) -> str:
    """Return the numbers of an array: its rows are those of the last dimension."""
    return "/".join(".".join(_run_text(row)) for row in array.reshape(-1, array.shape[-1]).tolist())


def _run_text(row: list[int]) -> list[str]:
    """Return the numbers of a row, those that follow each other alike together."""
    texts = []
    for number, same in groupby(map(int, row)):
        times = len(list(same))
        texts.append(f"{number}*{times}" if times > 1 else str(number))
    return texts


def _field(text: str, field: Any, name: str, start: Any) -> Any:
    """Return the field of this name, like the one of the start position."""
    if _is_array(field):
        return _array(text, field, name)
    is_wide = isinstance(start, WidePosition) and name in start.wide_fields
    most = (1 << (64 * start.words if is_wide else BITS)) - 1
    return _number(text, name, 0 if is_wide else -most, most)


def _number(text: str, name: str, lowest: int, highest: int) -> int:
    """Return a number, or raise BadPosition for one that the field cannot hold."""
    if not re.fullmatch(NUMBER, text):
        raise BadPosition(f"{name} holds a number, as 12, where this says {text[:20]!r}")
    if len(text) > MOST_DIGITS or not lowest <= int(text) <= highest:
        raise BadPosition(f"a number of {name} is too {'small' if text.startswith('-') else 'large'}: {text[:20]}")
    return int(text)


def _array(text: str, like: Any, name: str) -> Any:
    """Return an array with the shape and the kind of numbers of another one."""
    lowest, highest = (0, 1) if like.dtype.kind == "b" else (np.iinfo(like.dtype).min, np.iinfo(like.dtype).max)
    width, rows = like.shape[-1], text.split("/")
    if len(rows) * width != like.size:
        many = like.size // width
        raise BadPosition(f"{name} has {many} row{'s' * (many != 1)} with slashes between them, not {len(rows)}")
    numbers: list[int] = []
    for place, row in enumerate(rows, start=1):
        which = f"row {place} of {name}" if len(rows) > 1 else name
        found = [number for part in row.split(".") for number in _numbers(part, which, lowest, highest, width)]
        if len(found) != width:
            counted = len(found) if len(found) < width else "more"
            raise BadPosition(f"{which} has {width} number{'s' * (width != 1)} with dots between them, not {counted}")
        numbers += found
    return np.array(numbers, like.dtype).reshape(like.shape)


def _numbers(text: str, name: str, lowest: int, highest: int, most: int) -> list[int]:
    """Return a number, or several alike: `0*9`; at most one more than a row has."""
    number, star, times = text.partition("*")
    if star and not re.fullmatch("[1-9][0-9]{0,6}", times):
        raise BadPosition(f"{name} has numbers, where 0*9 are nine zeros, not {text[:20]!r}")
    return [_number(number, name, lowest, highest)] * min(int(times or 1), most + 1)
