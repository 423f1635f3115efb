"""Finding games: the built-in ones, installed ones (entry points `connectoe.games`), and your own files and classes."""

from __future__ import annotations

import hashlib
import importlib
import importlib.util
import sys
import traceback
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Protocol

from connectoe.core.checking import checked
from connectoe.core.endless import ended_if_endless
from connectoe.core.errors import BadGame, ConnectoeError, UnknownGame
from connectoe.core.game import Game, is_built_in
from connectoe.core.hints import in_words
from connectoe.core.neighbours import neighbours_of, run

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

ENTRY_POINTS = "connectoe.games"
OWN_MODULE = "connectoe_game_"
"""The prefix of the names of modules loaded from files."""


class Offered(Protocol):
    """A game that this program finds by its id because it was offered."""

    @property
    def current(self) -> type[Game] | None:
        """The game as it is now; None while it cannot be played."""


offered: list[Offered] = []
"""The games that this program offers beside the built-in and installed ones; see core/own_games.py."""


def _offered_games() -> dict[str, type[Game]]:
    return {game.id: game for each in offered if (game := each.current)}


def built_in_ids() -> list[str]:
    """Return the ids of the games of this package."""
    folder = Path(__file__).parents[1] / "games"
    return sorted(file.stem.replace("_", "-") for file in folder.glob("[!_]*"))


def _installed_games() -> dict[str, EntryPoint]:
    return _installed_on(tuple(sys.path))


@lru_cache(maxsize=4)
def _installed_on(path: tuple[str, ...]) -> dict[str, EntryPoint]:
    """Return the games installed on a search path; to find them, a file of every package there is read."""
    from importlib.metadata import entry_points

    return {point.name: point for point in entry_points(group=ENTRY_POINTS)}


def game_ids() -> list[str]:
    """Return the ids of all games that `load` finds by name, without installed games that fail to load.

    >>> "shift-tac-toe" in game_ids()
    True
    """
    own = [*_offered_games(), *built_in_ids()]
    return own + sorted(name for name, point in _installed_games().items() if name not in own and _runs(point))


def _runs(point: EntryPoint) -> bool:
    try:
        _made(_installed_class(point), {})
    except ConnectoeError:
        return False
    return True


def _installed_class(point: EntryPoint) -> type[Game]:
    try:
        named = point.load()
    except (Exception, SystemExit) as error:
        problem = f"{type(error).__name__}: {error}"
        raise UnknownGame(f"the installed game {point.name!r} cannot be imported: {problem}") from error
    found = game_class(named)
    if found.id != point.name:  # its records would not be found by the id they carry
        raise UnknownGame(
            f"the installed game {point.name!r} has the id {found.id!r}: its entry point must be named so"
        )
    return found


def load(game: str | Path | ModuleType | type[Game] | Game, /, **options: object) -> Game:
    """Return a game with its options, given its id, or a class, module or Python file of your own.

    >>> load("connect-tac-toe", drop="any-gap")
    load('connect-tac-toe', drop='any-gap')
    >>> load("connect-four", connect=7)
    Traceback (most recent call last):
    connectoe.core.errors.BadOption: connect=7 is out of range: connect (discs in line that win) may be 3..6
    """
    if isinstance(game, Game):
        return _made(type(game), {**game.options, **options})
    return _made(game_class(game), options)


def _made(found: type[Game], options: Mapping[str, object]) -> Game:
    """Return a game of this class; check that one from outside this package keeps the contract."""
    if is_built_in(found):
        return found(**options)
    return checked(found, options)


def load_known(game: str, /, **options: object) -> Game:
    """Return a game with its options, given its id only; for names from untrusted sources.

    >>> load_known("connect-four", rows=5)
    load('connect-four', rows=5)
    """
    return _made(known_class(game), options)


def game_class(game: str | Path | ModuleType | type[Game]) -> type[Game]:
    """Return the class of a game, given its id, class, module or file.

    >>> game_class("c4-twist").name
    'C4 with a Twist'
    """
    if isinstance(game, type) and issubclass(game, Game):
        return _complete(game)
    if isinstance(game, ModuleType):
        return _class_in(game)
    if isinstance(game, Path) or (isinstance(game, str) and game.endswith(".py")):
        with ended_if_endless():
            return _class_in(_module_from(Path(game)))
    if not isinstance(game, str):
        raise UnknownGame(f"a game is named by its id, class, module or file, not by {type(game).__name__}")
    return known_class(game)


