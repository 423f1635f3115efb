"""Semaphores a second time, as plainly as can be: a grid of letters.

It shares no code with the game it is held against.
"""

from __future__ import annotations

import itertools

NEXT = {".": "G", "G": "Y", "Y": "R"}
BEFORE = {after: before for before, after in NEXT.items()}


class PlainSemaphores:
    """A game under way; `grid[0]` is the top row."""

    def __init__(self, rows: int = 3, cols: int = 4) -> None:
        self.grid = [["."] * cols for _ in range(rows)]
        self.moves: list[str] = []

    def place(self, move: str) -> tuple[int, int]:
        return len(self.grid) - int(move[1:]), ord(move[0]) - ord("a")

    def legal_moves(self) -> set[str]:
        if self.result() is not None:
            return set()
        return self.not_red()

    def not_red(self) -> set[str]:
        return {
            f"{chr(ord('a') + column)}{len(self.grid) - down}"
            for down, row in enumerate(self.grid)
            for column, light in enumerate(row)
            if light != "R"
        }

    def play(self, move: str) -> None:
        down, column = self.place(move)
        self.grid[down][column] = NEXT[self.grid[down][column]]
        self.moves.append(move)

    def undo(self) -> None:
        down, column = self.place(self.moves.pop())
        self.grid[down][column] = BEFORE[self.grid[down][column]]

    def result(self) -> str | None:
        height, width = len(self.grid), len(self.grid[0])
        for down, column in itertools.product(range(height), range(width)):
            for step_down, step_right in ((0, 1), (1, 0), (1, 1), (1, -1)):
                three = [(down + step_down * i, column + step_right * i) for i in range(3)]
                if all(d < height and 0 <= c < width for d, c in three):
                    lights = {self.grid[d][c] for d, c in three}
                    if len(lights) == 1 and lights != {"."}:
                        return "0" if len(self.moves) % 2 else "1"
        return None if self.not_red() else "draw"

    def board(self) -> list[str]:
        return ["".join(row) for row in self.grid]
