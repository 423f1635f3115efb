"""Advanced Tic Tac Toe.

Each player has five pieces, numbered 1 to 5. They are never put on the 3x3 board itself: they enter from its edge, and
every piece then goes one step each round, straight on the way it was facing when it was placed.

A round: the player with the crown puts a piece from the hand on one of the twelve edge places, facing the board; the
other player puts one on another edge place; then all pieces move, the 1s first and the 5s last, and of two equal
numbers the crown holder's first. Only then the board is looked at: if exactly one player has three pieces in a row,
column or diagonal, that player wins. If both have, play goes on (with `both=draw`, the game is drawn). The crown
passes to the other player, and the next round begins. X has the crown first. A player with nothing in hand places
nothing. A position that stands for the third time is a draw.

How a piece moves:

- If the square ahead is free, it goes there. If ahead lies the outside of the board, it returns to its owner's hand at
  once, unless another piece still waits on the edge place there: then it is blocked.
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

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from typing import Any, ClassVar, NamedTuple

from connectoe.board import PRIME, Square, by_remainder, how_many, line_text, lines_on, split_fields, square_name
from connectoe.errors import BadPosition
from connectoe.game import DRAWN, ONGOING, Game, LastMove, Planes, Rules, option, rule
from connectoe.games.tic_tac_toe import has_three
from connectoe.scene import Cell, Highlight, Label, Panel, Piece, Scene, Target

# Places are numbered six to a row: the board with its edge, and one unused column that keeps rows apart, so that
# nothing ever stands beyond an edge place. The corners are unused too; one of them stands for the hands.
#
#          25 26 27         N
#   3   18 19 20 21 22
#   2   12 13 14 15 16    W   E
#   1    6  7  8  9 10
#           1  2  3         S
#           a  b  c

HAND = 0
"""The place of a piece that is in its owner's hand."""
BOARD = sum(1 << (6 * row + column) for row in (1, 2, 3) for column in (1, 2, 3))
SIDES = "NESW"
SIDE_NAMES = ("north", "east", "south", "west")
STEPS = (6, 1, -6, -1)
"""What a step north, east, south or west adds to a place."""
EDGE = bytes((25, 26, 27, 10, 16, 22, 1, 2, 3, 6, 12, 18))
"""The twelve edge places: three a side, north, east, south, west, in the order a b c or 1 2 3."""
AHEAD = bytes(
    place + step if place != HAND and 0 < place + step < 32 else HAND for place in range(32) for step in STEPS
)
"""For each place and facing, the place ahead; for the hands, the hands."""

# Pieces are numbered 0..4, X's 1 to 5, and 5..9, O's. A move is 12 * (number - 1) + edge place.

ONE, FOUR = 0, 3
"""The two special pieces, by their number less one."""


FIRST_BITS = sum(1 << 5 * piece for piece in range(10))
"""The lowest of the five bits that each piece has in a position."""
BOTH_ONES = 1 << 5 * ONE | 1 << 5 * (5 + ONE)
"""The lowest bits of X's 1 and of O's 1."""
FIVE_PIECES = (1 << 25) - 1
"""All bits of one player's pieces."""


class Position(NamedTuple):
    """Where all ten pieces are and which way they face (five bits each, X's 1 lowest; a piece in hand has facing 0);
    who has the crown; and whether its holder has placed a piece this round already.

    >>> Advanced().start.play("4Nb").position.placed
    1
    """

    places: int
    facings: int
    crown: int
    placed: int


@rule
def place_of(places: int, piece: int) -> int:
    """Where a piece is.

    >>> place_of(Advanced().rules.start.places, 0) == HAND
    True
    """
    return places >> 5 * piece & 31


@rule
def put(places: int, piece: int, place: int) -> int:
    """The places after a piece has gone to another.

    >>> place_of(put(0, piece=3, place=EDGE[0]), 3) == EDGE[0]
    True
    """
    return places & ~(31 << 5 * piece) | place << 5 * piece


@rule
def is_on_board(place: int) -> bool:
    """Whether a place is one of the nine squares.

    >>> is_on_board(EDGE[0]), is_on_board(EDGE[0] + STEPS[2])
    (False, True)
    """
    return BOARD >> place & 1 == 1


