"""The rules of a recipe, put together from its blocks."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from connectoe.core.rules import ONGOING, Rules, rule
from connectoe.kit.blocks import Context, End, Move, MovePlace, either_cells, either_change, first_end
from connectoe.kit.boards import LOOKUP_BITS, Board
from connectoe.kit.tuples import Rule, in_turn, swapped

MANY = 40


class Numbered(NamedTuple):
    """All moves of a recipe in the order of their numbers, and the rules on them."""

    moves: list[tuple[Move, MovePlace]]
    groups: int
    cells: Rule
    change: Rule
    legal_moves: Rule
    can_move: Rule
    pick: Rule
    played: Rule
    """The fields of a position after a move, before the turn passes."""


def numbered(moves: Sequence[Move], board: Board) -> Numbered:
    """Return the moves of all blocks, numbered from 0, with the rules that list them."""
    cell_bits, one_cell = board.cell_bits, (1 << board.cell_bits) - 1
    groups, cells, change = moves[0].groups, moves[0].cells, moves[0].change
    for move in moves[1:]:
        cells, change = either_cells(cells, groups, move.cells), either_change(change, groups, move.change)
        groups += move.groups
    all_moves: list[tuple[Move, MovePlace]] = []
    where: list[int] = []
    first_group = 0
    for move in moves:
        for place in move.places:
            where.append(first_group + place.group << cell_bits | place.cell)
            all_moves.append((move, place))
        first_group += move.groups
    place_of = looked_up(where)

    @rule
    def played(position: Any, number: int) -> Any:
        place = place_of(number)
        return change(position, place >> cell_bits, place & one_cell)

    rules = one_group(cells, where, board) if groups == 1 else several_groups(cells, groups, where, board)
    listed, can_move, pick = rules
    return Numbered(all_moves, groups, cells, change, listed, can_move, pick, played)


def looked_up(numbers: Sequence[int]) -> Rule:
    """Return the rule that looks a number up by its index.

    >>> looked_up([5, 300])(1)
    300
    """
    low, high = bytes(number & 255 for number in numbers), bytes(number >> 8 & 255 for number in numbers)
    highest = bytes(number >> 16 for number in numbers)

    @rule
    def small(index: int) -> int:
        return 0 + low[index]

    @rule
    def large(index: int) -> int:
        return low[index] + 256 * high[index]

    @rule
    def largest(index: int) -> int:
        return low[index] + 256 * high[index] + 65536 * highest[index]

    if any(highest):
        return largest
    return large if any(high) else small


def lowest_number(where: Sequence[int], board: Board) -> Rule:
    """Return the rule for the number of the move on the lowest cell of a mask, given the cells of all moves."""
    bits, lowest_bit = max(where) + 1, board.lowest_bit
    number_at = {cell: number for number, cell in enumerate(where)}
    if bits <= LOOKUP_BITS and board.looks_up:
        lowest = [(mask & -mask).bit_length() - 1 for mask in range(1 << bits)]
        return looked_up([number_at.get(cell, 0) for cell in lowest])
    number_of = looked_up([number_at.get(cell, 0) for cell in range(bits)])

    @rule
    def number(mask: int) -> int:
        return number_of(lowest_bit(mask))

    return number


def numbers_on(cells: Sequence[int], board: Board) -> tuple[Rule, Rule, Rule]:
    """Return the rules that count the cells of a mask, and that number the nth and the lowest of them."""
    lowest_of, bits, most = lowest_number(cells, board), max(cells) + 1, len(cells)
    if bits <= LOOKUP_BITS and board.looks_up:
        number_at = {cell: number for number, cell in enumerate(cells)}
        found = [
            [number_at[cell] for cell in range(bits) if mask >> cell & 1 and cell in number_at]
            for mask in range(1 << bits)
        ]
        nth_number = looked_up([number for numbers in found for number in (numbers + [0] * most)[:most]])

        @rule
        def looked_up_nth(mask: int, n: int) -> int:
            return nth_number(mask * most + n)

        return looked_up([len(numbers) for numbers in found]), looked_up_nth, lowest_of

    @rule
    def nth_of(mask: int, n: int) -> int:
        for _ in range(n):
            mask &= mask - 1
        return lowest_of(mask)

    return board.how_many, nth_of, lowest_of


def one_group(cells: Rule, where: Sequence[int], board: Board) -> tuple[Rule, Rule, Rule]:
    """Return the rules that list moves, tell whether there are any, and pick one; all are in one group."""
    number_of_lowest, all_cells = lowest_number(where, board), board.mask(sum(1 << cell for cell in where))
    many, in_order, how_many = len(where), list(where) == sorted(where), board.how_many

    @rule
    def legal_moves(position: Any) -> Iterator[int]:
        left = cells(position, 0)
        while left != 0:
            yield number_of_lowest(left)
            left &= left - 1

    @rule
    def can_move(position: Any) -> bool:
        return cells(position, 0) != 0

    @rule
    def pick(position: Any, random: int) -> int:
        left = cells(position, 0)
        if in_order and left == all_cells:
            return random * many >> 32
        for _ in range(random * how_many(left) >> 32):
            left &= left - 1
        return number_of_lowest(left)

    if max(where) >= LOOKUP_BITS or not board.looks_up:
        return legal_moves, can_move, pick
    count_of, nth_of, _ = numbers_on(where, board)

    @rule
    def looked_up_pick(position: Any, random: int) -> int:
        left = cells(position, 0)
        return nth_of(left, random * count_of(left) >> 32)

    return legal_moves, can_move, looked_up_pick


def several_groups(cells: Rule, groups: int, where: Sequence[int], board: Board) -> tuple[Rule, Rule, Rule]:
    """Return the rules that list moves, tell whether there are any, and pick one, in several groups."""
    cell_bits, second = board.cell_bits, 1 << board.cell_bits
    how_many, lowest_bit, nth_bit = board.how_many, board.lowest_bit, board.nth_bit
    number_at = {place: number for number, place in enumerate(where)}
    number_of, last = looked_up([number_at.get(place, 0) for place in range(groups << cell_bits)]), groups - 1
    in_group = [[number_at[place] for place in sorted(where) if place >> cell_bits == group] for group in range(groups)]
    first_numbers = [numbers[0] if numbers else 0 for numbers in in_group]
    in_order = all(
        numbers == list(range(first, first + len(numbers)))
        for first, numbers in zip(first_numbers, in_group, strict=True)
    )
    most_in = looked_up([len(numbers) for numbers in in_group])
    first_in = looked_up(first_numbers)

    @rule
    def legal_moves(position: Any) -> Iterator[int]:
        # One loop with one yield: compiled code is several times faster so than with a loop for each group.
        group, left = 0, cells(position, 0)
        while True:
            while left == 0 and group < last:
                group += 1
                left = cells(position, group)
            if left == 0:
                break
            yield number_of(group << cell_bits | lowest_bit(left))
            left &= left - 1

    @rule
    def two_groups(position: Any) -> Iterator[int]:
        # Where there are many moves, a loop for each group is faster after all.
        left = cells(position, 0)
        while left != 0:
            yield number_of(lowest_bit(left))
            left &= left - 1
        left = cells(position, 1)
        while left != 0:
            yield number_of(second | lowest_bit(left))
            left &= left - 1

    @rule
    def count(position: Any) -> int:
        many = 0
        for group in range(groups):
            many += how_many(cells(position, group))
        return many

    @rule
    def can_move(position: Any) -> bool:
        for group in range(groups):  # noqa: SIM110 (`any` does not compile)
            if cells(position, group) != 0:
                return True
        return False

    @rule
    def pick(position: Any, random: int) -> int:
        number, group = random * count(position) >> 32, 0
        left = cells(position, 0)
        here = how_many(left)
        while number >= here:
            number -= here
            group += 1
            left = cells(position, group)
            here = how_many(left)
        if in_order and here == most_in(group):
            return first_in(group) + number
        return number_of(group << cell_bits | nth_bit(left, number))

    has_many = groups == 2 and len(where) > MANY
    return two_groups if has_many else legal_moves, can_move, pick


def passing_the_turn(context: Context) -> Rule:
    """Return the rule that swaps what the players have, and says whose turn it is."""
    pairs = [layer.place for layer in context.layers if layer.owner == 0]
    pairs += [counter.place for counter in context.counters]

    @rule
    def next_player(fields: Any) -> Any:
        return fields[:-1] + (1 - fields[-1],)  # noqa: RUF005 (stars do not compile here)

    return in_turn([*(swapped(place) for place in pairs), next_player])


def put_together(context: Context, start: Sequence[int], moves: Numbered, ends: Sequence[End]) -> Rules:
    """Return the rules of a recipe."""
    position_class = context.position_class
    played, pass_turn = moves.played, passing_the_turn(context)
    found, names = ends[0].found, len(ends[0].names)
    for end in ends[1:]:
        found = first_end(found, names, end.found)
        names += len(end.names)

    @rule
    def play(position: Any, move: int) -> Any:
        return position_class(*pass_turn(played(position, move)))

    @rule
    def outcome(position: Any) -> int:
        how = found(position)
        return how & 3 if how >= 0 else ONGOING

    @rule
    def player(position: Any) -> int:
        return position[-1]

    @rule
    def ending(position: Any) -> int:
        return found(position) >> 2

    return Rules(position_class(*start), moves.legal_moves, play, outcome, player, pick=moves.pick, ending=ending)
