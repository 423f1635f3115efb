"""Hashes of positions, by which a search finds them again."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from connectoe.core.rules import Rules, rule
from connectoe.core.wide import WidePosition


@rule
def mixed(key: int, field: int) -> int:
    """Return a hash with one more field mixed in: multiply, fold the high bits onto the low. For compiled code, whose
    ints wrap.
    """
    key = (key ^ field) * -0x61C8864680B583EB  # 2**64 / golden ratio, as a signed int
    return key ^ (key >> 32 & 0xFFFFFFFF)


def hash_rule(rules: Rules) -> Callable[[Any], int]:
    """Return the rule for a position's hash, from its packed int if there is one, else from its fields."""
    pack = rules.pack
    if pack:

        @rule
        def of_packed(position: Any) -> int:
            return mixed(mixed(0, pack(position)), 1)

        return of_packed

    if isinstance(rules.start, WidePosition):
        wide = [name in rules.start.wide_fields for name in rules.start._fields]  # type: ignore[attr-defined]
        of_fields = _of_wide_fields(wide, rules.start.words)

        @rule
        def of_words(position: Any) -> int:
            return mixed(of_fields(position), 1)

        return of_words

    @rule
    def of_ints(position: Any) -> int:
        key = 0
        for index in range(len(position)):
            key = mixed(key, position[index])
        return mixed(key, 1)

    return of_ints


def _of_wide_fields(wide: Sequence[bool], words: int) -> Callable[[Any], int]:
    """Return the rule for the hash of the first fields; compiled code finds fields of different types only one by
    one."""
    *before, is_wide = wide
    place = len(before)
    if not before:

        @rule
        def nothing(position: Any) -> int:
            return 0

        others: Callable[[Any], int] = nothing
    else:
        others = _of_wide_fields(before, words)

    if not is_wide:

        @rule
        def with_int(position: Any) -> int:
            return mixed(others(position), position[place])

        return with_int

    @rule
    def with_words(position: Any) -> int:
        key, field = others(position), position[place]
        for _ in range(words + 1):
            key = mixed(key, int(field & 0xFFFFFFFFFFFFFFF))
            field >>= 60
        return key

    return with_words
