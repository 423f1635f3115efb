"""Semaphores in words: notation, reasons, and positions as text."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from connectoe.board import Square, bits, cells_of, full_mask, lines_on, square_name
from connectoe.board_texts import board_rows, line_text, masks_from, side_to_move, split_fields, squeeze, unsqueeze
from connectoe.core.errors import BadPosition
from connectoe.core.rules import DRAWN, ONGOING
from connectoe.core.setting_up import SettingUp, Sign, whose_turn
from connectoe.games.semaphores.rules import LINE, Position

if TYPE_CHECKING:
    from connectoe.games.semaphores import Semaphores

COLOURS = ("green", "yellow", "red")
LETTERS = "GYR"


def square_of(game: Semaphores, move: int) -> Square:
    """Return the square (column, row) whose light a move changes."""
    return divmod(move, game.rows)


def notation(game: Semaphores) -> Sequence[str]:
    """Return the squares, column by column."""
    return [square_name(*square_of(game, move)) for move in range(game.cols * game.rows)]


def winning_lines(game: Semaphores, position: Position) -> list[tuple[tuple[Square, ...], str]]:
    """Return the lines of three or more lights of one colour, each with what it is made of."""
    return [
        (line, f"{colour} lights")
        for colour, lights in zip(COLOURS, position[:3], strict=True)
        for line in lines_on(set(cells_of(lights, game.rows)), LINE)
    ]


def reason(game: Semaphores, position: Position) -> str:
    """Return the line that was completed, or "all squares are red"."""
    if game.rules.outcome(position) == DRAWN:
        return "all squares are red"
    return line_text(*winning_lines(game, position)[0])


def winning_line(game: Semaphores, position: Position) -> tuple[Square, ...]:
    """Return the line of lights that was completed."""
    return next((line for line, _ in winning_lines(game, position)), ())


def why_illegal(game: Semaphores, position: Position, move: int) -> str:
    """Explain that the light is red."""
    return f"the light on {game.move_text(move)} is red, and red stays"


def goal(game: Semaphores) -> str:
    """Return how to win."""
    return "Complete three lights of one colour in line, no matter who put them there."


def may_do(game: Semaphores, position: Position) -> str:
    """Return what can be done with the lights as they are."""
    red = position.red.bit_count()
    steps = {
        "put a green light on an empty square": position.green | position.yellow | position.red
        != full_mask(game.cols, game.rows),
        "turn a green light yellow": position.green,
        "turn a yellow light red": position.yellow,
    }
    words = ", or ".join(step for step, is_possible in steps.items() if is_possible)
    return f"{words[0].upper()}{words[1:]}." + (" Red stays." if red else "")


def board(game: Semaphores, position: Position) -> list[str]:
    """Return rows of G, Y, R and dots, top first."""
    return list(board_rows(game.cols, game.rows, LETTERS, *position[:3]))


def write(game: Semaphores, position: Position) -> str:
    """Return the rows from the top, with empty squares counted, and the player to move: `4/1G2/4 O`."""
    return f"{squeeze(board(game, position))} {game.symbols[position.turn]}"


def setting_up(game: Semaphores) -> SettingUp:
    """Return how lights are set on squares."""
    signs = [
        Sign(letter, f"{colour} light", f"light-{colour}") for letter, colour in zip(LETTERS, COLOURS, strict=True)
    ]
    return SettingUp(tuple(signs), (whose_turn(game.symbols),))


def read(game: Semaphores, text: str) -> Position:
    """Return the position; refuse a wrong number of steps and games that had ended before."""
    rows, mover = split_fields(text, ["board", "player to move"])
    turn = side_to_move(mover, game.symbols)
    green, yellow, red = masks_from(unsqueeze(rows, game.cols, game.rows, LETTERS), LETTERS)
    steps = green.bit_count() + 2 * yellow.bit_count() + 3 * red.bit_count()
    if steps % 2 != turn:
        raise BadPosition(
            f"a green light takes one turn, a yellow two and a red three, {steps} in all here: "
            f"{game.symbols[steps % 2]} is to move, not {mover}"
        )
    position = Position(green, yellow, red, turn)
    if game.rules.outcome(position) in (0, 1) and not _was_ongoing(game, position):
        raise BadPosition("no order of moves leads to these lights: there was a line before")
    return position


def _was_ongoing(game: Semaphores, position: Position) -> bool:
    """Whether taking back one step of some light leaves no line."""
    green, yellow, red, turn = position
    for light in (1 << square for square in bits(green | yellow | red)):
        before = Position(green & ~light | yellow & light, yellow & ~light | red & light, red & ~light, 1 - turn)
        if game.rules.outcome(before) == ONGOING:
            return True
    return False
