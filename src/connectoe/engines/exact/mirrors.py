"""Mirror images: positions that mirror each other have the same value, so one stands for all."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from connectoe.core.rules import Rules, rule


def smallest_image(rules: Rules) -> Callable[[Any], int]:
    """Return a rule that packs the position or that mirror image of it which makes the smallest int."""
    pack: Any = rules.pack

    @rule
    def packed(position: Any) -> int:
        return pack(position)  # type: ignore[no-any-return]

    smallest: Callable[[Any], int] = packed
    for mirror in rules.mirrors:
        smallest = _smaller(smallest, mirror, pack)
    return smallest


def _smaller(so_far: Any, mirror: Any, pack: Any) -> Callable[[Any], int]:
    @rule
    def smaller(position: Any) -> int:
        return min(so_far(position), pack(mirror(position)))  # type: ignore[no-any-return]

    return smaller


def image_count(rules: Rules) -> Callable[[Any, int], int]:
    """Return a rule that says how many different positions the mirrors make of a position, itself included."""
    pack: Any = rules.pack
    all_ways = 1 + len(rules.mirrors)

    @rule
    def only_itself(position: Any, key: int) -> int:
        return 1

    unchanged: Any = only_itself
    for mirror in rules.mirrors:
        unchanged = _counting_equals(unchanged, mirror, pack)

    @rule
    def images(position: Any, key: int) -> int:
        # The number of symmetries that leave a position unchanged divides the number of all (Lagrange's theorem).
        return all_ways // unchanged(position, key)  # type: ignore[no-any-return]

    return images


def _counting_equals(so_far: Any, mirror: Any, pack: Any) -> Callable[[Any, int], int]:
    @rule
    def counting(position: Any, key: int) -> int:
        return so_far(position, key) + (1 if pack(mirror(position)) == key else 0)  # type: ignore[no-any-return]

    return counting