@rule
def piece_at(places: int, place: int) -> int:
    """The piece that stands or waits on a place; 10 if there is none.

    >>> piece_at(put(Advanced().rules.start.places, piece=3, place=EDGE[0]), EDGE[0])
    3
    """
    for piece in range(10):
        if place_of(places, piece) == place:
            return piece
    return 10


@rule
def taken_places(places: int) -> int:
    """The places where pieces stand or wait, as bits.

    >>> taken_places(put(0, piece=3, place=EDGE[0])) == 1 << EDGE[0]
    True
    """
    taken = 0
    for piece in range(10):
        taken |= 1 << place_of(places, piece)
    return taken & ~(1 << HAND)


@rule
def waiting_edge(places: int) -> int:
    """Which of the twelve edge places a piece waits on; 12 if there is none.

    >>> waiting_edge(Advanced().start.play("4Nb").position.places), edge_name(1)
    (1, 'Nb')
    """
    taken = taken_places(places)
    for edge in range(12):
        if taken >> EDGE[edge] & 1:
            return edge
    return 12


@rule
def zeros_among(fives: int, first_bits: int) -> int:
    """Marks groups of five bits that are all 0 by the highest of the five; only the lowest mark can be trusted.

    Taking 1 from each group sets the highest bit of a group that was 0 (and, by what it borrows, perhaps of the next).

    >>> bin(zeros_among(0b00010_00000_00011, 0b00001_00001_00001))
    '0b1000000000'
    """
    return (fives - first_bits) & ~fives & first_bits << 4


@rule
def pushed(places: int, place: int, step: int) -> int:
    """The places after the piece on a place has been moved one step; off the board, or waiting on the edge, it returns
    to hand.

    >>> a3 = put(0, piece=0, place=19)
    >>> place_of(pushed(a3, 19, STEPS[1]), 0), place_of(pushed(a3, 19, STEPS[0]), 0) == HAND
    (20, True)
    """
    ahead = place + step
    if not (is_on_board(place) and is_on_board(ahead)):
        ahead = HAND
    return places + (ahead - place) * first_bit_at(places, place)


@rule
def first_bit_at(places: int, place: int) -> int:
    """The lowest bit of the piece on a place that is taken.

    >>> first_bit_at(put(0, piece=3, place=EDGE[0]), EDGE[0]) == 1 << 5 * 3
    True
    """
    there = zeros_among(places ^ place * FIRST_BITS, FIRST_BITS)
    return (there & -there) >> 4


@rule
def stepped_into(places: int, taken: int, piece: int, place: int, ahead: int) -> int:
    """The places after a piece has made its own move from a place to one that is taken, or lost it.

    >>> b3_and_b2 = put(put(0, piece=0, place=20), piece=1, place=14)
    >>> stepped_into(b3_and_b2, 1 << 20 | 1 << 14, 0, 20, 14) == b3_and_b2
    True
    >>> place_of(stepped_into(b3_and_b2, 1 << 20 | 1 << 14, 1, 14, 20), 0) == HAND
    True
    """
    step = ahead - place
    if piece % 5 == FOUR:
        end = ahead  # the last piece of the chain, which leaves its place first
        while is_on_board(end) and taken >> end + step & 1:
            end += step
        while end != place:
            places = pushed(places, end, step)
            end -= step
    elif (
        piece % 5 == ONE
        or first_bit_at(places, ahead) & BOTH_ONES == 0
        or (is_on_board(ahead) and taken >> ahead + step & 1)
    ):
        return places if is_on_board(place) else put(places, piece, HAND)
    else:
        places = pushed(places, ahead, step)
    return put(places, piece, ahead if is_on_board(ahead) else HAND)


def stepped(places: int, facings: int, piece: int) -> int:
    """The places after a piece has made its own move, or lost it; for a piece in hand they are the same.

    >>> a1_facing_east = put(0, piece=0, place=7), put(0, piece=0, place=1)
    >>> place_of(stepped(*a1_facing_east, piece=0), 0)
    8
    """
    place = place_of(places, piece)
    ahead, taken = AHEAD[place << 2 | facings >> 5 * piece & 3], taken_places(places)
    if taken >> ahead & 1:
        return stepped_into(places, taken, piece, place, ahead)
    return put(places, piece, ahead if is_on_board(ahead) else HAND)