def known_class(game: str) -> type[Game]:
    """Return the class of a game, given its id only; for names from untrusted sources, which must never run a file.

    >>> known_class("c4-twist").name
    'C4 with a Twist'
    >>> known_class("games/mine.py")
    Traceback (most recent call last):
    connectoe.core.errors.UnknownGame: there is no game 'games/mine.py'; the games are: ...
    """
    if found := _offered_games().get(game):
        return found
    if game in built_in_ids():
        return _class_in(importlib.import_module(f"connectoe.games.{game.replace('-', '_')}"))
    installed = _installed_games()
    if game in installed:
        return _installed_class(installed[game])
    from difflib import get_close_matches

    known = game_ids()
    close = get_close_matches(game[:40], known, n=1)
    hint = f"did you mean {close[0]!r}?" if close else f"the games are: {', '.join(known)}"
    shown = game if len(game) <= 40 else game[:40] + "…"
    raise UnknownGame(f"there is no game {shown!r}; {hint}")


def _class_in(module: ModuleType) -> type[Game]:
    found = [
        thing
        for thing in vars(module).values()
        if isinstance(thing, type) and issubclass(thing, Game) and thing.__module__ == module.__name__
    ]
    if len(found) != 1:
        shown = module.__file__ if module.__name__.startswith(OWN_MODULE) else module.__name__
        raise UnknownGame(f"{shown} must define one subclass of connectoe.Game, it defines {len(found)}")
    return _complete(found[0])


def _complete(found: type[Game]) -> type[Game]:
    missing = [part for part in ("id", "name", "summary", "make_rules") if not hasattr(found, part)]
    if missing:
        raise UnknownGame(f"the game {found.__name__} does not define its {', '.join(missing)}")
    return found


def game_file(game: Game) -> Path | None:
    """Return the file a game was loaded from; None for a game that is found by name.

    >>> game_file(load("connect-four")) is None
    True
    """
    module = sys.modules[type(game).__module__]
    return Path(str(module.__file__)) if module.__name__.startswith(OWN_MODULE) else None


def _module_from(file: Path) -> ModuleType:
    """Return the module in a file, imported once under a name made from its path and content, and its neighbours'.

    This way it can be pickled, a changed file is read again, and code compiled from the old file is not mistaken for
    the new.
    """
    shown = str(file) if len(str(file)) <= 100 else f"{str(file)[:100]}…"
    try:
        path = file.resolve()
        if path.exists() and not path.is_file():
            raise OSError("it is not a file")
        code = path.read_bytes()
        digest = hashlib.sha256(str(path).encode() + b"\n" + code)
        for neighbour in neighbours_of(path):
            digest.update(neighbour.name.encode() + b"\n" + neighbour.read_bytes())
    except FileNotFoundError:
        raise UnknownGame(f"there is no game file {shown!r}") from None
    except (OSError, ValueError) as error:
        raise UnknownGame(f"the game file {shown!r} cannot be read: {error}") from error
    name = f"{OWN_MODULE}{path.stem}_{digest.hexdigest()[:16]}"
    if name in sys.modules:
        return sys.modules[name]
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise UnknownGame(f"{shown!r} is not a Python file")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    try:
        run(module, code, path, _module_from)
    except BadGame as error:
        del sys.modules[name]
        where = f", line {error.line}" if error.line else _line_in(path, error)
        raise UnknownGame(f"{shown}{where}: {error}") from error
    except (Exception, SystemExit) as error:
        del sys.modules[name]
        why = in_words(error, path, module)
        problem = UnknownGame(f"{shown!r} cannot be imported: {why}")
        problem.why = why
        raise problem from error
    return module


def _line_in(path: Path, error: BaseException) -> str:
    """Return which line of a file an error comes from, in words; nothing if it comes from elsewhere."""
    lines = [frame.lineno for frame in traceback.extract_tb(error.__traceback__) if frame.filename == str(path)]
    return f", line {lines[-1]}" if lines else ""
