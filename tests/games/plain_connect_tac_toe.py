"""Connect Tac Toe a second time, as plainly as can be: a dictionary of cells, and discs that fall step by step.

It shares no code with the game it is held against.
"""

from __future__ import annotations

import string


class PlainConnectTacToe:
    """A game under way; `cell[column, height]` is X or O for a disc, x or o for a mark."""

    def __init__(
        self,
        cols: int = 7,
        rows: int = 6,
        discs: int = 4,
        marks: int = 3,
        drop: str = "through-marks",
        stuck: str = "draw",
    ) -> None:
        self.letters = string.ascii_lowercase[:cols]
        self.heights = range(1, rows + 1)
        self.needed = {"X": discs, "O": discs, "x": marks, "o": marks}
        self.drop = drop
        self.stuck = stuck
        self.cell: dict[tuple[str, int], str] = {}
        self.moves: list[str] = []

    @property
    def mover(self) -> str:
        return "XO"[len(self.moves) % 2]

    def is_in_the_way(self, piece: str | None) -> bool:
        """Whether a falling disc stops above this piece for good."""
        return piece in ("X", "O") and self.drop == "through-marks"

    def disc_moves(self) -> set[str]:
        found = set()
        for letter in self.letters:
            for height in reversed(self.heights):
                here = self.cell.get((letter, height))
                if self.is_in_the_way(here):
                    break
                if here is None and (height == 1 or (letter, height - 1) in self.cell):
                    found.add(f"{letter}{height}")
        return found

    def mark_moves(self) -> set[str]:
        disc_heights = [height for (_, height), piece in self.cell.items() if piece in "XO"]
        highest = max(disc_heights, default=0)
        return {
            f"+{letter}{height}"
            for letter in self.letters
            for height in self.heights
            if height <= highest and (letter, height) not in self.cell
        }

    def legal_moves(self) -> set[str]:
        if self.result() is not None:
            return set()
        return self.possible_moves()

    def possible_moves(self) -> set[str]:
        owes_a_disc = len(self.moves) >= 2 and self.moves[-2].startswith("+")
        discs = self.disc_moves()
        if owes_a_disc and (discs or self.stuck == "draw"):
            return discs
        return discs | self.mark_moves()

    def play(self, move: str) -> None:
        piece = self.mover.lower() if move.startswith("+") else self.mover
        square = move.removeprefix("+")
        self.cell[square[0], int(square[1:])] = piece
        self.moves.append(move)

    def undo(self) -> None:
        square = self.moves.pop().removeprefix("+")
        del self.cell[square[0], int(square[1:])]

    def has_line(self, piece: str) -> bool:
        for (letter, height), found in self.cell.items():
            if found != piece:
                continue
            column = self.letters.index(letter)
            for right, up in ((0, 1), (1, 0), (1, 1), (1, -1)):
                places = [(column + right * i, height + up * i) for i in range(self.needed[piece])]
                if all(c < len(self.letters) and self.cell.get((self.letters[c], h)) == piece for c, h in places):
                    return True
        return False

    def result(self) -> str | None:
        if self.has_line("X") or self.has_line("x"):
            return "0"
        if self.has_line("O") or self.has_line("o"):
            return "1"
        return None if self.possible_moves() else "draw"

    def board(self) -> list[str]:
        return [
            "".join(self.cell.get((letter, height), ".") for letter in self.letters)
            for height in reversed(self.heights)
        ]
