"""A hash of the rules of a game, so that nothing made for other rules is ever used."""

from __future__ import annotations

import hashlib
from functools import lru_cache
from types import CodeType, FunctionType
from typing import Any

import numpy as np

from connectoe.core.game import Game
from connectoe.engines.cache import names_in


@lru_cache(maxsize=256)
def rules_fingerprint(game: Game) -> str:
    """Return a hash of all that the rules consist of: their bytecode, all that it calls, and all constants.

    So a table is never used for rules that have changed since; a reworded docstring does not count. Another version of
    Python compiles functions differently, and makes its own tables.
    """
    rules = game.rules
    digest = hashlib.sha256()
    walked: list[Any] = []

    def walk(thing: Any) -> None:
        digest.update(f"{type(thing).__name__}(".encode())
        if isinstance(thing, tuple | list):
            for part in thing:
                walk(part)
        elif isinstance(thing, frozenset | set):
            digest.update(repr(sorted(map(repr, thing))).encode())
        elif isinstance(thing, CodeType):
            walk((thing.co_code, thing.co_names, thing.co_varnames, thing.co_freevars, thing.co_consts))
        elif isinstance(thing, FunctionType):
            walk_function(thing)
        elif isinstance(thing, type):
            digest.update(f"{thing.__qualname__}{getattr(thing, '_fields', '')}".encode())
        elif isinstance(thing, np.ndarray):
            digest.update(f"{thing.dtype}{thing.shape}".encode() + thing.tobytes())
        else:
            digest.update(repr(thing).encode())
        digest.update(b")")

    def walk_function(function: FunctionType) -> None:
        if any(function is known for known in walked):
            digest.update(f"number {walked.index(function)}".encode())
            return
        walked.append(function)
        walk((_without_docstring(function), function.__defaults__))
        walk([cell.cell_contents for cell in function.__closure__ or ()])
        for name in sorted(names_in(function.__code__) & function.__globals__.keys()):
            walk((name, function.__globals__[name]))

    walk((rules.start, rules.legal_moves, rules.play, rules.outcome, rules.player))
    walk((rules.pack, rules.unpack, rules.mirrors))
    return digest.hexdigest()


def _without_docstring(function: FunctionType) -> CodeType:
    code = function.__code__
    has_docstring = function.__doc__ is not None and code.co_consts[:1] == (function.__doc__,)
    return code.replace(co_consts=(None, *code.co_consts[1:])) if has_docstring else code
