"""Games on their way to a worker: the id of a built-in game, or the text of a game's file."""

from __future__ import annotations

import ast
import hashlib
from collections.abc import Mapping
from functools import lru_cache
from typing import NamedTuple

from connectoe.atomic import atomic_file
from connectoe.core.catalogue import game_file, load
from connectoe.core.game import Game
from connectoe.core.neighbours import neighbours_of
from connectoe.core.options import OptionValue


class Source(NamedTuple):
    """A game without its options: its id, or the name and text of its file and of its neighbours.

    >>> import connectoe
    >>> source_of(connectoe.load("connect-four"))
    Source(game='connect-four', text=None, neighbours=())
    """

    game: str
    text: str | None = None
    neighbours: tuple[tuple[str, str], ...] = ()


def source_of(game: Game) -> Source:
    """Return what a worker needs to load the game."""
    file = game_file(game)
    if file is None:
        return Source(game.id)
    beside = tuple((neighbour.name, neighbour.read_text()) for neighbour in neighbours_of(file))
    return Source(file.name, file.read_text(), beside)


@lru_cache(maxsize=64)
def code_of(source: Source) -> Source:
    """Return the source without comments and layout; sources with equal code are the same game."""
    if source.text is None:
        return source
    beside = tuple((name, ast.dump(ast.parse(text))) for name, text in source.neighbours)
    return source._replace(text=ast.dump(ast.parse(source.text)), neighbours=beside)


def game_from(source: Source, options: Mapping[str, OptionValue]) -> Game:
    """Load the game from its source. The texts of a game's files are written to the worker's cache folder first."""
    if source.text is None:
        return load(source.game, **options)
    from connectoe.engines.cache import user_cache_folder

    texts = [*source.neighbours, (source.game, source.text)]
    digest = hashlib.sha256("\n".join(text for _, text in texts).encode()).hexdigest()[:16]
    folder = user_cache_folder() / "studied" / digest
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in texts:
        if not (folder / name).exists():
            with atomic_file(folder / name) as file:
                file.write(text.encode())
    return load(folder / source.game, **options)
