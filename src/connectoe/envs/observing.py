"""What a learning player sees of a position, and which moves are legal, as numpy arrays."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from connectoe.engines.compiling import compiled
from connectoe.errors import ConnectoeError
from connectoe.game import ONGOING, Game, Planes, rule

BITS = 62
"""How many bits the ints of a position have at most."""


def planes_of(game: Game) -> Planes:
    """What is seen of this game: the planes it names itself, or else the bits of its position, a row each.

    >>> import connectoe
    >>> planes_of(connectoe.load("c4-twist")).shape
    (4, 6, 7)
    """
    named = game.planes()
    if named and game.rules.observe:
        return named
    if game.rules.has_arrays:
        raise ConnectoeError(
            f"positions of {game.id} are more than ints, so that it must say how they look: see Rules.observe"
        )
    return Planes((*type(game.rules.start)._fields, "is player 1"), 1, BITS)


def observing_rule(game: Game) -> Callable[[Any, int, Any], None]:
    """The game's own `observe`, or the bits of its position as they are, and who is looking.

    >>> import connectoe
    >>> rules = connectoe.load("tic-tac-toe").rules
    >>> planes = np.zeros((2, 3, 3), np.int8)
    >>> observing_rule(connectoe.load("tic-tac-toe"))(rules.play(rules.start, 0), 0, planes)
    >>> planes[0].tolist()  # the first player sees its own mark, bottom left
    [[0, 0, 0], [0, 0, 0], [1, 0, 0]]
    """
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
    """What a player sees of a position, finished or not.

    >>> import connectoe
    >>> game = connectoe.load("connect-four")
    >>> observed(game, game.start.play("d").position, viewer=1)[1, -1].tolist()  # the opponent's discs in the last row
    [0, 0, 0, 1, 0, 0, 0]
    """
    planes = np.zeros(planes_of(game).shape, np.int8)
    _observing(game)(position, viewer, planes)
    return planes


def mask_of(game: Game, position: Any) -> NDArray[np.int8]:
    """1 for every legal move of a position, by the move's int, and 0 for the others; none is legal at the end.

    >>> import connectoe
    >>> game = connectoe.load("tic-tac-toe")
    >>> mask_of(game, game.start.play("b2").position).tolist()
    [1, 1, 1, 1, 0, 1, 1, 1, 1]
    """
    mask = np.zeros(len(game.move_texts), np.int8)
    if game.rules.outcome(position) == ONGOING:
        mask[list(game.rules.legal_moves(position))] = 1
    return mask


@lru_cache(maxsize=64)
def _observing(game: Game) -> Callable[..., None]:
    return make_observing(observing_rule(game))


def make_observing(observe: Any) -> Callable[..., None]:
    """Compiled `observe`.

    >>> import connectoe
    >>> game = connectoe.load("tic-tac-toe")
    >>> planes = np.zeros((2, 3, 3), np.int8)
    >>> make_observing(game.rules.observe)(game.start.play("c3").position, 1, planes)
    >>> int(planes[1, 0, 2])
    1
    """

    def observing(position: Any, viewer: int, planes: Any) -> None:
        observe(position, viewer, planes)

    return compiled(observing)
