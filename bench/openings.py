"""Random openings, as both sides of a comparison number their moves."""

from __future__ import annotations

from connectoe_side import turned_over

import connectoe
from connectoe.running.openings import opening


def opening_moves(game: str, seed: int, plies: int) -> list[int]:
    """Return a random opening."""
    loaded = connectoe.load(game)
    return [turned_over(game, loaded.move_from(text)) for text in opening(loaded, seed, plies)]


def openings(game: str, count: int, seed: int) -> list[list[int]]:
    """Return the start of a game and random openings, each two moves longer than the one before."""
    return [opening_moves(game, seed + number, 2 * number) for number in range(count)]
