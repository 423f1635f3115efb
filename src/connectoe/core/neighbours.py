"""Files beside a game's file: a game of your own may import its neighbours, as `from shapes import lines`.

A neighbour is imported under a name of its own, so that two games may have neighbours of the same name, and a changed
neighbour is read again.
"""

from __future__ import annotations

import ast
import builtins
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any


def neighbours_of(file: Path) -> list[Path]:
    """Return the files beside a game's file that it imports, directly or indirectly, sorted by name.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     _ = (Path(folder) / "shapes.py").write_text("LINES = ()")
    ...     _ = (Path(folder) / "my_game.py").write_text("import math\\nfrom shapes import LINES")
    ...     [neighbour.name for neighbour in neighbours_of(Path(folder) / "my_game.py")]
    ['shapes.py']
    """
    found: set[Path] = set()
    to_visit = [file]
    while to_visit:
        new = {path for name in _imported(to_visit.pop()) if (path := neighbour(file.parent, name)) and path != file}
        to_visit += new - found
        found |= new
    return sorted(found)


def neighbour(folder: Path, name: str) -> Path | None:
    """Return the file in a folder that a module of that name is in; modules of Python itself are never there."""
    path = folder / f"{name}.py"
    return path if name.isidentifier() and name not in sys.stdlib_module_names and path.is_file() else None


def _imported(file: Path) -> Iterator[str]:
    """Yield the names of the modules that a file imports; none if it cannot be read, which importing it will report."""
    with suppress(OSError, SyntaxError, ValueError):
        for node in ast.walk(ast.parse(file.read_bytes())):
            if isinstance(node, ast.Import):
                yield from (name.name for name in node.names)
            elif isinstance(node, ast.ImportFrom) and node.level <= 1:
                yield from [node.module] if node.module else [name.name for name in node.names]


def run(module: ModuleType, code: bytes, file: Path, load: Callable[[Path], ModuleType]) -> None:
    """Run the code of a file as this module; what it imports from beside it is loaded by `load`."""

    def import_(
        name: str, given: Any = None, local: Any = None, wanted: Sequence[str] = (), level: int = 0
    ) -> ModuleType | SimpleNamespace:
        if level == 1 and not name:  # from . import shapes
            beside = {each: path for each in wanted if (path := neighbour(file.parent, each))}
            if len(beside) == len(wanted):
                return SimpleNamespace(**{each: load(path) for each, path in beside.items()})
        path = neighbour(file.parent, name) if level <= 1 else None
        return load(path) if path and path != file else builtins.__import__(name, given, local, wanted, level)

    vars(module)["__builtins__"] = {**vars(builtins), "__import__": import_}
    exec(compile(code, str(file), "exec"), vars(module))  # noqa: S102 - the game that the user named # nosec
