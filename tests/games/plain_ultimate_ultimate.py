"""Ultimate ultimate tic-tac-toe a second time, as plainly as can be: boards are texts of nine signs, kept by name.

It shares no code with the game it is held against.
"""

from __future__ import annotations

NUMBERS = "123456789"
LINES = ("123", "456", "789", "147", "258", "369", "159", "357")


def line_for(symbol: str, signs: str) -> bool:
    """Whether these nine signs, in reading order, have a line of the symbol."""
    return any(all(signs[int(number) - 1] == symbol for number in line) for line in LINES)


class PlainUltimateUltimate:
    """A game under way; 3x3 boards are named by their two numbers, like "35"."""

    def __init__(self, tallies: int = 3) -> None:
        self.needed = tallies
        self.cells = {large + small: "." * 9 for large in NUMBERS for small in NUMBERS}
        self.tallies = {(name, symbol): 0 for name in self.cells for symbol in "XO"}
        self.completed = dict.fromkeys(self.cells, ".")
        self.won = dict.fromkeys(NUMBERS, ".")
        self.mover = "X"
        self.due = "own mark"
        self.at: str | None = None
        """The board to play on; None for any open one."""
        self.first = ""
        self.past: list[dict[str, object]] = []

    @property
    def opponent(self) -> str:
        return "O" if self.mover == "X" else "X"

    def is_closed(self, large: str) -> bool:
        return self.won[large] != "." or all(self.completed[large + small] != "." for small in NUMBERS)

    def is_open(self, name: str) -> bool:
        return self.completed[name] == "." and not self.is_closed(name[0])

    def result(self) -> str | None:
        whole = "".join(self.won.values())
        if line_for("X", whole):
            return "0"
        if line_for("O", whole):
            return "1"
        return "draw" if all(self.is_closed(large) for large in NUMBERS) else None

    def legal_moves(self) -> set[str]:
        if self.result() is not None:
            return set()
        if self.due == "bonus":
            return {">" + large for large in NUMBERS if not self.is_closed(large)}
        if self.due == "opponent's mark":
            assert self.at is not None
            return {"+" + cell for cell in NUMBERS if self.cells[self.at][int(cell) - 1] == "."}
        names = [self.at] if self.at else [name for name in self.cells if self.is_open(name)]
        return {
            f"{name[0]}.{name[1]}.{cell}"
            for name in names
            for cell in NUMBERS
            if self.cells[name][int(cell) - 1] == "."
        }

    def play(self, move: str) -> None:
        now = {name: value for name, value in vars(self).items() if name != "past"}
        self.past.append({name: dict(value) if isinstance(value, dict) else value for name, value in now.items()})
        if move.startswith(">"):
            self.pass_turn(move[1] + self.first)
        elif move.startswith("+"):
            assert self.at is not None
            name, was_cleared = self.at, self.cells[self.at] == "." * 9
            self.put(name, move[1], self.opponent)
            if not was_cleared:
                self.score(name)
            self.pass_turn(move[1] + self.first)
        else:
            large, small, self.first = move.split(".")
            name = large + small
            self.put(name, self.first, self.mover)
            self.at, self.due = name, "opponent's mark"
            if "." not in self.cells[name]:
                self.score(name)
                if self.completed[name] == self.mover and self.result() is None:
                    self.due = "bonus"
                elif self.completed[name] != ".":
                    self.pass_turn(None)

    def undo(self) -> None:
        vars(self).update(self.past.pop())

    def put(self, name: str, cell: str, symbol: str) -> None:
        signs = list(self.cells[name])
        assert signs[int(cell) - 1] == "."
        signs[int(cell) - 1] = symbol
        self.cells[name] = "".join(signs)

    def score(self, name: str) -> None:
        signs = self.cells[name]
        if line_for(self.mover, signs):
            gainers = [self.mover]
        elif line_for(self.opponent, signs):
            gainers = [self.opponent]
        elif "." not in signs:
            gainers = [self.mover, self.opponent]
        else:
            return
        self.cells[name] = "." * 9
        for symbol in gainers:
            self.tallies[name, symbol] += 1
        for symbol in gainers:
            if self.tallies[name, symbol] == self.needed:
                self.complete(name, symbol)
                return

    def complete(self, name: str, symbol: str) -> None:
        self.completed[name] = symbol
        if line_for(symbol, "".join(self.completed[name[0] + small] for small in NUMBERS)):
            self.won[name[0]] = symbol

    def pass_turn(self, to: str | None) -> None:
        self.mover = self.opponent
        self.due = "own mark"
        self.at = to if to and self.is_open(to) else None

    def board(self) -> list[str]:
        rows = []
        for three_large in ("123", "456", "789"):
            for three_small in ("123", "456", "789"):
                for start in (0, 3, 6):
                    names = [large + small for large in three_large for small in three_small]
                    rows.append("".join(self.signs(name)[start : start + 3] for name in names))
        return rows

    def signs(self, name: str) -> str:
        return self.cells[name] if self.completed[name] == "." else self.completed[name].lower() * 9

    def tallies_shown(self) -> dict[str, str]:
        """The tallies of X and O on each open 3x3 board that has any."""
        counts = {name: f"{self.tallies[name, 'X']}{self.tallies[name, 'O']}" for name in self.cells}
        return {name: count for name, count in counts.items() if count != "00" and self.completed[name] == "."}
