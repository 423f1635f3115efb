"""Ultimate ultimate tic-tac-toe in words: notation, reasons, and positions as text."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from connectoe.board import Square, lines_on
from connectoe.board_texts import NUMBER_WORDS
from connectoe.core.rules import DRAWN
from connectoe.games.tic_tac_toe.words import squares_of
from connectoe.games.ultimate_ultimate.rules import (
    ANYWHERE,
    BONUS,
    BONUSES,
    COMPLETED,
    SECOND,
    SECOND_MARKS,
    TALLIES,
    Position,
    bits_of,
    tallies_of,
)

if TYPE_CHECKING:
    from connectoe.games.ultimate_ultimate import UltimateUltimate

UNTOUCHED = "9"
"""A 3x3 board on which nothing has happened, as text."""


def board_name(where: int) -> str:
    """Return a 3x3 board as B.S, counted from 1."""
    return f"{where // 9 + 1}.{where % 9 + 1}"


def notation(game: UltimateUltimate) -> Sequence[str]:
    """Return the first marks, then the second marks, then the bonuses."""
    digits = "123456789"
    firsts = [f"{large}.{small}.{cell}" for large in digits for small in digits for cell in digits]
    return [*firsts, *(f"+{cell}" for cell in digits), *(f">{large}" for large in digits)]


def reason(game: UltimateUltimate, position: Position) -> str:
    """Return the three 9x9 boards in line, or that all are closed."""
    winner = game.rules.outcome(position)
    if winner == DRAWN:
        return "all 9x9 boards are closed and nobody has three in line"
    numbers = [str(large + 1) for large in winning_lines(position, winner)[0]]
    return f"three 9x9 boards {', '.join(numbers)}"


def winning_line(game: UltimateUltimate, position: Position) -> tuple[Square, ...]:
    """Return the 9x9 boards in line of the winner; board 1 is (0, 2)."""
    winner = game.rules.outcome(position)
    found = winning_lines(position, winner) if winner in (0, 1) else []
    return tuple(sorted((large % 3, 2 - large // 3) for large in found[0])) if found else ()


def winning_lines(position: Position, winner: int) -> list[list[int]]:
    """Return the lines of 9x9 boards a player has won."""
    won = squares_of(bits_of(winner, position.won))
    return [sorted(3 * row + column for column, row in line) for line in lines_on(set(won), 3)]


def why_illegal(game: UltimateUltimate, position: Position, move: int) -> str:
    """Explain that another step is due, that another board must be played on, or that the board or cell is taken."""
    mover, opponent = game.symbols[position.turn], game.symbols[1 - position.turn]
    if position.step == BONUS:
        if move >= BONUSES:
            return _why_closed(game, position, move - BONUSES)
        return f"{mover} has the bonus and chooses a 9x9 board, >1 to >9"
    if move >= BONUSES:
        return "the bonus comes only after filling the last cell of a board and so completing it"
    if position.step == SECOND:
        if move < SECOND_MARKS:
            return f"{mover} has made the first mark; {opponent}'s mark on board {board_name(position.where)} is due"
        return f"there is a mark on cell {board_name(position.where)}.{move - SECOND_MARKS + 1} already"
    if move >= SECOND_MARKS:
        return f"{mover}'s own mark comes first"
    where = move // 9
    if position.where not in (ANYWHERE, where):
        return f"{mover} was sent to board {board_name(position.where)} and must play there"
    if position.closed >> where // 9 & 1:
        return _why_closed(game, position, where // 9)
    board = int(position.boards[where])
    if board >= COMPLETED:
        return f"board {board_name(where)} is completed by {game.symbols[board // COMPLETED - 1]}"
    return f"there is a mark on cell {game.move_text(move)} already"


def goal(game: UltimateUltimate) -> str:
    """Return how to win."""
    tallies = "one tally, a line" if game.tallies == 1 else f"{NUMBER_WORDS[game.tallies]} tallies, one for each line"
    return f"Win three 9x9 boards in line, each by three 3x3 boards in line; a 3x3 board takes {tallies}."


def may_do(game: UltimateUltimate, position: Position) -> str:
    """Return the step that is due, where it may be played, and what it decides."""
    opponent = game.symbols[1 - position.turn]
    if position.step == BONUS:
        return f"Choose the 9x9 board on which {opponent} must play."
    if position.step == SECOND:
        return (
            f"Put {opponent}'s mark on an empty cell of the same board: its cell is the 9x9 board {opponent} plays on."
        )
    where = "any open board" if position.where == ANYWHERE else f"board {board_name(position.where)}"
    return f"Put your mark on an empty cell of {where}: its cell is the 3x3 board {opponent} plays on."


def _why_closed(game: UltimateUltimate, position: Position, large: int) -> str:
    for player in (0, 1):
        if bits_of(player, position.won) >> large & 1:
            return f"9x9 board {large + 1} is closed: {game.symbols[player]} has won it"
    return f"9x9 board {large + 1} is closed: all its boards are completed"


def board(game: UltimateUltimate, position: Position) -> list[str]:
    """Return 27 rows of X, O and dots, top first; completed boards are full of small x or o."""
    cells = [_cells(int(board)) for board in position.boards[:81]]
    return [
        "".join(
            cells[9 * (3 * large_row + large) + 3 * small_row + small][3 * row : 3 * row + 3]
            for large in range(3)
            for small in range(3)
        )
        for large_row in range(3)
        for small_row in range(3)
        for row in range(3)
    ]


def _cells(board: int) -> str:
    """Return the nine cells of a 3x3 board as X, O and dots; x or o all over when it is completed."""
    if board >= COMPLETED:
        return "xo"[board // COMPLETED - 1] * 9
    return "".join("X" if board >> cell & 1 else "O" if board >> cell + 9 & 1 else "." for cell in range(9))


def write(game: UltimateUltimate, position: Position) -> str:
    """Return the nine 9x9 boards with / between them, the player to move, and the step.

    A 9x9 board is `-` if nothing has happened there, or its nine 3x3 boards with commas between them. A 3x3 board
    is `=X` or `=O` when completed; otherwise its cells in reading order, empty ones counted, then a colon and the
    tallies of X and O, if any: `2X3O2:10`. The step is `any`, `3.5` (the board to play on), `3.5.1+` (the first
    mark was made on 3.5.1, the opponent's is due) or `1>` (the bonus is due, the mark was made on cell 1).
    """
    large_boards = []
    for large in range(9):
        texts = [_write_board(game, int(board)) for board in position.boards[9 * large : 9 * large + 9]]
        large_boards.append("-" if all(text == UNTOUCHED for text in texts) else ",".join(texts))
    if position.step == BONUS:
        step = f"{position.first + 1}>"
    elif position.step == SECOND:
        step = f"{board_name(position.where)}.{position.first + 1}+"
    else:
        step = "any" if position.where == ANYWHERE else board_name(position.where)
    return f"{'/'.join(large_boards)} {game.symbols[position.turn]} {step}"


def _write_board(game: UltimateUltimate, board: int) -> str:
    if board >= COMPLETED:
        return f"={game.symbols[board // COMPLETED - 1]}"
    cells = re.sub(r"\.+", lambda run: str(len(run[0])), _cells(board))
    return f"{cells}:{tallies_of(0, board)}{tallies_of(1, board)}" if board >> TALLIES else cells