@rule
def all_stepped(places: int, facings: int, crown: int) -> int:
    """The places after every piece has moved, number by number, the crown holder's first.

    >>> position = Advanced().start.play("4Nb").position
    >>> place_of(all_stepped(position.places, position.facings, crown=0), 3)
    20
    """
    taken = taken_places(places)
    moved = 0  # what free steps add to the places; adding it late, a processor can look at many pieces at once
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
def in_play(places: int) -> int:
    """The lowest bits of the pieces that are not in hand.

    >>> in_play(put(0, piece=3, place=EDGE[0])) == 1 << 5 * 3
    True
    """
    return (places | places >> 1 | places >> 2 | places >> 3 | places >> 4) & FIRST_BITS


@rule
def has_line(places: int, owner: int) -> bool:
    """Whether a player has three pieces in line on the board.

    >>> bottom_row = put(put(put(0, 0, 7), 1, 8), 2, 9)
    >>> has_line(bottom_row, owner=0), has_line(bottom_row, owner=1)
    (True, False)
    """
    taken = 0
    for number in range(5):
        taken |= 1 << (places >> 25 * owner + 5 * number & 31)
    return has_three(taken >> 7 & 0b111 | taken >> 10 & 0b111000 | taken >> 13 & 0b111000000)


@rule
def has_hand(places: int, owner: int) -> bool:
    """Whether a player has a piece in hand.

    >>> has_hand(Advanced().rules.start.places, owner=0)
    True
    """
    return zeros_among(places >> 25 * owner & FIVE_PIECES, FIRST_BITS & FIVE_PIECES) != 0


# What a piece is worth on the first, second and third square of its way, along a side and through the middle. It began
# as a fit to 9,000 games of a search against itself; steps as coarse as these play as well at equal nodes, and a search
# comes to the same depth with a third of them. Most of all, the 4 is better in hand than on the board.

WORTH = (
    ((0, 0, 0), (1, 1, 0)),
    ((0, 0, 0), (1, 0, 0)),
    ((1, 0, 0), (1, 1, 0)),
    ((0, -1, 1), (-1, -1, 1)),
    ((0, 0, 0), (0, 0, -1)),
)


def worth(number: int, place: int, facing: int) -> int:
    """What a piece, numbered from 0, is worth on a place; in hand nothing, and on the edge as on the square ahead.

    >>> worth(FOUR, 14, facing=0), worth(FOUR, 20, facing=0), worth(FOUR, HAND, facing=0)
    (-1, 1, 0)
    """
    square = AHEAD[place << 2 | facing] if place in EDGE else place
    if not is_on_board(square):
        return 0
    column, row = square_of(square)
    lane = column if facing % 2 == 0 else row
    steps = (row, column, 2 - row, 2 - column)[facing]
    return WORTH[number][1 if lane == 1 else 0][steps]


def rules(both: str) -> Rules:
    """Advanced Tic Tac Toe.

    >>> plain = rules(both="continue")
    >>> len(list(plain.legal_moves(plain.start)))
    60
    """
    both_is_draw = both == "draw"
    number_of = by_remainder([1 << 5 * number for number in range(5)])
    # For each number, place and facing; one more than the worth, for bytes hold nothing below 0.
    worth_and_1 = bytes(
        worth(number, place, facing) + 1 for number in range(5) for place in range(32) for facing in range(4)
    )

    @rule
    def player(position: Position) -> int:
        # Nobody is asked who has nothing in hand; ten pieces have no room on nine squares, so somebody has.
        if position.placed or not has_hand(position.places, position.crown):
            return 1 - position.crown
        return position.crown

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
    def pick(position: Position, random: int) -> int:
        owner = player(position)
        hand = ~in_play(position.places) >> 25 * owner & FIRST_BITS & FIVE_PIECES
        waiting = waiting_edge(position.places) if position.placed else 12
        edges = 11 if position.placed else 12
        number = random * how_many(hand) * edges >> 32
        piece = number // edges
        for _ in range(piece):
            hand &= hand - 1
        edge = number - edges * piece
        return 12 * number_of[(hand & -hand) % PRIME] + edge + (1 if edge >= waiting else 0)

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

    return Rules(
        Position(0, 0, 0, 0), legal_moves, play, outcome, player, ending=ending, evaluate=evaluate, pick=pick,
        observe=observe,
    )  # fmt: skip


