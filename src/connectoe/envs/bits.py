"""What a learning player sees of a game that does not say it: the bits of the position's fields.

An int has a plane for its bits, the lowest first. An array has a plane for each bit of its numbers, and where it has
rows and columns, so have the planes. What does not fit into one plane goes on in the next.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from connectoe.core.rules import Planes, rule
from connectoe.core.wide import FITTING, WidePosition

Writer = Callable[[Any, int, Any], None]


class Part(NamedTuple):
    """A field of a position, and the planes that show it."""

    name: str
    place: int
    is_array: bool
    bits: int
    """The bits of a number."""
    length: int
    """The numbers of an array; 1 for an int."""


def parts_of(start: Any) -> list[Part]:
    """Return the fields of positions like this one."""
    found = []
    for place, (name, field) in enumerate(zip(start._fields, start, strict=True)):
        if np.ndim(field):
            bits = 1 if field.dtype.kind == "b" else 8 * field.dtype.itemsize
            found.append(Part(name, place, True, bits, field.size))
        else:
            is_wide = isinstance(start, WidePosition) and name in start.wide_fields
            found.append(Part(name, place, False, 64 * start.words if is_wide else FITTING, 1))
    return found


def size_of_planes(start: Any) -> tuple[int, int]:
    """Return the rows and columns of the planes: those of the first array that has them, else one long row."""
    for field in start:
        if np.ndim(field) > 1:
            rows, cols = np.shape(field)[-2:]
            return int(rows), int(cols)
    return 1, max(part.length if part.is_array else part.bits for part in parts_of(start))


def planes_for(part: Part, area: int) -> int:
    """Return how many planes of this area show a field."""
    return part.bits * -(-part.length // area) if part.is_array else -(-part.bits // area)


def planes_of_bits(start: Any) -> Planes:
    """Return the planes for positions like this one.

    >>> from connectoe.games.connect_four.rules import Position
    >>> planes_of_bits(Position(0, 0, 0)).names
    ('own', 'other', 'turn', 'is player 1')
    >>> planes_of_bits(Position(np.zeros((6, 7), np.bool_), 0, 0)).shape
    (6, 6, 7)
    """
    rows, cols = size_of_planes(start)
    names: list[str] = []
    for part in parts_of(start):
        many = planes_for(part, rows * cols)
        names += [part.name] if many == 1 else [f"{part.name} {number}" for number in range(1, many + 1)]
    return Planes((*names, "is player 1"), rows, cols)


def observing_bits(start: Any) -> Writer:
    """Return the rule that writes the bits of positions like this one, and in the last plane who looks."""
    rows, cols = size_of_planes(start)
    writers, first = [], 0
    for part in parts_of(start):
        writer = _array_writer if part.is_array else _int_writer
        writers.append(writer(part, first, rows, cols))
        first += planes_for(part, rows * cols)
    return _all(writers, first)


def _int_writer(part: Part, first: int, rows: int, cols: int) -> Writer:
    place, bits, area = part.place, part.bits, rows * cols

    @rule
    def write_int(position: Any, viewer: int, planes: Any) -> None:
        for bit in range(bits):
            planes[first + bit // area, bit % area // cols, bit % cols] = int(position[place] >> bit & 1)

    return write_int


def _array_writer(part: Part, first: int, rows: int, cols: int) -> Writer:
    place, bits, length, area = part.place, part.bits, part.length, rows * cols
    per_bit = -(-length // area)

    @rule
    def write_array(position: Any, viewer: int, planes: Any) -> None:
        numbers = position[place].flat
        for index in range(length):
            number = int(numbers[index])
            for bit in range(bits):
                plane = first + bit * per_bit + index // area
                planes[plane, index % area // cols, index % cols] = number >> bit & 1

    return write_array


def _all(writers: Sequence[Writer], last: int) -> Writer:
    """Return the rule that follows several, and fills the last plane with the number of the viewer."""
    writer, *more = writers
    others = _all(more, last) if more else None

    @rule
    def write_last(position: Any, viewer: int, planes: Any) -> None:
        writer(position, viewer, planes)
        planes[last] = viewer

    @rule
    def write_all(position: Any, viewer: int, planes: Any) -> None:
        writer(position, viewer, planes)
        others(position, viewer, planes)  # type: ignore[misc]

    return write_all if more else write_last
