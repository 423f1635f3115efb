"""What a learning player observes of a position, and which moves are legal, as numpy arrays."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from connectoe.core.game import Game
from connectoe.core.rules import ONGOING, Planes
from connectoe.engines.compiling import compiled
from connectoe.envs.bits import observing_bits, planes_of_bits


def planes_of(game: Game) -> Planes:
    """Return the planes of this game: its own, or else those of the bits of its position."""
    named = game.planes()
    return named if named and game.rules.observe else planes_of_bits(game.rules.start)


def observing_rule(game: Game) -> Callable[[Any, int, Any], None]:
    """Return the game's own `observe`, or a rule that shows the bits of the position and the number of the viewer."""
    own = game.rules.observe
    return own if game.planes() and own else observing_bits(game.rules.start)


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
