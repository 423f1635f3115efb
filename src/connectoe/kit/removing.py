"""Two more effects of a recipe: lines that are cleared, and pieces that fall where others are gone."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from connectoe.board import Square
from connectoe.core.rules import rule
from connectoe.kit.blocks import MIRROR, Context, Move, MovePlace, Travels
from connectoe.kit.boards import check_length
from connectoe.kit.tuples import mapped


@dataclass
class clear:  # noqa: N801 (recipes read like sentences)
    """That many pieces of the player's of one kind in line are taken off the board.

    >>> clear(3).length
    3
    """

    length: Any
    piece: str | None = None

    def after(self, context: Context, move: Move) -> Move:
        """Return a move after which lines of the player's are cleared."""
        board, change, length = context.board, move.change, context.value(self.length)
        check_length("clear", length)
        height = board.height
        steps = tuple(step for step in (1, height - 1, height, height + 1) if (length - 1) * step < board.bits)

        @rule
        def without_lines(pieces: int, _: int) -> int:
            in_line = 0
            for step in steps:
                first = pieces  # the pieces that begin a line
                for number in range(1, length):
                    first &= pieces >> number * step
                for number in range(length):
                    in_line |= first << number * step
            return pieces & ~in_line

        clear_each = mapped(without_lines, context.places(0, self.piece))

        @rule
        def cleared(position: Any, group: int, cell: int) -> Any:
            return clear_each(change(position, group, cell), 0)

        return replace(
            move,
            change=cleared,
            may_do=f"{move.may_do}, and clear lines of {length}",
            only_adds=False,
            has_new_piece=False,
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

        def travels(position: Any, where: MovePlace) -> Travels:
            there = context.squares_of(context.taken_by(change(position, where.group, where.cell)))
            before = move.travels(position, where) if move.travels else {}
            goes: dict[Square, Square | None] = {}
            for start in context.squares_of(context.taken_by(position)):
                column, row = before.get(start, start) or (-1, -1)
                below = sum(1 for x, y in there if x == column and y < row)
                goes[start] = (column, below) if (column, row) in there else None
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
            has_new_piece=False,
            falls=True,
        )
