"""Ultimate tic-tac-toe a second time, as plainly as can be: a dictionary of squares by name, and the list of moves.

It shares no code with the game it is held against.
"""

from __future__ import annotations

BANDS = ("abc", "def", "ghi")
RANKS = ("123", "456", "789")
Board = tuple[str, str]


def straight_lines(letters: str, digits: str) -> list[list[str]]:
    """The eight lines of a 3x3 board with these columns and rows."""
    rows = [[letter + digit for letter in letters] for digit in digits]
    columns = [[letter + digit for digit in digits] for letter in letters]
    falling = [letters[i] + digits[2 - i] for i in range(3)]
    rising = [letters[i] + digits[i] for i in range(3)]
    return [*rows, *columns, falling, rising]


class PlainUltimate:
    """A game under way; a small board is named by its letters and its digits."""

    def __init__(self, won_boards: str = "closed", undecided: str = "draw") -> None:
        self.is_open = won_boards == "open"
        self.most_boards_win = undecided == "most-boards"
        self.moves: list[str] = []
        self.mark: dict[str, str] = {}
        self.owner: dict[Board, str] = {}
        self.ended: str | None = None

    def squares(self, board: Board) -> list[str]:
        return [letter + digit for letter in board[0] for digit in board[1]]

    def is_finished(self, board: Board) -> bool:
        if board in self.owner and not self.is_open:
            return True
        return all(square in self.mark for square in self.squares(board))

    def boards(self) -> list[Board]:
        return [(band, rank) for band in BANDS for rank in RANKS]

    def pointed_at(self, square: str) -> Board:
        """The board that lies on the whole board where the square lies on its own."""
        across = next(band.index(square[0]) for band in BANDS if square[0] in band)
        up = next(rank.index(square[1]) for rank in RANKS if square[1] in rank)
        return BANDS[across], RANKS[up]

    def legal_moves(self) -> set[str]:
        if self.ended is not None:
            return set()
        candidates = [board for board in self.boards() if not self.is_finished(board)]
        if self.moves:
            asked_for = self.pointed_at(self.moves[-1])
            if not self.is_finished(asked_for):
                candidates = [asked_for]
        return {square for board in candidates for square in self.squares(board) if square not in self.mark}

    def play(self, move: str) -> None:
        mover = "XO"[len(self.moves) % 2]
        self.moves.append(move)
        self.mark[move] = mover
        for board in self.boards():
            if board not in self.owner:
                for line in straight_lines(*board):
                    if all(self.mark.get(square) == mover for square in line):
                        self.owner[board] = mover
        large = {"ABC"[i] + "123"[j]: self.owner.get((BANDS[i], RANKS[j])) for i in range(3) for j in range(3)}
        if any(all(large[place] == mover for place in line) for line in straight_lines("ABC", "123")):
            self.ended = "0" if mover == "X" else "1"
        elif all(self.is_finished(board) for board in self.boards()):
            counts = [list(self.owner.values()).count(sign) for sign in "XO"]
            is_equal = counts[0] == counts[1] or not self.most_boards_win
            self.ended = "draw" if is_equal else str(counts.index(max(counts)))

    def undo(self) -> None:
        options = "open" if self.is_open else "closed", "most-boards" if self.most_boards_win else "draw"
        replayed = PlainUltimate(*options)
        for move in self.moves[:-1]:
            replayed.play(move)
        vars(self).update(vars(replayed))

    def result(self) -> str | None:
        return self.ended

    def board(self) -> list[str]:
        return ["".join(self.mark.get(letter + digit, ".") for letter in "abcdefghi") for digit in "987654321"]
