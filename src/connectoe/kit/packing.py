"""What engines may use of a recipe beyond its rules: packed positions, mirrors, and planes for learning players."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from typing import Any

from connectoe.board import make_image, show, stacked, unstacked
from connectoe.core.rules import Planes, Rules, rule
from connectoe.kit.blocks import DIAGONAL, FLIP, MIRROR, Context
from connectoe.kit.boards import Board
from connectoe.kit.tuples import Rule, mapped, results

MOST = 1 << 62


def with_packing(rules: Rules, context: Context, symmetries: frozenset[str], all_fall: bool) -> Rules:
    """Return the rules with `mirrors`, and with `pack` and `unpack` if positions fit into one int."""
    rules = rules._replace(mirrors=mirrors(context, symmetries))
    layers = len(context.layers)
    if all_fall and [layer.owner for layer in context.layers] == [0, 1]:
        most = 1 << context.board.cols * context.board.height
        join, part = stacked_pieces(context.board)
    else:
        most = (layers + 1) ** len(context.board.squares)
        join, part = digits_of_cells(context.board, layers)
    counts = [counter.most + 1 for counter in context.counters for _ in (0, 1)] + [2]
    for base in counts:
        most *= base
    if most > MOST:
        return rules
    for number, base in enumerate(counts):
        join, part = with_count(join, part, layers + number, base)
    position_class, pack = context.position_class, join

    @rule
    def unpack(packed: int) -> Any:
        return position_class(*part(packed))

    return rules._replace(pack=pack, unpack=unpack)


def stacked_pieces(board: Board) -> tuple[Rule, Rule]:
    """Return the rules that put the pieces of two players in columns without gaps into one int, and back."""
    full, rows = board.full, board.rows

    @rule
    def join(position: Any) -> int:
        return stacked(position[0], position[1])

    @rule
    def part(packed: int) -> Any:
        return unstacked(packed, full, rows)

    return join, part


def digits_of_cells(board: Board, layers: int) -> tuple[Rule, Rule]:
    """Return the rules that write every cell as a digit, 0 if it is empty, and back."""
    base, full, bits = layers + 1, board.full, board.cols * board.height
    digit_at = digit(layers - 1)

    @rule
    def join(position: Any) -> int:
        packed = 0
        for cell in range(bits - 1, -1, -1):
            if full >> cell & 1:
                packed = packed * base + digit_at(position, cell)
        return packed

    def cells_with(sign: int) -> Rule:
        @rule
        def mask(packed: int) -> int:
            found = 0
            for cell in range(bits):
                if full >> cell & 1:
                    if packed % base == sign:
                        found |= 1 << cell
                    packed //= base
            return found

        return mask

    return join, results([cells_with(sign) for sign in range(1, base)])


def digit(layer: int) -> Rule:
    """Return the rule for what is on a cell: the number of its layer among the first ones, from 1, or 0."""

    @rule
    def first(position: Any, cell: int) -> int:
        return position[0] >> cell & 1

    if layer == 0:
        return first
    before, sign = digit(layer - 1), layer + 1

    @rule
    def later(position: Any, cell: int) -> int:
        return before(position, cell) + sign * (position[layer] >> cell & 1)

    return later


def with_count(join: Rule, part: Rule, place: int, base: int) -> tuple[Rule, Rule]:
    """Return the rules that pack a number below `base` too, which is the field at this place."""

    @rule
    def joined(position: Any) -> int:
        return join(position) * base + position[place]

    @rule
    def parted(packed: int) -> Any:
        return part(packed // base) + (packed % base,)  # noqa: RUF005 (stars do not compile here)

    return joined, parted


def mirrors(context: Context, symmetries: frozenset[str]) -> tuple[Rule, ...]:
    """Return the mirror images of a position by the symmetries that all blocks respect."""
    board, places = context.board, [layer.place for layer in context.layers]
    possible = symmetries if board.cols == board.rows else symmetries - {DIAGONAL}
    position_class = context.position_class

    def image(ways: tuple[bool, ...]) -> Rule:
        look = make_image(board.cols, board.rows, *ways)

        @rule
        def seen(cells: int, _: int) -> int:
            return look(cells)

        each = mapped(seen, places)

        @rule
        def mirrored(position: Any) -> Any:
            return position_class(*each(position, 0))

        return mirrored

    choices = [(False, True) if swap in possible else (False,) for swap in (MIRROR, FLIP, DIAGONAL)]
    return tuple(image(ways) for ways in product(*choices) if any(ways))


def observing(context: Context) -> tuple[Rule, Planes]:
    """Return the rule `observe`, and the names of the planes it fills."""
    board = context.board
    cols, rows = board.cols, board.rows
    names: list[str] = []

    def shown(place: int, plane: int, partner: int) -> Rule:
        @rule
        def show_layer(position: Any, viewer: int, planes: Any) -> None:
            show(position[place], planes, plane if viewer == position[-1] else partner, cols, rows)

        return show_layer

    def counted(place: int, plane: int, partner: int) -> Rule:
        @rule
        def tell_count(position: Any, viewer: int, planes: Any) -> None:
            planes[plane if viewer == position[-1] else partner] = position[place]

        return tell_count

    steps = []
    for layer in context.layers:
        plane = len(names)
        partner = plane if layer.owner is None else plane + 1 if layer.owner == 0 else plane - 1
        steps.append(shown(layer.place, plane, partner))
        names.append(("own " if layer.owner == 0 else "opponent's " if layer.owner else "") + layer.kind.plural)
    for counter in context.counters:
        plane = len(names)
        steps += [counted(counter.place, plane, plane + 1), counted(counter.place + 1, plane + 1, plane)]
        names += [f"own {counter.says}", f"opponent's {counter.says}"]
    highest = max([1, *(counter.at_start for counter in context.counters)])
    return all_steps(steps), Planes(tuple(names), rows, cols, highest=highest)


def all_steps(steps: Sequence[Rule]) -> Rule:
    """Return the rule that fills planes by several rules, one after the other."""
    first, *rest = steps
    if not rest:
        return first
    others = all_steps(rest)

    @rule
    def observe(position: Any, viewer: int, planes: Any) -> None:
        first(position, viewer, planes)
        others(position, viewer, planes)

    return observe
