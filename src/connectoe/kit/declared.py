"""Mistakes in the parts of a recipe, reported before anything is made of them."""

from __future__ import annotations

import ast
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from inspect import isfunction, signature
from pathlib import Path
from typing import Any

from connectoe.core.errors import BadGame
from connectoe.core.options import Option
from connectoe.kit.blocks import Chosen
from connectoe.kit.boards import BoardSpec
from connectoe.kit.nested import NestedSpec
from connectoe.kit.pieces import Kind
from connectoe.kit.rules_by_hand import is_by_hand

EXAMPLES = {"layout": "columns(7, 6)", "pieces": "discs()", "moves": "[drop()]", "ends": "[line(4)]"}
MOVE, END, EFFECT = "a move", "an end", "an effect"
BELONGS = {
    MOVE: "it belongs in moves",
    END: "it belongs in ends",
    EFFECT: "it follows a move, as in place(then=…)",
}


@contextmanager
def declared_in(recipe: Any, part: str, number: int | None = None) -> Iterator[None]:
    """Add the line in the file to a mistake in a part of a recipe, or in one of its blocks."""
    try:
        yield
    except BadGame as error:
        if error.line is None:
            error.file, error.line = _where(recipe, part, number)
        raise


def _where(recipe: Any, part: str, number: int | None) -> tuple[str, int | None]:
    """Return the file and line in which a recipe declares a part, or one of its blocks."""
    with suppress(AttributeError, OSError, SyntaxError, ValueError):
        file = Path(sys.modules[recipe.__module__].__file__ or "")
        for node in ast.walk(ast.parse(file.read_bytes())):
            if not isinstance(node, ast.ClassDef) or node.name != recipe.__name__:
                continue
            for line in node.body:
                if isinstance(line, ast.Assign) and part in [getattr(target, "id", "") for target in line.targets]:
                    blocks = line.value.elts if isinstance(line.value, ast.Tuple | ast.List) else []
                    is_known = number is not None and number < len(blocks)
                    return file.name, (blocks[number] if is_known else line).lineno  # type: ignore[index]
            return file.name, node.lineno
    return "", None


def check_declared(recipe: Any) -> None:
    """Raise BadGame for a part of a recipe that is missing, or is no board, no piece, no move or no end."""
    missing = [part for part in EXAMPLES if not hasattr(recipe, part)]
    if missing:
        raise BadGame(
            f"the recipe {recipe.__name__} does not say its {', '.join(missing)}: "
            f"write {missing[0]} = {EXAMPLES[missing[0]]}, for example"
        )
    with declared_in(recipe, "layout"):
        _check_layout(recipe.layout)
        if isinstance(recipe.layout, NestedSpec) != recipe.is_nested:
            base = "Recipe" if recipe.is_nested else "NestedRecipe"
            raise BadGame(f"a recipe whose layout is {_layout_word(recipe.layout)} derives from {base}")
    with declared_in(recipe, "pieces"):
        _check_pieces(list(_kinds(recipe.pieces)))
    for part, kind in (("moves", MOVE), ("ends", END)):
        with declared_in(recipe, part):
            _check_blocks(part, kind, getattr(recipe, part))
    for number, block in enumerate(recipe.moves):
        for effect in effects_of(block):
            with declared_in(recipe, "moves", number):
                if is_by_hand(effect):
                    continue
                _must_be_called(effect, "then")
                if _kind_of(effect) != EFFECT:
                    raise BadGame(f"then takes effects, as then=fall(), not {_shown(effect)}")


def effects_of(block: Any) -> Iterator[Any]:
    """Yield the effects of a move, those that an option chooses included."""
    then = getattr(block, "then", ())
    for effects in then.meanings.values() if isinstance(then, Chosen) else (then,):
        yield from effects if isinstance(effects, tuple | list) else (effects,)


