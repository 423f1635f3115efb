"""Ultimate ultimate tic-tac-toe.

A 3x3 of ultimate grids: nine 9x9 boards, each with nine 3x3 boards, each with nine cells. All are numbered 1 to 9 in
reading order, 1 top left. Win three 9x9 boards in line to win the game, three 3x3 boards in line to win a 9x9 board,
and three tallies on a 3x3 board to complete it.

A turn happens on one 3x3 board, in two steps of the same player:

1. `B.S.C` puts your own mark on cell C of 3x3 board S of 9x9 board B;
2. `+C` puts your opponent's mark on another, empty cell of the same 3x3 board.

Your opponent must then play on the 3x3 board numbered like your first mark's cell, in the 9x9 board numbered like
your second mark's. If that 3x3 board is completed or that 9x9 board closed, your opponent plays on any open board; so
does the first player in the first turn.

After the second step the board is scored. Three of your marks in line are a tally for you; if you have none, three of
your opponent's are a tally for your opponent; if nobody has a line and the board is full, both get a tally. A board
that gave a tally is cleared of its marks. Whoever gets the third tally (option `tallies`) completes the board and owns
it; if both get there at once, the player whose turn it is does.

A board with eight marks has one empty cell. Your first step fills it and is scored at once. Then

- if that completes the board for you, you have the bonus, unless the game is over with it: instead of `+C` you play
  `>B`, choosing any open 9x9 board, and your opponent goes to its 3x3 board numbered like your mark's cell, or to any
  open board if that one is completed;
- if it completes the board for your opponent, your turn is over, and your opponent plays on any open board;
- otherwise the board has just been cleared, and `+C` goes on any of its nine cells. It is not scored again.

A 9x9 board is closed when it is won or all its nine boards are completed; without a line it belongs to nobody. When
all nine are closed and nobody has three in line, it is a draw.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from connectoe.board import PRIME, by_remainder, lines_on, side_to_move, split_fields
from connectoe.errors import BadPosition
from connectoe.game import DRAWN, ONGOING, Game, LastMove, Planes, Rules, option, rule
from connectoe.games.tic_tac_toe import FREE, FREE_COUNT, FULL, has_three, squares_of, won_at_once
from connectoe.scene import Cell, Highlight, Label, Panel, Piece, Scene, Stroke, Target

# The moves: 81 * B + 9 * S + C for B.S.C, then nine for +C and nine for >B, all counted from 0 in reading order:
#
#   0 1 2
#   3 4 5
#   6 7 8

SECOND_MARKS = 729
BONUSES = 738

# The steps of a turn: one's own mark, the opponent's mark, or the bonus instead of it.
FIRST, SECOND, BONUS = 0, 1, 2

ANYWHERE = 81
"""In `Position.where`: any open board."""

# The bits of a 3x3 board:
#
#   27  completed by O | 26  completed by X | 22..25  O's tallies | 18..21  X's tallies | 9..17  O's marks | 0..8  X's
#
# A completed board has neither marks nor tallies.

MARKS = FULL | FULL << 9
TALLIES = 18
COMPLETED = 1 << 26


class Position(NamedTuple):
    """The boards, and the step to play.

    boards   81 3x3 boards, 9 * B + S, in the bits above; then for each 9x9 board B, at 81 + B, which of its
             3x3 boards X (bits 0..8) and O (bits 9..17) have completed. `play` copies it before it writes to it.
    won      the 9x9 boards that X (bits 0..8) and O (bits 9..17) have won
    closed   the 9x9 boards nobody may play on any more: bit B
    turn     the player to move
    step     FIRST, SECOND or BONUS
    where    the 3x3 board to play on, or ANYWHERE
    first    the cell of this turn's first mark, once it is made

    >>> position = UltimateUltimate().start.play("5.5.1").position
    >>> board_name(position.where), position.step == SECOND
    ('5.5', True)
    """

    boards: NDArray[np.int32]
    won: int
    closed: int
    turn: int
    step: int
    where: int
    first: int


@rule
def of(player: int, bits: int) -> int:
    """What a player has, of marks or boards kept as X's nine bits and O's nine bits.

    >>> bin(of(1, 0b000_000_111_000_000_000))
    '0b111'
    """
    return bits >> 9 * player & FULL


@rule
def of_both(bits: int) -> int:
    """What the players have together.

    >>> bin(of_both(0b000_000_001_100_000_000))
    '0b100000001'
    """
    return (bits | bits >> 9) & FULL


@rule
def tallies_of(player: int, board: int) -> int:
    """A player's tallies on a 3x3 board.

    >>> board = 2 << TALLIES
    >>> tallies_of(0, board), tallies_of(1, board)
    (2, 0)
    """
    return board >> TALLIES + 4 * player & 15


@rule
def result(won: int, closed: int) -> int:
    """The outcome, by the 9x9 boards that are won and closed.

    >>> result(won=0b111, closed=0b111)
    0
    """
    if has_three(of(0, won)):
        return 0
    if has_three(of(1, won)):
        return 1
    return DRAWN if closed == FULL else ONGOING


@rule
def is_open(board: int, where: int, closed: int) -> bool:
    """Whether a 3x3 board can be played on.

    >>> is_open(0, where=40, closed=0), is_open(0, where=40, closed=0b000_010_000), is_open(COMPLETED, 40, closed=0)
    (True, False, False)
    """
    return board < COMPLETED and not closed >> where // 9 & 1


# Compiled generators never let go of an array they were given, so legal moves are numbered from ints alone: the empty
# cells of all 81 boards in groups of six boards, 54 bits each.

GROUPS = 14
Groups = tuple[int, int, int, int, int, int, int, int, int, int, int, int, int, int]
BIT_NUMBER = by_remainder([1 << number for number in range(54)])


@rule
def numbered(from_move: int, groups: Groups, count: int) -> Iterator[int]:
    """The moves from `from_move` on that have a bit in one of the first `count` groups.

    >>> list(numbered(SECOND_MARKS, one_group(0b101), 1))
    [729, 731]
    """
    for group in range(count):
        cells = groups[group]
        while cells != 0:
            yield from_move + 54 * group + BIT_NUMBER[(cells & -cells) % PRIME]
            cells &= cells - 1


@rule
def one_group(cells: int) -> Groups:
    """Groups of which only the first is used.

    >>> one_group(0b101)[:3]
    (5, 0, 0)
    """
    return cells, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0


@rule
def empty_cells(boards: NDArray[np.int32], closed: int, group: int) -> int:
    """The empty cells of the open boards in a group of six.

    >>> empty_cells(np.zeros(90, np.int32), closed=0, group=0) == (1 << 54) - 1
    True
    """
    cells = 0
    for where in range(6 * group, min(6 * group + 6, 81)):
        board = int(boards[where])
        if is_open(board, where, closed):
            cells |= (FULL & ~of_both(board)) << 9 * (where - 6 * group)
    return cells


@rule
def all_groups(boards: NDArray[np.int32], closed: int) -> Groups:
    """The empty cells of all open boards.

    >>> sum(group.bit_count() for group in all_groups(np.zeros(90, np.int32), closed=0))
    729
    """
    return (
        empty_cells(boards, closed, 0),
        empty_cells(boards, closed, 1),
        empty_cells(boards, closed, 2),
        empty_cells(boards, closed, 3),
        empty_cells(boards, closed, 4),
        empty_cells(boards, closed, 5),
        empty_cells(boards, closed, 6),
        empty_cells(boards, closed, 7),
        empty_cells(boards, closed, 8),
        empty_cells(boards, closed, 9),
        empty_cells(boards, closed, 10),
        empty_cells(boards, closed, 11),
        empty_cells(boards, closed, 12),
        empty_cells(boards, closed, 13),
    )


@rule
def pick_anywhere(boards: NDArray[np.int32], closed: int, random: int) -> int:
    """One of all the empty cells on open boards.

    >>> pick_anywhere(np.zeros(90, np.int32), closed=0, random=(1 << 32) - 1)
    728
    """
    free = 0
    for where in range(81):
        board = int(boards[where])
        if is_open(board, where, closed):
            free += FREE_COUNT[of_both(board)]
    left = random * free >> 32
    for where in range(81):
        board = int(boards[where])
        if is_open(board, where, closed):
            taken = of_both(board)
            if left < FREE_COUNT[taken]:
                return 9 * where + FREE[9 * taken + left]
            left -= FREE_COUNT[taken]
    return -1  # there is always one


def rules(tallies: int) -> Rules:
    """Ultimate ultimate tic-tac-toe, with this many tallies to complete a 3x3 board.

    >>> short = rules(tallies=1)
    >>> len(list(short.legal_moves(short.start)))
    729
    """

    @rule
    def legal_moves(position: Position) -> Iterator[int]:
        if position.step == BONUS:
            return numbered(BONUSES, one_group(FULL & ~position.closed), 1)
        if position.where != ANYWHERE:
            from_move = SECOND_MARKS if position.step == SECOND else 9 * position.where
            return numbered(from_move, one_group(FULL & ~of_both(int(position.boards[position.where]))), 1)
        return numbered(0, all_groups(position.boards, position.closed), GROUPS)

    @rule
    def pick(position: Position, random: int) -> int:
        if position.where == ANYWHERE and position.step != BONUS:
            return pick_anywhere(position.boards, position.closed, random)
        if position.step == BONUS:
            from_move, taken = BONUSES, position.closed
        else:
            from_move = SECOND_MARKS if position.step == SECOND else 9 * position.where
            taken = of_both(int(position.boards[position.where]))
        return from_move + FREE[9 * taken + (random * FREE_COUNT[taken] >> 32)]

    @rule
    def scored(board: int, mover: int) -> int:
        """A 3x3 board after the tallies it gives."""
        if has_three(of(mover, board)):
            gained = 1 << TALLIES + 4 * mover
        elif has_three(of(1 - mover, board)):
            gained = 1 << TALLIES + 4 * (1 - mover)
        elif of_both(board) == FULL:
            gained = 0b1_0001 << TALLIES
        else:
            return board
        cleared = (board & ~MARKS) + gained
        if tallies_of(mover, cleared) == tallies:
            return COMPLETED << mover
        if tallies_of(1 - mover, cleared) == tallies:
            return COMPLETED << 1 - mover
        return cleared

    @rule
    def copied(position: Position) -> Position:
        boards, won, closed, turn, step, where, first = position
        return Position(boards.copy(), won, closed, turn, step, where, first)

    @rule
    def play_over(position: Position, move: int) -> Position:
        boards, won, closed, turn, step, where, first = position
        number = move % 9
        board = 0
        if step != BONUS:
            where = move // 9 if step == FIRST else where
            board = int(boards[where]) | 1 << 9 * (turn if step == FIRST else 1 - turn) + number
            if step == SECOND or of_both(board) == FULL:
                board = scored(board, turn)
            boards[where] = board
        is_completed = board >= COMPLETED
        if is_completed:
            large, owner = where // 9, 0 if board == COMPLETED else 1
            completed = int(boards[81 + large]) | 1 << 9 * owner + where % 9
            boards[81 + large] = completed
            if has_three(of(owner, completed)):
                won |= 1 << 9 * owner + large
                closed |= 1 << large
            elif of_both(completed) == FULL:
                closed |= 1 << large
        if step != FIRST:  # the turn is over, and sends the opponent somewhere
            where = 9 * number + first
            if not is_open(int(boards[where]), where, closed):
                where = ANYWHERE
            turn, step, first = 1 - turn, FIRST, 0
        elif not is_completed:
            step, first = SECOND, number
        elif board == COMPLETED << turn and result(won, closed) == ONGOING:
            step, where, first = BONUS, ANYWHERE, number
        else:
            turn, where = 1 - turn, ANYWHERE
        # One place to return from: compiled code counts who holds an array, and does without it where it can follow.
        return Position(boards, won, closed, turn, step, where, first)

    @rule
    def play(position: Position, move: int) -> Position:
        return play_over(copied(position), move)

    @rule
    def outcome(position: Position) -> int:
        return result(position.won, position.closed)

    @rule
    def ending(position: Position) -> int:
        return 1 if outcome(position) == DRAWN else 0

    @rule
    def player(position: Position) -> int:
        return position.turn

    @rule
    def observe(position: Position, viewer: int, planes: Any) -> None:
        for where in range(81):
            board, large, small = int(position.boards[where]), where // 9, where % 9
            is_to_play_on = where == position.where or (
                position.where == ANYWHERE and is_open(board, where, position.closed)
            )
            top, left = 9 * (large // 3) + 3 * (small // 3), 9 * (large % 3) + 3 * (small % 3)
            for cell in range(9):
                row, column = top + cell // 3, left + cell % 3
                for player in range(2):
                    whose = 0 if player == viewer else 1
                    planes[whose, row, column] = of(player, board) >> cell & 1
                    planes[2 + whose, row, column] = tallies_of(player, board)
                    planes[4 + whose, row, column] = 1 if board == COMPLETED << player else 0
                    planes[6 + whose, row, column] = of(player, position.won) >> large & 1
                planes[8, row, column] = position.closed >> large & 1
                planes[9, row, column] = 1 if is_to_play_on else 0
                if position.step != FIRST and cell == position.first:
                    planes[10, row, column] = 1
        if position.step == BONUS:
            planes[11] = 1

    start = Position(np.zeros(90, np.int32), 0, 0, 0, FIRST, ANYWHERE, 0)
    return Rules(
        start, legal_moves, play, outcome, player, ending=ending, pick=pick, copied=copied, play_over=play_over,
        observe=observe,
    )  # fmt: skip


UNTOUCHED = "9"

# The picture, in cells: 3x3 boards stand BETWEEN apart, with a STRIP above each for its number and tallies; 9x9 boards
# stand APART, with their number in a HEAD above and a MARGIN at both sides, so that a square claim covers all cells.
BETWEEN, STRIP, APART, HEAD, MARGIN = 0.25, 0.6, 1.3, 1.0, 0.4


def board_name(where: int) -> str:
    """A 3x3 board as B.S, counted from 1.

    >>> board_name(9 * 2 + 4)
    '3.5'
    """
    return f"{where // 9 + 1}.{where % 9 + 1}"


def cell_place(where: int, cell: int) -> tuple[float, float]:
    """The middle of a cell in the picture.

    >>> x, y = cell_place(0, 0)
    >>> cell_place(0, 1) == (x + 1, y)
    True
    """
    large, small = divmod(where, 9)
    across, down = 3 * (large % 3) + small % 3, 3 * (large // 3) + small // 3
    x = 3 * across + cell % 3 + BETWEEN * (across - across // 3) + APART * (across // 3)
    y = 3 * down + cell // 3 + STRIP * (down + 1) + HEAD * (down // 3 + 1)
    return x + 0.5, y + 0.5


PLACES = [cell_place(where, cell) for where in range(81) for cell in range(9)]
WIDTH_OF_9X9, HEIGHT_OF_9X9 = 9 + 2 * BETWEEN + 2 * MARGIN, 9 + 3 * STRIP


def over_board(kind: str, where: int) -> Highlight:
    """A highlight over a 3x3 board.

    >>> over_board("forced", 0).width
    3
    """
    x, y = PLACES[9 * where]
    return Highlight(kind, x - 0.5, y - 0.5, 3, 3)


def over_9x9(kind: str, large: int) -> Highlight:
    """A highlight over a 9x9 board.

    >>> over_9x9("forced", 0).width == WIDTH_OF_9X9
    True
    """
    x, y = PLACES[81 * large]
    return Highlight(kind, x - 0.5 - MARGIN, y - 0.5 - STRIP, WIDTH_OF_9X9, HEIGHT_OF_9X9)


def middle_of_9x9(large: int) -> tuple[float, float]:
    """The middle cell of a 9x9 board in the picture.

    >>> middle_of_9x9(0) == cell_place(4, 4)
    True
    """
    return PLACES[81 * large + 9 * 4 + 4]


class UltimateUltimate(Game):
    """Ultimate ultimate tic-tac-toe.

    >>> state = UltimateUltimate().start.play("5.5.1").play("+9")
    >>> state.turn, state.legal_moves()[:3]
    (1, ['9.1.1', '9.1.2', '9.1.3'])
    """

    id = "ultimate-ultimate"
    name = "Ultimate ultimate tic-tac-toe"
    summary = "729 cells and two marks a turn, one of them your opponent's: where they stand decides where play goes."
    move_help = "B.S.C (board and cell, like 5.1.9), +C for the opponent's mark, or >B for the bonus, all 1..9"
    special_moves: ClassVar[Mapping[str, str]] = {"bonus": ">.+"}
    endings = ("three 9x9 boards in line", "no 9x9 board left")
    tallies: int = option(3, range(1, 10), "tallies that complete a 3x3 board")
    ply_limit = 10_000
    make_rules = staticmethod(rules)

    def notation(self) -> Sequence[str]:
        """The first marks, then the second marks, then the bonuses."""
        digits = "123456789"
        firsts = [f"{large}.{small}.{cell}" for large in digits for small in digits for cell in digits]
        return [*firsts, *(f"+{cell}" for cell in digits), *(f">{large}" for large in digits)]

    def planes(self) -> Planes:
        """All 27x27 cells: marks, tallies and boards of both, where to play, and on every board the cell numbered like
        the first mark of this turn, once it is made."""
        both = [f"{whose} {what}" for what in ("marks", "tallies", "3x3 boards", "9x9 boards")
                for whose in ("own", "opponent's")]  # fmt: skip
        return Planes((*both, "closed 9x9 boards", "boards to play on", "first mark", "bonus"), 27, 27, self.tallies)

    def symmetries(self) -> Mapping[str, Sequence[int]]:
        """A mirror and a quarter turn, of the whole and of every board in it alike."""

        def of_moves(turned: list[int]) -> list[int]:
            firsts = [
                81 * turned[large] + 9 * turned[small] + turned[cell] for large, small, cell in np.ndindex(9, 9, 9)
            ]
            return [*firsts, *(SECOND_MARKS + cell for cell in turned), *(BONUSES + large for large in turned)]

        return {
            "mirror": of_moves([3 * (i // 3) + 2 - i % 3 for i in range(9)]),
            "quarter turn": of_moves([3 * (i % 3) + 2 - i // 3 for i in range(9)]),
        }

    def reason(self, position: Position) -> str:
        """The three 9x9 boards in line, or that none is left."""
        winner = self.rules.outcome(position)
        if winner == DRAWN:
            return "all 9x9 boards are closed and nobody has three in line"
        numbers = [str(large + 1) for large in self.winning_lines(position, winner)[0]]
        return f"three 9x9 boards {', '.join(numbers)}"

    def winning_lines(self, position: Position, winner: int) -> list[list[int]]:
        """The lines of 9x9 boards a player has won.

        >>> game = UltimateUltimate()
        >>> game.winning_lines(game.rules.start._replace(won=0b001_010_100), 0)
        [[2, 4, 6]]
        """
        won = squares_of(of(winner, position.won))
        return [sorted(3 * row + column for column, row in line) for line in lines_on(set(won), 3)]

    def why_illegal(self, position: Position, move: int) -> str:
        """A step that is not due, another board than the one to play on, a board that is not open, or a taken cell."""
        mover, opponent = self.symbols[position.turn], self.symbols[1 - position.turn]
        if position.step == BONUS:
            if move >= BONUSES:
                return self._why_closed(position, move - BONUSES)
            return f"{mover} has the bonus and chooses a 9x9 board, >1 to >9"
        if move >= BONUSES:
            return "the bonus comes only after filling the last cell of a board and completing it by that"
        if position.step == SECOND:
            if move < SECOND_MARKS:
                return (
                    f"{mover} has made the first mark; {opponent}'s mark on board {board_name(position.where)} is due"
                )
            return f"there is a mark on cell {board_name(position.where)}.{move - SECOND_MARKS + 1} already"
        if move >= SECOND_MARKS:
            return f"{mover}'s own mark comes first"
        where = move // 9
        if position.where not in (ANYWHERE, where):
            return f"{mover} was sent to board {board_name(position.where)} and must play there"
        if position.closed >> where // 9 & 1:
            return self._why_closed(position, where // 9)
        board = int(position.boards[where])
        if board >= COMPLETED:
            return f"board {board_name(where)} is completed by {self.symbols[board // COMPLETED - 1]}"
        return f"there is a mark on cell {self.move_text(move)} already"

    def _why_closed(self, position: Position, large: int) -> str:
        for player in (0, 1):
            if of(player, position.won) >> large & 1:
                return f"9x9 board {large + 1} is closed: {self.symbols[player]} has won it"
        return f"9x9 board {large + 1} is closed: all its boards are completed"

    def _cells(self, board: int) -> str:
        """The nine cells of a 3x3 board as X, O and dots; x or o all over when it is completed."""
        if board >= COMPLETED:
            return "xo"[board // COMPLETED - 1] * 9
        return "".join("X" if board >> cell & 1 else "O" if board >> cell + 9 & 1 else "." for cell in range(9))

    def board(self, position: Position) -> list[str]:
        """27 rows of X, O and dots, top first; completed boards are full of small x or o."""
        cells = [self._cells(int(board)) for board in position.boards[:81]]
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

    def write(self, position: Position) -> str:
        """The nine 9x9 boards with / between them, the player to move, and the step.

        A 9x9 board is `-` if nothing has happened there, or its nine 3x3 boards with commas between them. A 3x3 board
        is `=X` or `=O` when completed; otherwise its cells in reading order, empty ones counted, then a colon and the
        tallies of X and O, if any: `2X3O2:10`. The step is `any`, `3.5` (the board to play on), `3.5.1+` (the first
        mark was made on 3.5.1, the opponent's is due) or `1>` (the bonus is due, the mark was made on cell 1).
        """
        large_boards = []
        for large in range(9):
            texts = [self._write_board(int(board)) for board in position.boards[9 * large : 9 * large + 9]]
            large_boards.append("-" if all(text == UNTOUCHED for text in texts) else ",".join(texts))
        if position.step == BONUS:
            step = f"{position.first + 1}>"
        elif position.step == SECOND:
            step = f"{board_name(position.where)}.{position.first + 1}+"
        else:
            step = "any" if position.where == ANYWHERE else board_name(position.where)
        return f"{'/'.join(large_boards)} {self.symbols[position.turn]} {step}"

    def _write_board(self, board: int) -> str:
        if board >= COMPLETED:
            return f"={self.symbols[board // COMPLETED - 1]}"
        cells = re.sub(r"\.+", lambda run: str(len(run[0])), self._cells(board))
        return f"{cells}:{tallies_of(0, board)}{tallies_of(1, board)}" if board >> TALLIES else cells

    def read(self, text: str) -> Position:
        """The position, if it can be one between two steps of a game, as far as each board and what sent players from
        board to board show."""
        from connectoe.reach.ultimate_ultimate import check

        large_texts, mover, step_text = split_fields(text, ["boards", "player to move", "step"])
        turn = side_to_move(mover, self.symbols)
        boards = np.zeros(90, np.int32)
        parts = large_texts.split("/")
        if len(parts) != 9:
            raise BadPosition(f"there are nine 9x9 boards with / between them, this has {len(parts)}")
        for large, part in enumerate(parts):
            texts = [UNTOUCHED] * 9 if part == "-" else part.split(",")
            if len(texts) != 9:
                raise BadPosition(f"9x9 board {large + 1} is - or nine boards with commas, this has {len(texts)}")
            for small, board_text in enumerate(texts):
                boards[9 * large + small] = self._read_board(board_text, 9 * large + small)
        won, closed = self._read_9x9s(boards)
        step, where, first = self._read_step(step_text)
        position = Position(boards, won, closed, turn, step, where, first)
        check(position, self.symbols)
        return position

    def _read_board(self, text: str, where: int) -> int:
        """The bits of a 3x3 board, as far as its text alone can be judged."""
        name = board_name(where)
        if text in ("=X", "=O"):
            return COMPLETED << "XO".index(text[1])
        found = re.fullmatch(r"([XO1-9]+)(?::(?!00)([0-9])([0-9]))?", text)
        if not found:
            raise BadPosition(f"{text[:20]!r} is no 3x3 board: one is like 2X3O2, 9:21 or =X")
        cells = re.sub(r"[1-9]", lambda count: "." * int(count[0]), found[1])
        if len(cells) != 9:
            raise BadPosition(f"board {name} has nine cells, {text[:20]!r} has {len(cells)}")
        board = sum(1 << (cell if sign == "X" else cell + 9) for cell, sign in enumerate(cells) if sign != ".")
        for player in (0, 1):
            tallies = int(found[2 + player] or 0)
            if tallies >= self.tallies:
                raise BadPosition(f"{tallies} tallies would have completed board {name}: =X or =O says by whom")
            board |= tallies << TALLIES + 4 * player
        return board

    @staticmethod
    def _read_9x9s(boards: NDArray[np.int32]) -> tuple[int, int]:
        """The 9x9 boards won and closed, which follow from the 3x3 boards; fills in the completed boards too."""
        won = closed = 0
        for large in range(9):
            owned = [
                sum(1 << small for small in range(9) if boards[9 * large + small] == COMPLETED << player)
                for player in (0, 1)
            ]
            boards[81 + large] = owned[0] | owned[1] << 9
            for player in (0, 1):
                if has_three(owned[player]):
                    if has_three(owned[1 - player]) or not won_at_once(owned[player]):
                        raise BadPosition(f"9x9 board {large + 1} was closed before all these boards were completed")
                    won |= 1 << 9 * player + large
                    closed |= 1 << large
            if owned[0] | owned[1] == FULL:
                closed |= 1 << large
        lines = [player for player in (0, 1) if has_three(of(player, won))]
        if len(lines) == 2 or any(not won_at_once(of(player, won)) for player in lines):
            raise BadPosition("the game was over before all these 9x9 boards were won")
        return won, closed

    @staticmethod
    def _read_step(text: str) -> tuple[int, int, int]:
        """The step, where it is played, and the cell of the first mark."""
        if text == "any":
            return FIRST, ANYWHERE, 0
        if re.fullmatch(r"[1-9]>", text):
            return BONUS, ANYWHERE, int(text[0]) - 1
        if re.fullmatch(r"[1-9]\.[1-9]", text):
            return FIRST, 9 * int(text[0]) + int(text[2]) - 10, 0
        if re.fullmatch(r"[1-9]\.[1-9]\.[1-9]\+", text):
            return SECOND, 9 * int(text[0]) + int(text[2]) - 10, int(text[4]) - 1
        raise BadPosition(f"the step is any, or like 3.5, 3.5.1+ or 1>, not {text[:20]!r}")

    def scene(self, position: Position, last: LastMove | None = None) -> Scene:
        """All cells, with tallies above the boards and large marks over those that are completed, won or closed."""
        scene = Scene(self.symbols)
        for large in range(9):
            self._add_9x9(scene, position, large)
        if last:
            self._mark_last(scene, position, last)
        outcome = self.rules.outcome(position)
        if outcome in (0, 1):
            for line in self.winning_lines(position, outcome):
                scene.highlights += [over_9x9("win", large) for large in line]
                scene.strokes.append(Stroke(*middle_of_9x9(line[0]), *middle_of_9x9(line[-1]), outcome, size=9))
        elif outcome == ONGOING:
            self._add_step(scene, position)
        return scene

    def stages(self, position: Position, move: int) -> Sequence[Sequence[Piece]]:
        """A mark that makes tallies: it is there, and nothing is cleared yet."""
        if position.step == BONUS:
            return []
        is_first = position.step == FIRST
        where, cell = move // 9 if is_first else position.where, move % 9
        after = self.rules.play(position, move)
        if int(after.boards[where]) & 1 << 9 * (position.turn if is_first else 1 - position.turn) + cell:
            return []
        owner = position.turn if is_first else 1 - position.turn
        mark = Piece(f"mark-{board_name(where)}.{cell + 1}", *PLACES[9 * where + cell], "mark", owner)
        return [[*self.scene(position).pieces, mark]]

    def _add_9x9(self, scene: Scene, position: Position, large: int) -> None:
        """A 9x9 board: its cells and number, and what stands on it; only one large mark once it is closed."""
        corner = over_9x9("", large)
        scene.panels.append(Panel(corner.x, corner.y, corner.width, corner.height))
        scene.labels.append(Label(corner.x + corner.width / 2, corner.y - HEAD / 2, f"board {large + 1}", "title"))
        scene.cells += [Cell(x, y) for x, y in PLACES[81 * large : 81 * large + 81]]
        if position.closed >> large & 1:
            owner = 0 if of(0, position.won) >> large & 1 else 1 if of(1, position.won) >> large & 1 else None
            scene.pieces.append(Piece(f"claim-{large + 1}", *middle_of_9x9(large), "claim", owner, size=WIDTH_OF_9X9))
            return
        for where in range(9 * large, 9 * large + 9):
            self._add_board(scene, int(position.boards[where]), where)

    @staticmethod
    def _add_board(scene: Scene, board: int, where: int) -> None:
        """What stands on a 3x3 board and above it."""
        name = board_name(where)
        (x, y), (middle_x, middle_y) = PLACES[9 * where], PLACES[9 * where + 4]
        scene.panels.append(Panel(x - 0.5, y - 0.5, 3, 3, "small"))
        scene.labels.append(Label(x, y - 0.5 - STRIP / 2, str(where % 9 + 1), "name"))
        if board >= COMPLETED:
            owner = board // COMPLETED - 1
            scene.pieces.append(Piece(f"claim-{name}", middle_x, middle_y, "claim", owner, size=3))
            return
        for owner in (0, 1):
            tallies = tallies_of(owner, board)
            if tallies:
                at = x + 1 + owner, y - 0.5 - STRIP / 2
                scene.pieces.append(Piece(f"tally-{name}-{owner}", *at, "tally", owner, str(tallies), size=0.75))
            for cell in range(9):
                if board >> 9 * owner + cell & 1:
                    scene.pieces.append(Piece(f"mark-{name}.{cell + 1}", *PLACES[9 * where + cell], "mark", owner))

    @staticmethod
    def _mark_last(scene: Scene, position: Position, last: LastMove) -> None:
        """Highlights the marks of the last turn so far, the whole board where they have been cleared away, or the
        9x9 board a bonus chose."""
        before, move = last
        if before.step == BONUS:
            scene.highlights.append(over_9x9("last", move - BONUSES))
            return
        where = before.where if before.step == SECOND else move // 9
        marks = [move % 9] if before.step == FIRST else [before.first, move % 9]
        there = of_both(int(position.boards[where]))
        if not there:
            scene.highlights.append(over_board("last", where))
        for cell in marks:
            if there >> cell & 1:
                x, y = PLACES[9 * where + cell]
                scene.highlights.append(Highlight("last", x - 0.5, y - 0.5))

    def _add_step(self, scene: Scene, position: Position) -> None:
        """Where the step may be played, in highlights, words and targets."""
        mover, opponent = self.symbols[position.turn], self.symbols[1 - position.turn]
        name = board_name(position.where)
        if position.where != ANYWHERE:
            scene.highlights.append(over_board("forced", position.where))
        if position.step == FIRST:
            where = "any open board" if position.where == ANYWHERE else f"board {name}"
            scene.notes.append(f"Step 1: {mover}'s own mark, on {where}")
        elif position.step == SECOND:
            scene.notes.append(f"Step 2: {mover} places {opponent}'s mark, on an empty cell of board {name} (+1 to +9)")
        else:
            small = position.first + 1
            scene.notes.append(f"Bonus: {mover} sends {opponent} to board {small} of any open 9x9 board (>1 to >9)")
        for move in self.rules.legal_moves(position):
            text = self.move_texts[move]
            if move >= BONUSES:
                large = over_9x9("forced", move - BONUSES)
                scene.highlights.append(large)
                says = f"send {opponent} to 9x9 board {text[1:]}"
                scene.targets.append(Target(text, large.x, large.y, large.width, large.height, "board", says))
            elif move >= SECOND_MARKS:
                x, y = PLACES[9 * position.where + move - SECOND_MARKS]
                says = f"put {opponent}'s mark on cell {text[1:]} of board {name}"
                scene.targets.append(Target(text, x - 0.5, y - 0.5, 1, 1, "opponent's mark", says))
            else:
                x, y = PLACES[move]
                says = f"put your mark on cell {text[-1]} of board {text[:-2]}"
                scene.targets.append(Target(text, x - 0.5, y - 0.5, 1, 1, "mark", says))
