"""Whether rounds of Advanced Tic Tac Toe can lead to a position.

They are taken back round by round, and in a round piece by piece, the last to move first. A piece in hand may have left
the board or its edge in the round; `lost` counts how many have still to be put back.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from connectoe.game import ONGOING, Rules
from connectoe.games.advanced import (
    EDGE,
    HAND,
    STEPS,
    Position,
    has_hand,
    is_on_board,
    piece_at,
    place_of,
    put,
    stepped,
)
from connectoe.reach import is_there_a_way

ENTERING = [(place, (edge // 3 + 2) % 4) for edge, place in enumerate(EDGE)]
LEAVING = [
    (place, facing)
    for place in range(30)
    for facing in range(4)
    if is_on_board(place) and not is_on_board(place + STEPS[facing])
]
"""The places and facings of pieces that enter the board, and of those that leave it."""

PATIENCE = 1000
"""How many such steps are tried before a position is given the benefit of the doubt."""
Node = tuple[int, int, int, int, int]
"""Places, facings, the round's crown, the pieces whose move has still to be taken back in it, and `lost`."""


def can_come_about(position: Position, rules: Rules) -> bool:
    """Whether rounds can have brought the pieces to where they are; also where that is not found out in time.

    >>> import connectoe
    >>> game = connectoe.load("advanced")
    >>> can_come_about(game.start.play("1Na").play("2E2").position, game.rules)
    True
    >>> b1_and_a1 = put(put(0, piece=2, place=8), piece=4, place=7)  # X's 3, and X's 5, which came from b1 after it
    >>> can_come_about(Position(b1_and_a1, put(put(0, 2, 2), 4, 3), crown=0, placed=0), game.rules)
    False
    """
    here, beginning = ((each.places, each.facings, each.crown, 0, 0) for each in (position, rules.start))
    return is_there_a_way(here, beginning, lambda node: _rounds_earlier(node, rules), PATIENCE) is not False


def unstepped(places: int, facings: int, piece: int, lost: int) -> Iterator[tuple[int, int, int]]:
    """What places and facings can have been before a piece's own move, and `lost` with what the move sent to hand.

    >>> b1_facing_east = put(0, piece=0, place=8), put(0, piece=0, place=1)
    >>> [place_of(places, 0) for places, facings, lost in unstepped(*b1_facing_east, piece=0, lost=0)]
    [7]
    """
    place = place_of(places, piece)
    if place == HAND:
        yield places, facings, lost  # it was in hand before
        origins = [*ENTERING, *LEAVING] if lost else []
    elif is_on_board(place):
        facing = facings >> 5 * piece & 3
        origins = [(place - STEPS[facing], facing), (place, facing)]
    else:
        return  # it waits on the edge, as if it had not moved
    for origin, facing in origins:
        if piece_at(places, origin) not in (10, piece):
            continue
        before = put(places, piece, origin), put(facings, piece, facing), lost - (place == HAND)
        for found in (before, *_unpushed(*before, origin, STEPS[facing])) if origin != place else (before,):
            if stepped(found[0], found[1], piece) == places:
                yield found


def _unpushed(places: int, facings: int, lost: int, origin: int, step: int) -> Iterator[tuple[int, int, int]]:
    """What a piece back on its origin may have pushed: the pieces that follow, one step back, and some now in hand."""
    hand = [piece for piece in range(10) if place_of(places, piece) == HAND] if lost else []
    to_the_board = STEPS.index(-step)  # the way a piece faces that waits on the edge ahead
    at = origin + step
    if not is_on_board(at) and piece_at(places, at) == 10:
        for waiting in hand:
            yield put(places, waiting, at), put(facings, waiting, to_the_board), lost - 1
        return
    while is_on_board(at) and piece_at(places, at) == 10:
        beyond = at + step
        if not is_on_board(beyond):
            for piece, facing in product(hand, range(4)):
                off = put(places, piece, at), put(facings, piece, facing)
                yield *off, lost - 1
                for waiting in hand if lost > 1 and piece_at(places, beyond) == 10 else ():
                    if waiting != piece:
                        yield put(off[0], waiting, beyond), put(off[1], waiting, to_the_board), lost - 2
            return
        moved_on = piece_at(places, beyond)
        if moved_on == 10:
            return
        places = put(places, moved_on, at)
        yield places, facings, lost
        at = beyond


def _rounds_earlier(node: Node, rules: Rules) -> Iterator[Node]:
    """The ways to take back one more piece's move; or to begin with a round, if none is begun."""
    places, facings, crown, todo, lost = node
    if not todo:
        in_hand = sum(place_of(places, piece) == HAND for piece in range(10))
        for lost in range(in_hand + 1):
            yield places, facings, 1 - crown, 10, lost
        return
    todo -= 1
    owner = crown if todo % 2 == 0 else 1 - crown
    for earlier, facing, still_lost in unstepped(places, facings, 5 * owner + todo // 2, lost):
        waiting = [[piece for piece in five if place_of(earlier, piece) in EDGE] for five in (range(5), range(5, 10))]
        if max(map(len, waiting)) > 1:
            continue
        if todo:
            yield earlier, facing, crown, todo, still_lost
        elif not still_lost and all(waiting[owner] or not has_hand(earlier, owner) for owner in range(2)):
            for piece in (*waiting[0], *waiting[1]):  # the placements of the round
                earlier, facing = put(earlier, piece, HAND), put(facing, piece, 0)
            if rules.outcome(Position(earlier, facing, crown, 0)) == ONGOING:
                yield earlier, facing, crown, 0, 0
