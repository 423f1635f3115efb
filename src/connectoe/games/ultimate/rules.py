"""Ultimate tic-tac-toe.

Nine small tic-tac-toe boards make one large one. The square of your move inside its small board is the small board
your opponent must move in: mark the top right square of any board, and your opponent plays on the top right board.
Three of your marks in line win a small board; three small boards of yours in line win the game.

A board that is won or full is finished: nobody plays there any more. A player who is sent to a finished board plays on
any unfinished one instead, and so does the first player in the first move. When every board is finished and nobody has
three in line, it is a draw.

With `won_boards=open` a won board stays in play until it is full, and belongs to the player who won it first; then only
full boards set your opponent free, and the draw comes when all are full.

With `undecided=most-boards`, as played on CodinGame, a game that ends without three in line is won by the player with
more small boards; it is drawn only if both have the same number.

A move is a square of the whole board, `a1` (bottom left) to `i9`: `e5` is the middle of the middle board.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from connectoe.core.rules import DRAWN, ONGOING, Rules, rule
from connectoe.games.tic_tac_toe.rules import FULL, HAS_THREE, LOWEST, has_three

# The small boards, and the squares of each, are numbered alike; square s of board b is move 9 * b + s:
#
#   6 7 8
#   3 4 5
#   0 1 2

ANY = 9
"""In `Position.board`: the player may choose the board."""
LOW = 5
"""Boards 0..4 are kept in the `low` ints of a position, nine bits each, and boards 5..8 in the `high` ones."""
BOARD_OF = bytes(move // 9 for move in range(81))
"""The small board of each move: looking it up is faster than dividing."""


class Position(NamedTuple):
    """The marks, the won boards, and where to play.

    own_low, other_low     marks of the player to move and of the opponent on boards 0..4: bit 9 * b + s
    own_high, other_high   the same on boards 5..8: bit 9 * (b - 5) + s
    own_won, other_won     boards each has won: bit b
    finished               boards that nobody may play on any more: bit b
    board                  the board to play on, or ANY
    turn                   the player to move
    """

    own_low: int
    other_low: int
    own_high: int
    other_high: int
    own_won: int
    other_won: int
    finished: int
    board: int
    turn: int


@rule
def marks_on(low: int, high: int, board: int) -> int:
    """Return the marks on one small board, as nine bits."""
    return (low >> 9 * board if board < LOW else high >> 9 * (board - LOW)) & FULL


@rule
def boards_to_play_on(position: Position) -> int:
    """Return the small boards that the player to move may play on."""
    return FULL & ~position.finished if position.board == ANY else 1 << position.board


@rule
def count_boards(boards: int) -> int:
    """Return how many boards are in a set of them."""
    count = 0
    while boards != 0:
        boards &= boards - 1
        count += 1
    return count


def rules(won_boards: str, undecided: str) -> Rules:
    """Return the rules of ultimate tic-tac-toe.

    Won boards are `closed` or `open`; a game without three in line is a `draw`, or won by the `most-boards`.
    """
    won_boards_close = won_boards == "closed"
    most_boards_win = undecided == "most-boards"

    @rule
    def legal_moves(position: Position) -> Iterator[int]:
        low, high = position.own_low | position.other_low, position.own_high | position.other_high
        boards = boards_to_play_on(position)
        while boards != 0:
            board = LOWEST[boards]
            boards &= boards - 1
            squares = FULL & ~marks_on(low, high, board)
            while squares != 0:
                yield 9 * board + LOWEST[squares]
                squares &= squares - 1

    @rule
    def play(position: Position, move: int) -> Position:
        # The board changes from move to move, so a processor would predict branches on it wrongly: nothing branches
        # here.
        board = BOARD_OF[move]
        square = move - 9 * board
        is_high = 1 if board >= LOW else 0
        mark = 1 << move - 9 * LOW * is_high
        low, high = position.own_low | mark & is_high - 1, position.own_high | mark & -is_high
        marks = marks_on(low, high, board)
        is_won = HAS_THREE[marks] & ~((position.own_won | position.other_won) >> board)
        is_full = 1 if marks | marks_on(position.other_low, position.other_high, board) == FULL else 0
        won = position.own_won | is_won << board
        finished = position.finished | (is_full | is_won if won_boards_close else is_full) << board
        following = ANY if finished >> square & 1 else square
        return Position(
            position.other_low, low, position.other_high, high, position.other_won, won, finished, following,
            1 - position.turn,
        )  # fmt: skip

    @rule
    def outcome(position: Position) -> int:
        if has_three(position.other_won):
            return 1 - position.turn
        if position.finished != FULL:
            return ONGOING
        if most_boards_win:
            lead = count_boards(position.own_won) - count_boards(position.other_won)
            if lead != 0:
                return position.turn if lead > 0 else 1 - position.turn
        return DRAWN

    @rule
    def player(position: Position) -> int:
        return position.turn

    return Rules(Position(0, 0, 0, 0, 0, 0, 0, ANY, 0), legal_moves, play, outcome, player)
