"""What a study counts beside results: moves of special kinds, and events that only positions tell."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache
from typing import Any

from connectoe.game import Game


@lru_cache(maxsize=64)
def kinds_of_moves(game: Game) -> dict[int, str]:
    """The special moves of a game: for their ints, what kind they are of.

    >>> import connectoe
    >>> kinds_of_moves(connectoe.load("c4-twist", cols=2))
    {2: 'bomb', 3: 'bomb'}
    """
    return {
        move: kind
        for kind, pattern in game.special_moves.items()
        for move, text in enumerate(game.move_texts)
        if re.fullmatch(pattern, text)
    }


DIRECTIONS = ("row", "column", "diagonal")


def direction_of(reason: str) -> str | None:
    """Which way the line runs that a game was won by, from the words of its outcome; None where they name no line.

    >>> [direction_of(words) for words in ("four discs d1-d4", "three boards a7-c9, d4-f6, g1-i3", "board full")]
    ['column', 'diagonal', None]
    >>> direction_of("three in the bottom row, by the opponent's slide"), direction_of("three 9x9 boards 1, 4, 7")
    ('row', 'column')
    """
    for name in DIRECTIONS:
        if re.search(rf"\b{name}\b", reason):
            return name
    squares = re.findall(r"\b([a-z]+)(\d+)\b", reason)
    if len(squares) >= 2:
        # Boards are named by two corners each, so that the first squares of the first and the last board count.
        first, last = squares[0], squares[1 if len(squares) == 2 else -2]
        return "column" if first[0] == last[0] else "row" if first[1] == last[1] else "diagonal"
    if numbers := re.search(r"boards (\d), (\d), (\d)", reason):
        return {1: "row", 3: "column"}.get(int(numbers[2]) - int(numbers[1]), "diagonal")
    return None


def events_of(game: Game) -> dict[str, Callable[[Any, int], bool]]:
    """What else can happen in a game: by its name, whether a move in a position makes it happen.

    >>> import connectoe
    >>> list(events_of(connectoe.load("ultimate-ultimate")))
    ['tally by tie']
    """
    return {"tally by tie": _is_tally_by_tie} if game.id == "ultimate-ultimate" else {}


def _is_tally_by_tie(before: Any, move: int) -> bool:
    """Whether a mark fills a 3x3 board on which nobody has a line, so that both players get a tally."""
    from connectoe.games.tic_tac_toe import FULL, has_three
    from connectoe.games.ultimate_ultimate import BONUS, FIRST, of, of_both

    if before.step == BONUS:
        return False
    is_first = before.step == FIRST
    where = move // 9 if is_first else before.where
    owner = before.turn if is_first else 1 - before.turn
    board = int(before.boards[where]) | 1 << 9 * owner + move % 9
    return of_both(board) == FULL and not any(has_three(of(player, board)) for player in (0, 1))
