"""Positions of ultimate ultimate tic-tac-toe, read from text."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from connectoe.board_texts import side_to_move, split_fields
from connectoe.core.errors import BadPosition
from connectoe.core.rules import ONGOING
from connectoe.games.tic_tac_toe.rules import FULL, has_three
from connectoe.games.tic_tac_toe.words import won_at_once
from connectoe.games.ultimate_ultimate.rules import (
    ANYWHERE,
    BONUS,
    COMPLETED,
    FIRST,
    MARKS,
    SECOND,
    TALLIES,
    Position,
    bits_of,
    bits_of_both,
    result,
    tallies_of,
)
from connectoe.games.ultimate_ultimate.words import UNTOUCHED, board_name

if TYPE_CHECKING:
    from connectoe.games.ultimate_ultimate import UltimateUltimate


def read(game: UltimateUltimate, text: str) -> Position:
    """Return the position; refuse boards that would have been cleared or completed, games that had ended before, and a
    step that cannot be due."""
    large_texts, mover, step_text = split_fields(text, ["boards", "player to move", "step"])
    turn = side_to_move(mover, game.symbols)
    boards = np.zeros(90, np.int32)
    parts = large_texts.split("/")
    if len(parts) != 9:
        raise BadPosition(f"there are nine 9x9 boards with / between them, this has {len(parts)}")
    for large, part in enumerate(parts):
        texts = [UNTOUCHED] * 9 if part == "-" else part.split(",")
        if len(texts) != 9:
            raise BadPosition(f"9x9 board {large + 1} is - or nine boards with commas, this has {len(texts)}")
        for small, board_text in enumerate(texts):
            boards[9 * large + small] = _read_board(game, board_text, 9 * large + small)
    won, closed = _read_9x9s(boards)
    step, where, first = _read_step(step_text)
    position = Position(boards, won, closed, turn, step, where, first)
    for where, board in enumerate(boards[:81].tolist()):
        if 0 < board < COMPLETED or where == position.where:
            _check_board(game, position, where, board)
    _check_step(game, position)
    return position


def _read_board(game: UltimateUltimate, text: str, where: int) -> int:
    """Return the bits of a 3x3 board, checked as far as its text alone allows."""
    name = board_name(where)
    if text in ("=X", "=O"):
        return COMPLETED << "XO".index(text[1])
    found = re.fullmatch(r"([XO1-9]+)(?::(?!00)([0-9])([0-9]))?", text)
    if not found:
        raise BadPosition(f"{text[:20]!r} is no 3x3 board: one is like 2X3O2, 9:21 or =X")
    cells = re.sub(r"[1-9]", lambda count: "." * int(count[0]), found[1])
    if len(cells) != 9:
        raise BadPosition(f"board {name} has nine cells, {text[:20]!r} has {len(cells)}")
    board = sum(1 << (cell if sign == "X" else cell + 9) for cell, sign in enumerate(cells) if sign != ".")
    for player in (0, 1):
        tallies = int(found[2 + player] or 0)
        if tallies >= game.tallies:
            raise BadPosition(f"{tallies} tallies would have completed board {name}: =X or =O says by whom")
        board |= tallies << TALLIES + 4 * player
    return board


def _read_9x9s(boards: NDArray[np.int32]) -> tuple[int, int]:
    """Return the 9x9 boards won and closed, which follow from the 3x3 boards; fill in the completed boards too."""
    won = closed = 0
    for large in range(9):
        owned = [
            sum(1 << small for small in range(9) if boards[9 * large + small] == COMPLETED << player)
            for player in (0, 1)
        ]
        boards[81 + large] = owned[0] | owned[1] << 9
        for player in (0, 1):
            if has_three(owned[player]):
                if has_three(owned[1 - player]) or not won_at_once(owned[player]):
                    raise BadPosition(f"9x9 board {large + 1} was closed before all these boards were completed")
                won |= 1 << 9 * player + large
                closed |= 1 << large
        if owned[0] | owned[1] == FULL:
            closed |= 1 << large
    lines = [player for player in (0, 1) if has_three(bits_of(player, won))]
    if len(lines) == 2 or any(not won_at_once(bits_of(player, won)) for player in lines):
        raise BadPosition("the game was over before all these 9x9 boards were won")
    return won, closed


def _read_step(text: str) -> tuple[int, int, int]:
    """Return the step, where it is played, and the cell of the first mark."""
    if text == "any":
        return FIRST, ANYWHERE, 0
    if re.fullmatch(r"[1-9]>", text):
        return BONUS, ANYWHERE, int(text[0]) - 1
    if re.fullmatch(r"[1-9]\.[1-9]", text):
        return FIRST, 9 * int(text[0]) + int(text[2]) - 10, 0
    if re.fullmatch(r"[1-9]\.[1-9]\.[1-9]\+", text):
        return SECOND, 9 * int(text[0]) + int(text[2]) - 10, int(text[4]) - 1
    raise BadPosition(f"the step is any, or like 3.5, 3.5.1+ or 1>, not {text[:20]!r}")


def _check_board(game: UltimateUltimate, position: Position, where: int, board: int) -> None:
    """Raise BadPosition for marks that turns of two cannot make, and for lines and full boards, which would have been
    cleared.
    """
    name = board_name(where)
    if position.step == SECOND and where == position.where and board < COMPLETED:
        mark = 1 << 9 * position.turn + position.first
        if not board & MARKS:
            if not tallies_of(position.turn, board):
                raise BadPosition(f"board {name} was not cleared, and the first mark of this turn is not there")
        elif not board & mark:
            raise BadPosition(f"the first mark of this turn, on {name}.{position.first + 1}, is not there")
        elif bits_of_both(board) == FULL:
            raise BadPosition(f"board {name} is full and would have been cleared")
        board &= ~mark
    for player in (0, 1):
        if has_three(bits_of(player, board)):
            raise BadPosition(f"{game.symbols[player]} has a line on board {name}, which would have been cleared")
    if bits_of_both(board) == FULL:
        raise BadPosition(f"board {name} is full and would have been cleared")
    # A turn adds a mark for each; only the mark after a fill stands alone, and the fill gave the mover a tally.
    surplus = bits_of(0, board).bit_count() - bits_of(1, board).bit_count()
    if abs(surplus) > 1:
        raise BadPosition(f"the numbers of X and O on board {name} differ by {abs(surplus)}: at most 1 is possible")
    if surplus and not tallies_of(1 if surplus > 0 else 0, board):
        more, fewer = ("X", "O") if surplus > 0 else ("O", "X")
        raise BadPosition(f"{more} can have more marks than {fewer} on board {name} only if {fewer} has a tally there")


def _check_step(game: UltimateUltimate, position: Position) -> None:
    """Raise BadPosition for a step that cannot be due in this position."""
    boards = position.boards[:81].tolist()
    mover, opponent = game.symbols[position.turn], game.symbols[1 - position.turn]
    is_over = result(position.won, position.closed) != ONGOING
    has_completed = any(board >= COMPLETED for board in boards)
    has_tallies = has_completed or any(board >> TALLIES for board in boards)
    if position.where != ANYWHERE:
        if boards[position.where] >= COMPLETED or position.closed >> position.where // 9 & 1:
            raise BadPosition(f"{mover} cannot play on board {board_name(position.where)}: it is not open")
    elif position.step == FIRST and not has_completed and any(boards):
        raise BadPosition(f"{mover} may not play anywhere: every board is open")
    if position.step != FIRST and is_over:
        raise BadPosition("the game is over: no step is due")
    if position.step == BONUS and COMPLETED << position.turn not in boards:
        raise BadPosition(f"{mover} has completed no board and cannot have the bonus")
    if position.step == FIRST and position.where != ANYWHERE:
        large, small = divmod(position.where, 9)
        if not any(_can_have_sent(board, position.turn, large, small) for board in boards):
            raise BadPosition(f"no two marks by {opponent} send {mover} to board {board_name(position.where)}")
    turns = sum(bits_of_both(board).bit_count() for board in boards) // 2
    if not has_tallies and turns % 2 != position.turn:
        raise BadPosition(f"after {turns} turns it is not {mover} who is to move")


def _can_have_sent(board: int, player: int, large: int, small: int) -> bool:
    """Whether the last turn, by the opponent of a player and on this 3x3 board, can have sent the player to B.S."""
    opponent = 1 - player
    if board >= COMPLETED:  # by the second mark, or with the bonus
        return large != small or board == COMPLETED << opponent
    if not board & MARKS:  # they are cleared away
        return large != small and board >> TALLIES != 0
    if bits_of(opponent, board) >> small & 1 and bits_of(player, board) >> large & 1:
        return True
    # After filling the board, one mark was made on it.
    return board & MARKS == 1 << 9 * player + large and tallies_of(opponent, board) > 0
