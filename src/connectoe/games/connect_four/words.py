"""Connect Four in words: notation, reasons, and positions as text."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from connectoe.board import Square, bit, by_player, cells_of, column_name, has_line, lines_on
from connectoe.board_texts import (
    NUMBER_WORDS,
    board_rows,
    check_counts,
    check_nothing_floats,
    line_text,
    masks_from,
    side_to_move,
    split_fields,
    squeeze,
    unsqueeze,
)
from connectoe.core.errors import BadPosition
from connectoe.core.rules import DRAWN
from connectoe.core.setting_up import SettingUp, signs_of_players, whose_turn

if TYPE_CHECKING:
    from connectoe.games.connect_four import ConnectFour


def notation(game: ConnectFour) -> Sequence[str]:
    """Return the letters of the columns."""
    return [column_name(column) for column in range(game.cols)]


def reason(game: ConnectFour, position: Any) -> str:
    """Return the winning line, or "board full"."""
    if game.rules.outcome(position) == DRAWN:
        return "board full"
    return line_text(game.winning_line(position), "discs")


def winning_line(game: ConnectFour, position: Any) -> tuple[Square, ...]:
    """Return the first line of the player who has just moved."""
    found = winning_lines(game, position)
    return found[0] if found else ()


def winning_lines(game: ConnectFour, position: Any) -> list[tuple[Square, ...]]:
    """Return all lines of the player who has just moved."""
    return lines_on(set(cells_of(position.other, game.rows)), game.connect)


def why_illegal(game: ConnectFour, position: Any, move: int) -> str:
    """Explain that the column is full."""
    return f"column {game.move_text(move)} is full"


def goal(game: ConnectFour) -> str:
    """Return how to win."""
    return f"Get {NUMBER_WORDS[game.connect]} of your discs in line: across, upright or diagonally."


def may_do(game: ConnectFour, position: Any) -> str:
    """Return what the player to move may do."""
    return "Drop a disc into a column that is not full."


def board(game: ConnectFour, position: Any) -> list[str]:
    """Return rows of X, O and dots, top first."""
    return list(board_rows(game.cols, game.rows, "XO", *by_player(*position[:3])))


def write(game: ConnectFour, position: Any) -> str:
    """Return the rows from the top, with empty cells counted, and the player to move: `7/7/7/7/7/3X3 O`."""
    return f"{squeeze(board(game, position))} {game.symbols[position.turn]}"


def setting_up(game: ConnectFour) -> SettingUp:
    """Return how discs are set in holes."""
    return SettingUp(signs_of_players("disc", "disc"), (whose_turn(game.symbols),))


def read(game: ConnectFour, text: str) -> Any:
    """Return the position; refuse floating discs, wrong numbers of discs and games that had ended before."""
    cells, mover = split_fields(text, ["board", "player to move"])
    turn = side_to_move(mover, game.symbols)
    first, second = masks_from(unsqueeze(cells, game.cols, game.rows, "XO"), "XO")
    check_nothing_floats(first | second, game.rows)
    check_counts(first, second, turn, game.symbols, "disc")
    position = type(game.rules.start)(*by_player(first, second, turn), turn)
    check_not_over_before(game, position)
    return position


def check_not_over_before(game: ConnectFour, position: Any) -> None:
    """Raise BadPosition if the game was over before the last disc."""
    own, other, bits = position.own, position.other, game.cols * (game.rows + 1)
    if has_line(own, game.rows, game.connect, bits):
        raise BadPosition(f"{game.symbols[position.turn]} has a line already, and the game ended there")
    if has_line(other, game.rows, game.connect, bits):
        # The last disc lies on top of its column, and there was no line without it.
        on_top = other & ~((own | other) >> 1)
        if all(
            has_line(other ^ bit(*disc, game.rows), game.rows, game.connect, bits)
            for disc in cells_of(on_top, game.rows)
        ):
            mover = game.symbols[1 - position.turn]
            raise BadPosition(f"no one disc, dropped last, can have made all lines of {mover}")
