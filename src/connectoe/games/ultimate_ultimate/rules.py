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
that gave a tally is cleared of its marks. The player who gets the third tally (option `tallies`) completes the board
and owns it; if both get there at once, the player whose turn it is does.

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

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from connectoe.board import lowest_bit
from connectoe.core.rules import DRAWN, ONGOING, Rules, rule
from connectoe.games.tic_tac_toe.rules import FULL, has_three

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
    """

    boards: NDArray[np.int32]
    won: int
    closed: int
    turn: int
    step: int
    where: int
    first: int


@rule
def bits_of(player: int, bits: int) -> int:
    """Return what a player has, of marks or boards kept as X's nine bits and O's nine bits."""
    return bits >> 9 * player & FULL


@rule
def bits_of_both(bits: int) -> int:
    """Return what the players have together."""
    return (bits | bits >> 9) & FULL


@rule
def tallies_of(player: int, board: int) -> int:
    """Return a player's tallies on a 3x3 board."""
    return board >> TALLIES + 4 * player & 15


@rule
def result(won: int, closed: int) -> int:
    """Return the outcome, by the 9x9 boards that are won and closed."""
    if has_three(bits_of(0, won)):
        return 0
    if has_three(bits_of(1, won)):
        return 1
    return DRAWN if closed == FULL else ONGOING


@rule
def is_open(board: int, where: int, closed: int) -> bool:
    """Whether a 3x3 board can be played on."""
    return board < COMPLETED and not closed >> where // 9 & 1


# Compiled generators never release an array they were given, so legal moves are numbered from ints alone: the empty
# cells of all 81 boards in groups of six boards, 54 bits each.

GROUPS = 14
Groups = tuple[int, int, int, int, int, int, int, int, int, int, int, int, int, int]


@rule
def numbered(from_move: int, groups: Groups, count: int) -> Iterator[int]:
    """Yield the moves from `from_move` on that have a bit in one of the first `count` groups."""
    for group in range(count):
        cells = groups[group]
        while cells != 0:
            yield from_move + 54 * group + lowest_bit(cells)
            cells &= cells - 1


@rule
def one_group(cells: int) -> Groups:
    """Return groups of which only the first is used."""
    return cells, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0


@rule
def empty_cells(boards: NDArray[np.int32], closed: int, group: int) -> int:
    """Return the empty cells of the open boards in a group of six."""
    cells = 0
    for where in range(6 * group, min(6 * group + 6, 81)):
        board = int(boards[where])
        if is_open(board, where, closed):
            cells |= (FULL & ~bits_of_both(board)) << 9 * (where - 6 * group)
    return cells


@rule
def all_groups(boards: NDArray[np.int32], closed: int) -> Groups:
    """Return the empty cells of all open boards."""
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


def rules(tallies: int) -> Rules:
    """Return the rules of ultimate ultimate tic-tac-toe, with this many tallies to complete a 3x3 board."""

    @rule
    def legal_moves(position: Position) -> Iterator[int]:
        if position.step == BONUS:
            return numbered(BONUSES, one_group(FULL & ~position.closed), 1)
        if position.where != ANYWHERE:
            from_move = SECOND_MARKS if position.step == SECOND else 9 * position.where
            return numbered(from_move, one_group(FULL & ~bits_of_both(int(position.boards[position.where]))), 1)
        return numbered(0, all_groups(position.boards, position.closed), GROUPS)

    @rule
    def scored(board: int, mover: int) -> int:
        """Return a 3x3 board after the tallies it gives."""
        if has_three(bits_of(mover, board)):
            gained = 1 << TALLIES + 4 * mover
        elif has_three(bits_of(1 - mover, board)):
            gained = 1 << TALLIES + 4 * (1 - mover)
        elif bits_of_both(board) == FULL:
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
            if step == SECOND or bits_of_both(board) == FULL:
                board = scored(board, turn)
            boards[where] = board
        is_completed = board >= COMPLETED
        if is_completed:
            large, owner = where // 9, 0 if board == COMPLETED else 1
            completed = int(boards[81 + large]) | 1 << 9 * owner + where % 9
            boards[81 + large] = completed
            if has_three(bits_of(owner, completed)):
                won |= 1 << 9 * owner + large
                closed |= 1 << large
            elif bits_of_both(completed) == FULL:
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
        # There is one return only: compiled code counts references to arrays, except where it can see who holds them.
        return Position(boards, won, closed, turn, step, where, first)

    @rule
    def play(position: Position, move: int) -> Position:
        return play_over(copied(position), move)

    @rule
    def outcome(position: Position) -> int:
        return result(position.won, position.closed)

    @rule
    def player(position: Position) -> int:
        return position.turn

    start = Position(np.zeros(90, np.int32), 0, 0, 0, FIRST, ANYWHERE, 0)
    return Rules(start, legal_moves, play, outcome, player, copied=copied, play_over=play_over)
