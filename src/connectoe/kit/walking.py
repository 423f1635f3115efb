"""Moves of a recipe that take a piece from one square to another, and passing."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from connectoe.board import Square, square_name
from connectoe.core.errors import BadGame
from connectoe.core.rules import rule
from connectoe.kit.blocks import ALL_SYMMETRIES, Context, Move, MovePlace, Travels
from connectoe.kit.compose import looked_up
from connectoe.kit.declared import filled
from connectoe.kit.moves import already_taken
from connectoe.kit.rules_by_hand import followed_by
from connectoe.kit.tuples import Rule, mapped, union

STRAIGHT: tuple[Square, ...] = ((0, 1), (1, 0), (0, -1), (-1, 0))
DIAGONAL: tuple[Square, ...] = ((1, 1), (1, -1), (-1, -1), (-1, 1))
WAYS = {"straight": STRAIGHT, "diagonal": DIAGONAL, "all": STRAIGHT + DIAGONAL}


def ways_called(name: str) -> tuple[Square, ...]:
    """Return the ways a piece can go: straight, diagonal or all."""
    if name not in WAYS:
        raise BadGame(f"pieces go {', '.join(WAYS)}, not {name!r}")
    return WAYS[name]


def shifting(context: Context, ways: tuple[Square, ...]) -> Rule:
    """Return the rule that moves a mask back by a number of steps of a way: where a piece must stand to reach it."""
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


def walking_places(
    context: Context, text: str, says: str, ways: tuple[Square, ...], far: int, tool: str
) -> list[MovePlace]:
    """Return a place for each way from each square that stays on the board: first the piece is pressed, then where."""
    board = context.board
    found = []
    for group, (right, up) in enumerate(ways):
        for column, row in board.squares:
            there = column + far * right, row + far * up
            if there in board.squares:
                names = {"from": square_name(column, row), "to": square_name(*there)}
                box = (there[0], board.rows - 1 - there[1], 1, 1)
                words = filled(text, **names), says.format(**names)
                first = (column, board.rows - 1 - row, 1, 1, f"take the {tool} on {names['from']}")
                found.append(MovePlace(group, board.cell_at((column, row)), *words, box, tool, first=first))
    return found


@dataclass
class step:  # noqa: N801 (recipes read like sentences)
    """A piece of the player's goes to a neighbouring empty square: straight, diagonal or in all ways.

    With `captures`, the square may also have a piece of the opponent's, which is taken off the board. `piece` names the
    kind that can go; without it, every kind can.

    >>> step().text
    '{from}{to}'
    """

    text: str = "{from}{to}"
    piece: str | None = None
    ways: Any = "all"
    captures: Any = False
    then: Any = ()

    def bind(self, context: Context) -> Move:
        """Return the move on the recipe's board."""
        return followed_by(self.then, context, _walk(context, self, 1))


@dataclass
class jump:  # noqa: N801
    """A piece of the player's jumps over a neighbouring piece to the empty square behind it.

    With `captures`, it jumps over pieces of the opponent's only, and they are taken off the board. `piece` names the
    kind that can jump; without it, every kind can.

    >>> jump(captures=True).ways
    'all'
    """

    text: str = "{from}{to}"
    piece: str | None = None
    ways: Any = "all"
    captures: Any = False
    then: Any = ()

    def bind(self, context: Context) -> Move:
        """Return the move on the recipe's board."""
        return followed_by(self.then, context, _walk(context, self, 2))


def _walk(context: Context, block: step | jump, far: int) -> Move:
    board, taken, ways = context.board, context.taken, ways_called(context.value(block.ways))
    walkers, captures, is_jump = context.places(0, block.piece), context.value(block.captures), far == 2
    own, opponents = union(walkers), union(context.places(1))
    one, full, tool, name = board.one, board.full, "jump" if is_jump else "step", _name_of(context, block.piece)
    back, reached = shifting(context, ways), targets(context, ways, far)
    captured_at = targets(context, ways, 1)
    on_the_way = opponents if captures else taken

    @rule
    def movable(position: Any, group: int) -> int:
        free = full & ~taken(position)
        if is_jump:
            return own(position) & back(free, group, far) & back(on_the_way(position), group, 1)
        if captures:
            free |= opponents(position)
        return own(position) & back(free, group, far)

    @rule
    def gone(cells: int, square: int) -> int:
        return cells & ~square

    @rule
    def carried(cells: int, squares: int) -> int:
        return cells ^ squares if cells & squares else cells

    carry, take = mapped(carried, walkers), mapped(gone, context.places(1))

    @rule
    def moved(position: Any, group: int, cell: int) -> Any:
        fields = take(position, one << captured_at(cell, group)) if captures else position
        return carry(fields, one << cell | one << reached(cell, group))

    def ends_of(where: MovePlace) -> tuple[Square, Square]:
        return board.square_at(where.cell), board.square_at(reached(where.cell, where.group))

    def why(position: Any, where: MovePlace) -> str:
        start, end = ends_of(where)
        if not own(position) >> where.cell & 1:
            return f"there is no {name} of yours on {square_name(*start)}"
        if context.taken_by(position) >> board.cell_at(end) & 1:
            return already_taken(context, position, board.cell_at(end))
        return f"there is nothing to jump over on the way to {square_name(*end)}"

    def travels(position: Any, where: MovePlace) -> Travels:
        start, end = ends_of(where)
        taken_from = board.square_at(captured_at(where.cell, where.group))
        gone: dict[Square, Square | None] = {taken_from: None} if captures else {}
        return {**gone, start: end}

    return Move(
        tool=tool,
        cells=movable,
        change=moved,
        places=walking_places(context, block.text, f"{tool} from {{from}} to {{to}}", ways, far, name),
        may_do=f"{_WHAT[tool, captures]} with a {name} of yours",
        why_illegal=why,
        last=lambda _, where: list(ends_of(where)),
        groups=len(ways),
        travels=travels,
        moves_pieces=True,
        has_new_piece=True,
        symmetries=ALL_SYMMETRIES,
        can_repeat=True,
    )


_WHAT = {
    ("step", False): "step to an empty square",
    ("step", True): "step to an empty square or one of the opponent's",
    ("jump", False): "jump over a piece",
    ("jump", True): "jump over a piece of the opponent's and take it",
}


def _name_of(context: Context, piece: str | None) -> str:
    """Return what the pieces are called that walk: the name of their kind, if there is one kind only."""
    kinds = dict.fromkeys(layer.kind.name for layer in context.layers)
    return context.kind(piece).name if piece or len(kinds) == 1 else "piece"


@dataclass
class pass_:  # noqa: N801
    """A player who can do nothing else passes; if the opponent cannot either, no move is left.

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
            places=[MovePlace(0, 0, self.text, "pass", (0, board.rows + 0.8, board.cols, 0.6))],
            may_do="pass",
            why_illegal=lambda *_: "a player passes only if there is no other move",
            last=lambda *_: [],
            symmetries=ALL_SYMMETRIES,
            falls=True,
            is_last_resort=True,
        )
