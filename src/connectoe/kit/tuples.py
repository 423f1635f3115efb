"""Rules on tuples of ints: each function here makes a rule for certain places of a tuple.

A compiled function can index a tuple only by constants. So the places are fixed when a rule is made, and rules for
several places are put together two by two.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import reduce
from typing import Any

from connectoe.core.rules import rule

Rule = Callable[..., Any]
Fields = tuple[int, ...]


def union(places: Sequence[int]) -> Rule:
    """Return the rule that joins the masks at these places.

    >>> union([0, 2])((0b001, 0b010, 0b100))
    5
    """
    if not places:

        @rule
        def nothing(fields: Fields) -> int:
            return 0

        return nothing
    first, *rest = places
    if not rest:

        @rule
        def one(fields: Fields) -> int:
            return fields[first]

        return one
    others = union(rest)

    @rule
    def joined(fields: Fields) -> int:
        return fields[first] | others(fields)

    return joined


def replaced(place: int) -> Rule:
    """Return the rule that puts a value at this place.

    >>> replaced(1)((5, 6, 7), 0)
    (5, 0, 7)
    """
    after = place + 1

    @rule
    def with_value(fields: Fields, value: int) -> Fields:
        return fields[:place] + (value,) + fields[after:]  # noqa: RUF005 (stars do not compile here)

    return with_value


def swapped(place: int) -> Rule:
    """Return the rule that swaps the value at this place with the next.

    >>> swapped(0)((5, 6, 7))
    (6, 5, 7)
    """
    following, rest = place + 1, place + 2

    @rule
    def with_swap(fields: Fields) -> Fields:
        return fields[:place] + (fields[following], fields[place]) + fields[rest:]  # noqa: RUF005

    return with_swap


def mapped(change: Rule, places: Sequence[int]) -> Rule:
    """Return the rule that changes the values at these places, each by itself, given one more number.

    >>> mapped(lambda value, factor: factor * value, [0, 1])((5, 6, 7), 10)
    (50, 60, 7)
    """
    first, *rest = places
    put = replaced(first)

    @rule
    def changed(fields: Fields, number: int) -> Fields:
        return put(fields, change(fields[first], number))

    if not rest:
        return changed
    others = mapped(change, rest)

    @rule
    def all_changed(fields: Fields, number: int) -> Fields:
        return others(changed(fields, number), number)

    return all_changed


def in_turn(steps: Sequence[Rule]) -> Rule:
    """Return the rule that applies rules of one argument, one after the other.

    >>> in_turn([lambda number: number + 1, lambda number: number * 2])(5)
    12
    """
    if not steps:

        @rule
        def unchanged(fields: Any) -> Any:
            return fields

        return unchanged
    return reduce(_then, steps)


def _then(first: Rule, second: Rule) -> Rule:
    @rule
    def both(fields: Any) -> Any:
        return second(first(fields))

    return both


def results(rules: Sequence[Rule]) -> Rule:
    """Return the rule whose result is the tuple of the results of these rules.

    >>> results([abs, bool])(-3)
    (3, True)
    """
    first, *rest = rules

    @rule
    def one(argument: Any) -> Any:
        return (first(argument),)

    if not rest:
        return one
    others = results(rest)

    @rule
    def several(argument: Any) -> Any:
        return one(argument) + others(argument)

    return several
