"""C4 with a Twist a second time, as plainly as can be: each column is a list of discs, lowest first.

It shares no code with the game it is held against.
"""

from __future__ import annotations

import string


class PlainC4Twist:
    """A game under way."""

    def __init__(self, cols: int = 7, rows: int = 6, connect: int = 4, bombs: int = 1) -> None:
        self.rows = rows
        self.connect = connect
        self.columns: dict[str, list[str]] = {letter: [] for letter in string.ascii_lowercase[:cols]}
        self.bombs = {"X": bombs, "O": bombs}
        self.mover = "X"
        self.undone: list[tuple[dict[str, list[str]], dict[str, int]]] = []

    def legal_moves(self) -> set[str]:
        if self.result() is not None:
            return set()
        open_columns = {letter for letter, discs in self.columns.items() if len(discs) < self.rows}
        bombed = {"*" + letter for letter in open_columns} if self.bombs[self.mover] else set()
        return open_columns | bombed

    def play(self, move: str) -> None:
        self.undone.append(({letter: [*discs] for letter, discs in self.columns.items()}, dict(self.bombs)))
        if move.startswith("*"):
            self.columns[move[1:]].clear()
            self.bombs[self.mover] -= 1
        else:
            self.columns[move].append(self.mover)
        self.mover = "O" if self.mover == "X" else "X"

    def undo(self) -> None:
        self.columns, self.bombs = self.undone.pop()
        self.mover = "O" if self.mover == "X" else "X"

    def result(self) -> str | None:
        for symbol, name in (("X", "0"), ("O", "1")):
            if any(symbol * self.connect in line for line in self.straight_lines()):
                return name
        return "draw" if all(len(discs) == self.rows for discs in self.columns.values()) else None

    def straight_lines(self) -> list[str]:
        """Every row, column and diagonal of the board as a text."""
        board = self.board()
        cols = len(board[0])
        slanted = range(-self.rows, cols + self.rows)
        return [
            *board,
            *("".join(row[c] for row in board) for c in range(cols)),
            *("".join(board[r][s + r] for r in range(self.rows) if 0 <= s + r < cols) for s in slanted),
            *("".join(board[r][s - r] for r in range(self.rows) if 0 <= s - r < cols) for s in slanted),
        ]

    def board(self) -> list[str]:
        return [
            "".join(discs[height] if height < len(discs) else "." for discs in self.columns.values())
            for height in range(self.rows - 1, -1, -1)
        ]
