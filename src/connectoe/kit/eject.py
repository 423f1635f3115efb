"""A recipe written out as the plain one-file game that it stands for."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING

from connectoe.core.wide import WidePosition
from connectoe.kit.folded import INDENT, WIDTH, folded
from connectoe.kit.nested_recipe import NestedRecipe
from connectoe.kit.written import Writer

if TYPE_CHECKING:
    from connectoe.kit.recipe import Made, Recipe

RULES = ("legal_moves", "play", "outcome", "player", "ending", "pick", "pack", "unpack", "observe")
ABOUT_SMALL_BOARDS = frozenset(f"connectoe.kit.{name}" for name in ("moves", "resting", "tuples", "effects"))
CLASS = '''class {class_name}(Game):
    """{summary}"""

    id = {id!r}
    name = {name!r}
    summary = {summary!r}
    move_help = {move_help!r}
    symbols = {symbols!r}
    endings = {endings!r}
    tools = {tools!r}
    tool_pictures: ClassVar = {tool_pictures!r}
    special_moves: ClassVar = {special_moves!r}
    can_repeat = {can_repeat!r}
    make_rules = staticmethod(rules)

    def notation(self):
        """The texts of the moves."""
        return [text for text, *_ in MOVES]

    def planes(self):
        """The names of the planes that `observe` fills."""
        return {planes!r}

    def scene(self, position, last=None):
        """The pieces on the board, the last move, and where each legal move is pressed."""
        scene = Scene(self.symbols)
{pieces}        if last:
            _, _, _, box, first, sign = MOVES[last.move]
            scene.highlights.append(Highlight("last", *(first[:4] if sign else box)))
        if outcome(position) == ONGOING:
            for move in legal_moves(position):
                text, tool, says, box, first, sign = MOVES[move]
                scene.targets.append(Target(text, *box, tool, says, Place(*first) if first else None, sign))
        return scene
'''

ON_A_GRID = """\
        scene.add_grid({cols}, {rows}, {cell!r})
        for mask, name, kind, owner, text, size in pieces(position):
            for square in cells_of(mask, {rows}):
                place = scene.middle(*square)
                scene.pieces.append(Piece(f"{{name}}-{{square_name(*square)}}", *place, kind, owner, text, size=size))
"""
ON_BOARDS = """\
        scene.panels.append(Panel(0, 0, {width}, {height}))
        for field, bit, x, y, name in SQUARES:
            scene.cells.append(Cell(x, y, {cell!r}))
            for owner in (0, 1):
                if position[field + {words} * (owner ^ position.turn)] >> bit & 1:
                    scene.pieces.append(Piece(f"{kind}-{{name}}", x, y, {look!r}, owner))
"""


def ejected(game: Recipe) -> str:
    """Return the source of the plain game that a recipe stands for, with the options it was loaded with."""
    made = game.made_to_be_read()
    small = ABOUT_SMALL_BOARDS if isinstance(game, NestedRecipe) else frozenset()
    writer = Writer(made.context.fields, type(made.rules.start), small)
    for name in RULES:
        function = getattr(made.rules, name)
        if function is not None:
            writer.add(function, name)
    mirrors = [f"mirror_{number}" for number in range(1, len(made.rules.mirrors) + 1)]
    for name, mirror in zip(mirrors, made.rules.mirrors, strict=True):
        writer.add(mirror, name)
    head, body = "\n".join(_head(game, writer)), "\n".join([*_rules(made, writer, mirrors), *_look(game, made)])
    return "\n".join([head, *(part for line in body.splitlines() for part in folded(line)), ""])


def _head(game: Recipe, writer: Writer) -> Iterator[str]:
    module = sys.modules[type(game).__module__]
    yield f'"""{(module.__doc__ or game.summary).strip()}'
    chosen = f" with {game.options_text}" if game.options else ""
    yield f'\nWritten out from the recipe of {game.name}{chosen}.\n"""\n'
    yield "from typing import ClassVar, NamedTuple\n"
    writer.imports.setdefault("connectoe", set()).update({"ONGOING", "Game", "Planes", "Rules", "rule"})
    writer.imports.setdefault("connectoe.board", set()).update({"cells_of", "square_name"})
    if isinstance(game.made.rules.start, WidePosition):
        writer.imports["connectoe.core.wide"] = {"sized", "widened"}
    writer.imports["connectoe.scene"] = {"Cell", "Highlight", "Panel", "Piece", "Place", "Scene", "Target"}
    for module_name, names in sorted(writer.imports.items()):
        imported = f"from {module_name} import {', '.join(sorted(names))}"
        if len(imported) > WIDTH:
            imported = "\n".join([f"from {module_name} import (", *(f"{INDENT}{name}," for name in sorted(names)), ")"])
        yield imported
    yield ""


