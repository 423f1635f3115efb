"""What is said of a recipe whose parts are not what they should be, before anything is made of them."""

from __future__ import annotations

from collections import Counter
from typing import Any

from connectoe.core.errors import BadGame
from connectoe.core.options import Option
from connectoe.kit.boards import BoardSpec
from connectoe.kit.pieces import Kind


def check_declared(recipe: Any) -> None:
    """Raise BadGame for a part of a recipe that is no board, no piece, no move or no end."""
    _check_layout(recipe.layout)
    kinds = list(_kinds(recipe.pieces))
    for name, many in Counter(kind.name for kind in kinds).items():
        if many > 1:
            raise BadGame(f"pieces has two kinds that are called {name!r}; in_hand says how many pieces a player has")
    _check_blocks("moves", recipe.moves, "drop()")
    _check_blocks("ends", recipe.ends, "line(4)")
    for block in recipe.moves:
        effects = getattr(block, "then", ())
        for effect in effects if isinstance(effects, tuple | list) else (effects,):
            _must_be_called(effect, "then")


def _check_layout(layout: Any) -> None:
    _must_be_called(layout, "layout")
    if type(layout) in (str, int, float, tuple, list):
        raise BadGame(f"layout is a board, as columns(7, 6) or grid(3, 3), not {layout!r:.40}")
    if isinstance(layout, BoardSpec):
        for size in (layout.cols, layout.rows):
            if not isinstance(size, Option) and (type(size) is not int or size < 1):
                raise BadGame(f"the columns and rows of a board are numbers from 1 or options, not {size!r:.40}")


def _kinds(pieces: Any) -> Any:
    _must_be_called(pieces, "pieces")
    if isinstance(pieces, Kind):
        yield pieces
    elif isinstance(pieces, tuple | list):
        for part in pieces:
            yield from _kinds(part)
    else:
        raise BadGame(f"pieces holds kinds of pieces, as discs() or marks(), not {pieces!r:.40}")


def _check_blocks(part: str, blocks: Any, example: str) -> None:
    _must_be_called(blocks, part)
    if hasattr(blocks, "bind"):
        raise BadGame(f"{part} is a list, also of one block: write {part} = [{example}]")
    if not isinstance(blocks, tuple | list) or not blocks:
        raise BadGame(f"{part} is a list of blocks, as [{example}], not {blocks!r:.40}")
    for block in blocks:
        _must_be_called(block, part)


def _must_be_called(given: Any, part: str) -> None:
    """Refuse a block that is named without its parentheses."""
    if callable(given) and hasattr(given, "__name__"):
        raise BadGame(f"{part} has {given.__name__} without parentheses: write {given.__name__}()")


def filled(text: str, **names: str) -> str:
    """Return the text of a move with its place put in.

    >>> filled("-{column}", column="d")
    '-d'
    """
    try:
        return text.format(**names)
    except (KeyError, IndexError, ValueError, AttributeError):
        known = " or ".join(f"{{{name}}}" for name in names)
        raise BadGame(f"the text {text!r:.40} of a move may name its place only as {known}") from None
