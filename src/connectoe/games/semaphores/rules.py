"""Semaphores.

Alan Parr's Traffic Lights, on three rows of four squares. The lights belong to nobody. A turn does one of three things:
put a green light on an empty square, turn a green light into a yellow one, or turn a yellow light into a red one. A red
light stays to the end. The player who completes three lights of one colour on three adjacent squares of a row, column
or diagonal wins, no matter who placed the others.

So every square goes from empty through green and yellow to red, one step in each turn. On any board with room for a
line somebody wins, because a board that is all red is full of lines; on a smaller one the game is drawn when all
squares are red. Boards may have other sizes, of up to 24 squares.

A move is the square that changes: `b2`.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from connectoe.board import bits, full_mask, has_line
from connectoe.core.rules import DRAWN, ONGOING, Rules, rule

LINE = 3


class Position(NamedTuple):
    """The green, yellow and red lights, in the bit layout of `board.py`, and whose turn it is.

    The moves are the squares in the order of their bits, without the guard row. On 3 rows of 4 columns:

        moves                 bits
                               3  7 11 15   the guard row, always 0
        2  5  8 11   row 3     2  6 10 14
        1  4  7 10   row 2     1  5  9 13
        0  3  6  9   row 1     0  4  8 12
        a  b  c  d             a  b  c  d
    """

    green: int
    yellow: int
    red: int
    turn: int


def rules(rows: int, cols: int) -> Rules:
    """Return the rules of Semaphores on `rows` rows of `cols` squares."""
    height = rows + 1
    full = full_mask(cols, rows)

    @rule
    def legal_moves(position: Position) -> Iterator[int]:
        for square in bits(full & ~position.red):
            yield square - square // height  # without the guard bits of the columns before it

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
    def player(position: Position) -> int:
        return position.turn

    return Rules(Position(0, 0, 0, 0), legal_moves, play, outcome, player)
