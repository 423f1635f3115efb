"""Moves of a recipe that push or slide rows and columns."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from connectoe.board import Square, square_name
from connectoe.core.rules import rule
from connectoe.kit.blocks import ALL_SYMMETRIES, Context, Move, MovePlace, Travels
from connectoe.kit.rules_by_hand import followed_by
from connectoe.kit.tuples import mapped, replaced, union

PUSHES: dict[str, Square] = {"right": (1, 0), "left": (-1, 0), "up": (0, 1), "down": (0, -1)}
"""The ways a row or column can be pushed, and the step of a piece in it; in this order they are groups 0 to 3."""


def first_square(context: Context, push: str, square: Square) -> Square:
    """Return the square at the end of a line from which it is pushed."""
    board, (column, row) = context.board, square
    return {
        "right": (0, row),
        "left": (board.cols - 1, row),
        "up": (column, 0),
        "down": (column, board.rows - 1),
    }[push]


def squares_between(first: Square, last: Square) -> list[Square]:
    """Return the squares of a row or column from one to another, both included.

    >>> squares_between((0, 2), (2, 2))
    [(0, 2), (1, 2), (2, 2)]
    """
    steps = max(abs(last[0] - first[0]), abs(last[1] - first[1]))
    right, up = ((last[0] > first[0]) - (last[0] < first[0]), (last[1] > first[1]) - (last[1] < first[1]))
    return [(first[0] + right * step, first[1] + up * step) for step in range(steps + 1)]


def line_places(context: Context, text: str, says: str, is_played: Callable[[Square, str], bool]) -> list[MovePlace]:
    """Return a place for each way to push from each square where that can be played."""
    board = context.board
    found = []
    for group, push in enumerate(PUSHES):
        for square in board.squares:
            if is_played(square, push):
                column, row = square
                words = {"square": square_name(*square), "push": push[0], "way": push, "row": row + 1}
                box = (column, board.rows - 1 - row, 1, 1)
                wording = text.format(**words), says.format(**words)
                found.append(MovePlace(group, board.cell_at(square), *wording, box))
    return found


def _pushed_in(context: Context, place: MovePlace) -> MovePlace:
    """Return a push with its presses: where the piece is taken, then where it is pushed in again."""
    board, square = context.board, context.board.square_at(place.cell)
    column, row = first_square(context, list(PUSHES)[place.group], square)
    first = (*place.box, f"take {square_name(*square)} and push it in again")
    return place._replace(box=(column, board.rows - 1 - row, 1, 1), first=first)


@dataclass
class push_row:  # noqa: N801 (recipes read like sentences)
    """A piece at the edge is taken out, and pushed in again as the player's own at another end of its row or column.

    The square must be empty or have a piece of the player's, of the kind that is pushed. What lies between is pushed by
    one square. In a notation, `{square}` is where the piece is taken from, and `{push}` is r, l, u or d: where the row
    or column goes, to the right, left, up or down.

    >>> push_row().text
    '{square}{push}'
    """

    text: str = "{square}{push}"
    piece: str | None = None
    then: Any = ()

    def bind(self, context: Context) -> Move:
        """Return the move on the recipe's board."""
        board, kind = context.board, context.kind(self.piece)
        own = context.layer(kind).place
        others_on = union([layer.place for layer in context.layers if layer.place != own])
        height, put, one = board.height, replaced(own), board.one
        cell_bits, one_cell = board.cell_bits, (1 << board.cell_bits) - 1
        edge = [(x, y) for x, y in board.squares if x in (0, board.cols - 1) or y in (0, board.rows - 1)]
        first_row, one_column, last_column = board.floor, board.first_column, (board.cols - 1) * height

        def is_played(square: Square, push: str) -> bool:
            return square in edge and first_square(context, push, square) != square

        places = line_places(
            context,
            self.text,
            f"take the {kind.name} on {{square}} and push it in again, so that its line goes {{way}}",
            is_played,
        )
        places = [_pushed_in(context, place) for place in places]
        masks = [board.mask(sum(1 << place.cell for place in places if place.group == group)) for group in range(4)]
        to_right, to_left, to_up, to_down = masks

        @rule
        def takeable(position: Any, group: int) -> int:
            cells = (to_right if group == 0 else to_left) if group < 2 else (to_up if group == 2 else to_down)
            return cells & ~others_on(position)

        @rule
        def pushed(cells: int, where: int) -> int:
            group, cell = where >> cell_bits, where & one_cell
            line = first_row << cell % height if group < 2 else one_column << cell - cell % height
            behind = line & (one << cell) - 1 if group == 0 or group == 2 else line & ~((one << cell + 1) - 1)
            step = height if group < 2 else 1
            moving = cells & behind
            moved = moving << step if group == 0 or group == 2 else moving >> step
            return cells & ~(behind | one << cell) | moved

        each = mapped(pushed, [layer.place for layer in context.layers])

        @rule
        def replayed(position: Any, group: int, cell: int) -> Any:
            fields = each(position, group << cell_bits | cell)
            row = cell % height
            horizontal = row if group == 0 else last_column + row
            end = horizontal if group < 2 else (cell - row if group == 2 else cell - row + height - 2)
            return put(fields, fields[own] | one << end)

        def travels(position: Any, where: MovePlace) -> Travels:
            square = board.square_at(where.cell)
            push = list(PUSHES)[where.group]
            right, up = PUSHES[push]
            first = first_square(context, push, square)
            goes = {(x, y): (x + right, y + up) for x, y in squares_between(first, square) if (x, y) != square}
            return {**goes, square: first}

        def last(position: Any, where: MovePlace) -> list[Square]:
            square = board.square_at(where.cell)
            return squares_between(first_square(context, list(PUSHES)[where.group], square), square)

        move = Move(
            tool="push",
            picture="sign ⇒",
            cells=takeable,
            change=replayed,
            places=places,
            may_do=f"take an empty square or a {kind.name} of yours from the edge, and push it in at another end",
            why_illegal=lambda _, where: f"the {kind.name} on {square_name(*board.square_at(where.cell))} is not yours",
            last=last,
            groups=4,
            travels=travels,
            moves_pieces=True,
            symmetries=ALL_SYMMETRIES,
            may_help_opponent=True,
            can_repeat=True,
        )
        return followed_by(self.then, context, move)