def _check_layout(layout: Any) -> None:
    _must_be_called(layout, "layout")
    if type(layout) in (str, int, float, tuple, list):
        raise BadGame(f"layout is a board, as columns(7, 6) or grid(3, 3), not {layout!r:.40}")
    for board in (layout.outer, layout.inner) if isinstance(layout, NestedSpec) else (layout,):
        if isinstance(board, NestedSpec):
            raise BadGame("a board in nested(…) is grid(…) or columns(…): boards are nested once")
        if not isinstance(board, BoardSpec):
            raise BadGame(f"a board is columns(7, 6) or grid(3, 3), for example, not {board!r:.40}")
        for size in (board.cols, board.rows):
            if not isinstance(size, Option | Chosen) and (type(size) is not int or size < 1):
                raise BadGame(f"the columns and rows of a board are numbers from 1 or options, not {size!r:.40}")


def _layout_word(layout: Any) -> str:
    return "nested(…)" if isinstance(layout, NestedSpec) else "one board"


def _check_pieces(kinds: Sequence[Kind]) -> None:
    for name, many in Counter(kind.name for kind in kinds).items():
        if many > 1:
            raise BadGame(f"pieces has two kinds that are called {name!r}; in_hand says how many pieces a player has")
    on_board = [kind for kind in kinds if kind.is_on_board]
    if not on_board:
        raise BadGame("pieces has none that go on the board: add discs() or marks()")
    for number, kind in enumerate(on_board):
        for other in on_board[:number]:
            if shared := "".join(sign for sign in kind.signs if sign in other.signs):
                raise BadGame(
                    f"{other.plural} and {kind.plural} have the same letters in position texts, {shared}: "
                    "take other pieces, as discs() with small_marks()"
                )


def _kinds(pieces: Any) -> Any:
    _must_be_called(pieces, "pieces")
    if isinstance(pieces, Kind):
        yield pieces
    elif isinstance(pieces, tuple | list):
        for part in pieces:
            yield from _kinds(part)
    else:
        raise BadGame(f"pieces holds kinds of pieces, as discs() or marks(), not {pieces!r:.40}")


def _check_blocks(part: str, kind: str, blocks: Any) -> None:
    _must_be_called(blocks, part)
    if hasattr(blocks, "bind"):
        raise BadGame(f"{part} is a list, also of one block: write {part} = {EXAMPLES[part]}")
    if not isinstance(blocks, tuple | list) or not blocks:
        raise BadGame(f"{part} is a list of blocks, as {EXAMPLES[part]}, not {blocks!r:.40}")
    for block in blocks:
        if is_by_hand(block):
            if kind == END:
                continue
            raise BadGame(
                f"{part} has the rule {block.__name__}, and a move takes two: where it can be played, and what it "
                f'does, as by_hand("{{square}}", cells, {block.__name__})'
            )
        _must_be_called(block, part)
        found = _kind_of(block)
        if found not in (kind, ""):
            raise BadGame(f"{part} has {_shown(block)}, which is {found}: {BELONGS[found]}")
        if not found and not hasattr(block, "times"):
            raise BadGame(f"{part} is a list of blocks, as {EXAMPLES[part]}; {_shown(block)} is none")


def _kind_of(block: Any) -> str:
    """Return whether a block is a move, an end or an effect; nothing for repetition and what is no block."""
    if hasattr(block, "after"):
        return EFFECT
    if not hasattr(block, "bind"):
        return ""
    return MOVE if len(signature(block.bind).parameters) == 1 else END


def _shown(block: Any) -> str:
    return f"{type(block).__name__}()" if hasattr(block, "bind") or hasattr(block, "after") else f"{block!r:.40}"


def _must_be_called(given: Any, part: str) -> None:
    """Refuse a block that is named without its parentheses, and a function that is no rule."""
    if isfunction(given) and not given.__module__.startswith("connectoe.kit"):
        name = "a lambda" if given.__name__ == "<lambda>" else given.__name__
        raise BadGame(f"{part} has {name}, which is not marked with @rule: write it as a def, with @rule above")
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
