"""What several commands share: naming a game, its options, moves, files and records."""

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

from connectoe.core.errors import BadOption, ConnectoeError, UnknownGame

if TYPE_CHECKING:
    from connectoe.core.game import Game
    from connectoe.core.match import Match

Command = Callable[..., Any]
CTRL_C = 130
"""The exit code of a command that was stopped by Ctrl-C."""


def printable(text: str) -> str:
    """Return the text with control characters escaped."""
    return "".join(c if c.isprintable() or c == "\n" else repr(c)[1:-1] for c in text)


def game_options(command: Command) -> Command:
    """Add --option NAME=VALUE to a command that takes GAME."""
    return click.option(
        "--option",
        "-O",
        "options",
        multiple=True,
        metavar="NAME=VALUE",
        help="Set an option of the game; may be repeated. `connectoe rules GAME` lists the options.",
    )(command)


def load_game(name: str, options: Iterable[str] = ()) -> Game:
    """Return the game that was named on the command line."""
    from connectoe.core.catalogue import load

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
    """Return the match after moves from the command line; an argument may hold several moves."""
    from connectoe.core.match import Match
    from connectoe.terminal.replay import BadMove, split_moves

    match = Match(game, start=None if position is None else game.state(position))
    for number, move in enumerate(split_moves(game, " ".join(moves)), start=1):
        try:
            match.play(move)
        except ConnectoeError as error:
            raise BadMove(f"move {number}: {error}", number) from error
    return match


GZIP = b"\x1f\x8b"
"""The first bytes of a gzip file."""
LARGEST = 256 << 20
"""The most bytes of records that are read."""


def standard_input() -> BinaryIO:
    """Return standard input, as bytes."""
    if sys.stdin is None:
        raise ConnectoeError("there is no standard input to read from")
    return sys.stdin.buffer


def read_text(source: str) -> str:
    """Return the content of a file, or of standard input for `-`; gzip is unpacked."""
    name = source_name(source)
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
    """Return the matches in a text that was read from `source`. Records of a user's own games need their classes;
    `own_game` tells the user how to name one that is missing."""
    from connectoe.core.records import read_matches

    try:
        return read_matches(text, *games)
    except ConnectoeError as error:
        cause: BaseException | None = error
        while cause and not isinstance(cause, UnknownGame):
            cause = cause.__cause__
        hint = f". A game of your own is named by its file: {own_game}" if cause else ""
        raise ConnectoeError(f"{source_name(source)}: {error}{hint}") from error


def source_name(source: str) -> str:
    """Return the name of a file, or "standard input" for `-`."""
    return "standard input" if source == "-" else source


def write_file(output: str, content: bytes) -> None:
    """Write a whole file."""
    try:
        Path(output).write_bytes(content)
    except (OSError, ValueError) as error:
        raise click.FileError(output[:100], getattr(error, "strerror", None) or str(error)) from error
