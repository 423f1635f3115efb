"""Mistakes in a recipe that can be made, but is not what its inventor meant: ends that never come, for example."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from connectoe.board import square_name
from connectoe.board_texts import check_nothing_floats
from connectoe.core.errors import BadGame, BadPosition
from connectoe.core.rules import ONGOING
from connectoe.kit.blocks import Context, Move
from connectoe.kit.declared import declared_in
from connectoe.kit.ends import line
from connectoe.kit.moves import bomb, drop, place, pop
from connectoe.kit.resting import drop_through
from connectoe.kit.walking import pass_

PLAIN_MOVES = (drop, place, drop_through, pop, bomb, pass_)
"""Blocks that play no other pieces than the one they name."""


def check_texts(recipe: Any, moves: Sequence[Move]) -> None:
    """Raise BadGame for two moves with the same text."""
    seen: set[str] = set()
    for number, (block, move) in enumerate(zip(recipe.moves, moves, strict=True)):
        texts = [each.text for each in move.places]
        name, example = type(block).__name__, getattr(type(block), "text", "{square}")
        with declared_in(recipe, "moves", number):
            for text, many in Counter(texts).items():
                if many > 1:
                    raise BadGame(
                        f"{many} moves of {name}() have the text {text!r:.40}: "
                        f"its text must tell them apart, as {example!r} does"
                    )
                if text in seen:
                    raise BadGame(
                        f"moves has two blocks with a move {text!r:.40}: give {name}() a text of its own, "
                        f"as {'!' + example!r}"
                    )
        seen.update(texts)


def check_possible(recipe: Any, made: Any) -> None:
    """Raise BadGame for what is impossible with the default options.

    That is a line that does not fit the board or that nobody has the pieces for, pieces that are never played, and a
    game that is over before it begins.
    """
    context, moves, rules = made.context, made.blocks, made.rules
    _check_lines(recipe, context)
    if not recipe.is_nested:
        _check_played(recipe, context, moves)
        _check_in_hand(recipe, context, moves)
    if recipe.opening:
        with declared_in(recipe, "opening"):
            _check_opening(context, moves, made)
    if rules.outcome(rules.start) != ONGOING:
        end, number = made.end_of(rules.start)
        hint = "" if recipe.opening else "; `opening` puts pieces on the board that can be moved"
        raise BadGame(f"the game is over before it begins: {end.names[number]}{hint}")


def _check_opening(context: Context, moves: Sequence[Move], made: Any) -> None:
    """Raise BadGame for an opening with pieces over gaps, where pieces fall, or with a line that would end the game."""
    start = made.rules.start
    if all(move.falls for move in moves):
        try:
            check_nothing_floats(context.taken_by(start), context.board.rows)
        except BadPosition as error:
            raise BadGame(f"in the opening, {error}") from None
    fields = list(start)
    for layer in context.layers:
        if layer.owner == 0:
            fields[layer.place : layer.place + 2] = reversed(fields[layer.place : layer.place + 2])
    for position in (start, type(start)(*fields)):
        for end in made.ends:
            if lines := end.lines(position) if end.found(position) != ONGOING else ():
                raise BadGame(
                    f"the opening has a line already, {square_name(*lines[0][0])}-{square_name(*lines[0][-1])}"
                )


def _check_lines(recipe: Any, context: Context) -> None:
    """Raise BadGame for a line that is longer than its board."""
    if recipe.is_nested:
        inner = recipe.layout.inner
        with declared_in(recipe, "layout"):
            _check_fits(
                "nested(…, line=", recipe.layout.length, context, context.value(inner.cols), context.value(inner.rows)
            )
    lines = [("ends", number, end) for number, end in enumerate(recipe.ends)]
    for number, block in enumerate(recipe.moves):
        then = context.value(getattr(block, "then", ()))
        lines += [("moves", number, each) for each in (then if isinstance(then, tuple | list) else (then,))]
    for part, number, block in lines:
        if hasattr(block, "length"):
            with declared_in(recipe, part, number):
                _check_fits(_call_of(block), block.length, context, context.board.cols, context.board.rows)


def _call_of(block: Any) -> str:
    """Return a block as it is written up to the length of its line."""
    return f"{type(block).__name__}(…, " if hasattr(block, "amount") else f"{type(block).__name__}("


def _check_fits(call: str, length: Any, context: Context, cols: int, rows: int) -> None:
    many = context.value(length)
    if many > max(cols, rows):
        raise BadGame(
            f"{call}{many}) can never hold on a board of {cols}x{rows}: its longest line has {max(cols, rows)} squares"
        )


def _check_played(recipe: Any, context: Context, moves: Sequence[Move]) -> None:
    if recipe.opening or not all(type(block) in PLAIN_MOVES for block in recipe.moves):
        return
    tools = [move.tool for move in moves]
    kinds = [layer.kind for layer in context.layers if layer.owner != 1]
    for name in [kind.name for kind in kinds] + ["bomb" for counter in context.counters if counter.name == "bombs"]:
        if name not in tools:
            block = (
                "bomb()" if name == "bomb" else f"{'drop' if context.board.cell == 'hole' else 'place'}(…, {name!r})"
            )
            with declared_in(recipe, "moves"):
                raise BadGame(
                    f"no move plays a {name}, which is among the pieces: add {block} to moves, or take it out"
                )


def _check_in_hand(recipe: Any, context: Context, moves: Sequence[Move]) -> None:
    if recipe.opening or not all(move.only_adds for move in moves):
        return
    for number, end in enumerate(recipe.ends):
        if not isinstance(end, line):
            continue
        length = context.value(end.length)
        kinds = {layer.kind: None for layer in context.layers if end.piece in (None, layer.kind.name)}
        for kind in kinds:
            counter = context.counter(kind.plural)
            most = counter.at_start * (2 if kind.is_shared else 1) if counter else length
            if most < length and not kind.number:
                with declared_in(recipe, "ends", number):
                    raise BadGame(
                        f"line({length}) can never hold: there are only {most} {kind.plural} for it, as in_hand says"
                    )
