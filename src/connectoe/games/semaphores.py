"""Semaphores.

Alan Parr's Traffic Lights, on three rows of four squares. The lights belong to nobody. A turn does one of three things:
put a green light on an empty square, turn a green light into a yellow one, or turn a yellow light into a red one. A red
light stays to the end. Whoever completes three lights of one colour on three adjacent squares of a row, column or
diagonal wins, whoever placed the others.

So every square goes from empty through green and yellow to red, and each turn takes one square one step on. On any
board with room for a line somebody wins, for a board all red is full of lines; on a smaller one the game is drawn when
all squares are red. Boards may have other sizes, of up to 24 squares.

A move is the square that goes one step on: `b2`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import product
from typing import Any, NamedTuple

from connectoe.board import (
    PRIME,
    Square,
    bit,
    board_rows,
    by_remainder,
    cells_of,
    full_mask,
    has_line,
    line_text,
    lines_on,
    masks_from,
    show,
    side_to_move,
    split_fields,
    square_name,
    squeeze,
    unsqueeze,
)
from connectoe.errors import BadOption, BadPosition
from connectoe.game import DRAWN, ONGOING, Game, LastMove, Planes, Rules, option, rule
from connectoe.scene import Piece, Scene

COLOURS = ("green", "yellow", "red")
LETTERS = "GYR"
LINE = 3
MOST_SQUARES = 24


class Position(NamedTuple):
    """The green, yellow and red lights, in the bit layout of `board.py`, and whose turn it is.

    The moves are the squares in the order of their bits, without the guard row. On 3 rows of 4 columns:

        moves                 bits
                               3  7 11 15   the guard row, always 0
        2  5  8 11   row 3     2  6 10 14
        1  4  7 10   row 2     1  5  9 13
        0  3  6  9   row 1     0  4  8 12
        a  b  c  d             a  b  c  d

    >>> Semaphores().start.play("a1").position
    Position(green=1, yellow=0, red=0, turn=1)
    """

    green: int
    yellow: int
    red: int
    turn: int


def rules(rows: int, cols: int) -> Rules:
    """Semaphores on `rows` rows of `cols` squares.

    >>> square_board = rules(rows=3, cols=3)
    >>> list(square_board.legal_moves(square_board.start))
    [0, 1, 2, 3, 4, 5, 6, 7, 8]
    """
    squares = cols * rows
    full = full_mask(cols, rows)
    square_by_remainder = by_remainder([bit(*divmod(square, rows), rows) for square in range(squares)])

    @rule
    def legal_moves(position: Position) -> Iterator[int]:
        left = full & ~position.red
        while left != 0:
            yield square_by_remainder[(left & -left) % PRIME]
            left &= left - 1

    @rule
    def play(position: Position, move: int) -> Position:
        light = 1 << (move + move // rows)
        green, yellow, red = position.green, position.yellow, position.red
        if yellow & light:
            yellow, red = yellow ^ light, red | light
        elif green & light:
            green, yellow = green ^ light, yellow | light
        else:
            green = green | light
        return Position(green, yellow, red, 1 - position.turn)

    @rule
    def outcome(position: Position) -> int:
        if (
            has_line(position.green, rows, LINE)
            or has_line(position.yellow, rows, LINE)
            or has_line(position.red, rows, LINE)
        ):
            return 1 - position.turn
        if position.red == full:
            return DRAWN
        return ONGOING

    @rule
    def ending(position: Position) -> int:
        if has_line(position.green, rows, LINE):
            return 0
        if has_line(position.yellow, rows, LINE):
            return 1
        return 2 if has_line(position.red, rows, LINE) else 3

    @rule
    def player(position: Position) -> int:
        return position.turn

    column_bits = (1 << rows) - 1
    lowest_row = full & ~(full << 1)

    @rule
    def pack(position: Position) -> int:
        # A square takes two bits, one in `odd` (green or red) and one in `later` (yellow or red).
        odd, later = position.green | position.red, position.yellow | position.red
        packed = position.turn
        for column in range(cols):
            shift = column * (rows + 1)
            packed = packed << rows | odd >> shift & column_bits
            packed = packed << rows | later >> shift & column_bits
        return packed

    @rule
    def unpack(packed: int) -> Position:
        odd, later = 0, 0
        for _ in range(cols):
            later = later << (rows + 1) | packed & column_bits
            odd = odd << (rows + 1) | packed >> rows & column_bits
            packed >>= 2 * rows
        return Position(odd & ~later, later & ~odd, odd & later, packed)

    @rule
    def lights_seen(lights: int, mirror: bool, flip: bool, diagonal: bool) -> int:
        if mirror:
            left = lights
            lights = 0
            for _ in range(cols):
                lights = lights << (rows + 1) | left & column_bits
                left >>= rows + 1
        if flip:
            upright = lights
            lights = 0
            for row in range(rows):
                lights |= (upright >> row & lowest_row) << (rows - 1 - row)
        if diagonal:
            across = lights
            lights = 0
            for row in range(rows):
                for column in range(cols):
                    lights |= (across >> (column * (rows + 1) + row) & 1) << (row * (rows + 1) + column)
        return lights

    def seen(mirror: bool, flip: bool, diagonal: bool) -> Callable[[Position], Position]:
        @rule
        def image(position: Position) -> Position:
            odd = lights_seen(position.green | position.red, mirror, flip, diagonal)
            later = lights_seen(position.yellow | position.red, mirror, flip, diagonal)
            return Position(odd & ~later, later & ~odd, odd & later, position.turn)

        return image

    @rule
    def observe(position: Position, viewer: int, planes: Any) -> None:
        show(position.green, planes, 0, cols, rows)
        show(position.yellow, planes, 1, cols, rows)
        show(position.red, planes, 2, cols, rows)

    diagonals = (False, True) if cols == rows else (False,)
    ways_to_look = product((False, True), (False, True), diagonals)
    mirrors = tuple(seen(*ways) for ways in ways_to_look if any(ways))
    return Rules(
        Position(0, 0, 0, 0), legal_moves, play, outcome, player, pack, unpack, mirrors, ending, observe=observe
    )


class Semaphores(Game):
    """Semaphores on a board of up to 24 squares.

    >>> state = Semaphores().start
    >>> for move in "b2 b2 a2 a2 c2 c2".split():
    ...     state = state.play(move)
    >>> state.board(), state.status
    (['....', 'YYY.', '....'], 'O wins: three yellow lights a2-c2')
    """

    id = "semaphores"
    name = "Semaphores"
    summary = "Green, yellow, red: the lights are everybody's, and whoever makes three alike in line wins."
    move_help = "the square whose light goes one step on, like b2"
    rows: int = option(3, range(1, MOST_SQUARES + 1), "rows of the board")
    cols: int = option(4, range(1, MOST_SQUARES + 1), "columns of the board")
    endings = ("a green line", "a yellow line", "a red line", "all squares red")
    make_rules = staticmethod(rules)

    def check_options(self) -> None:
        """Refuses boards of more than 24 squares."""
        if self.rows * self.cols > MOST_SQUARES:
            raise BadOption(
                f"a board of {self.rows} rows and {self.cols} columns is too large: "
                f"it may have at most {MOST_SQUARES} squares"
            )

    def square_of(self, move: int) -> Square:
        """The square (column, row) that a move takes one step on.

        >>> game = Semaphores()
        >>> game.square_of(game.move_from("b3"))
        (1, 2)
        """
        return divmod(move, self.rows)

    def notation(self) -> Sequence[str]:
        """The squares, column by column."""
        return [square_name(*self.square_of(move)) for move in range(self.cols * self.rows)]

    def planes(self) -> Planes:
        """The lights, which belong to nobody."""
        return Planes(("green lights", "yellow lights", "red lights"), self.rows, self.cols)

    def symmetries(self) -> Mapping[str, Sequence[int]]:
        """Left and right are alike, and so are up and down; on a square board so are rows and columns."""
        cols, rows = self.cols, self.rows
        squares = [self.square_of(move) for move in range(cols * rows)]
        found = {
            "mirror": [(cols - 1 - column) * rows + row for column, row in squares],
            "flip": [column * rows + rows - 1 - row for column, row in squares],
        }
        if cols == rows:
            found["quarter turn"] = [row * rows + rows - 1 - column for column, row in squares]
        return found

    def winning_lines(self, position: Position) -> list[tuple[tuple[Square, ...], str]]:
        """The lines of three or more lights of one colour, each with what it is made of.

        >>> game = Semaphores()
        >>> game.winning_lines(game.state("4/GGG1/4 O").position)
        [(((0, 1), (1, 1), (2, 1)), 'green lights')]
        """
        return [
            (line, f"{colour} lights")
            for colour, lights in zip(COLOURS, position[:3], strict=True)
            for line in lines_on(set(cells_of(lights, self.rows)), LINE)
        ]

    def reason(self, position: Position) -> str:
        """The line that was completed, or that all squares are red."""
        if self.rules.outcome(position) == DRAWN:
            return "all squares are red"
        return line_text(*self.winning_lines(position)[0])

    def why_illegal(self, position: Position, move: int) -> str:
        """A red light."""
        return f"the light on {self.move_text(move)} is red, and red stays"

    def board(self, position: Position) -> list[str]:
        """Rows of G, Y, R and dots, top first."""
        return list(board_rows(self.cols, self.rows, LETTERS, *position[:3]))

    def write(self, position: Position) -> str:
        """The rows from the top, empty squares counted, then the player to move: `4/1G2/4 O`."""
        return f"{squeeze(self.board(position))} {self.symbols[position.turn]}"

    def read(self, text: str) -> Position:
        """The position, if play from an empty board can lead to it."""
        board, mover = split_fields(text, ["board", "player to move"])
        turn = side_to_move(mover, self.symbols)
        green, yellow, red = masks_from(unsqueeze(board, self.cols, self.rows, LETTERS), LETTERS)
        steps = green.bit_count() + 2 * yellow.bit_count() + 3 * red.bit_count()
        if steps % 2 != turn:
            raise BadPosition(
                f"a green light takes one turn, a yellow two and a red three, {steps} in all here: "
                f"{self.symbols[steps % 2]} is to move, not {mover}"
            )
        target = Position(green, yellow, red, turn)
        if self.rules.outcome(target) in (0, 1) and not self._was_ongoing(target):
            raise BadPosition("no order of moves leads to these lights: there was a line before")
        return target

    def _was_ongoing(self, position: Position) -> bool:
        """Whether taking one light one step back leaves no line.

        Then play can lead there: of a board without a line, greens can always be taken away, without greens the
        yellows can turn green again, and without either the reds yellow, and none of that makes a line.
        """
        green, yellow, red, turn = position
        for square in cells_of(green | yellow | red, self.rows):
            light = bit(*square, self.rows)
            before = Position(
                (green & ~light) | (yellow & light), (yellow & ~light) | (red & light), red & ~light, 1 - turn
            )
            if self.rules.outcome(before) == ONGOING:
                return True
        return False

    def scene(self, position: Position, last: LastMove | None = None) -> Scene:
        """Lights on a board of squares; the light on a square stays the same piece when it changes colour."""
        scene = Scene(self.symbols)
        scene.add_grid(self.cols, self.rows)
        for colour, lights in zip(COLOURS, position[:3], strict=True):
            for square in cells_of(lights, self.rows):
                name = f"light-{square_name(*square)}"
                scene.pieces.append(Piece(name, *scene.middle(*square), f"light-{colour}"))
        if last:
            scene.highlight("last", [self.square_of(last.move)])
        outcome = self.rules.outcome(position)
        if outcome in (0, 1):
            for line, _ in self.winning_lines(position):
                scene.win(line, outcome)
        elif outcome == ONGOING:
            for move in self.rules.legal_moves(position):
                square = self.square_of(move)
                scene.target(self.move_text(move), square, "light", self.says(position, square))
        return scene

    def says(self, position: Position, square: Square) -> str:
        """What a move does to a square, in words.

        >>> game = Semaphores()
        >>> game.says(game.start.play("b2").position, (1, 1))
        'turn the green light on b2 yellow'
        """
        light = bit(*square, self.rows)
        name = square_name(*square)
        if position.yellow & light:
            return f"turn the yellow light on {name} red"
        if position.green & light:
            return f"turn the green light on {name} yellow"
        return f"put a green light on {name}"
