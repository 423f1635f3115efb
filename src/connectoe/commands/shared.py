"""What several commands share: naming a game, its options, moves, files, and a progress bar."""

from __future__ import annotations

import gzip
import sys
import zlib
from collections.abc import Callable, Iterable
from contextlib import nullcontext
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

import click

from connectoe.errors import BadOption, ConnectoeError, UnknownGame

if TYPE_CHECKING:
    from connectoe.game import Game
    from connectoe.match import Match

Command = Callable[..., Any]
CTRL_C = 130
"""The exit code of what Ctrl-C has ended."""


def printable(text: str) -> str:
    """The text without characters that a terminal would act on."""
    return "".join(c if c.isprintable() or c == "\n" else repr(c)[1:-1] for c in text)


def game_options(command: Command) -> Command:
    """Adds --option k=v to a command that takes GAME."""
    return click.option(
        "--option",
        "-O",
        "options",
        multiple=True,
        metavar="NAME=VALUE",
        help="Choose an option of the game; may be repeated. `connectoe rules GAME` lists them.",
    )(command)


def load_game(name: str, options: Iterable[str] = ()) -> Game:
    """The game a command was asked for."""
    from connectoe.catalogue import load

    chosen: dict[str, str] = {}
    for text in options:
        key, equals, value = (part.strip() for part in text.partition("="))
        if not equals:
            raise BadOption(f"an option is given as NAME=VALUE, not {text[:40]!r}")
        if key in chosen:
            raise BadOption(f"the option {key[:40]} is given twice, as {chosen[key][:40]} and as {value[:40]}")
        chosen[key] = value
    return load(name, **chosen)


def match_after(game: Game, moves: Iterable[str], position: str | None = None) -> Match:
    """The match after moves given on the command line, each an argument or several in one."""
    from connectoe.match import Match
    from connectoe.replaying import BadMove, split_moves

    match = Match(game, start=None if position is None else game.state(position))
    for number, move in enumerate(split_moves(game, " ".join(moves)), start=1):
        try:
            match.play(move)
        except ConnectoeError as error:
            raise BadMove(f"move {number}: {error}", number) from error
    return match


class progress_bar:  # noqa: N801 - read as a verb: with progress_bar(...) as step
    """A progress bar on standard error, if a person is looking: `with progress_bar("work", 10) as step: step()`."""

    def __init__(self, what: str, steps: int) -> None:
        self.what = what
        self.steps = steps
        self.bar: Any = None

    def __enter__(self) -> Callable[[], None]:
        if sys.stderr.isatty():
            from rich.console import Console
            from rich.progress import Progress

            self.bar = Progress(console=Console(stderr=True), transient=True)
            task = self.bar.add_task(self.what, total=self.steps)
            self.bar.start()
            return lambda: self.bar.advance(task)
        return lambda: None

    def __exit__(self, *problem: object) -> None:
        if self.bar:
            self.bar.stop()


GZIP = b"\x1f\x8b"
"""How a file begins that gzip has made."""
LARGEST = 256 << 20
"""The bytes of the largest file of records that is read."""


def standard_input() -> BinaryIO:
    """Standard input, as bytes."""
    if sys.stdin is None:
        raise ConnectoeError("there is no standard input to read from")
    return sys.stdin.buffer


def read_text(source: str) -> str:
    """What stands in a file, or on standard input for `-`; also what gzip has made smaller."""
    name = name_of(source)
    try:
        with nullcontext(standard_input()) if source == "-" else Path(source).open("rb") as file:
            content = file.read(LARGEST + 1)
        if content.startswith(GZIP):
            with gzip.open(BytesIO(content)) as packed:
                content = packed.read(LARGEST + 1)
    except ConnectoeError:
        raise
    except (EOFError, gzip.BadGzipFile, zlib.error) as error:
        raise ConnectoeError(f"{name} is damaged: gzip cannot read it ({error})") from error
    except (OSError, ValueError) as error:
        raise click.FileError(source[:100], getattr(error, "strerror", None) or str(error)) from error
    if len(content) > LARGEST:
        raise ConnectoeError(f"{name} is too large: records of up to {LARGEST >> 20} MB are read")
    try:
        return content.decode()
    except UnicodeDecodeError as error:
        raise ConnectoeError(f"{name} is not UTF-8 text: byte {error.start} is {content[error.start]:#04x}") from error


def matches_in(text: str, source: str, *games: type[Game], own_game: str) -> list[Match]:
    """The matches in a text that came from `source`. Games of one's own are read if their classes are given; if they
    are not, `own_game` says how to name them."""
    from connectoe.records import read_matches

    try:
        return read_matches(text, *games)
    except ConnectoeError as error:
        cause: BaseException | None = error
        while cause and not isinstance(cause, UnknownGame):
            cause = cause.__cause__
        hint = f". A game of your own is named by its file: {own_game}" if cause else ""
        raise ConnectoeError(f"{name_of(source)}: {error}{hint}") from error


def name_of(source: str) -> str:
    """A file for people, or where `-` reads from."""
    return "standard input" if source == "-" else source


def write_file(output: str, content: bytes) -> None:
    """Writes a whole file."""
    try:
        Path(output).write_bytes(content)
    except (OSError, ValueError) as error:
        raise click.FileError(output[:100], getattr(error, "strerror", None) or str(error)) from error
