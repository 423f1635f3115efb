"""What a Python error in a game's file most likely means: a name that is not imported, a call with wrong arguments."""

from __future__ import annotations

import ast
import inspect
import re
import sys
from collections.abc import Iterator
from contextlib import suppress
from difflib import get_close_matches
from pathlib import Path
from types import ModuleType


def in_words(error: BaseException, file: Path, module: ModuleType | None = None) -> str:
    """Return an error of Python's with its kind, and what to do about it where that is clear.

    >>> in_words(NameError("name 'x' is not defined", name="x"), Path("none.py"))
    "NameError: name 'x' is not defined"
    """
    hint = ""
    if isinstance(error, NameError) and error.name:
        hint = _about_name(error.name, file, module)
    elif isinstance(error, TypeError):
        hint = _about_call(str(error), module)
    return f"{type(error).__name__}: {error}{hint}"


def _about_name(name: str, file: Path, module: ModuleType | None) -> str:
    """Return where a name can be imported from, or which known name is nearly the same."""
    known = set(vars(module)) if module else set()
    for source in _imported_from(file):
        offered = getattr(sys.modules.get(source), "__all__", ())
        if name in offered:
            return f"; add it to what is imported: from {source} import {name}"
        known.update(offered)
    close = get_close_matches(name, sorted(each for each in known if not each.startswith("__")), n=1, cutoff=0.7)
    return f"; did you mean {close[0]!r}?" if close else ""


def _imported_from(file: Path) -> Iterator[str]:
    with suppress(OSError, SyntaxError, ValueError):
        for node in ast.walk(ast.parse(file.read_bytes())):
            if isinstance(node, ast.ImportFrom) and node.module and not node.level:
                yield node.module


def _about_call(message: str, module: ModuleType | None) -> str:
    """Return the name of what was called with wrong arguments."""
    found = re.match(r"(\w+)(?:\.__init__)?\(\) (?:missing|got|takes) ", message)
    called = getattr(module, found[1], None) if found and module else None
    with suppress(TypeError, ValueError):
        if called is not None:
            given = [
                each.name if each.default is each.empty else f"{each.name}={each.default!r}"
                for each in inspect.signature(called).parameters.values()
            ]
            return f"; it is written {called.__name__}({', '.join(given)})"
    return ""
