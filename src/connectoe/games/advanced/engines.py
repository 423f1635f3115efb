"""What engines may use of Advanced Tic Tac Toe beyond its rules."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from typing import TYPE_CHECKING, Any

from connectoe.board import how_many, lowest_bit
from connectoe.core.rules import DRAWN, Planes, Rules, rule
from connectoe.core.strength import Levels, PuzzleMaking, Tuning
from connectoe.games.advanced.places import (
    AHEAD,
    EDGE,
    FIRST_BITS,
    FIVE_PIECES,
    HAND,
    in_play,
    is_on_board,
    place_of,
    waiting_edge,
)
from connectoe.games.advanced.rules import Position, player
from connectoe.games.advanced.rules import rules as plain_rules
from connectoe.games.advanced.words import SIDE_NAMES, square_of

if TYPE_CHECKING:
    from connectoe.games.advanced import Advanced

ENDINGS = ("a line", "lines for both")
TUNING = Tuning(0.3)

# What a piece is worth on the first, second and third square of its way, along a side and through the middle. It began
# as a fit to 9,000 games of a search against itself; steps as coarse as these play as well at equal nodes, and a search
# comes to the same depth with a third of them. Above all, the 4 is better in hand than on the board.

WORTH = (
    ((0, 0, 0), (1, 1, 0)),
    ((0, 0, 0), (1, 0, 0)),
    ((1, 0, 0), (1, 1, 0)),
    ((0, -1, 1), (-1, -1, 1)),
    ((0, 0, 0), (0, 0, -1)),
)
PUZZLE_MAKING = PuzzleMaking(longest=5, nodes=1_000_000)


def levels(game: Advanced) -> Levels:
    """Return how much each level searches before a move."""
    people = (0.0, 0.1, 0.23, 0.5, 0.77, 0.91, 1.2, 1.6, 2.08)
    return Levels(60, 800, 200_000, hard_nodes=6_000_000, people=people)


def planes(game: Advanced) -> Planes:
    """Return the names of the planes that `observe` fills; they show the board with its edge."""
    pieces = [f"{whose} {number}" for whose in ("own", "opponent's") for number in range(1, 6)]
    facings = [f"facing {side}" for side in SIDE_NAMES]
    return Planes((*pieces, *facings, "own crown"), 5, 5)


def worth(number: int, place: int, facing: int) -> int:
    """Return what a piece, numbered from 0, is worth on a place: in hand 0, on the edge as on the square ahead."""
    square = AHEAD[place << 2 | facing] if place in EDGE else place
    if not is_on_board(square):
        return 0
    column, row = square_of(square)
    lane = column if facing % 2 == 0 else row
    steps = (row, column, 2 - row, 2 - column)[facing]
    return WORTH[number][1 if lane == 1 else 0][steps]


def place_seen(place: int, mirror: bool, flip: bool, diagonal: bool) -> int:
    """Return where a place is with left and right, top and bottom, or rows and columns swapped, or several."""
    row, column = divmod(place, 6)
    if row > 4 or column > 4:
        return HAND  # no place
    column = 4 - column if mirror else column
    row = 4 - row if flip else row
    return 6 * column + row if diagonal else 6 * row + column


def facing_seen(facing: int, mirror: bool, flip: bool, diagonal: bool) -> int:
    """Return which way a piece faces after the same swaps."""
    if (mirror and facing % 2 == 1) or (flip and facing % 2 == 0):
        facing = (facing + 2) % 4
    return (1, 0, 3, 2)[facing] if diagonal else facing


def rules_for_engines(both: str) -> Rules:
    """Return the rules, with the optional ones that engines use."""
    made = plain_rules(both)
    outcome = made.outcome
    number_of = bytes(first_bit // 5 for first_bit in range(25))
    # For each number, place and facing; one more than the worth, because bytes cannot be negative.
    worth_and_1 = bytes(
        worth(number, place, facing) + 1 for number in range(5) for place in range(32) for facing in range(4)
    )

    @rule
    def pick(position: Position, random: int) -> int:
        hand = ~in_play(position.places) >> 25 * player(position) & FIRST_BITS & FIVE_PIECES
        waiting = waiting_edge(position.places) if position.placed else 12
        edges = 11 if position.placed else 12
        number = random * how_many(hand) * edges >> 32
        others = number // edges  # pieces in hand with a lower number
        for _ in range(others):
            hand &= hand - 1
        edge = number - edges * others
        return 12 * number_of[lowest_bit(hand)] + edge + (1 if edge >= waiting else 0)

    @rule
    def ending(position: Position) -> int:
        return 1 if outcome(position) == DRAWN else 0

    @rule
    def evaluate(position: Position) -> int:
        places, facings = position.places, position.facings
        lead = 0
        for number in range(5):
            first, second = 5 * number, 25 + 5 * number
            lead += worth_and_1[number << 7 | (places >> first & 31) << 2 | facings >> first & 3]
            lead -= worth_and_1[number << 7 | (places >> second & 31) << 2 | facings >> second & 3]
        return 10 * lead

    @rule
    def observe(position: Position, viewer: int, planes: Any) -> None:
        for piece in range(10):
            place = place_of(position.places, piece)
            if place != HAND:
                row, column = 4 - place // 6, place % 6
                planes[piece if viewer == 0 else (piece + 5) % 10, row, column] = 1
                planes[10 + (position.facings >> 5 * piece & 3), row, column] = 1
        if position.crown == viewer:
            planes[14] = 1

    def seen(mirror: bool, flip: bool, diagonal: bool) -> Callable[[Position], Position]:
        places_seen = bytes(place_seen(place, mirror, flip, diagonal) for place in range(32))
        facings_seen = bytes(facing_seen(facing, mirror, flip, diagonal) for facing in range(4))

        @rule
        def image(position: Position) -> Position:
            places, facings = 0, 0
            for piece in range(10):
                place = place_of(position.places, piece)
                if place != HAND:
                    places |= places_seen[place] << 5 * piece
                    facings |= facings_seen[position.facings >> 5 * piece & 3] << 5 * piece
            return Position(places, facings, position.crown, position.placed)

        return image

    mirrors = tuple(seen(*ways) for ways in product((False, True), repeat=3) if any(ways))
    return made._replace(pick=pick, ending=ending, evaluate=evaluate, mirrors=mirrors, observe=observe)
