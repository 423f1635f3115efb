"""Compiling engines with Numba, and keeping what was compiled between runs.

Engines are factories that close over a game's rule functions. Three things make the cache on disk work:

- the closure holds plain Python functions (marked by `rule`), never compiled ones: those pickle, so they can be part
  of the cache's key;
- the compiled function does not call itself;
- Numba looks only at the engine's own file for changes, so a changed rules file would be served stale. The cache's
  folder is therefore named after a hash of the sources; see engines/cache.py.
"""

from __future__ import annotations

import gc
import hashlib
import itertools
import logging
import pickle
import secrets
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any, cast

import numba
from numba.core.bytecode import FunctionIdentity
from numba.core.caching import FunctionCache
from numba.core.compiler import CompileResult
from numba.core.errors import ForceLiteralArg, NumbaError, UnsupportedBytecodeError
from numba.core.serialize import dumps
from numba.extending import register_jitable

from connectoe.core.rules import Function, rules_to_register
from connectoe.engines import wide_ints as wide_ints  # what compiled rules of wide boards need
from connectoe.engines.announcing import announce
from connectoe.engines.cache import cache_folder, foreign_modules, keep_within_bounds, remove_unused
from connectoe.engines.cache_files import BadFile, note_use, read_checked, write_checked
from connectoe.engines.interrupt import first_ctrl_c
from connectoe.engines.refusals import NotCompiled, refusal_of

log = logging.getLogger("connectoe")
PROGRAMS = (sys.version, numba.__version__)
"""What compiled code depends on, beside the sources."""

# Numba numbers compiled functions from 1 in every process, and the number is all that tells apart functions of one
# name, such as the `play` of a game with different options. Code that two processes have kept would clash in a third,
# which might then call the wrong one (numba issue 10486). So every process counts from a place of its own.
FunctionIdentity._unique_ids = itertools.count(secrets.randbits(60))

NOT_COMPILED = (NumbaError, UnsupportedBytecodeError, TypeError, NotImplementedError, AssertionError)
"""What Numba raises where it refuses to compile something."""

FOR_PYTHON_ONLY: dict[str, Any] = {"no_cfunc_wrapper": True}
"""Nothing here is called from C: leaving out the wrapper for it saves a tenth of the time to compile."""


def compiled(function: Function) -> Function:
    """Return the function, compiled at its first call and kept on disk for the next run."""
    while rules_to_register:
        register_jitable(**FOR_PYTHON_ONLY)(rules_to_register.pop())
    dispatcher: Any = numba.njit(nogil=True, **FOR_PYTHON_ONLY)(function)
    dispatcher._cache = _cache_of(function) or dispatcher._cache
    dispatcher.compile = _announced(dispatcher)
    return cast(Function, dispatcher)


def _cache_of(function: Function) -> _Kept | None:
    """Return the cache of the compiled function; None if it cannot be cached."""
    folder = cache_folder(foreign_modules([function]))
    if folder is None:
        return None
    remove_unused(folder)
    return _Kept(function, folder)


class _Kept(FunctionCache):
    """The compiled code of a function, one file for each choice of options and types.

    Numba's own cache trusts any file, and keeps an index that two programs cannot write at the same time.
    """

    def __init__(self, function: Function, folder: Path) -> None:
        self._py_func = function
        self._folder = folder

    @property
    def cache_path(self) -> str:
        """The folder."""
        return str(self._folder)

    def flush(self) -> None:
        """Numba calls this before it compiles a function again; the file is replaced then."""

    def save_overload(self, signature: Any, compiled_code: Any) -> None:
        """Write the code to its file; if that fails, it is used in this run only."""
        if compiled_code.library.has_dynamic_globals or any(not part.can_cache for part in compiled_code.lifted):
            return
        key = self._index_key(signature, compiled_code.codegen)  # type: ignore[no-untyped-call]
        content = dumps((key, compiled_code._reduce()))  # type: ignore[no-untyped-call]
        path = self._path(key)
        note_use(path)  # also if it cannot be written: then it is not ready for other programs
        try:
            write_checked(path, content)
            keep_within_bounds()
        except OSError as error:
            _tell(self._folder, "cannot be written to (%s): what is compiled is kept in memory", error.strerror)

    def load_overload(self, signature: Any, context: Any) -> Any:
        """Return the code in its file; None if there is none, or it cannot be trusted."""
        context.refresh()
        key = self._index_key(signature, context.codegen())  # type: ignore[no-untyped-call]
        path = self._path(key)
        try:
            kept_key, parts = pickle.loads(read_checked(path))  # noqa: S301 (our own, checked) # nosec B301
            return CompileResult._rebuild(context, *parts) if kept_key == key else None  # type: ignore[no-untyped-call]
        except FileNotFoundError:
            return None
        except OSError as error:
            _tell(self._folder, "cannot be read (%s): engines are compiled again", error.strerror)
        except BadFile as problem:
            log.warning("%s is compiled again: %s", path, problem)
        except Exception:  # made by another version of something; compiling again repairs it
            log.warning("%s is compiled again: it does not fit this program", path)
        return None

    def _path(self, key: tuple[Any, ...]) -> Path:
        signature, *rest = key
        exactly = (self._py_func.__module__, self._py_func.__qualname__, str(signature), *rest, *PROGRAMS)
        name = self._py_func.__qualname__.replace(".<locals>", "")
        return self._folder / f"{name}-{hashlib.sha256(repr(exactly).encode()).hexdigest()[:32]}.code"


@cache
def _tell(folder: Path, what: str, reason: str) -> None:
    """Log once what is wrong with a folder."""
    log.warning(f"the folder {folder} {what}", reason)


def _announced(dispatcher: Any) -> Callable[..., Any]:
    """Return a function that compiles or loads the dispatcher's function at its first call.

    The wait is announced, and Ctrl-C takes effect after it. The search that follows is neither announced nor protected
    from Ctrl-C.
    """

    compile_it = dispatcher.compile

    def call(signature: Any) -> Any:
        if signature in dispatcher.overloads:  # Numba asks again where it does not know a type by its code
            return compile_it(signature)
        what = "compiling the engine for this game; it is kept for the next time"
        with first_ctrl_c() as pressed, announce(what), without_garbage_collection():
            try:
                answer = compile_it(signature)
            except ForceLiteralArg:
                raise  # Numba's way to ask for another try
            except NOT_COMPILED as error:
                raise NotCompiled(refusal_of(error)) from error
        if pressed.is_set():
            raise KeyboardInterrupt
        return answer

    return call


@contextmanager
def without_garbage_collection() -> Iterator[None]:
    """Leave garbage for later: Numba makes many objects that stay alive, and looking through them takes a tenth of its
    time.
    """
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


def try_to_compile(function: Callable[..., Any], *arguments: Any) -> None:
    """Compile a rule for these arguments, or raise NotCompiled with what Numba refuses; nothing is kept."""
    while rules_to_register:
        register_jitable(**FOR_PYTHON_ONLY)(rules_to_register.pop())
    try:
        with without_garbage_collection():
            kinds = tuple(numba.typeof(argument) for argument in arguments)  # type: ignore[no-untyped-call]
            numba.njit(**FOR_PYTHON_ONLY)(function).compile(kinds)
    except NOT_COMPILED as error:
        raise NotCompiled(refusal_of(error)) from error
