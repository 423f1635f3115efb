"""Where the ten pieces of Advanced Tic Tac Toe are: the numbers of places, and all places in one int.

Places are numbered six to a row: the board with its edge, and one unused column that keeps rows apart, so that nothing
ever stands beyond an edge place. The corners are unused too; one of them represents the hands.

             25 26 27         N
      3   18 19 20 21 22
      2   12 13 14 15 16    W   E
      1    6  7  8  9 10
              1  2  3         S
              a  b  c

Pieces are numbered 0..4, X's 1 to 5, and 5..9, O's. Each has five bits for its place, X's 1 the lowest five.
"""

from __future__ import annotations

from connectoe.core.rules import rule
from connectoe.games.tic_tac_toe.rules import has_three

HAND = 0
"""The place of a piece that is in its owner's hand."""
BOARD = sum(1 << (6 * row + column) for row in (1, 2, 3) for column in (1, 2, 3))
STEPS = (6, 1, -6, -1)
"""What a step north, east, south or west adds to a place."""
EDGE = bytes((25, 26, 27, 10, 16, 22, 1, 2, 3, 6, 12, 18))
"""The twelve edge places: three per side, north, east, south, west, in the order a b c or 1 2 3."""
AHEAD = bytes(
    place + step if place != HAND and 0 < place + step < 32 else HAND for place in range(32) for step in STEPS
)
"""For each place and facing, the place ahead; for the hands, the hands."""
FIRST_BITS = sum(1 << 5 * piece for piece in range(10))
"""The lowest of the five bits that each piece has."""
FIVE_PIECES = (1 << 25) - 1
"""All bits of one player's pieces."""


@rule
def place_of(places: int, piece: int) -> int:
    """Return where a piece is."""
    return places >> 5 * piece & 31


@rule
def put(places: int, piece: int, place: int) -> int:
    """Return the places after a piece has gone to another."""
    return places & ~(31 << 5 * piece) | place << 5 * piece


@rule
def is_on_board(place: int) -> bool:
    """Whether a place is one of the nine squares."""
    return BOARD >> place & 1 == 1


@rule
def piece_at(places: int, place: int) -> int:
    """Return the piece that stands or waits on a place; 10 if there is none."""
    for piece in range(10):
        if place_of(places, piece) == place:
            return piece
    return 10


@rule
def taken_places(places: int) -> int:
    """Return the places where pieces stand or wait, as bits."""
    taken = 0
    for piece in range(10):
        taken |= 1 << place_of(places, piece)
    return taken & ~(1 << HAND)


@rule
def waiting_edge(places: int) -> int:
    """Return which of the twelve edge places a piece waits on; 12 if there is none."""
    taken = taken_places(places)
    for edge in range(12):
        if taken >> EDGE[edge] & 1:
            return edge
    return 12


@rule
def zeros_among(fives: int, first_bits: int) -> int:
    """Mark groups of five bits that are all 0 by the highest of the five; only the lowest mark is reliable.

    Taking 1 from each group sets the highest bit of a group that was 0 (and, by what it borrows, perhaps of the next).
    """
    return (fives - first_bits) & ~fives & first_bits << 4


@rule
def first_bit_at(places: int, place: int) -> int:
    """Return the lowest bit of the piece on a place that is taken."""
    there = zeros_among(places ^ place * FIRST_BITS, FIRST_BITS)
    return (there & -there) >> 4


@rule
def moved_from(places: int, place: int, there: int) -> int:
    """Return the places after the piece on a place that is taken has gone to another."""
    return places + (there - place) * first_bit_at(places, place)


@rule
def is_a_one(places: int, place: int) -> bool:
    """Whether the piece on a place that is taken is X's 1 or O's 1."""
    return first_bit_at(places, place) & (1 | 1 << 25) != 0


@rule
def in_play(places: int) -> int:
    """Return the lowest bits of the pieces that are not in hand."""
    return (places | places >> 1 | places >> 2 | places >> 3 | places >> 4) & FIRST_BITS


@rule
def has_hand(places: int, owner: int) -> bool:
    """Whether a player has a piece in hand."""
    return zeros_among(places >> 25 * owner & FIVE_PIECES, FIRST_BITS & FIVE_PIECES) != 0


@rule
def has_line(places: int, owner: int) -> bool:
    """Whether a player has three pieces in line on the board."""
    taken = 0
    for number in range(5):
        taken |= 1 << (places >> 25 * owner + 5 * number & 31)
    return has_three(taken >> 7 & 0b111 | taken >> 10 & 0b111000 | taken >> 13 & 0b111000000)
