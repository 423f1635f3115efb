"""Compiling engines with Numba, and keeping what was compiled between runs.

Engines are factories that close over a game's rule functions. Three things make the cache on disk work:

- the closure holds plain Python functions (marked by `rule`), never compiled ones: those pickle, so they can be part
  of the cache's key;
- the compiled function does not call itself;
- Numba looks only at the engine's own file for changes, so a changed rules file would be served stale. The cache's
  folder is therefore named after a hash of the sources; see engines/cache.py.
"""

from __future__ import annotations

import itertools
import re
import secrets
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any, cast

import numba
from numba.core.bytecode import FunctionIdentity
from numba.core.caching import FunctionCache
from numba.core.errors import ForceLiteralArg, NumbaError
from numba.extending import register_jitable

from connectoe.core.errors import BadGame
from connectoe.core.rules import Function, rules_to_register
from connectoe.engines.announcing import announce
from connectoe.engines.cache import cache_folder, foreign_modules, remove_unused
from connectoe.engines.interrupt import first_ctrl_c

# Numba numbers compiled functions from 1 in every process, and the number is all that tells apart functions of one
# name, such as the `play` of a game with different options. Code that two processes have kept would clash in a third,
# which might then call the wrong one (numba issue 10486). So every process counts from a place of its own.
FunctionIdentity._unique_ids = itertools.count(secrets.randbits(60))

FOR_PYTHON_ONLY: dict[str, Any] = {"no_cfunc_wrapper": True}
"""Nothing here is called from C: doing without what that would need saves a tenth of the time to compile."""


def compiled(function: Function) -> Function:
    """Return the function, compiled at its first call and kept on disk for the next run."""
    while rules_to_register:
        register_jitable(**FOR_PYTHON_ONLY)(rules_to_register.pop())
    dispatcher: Any = numba.njit(nogil=True, **FOR_PYTHON_ONLY)(function)
    dispatcher._cache = _cache_of(function) or dispatcher._cache
    dispatcher.compile = _announced(dispatcher)
    return cast(Function, dispatcher)


def _cache_of(function: Function) -> _Kept | None:
    """Return where the compiled function is kept; None if it cannot be kept.

    Where Numba cannot write to the folder it is given, it takes one beside the source, in which nothing tells that the
    rules have changed. That one is never used.
    """
    folder = cache_folder(foreign_modules([function]))
    if folder is None:
        return None
    remove_unused(folder)
    numba.config.CACHE_DIR = str(folder)  # type: ignore[attr-defined]
    try:
        kept = _Kept(function)
    except (OSError, RuntimeError):
        return None
    return kept if Path(kept.cache_path).is_relative_to(folder) else None


class _Kept(FunctionCache):
    """Numba's cache of a function, made safe for several programs at a time, full disks and damaged files."""

    def __init__(self, function: Function) -> None:
        super().__init__(function)  # type: ignore[no-untyped-call]
        # Numba numbers the files of a function from 1. Two programs that compile it for different options at the same
        # time would give both the same name, and one would run what was compiled for the other.
        self._cache_file._data_name_pattern = f"{self._impl.filename_base}.{secrets.token_hex(8)}.{{number:d}}.nbc"

    def save_overload(self, signature: Any, compiled_code: Any) -> None:
        with suppress(OSError):  # then it is good for this run
            super().save_overload(signature, compiled_code)  # type: ignore[no-untyped-call]

    def load_overload(self, signature: Any, context: Any) -> Any:
        try:
            return super().load_overload(signature, context)  # type: ignore[no-untyped-call]
        except Exception:  # whatever a damaged file may lead to, compiling again mends it
            with suppress(OSError):
                self.flush()  # type: ignore[no-untyped-call]
            return None


def _announced(dispatcher: Any) -> Callable[..., Any]:
    """Return what compiles a function, or loads it, at its first call.

    A wait is announced and not interrupted by Ctrl-C; a search that begins after it is neither announced nor kept from
    hearing Ctrl-C.
    """

    compile_it = dispatcher.compile

    def call(signature: Any) -> Any:
        if signature in dispatcher.overloads:  # Numba asks again where it does not know a type by its code
            return compile_it(signature)
        with first_ctrl_c() as pressed, announce("compiling the engine for this game; it is kept for the next time"):
            try:
                answer = compile_it(signature)
            except ForceLiteralArg:
                raise  # Numba's way to ask for another try
            except NumbaError as error:
                raise BadGame(why_not_compiled(str(error))) from error
        if pressed.is_set():
            raise KeyboardInterrupt
        return answer

    return call


def why_not_compiled(complaint: str) -> str:
    """Return Numba's complaint as a sentence; Numba says first where it was and last what is wrong."""
    *_, last = re.split(r"Failed in nopython mode pipeline \(step: [^)]*\)\s*", complaint)
    reason = last.strip().partition("\n")[0]
    unmarked = re.match(r"Untyped global name '(\w+)': Cannot determine Numba type of <class 'function'>", reason)
    if unmarked:
        reason = f"{unmarked[1]} is a function that is not marked with @rule"
    place = re.search(r'File "(?:[^"]*[/\\])?([^"/\\]+)", line (\d+)', last)
    where = f" (line {place[2]} of {place[1]})" if place else ""
    return f"the rules do not compile: {reason}{where}; docs/write-a-game.md tells what compiles"
