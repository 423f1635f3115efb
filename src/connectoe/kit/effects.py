"""Effects of a recipe: what happens on the board after a piece was placed."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from connectoe.board import Square, square_name
from connectoe.core.errors import BadGame
from connectoe.core.rules import rule
from connectoe.kit.blocks import ALL_SYMMETRIES, Context, Move, Place, Travels
from connectoe.kit.compose import looked_up
from connectoe.kit.tuples import Rule, mapped, replaced

LARGEST_TURNED = 3


@dataclass
class rotate:  # noqa: N801 (recipes read like sentences)
    """A part of the board is turned by a quarter, to the left or to the right.

    The board is divided into parts of `size` x `size` squares. In the notation of the move, `{part}` is the lowest left
    square of the part, and `{way}` is l or r.

    >>> rotate(3).text
    ':{part}{way}'
    """

    size: int = 3
    text: str = ":{part}{way}"

    def after(self, context: Context, move: Move) -> Move:
        """Return a move that is followed by a turn of a part of the board."""
        board, size = context.board, self.size
        if board.cols % size or board.rows % size or size > LARGEST_TURNED:
            raise BadGame(f"a board of {board.cols}x{board.rows} has no parts of {size}x{size} squares to turn")
        corners = [square for square in board.squares if square[0] % size == square[1] % size == 0]
        ways = [(corner, way) for corner in corners for way in ("l", "r")]
        cells, change = move.cells, move.change
        first_cells = looked_up([board.cell_at(corner) for corner, _ in ways])
        turn_part = mapped(turned_part(context, size), [layer.place for layer in context.layers])

        @rule
        def as_before(position: Any, group: int) -> int:
            return cells(position, 0)

        @rule
        def placed_and_turned(position: Any, group: int, cell: int) -> Any:
            return turn_part(change(position, 0, cell), first_cells(group) << 1 | group & 1)

        places = []
        for group, (corner, way) in enumerate(ways):
            part, words = square_name(*corner), "to the left" if way == "l" else "to the right"
            for place in move.places:
                text = place.text + self.text.format(part=part, way=way)
                says = f"{place.says} and turn the part at {part} {words}"
                places.append(Place(group, place.cell, text, says, place.box, f"turn {part} {words}"))

        def travels(position: Any, where: Place) -> Travels:
            corner, way = ways[where.group]
            return {
                (corner[0] + x, corner[1] + y): _turned(corner, size, x, y, way)
                for x in range(size)
                for y in range(size)
            }

        def last(position: Any, where: Place) -> list[Square]:
            square = board.square_at(where.cell)
            return [travels(position, where).get(square) or square]

        return replace(
            move,
            cells=as_before,
            change=placed_and_turned,
            places=places,
            groups=len(ways),
            may_do=f"{move.may_do}, then turn a part of the board",
            travels=travels,
            last=last,
            moves_pieces=True,
            symmetries=ALL_SYMMETRIES,
            may_help_opponent=True,
        )


def _turned(corner: Square, size: int, x: int, y: int, way: str) -> Square:
    """Return where a square of a part goes, given by its distance from the lowest left one."""
    x, y = (size - 1 - y, x) if way == "l" else (y, size - 1 - x)
    return corner[0] + x, corner[1] + y


def turned_part(context: Context, size: int) -> Rule:
    """Return the rule that turns a part of a mask, given its first cell, times 2, plus 1 to turn it to the right."""
    height, side = context.board.height, context.board.mask((1 << size) - 1)
    table = []
    for way in ("l", "r"):
        for squares in range(1 << size * size):
            found = 0
            for x in range(size):
                for y in range(size):
                    if squares >> (x * size + y) & 1:
                        to_x, to_y = _turned((0, 0), size, x, y, way)
                        found |= 1 << (to_x * size + to_y)
            table.append(found)
    after_turn, many = looked_up(table), 1 << size * size

    @rule
    def turned(cells: int, where: int) -> int:
        first, squares = where >> 1, 0
        for column in range(size):
            squares |= (cells >> (first + column * height) & side) << column * size
            cells &= ~(side << (first + column * height))
        squares = after_turn((where & 1) * many + int(squares))
        for column in range(size):
            cells |= (squares >> column * size & side) << (first + column * height)
        return cells

    return turned


@dataclass
class flip:  # noqa: N801
    """Pieces of the opponent's between the new piece and another of the player's become the player's.

    >>> flip().must
    True
    """

    must: bool = True
    """Whether only moves that flip something are allowed."""

    def after(self, context: Context, move: Move) -> Move:
        """Return a move that is followed by the flips."""
        return _enclosing(context, move, self.must, 0, "flip")


@dataclass
class capture:  # noqa: N801
    """Pieces of the opponent's between the new piece and another of the player's are taken off the board.

    With `many=2`, exactly that many in a line are captured, no other number.

    >>> capture(many=2).must
    False
    """

    many: int = 0
    must: bool = False

    def after(self, context: Context, move: Move) -> Move:
        """Return a move that is followed by the captures."""
        return _enclosing(context, move, self.must, self.many, "capture")


def _enclosing(context: Context, move: Move, must: bool, many: int, what: str) -> Move:
    """Return a move that flips or captures pieces of the opponent's that it encloses."""
    board, kind = context.board, context.kind(None)
    own, other = context.layer(kind, 0).place, context.layer(kind, 1).place
    one, full, cells, change = board.one, board.full, move.cells, move.change
    steps = (1, board.rows, board.height, board.height + 1)
    longest, keeps = max(board.cols, board.rows), what == "flip"
    put_own, put_other = replaced(own), replaced(other)

    @rule
    def enclosed(mine: int, theirs: int, piece: int) -> int:
        """The pieces between a piece and the next of the same player, in all eight directions."""
        found = 0
        for step in steps:
            for way in (0, 1):
                run, here, length = 0, piece, 0
                for _ in range(longest):
                    here = (here << step if way else here >> step) & full
                    if here & theirs == 0:
                        break
                    run |= here
                    length += 1
                if here & mine and (many == 0 or length == many):
                    found |= run
        return found

    @rule
    def enclosing(position: Any, group: int) -> int:
        left, found = cells(position, group), 0
        while left != 0:
            piece = left & -left
            left &= left - 1
            if enclosed(position[own], position[other], piece) != 0:
                found |= piece
        return found

    @rule
    def changed(position: Any, group: int, cell: int) -> Any:
        taken = enclosed(position[own], position[other], one << cell)
        fields = change(position, group, cell)
        fields = put_other(fields, fields[other] & ~taken)
        return put_own(fields, fields[own] | taken) if keeps else fields

    why = move.why_illegal

    def why_illegal(position: Any, where: Place) -> str:
        if must and not context.taken_by(position) >> where.cell & 1:
            return f"a {kind.name} on {square_name(*board.square_at(where.cell))} would {what} nothing"
        return why(position, where)

    return replace(
        move,
        cells=enclosing if must else cells,
        change=changed,
        may_do=f"{move.may_do} to {what} pieces between it and another of yours",
        why_illegal=why_illegal,
        needs_empty_cell=move.needs_empty_cell and not must,
        only_adds=False,
        can_repeat=not keeps,
    )
