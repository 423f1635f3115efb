"""Advanced Tic Tac Toe.

Each player has five pieces, numbered 1 to 5. They are never put on the 3x3 board itself: they enter from its edge, and
every piece then goes one step each round, straight on the way it was facing when it was placed.

A round: the player with the crown puts a piece from the hand on one of the twelve edge places, facing the board; the
other player puts one on another edge place; then all pieces move, the 1s first and the 5s last, and of two equal
numbers the crown holder's first. Only then is the board checked: if exactly one player has three pieces in a row,
column or diagonal, that player wins. If both have, play goes on (with `both=draw`, the game is drawn). The crown
passes to the other player, and the next round begins. X has the crown first. A player with nothing in hand places
nothing. A position that occurs for the third time is a draw.

How a piece moves:

- If the square ahead is free, it goes there. If it steps off the board, it returns to its owner's hand at once, unless
  another piece still waits on the edge place there: then it is blocked.
- A 4, the bulldozer, always moves. The unbroken chain of pieces ahead of it moves one step with it. Whatever is pushed
  off the board, or was still waiting on the edge, returns to its owner's hand.
- A 1 is light. A 2, 3 or 5 with a 1 right ahead moves and pushes it one step, if the place beyond the 1 holds no piece,
  not even one that waits on the edge; pushed off the board, the 1 returns to hand. A 1 does not push a 1.
- Otherwise it is blocked and stays. A blocked piece that still waits on the edge returns to hand at once.
- Pieces keep facing the way they were placed, also when they are pushed, and a pushed piece still makes its own move
  when its number comes.

A move is piece, side and line: `4Nb` puts piece 4 north of column b, `1W3` piece 1 west of rank 3.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from connectoe.core.rules import DRAWN, ONGOING, Rules, rule
from connectoe.games.advanced.places import (
    AHEAD,
    EDGE,
    HAND,
    has_hand,
    has_line,
    in_play,
    is_a_one,
    is_on_board,
    moved_from,
    place_of,
    put,
    taken_places,
    waiting_edge,
)

ONE, FOUR = 0, 3
"""The two special pieces, by their number less one."""


class Position(NamedTuple):
    """Where all ten pieces are, which way they face, who has the crown, and whether its holder has placed this round.

    Each piece has five bits in `places`, as `places.py` numbers them, and five in `facings`: 0 to 3 for north, east,
    south and west, and 0 for a piece in hand.
    """

    places: int
    facings: int
    crown: int
    placed: int


@rule
def pushed(places: int, place: int, step: int) -> int:
    """Return the places after the piece on a place has been moved one step.

    Pushed off the board, or while it waits on the edge, it returns to hand.
    """
    ahead = place + step
    if not (is_on_board(place) and is_on_board(ahead)):
        ahead = HAND
    return moved_from(places, place, ahead)


@rule
def stepped_into(places: int, taken: int, piece: int, place: int, ahead: int) -> int:
    """Return the places after a piece has moved from a place to one that is taken, or was blocked."""
    step = ahead - place
    if piece % 5 == FOUR:
        end = ahead  # the last piece of the chain, which leaves its place first
        while is_on_board(end) and taken >> end + step & 1:
            end += step
        while end != place:
            places = pushed(places, end, step)
            end -= step
    elif piece % 5 == ONE or not is_a_one(places, ahead) or (is_on_board(ahead) and taken >> ahead + step & 1):
        return places if is_on_board(place) else put(places, piece, HAND)
    else:
        places = pushed(places, ahead, step)
    return put(places, piece, ahead if is_on_board(ahead) else HAND)


@rule
def all_stepped(places: int, facings: int, crown: int) -> int:
    """Return the places after every piece has moved, number by number, the crown holder's first."""
    taken = taken_places(places)
    moved = 0  # what free steps add to the places; added late, so that a processor can work on many pieces at once
    for number in range(5):
        for owner in (crown, 1 - crown):
            first_bit = 25 * owner + 5 * number
            place = places >> first_bit & 31
            ahead = AHEAD[place << 2 | facings >> first_bit & 3]
            if taken >> ahead & 1:
                places = stepped_into(places + moved, taken, 5 * owner + number, place, ahead)
                taken = taken_places(places)
                moved = 0
            else:  # a step to a free place, off the board, or, for a piece in hand, none
                free = ahead if is_on_board(ahead) else HAND
                moved += free - place << first_bit
                taken = (taken & ~(1 << place) | 1 << free) & ~(1 << HAND)
    return places + moved


@rule
def player(position: Position) -> int:
    """Return who places next; a player with no piece in hand skips the placement.

    Ten pieces have no room on nine squares, so one of the players has a piece in hand.
    """
    if position.placed or not has_hand(position.places, position.crown):
        return 1 - position.crown
    return position.crown


def rules(both: str) -> Rules:
    """Return the rules; move 12 * (number - 1) + edge puts the piece with this number on one of the edge places."""
    both_is_draw = both == "draw"

    @rule
    def legal_moves(position: Position) -> Iterator[int]:
        owner = player(position)
        places = position.places
        waiting = waiting_edge(places) if position.placed else 12
        for number in range(5):
            if place_of(places, 5 * owner + number) == HAND:
                for edge in range(12):
                    if edge != waiting:
                        yield 12 * number + edge

    @rule
    def play(position: Position, move: int) -> Position:
        owner = player(position)
        piece = 5 * owner + move // 12
        edge = move % 12
        facing = (edge // 3 + 2) % 4  # away from the side it stands on
        places = put(position.places, piece, EDGE[edge])
        facings = position.facings | facing << 5 * piece
        if owner == position.crown and has_hand(places, 1 - owner):
            return Position(places, facings, position.crown, 1)
        places = all_stepped(places, facings, position.crown)
        return Position(places, facings & 3 * in_play(places), 1 - position.crown, 0)

    @rule
    def outcome(position: Position) -> int:
        if position.placed:
            return ONGOING
        first, second = has_line(position.places, 0), has_line(position.places, 1)
        if first and second:
            return DRAWN if both_is_draw else ONGOING
        if first:
            return 0
        if second:
            return 1
        return ONGOING

    return Rules(Position(0, 0, 0, 0), legal_moves, play, outcome, player)
