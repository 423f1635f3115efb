"""What shows that no game of Ultimate ultimate tic-tac-toe can lead to a position.

A game is too long to be taken back. So this looks at each board for marks and tallies that turns cannot give it, at the
step that is due, and at the boards players must have been sent to; what passes may still be out of reach.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations, permutations

from connectoe.errors import BadPosition
from connectoe.game import ONGOING
from connectoe.games.tic_tac_toe import FULL, has_three
from connectoe.games.ultimate_ultimate import (
    ANYWHERE,
    BONUS,
    COMPLETED,
    FIRST,
    MARKS,
    SECOND,
    TALLIES,
    Position,
    board_name,
    of,
    of_both,
    result,
    tallies_of,
)


def check(position: Position, symbols: tuple[str, str]) -> None:
    """Refuses a position that cannot come about between two steps of a game.

    >>> import connectoe
    >>> game = connectoe.load("ultimate-ultimate")
    >>> check(game.rules.start._replace(turn=1), game.symbols)
    Traceback (most recent call last):
    connectoe.errors.BadPosition: after 0 turns it is not O who is to move
    """
    for where in range(81):
        _check_board(position, where, symbols)
    _check_step(position, symbols)
    _check_the_way(position)


def _check_board(position: Position, where: int, symbols: tuple[str, str]) -> None:
    """Refuses marks that two a turn cannot make, and lines and full boards, which would have been cleared."""
    name = board_name(where)
    board = int(position.boards[where])
    if position.step == SECOND and where == position.where and board < COMPLETED:
        mark = 1 << 9 * position.turn + position.first
        if not board & MARKS:
            if not tallies_of(position.turn, board):
                raise BadPosition(f"board {name} was not cleared, and the first mark of this turn is not there")
        elif not board & mark:
            raise BadPosition(f"the first mark of this turn, on {name}.{position.first + 1}, is not there")
        elif of_both(board) == FULL:
            raise BadPosition(f"board {name} is full and would have been cleared")
        board &= ~mark
    for player in (0, 1):
        if has_three(of(player, board)):
            raise BadPosition(f"{symbols[player]} has a line on board {name}, which would have been cleared")
    if of_both(board) == FULL:
        raise BadPosition(f"board {name} is full and would have been cleared")
    # A turn adds a mark for each; only the mark after a fill stands alone, and the fill gave the mover a tally.
    surplus = of(0, board).bit_count() - of(1, board).bit_count()
    if abs(surplus) > 1:
        raise BadPosition(f"the numbers of X and O on board {name} differ by {abs(surplus)}: at most 1 is possible")
    if surplus and not tallies_of(1 if surplus > 0 else 0, board):
        more, fewer = ("X", "O") if surplus > 0 else ("O", "X")
        raise BadPosition(f"{more} can have more marks than {fewer} on board {name} only if {fewer} has a tally there")


def _check_step(position: Position, symbols: tuple[str, str]) -> None:
    """Refuses a step that cannot be due in this position."""
    boards = [int(board) for board in position.boards[:81]]
    mover, opponent = symbols[position.turn], symbols[1 - position.turn]
    is_over = result(position.won, position.closed) != ONGOING
    has_completed = any(board >= COMPLETED for board in boards)
    has_tallies = has_completed or any(board >> TALLIES for board in boards)
    if position.where != ANYWHERE:
        if boards[position.where] >= COMPLETED or position.closed >> position.where // 9 & 1:
            raise BadPosition(f"{mover} cannot play on board {board_name(position.where)}: it is not open")
    elif position.step == FIRST and not has_completed and any(boards):
        raise BadPosition(f"{mover} may not play anywhere: every board is open")
    if position.step != FIRST and is_over:
        raise BadPosition("the game is over: no step is due")
    if position.step == BONUS and COMPLETED << position.turn not in boards:
        raise BadPosition(f"{mover} has completed no board and cannot have the bonus")
    if position.step == FIRST and position.where != ANYWHERE:
        large, small = divmod(position.where, 9)
        if not any(_can_have_sent(board, position.turn, large, small) for board in boards):
            raise BadPosition(f"no two marks by {opponent} send {mover} to board {board_name(position.where)}")
    turns = sum(of_both(board).bit_count() for board in boards) // 2
    if not has_tallies and turns % 2 != position.turn:
        raise BadPosition(f"after {turns} turns it is not {mover} who is to move")


def _check_the_way(position: Position) -> None:
    """Refuses boards that players were sent to and have not played on, or played on and were not sent to."""
    boards = [int(board) for board in position.boards[:81]]
    if position.step == SECOND:  # the mark of a turn that is not over has sent nobody yet
        boards[position.where] &= ~(1 << 9 * position.turn + position.first) | ~MARKS
    # Whoever is sent to an open board plays there. Two cells that the marks of a turn can have been on are a pair.
    is_due = position.where if position.step == FIRST else ANYWHERE
    followed = {
        where for where in range(81) if position.boards[where] or position.closed >> where // 9 & 1 or where == is_due
    }
    pairs = {
        (one, other)
        for one, other in permutations(range(9), 2)
        if 9 * one + other in followed or 9 * other + one in followed
    }
    for where, board in enumerate(boards):
        if board >> TALLIES:
            continue
        first, second = ([cell for cell in range(9) if of(player, board) >> cell & 1] for player in (0, 1))
        if not any(pairs.issuperset(zip(first, order, strict=True)) for order in permutations(second)):
            raise BadPosition(f"the marks on board {board_name(where)} sent players where nobody has played")
    # The first tally of a board, whoever got it, took three turns there or more, on six different cells.
    if any(board >> TALLIES for board in boards) and not any(
        len({*one, *two, *three}) == 6 for one, two, three in combinations(sorted(pairs), 3)
    ):
        raise BadPosition("the marks that gave the tallies sent players where nobody has played")
    if any(board >= COMPLETED for board in boards):
        return  # then there may have been free turns
    unasked = [where for where in range(81) if position.boards[where] and not _can_be_sent_to(where, boards)]
    if len(unasked) > 1:
        one, other = map(board_name, unasked[:2])
        raise BadPosition(f"nobody was sent to board {one} or to board {other}, and only the first turn is free")


def _can_have_sent(board: int, player: int, large: int, small: int) -> bool:
    """Whether the last turn, by the opponent of a player and on this 3x3 board, can have sent the player to B.S."""
    opponent = 1 - player
    if board >= COMPLETED:  # by the second mark, or with the bonus
        return large != small or board == COMPLETED << opponent
    if not board & MARKS:  # they are cleared away
        return large != small and board >> TALLIES != 0
    if of(opponent, board) >> small & 1 and of(player, board) >> large & 1:
        return True
    # After filling the board, one mark was made on it.
    return board & MARKS == 1 << 9 * player + large and tallies_of(opponent, board) > 0


def _can_be_sent_to(where: int, boards: Sequence[int]) -> bool:
    """Whether some turn on one of these 3x3 boards can have sent a player to board `where`."""
    large, small = divmod(where, 9)
    return any(
        board >> TALLIES or (of(player, board) >> small & 1 and of(1 - player, board) >> large & 1)
        for board in boards
        for player in (0, 1)
    )
