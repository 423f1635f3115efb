"""How the package is built: which module may import which, and what a module may know."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import connectoe
from connectoe.core.catalogue import game_class, game_ids
from connectoe.core.game import is_built_in

SOURCES = Path(connectoe.__file__).parent
ROOMS = ("games", "engines/exact")
"""Where games may be named: their own rooms, and the exact solvers."""
BUILT_IN = [found for found in map(game_class, game_ids()) if is_built_in(found)]
SOLVERS_OF_ONE_GAME = {f"connectoe.engines.exact.{game.id.replace('-', '_')}" for game in BUILT_IN}
COMMON_WORDS = {"rows", "cols", "both", "marks", "connect", "discs", "bombs", "drop", "stuck"}
"""Options whose names also mean something else; the others tell that a module knows a game."""


def modules_outside_the_rooms() -> list[Path]:
    found = [file.relative_to(SOURCES) for file in SOURCES.rglob("*.py")]
    return [file for file in found if not any(file.is_relative_to(room) for room in ROOMS)]


def names_of_games(file: Path) -> Iterator[str]:
    """The places where a module names a built-in game, its module or option; examples in documentation do not count."""
    ids = {game.id for game in BUILT_IN}
    classes = {game.__name__ for game in BUILT_IN}
    telling = ids | {option.name for game in BUILT_IN for option in game.option_list} - COMMON_WORDS
    tree = ast.parse((SOURCES / file).read_text())
    examples = {
        id(part)
        for node in ast.walk(tree)
        if isinstance(node, ast.keyword) and node.arg == "examples"
        for part in ast.walk(node)
    }
    for node in ast.walk(tree):
        match node:
            case _ if id(node) in examples:
                continue
            case ast.Constant(value=str(text)) if text in telling:
                found = text
            case ast.Attribute(attr=name) if name in telling | classes:
                found = name
            case ast.Name(id=name) if name in classes:
                found = name
            case ast.keyword(arg=str(name)) if name in telling:
                found = name
            case ast.ImportFrom(module=str(name)) if name.startswith("connectoe.games") or name in SOLVERS_OF_ONE_GAME:
                found = name
            case ast.Import(names=names) if any(name.name.startswith("connectoe.games") for name in names):
                found = "import connectoe.games"
            case _:
                continue
        yield f"{file}:{getattr(node, 'lineno', '?')}: {found}"


def test_no_module_outside_the_games_names_a_game() -> None:
    assert [place for file in modules_outside_the_rooms() for place in names_of_games(file)] == []


def test_a_module_that_names_a_game_would_be_found() -> None:
    assert any("c4-twist" in place for place in names_of_games(Path("engines/exact/c4_twist.py")))
    assert any("connectoe.games" in place for place in names_of_games(Path("games/ultimate/look.py")))


LAYERS = [
    ("core.errors", "core.squares", "statistics", "atomic"),
    ("scene",),
    ("draw",),
    ("core",),
    ("board",),
    ("board_texts",),
    ("kit",),
    ("games",),
    ("engines",),
    ("analysis",),
    ("analysis_words", "review"),
    ("players", "people", "prompt", "preparing", "running", "examining"),
    ("", "game"),
    ("puzzles",),
    ("terminal", "arena", "study", "train", "envs", "client", "web"),
    ("commands", "cli"),
    ("__main__",),
]
"""From the lowest; a module imports from its own layer or from lower ones. The package itself has no name here."""
WITHIN = [("web.service", "web.render", "web.http")]
"""The same for the parts of a package."""


def module_name(file: Path) -> str:
    parts = file.relative_to(SOURCES).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


MODULES = {module_name(file): file for file in SOURCES.rglob("*.py") if "migrations" not in file.parts}


def imported(node: ast.AST) -> Iterator[str]:
    """The modules of this package that are imported below a node, inside functions too, but not for types alone."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.If) and "TYPE_CHECKING" in ast.dump(child.test):
            continue
        if isinstance(child, ast.Import):
            yield from (name.name for name in child.names)
        elif isinstance(child, ast.ImportFrom):
            assert not child.level, "imports are written out"
            for name in child.names:
                whole = f"{child.module}.{name.name}"
                yield whole if whole.removeprefix("connectoe.") in MODULES else str(child.module)
        else:
            yield from imported(child)


@cache
def graph() -> dict[str, set[str]]:
    """For each module of this package, those it imports."""
    found = {}
    for name, file in MODULES.items():
        of_ours = {there for there in imported(ast.parse(file.read_text())) if f"{there}.".startswith("connectoe.")}
        found[name] = {there.removeprefix("connectoe").removeprefix(".") for there in of_ours} - {name}
    return found


def is_in(module: str, part: str) -> bool:
    return module == part or module.startswith(f"{part}.") if part else module == ""


def layer_of(module: str) -> int:
    """The layer of the longest name that the module belongs to; a game's own commands are commands."""
    if is_in(module, "games") and "commands" in module.split("."):
        module = "commands"
    found = [(len(part), layer) for layer, parts in enumerate(LAYERS) for part in parts if is_in(module, part)]
    assert found, f"{module} belongs to no layer"
    return max(found)[1]


def test_imports_point_downwards() -> None:
    upward = [
        f"{module} imports {there}"
        for module, imports in graph().items()
        for there in imports
        if layer_of(there) > layer_of(module)
    ]
    assert not upward


def test_the_parts_of_a_package_import_in_one_direction() -> None:
    upward = [
        f"{module} imports {there}"
        for order in WITHIN
        for module, imports in graph().items()
        for there in imports
        for here, part in enumerate(order)
        if is_in(module, part) and any(is_in(there, later) for later in order[here + 1 :])
    ]
    assert not upward


def test_studies_and_tournaments_do_not_import_each_other() -> None:
    for module, imports in graph().items():
        for one, other in (("study", "arena"), ("arena", "study")):
            assert not is_in(module, one) or not any(is_in(there, other) for there in imports), module


def test_no_imports_go_in_circles() -> None:
    waiting = graph()
    while free := {module for module, imports in waiting.items() if not imports & waiting.keys()}:
        waiting = {module: imports for module, imports in waiting.items() if module not in free}
    circles = {module: sorted(imports & waiting.keys()) for module, imports in waiting.items()}
    assert not circles


def test_the_graph_sees_imports_inside_functions() -> None:
    inside = ast.parse("def f():\n    from connectoe.core.game import Game\n    import connectoe.players")
    assert list(imported(inside)) == ["connectoe.core.game", "connectoe.players"]


def test_every_room_has_the_same_files() -> None:
    rooms = [room for room in (SOURCES / "games").iterdir() if room.is_dir() and room.name != "__pycache__"]
    assert {game.id.replace("-", "_") for game in BUILT_IN} == {room.name for room in rooms}
    for room in rooms:
        assert {file.name for file in room.glob("*.py")} >= {
            "__init__.py",
            "rules.py",
            "words.py",
            "look.py",
            "engines.py",
            "lessons.py",
        }
