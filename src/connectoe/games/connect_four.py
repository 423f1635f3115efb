"""Connect Four.

Two players take turns to drop a disc of theirs into one of seven columns. It falls to the lowest empty cell of the
column. Whoever first has four discs in line, across, upright or diagonally, wins; more than four win too. When all 42
cells are full and nobody has a line, it is a draw. A full column takes no disc.

A move is the letter of a column: `d` drops into the middle one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import ClassVar, NamedTuple

from connectoe.board import (
    Square,
    board_rows,
    by_player,
    cells_of,
    check_board_size,
    check_counts,
    check_nothing_floats,
    column_name,
    full_mask,
    has_line,
    line_text,
    lines_on,
    masks_from,
    side_to_move,
    split_fields,
    square_name,
    squeeze,
    unsqueeze,
)
from connectoe.errors import BadPosition
from connectoe.game import DRAWN, ONGOING, Game, LastMove, Rules, option, rule
from connectoe.reach import can_be_reached
from connectoe.scene import Piece, Scene, Target


class Position(NamedTuple):
    """The discs of the player to move and of the opponent, in the bit layout of `board.py`, and whose turn it is."""

    own: int
    other: int
    turn: int


def rules(cols: int, rows: int, connect: int) -> Rules:
    """Connect Four on cols x rows cells with `connect` in line."""
    height = rows + 1
    full = full_mask(cols, rows)

    @rule
    def legal_moves(position: Position) -> Iterator[int]:
        discs = position.own | position.other
        for column in range(cols):
            if not discs >> (column * height + rows - 1) & 1:
                yield column

    @rule
    def play(position: Position, move: int) -> Position:
        discs = position.own | position.other
        # Adding the column's lowest bit carries up to its first empty cell.
        landed = discs + (1 << (move * height))
        return Position(position.other, position.own | (landed & ~discs), 1 - position.turn)

    @rule
    def outcome(position: Position) -> int:
        if has_line(position.other, rows, connect):
            return 1 - position.turn
        if position.own | position.other == full:
            return DRAWN
        return ONGOING

    @rule
    def player(position: Position) -> int:
        return position.turn

    return Rules(Position(0, 0, 0), legal_moves, play, outcome, player)


class ConnectFour(Game):
    """Connect Four on a board of any size up to 62 bits."""

    id = "connect-four"
    name = "Connect Four"
    summary = "Drop discs into columns; four of yours in line win."
    move_help = "the letter of a column, like d"
    cols: int = option(7, range(1, 32), "columns of the board")
    rows: int = option(6, range(1, 62), "rows of the board")
    connect: int = option(4, range(3, 7), "discs in line that win")
    make_rules: ClassVar[Callable[..., Rules]] = staticmethod(rules)

    def check_options(self) -> None:
        """Refuses boards that do not fit into the 62 bits a position has."""
        check_board_size(self.cols, self.rows)

    def notation(self) -> Sequence[str]:
        """The columns."""
        return [column_name(column) for column in range(self.cols)]

    def symmetries(self) -> Mapping[str, Sequence[int]]:
        """Left and right are alike."""
        return {"mirror": range(self.cols - 1, -1, -1)}

    def reason(self, position: Position) -> str:
        """The winning line, or that the board is full."""
        winner = self.rules.outcome(position)
        if winner == DRAWN:
            return "board full"
        return line_text(self.winning_lines(position)[0], "discs")

    def winning_lines(self, position: Position) -> list[tuple[Square, ...]]:
        """The lines of the player who has just moved."""
        return lines_on(set(cells_of(position.other, self.rows)), self.connect)

    def why_illegal(self, position: Position, move: int) -> str:
        """A full column."""
        return f"column {self.move_text(move)} is full"

    def board(self, position: Position) -> list[str]:
        """Rows of X, O and dots, top first."""
        return board_rows(self.cols, self.rows, dict(zip("XO", by_player(*position[:3]), strict=True)))

    def write(self, position: Position) -> str:
        """The rows from the top, empty cells counted, then the player to move: `7/7/7/7/7/3X3 O`."""
        return f"{squeeze(self.board(position))} {self.symbols[position.turn]}"

    def read(self, text: str) -> Position:
        """The position, if play from an empty board can lead to it."""
        board, mover = split_fields(text, ["board", "player to move"])
        turn = side_to_move(mover, self.symbols)
        first, second = masks_from(unsqueeze(board, self.cols, self.rows, "XO"), "XO")
        check_nothing_floats(first | second, self.rows)
        check_counts(first, second, turn, self.symbols, "disc")
        position = Position(*by_player(first, second, turn), turn)
        if has_line(position.own, self.rows, self.connect):
            raise BadPosition(f"{mover} has a line already, and the game ended there")

        def is_on_the_way(other: Position) -> bool:
            discs = by_player(*other)
            return not (discs[0] & ~first or discs[1] & ~second)

        if not can_be_reached(self.rules, position, is_on_the_way):
            raise BadPosition("no order of moves leads to these discs")
        return position

    def scene(self, position: Position, last: LastMove | None = None) -> Scene:
        """Discs behind a board of holes; a column is a target."""
        scene = Scene(self.symbols)
        scene.add_grid(self.cols, self.rows, "hole")
        for owner, discs in enumerate(by_player(*position[:3])):
            for square in cells_of(discs, self.rows):
                scene.pieces.append(Piece(f"disc-{square_name(*square)}", *scene.middle(*square), "disc", owner))
        if last:
            new = position.other & ~last.before.own
            scene.highlight("last", cells_of(new, self.rows))
        outcome = self.rules.outcome(position)
        if outcome in (0, 1):
            for line in self.winning_lines(position):
                scene.win(line, outcome)
        elif outcome == ONGOING:
            scene.targets += [self.target(move) for move in self.rules.legal_moves(position)]
        return scene

    def target(self, move: int) -> Target:
        """The column that stands for a move."""
        letter = column_name(move)
        return Target(letter, move, 0, 1, self.rows, "disc", f"drop a disc in column {letter}")