@dataclass
class slide_row:  # noqa: N801
    """A whole row goes one square to the right or left; what leaves the board comes in at the other end.

    With `wraps=False` a piece that leaves the board is gone. In a notation, `{row}` is the number of the row and
    `{push}` is r or l.

    >>> slide_row().text
    '{row}{push}'
    """

    text: str = "{row}{push}"
    wraps: Any = True
    then: Any = ()

    def bind(self, context: Context) -> Move:
        """Return the move on the recipe's board."""
        board, taken, wraps = context.board, context.taken, context.value(self.wraps)
        height, across = board.height, (board.cols - 1) * board.height
        cell_bits, one_cell, one = board.cell_bits, (1 << board.cell_bits) - 1, board.one
        full_row = board.floor

        def is_played(square: Square, push: str) -> bool:
            return push in ("right", "left") and square[0] == 0

        places = [
            place._replace(
                box=(0, place.box[1], board.cols, 1),
                tool=f"slide {list(PUSHES)[place.group]}",
                picture=f"sign {'→' if place.group == 0 else '←'}",
            )
            for place in line_places(context, self.text, "slide row {row} to the {way}", is_played)
        ]
        first_column = board.first_column

        @rule
        def with_pieces(position: Any, group: int) -> int:
            pieces, rows = taken(position), 0
            while pieces != 0:
                rows |= pieces & first_column
                pieces >>= height
            return rows

        @rule
        def slid(cells: int, where: int) -> int:
            group, cell = where >> cell_bits, where & one_cell
            line = full_row << cell
            row = cells & line
            if group == 0:
                moved = row << height & line | (row >> across & one << cell if wraps else 0)
            else:
                moved = row >> height & line | (row << across & line & ~(line >> height) if wraps else 0)
            return cells & ~line | moved

        each = mapped(slid, [layer.place for layer in context.layers])

        @rule
        def changed(position: Any, group: int, cell: int) -> Any:
            return each(position, group << cell_bits | cell)

        def travels(position: Any, where: MovePlace) -> Travels:
            row, step = where.cell, 1 if where.group == 0 else -1
            goes: dict[Square, Square | None] = {}
            for column in range(board.cols):
                there = column + step
                inside = 0 <= there < board.cols
                goes[column, row] = (there % board.cols, row) if inside or wraps else None
            return goes

        move = Move(
            tool="slide",
            cells=with_pieces,
            change=changed,
            places=places,
            may_do="slide a row to the right or left",
            why_illegal=lambda _, where: f"row {where.cell + 1} is empty",
            last=lambda _, where: [(column, where.cell) for column in range(board.cols)],
            groups=2,
            travels=travels,
            moves_pieces=True,
            symmetries=frozenset({"left and right", "top and bottom"}),
            may_help_opponent=True,
            can_repeat=True,
        )
        return followed_by(self.then, context, move)
