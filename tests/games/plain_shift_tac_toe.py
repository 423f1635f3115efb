"""Shift Tac Toe once more, told piece by piece with lists and dicts, to hold the real one against.

Columns are those of the rules text: 0, 1, 2 are the grid, -2 to 4 the frame. Row 0 is the bottom.
"""

from __future__ import annotations

Place = tuple[int, int]


class PlainShiftTacToe:
    """A game in progress."""

    def __init__(self, edition: str, both: str) -> None:
        self.edition = edition
        self.both = both
        self.signs: dict[Place, str] = {}
        self.stand = {"top": 0, "middle": 0, "bottom": 0}  # steps right of the start
        self.mover = "O"
        self.result: str | None = None

    def reach(self) -> tuple[int, int]:
        """How far right and left of its start a slider may stand."""
        return (0, -2) if self.edition == "sliders" else (1, -1)

    def has_holder(self, column: int, row: int) -> bool:
        if self.edition == "pressman":
            return 0 <= column <= 2
        first = self.stand[("bottom", "middle", "top")[row]]
        return first <= column <= first + 4

    def legal_moves(self) -> list[str]:
        moves = []
        for column, digit in enumerate("123"):
            height = len([place for place in self.signs if place[0] == column])
            discs_out = list(self.signs.values()).count(self.mover)
            if height < 3 and not (self.edition == "pressman" and discs_out == 5):
                moves.append(digit)
        most_right, most_left = self.reach()
        for row, to_right, to_left in (("top", "4", "7"), ("middle", "5", "8"), ("bottom", "6", "9")):
            if self.stand[row] != most_right:
                moves.append(to_right)
            if self.stand[row] != most_left:
                moves.append(to_left)
        return sorted(moves)

    def play(self, digit: str) -> None:
        if digit in "123":
            column = "123".index(digit)
            row = 0
            while (column, row) in self.signs:
                row += 1
            self.signs[column, row] = self.mover
        else:
            name, row = {"4": ("top", 2), "5": ("middle", 1), "6": ("bottom", 0)}[str((int(digit) - 4) % 3 + 4)]
            by = 1 if digit in "456" else -1
            self.stand[name] += by
            riding = {place: sign for place, sign in self.signs.items() if place[1] == row}
            for place in riding:
                del self.signs[place]
            for (column, _), sign in riding.items():
                self.signs[column + by, row] = sign
            if self.edition == "pressman":
                self.signs = {place: sign for place, sign in self.signs.items() if 0 <= place[0] <= 2}
            self.let_fall()
        self.look_for_lines()
        self.mover = "X" if self.mover == "O" else "O"

    def let_fall(self) -> None:
        for place in sorted(self.signs, key=lambda place: place[1]):
            column, row = place
            lands = row
            while lands > 0 and (column, lands - 1) not in self.signs:
                lands -= 1
            if lands != row:
                sign = self.signs.pop(place)
                if self.has_holder(column, lands):
                    self.signs[column, lands] = sign

    def grid(self) -> list[list[str]]:
        return [[self.signs.get((column, row), "") for column in range(3)] for row in (2, 1, 0)]

    def look_for_lines(self) -> None:
        rows = self.grid()
        trios = [*rows, *zip(*rows, strict=True), [rows[i][i] for i in range(3)], [rows[i][2 - i] for i in range(3)]]
        with_line = {trio[0] for trio in trios if trio[0] and trio[0] == trio[1] == trio[2]}
        if len(with_line) == 2:
            self.result = "draw" if self.both == "draw" else self.mover
        elif with_line:
            (self.result,) = with_line