def _rules(made: Made, writer: Writer, mirrors: list[str]) -> Iterator[str]:
    is_wide = isinstance(made.rules.start, WidePosition)
    if is_wide:
        yield f"BITS = {made.context.board.bits}"
    yield from writer.constant_lines()
    yield "\n\nclass Position(NamedTuple):"
    yield '    """What is on the board, what the players have, and whose turn it is."""\n'
    yield from (f"    {name}: int" for name in made.context.fields)
    if is_wide:
        names = ", ".join(map(repr, made.rules.start.wide_fields))
        yield f"\n\nWidePosition = widened(Position, BITS, {names})  # whose boards take several words"
    for text in writer.function_texts():
        yield f"\n\n{text}"
    given = [f"{name}={name}" for name in RULES if getattr(made.rules, name) is not None]
    given += [f"mirrors=({', '.join(mirrors)},)"] if mirrors else []
    start = ", ".join(str(field) for field in made.rules.start)
    made_with = ", ".join([f"{writer.position_name}({start})", *given])
    yield f'\n\ndef rules():\n    """The rules."""\n    return Rules({made_with})'


def _look(game: Recipe, made: Made) -> Iterator[str]:
    yield "\n\nMOVES = ("
    for block, place in made.moves:
        yield f"    {(place.text, place.tool or block.tool, place.says, place.box, place.first, place.sign)!r},"
    yield ")"
    board = made.context.board
    if isinstance(game, NestedRecipe):
        yield "SQUARES = ("
        yield from (f"    {square!r}," for square in game.where_pieces_are())
        yield ")\n\n"
        pieces = game.boards_as_text(ON_BOARDS)
    else:
        yield from _pieces(made)
        pieces = ON_A_GRID.format(cols=board.cols, rows=board.rows, cell=board.cell)
    yield CLASS.format(
        class_name=type(game).__name__,
        id=game.id,
        name=game.name,
        summary=game.summary,
        move_help=game.move_help,
        symbols=game.symbols,
        endings=game.endings,
        tools=game.tools,
        tool_pictures=dict(game.tool_pictures),
        special_moves=dict(game.special_moves),
        can_repeat=game.can_repeat,
        planes=made.planes,
        pieces=pieces,
    )


def _pieces(made: Made) -> Iterator[str]:
    yield "\n\ndef pieces(position):"
    yield '    """The cells of each kind of piece, its name, its look, its owner, its text and its size."""'
    yield "    return ("
    for layer in made.context.layers:
        kind, owner = layer.kind, f"position.turn ^ {layer.owner}"
        shown = repr(kind.shown_as) if layer.owner is None else owner
        text = repr(str(kind.number or "") if kind.shown_as is None else kind.signs)
        if layer.owner is not None and kind.size < 1:
            text = f"{made.context.symbols!r}[{owner}].lower()"
        field, look = made.context.fields[layer.place], f"{kind.look!r}, {shown}, {text}, {kind.size}"
        yield f"        (position.{field}, {kind.name!r}, {look}),"
    yield "    )\n\n"
