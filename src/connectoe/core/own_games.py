"""Games of your own that a program offers from their files, while you are still writing them.

Saving a file changes the game: the next request for it gets the new version. A file with a mistake changes nothing:
the mistake is kept, to be shown, and the last good version stays.
"""

from __future__ import annotations

import ast
import hashlib
import re
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import RLock
from traceback import walk_tb
from typing import NamedTuple

from connectoe.core.catalogue import game_class, game_ids, load, offered
from connectoe.core.errors import BadGame, ConnectoeError, UnknownGame
from connectoe.core.game import Game, is_built_in
from connectoe.core.neighbours import neighbours_of

Stamp = tuple[tuple[str, int, int], ...]
"""The name, time and size of each file that a game is made of."""
_lock = RLock()
"""One thread at a time reads files, since no two games may have the same id."""


class FileMistake(NamedTuple):
    """What is wrong with a game's file: the place, the reason, and the line itself."""

    file: str
    line: int | None
    words: str
    code: str = ""

    @property
    def place(self) -> str:
        """The file and the line.

        >>> FileMistake("my_game.py", 12, "invalid syntax").place
        'my_game.py, line 12'
        """
        return self.file if self.line is None else f"{self.file}, line {self.line}"

    def __str__(self) -> str:
        return f"{self.place}: {self.words}"


class OwnGame:
    """A game that is offered from a file, as it was when the file last made sense.

    Old versions are kept in the folder `kept`, if one is given, so that matches played by them can still be read.
    """

    def __init__(self, file: Path, kept: Path | None = None) -> None:
        self.file = file.resolve()
        self.mistake: FileMistake | None = None
        self._kept = kept
        self._neighbours: list[Path] = []
        self._stamp: Stamp = ()
        self._game: type[Game] | None = None
        self._versions: dict[str, type[Game]] = {}
        self.version = ""
        """A hash of the files that the current version was made of."""

    @property
    def current(self) -> type[Game] | None:
        """The game in its last good version; None if there was none yet. A changed file is read again first."""
        with _lock:
            stamp = self._stamp_now()
            if stamp != self._stamp:
                self._stamp = stamp
                self._read()
            return self._game

    def in_version(self, version: str) -> type[Game] | None:
        """Return the game as it was in an earlier version; None if it is no longer known."""
        with _lock:
            if version not in self._versions and self._kept and re.fullmatch("[0-9a-f]{16}", version):
                with suppress(ConnectoeError):
                    self._versions[version] = game_class(self._kept / version / self.file.name)
            return self._versions.get(version)

    def _stamp_now(self) -> Stamp:
        stamps = []
        for file in self._files():
            with suppress(OSError):
                status = file.stat()
                stamps.append((file.name, status.st_mtime_ns, status.st_size))
        return tuple(stamps)

    def _files(self) -> list[Path]:
        """Return the files that the game was made of when it was last read."""
        return [self.file, *self._neighbours]

    def _read(self) -> None:
        try:
            self._neighbours = neighbours_of(self.file)
            self._stamp = self._stamp_now()
            version = self._version_now()
            found = game_class(self.file)
            self._check_id(found)
            load(found)
        except ConnectoeError as error:
            self.mistake = mistake_from(error, self._files())
        except OSError as error:
            self.mistake = FileMistake(self.file.name, None, f"it cannot be read: {error.strerror or error}")
        else:
            self.mistake = None
            self._game = self._versions[version] = found
            self.version = version
            self._keep()

    def _version_now(self) -> str:
        digest = hashlib.sha256()
        for file in self._files():
            digest.update(file.name.encode() + b"\n" + file.read_bytes())
        return digest.hexdigest()[:16]

    def _check_id(self, found: type[Game]) -> None:
        others = [each for each in offered if each is not self and isinstance(each, OwnGame)]
        if any(each._game and each._game.id == found.id for each in others):
            raise UnknownGame(f"the id {found.id!r} belongs to another of the files: give this game another one")
        if found.id in game_ids() and (self._game is None or self._game.id != found.id):
            raise UnknownGame(f"the id {found.id!r} belongs to a game that is there already: give yours another one")

    def _keep(self) -> None:
        """Keep a copy of the files of this version."""
        if self._kept is None:
            return
        folder = self._kept / self.version
        with suppress(OSError):
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            for file in self._files():
                shutil.copyfile(file, folder / file.name)


