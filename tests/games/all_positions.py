"""Every position of a small board, to hold what can be read against what can be reached."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

from connectoe import BadPosition, Game
from connectoe.board_texts import squeeze
from connectoe.core.rules import ONGOING


def reachable_texts(game: Game) -> set[str]:
    """The texts of all positions that play can lead to."""
    rules = game.rules
    found = {rules.start}
    waiting = [rules.start]
    while waiting:
        position = waiting.pop()
        if rules.outcome(position) == ONGOING:
            following = {rules.play(position, move) for move in rules.legal_moves(position)} - found
            found |= following
            waiting += following
    return {game.write(position) for position in found}


def readable_texts(game: Game, cols: int, rows: int, signs: str, tails: list[str]) -> Iterator[str]:
    """The texts the game accepts, of all boards of these signs with each player to move and each tail; each of them is
    checked to be a position that can be played on."""
    for cells in itertools.product(signs, repeat=cols * rows):
        board = squeeze(["".join(cells[cols * row : cols * (row + 1)]) for row in range(rows)])
        for mover, tail in itertools.product("XO", tails):
            text = f"{board} {mover} {tail}".rstrip()
            try:
                state = game.state(text)
            except BadPosition:
                continue
            assert state.text == text
            assert state.outcome or state.legal_moves()
            yield text