def square_of(place: int) -> Square:
    """The (column, row) of a place, counted from a1; edge places lie at -1 and 3.

    >>> square_of(7), square_of(EDGE[0])
    ((0, 0), (0, 3))
    """
    return place % 6 - 1, place // 6 - 1


def edge_name(edge: int) -> str:
    """An edge place as moves write it: 'Nb', 'W3'.

    >>> edge_name(1), edge_name(11)
    ('Nb', 'W3')
    """
    return SIDES[edge // 3] + ("123" if edge // 3 % 2 else "abc")[edge % 3]


def facing_of(position: Position, piece: int) -> str:
    """The way a piece that is not in hand faces: N, E, S or W.

    >>> facing_of(Advanced().start.play("4Nb").position, 3)
    'S'
    """
    return SIDES[position.facings >> 5 * piece & 3]


TRAY_X = (-2.3, 5.3)
"""Where the hands of X and O lie in the picture."""


class Advanced(Game):
    """Advanced Tic Tac Toe: pieces that march in from the edge.

    >>> state = Advanced().start.play("1Na").play("2E2")
    >>> state.text
    'X1Sa3,O2Wc2 O -'
    """

    id = "advanced"
    name = "Advanced Tic Tac Toe"
    summary = "Place numbered pieces on the edge; every round all march on, shove and fall off: three in line win."
    move_help = "a piece, a side and a line, like 4Nb or 1W3"
    special_moves: ClassVar[Mapping[str, str]] = {f"piece {number}": f"{number}.+" for number in range(1, 6)}
    can_repeat = True
    tools = tuple(f"piece {number}" for number in range(1, 6))
    endings = ("a line", "lines for both")
    both: str = option(
        "continue",
        {"continue": "play goes on", "draw": "the game is drawn"},
        "what happens when both have a line at the end of a round",
    )
    make_rules = staticmethod(rules)

    def notation(self) -> Sequence[str]:
        """Every piece on every edge place."""
        return [f"{number}{edge_name(edge)}" for number in range(1, 6) for edge in range(12)]

    def planes(self) -> Planes:
        """The board with its edge: each piece on a plane of its own, which way pieces face, and the crown."""
        pieces = [f"{whose} {number}" for whose in ("own", "opponent's") for number in range(1, 6)]
        facings = [f"facing {side}" for side in SIDE_NAMES]
        return Planes((*pieces, *facings, "own crown"), 5, 5)

    def symmetries(self) -> Mapping[str, Sequence[int]]:
        """A mirror and a quarter turn make all eight symmetries of the square."""
        mirror = (2, 1, 0, 9, 10, 11, 8, 7, 6, 3, 4, 5)  # west and east change places
        quarter_turn = (5, 4, 3, 6, 7, 8, 11, 10, 9, 0, 1, 2)  # clockwise: north becomes east
        return {
            "mirror": [12 * number + edge for number in range(5) for edge in mirror],
            "quarter turn": [12 * number + edge for number in range(5) for edge in quarter_turn],
        }

    def reason(self, position: Position) -> str:
        """The winning line, or that both had one."""
        winner = self.rules.outcome(position)
        if winner == DRAWN:
            return "both have a line of three after the round"
        return line_text(self.winning_lines(position, winner)[0], "pieces")

    def winning_lines(self, position: Position, owner: int) -> list[tuple[Square, ...]]:
        """The lines of a player.

        >>> game = Advanced()
        >>> bottom_row = put(put(put(0, 0, 7), 1, 8), 2, 9)
        >>> game.winning_lines(game.rules.start._replace(places=bottom_row), 0)
        [((0, 0), (1, 0), (2, 0))]
        """
        return lines_on({square_of(place) for _, place in self._pieces(position, owner) if is_on_board(place)}, 3)

    def _pieces(self, position: Position, owner: int) -> list[tuple[int, int]]:
        """The pieces of a player, 0..4 or 5..9, and where they are."""
        return [(piece, place_of(position.places, piece)) for piece in range(5 * owner, 5 * owner + 5)]

    def _piece_name(self, piece: int) -> str:
        return f"{self.symbols[piece // 5]}{piece % 5 + 1}"

    def why_illegal(self, position: Position, move: int) -> str:
        """A piece that is not in hand, or an edge place that is taken."""
        owner = self.rules.player(position)
        place = place_of(position.places, 5 * owner + move // 12)
        if place != HAND:
            where = square_name(*square_of(place))
            return f"{self._piece_name(5 * owner + move // 12)} is not in hand: it stands on {where}"
        waiting = piece_at(position.places, EDGE[move % 12])
        return f"{self._piece_name(waiting)} waits on edge place {edge_name(move % 12)} already"

    def board(self, position: Position) -> list[str]:
        """Five rows, the edge included, top first: `X4S` is X's 4 facing south, `...` an empty square."""
        signs = {place: "..." if is_on_board(place) else "   " for place in range(30)}
        signs |= dict.fromkeys(EDGE, " - ")
        for piece in range(10):
            place = place_of(position.places, piece)
            if place != HAND:
                signs[place] = self._piece_name(piece) + facing_of(position, piece)
        return [" ".join(signs[6 * row + column] for column in range(5)).rstrip() for row in range(4, -1, -1)]

    def write(self, position: Position) -> str:
        """The pieces on the board with their facing and square, the crown's holder, and the placement this round has
        seen: `X4Sb3,O1Ea2 O 2W3`. A dash stands for none; all other pieces are in hand."""
        on_board = [
            f"{self._piece_name(piece)}{facing_of(position, piece)}{square_name(*square_of(place))}"
            for owner in range(2)
            for piece, place in self._pieces(position, owner)
            if is_on_board(place)
        ]
        placement = "-"
        if position.placed:
            edge = waiting_edge(position.places)
            placement = f"{piece_at(position.places, EDGE[edge]) % 5 + 1}{edge_name(edge)}"
        return f"{','.join(on_board) or '-'} {self.symbols[position.crown]} {placement}"

    def read(self, text: str) -> Position:
        """The position, unless no rounds can lead to it."""
        from connectoe.reach.advanced import can_come_about

        pieces, holder, placement = split_fields(text, ["pieces on the board", "crown holder", "placement this round"])
        if holder not in self.symbols:
            raise BadPosition(f"the crown belongs to {self.symbols[0]} or {self.symbols[1]}, not to {holder[:20]!r}")
        crown = self.symbols.index(holder)
        places = facings = 0
        for item in pieces.split(",") if pieces != "-" else []:
            found = re.fullmatch(r"([XO])([1-5])([NESW])([abc])([123])", item)
            if not found:
                raise BadPosition(f"{item[:20]!r} is no piece on the board: one is written like X4Sb2")
            piece = 5 * self.symbols.index(found[1]) + int(found[2]) - 1
            place = 6 * int(found[5]) + "abc".index(found[4]) + 1
            if place_of(places, piece) != HAND:
                raise BadPosition(f"{self._piece_name(piece)} is on the board twice")
            if piece_at(places, place) < 10:
                raise BadPosition(f"{found[4]}{found[5]} holds two pieces")
            places = put(places, piece, place)
            facings |= SIDES.index(found[3]) << 5 * piece
        position = Position(places, facings, crown, 0)
        if not can_come_about(position, self.rules):
            raise BadPosition("no rounds lead to these pieces")
        if placement == "-":
            return position
        move = self.move_numbers.get(placement)
        if move is None:
            raise BadPosition(f"{placement[:20]!r} is no placement: one is written like 4Nb, none is -")
        if self.rules.outcome(position) != ONGOING:
            raise BadPosition(f"no piece could be placed: the game was over, {self.reason(position)}")
        if place_of(places, 5 * crown + move // 12) != HAND:
            raise BadPosition(f"{holder} cannot have placed piece {move // 12 + 1}: it is on the board")
        if not has_hand(places, 1 - crown):
            raise BadPosition(
                f"{self.symbols[1 - crown]} has nothing in hand, so the round was over with this placement"
            )
        following: Position = self.rules.play(position, move)
        return following

    def scene(self, position: Position, last: LastMove | None = None) -> Scene:
        """The board within its edge places, a hand on either side, the crown over its holder's."""
        scene = Scene(self.symbols, grid_rows=3)
        scene.panels.append(Panel(0, 0, 3, 3))
        scene.cells += [Cell(*scene.middle(column, row)) for row in range(3) for column in range(3)]
        scene.cells += [Cell(*_middle(place), "edge", 0.9) for place in EDGE]
        for edge, place in enumerate(EDGE):
            if piece_at(position.places, place) == 10:
                scene.labels.append(Label(*_middle(place), edge_name(edge)))
        for owner in range(2):
            x = TRAY_X[owner]
            scene.panels.append(Panel(x - 0.5, -1, 1, 5, "tray"))
            scene.labels.append(Label(x, 4.4, self.symbols[owner], "name"))
            scene.cells += [Cell(x, number - 0.5, "tray") for number in range(5)]
            for piece, place in self._pieces(position, owner):
                facing = "" if place == HAND else facing_of(position, piece)
                number = piece % 5 + 1
                scene.pieces.append(
                    Piece(f"piece-{owner}-{number}", *_where(position, piece), "numbered", owner, str(number), facing)
                )
        scene.pieces.append(Piece("crown", TRAY_X[position.crown], -1.55, "crown", size=0.9))
        self._mark_last_and_lines(scene, position, last)
        if self.rules.outcome(position) == ONGOING:
            for move in self.rules.legal_moves(position):
                self._add_target(scene, move)
        return scene

    def stages(self, position: Position, move: int) -> Sequence[Sequence[Piece]]:
        """A placement that ends the round: the piece stands on the edge; then one piece after another has moved."""
        owner = self.rules.player(position)
        piece, edge = 5 * owner + move // 12, move % 12
        facings = position.facings | (edge // 3 + 2) % 4 << 5 * piece
        steps = [put(position.places, piece, EDGE[edge])]
        if owner == position.crown and has_hand(steps[0], 1 - owner):
            return []
        for number, mover in product(range(5), (position.crown, 1 - position.crown)):
            after = stepped(steps[-1], facings, 5 * mover + number)
            if after != steps[-1]:
                steps.append(after)
        return [self.scene(Position(places, facings, position.crown, 1)).pieces for places in steps]

    def _mark_last_and_lines(self, scene: Scene, position: Position, last: LastMove | None) -> None:
        if last:
            owner = self.rules.player(last.before)
            x, y = _where(position, 5 * owner + last.move // 12)
            scene.highlights.append(Highlight("last", x - 0.5, y - 0.5))
        is_over = self.rules.outcome(position) != ONGOING
        for owner in range(2):
            for line in self.winning_lines(position, owner) if is_over else []:
                scene.win(line, owner)
        scene.notes.append(f"{self.symbols[position.crown]} has the crown")
        if not is_over and has_line(position.places, 0) and has_line(position.places, 1):
            scene.notes.append("both have a line of three, so play goes on")

    def _add_target(self, scene: Scene, move: int) -> None:
        number, edge = move // 12 + 1, move % 12
        x, y = _middle(EDGE[edge])
        line = ("column", "rank")[edge // 3 % 2]
        says = f"piece {number} from the {SIDE_NAMES[edge // 3]}, {line} {edge_name(edge)[1]}"
        scene.targets.append(Target(self.move_text(move), x - 0.5, y - 0.5, 1, 1, f"piece {number}", says))


def _middle(place: int) -> tuple[float, float]:
    """Where a place has its middle in the picture."""
    column, row = square_of(place)
    return column + 0.5, 2.5 - row


def _where(position: Position, piece: int) -> tuple[float, float]:
    """Where a piece is in the picture: on its place, or in its own place in its owner's tray."""
    place = place_of(position.places, piece)
    return (TRAY_X[piece // 5], piece % 5 - 0.5) if place == HAND else _middle(place)
