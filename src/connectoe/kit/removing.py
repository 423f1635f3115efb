"""Two more effects of a recipe: lines that are cleared, and pieces that fall where others are gone."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from connectoe.board import Square
from connectoe.core.rules import rule
from connectoe.kit.blocks import MIRROR, Context, Move, Place, Travels
from connectoe.kit.boards import check_length
from connectoe.kit.tuples import mapped, replaced


@dataclass
class clear:  # noqa: N801 (recipes read like sentences)
    """That many pieces of the player's in line are taken off the board.

    >>> clear(3).length
    3
    """

    length: Any

    def after(self, context: Context, move: Move) -> Move:
        """Return a move after which lines of the player's are cleared."""
        board, kind, change, length = context.board, context.kind(None), move.change, context.value(self.length)
        check_length("clear", length)
        own = context.layer(kind, 0).place
        put, height = replaced(own), board.height
        steps = tuple(step for step in (1, height - 1, height, height + 1) if (length - 1) * step < board.bits)

        @rule
        def cleared(position: Any, group: int, cell: int) -> Any:
            fields = change(position, group, cell)
            pieces, in_line = fields[own], 0
            for step in steps:
                first = pieces  # the pieces that begin a line
                for number in range(1, length):
                    first &= pieces >> number * step
                for number in range(length):
                    in_line |= first << number * step
            return put(fields, pieces & ~in_line)

        return replace(
            move,
            change=cleared,
            may_do=f"{move.may_do}, and clear lines of {length}",
            only_adds=False,
            falls=False,
            can_repeat=True,
        )


@dataclass
class fall:  # noqa: N801
    """Pieces with an empty cell under them fall, in columns.

    >>> fall()
    fall()
    """

    def after(self, context: Context, move: Move) -> Move:
        """Return a move after which pieces fall."""
        board, taken, change = context.board, context.taken, move.change
        full, rows = board.full, board.rows

        @rule
        def sunk(cells: int, over_gaps: int) -> int:
            moving = cells & over_gaps
            return cells & ~moving | moving >> 1

        sink = mapped(sunk, [layer.place for layer in context.layers])

        @rule
        def fallen(position: Any, group: int, cell: int) -> Any:
            fields = change(position, group, cell)
            for _ in range(rows - 1):
                over_gaps = (full & ~taken(fields)) << 1 & full
                for _ in range(rows - 2):
                    over_gaps |= over_gaps << 1 & full
                fields = sink(fields, over_gaps)
            return fields

        def travels(position: Any, where: Place) -> Travels:
            there = context.squares_of(context.taken_by(change(position, where.group, where.cell)))
            goes: dict[Square, Square | None] = dict.fromkeys(context.squares_of(context.taken_by(position)))
            for column, row in there:
                if (column, row) in goes:
                    goes[column, row] = column, sum(1 for x, y in there if x == column and y < row)
            return goes

        return replace(
            move,
            change=fallen,
            may_do=f"{move.may_do}; pieces over a gap fall",
            travels=travels,
            moves_pieces=True,
            symmetries=move.symmetries & {MIRROR},
            may_help_opponent=True,
            only_adds=False,
            falls=True,
        )
