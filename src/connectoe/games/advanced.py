"""Advanced Tic Tac Toe.

Each player has five pieces, numbered 1 to 5. They are never put on the 3x3 board itself: they enter from its edge, and
every piece then goes one step each round, straight on the way it was facing when it was placed.

A round: the player with the crown puts a piece from the hand on one of the twelve edge places, facing the board; the
other player puts one on another edge place; then all pieces move, the 1s first and the 5s last, and of two equal
numbers the crown holder's first. Only then the board is looked at: if exactly one player has three pieces in a row,
column or diagonal, that player wins. If both have, play goes on (with `both=draw`, the game is drawn). The crown
passes to the other player, and the next round begins. X has the crown first. A player with nothing in hand places
nothing.

How a piece moves:

- If the square ahead is free, it goes there. If ahead lies the outside of the board, it returns to its owner's hand at
  once, unless another piece still waits on the edge place there: then it is blocked.
- A 4, the bulldozer, always moves. The unbroken chain of pieces ahead of it moves one step with it. Whatever is pushed
  off the board, or was still waiting on the edge, returns to its owner's hand.
- A 1 is light. A 2, 3 or 5 right behind it moves and pushes it one step, if no piece stands right behind the 1; pushed
  off the board, the 1 returns to hand. A 1 does not push a 1.
- Otherwise it is blocked and stays. A blocked piece that still waits on the edge returns to hand at once.
- Pieces keep facing the way they were placed, also when they are pushed, and a pushed piece still makes its own move
  when its number comes.

A move is piece, side and line: `4Nb` puts piece 4 north of column b, `1W3` piece 1 west of rank 3.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from connectoe.board import Square, line_text, lines, lines_on, split_fields, square_name
from connectoe.errors import BadPosition
from connectoe.game import DRAWN, ONGOING, Game, LastMove, Rules, option, rule
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
LINES = tuple(sum(1 << (6 * row + column + 7) for column, row in line) for line in lines(3, 3, 3))
SIDES = "NESW"
SIDE_NAMES = ("north", "east", "south", "west")
STEPS = (6, 1, -6, -1)
"""What a step north, east, south or west adds to a place."""
EDGE = (25, 26, 27, 10, 16, 22, 1, 2, 3, 6, 12, 18)
"""The twelve edge places: three a side, north, east, south, west, in the order a b c or 1 2 3."""

# Pieces are numbered 0..4, X's 1 to 5, and 5..9, O's. A move is 12 * (number - 1) + edge place.

ONE, FOUR = 0, 3
"""The two special pieces, by their number less one."""


class Position(NamedTuple):
    """Where all ten pieces are (five bits each, X's 1 lowest) and which way they face (two bits each, 0 in hand); who
    has the crown; and whether its holder has placed a piece this round already."""

    places: int
    facings: int
    crown: int
    placed: int


@rule
def place_of(places: int, piece: int) -> int:
    """Where a piece is."""
    return places >> 5 * piece & 31


@rule
def put(places: int, piece: int, place: int) -> int:
    """The places after a piece has gone to another."""
    return places & ~(31 << 5 * piece) | place << 5 * piece


@rule
def is_on_board(place: int) -> bool:
    """Whether a place is one of the nine squares."""
    return BOARD >> place & 1 == 1


@rule
def piece_at(places: int, place: int) -> int:
    """The piece that stands or waits on a place; 10 if there is none."""
    for piece in range(10):
        if place_of(places, piece) == place:
            return piece
    return 10


@rule
def waiting_edge(places: int) -> int:
    """Which of the twelve edge places a piece waits on; 12 if there is none."""
    for edge in range(12):
        if piece_at(places, EDGE[edge]) < 10:
            return edge
    return 12


@rule
def pushed(places: int, piece: int, step: int) -> int:
    """The places after a piece has been moved one step; off the board, or waiting on the edge, it returns to hand."""
    place = place_of(places, piece)
    ahead = place + step
    return put(places, piece, ahead if is_on_board(place) and is_on_board(ahead) else HAND)


@rule
def stepped(places: int, piece: int, step: int) -> int:
    """The places after a piece on the board or its edge has made its own move, or lost it."""
    place = place_of(places, piece)
    ahead = place + step
    in_the_way = piece_at(places, ahead)
    if in_the_way < 10:
        if piece % 5 == FOUR:
            end = ahead  # the last piece of the chain, which leaves its place first
            while piece_at(places, end + step) < 10:
                end += step
            while end != place:
                places = pushed(places, piece_at(places, end), step)
                end -= step
        elif in_the_way % 5 == ONE and piece % 5 != ONE and piece_at(places, ahead + step) == 10:
            places = pushed(places, in_the_way, step)
        else:
            return places if is_on_board(place) else put(places, piece, HAND)
    return put(places, piece, ahead if is_on_board(ahead) else HAND)


@rule
def all_stepped(places: int, facings: int, crown: int) -> int:
    """The places after every piece has moved, number by number, the crown holder's first."""
    for number in range(5):
        for owner in (crown, 1 - crown):
            piece = 5 * owner + number
            if place_of(places, piece) != HAND:
                places = stepped(places, piece, STEPS[facings >> 2 * piece & 3])
    return places


@rule
def has_line(places: int, owner: int) -> bool:
    """Whether a player has three pieces in line on the board."""
    squares = 0
    for piece in range(5 * owner, 5 * owner + 5):
        squares |= 1 << place_of(places, piece)
    for line in LINES:  # noqa: SIM110 - Numba compiles no any()
        if squares & line == line:
            return True
    return False


@rule
def has_hand(places: int, owner: int) -> bool:
    """Whether a player has a piece in hand."""
    for piece in range(5 * owner, 5 * owner + 5):  # noqa: SIM110 - Numba compiles no any()
        if place_of(places, piece) == HAND:
            return True
    return False


def rules(both: str) -> Rules:
    """Advanced Tic Tac Toe."""
    both_is_draw = both == "draw"

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
    def play(position: Position, move: int) -> Position:
        owner = player(position)
        piece = 5 * owner + move // 12
        edge = move % 12
        facing = (edge // 3 + 2) % 4  # away from the side it stands on
        places = put(position.places, piece, EDGE[edge])
        facings = position.facings | facing << 2 * piece
        if owner == position.crown and has_hand(places, 1 - owner):
            return Position(places, facings, position.crown, 1)
        places = all_stepped(places, facings, position.crown)
        for returned in range(10):
            if place_of(places, returned) == HAND:
                facings &= ~(3 << 2 * returned)
        return Position(places, facings, 1 - position.crown, 0)

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


def square_of(place: int) -> Square:
    """The (column, row) of a place, counted from a1; edge places lie at -1 and 3."""
    return place % 6 - 1, place // 6 - 1


def edge_name(edge: int) -> str:
    """An edge place as moves write it: 'Nb', 'W3'."""
    return SIDES[edge // 3] + ("123" if edge // 3 % 2 else "abc")[edge % 3]


def facing_of(position: Position, piece: int) -> str:
    """The way a piece that is not in hand faces: N, E, S or W."""
    return SIDES[position.facings >> 2 * piece & 3]


TRAY_X = (-2.3, 5.3)
"""Where the hands of X and O lie in the picture."""


class Advanced(Game):
    """Advanced Tic Tac Toe: pieces that march in from the edge."""

    id = "advanced"
    name = "Advanced Tic Tac Toe"
    summary = "Place numbered pieces on the edge; every round all march on, shove and fall off: three in line win."
    move_help = "a piece, a side and a line, like 4Nb or 1W3"
    can_repeat = True
    both: str = option("continue", ("continue", "draw"), "lines for both after a round: play goes on, or a draw")
    make_rules = staticmethod(rules)

    def notation(self) -> Sequence[str]:
        """Every piece on every edge place."""
        return [f"{number}{edge_name(edge)}" for number in range(1, 6) for edge in range(12)]

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
        """The lines of a player."""
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
        """The position, if no piece is in two places, no two pieces are in one, and the game could have gone on."""
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
            facings |= SIDES.index(found[3]) << 2 * piece
        position = Position(places, facings, crown, 0)
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