def mistake_from(error: ConnectoeError, files: list[Path]) -> FileMistake:
    """Return what is wrong with a game's files, and where if that is known, given the error they caused."""
    cause: BaseException = error
    while cause.__cause__ is not None:
        cause = cause.__cause__
    if isinstance(cause, SyntaxError) and cause.lineno is not None:
        file = Path(cause.filename or files[0])
        return FileMistake(
            file.name, cause.lineno, f"{type(cause).__name__}: {cause.msg}", _line_of(file, cause.lineno)
        )
    for raised in (error, cause):
        if isinstance(raised, BadGame) and raised.line is not None:
            named = next((file for file in files if file.name == raised.file), None)
            return FileMistake(raised.file, raised.line, str(raised), _line_of(named, raised.line) if named else "")
    if isinstance(cause, BadGame):
        words = str(cause)
    else:
        why = error.why if isinstance(error, UnknownGame) else ""
        words = str(error) if isinstance(cause, ConnectoeError) else why or f"{type(cause).__name__}: {cause}"
    places = [(Path(frame.f_code.co_filename), line) for frame, line in walk_tb(cause.__traceback__)]
    for file, line in reversed(places):
        if file in files:
            return FileMistake(file.name, line, words, _line_of(file, line))
    words = getattr(error, "why", "") or words
    line_or_none = _line_of_function(files[0], getattr(error, "function", ""))
    return FileMistake(files[0].name, line_or_none, words, _line_of(files[0], line_or_none) if line_or_none else "")


def _line_of(file: Path, line: int) -> str:
    with suppress(OSError, IndexError, UnicodeDecodeError):
        return file.read_text(encoding="utf-8").splitlines()[line - 1].strip()[:200]
    return ""


def _line_of_function(file: Path, name: str) -> int | None:
    """Return the line of the function of this name in a file."""
    with suppress(OSError, SyntaxError, ValueError):
        lines = {
            node.name: node.lineno
            for node in ast.walk(ast.parse(file.read_bytes()))
            if isinstance(node, ast.FunctionDef)
        }
        return lines.get(name)
    return None


def offer(file: Path, kept: Path | None = None) -> OwnGame:
    """Offer the game in a file by its id; it may have a mistake now. Raise UnknownGame if there is no such file."""
    if not file.is_file():
        raise UnknownGame(f"there is no game file {str(file)[:100]!r}")
    game = OwnGame(file, kept)
    offered.append(game)
    _ = game.current
    return game


@contextmanager
def offering(*files: Path, kept: Path | None = None) -> Iterator[list[OwnGame]]:
    """Offer the games in some files while this context lasts."""
    games: list[OwnGame] = []
    try:
        games += (offer(file, kept) for file in files)
        yield games
    finally:
        for game in games:
            offered.remove(game)


def own_games() -> list[OwnGame]:
    """Return the games that are offered from files."""
    return [game for game in offered if isinstance(game, OwnGame)]


def version_of(game: type[Game]) -> str:
    """Return the version of a game that is offered from a file; empty for any other game."""
    return next((each.version for each in own_games() if each.current is game), "")


def in_version(version: str) -> type[Game] | None:
    """Return the game that was offered from a file in that version; None if it is no longer known."""
    return next((found for each in own_games() if (found := each.in_version(version))), None)


def own_game_of(game_id: str) -> OwnGame | None:
    """Return the file that a game is offered from; None for any other game."""
    return next((game for game in own_games() if (found := game.current) and found.id == game_id), None)


def is_offered(game: type[Game]) -> bool:
    """Whether a game is the current version of one that is offered from a file."""
    return not is_built_in(game) and any(each.current is game for each in own_games())
