"""Moves of a recipe that take a piece from one square to another, and passing."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from connectoe.board import Square, square_name
from connectoe.core.errors import BadGame
from connectoe.core.rules import rule
from connectoe.kit.blocks import ALL_SYMMETRIES, Context, Move, Place, Travels
from connectoe.kit.compose import looked_up
from connectoe.kit.declared import filled
from connectoe.kit.tuples import Rule, replaced

STRAIGHT: tuple[Square, ...] = ((0, 1), (1, 0), (0, -1), (-1, 0))
DIAGONAL: tuple[Square, ...] = ((1, 1), (1, -1), (-1, -1), (-1, 1))
WAYS = {"straight": STRAIGHT, "diagonal": DIAGONAL, "all": STRAIGHT + DIAGONAL}


def ways_called(name: str) -> tuple[Square, ...]:
    """Return the ways a piece can go: straight, diagonal or all."""
    if name not in WAYS:
        raise BadGame(f"pieces go {', '.join(WAYS)}, not {name!r}")
    return WAYS[name]


def shifting(context: Context, ways: tuple[Square, ...]) -> Rule:
    """Return the rule that moves a mask back by a number of steps of a way: where one must stand to reach it."""
    sizes = [right * context.board.height + up for right, up in ways]
    size, is_up = looked_up([abs(size) for size in sizes]), looked_up([int(size > 0) for size in sizes])

    @rule
    def moved_back(cells: int, group: int, steps: int) -> int:
        return cells >> steps * size(group) if is_up(group) else cells << steps * size(group)

    return moved_back


def targets(context: Context, ways: tuple[Square, ...], far: int) -> Rule:
    """Return the rule for the cell that a piece reaches."""
    sizes = [far * (right * context.board.height + up) + 128 for right, up in ways]
    size = looked_up(sizes)

    @rule
    def reached(cell: int, group: int) -> int:
        return cell + size(group) - 128

    return reached


def walking_places(context: Context, text: str, says: str, ways: tuple[Square, ...], far: int) -> list[Place]:
    """Return a place for each way from each square that stays on the board: first the piece is pressed, then where."""
    board, tool = context.board, context.kind(None).name
    found = []
    for group, (right, up) in enumerate(ways):
        for column, row in board.squares:
            there = column + far * right, row + far * up
            if there in board.squares:
                names = {"from": square_name(column, row), "to": square_name(*there)}
                box = (there[0], board.rows - 1 - there[1], 1, 1)
                told = filled(text, **names), says.format(**names)
                first = (column, board.rows - 1 - row, 1, 1, f"take the {tool} on {names['from']}")
                found.append(Place(group, board.cell_at((column, row)), *told, box, tool, first=first))
    return found


@dataclass
class step:  # noqa: N801 (recipes read like sentences)
    """A piece of the player's goes to a neighbouring empty square: straight, diagonal or in all ways.

    >>> step().text
    '{from}{to}'
    """

    text: str = "{from}{to}"
    ways: str = "all"

    def bind(self, context: Context) -> Move:
        """Return the move on the recipe's board."""
        return _walk(context, self.text, self.ways, 1, "step", captures=False)


@dataclass
class jump:  # noqa: N801
    """A piece of the player's jumps over a neighbouring piece to the empty square behind it.

    With `captures`, it jumps over pieces of the opponent's only, and they are taken off the board.

    >>> jump(captures=True).ways
    'all'
    """

    text: str = "{from}{to}"
    ways: str = "all"
    captures: bool = False

    def bind(self, context: Context) -> Move:
        """Return the move on the recipe's board."""
        return _walk(context, self.text, self.ways, 2, "jump", self.captures)


def _walk(context: Context, text: str, name: str, far: int, tool: str, captures: bool) -> Move:
    board, taken, kind, ways = context.board, context.taken, context.kind(None), ways_called(name)
    own, other = context.layer(kind, 0).place, context.layer(kind, 1).place
    one, full, put_own, put_other = board.one, board.full, replaced(own), replaced(other)
    back, reached, half = shifting(context, ways), targets(context, ways, far), targets(context, ways, 1)
    is_jump = far == 2

    @rule
    def movable(position: Any, group: int) -> int:
        pieces = taken(position)
        cells = position[own] & back(full & ~pieces, group, far)
        if is_jump:
            cells &= back(position[other] if captures else pieces, group, 1)
        return cells

    @rule
    def moved(position: Any, group: int, cell: int) -> Any:
        fields = put_own(position, position[own] ^ one << cell ^ one << reached(cell, group))
        return put_other(fields, fields[other] & ~(one << half(cell, group))) if captures else fields

    def ends_of(where: Place) -> tuple[Square, Square]:
        return board.square_at(where.cell), board.square_at(reached(where.cell, where.group))

    def why(position: Any, where: Place) -> str:
        start, end = ends_of(where)
        if not position[own] >> where.cell & 1:
            return f"there is no {kind.name} of yours on {square_name(*start)}"
        if context.taken_by(position) >> board.cell_at(end) & 1:
            return f"there is a {kind.name} on {square_name(*end)} already"
        return f"there is nothing to jump over on the way to {square_name(*end)}"

    def travels(position: Any, where: Place) -> Travels:
        start, end = ends_of(where)
        gone: dict[Square, Square | None] = {board.square_at(half(where.cell, where.group)): None} if captures else {}
        return {**gone, start: end}

    return Move(
        tool=tool,
        picture="sign →",
        cells=movable,
        change=moved,
        places=walking_places(context, text, f"{tool} from {{from}} to {{to}}", ways, far),
        may_do=f"{'jump over a piece' if is_jump else 'step to an empty square'} with a {kind.name} of yours",
        why_illegal=why,
        last=lambda _, where: list(ends_of(where)),
        groups=len(ways),
        travels=travels,
        moves_pieces=True,
        symmetries=ALL_SYMMETRIES,
        can_repeat=True,
    )


@dataclass
class pass_:  # noqa: N801
    """A player who can do nothing else passes; if the opponent could do nothing either, no move is left.

    >>> pass_().text
    'pass'
    """

    text: str = "pass"

    def bind(self, context: Context) -> Move:
        """Return the move on the recipe's board."""
        board = context.board

        @rule
        def always(position: Any, group: int) -> int:
            return 1

        @rule
        def passed(position: Any, group: int, cell: int) -> Any:
            return position[:-1] + position[-1:]

        return Move(
            tool="pass",
            picture="sign –",
            cells=always,
            change=passed,
            places=[Place(0, 0, self.text, "pass", (0, board.rows + 0.8, board.cols, 0.6))],
            may_do="pass",
            why_illegal=lambda *_: "a player passes only if there is no other move",
            last=lambda *_: [],
            symmetries=ALL_SYMMETRIES,
            falls=True,
            is_last_resort=True,
        )
