"""The pie rule: after the first player's first whole turn, the second player may answer `swap` instead of moving.

The position stays, the two players change sides, and the one who now has the second side is to move. This is possible
only then, and once.
It belongs to the match: the rules of a game know sides, and the match knows who has which.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from connectoe.core.match import Match

SWAP_MOVE = "swap"
"""The notation of a swap."""
NO_SWAP = "only the second player may, in place of the first move"
"""Why a player may not swap."""


def may_swap(match: Match) -> bool:
    """Whether the player to move may swap sides now.

    >>> import connectoe
    >>> match = connectoe.Match(connectoe.load("tic-tac-toe", swap="yes"), players=("Ann", "Bob"))
    >>> match.play("b2")
    >>> may_swap(match), match.legal_moves()[-1]
    (True, 'swap')
    >>> match.play("swap")
    >>> match.players, match.status, may_swap(match)
    (('Bob', 'Ann'), 'O to move', False)
    """
    return match.ply > 0 and match.turn == 1 and is_before_swap(match)


def is_before_swap(match: Match) -> bool:
    """Whether a match is played by the pie rule, and nobody but the first player has moved since it began."""
    return (
        match.game.swap == "yes"
        and not match.is_swapped
        and match.start.turn == 0
        and all(match.state_at(ply).turn == 0 for ply in range(match.ply))
    )


def why_no_swap(match: Match) -> str:
    """Return why the player to move may not swap sides."""
    why = "the sides were swapped already" if match.is_swapped else NO_SWAP
    return f"{SWAP_MOVE!r} is not legal: {why}"


def swap_note(match: Match) -> str:
    """Return a sentence that tells the player to move about the swap."""
    first, second = match.game.symbols
    return f"{second} may swap sides instead of moving: take over {first} with this first turn"
