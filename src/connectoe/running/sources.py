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
from connectoe.core.options import OptionValue


class Source(NamedTuple):
    """A game without its options: its id, or the name and text of its file.

    >>> import connectoe
    >>> source_of(connectoe.load("connect-four"))
    Source(game='connect-four', text=None)
    """

    game: str
    text: str | None = None


def source_of(game: Game) -> Source:
    """Return what a worker needs to load the game."""
    file = game_file(game)
    return Source(game.id) if file is None else Source(file.name, file.read_text())


@lru_cache(maxsize=64)
def code_of(source: Source) -> Source:
    """Return the source without comments and layout; sources with equal code are the same game."""
    return source if source.text is None else source._replace(text=ast.dump(ast.parse(source.text)))


def game_from(source: Source, options: Mapping[str, OptionValue]) -> Game:
    """Load the game from its source. The text of a game's file is written to the worker's cache folder first."""
    if source.text is None:
        return load(source.game, **options)
    from connectoe.engines.cache import user_cache_folder

    digest = hashlib.sha256(source.text.encode()).hexdigest()[:16]
    path = user_cache_folder() / "studied" / digest / source.game
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        with atomic_file(path) as file:
            file.write(source.text.encode())
    return load(path, **options)
