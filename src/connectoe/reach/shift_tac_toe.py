"""Whether play of Shift Tac Toe can lead to a position: moves are taken back, those first that look nearest to the
start."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache
from itertools import product

from connectoe.game import ONGOING, Rules
from connectoe.games.shift_tac_toe import (
    DISCS,
    GRID_ROW,
    HOLDERS,
    LEFT,
    ROW,
    WIDTH,
    Position,
    fallen,
    steps_left,
)
from connectoe.reach import is_there_a_way

PATIENCE = 1500
"""How many positions are looked at before one is given the benefit of the doubt."""
Column = tuple[int, ...]
"""What the three places of a column hold, from the bottom: 0 nothing, 1 a piece of O, 2 a piece of X."""


def can_come_about(position: Position, rules: Rules, is_pressman: bool) -> bool:
    """Whether play can lead to a position; also where that is not found out in time.

    >>> import connectoe
    >>> rules = connectoe.load("shift-tac-toe").rules
    >>> can_come_about(rules.start, rules, False), can_come_about(rules.start._replace(turn=1), rules, False)
    (True, False)
    """

    def before(later: Position) -> list[Position]:
        return positions_before(later, rules, is_pressman)

    return is_there_a_way(position, rules.start, before, PATIENCE) is not False


def positions_before(position: Position, rules: Rules, is_pressman: bool) -> list[Position]:
    """The positions from which a move leads here, those that look nearest to the start first.

    >>> import connectoe
    >>> game = connectoe.load("shift-tac-toe")
    >>> before = positions_before(game.start.play("2").position, game.rules, is_pressman=False)
    >>> [game.write(position) for position in before]
    ['5/5/5 RRR O', '5/5/1O3 RRC O', '5/5/1O3 RCR O', '5/5/1O3 CRR O']
    """
    found = list(_before_a_drop(position))
    for row in range(3):
        for left in range(2):
            found += _before_a_slide(position, row, left, is_pressman)
    most = DISCS if is_pressman else 3 * WIDTH
    ongoing = [each for each in found if rules.outcome(each) == ONGOING and max(map(int.bit_count, each[:2])) <= most]

    def way_to_the_start(earlier: Position) -> tuple[int, int]:
        """As long as no piece is lost, every turn adds a piece or moves a slider one step: so turns and these are even
        or odd together. Where they are not, an odd number of pieces was lost on the way."""
        pieces = (earlier.noughts | earlier.crosses).bit_count()
        steps = (earlier.sliders ^ rules.start.sliders) & 0b010101  # the sliders an odd number of steps away
        return (pieces + steps.bit_count() + earlier.turn) % 2, pieces

    return sorted(ongoing, key=way_to_the_start)


def _column(position: Position, column: int) -> Column:
    return tuple(
        (position.noughts >> place & 1) + 2 * (position.crosses >> place & 1)
        for place in range(column, 3 * WIDTH, WIDTH)
    )


def _pieces_of(columns: Iterable[Column], sign: int) -> int:
    """The pieces of one sign in the first columns of the frame."""
    return sum(
        1 << WIDTH * row + place for place, column in enumerate(columns) for row in range(3) if column[row] == sign
    )


@cache
def _unfallen(column: Column, held: tuple[bool, ...]) -> list[Column]:
    """What a column can have been before its pieces fell, or fell out, where it has holders in these rows."""
    low, middle = (ROW if is_held else 0 for is_held in held[:2])
    found = []
    for before in product(*(range(3) if is_held else range(1) for is_held in held)):
        pieces = [_pieces_of([before], sign) for sign in (1, 2)]
        after = [fallen(own, pieces[0] | pieces[1], low, middle) for own in pieces]
        if after == [_pieces_of([column], sign) for sign in (1, 2)]:
            found.append(before)
    return found


def _before_a_slide(position: Position, row: int, left: int, is_pressman: bool) -> Iterator[Position]:
    """The positions from which moving this row's slider one step left (1) or right (0) leads here."""
    stand = steps_left(position.sliders, row) + (-1 if left else 1)
    if stand not in range(3):
        return
    holders = [GRID_ROW if is_pressman else HOLDERS[steps_left(position.sliders, each)] for each in range(3)]
    held_before = GRID_ROW if is_pressman else HOLDERS[stand]
    sliders = position.sliders + ((-1 if left else 1) << 2 * row)
    # The columns are put together one by one, against the slide: what the row had in one of them is in the next now.
    order = range(WIDTH) if left else range(WIDTH - 1, -1, -1)
    ways: list[tuple[int, tuple[Column, ...]]] = [(0, ())]
    for column in order:
        held = tuple(bool(each >> column & 1) for each in holders)
        is_where_a_disc_leaves = is_pressman and column == (LEFT if left else LEFT + 2)
        ways = [
            (after[row], (*columns, before))
            for came, columns in ways
            if not came or held_before >> column & 1
            for moved in (range(3) if is_where_a_disc_leaves else (came,))
            for after in _unfallen(_column(position, column), held)
            for before in [(*after[:row], moved, *after[row + 1 :])]
            if (before[0] or not before[1]) and (before[1] or not before[2])
        ]
    for came, columns in ways:
        if not came:
            in_order = columns if left else columns[::-1]
            yield Position(_pieces_of(in_order, 1), _pieces_of(in_order, 2), sliders, 1 - position.turn)


def _before_a_drop(position: Position) -> Iterator[Position]:
    """The positions from which a drop into the grid leads here."""
    mover = 1 - position.turn
    taken = position.noughts | position.crosses
    for column in range(LEFT, LEFT + 3):
        places = [1 << WIDTH * row + column for row in range(3) if taken >> WIDTH * row + column & 1]
        if places and position[mover] & places[-1]:
            noughts, crosses = position.noughts & ~places[-1], position.crosses & ~places[-1]
            yield Position(noughts, crosses, position.sliders, mover)
