"""Positions of recipes: NamedTuples of ints, made from the names of their fields.

Compiled code is kept on disk by the names of the types it works on, so a type must be found under its name in every
process. This module makes a type when it is first asked for: `positions.own__other__turn`.
"""

from __future__ import annotations

from collections import namedtuple
from typing import Any

BETWEEN = "__"


def position_type(fields: tuple[str, ...]) -> type[Any]:
    """Return the NamedTuple with these fields, the same one each time.

    >>> position_type(("own", "other", "turn"))(1, 2, 0)
    own__other__turn(own=1, other=2, turn=0)
    """
    name = BETWEEN.join(fields)
    if name not in globals():
        globals()[name] = namedtuple(name, fields, module=__name__)
    made: type[Any] = globals()[name]
    return made


def __getattr__(name: str) -> type[Any]:
    fields = tuple(name.split(BETWEEN))
    if name.startswith("_") or not all(field.isidentifier() for field in fields) or fields[-1] != "turn":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return position_type(fields)
