"""Tic-tac-toe in words: notation, reasons, and positions as text."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from connectoe.board import Square, bits, by_player, lines_on, square_name
from connectoe.board_texts import check_counts, line_text, side_to_move, split_fields, squeeze, unsqueeze
from connectoe.core.errors import BadPosition
from connectoe.core.rules import DRAWN
from connectoe.core.setting_up import SettingUp, signs_of_players, whose_turn
from connectoe.games.tic_tac_toe.rules import Position, has_three

if TYPE_CHECKING:
    from connectoe.games.tic_tac_toe import TicTacToe


def squares_of(marks: int) -> list[Square]:
    """Return the (column, row) of each mark on a 3x3 board."""
    return [(square % 3, square // 3) for square in bits(marks)]


def won_at_once(marks: int) -> bool:
    """Whether one of these marks, made last, can have completed every line among them; otherwise play went on."""
    return any(not has_three(marks ^ 1 << square) for square in bits(marks))


def notation(game: TicTacToe) -> Sequence[str]:
    """Return the squares."""
    return [square_name(square % 3, square // 3) for square in range(9)]


def reason(game: TicTacToe, position: Position) -> str:
    """Return the winning line, or "board full"."""
    if game.rules.outcome(position) == DRAWN:
        return "board full"
    return line_text(winning_line(game, position), "marks")


def winning_line(game: TicTacToe, position: Position) -> tuple[Square, ...]:
    """Return the first line of the player who has just moved."""
    return next(iter(lines_on(set(squares_of(position.other)), 3)), ())


def why_illegal(game: TicTacToe, position: Position, move: int) -> str:
    """Explain that the square is taken."""
    return f"there is a mark on {game.move_text(move)} already"


def goal(game: TicTacToe) -> str:
    """Return how to win."""
    return "Get three of your marks in line: across, upright or diagonally."


def may_do(game: TicTacToe, position: Position) -> str:
    """Return what the player to move may do."""
    return "Put your mark on an empty square."


def board(game: TicTacToe, position: Position) -> list[str]:
    """Return rows of X, O and dots, top first."""
    first, second = by_player(*position)
    return [
        "".join("X" if first >> square & 1 else "O" if second >> square & 1 else "." for square in row)
        for row in ((6, 7, 8), (3, 4, 5), (0, 1, 2))
    ]


def write(game: TicTacToe, position: Position) -> str:
    """Return the rows from the top, with empty squares counted, and the player to move: `3/1X1/3 O`."""
    return f"{squeeze(board(game, position))} {game.symbols[position.turn]}"


def setting_up(game: TicTacToe) -> SettingUp:
    """Return how marks are set on squares."""
    return SettingUp(signs_of_players("mark", "mark"), (whose_turn(game.symbols),))


def read(game: TicTacToe, text: str) -> Position:
    """Return the position; refuse wrong numbers of marks and games that had ended before."""
    rows, mover = split_fields(text, ["board", "player to move"])
    turn = side_to_move(mover, game.symbols)
    signs = "".join(reversed(unsqueeze(rows, 3, 3, "XO")))
    first, second = (sum(1 << square for square in range(9) if signs[square] == sign) for sign in "XO")
    check_counts(first, second, turn, game.symbols, "mark")
    position = Position(*by_player(first, second, turn), turn)
    if has_three(position.own) or (has_three(position.other) and not won_at_once(position.other)):
        raise BadPosition("the game was over before all these marks were made")
    return position
