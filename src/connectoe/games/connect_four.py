"""Connect Four.

Two players take turns to drop a disc of theirs into one of seven columns. It falls to the lowest empty cell of the
column. Whoever first has four discs in line, across, upright or diagonally, wins; more than four win too. When all 42
cells are full and nobody has a line, it is a draw. A full column takes no disc. Boards may have other sizes, as long as
columns times (rows + 1) is at most 62.

A move is the letter of a column: `d` drops into the middle one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, ClassVar, NamedTuple

from connectoe.board import (
    PRIME,
    Square,
    bit,
    board_rows,
    by_player,
    by_remainder,
    cells_of,
    check_board_size,
    check_counts,
    check_nothing_floats,
    column_name,
    columns_mirrored,
    full_mask,
    has_line,
    how_many,
    line_text,
    lines_on,
    masks_from,
    open_lines,
    show,
    side_to_move,
    split_fields,
    square_name,
    squeeze,
    unsqueeze,
)
from connectoe.errors import BadPosition
from connectoe.game import DRAWN, ONGOING, Game, LastMove, Planes, Rules, option, rule
from connectoe.reach import bits_of, is_there_a_way
from connectoe.scene import Piece, Scene, Target


class Position(NamedTuple):
    """The discs of the player to move and of the opponent, in the bit layout of `board.py`, and whose turn it is.

    >>> ConnectFour().start.play("a").position
    Position(own=0, other=1, turn=1)
    """

    own: int
    other: int
    turn: int


@rule
def stacked(own: int, other: int) -> int:
    """Both players' discs in one int: in each column the own discs, and a 1 right above the highest disc, less 1.

    >>> own, other = bit(0, 0, rows=6) | bit(1, 0, rows=6), bit(0, 1, rows=6)
    >>> unstacked(stacked(own, other), full_mask(7, 6), 6) == (own, other)
    True
    """
    return own + (own | other)


@rule
def unstacked(stacks: int, full: int, rows: int) -> tuple[int, int]:
    """The two players' discs that `stacked` put together.

    >>> unstacked(stacked(0b01, 0b10), full_mask(7, 6), 6)
    (1, 2)
    """
    marked = stacks + (full & ~(full << 1))
    discs = marked >> 1 & full
    for _ in range(rows - 1):
        discs |= discs >> 1 & full
    return marked & discs, discs & ~marked


def rules(cols: int, rows: int, connect: int) -> Rules:
    """Connect Four on cols x rows cells with `connect` in line.

    >>> five_in_line = rules(cols=8, rows=6, connect=5)
    >>> list(five_in_line.legal_moves(five_in_line.start))
    [0, 1, 2, 3, 4, 5, 6, 7]
    """
    height = rows + 1
    full = full_mask(cols, rows)
    tops = full & ~(full >> 1)
    column_by_remainder = by_remainder([bit(column, rows - 1, rows) for column in range(cols)])

    @rule
    def legal_moves(position: Position) -> Iterator[int]:
        open_tops = tops & ~(position.own | position.other)
        while open_tops != 0:
            yield column_by_remainder[(open_tops & -open_tops) % PRIME]
            open_tops &= open_tops - 1

    @rule
    def pick(position: Position, random: int) -> int:
        open_tops = tops & ~(position.own | position.other)
        if open_tops == tops:
            return random * cols >> 32
        for _ in range(random * how_many(open_tops) >> 32):
            open_tops &= open_tops - 1
        return column_by_remainder[(open_tops & -open_tops) % PRIME]

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
    def ending(position: Position) -> int:
        return 0 if has_line(position.other, rows, connect) else 1

    @rule
    def player(position: Position) -> int:
        return position.turn

    @rule
    def pack(position: Position) -> int:
        return stacked(position.own, position.other)

    @rule
    def unpack(packed: int) -> Position:
        own, other = unstacked(packed, full, rows)
        discs, turn = own | other, 0
        while discs:
            discs &= discs - 1
            turn ^= 1
        return Position(own, other, turn)

    @rule
    def mirror(position: Position) -> Position:
        return Position(
            columns_mirrored(position.own, cols, rows), columns_mirrored(position.other, cols, rows), position.turn
        )

    @rule
    def evaluate(position: Position) -> int:
        own, other = position.own, position.other
        lead = open_lines(own, other, full, rows, connect, 3) - open_lines(other, own, full, rows, connect, 3)
        return lead if position.turn == 0 else -lead

    @rule
    def observe(position: Position, viewer: int, planes: Any) -> None:
        first = 0 if viewer == position.turn else 1
        show(position.own, planes, first, cols, rows)
        show(position.other, planes, 1 - first, cols, rows)

    return Rules(
        Position(0, 0, 0), legal_moves, play, outcome, player, pack, unpack, (mirror,), ending, evaluate, pick,
        observe=observe,
    )  # fmt: skip


class ConnectFour(Game):
    """Connect Four on a board of any size up to 62 bits.

    >>> state = ConnectFour(cols=5, rows=4).start
    >>> for move in "a b a b a b a".split():
    ...     state = state.play(move)
    >>> state.board(), state.status
    (['X....', 'XO...', 'XO...', 'XO...'], 'X wins: four discs a1-a4')
    """

    id = "connect-four"
    name = "Connect Four"
    summary = "Drop discs into columns; four of yours in line win."
    move_help = "the letter of a column, like d"
    endings = ("a line of discs", "board full")
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

    def planes(self) -> Planes:
        """The discs of both."""
        return Planes(("own discs", "opponent's discs"), self.rows, self.cols)

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
        """The lines of the player who has just moved.

        >>> game = ConnectFour()
        >>> game.winning_lines(game.state("7/7/7/7/OOO4/XXXX3 O").position)
        [((0, 0), (1, 0), (2, 0), (3, 0))]
        """
        return lines_on(set(cells_of(position.other, self.rows)), self.connect)

    def why_illegal(self, position: Position, move: int) -> str:
        """A full column."""
        return f"column {self.move_text(move)} is full"

    def board(self, position: Position) -> list[str]:
        """Rows of X, O and dots, top first."""
        return list(board_rows(self.cols, self.rows, "XO", *by_player(*position[:3])))

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
        if has_line(position.other, self.rows, self.connect) and not self._last_discs(position.own, position.other):
            raise BadPosition(f"no one disc, dropped last, can have made all lines of {self.symbols[1 - turn]}")
        if not self._can_be_dropped(first, second):
            raise BadPosition("no order of moves leads to these discs")
        return position

    def _last_discs(self, own: int, other: int) -> int:
        """Which of the opponent's discs, with none on them, can have been the last: there was no line without it."""
        free = other & ~((own | other) >> 1)
        return sum(disc for disc in bits_of(free) if not has_line(other ^ disc, self.rows, self.connect))

    def _can_be_dropped(self, first: int, second: int) -> bool:
        """Whether the players can have dropped these discs turn by turn, making no line before the last of them."""
        all_discs = first | second
        floor = sum(bit(column, 0, self.rows) for column in range(self.cols))

        def earlier(discs: int) -> Iterator[int]:
            own, other = (first & discs, second & discs)[:: 1 if discs.bit_count() % 2 == 0 else -1]
            # Where the last disc leaves no line there was none before either.
            free = self._last_discs(own, other) if discs == all_discs else other & ~(discs >> 1)
            for disc in bits_of(free):
                yield discs ^ disc

        def later(discs: int) -> Iterator[int]:
            mover = (first, second)[discs.bit_count() % 2]
            for disc in bits_of(mover & ~discs & (discs << 1 | floor)):
                yield discs | disc

        # Some boards show at the top that they cannot be, some at the bottom.
        found = is_there_a_way(all_discs, 0, earlier)
        if found is None:
            found = is_there_a_way(0, all_discs, later)
        return found is not False

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
        """The column that stands for a move.

        >>> ConnectFour().target(3).says
        'drop a disc in column d'
        """
        letter = column_name(move)
        return Target(letter, move, 0, 1, self.rows, "disc", f"drop a disc in column {letter}")
