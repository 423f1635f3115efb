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
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Event, Thread
from typing import Any, cast

import numba
from numba.core.bytecode import FunctionIdentity
from numba.core.caching import FunctionCache
from numba.core.errors import ForceLiteralArg, NumbaError
from numba.extending import register_jitable

from connectoe.engines.cache import cache_folder, remove_unused
from connectoe.engines.interrupt import first_ctrl_c
from connectoe.errors import BadGame
from connectoe.game import Function, rules_to_register
from connectoe.screen import is_screen, status_line

# Numba numbers compiled functions from 1 in every process, and the number is all that tells apart functions of one
# name, such as the `play` of a game with different options. Code that two processes have kept would clash in a third,
# which might then call the wrong one (numba issue 10486). So every process counts from a place of its own.
FunctionIdentity._unique_ids = itertools.count(secrets.randbits(60))

PACKAGE = "connectoe."
FOR_PYTHON_ONLY: dict[str, Any] = {"no_cfunc_wrapper": True}
"""Nothing here is called from C: doing without what that would need saves a tenth of the time to compile."""
known_modules: set[str] = set()
"""The modules whose rules the compiler has been told of."""


def compiled(function: Function) -> Function:
    """The function, compiled at its first call and kept on disk for the next run.

    >>> from connectoe.board import bit
    >>> compiled(bit)(1, 0, 6)
    128
    """
    while rules_to_register:
        told = rules_to_register.pop()
        register_jitable(**FOR_PYTHON_ONLY)(told)
        known_modules.add(told.__module__)
    dispatcher: Any = numba.njit(nogil=True, **FOR_PYTHON_ONLY)(function)
    dispatcher._cache = _cache_of(function) or dispatcher._cache
    dispatcher.compile = _announced(dispatcher)
    return cast(Function, dispatcher)


def _cache_of(function: Function) -> _Kept | None:
    """Where the compiled function is kept; None if it cannot be.

    Where Numba cannot write to the folder it is given, it takes one beside the source, in which nothing tells that the
    rules have changed. That one is never used.
    """
    folder = cache_folder(_foreign_modules(function))
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
    """What compiles a function, or loads it, at its first call; it says so, on a terminal, if it keeps people waiting,
    and is not disturbed by Ctrl-C. A search that begins after it is neither announced nor kept from hearing."""

    compile_it = dispatcher.compile

    def call(signature: Any) -> Any:
        if signature in dispatcher.overloads:  # Numba asks again where it does not know a type by its code
            return compile_it(signature)
        with first_ctrl_c() as pressed, spinner("compiling the engine for this game; it is kept for the next time"):
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
    """What Numba complains of, in a sentence; it says first where it was and last what is wrong.

    >>> print(why_not_compiled('Failed in nopython mode pipeline (step: x) No such thing File "g/mine.py", line 49'))
    the rules do not compile: No such thing ... (line 49 of mine.py); what compiles is said in CONTRIBUTING.md, ...
    """
    *_, last = re.split(r"Failed in nopython mode pipeline \(step: [^)]*\)\s*", complaint)
    reason = last.strip().partition("\n")[0]
    unmarked = re.match(r"Untyped global name '(\w+)': Cannot determine Numba type of <class 'function'>", reason)
    if unmarked:
        reason = f"{unmarked[1]} is a function that is not marked with @rule"
    place = re.search(r'File "(?:[^"]*[/\\])?([^"/\\]+)", line (\d+)', last)
    where = f" (line {place[2]} of {place[1]})" if place else ""
    return f"the rules do not compile: {reason}{where}; what compiles is said in CONTRIBUTING.md, 'Rules that compile'"


WAIT = 1.0
"""Seconds before a spinner shows itself."""


@contextmanager
def spinner(doing: str) -> Iterator[None]:
    """Shows a spinner on standard error while something takes longer than a second, if a person is looking.

    >>> with spinner("adding up"):
    ...     sum(range(10))
    45
    """
    if not sys.stderr.isatty():
        yield
        return
    done = Event()

    def spin() -> None:
        if done.wait(WAIT):
            return
        if not is_screen(sys.stderr):
            print(doing, file=sys.stderr)
            return
        for sign in itertools.cycle("⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏"):
            status_line(f"{sign} {doing}")
            if done.wait(0.1):
                break
        status_line("")

    thread = Thread(target=spin, daemon=True)
    thread.start()
    try:
        yield
    finally:
        done.set()
        thread.join()


def _foreign_modules(function: Function) -> tuple[str, ...]:
    """The modules outside this package that the function's rules may come from; none for the package's own games."""
    held = [cell.cell_contents for cell in function.__closure__ or ()]
    homes = {getattr(thing, "__module__", PACKAGE) or PACKAGE for thing in held if callable(thing)}
    if all(home.startswith(PACKAGE) for home in homes):
        return ()
    return tuple(sorted(home for home in known_modules if not home.startswith(PACKAGE)))
