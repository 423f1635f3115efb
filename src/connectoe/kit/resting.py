"""Two more moves of a recipe: a disc that passes other pieces as it falls, and a light that changes to the next
kind.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from connectoe.board import square_name
from connectoe.core.errors import BadGame
from connectoe.core.rules import rule
from connectoe.kit.blocks import ALL_SYMMETRIES, MIRROR, Context, Move, MovePlace, limited_by
from connectoe.kit.moves import already_taken, square_places
from connectoe.kit.rules_by_hand import followed_by
from connectoe.kit.tuples import Rule, replaced, union

OTHERS, ALL = "others", "all"


@dataclass
class drop_through:  # noqa: N801 (recipes read like sentences)
    """A piece is dropped and comes to rest on a cell with the floor or any piece right under it.

    It passes pieces of "others" kinds, but not of its own, or "all" pieces, as `passes` says. So a column can offer
    several cells, and a move names the cell.

    >>> drop_through().passes
    'others'
    """

    text: str = "{square}"
    piece: str | None = None
    passes: Any = OTHERS
    then: Any = ()

    def bind(self, context: Context) -> Move:
        """Return the move on the recipe's board."""
        board, taken, passes = context.board, context.taken, context.value(self.passes)
        if passes not in (OTHERS, ALL):
            raise BadGame(f'drop_through takes passes="others" or passes="all", not {passes!r}')
        kind = context.kind(self.piece)
        layer, passes_all = context.layer(kind).place, passes == ALL
        alike = union([found.place for found in context.layers if found.kind == kind])
        put, one, full, floor, rows = replaced(layer), board.one, board.full, board.floor, board.rows

        @rule
        def resting(position: Any, group: int) -> int:
            pieces = taken(position)
            cells = (pieces << 1 | floor) & full & ~pieces
            if passes_all:
                return cells
            under = alike(position) >> 1 & full
            for _ in range(rows - 2):
                under |= under >> 1 & full
            return cells & ~under

        @rule
        def dropped(position: Any, group: int, cell: int) -> Any:
            return put(position, position[layer] | one << cell)

        def why(position: Any, where: MovePlace) -> str:
            column, row = board.square_at(where.cell)
            name = square_name(column, row)
            if row and not context.taken_by(position) >> (where.cell - 1) & 1:
                return f"a {kind.name} cannot rest on {name}: nothing is under it"
            return f"a {kind.name} cannot pass another {kind.name} to {name}"

        move = Move(
            tool=kind.name,
            cells=resting,
            change=dropped,
            places=square_places(context, self.text, f"drop a {kind.name} that rests on {{square}}"),
            may_do=f"drop a {kind.name}",
            why_illegal=lambda position, where: already_taken(context, position, where.cell) or why(position, where),
            last=lambda _, where: [board.square_at(where.cell)],
            symmetries=frozenset({MIRROR}),
            fills_gaps_with=kind.name,
            only_adds=True,
            has_new_piece=True,
        )
        move = followed_by(self.then, context, move)
        return limited_by(move, context.counter(kind.plural), context, kind.name)


@dataclass
class turn:  # noqa: N801
    """A square changes to the next kind of piece: from empty to the first, and from each kind to the next.

    >>> turn().text
    '{square}'
    """

    text: str = "{square}"
    then: Any = ()

    def bind(self, context: Context) -> Move:
        """Return the move on the recipe's board."""
        if not all(layer.kind.is_shared for layer in context.layers):
            raise BadGame("turn() takes a square from one shared kind to the next: pieces = lights(), for example")
        board, taken, layers = context.board, context.taken, context.layers
        first, last, one, full = layers[0].place, layers[-1].place, board.one, board.full
        put, step_on = replaced(first), steps_on([layer.place for layer in layers])

        @rule
        def unfinished(position: Any, group: int) -> int:
            return full & ~position[last]

        @rule
        def turned(position: Any, group: int, cell: int) -> Any:
            square = one << cell
            fields = step_on(position, square)
            return put(fields, fields[first] | square & ~taken(position))

        def says(position: Any, where: MovePlace) -> str:
            name = square_name(*board.square_at(where.cell))
            for layer, following in pairwise(layers):
                if position[layer.place] >> where.cell & 1:
                    return f"turn the {layer.kind.name} on {name} into a {following.kind.name}"
            return f"put a {layers[0].kind.name} on {name}"

        def why(_: Any, where: MovePlace) -> str:
            kind = layers[-1].kind.name
            return f"there is a {kind} on {square_name(*board.square_at(where.cell))}, and it stays"

        chain = " into a ".join(layer.kind.name for layer in layers)
        move = Move(
            tool=layers[0].kind.name.split()[-1],
            cells=unfinished,
            change=turned,
            places=square_places(context, self.text, "change {square} to the next kind"),
            may_do=f"put a {layers[0].kind.name} on an empty square, or turn a {chain}",
            why_illegal=why,
            last=lambda _, where: [board.square_at(where.cell)],
            says=says,
            symmetries=ALL_SYMMETRIES,
        )
        return followed_by(self.then, context, move)


def steps_on(places: Sequence[int]) -> Rule:
    """Return the rule that moves a cell from each mask to the next, the last first."""

    @rule
    def unchanged(fields: Any, square: int) -> Any:
        return fields

    made: Rule = unchanged
    for here, following in pairwise(places):
        made = _one_step(made, here, following)
    return made


def _one_step(rest: Rule, here: int, following: int) -> Rule:
    put_here, put_following = replaced(here), replaced(following)

    @rule
    def stepped(fields: Any, square: int) -> Any:
        moved = put_following(fields, fields[following] | fields[here] & square)
        return rest(put_here(moved, fields[here] & ~square), square)

    return stepped
