"""Effects of a recipe: what happens on the board after a piece was placed."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from connectoe.board import Square, square_name
from connectoe.core.errors import BadGame
from connectoe.core.rules import rule
from connectoe.kit.blocks import ALL_SYMMETRIES, Box, Context, Move, MovePlace, Travels, followed
from connectoe.kit.compose import looked_up
from connectoe.kit.declared import filled
from connectoe.kit.tuples import Rule, mapped, replaced, union

LARGEST_TURNED = 3
SIGNS = {"l": "↺", "r": "↻"}
"""What shows the way a part is turned."""


@dataclass
class rotate:  # noqa: N801 (recipes read like sentences)
    """A part of the board is turned by a quarter, to the left or to the right.

    The board is divided into parts of `size` x `size` squares. In the notation of the move, `{part}` is the lowest left
    square of the part, and `{way}` is l or r.

    >>> rotate(3).text
    ':{part}{way}'
    """

    size: Any = 3
    text: str = ":{part}{way}"

    def after(self, context: Context, move: Move) -> Move:
        """Return a move that is followed by a turn of a part of the board."""
        board, size = context.board, context.value(self.size)
        if board.cols % size or board.rows % size or size > LARGEST_TURNED:
            raise BadGame(f"a board of {board.cols}x{board.rows} has no parts of {size}x{size} squares to turn")
        corners = [square for square in board.squares if square[0] % size == square[1] % size == 0]
        ways = [(corner, way) for corner in corners for way in ("l", "r")]
        cells, change = move.cells, move.change
        first_cells = looked_up([board.cell_at(corner) for corner, _ in ways])
        turn_part = mapped(turned_part(context, size), [layer.place for layer in context.layers])

        many = len(ways)

        @rule
        def as_before(position: Any, group: int) -> int:
            return cells(position, group // many)

        @rule
        def placed_and_turned(position: Any, group: int, cell: int) -> Any:
            turn = group % many
            return turn_part(change(position, group // many, cell), first_cells(turn) << 1 | turn & 1)

        places = []
        for turn, (corner, way) in enumerate(ways):
            part, words = square_name(*corner), "to the left" if way == "l" else "to the right"
            for place in move.places:
                text = place.text + filled(self.text, part=part, way=way)
                says = f"{place.says} and turn the part at {part} {words}"
                turned = place._replace(group=place.group * many + turn, text=text, says=says)
                middle = board.rows - corner[1] - size / 2
                half = (corner[0] + size / 2 * (way == "r"), middle - 0.5, size / 2, 1)
                places.append(_pressed(turned, place, half, way, f"turn {part} {words}"))

        def before(where: MovePlace) -> MovePlace:
            return where._replace(group=where.group // many)

        def turns(where: MovePlace) -> Travels:
            corner, way = ways[where.group % many]
            return {
                (corner[0] + x, corner[1] + y): _turned(corner, size, x, y, way)
                for x in range(size)
                for y in range(size)
            }

        def travels(position: Any, where: MovePlace) -> Travels:
            return followed(move.travels(position, before(where)) if move.travels else {}, turns(where))

        def last(position: Any, where: MovePlace) -> list[Square]:
            return [turns(where).get(square) or square for square in move.last(position, before(where))]

        return replace(
            move,
            cells=as_before,
            change=placed_and_turned,
            places=places,
            groups=move.groups * many,
            may_do=f"{move.may_do}, then turn a part of the board",
            why_illegal=lambda position, where: move.why_illegal(position, before(where)),
            says=None,
            has_new_piece=False,
            falls=False,
            travels=travels,
            last=last,
            moves_pieces=True,
            symmetries=ALL_SYMMETRIES,
            may_help_opponent=True,
        )


def _pressed(turned: MovePlace, place: MovePlace, half: Box, way: str, tool: str) -> MovePlace:
    """Return a turn that is pressed after the place of its move, to the left or right of the part's middle.

    A move that takes two presses itself leaves none for the turn, which is then a tool.
    """
    if place.first:
        return turned._replace(tool=tool, picture=f"sign {SIGNS[way]}")
    return turned._replace(box=half, first=(*place.box, place.says), sign=SIGNS[way])


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
    """The opponent's pieces between the new piece and another of the player's become the player's.

    >>> flip().must
    True
    """

    must: Any = True
    """Whether only moves that flip something are allowed."""

    def after(self, context: Context, move: Move) -> Move:
        """Return a move that is followed by the flips."""
        return _enclosing(context, move, context.value(self.must), 0, "flip")


@dataclass
class capture:  # noqa: N801
    """The opponent's pieces between the new piece and another of the player's are taken off the board.

    With `many=2`, exactly two in a line are captured, no other number.

    >>> capture(many=2).must
    False
    """

    many: Any = 0
    must: Any = False

    def after(self, context: Context, move: Move) -> Move:
        """Return a move that is followed by the captures."""
        return _enclosing(context, move, context.value(self.must), context.value(self.many), "capture")


def _enclosing(context: Context, move: Move, must: bool, many: int, what: str) -> Move:
    """Return a move that flips or captures the opponent's pieces that it encloses."""
    if not move.has_new_piece:
        raise BadGame(
            f"{what}() looks around the piece that was put on the board or has gone to another square: it follows "
            "drop(), place(), step() or jump(), before rotate(), flip() and fall()"
        )
    if any(layer.kind.is_shared for layer in context.layers):
        raise BadGame(f"{what}() is about pieces of the opponent's, so no kind of piece may be shared")
    board = context.board
    own, other = union(context.places(0)), union(context.places(1))
    full, lowest_bit, cells, change = board.full, board.lowest_bit, move.cells, move.change
    steps = (1, board.rows, board.height, board.height + 1)
    longest = max(board.cols, board.rows)
    take = flipped(context) if what == "flip" else mapped(without, context.places(1))

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
    def enclosed_after(position: Any, fields: Any) -> int:
        return enclosed(own(fields), other(fields), own(fields) & ~own(position))

    @rule
    def enclosing(position: Any, group: int) -> int:
        left, found = cells(position, group), 0
        while left != 0:
            piece = left & -left
            left &= left - 1
            if enclosed_after(position, change(position, group, lowest_bit(piece))) != 0:
                found |= piece
        return found

    @rule
    def changed(position: Any, group: int, cell: int) -> Any:
        fields = change(position, group, cell)
        return take(fields, enclosed_after(position, fields))

    def why_illegal(position: Any, where: MovePlace) -> str:
        if not cells(position, where.group) >> where.cell & 1:
            return move.why_illegal(position, where)
        fields = change(position, where.group, where.cell)
        for layer in context.layers:
            for square in context.squares_of(fields[layer.place] & ~position[layer.place] if layer.owner == 0 else 0):
                return f"a {layer.kind.name} on {square_name(*square)} would {what} nothing"
        return f"that would {what} nothing"

    return replace(
        move,
        cells=enclosing if must else cells,
        change=changed,
        may_do=f"{move.may_do} to {what} pieces between it and another of yours",
        has_new_piece=what == "capture",
        falls=move.falls and what == "flip",
        why_illegal=why_illegal,
        needs_empty_cell=move.needs_empty_cell and not must,
        only_adds=False,
        can_repeat=move.can_repeat or what == "capture",
    )


@rule
def without(cells: int, others: int) -> int:
    """Return the cells that are not among others."""
    return cells & ~others


def flipped(context: Context) -> Rule:
    """Return the rule that gives the opponent's pieces on some cells to the player, each as the same kind."""

    @rule
    def unchanged(fields: Any, taken: int) -> Any:
        return fields

    flip_all: Rule = unchanged
    for kind in dict.fromkeys(layer.kind for layer in context.layers):
        flip_all = _one_kind_flipped(flip_all, context.layer(kind, 0).place, context.layer(kind, 1).place)
    return flip_all


def _one_kind_flipped(others: Rule, own: int, other: int) -> Rule:
    put_own, put_other = replaced(own), replaced(other)

    @rule
    def flipped_too(fields: Any, taken: int) -> Any:
        fields = put_own(others(fields, taken), fields[own] | fields[other] & taken)
        return put_other(fields, fields[other] & ~taken)

    return flipped_too
