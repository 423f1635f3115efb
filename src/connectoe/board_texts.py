"""Boards as text: rows of positions, written and read, and winning lines in words."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from connectoe.board import Square, bit, cells_of, square_name
from connectoe.core.errors import BadPosition

NUMBER_WORDS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")


def line_text(line: Sequence[Square], what: str) -> str:
    """Return a winning line in words.

    >>> line_text([(0, 0), (1, 0), (2, 0), (3, 0)], "discs")
    'four discs a1-d1'
    """
    many = NUMBER_WORDS[len(line)] if len(line) < len(NUMBER_WORDS) else str(len(line))
    return f"{many} {what} {square_name(*line[0])}-{square_name(*line[-1])}"


EMPTY_RUN = re.compile(r"\.+")


def squeeze(rows: Sequence[str]) -> str:
    """Return rows as one text with runs of empty squares as numbers, like the board in chess's FEN.

    >>> squeeze(["...", ".X.", "O.."])
    '3/1X1/O2'
    """
    return EMPTY_RUN.sub(lambda run: str(len(run[0])), "/".join(rows))


def unsqueeze(text: str, cols: int, rows: int, signs: str) -> list[str]:
    """Return the rows that `squeeze` wrote, top first, or raise BadPosition.

    >>> unsqueeze("3/1X1/O2", 3, 3, "XO")
    ['...', '.X.', 'O..']
    """
    parts = text.split("/")
    if len(parts) != rows:
        raise BadPosition(f"the board has {rows} rows with / between them, this has {len(parts)}")
    board = []
    for number, part in zip(range(rows, 0, -1), parts, strict=True):
        row = ""
        for token in re.findall(r"[0-9]+|.", part, re.DOTALL):
            if token.isascii() and token.isdigit():
                if token[0] == "0":
                    raise BadPosition(f"{token[:20]!r} in row {number} is no number of empty squares")
                row += "." * min(int(token[:4]), 1000)
            elif token in signs:
                row += token
            else:
                raise BadPosition(f"{token!r} in row {number} is no piece: pieces are {', '.join(signs)}")
            if len(row) > cols:
                break
        if len(row) != cols:
            raise BadPosition(
                f"row {number} must have {cols} squares, {part[:40]!r} has {'more' if len(row) > cols else len(row)}"
            )
        board.append(row)
    return board


def split_fields(text: str, names: Sequence[str]) -> list[str]:
    """Return the space-separated fields of a position text, one for each name, or raise BadPosition.

    >>> split_fields("3/1X1/O2 X", ["board", "player to move"])
    ['3/1X1/O2', 'X']
    """
    fields = text.split()
    if len(fields) != len(names):
        parts = f"{len(fields)} part{'' if len(fields) == 1 else 's'}"
        raise BadPosition(f"a position is {' '.join(f'<{name}>' for name in names)}; {text[:60]!r} has {parts}")
    return fields


def side_to_move(text: str, symbols: tuple[str, str]) -> int:
    """Return the player whose symbol this is, or raise BadPosition.

    >>> side_to_move("O", ("X", "O"))
    1
    """
    if text not in symbols:
        raise BadPosition(f"the player to move is {symbols[0]} or {symbols[1]}, not {text[:20]!r}")
    return symbols.index(text)


def check_counts(first: int, second: int, turn: int, symbols: tuple[str, str], what: str) -> None:
    """Raise BadPosition unless player 0 has as many pieces as player 1, or one more when player 1 is to move.

    >>> check_counts(0b111, 0, 1, ("X", "O"), "disc")
    Traceback (most recent call last):
    connectoe.core.errors.BadPosition: with O to move, X must have one disc more than O; X has 3 and O has 0
    """
    counts = first.bit_count(), second.bit_count()
    if counts[0] - counts[1] != turn:
        more = f"one {what} more than" if turn else f"as many {what}s as"
        raise BadPosition(
            f"with {symbols[turn]} to move, {symbols[0]} must have {more} {symbols[1]}; "
            f"{symbols[0]} has {counts[0]} and {symbols[1]} has {counts[1]}"
        )


@lru_cache(maxsize=16)
def board_rows(cols: int, rows: int, signs: str, *masks: int) -> tuple[str, ...]:
    """Return the board as rows of signs, top first; each mask has the cells of one sign.

    >>> board_rows(3, 2, "XO", 0b001, 0b001000)
    ('...', 'XO.')
    """
    grid = [["."] * cols for _ in range(rows)]
    for sign, cells in zip(signs, masks, strict=True):
        for column, row in cells_of(cells, rows):
            grid[rows - 1 - row][column] = sign
    return tuple("".join(row) for row in grid)


def masks_from(board: Sequence[str], signs: str) -> list[int]:
    """Return the cells of each sign on a board given as rows, top first.

    >>> masks_from(["...", "XO."], "XO") == [bit(0, 0, rows=2), bit(1, 0, rows=2)]
    True
    """
    rows = len(board)
    return [
        sum(
            bit(column, rows - 1 - down, rows)
            for down, row in enumerate(board)
            for column, found in enumerate(row)
            if found == sign
        )
        for sign in signs
    ]


def check_nothing_floats(discs: int, rows: int) -> None:
    """Raise BadPosition for a disc with an empty cell right below it.

    >>> check_nothing_floats(bit(3, 1, rows=6), 6)
    Traceback (most recent call last):
    connectoe.core.errors.BadPosition: the disc on d2 floats: nothing is under it
    """
    for column, row in cells_of(discs, rows):
        if row and not discs & bit(column, row - 1, rows):
            raise BadPosition(f"the disc on {square_name(column, row)} floats: nothing is under it")
