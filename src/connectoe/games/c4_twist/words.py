"""C4 with a Twist in words: notation, why a move is illegal, and positions as text."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from connectoe.board import by_player, column_name
from connectoe.board_texts import check_nothing_floats, masks_from, side_to_move, split_fields, unsqueeze
from connectoe.core.errors import BadPosition
from connectoe.core.setting_up import Choice, SettingUp
from connectoe.games.c4_twist.rules import Position
from connectoe.games.connect_four import words as connect_four

if TYPE_CHECKING:
    from connectoe.games.c4_twist import C4Twist


def notation(game: C4Twist) -> Sequence[str]:
    """Return the columns to drop into, then the columns to bomb."""
    columns = connect_four.notation(game)
    return [*columns, *(f"*{column}" for column in columns)]


def why_illegal(game: C4Twist, position: Position, move: int) -> str:
    """Explain that the column is full, or that no bomb is left."""
    if move < game.cols:
        return f"column {game.move_text(move)} is full"
    if position.own_bombs == 0:
        return f"{game.symbols[position.turn]} has no bomb left"
    return f"column {column_name(move - game.cols)} is full, and a full column cannot be bombed"


def may_do(game: C4Twist, position: Position) -> str:
    """Return whether the player to move has a bomb besides discs."""
    if position.own_bombs:
        return "Drop a disc into a column, or bomb a column to empty it."
    return "Drop a disc into a column." + (" You have no bomb left." if game.bombs else "")


def bombs_by_player(position: Position) -> tuple[int, int]:
    """Return the bombs left to X and to O."""
    return by_player(position.own_bombs, position.other_bombs, position.turn)


def write(game: C4Twist, position: Position) -> str:
    """Return the text of Connect Four, then the bombs left to X and to O: `7/7/7/7/7/3X3 O 1 1`."""
    first, second = bombs_by_player(position)
    rows = connect_four.write(game, position)
    return f"{rows} {first} {second}"


def setting_up(game: C4Twist) -> SettingUp:
    """Return how discs are set, as in Connect Four, and the bombs left."""
    known = connect_four.setting_up(game)
    counts = {str(count): str(count) for count in range(game.bombs + 1)}
    bombs = tuple(Choice(f"bombs of {symbol}", counts) for symbol in game.symbols)
    return known._replace(choices=known.choices + bombs)


def read(game: C4Twist, text: str) -> Position:
    """Return the position; refuse floating discs, wrong numbers of discs and games that had ended before."""
    board, mover, *counts = split_fields(text, ["board", "player to move", "bombs of X", "bombs of O"])
    turn = side_to_move(mover, game.symbols)
    first, second = masks_from(unsqueeze(board, game.cols, game.rows, "XO"), "XO")
    for symbol, count in zip(game.symbols, counts, strict=True):
        if count not in map(str, range(game.bombs + 1)):
            raise BadPosition(f"{symbol} has 0 to {game.bombs} bombs, not {count[:20]!r}")
    check_nothing_floats(first | second, game.rows)
    own_bombs, other_bombs = by_player(int(counts[0]), int(counts[1]), turn)
    discs = by_player(first, second, turn)
    position: Position = type(game.rules.start)(*discs, turn, own_bombs, other_bombs)
    _check_counts(game, position)
    connect_four.check_not_over_before(game, position)
    return position


def _check_counts(game: C4Twist, position: Position) -> None:
    """Raise BadPosition if alternate turns and the spent bombs cannot lead to these numbers of discs.

    Every turn drops a disc or spends a bomb, so both players have had the same number of turns, or X one more when O is
    to move; discs that are missing were bombed.
    """
    discs, left = by_player(*position[:3]), bombs_by_player(position)
    counts = discs[0].bit_count(), discs[1].bit_count()
    spent = 2 * game.bombs - sum(left)
    # A bombed column was not full, and between two runs of a player's discs too short to win lay one of the other's.
    most_per_bomb = max(height - 2 * (height // game.connect) for height in range(game.rows))
    missing = (counts[0] - left[0]) - (counts[1] - left[1]) - position.turn
    if abs(missing) > spent * most_per_bomb:
        raise BadPosition(
            f"turns that alternate and {spent} bomb{'' if spent == 1 else 's'} do not lead to {counts[0]} discs of X "
            f"and {counts[1]} of O with {game.symbols[position.turn]} to move"
        )
