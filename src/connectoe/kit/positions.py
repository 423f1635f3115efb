"""Positions of recipes: NamedTuples of ints, made from the names of their fields.

Compiled code is kept on disk by the names of the types it works on, so a type must be found under its name in every
process. This module makes a type when it is first asked for: `positions.own__other__turn`, or, for wide boards, on
which the first two fields take four words, `positions.own__other__turn__2x4`.
"""

from __future__ import annotations

import re
from collections import namedtuple
from typing import Any

from connectoe.core.wide import FITTING, wide_class, words_for

BETWEEN = "__"


def position_type(fields: tuple[str, ...], masks: int = 0, bits: int = 0) -> type[Any]:
    """Return the NamedTuple with these fields, the same one each time; the first ones are masks of so many bits.

    >>> position_type(("own", "other", "turn"))(1, 2, 0)
    own__other__turn(own=1, other=2, turn=0)
    >>> position_type(("own", "other", "turn"), 2, 72)(1 << 71, 0, 0).own == 1 << 71
    True
    """
    return _type(fields, masks, 1 if bits <= FITTING else words_for(bits))


def _type(fields: tuple[str, ...], masks: int, words: int) -> type[Any]:
    """Return the NamedTuple whose first fields take this many words."""
    name = BETWEEN.join(fields)
    if words > 1:
        name += f"{BETWEEN}{masks}x{words}"
    if name not in globals():
        globals()[name] = (
            namedtuple(name, fields, module=__name__)
            if words == 1
            else wide_class(_type(fields, 0, 1), name, words, fields[:masks])
        )
    made: type[Any] = globals()[name]
    return made


def __getattr__(name: str) -> type[Any]:
    *fields, last = name.split(BETWEEN)
    size = re.fullmatch("([1-9][0-9]?)x([2-5])", last)
    names = (*fields, *([] if size else [last]))
    if name.startswith("_") or not all(field.isidentifier() for field in names) or names[-1:] != ("turn",):
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return _type(names, int(size[1]), int(size[2])) if size else _type(names, 0, 1)
