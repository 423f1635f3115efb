"""How a position is set up by hand: the pieces on the cells of the board, and the other parts of its text.

A game whose position texts begin with the rows of its board, as `7/7/7/7/7/3X3 O` does, declares the signs in them and
the choices beside them; see `Game.setting_up`. A game that writes its positions in another way declares a `Layout` too.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

EMPTY = "."
"""The sign of an empty cell."""
TO_MOVE = "to move"
"""The name of the choice that says whose turn it is."""


class Sign(NamedTuple):
    """A letter on the board of a position text, and the piece of a scene that it stands for.

    In a text without rows, a sign may be longer than a letter.
    """

    letter: str
    name: str
    """What the piece is called, as in "X's disc"."""
    kind: str
    owner: int | None = None
    size: float = 1.0
    text: str = ""
    """What is written on the piece."""
    facing: str = ""
    """The direction it faces: N, E, S or W."""
    piece: str = ""
    """The piece, where it has a sign for each direction: pressing a place again turns it."""
    is_single: bool = False
    """Whether there is only one such piece, so that putting it somewhere takes it away from elsewhere."""

    @property
    def in_hand(self) -> str:
        """The choice that puts this sign on the board."""
        return self.piece or self.letter


class Choice(NamedTuple):
    """A part of a position text beside the board, and the values it can have, each with its meaning."""

    name: str
    values: Mapping[str, str]
    is_joined: bool = False
    """Whether it follows the choice before it without a blank; the values of both are then single letters."""


class Layout(NamedTuple):
    """How a position text holds the signs of all cells in reading order and the values of the choices."""

    columns: int
    split: Callable[[str], tuple[Sequence[str], Sequence[str]] | None]
    """Return the signs and the values in a text, possible or not; None for a text of another shape."""
    join: Callable[[Sequence[str], Sequence[str]], str]
    """Return the text for these signs and values."""


class SettingUp(NamedTuple):
    """What a position text consists of: the rows of the board, then the choices, unless a layout says otherwise."""

    signs: tuple[Sign, ...]
    choices: tuple[Choice, ...]
    cells: tuple[str, ...] = ("square", "hole")
    """The kinds of cells of the scene that pieces stand on; in reading order they are the cells of the text."""
    layout: Layout | None = None


def whose_turn(symbols: tuple[str, str]) -> Choice:
    """Return the choice of the player to move.

    >>> whose_turn(("X", "O"))
    Choice(name='to move', values={'X': 'X', 'O': 'O'}, is_joined=False)
    """
    return Choice(TO_MOVE, {symbol: symbol for symbol in symbols})


def signs_of_players(kind: str, what: str) -> tuple[Sign, Sign]:
    """Return the signs X and O for the pieces of players 0 and 1.

    >>> [sign.name for sign in signs_of_players("disc", "disc")]
    ["X's disc", "O's disc"]
    """
    return Sign("X", f"X's {what}", kind, 0), Sign("O", f"O's {what}", kind, 1)
