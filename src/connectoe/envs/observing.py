"""What a learning player observes of a position, and which moves are legal, as numpy arrays."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from connectoe.core.errors import ConnectoeError
from connectoe.core.game import Game
from connectoe.core.rules import ONGOING, Planes, rule
from connectoe.engines.compiling import compiled

BITS = 62
"""The most bits that an int of a position has."""


def planes_of(game: Game) -> Planes:
    """Return the planes of this game: its own, or else one for the bits of each int of its position."""
    named = game.planes()
    if named and game.rules.observe:
        return named
    if game.rules.has_arrays:
        raise ConnectoeError(
            f"positions of {game.id} hold arrays, so the game must describe them itself: see Rules.observe"
        )
    return Planes((*type(game.rules.start)._fields, "is player 1"), 1, BITS)


def observing_rule(game: Game) -> Callable[[Any, int, Any], None]:
    """Return the game's own `observe`, or a rule that shows the bits of the position and the number of the viewer."""
    if game.planes() and game.rules.observe:
        return game.rules.observe

    @rule
    def bits(position: Any, viewer: int, planes: Any) -> None:
        for plane in range(len(position)):
            for place in range(BITS):
                planes[plane, 0, place] = position[plane] >> place & 1
        planes[len(position)] = viewer

    return bits


def observed(game: Game, position: Any, viewer: int) -> NDArray[np.int8]:
    """Return what a player observes of a position, finished or not."""
    planes = np.zeros(planes_of(game).shape, np.int8)
    _observing(game)(position, viewer, planes)
    return planes


def mask_of(game: Game, position: Any) -> NDArray[np.int8]:
    """Return an array with a 1 for every legal move, indexed by the move's int; all 0 when the game is over."""
    mask = np.zeros(len(game.move_texts), np.int8)
    if game.rules.outcome(position) == ONGOING:
        mask[list(game.rules.legal_moves(position))] = 1
    return mask


@lru_cache(maxsize=64)
def _observing(game: Game) -> Callable[..., None]:
    """Return the game's `observe`, compiled."""
    observe = observing_rule(game)

    def observing(position: Any, viewer: int, planes: Any) -> None:
        observe(position, viewer, planes)

    return compiled(observing)
