"""Many positions, each kept as the int that its game packs it into, and found again by hashing."""

from __future__ import annotations

import math
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from connectoe.core.errors import ConnectoeError
from connectoe.core.rules import rule
from connectoe.engines.compiling import compiled

Array = NDArray[Any]

FULLEST = 0.6
"""The share of the hash table's slots that may be used."""


class TooLarge(ConnectoeError):
    """A game with more positions than there may be.

    >>> raise TooLarge("there are too many positions")
    Traceback (most recent call last):
    connectoe.engines.exact.positions.TooLarge: there are too many positions
    """


class Positions:
    """A growing list of packed positions that finds each of them by hashing.

    >>> positions = Positions(most=100)
    >>> positions.add(7)
    >>> positions.count, int(positions.keys[0])
    (1, 7)
    """

    def __init__(self, most: int, expected: int = 0) -> None:
        self.most = most
        self.count = 0
        self.keys: Array = np.empty(max(1 << 12, min(expected + expected // 10, most)), np.int64)
        self.slots: Array = np.zeros(1 << math.ceil(math.log2(len(self.keys) / FULLEST)), np.uint32)
        self.largest = self.memory

    @property
    def memory(self) -> int:
        """The bytes it takes."""
        return int(self.keys.nbytes + self.slots.nbytes)

    def add(self, key: int) -> None:
        """Add the first position."""
        self.keys[0] = key
        self.count = 1
        fill_slots(self.keys, self.count, self.slots)

    def check(self) -> None:
        """Raise TooLarge if there are more positions than allowed."""
        if self.count > self.most:
            raise TooLarge(f"there are more than {self.most:,} positions up to mirror images, too many to solve")

    def grow(self, room: int) -> None:
        """Make room for at least `room` more positions."""
        self.check()
        if self.count + room > len(self.keys):
            longer = np.empty(len(self.keys) + max(len(self.keys) // 2, room), np.int64)
            longer[: self.count] = self.keys[: self.count]
            self.largest = max(self.largest, self.memory + longer.nbytes)
            self.keys = longer
        if self.count + room > FULLEST * len(self.slots):
            size = len(self.slots)
            while self.count + room > FULLEST * size:
                size *= 2
            self.slots = np.empty(0, np.uint32)  # frees the old ones before the new ones are made
            self.slots = np.zeros(size, np.uint32)
            fill_slots(self.keys, self.count, self.slots)
        self.largest = max(self.largest, self.memory)


@rule
def slot_of(key: int, keys: Array, slots: Array) -> int:
    """Return the slot that leads to a position in the list of keys, or the empty slot where it belongs."""
    mixed = np.uint64(key) * np.uint64(0x9E3779B97F4A7C15)
    mixed ^= mixed >> np.uint64(32)
    last = len(slots) - 1
    slot: Any = np.int64(mixed & np.uint64(last))
    while slots[slot] != 0 and keys[np.int64(slots[slot]) - 1] != key:
        slot = slot + 1 & last
    return slot  # type: ignore[no-any-return]


def _fill_slots(keys: Array, count: int, slots: Array) -> None:
    for at in range(count):
        slots[slot_of(keys[at], keys, slots)] = at + 1


def fill_slots(keys: Array, count: int, slots: Array) -> None:
    """Make the empty slots lead to the first `count` keys."""
    _compiled_fill_slots()(keys, count, slots)


@lru_cache(maxsize=1)
def _compiled_fill_slots() -> Any:
    return compiled(_fill_slots)
