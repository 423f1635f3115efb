"""Ints of more than 62 bits in rules, for boards that do not fit into one machine word.

Python's ints have any size, compiled ones have 64 bits. Rules for a wide board are written like all others; they say
only where wide ints come from: `sized` makes constants, and `widened` a class of positions. Compiled code then keeps
such an int in several words; see `engines/wide_ints.py`. For boards that fit, both leave everything as it is.
"""

from __future__ import annotations

import sys
from typing import ClassVar, Self, TypeVar

Position = TypeVar("Position")

FITTING = 62
"""The bits that an int of a compiled rule may have without being wide."""
TWO_WORDS = 126
"""The bits that a wide int of two words may have, where two are left over for sums and carries."""


class WideConstant(int):
    """A constant of a rule that compiled code keeps in several words; to Python it is an int like others."""

    words: int

    def __new__(cls, value: int, words: int) -> Self:
        """Return the int, which takes this many words of 64 bits."""
        made = super().__new__(cls, value)
        made.words = words
        return made

    def __reduce__(self) -> tuple[type[Self], tuple[int, int]]:
        """Return what pickle and copy need to make a copy."""
        return type(self), (int(self), self.words)


class WidePosition:
    """A base of positions some of whose fields are wide ints."""

    __slots__ = ()
    wide_fields: ClassVar[tuple[str, ...]] = ()
    words: ClassVar[int] = 1
    """The words of 64 bits that each of these fields takes."""


def bit_count(mask: int) -> int:
    """Return how many bits of a wide int are set; compiled code has an instruction of its own for it.

    >>> bit_count(1 << 100 | 1)
    2
    """
    return mask.bit_count()


def lowest_set_bit(mask: int) -> int:
    """Return the number of the lowest bit in a wide int that is not 0, as `bit_count` is.

    >>> lowest_set_bit(0b11 << 100)
    100
    """
    return (mask & -mask).bit_length() - 1


def words_for(bits: int) -> int:
    """Return the words of 64 bits for ints of this size, where two bits are left over for sums and carries.

    >>> words_for(72), words_for(272)
    (2, 5)
    """
    return (bits + 2 + 63) // 64


def sized(value: int, bits: int) -> int:
    """Return a constant for use with ints of this many bits; the int itself where these fit into one word.

    >>> type(sized(1, 49)).__name__, type(sized(1, 72)).__name__, sized(1, 72) << 71 == 1 << 71
    ('int', 'WideConstant', True)
    """
    return value if bits <= FITTING else WideConstant(value, words_for(bits))


def widened(position_class: type[Position], bits: int, *fields: str) -> type[Position]:
    """Return the class of positions whose given fields have this many bits; the class itself where these fit.

    >>> from connectoe.games.connect_four.rules import Position
    >>> widened(Position, 49, "own", "other") is Position
    True
    >>> widened(Position, 72, "own", "other")(1 << 71, 0, 0).own == 1 << 71
    True
    """
    if bits <= FITTING:
        return position_class
    # One class for each number of words, in the module of the narrow one, where cached code looks it up by name.
    words = words_for(bits)
    name, home = f"{position_class.__name__}Of{words}Words", sys.modules[position_class.__module__]
    if not hasattr(home, name):
        setattr(home, name, wide_class(position_class, name, words, fields))
    made: type[Position] = getattr(home, name)
    return made


def wide_class(position_class: type[Position], name: str, words: int, fields: tuple[str, ...]) -> type[Position]:
    """Return a class of positions like another one, some of whose fields take this many words."""
    module = position_class.__module__
    attributes = {"__slots__": (), "__module__": module, "wide_fields": fields, "words": words}
    return type(name, (WidePosition, position_class), attributes)
