"""How the package is built: which module may import which, and what a module may know."""

from __future__ import annotations

import ast
import re
from collections import defaultdict
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
MODULE_NAMES = {game.id.replace("-", "_") for game in BUILT_IN}
COMMON_WORDS = {"rows", "cols", "both", "marks", "connect", "discs"}
"""Options whose names also mean something else; the others tell that a module knows a game."""
BLOCKS = {"bombs", "drop", "stuck"}
"""Options that are named like blocks of the kit."""


def modules_outside_the_rooms() -> list[Path]:
    found = [file.relative_to(SOURCES) for file in SOURCES.rglob("*.py")]
    return [file for file in found if not any(file.is_relative_to(room) for room in ROOMS)]


def names_of_games(file: Path) -> Iterator[str]:
    """The places where a module names a built-in game, its module or option; examples in documentation do not count."""
    options = {option.name for game in BUILT_IN for option in game.option_list} - COMMON_WORDS
    classes = {game.__name__ for game in BUILT_IN}
    telling = {game.id for game in BUILT_IN} | MODULE_NAMES | options
    if file.is_relative_to("kit"):
        telling -= BLOCKS
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
            case ast.Constant(value=str(text)) if text in telling or re.fullmatch(r"connectoe\.games\.\w[\w.:]*", text):
                found = text
            case ast.Attribute(attr=name) if name in telling | classes:
                found = name
            case ast.Name(id=name) if name in classes:
                found = name
            case ast.keyword(arg=str(name)) | ast.arg(arg=name) | ast.Name(id=name) if name in telling:
                found = name
            case ast.ImportFrom(module=str(name)) if name.startswith("connectoe.games") or name in SOLVERS_OF_ONE_GAME:
                found = name
            case ast.Import(names=names) if any(name.name.startswith("connectoe.games") for name in names):
                found = "import connectoe.games"
            case _:
                continue
        yield f"{file}:{getattr(node, 'lineno', '?')}: {found}"


def names_of_games_in_text(text: str) -> list[str]:
    """The built-in games that a template, script or style sheet names, other than in a sentence."""
    known = "|".join({game.id for game in BUILT_IN} | MODULE_NAMES)
    return re.findall(rf"""["'`./#=_-]({known})(?![\w-])""", text)


def test_no_module_outside_the_games_names_a_game() -> None:
    assert [place for file in modules_outside_the_rooms() for place in names_of_games(file)] == []


def test_a_module_that_names_a_game_would_be_found() -> None:
    assert any("c4-twist" in place for place in names_of_games(Path("engines/exact/c4_twist.py")))
    assert any("connectoe.games" in place for place in names_of_games(Path("games/ultimate/look.py")))
    assert names_of_games_in_text('{% if game.id == "advanced" %}') == ["advanced"]


def test_no_template_script_or_style_sheet_names_a_game() -> None:
    files = [file for suffix in ("html", "js", "css") for file in SOURCES.rglob(f"*.{suffix}")]
    assert files
    assert [(file, found) for file in files if (found := names_of_games_in_text(file.read_text()))] == []


NAMES_OF_SEVERAL = {"Position", "Analysis", "Candidate"}
"""Every game has its positions, and the API describes three kinds of objects under their names in the library."""


def test_a_class_has_a_name_of_its_own() -> None:
    homes = defaultdict(list)
    for file in SOURCES.rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_text())):
            if isinstance(node, ast.ClassDef):
                homes[node.name].append(file)
    assert {name: files for name, files in homes.items() if len(files) > 1 and name not in NAMES_OF_SEVERAL} == {}


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


MODULES = {module_name(file): file for file in SOURCES.rglob("*.py")}


def imported(node: ast.AST) -> Iterator[str]:
    """The modules of this package that are imported in a node, inside functions too, but not for types alone."""
    match node:
        case ast.Import(names=names):
            yield from (name.name for name in names)
        case ast.ImportFrom(module=str(module), names=names, level=0):
            for name in names:
                whole = f"{module}.{name.name}"
                yield whole if whole.removeprefix("connectoe.") in MODULES else module
        case ast.ImportFrom():
            raise AssertionError("imports are written out")
        case ast.Call(
            func=ast.Name(id="import_module" | "__import__") | ast.Attribute(attr="import_module" | "__import__"),
            args=[ast.Constant(value=str(module)), *_],
        ):
            yield module
        case ast.If(test=ast.Name(id="TYPE_CHECKING") | ast.Attribute(attr="TYPE_CHECKING")):
            yield from (module for part in node.orelse for module in imported(part))
        case _:
            yield from (module for part in ast.iter_child_nodes(node) for module in imported(part))


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
    return max(found, default=(0, -1))[1]


def test_every_module_belongs_to_a_layer() -> None:
    assert [module for module in MODULES if layer_of(module) < 0] == []


def test_every_module_and_package_is_in_the_table_for_contributors() -> None:
    page = (Path(__file__).parents[1] / "CONTRIBUTING.md").read_text()
    names = {file.name for file in SOURCES.glob("[a-z]*.py")} | {
        f"{file.parent.name}/" for file in SOURCES.glob("*/*.py")
    }
    assert {name for name in names if f"`{name}`" not in page} == set()


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


def test_the_graph_sees_imports_that_are_no_statements_or_not_for_types() -> None:
    hidden = ast.parse(
        "if TYPE_CHECKING:\n    import connectoe.web\nelse:\n    import connectoe.cli\n"
        "if not TYPE_CHECKING:\n    import connectoe.study\n"
        "importlib.import_module('connectoe.arena').contest"
    )
    assert list(imported(hidden)) == ["connectoe.cli", "connectoe.study", "connectoe.arena"]


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
