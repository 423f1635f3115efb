"""Pieces of a recipe: what lies on the board or in the hands of the players."""

from __future__ import annotations

from typing import Any, NamedTuple

from connectoe.core.errors import BadGame


class Kind(NamedTuple):
    """A kind of piece."""

    name: str
    plural: str
    look: str
    """The kind of piece that a scene shows."""
    signs: str
    """Its letters in position texts: one for each player, or a single one if the piece is shared."""
    is_shared: bool = False
    """Whether the pieces belong to nobody, and both players put them on the board."""
    in_hand: Any = None
    """How many a player has at the start, a number or an option; None for as many as they like."""
    is_on_board: bool = True
    size: float = 1.0
    shown_as: int | None = None
    """The player whose symbol and colour a shared piece has in pictures; None for none."""
    number: int = 0
    """The number on the piece; 0 for none."""


def discs(in_hand: Any = None) -> Kind:
    """Return discs, of each player.

    >>> discs(in_hand=21).signs
    'XO'
    """
    return Kind("disc", "discs", "disc", "XO", in_hand=in_hand)


def marks(in_hand: Any = None, shared: bool = False) -> Kind:
    """Return marks, of each player or, if they are shared, one mark for both.

    >>> marks(shared=True).signs
    'X'
    """
    return Kind("mark", "marks", "mark", "X" if shared else "XO", shared, in_hand, shown_as=0 if shared else None)


def small_marks(in_hand: Any = None) -> Kind:
    """Return marks, of each player, on a board that has discs too.

    >>> small_marks().signs
    'xo'
    """
    return Kind("mark", "marks", "mark", "xo", in_hand=in_hand, size=0.85)


def bombs(in_hand: Any = 1) -> Kind:
    """Return bombs, which players have in hand.

    >>> bombs(2).is_on_board
    False
    """
    return Kind("bomb", "bombs", "bomb", "", in_hand=in_hand, is_on_board=False)


def lights(*colours: str) -> tuple[Kind, ...]:
    """Return shared lights, one kind for each colour: green, yellow and red if no others are given.

    >>> [kind.name for kind in lights("green", "red")]
    ['green light', 'red light']
    """
    return tuple(
        Kind(f"{colour} light", f"{colour} lights", f"light-{colour}", colour[0].upper(), True)
        for colour in colours or ("green", "yellow", "red")
    )


def crosses() -> Kind:
    """Return crosses that belong to nobody.

    >>> crosses().plural
    'crosses'
    """
    return Kind("cross", "crosses", "mark", "X", True, shown_as=0)


def rings() -> Kind:
    """Return rings that belong to nobody.

    >>> rings().signs
    'O'
    """
    return Kind("ring", "rings", "mark", "O", True, shown_as=1)


def numbers(*values: int, in_hand: Any = 1) -> tuple[Kind, ...]:
    """Return pieces with numbers, a kind for each number; a player has this many of each in hand.

    Position texts have letters for them: A, B, C for the first player's and a, b, c for the second's.

    >>> [kind.name for kind in numbers(1, 2, 5)]
    ['piece 1', 'piece 2', 'piece 5']
    """
    if not values or not all(type(value) is int and 1 <= value <= 26 for value in values):
        raise BadGame(f"numbers takes numbers from 1 to 26, as numbers(1, 2, 3), not {values!r:.60}")
    if len(set(values)) < len(values):
        raise BadGame("numbers takes each number once; in_hand=2 gives a player two of each")
    letter = {value: chr(ord("A") + value - 1) for value in values}
    return tuple(
        Kind(
            f"piece {value}",
            f"{value}s",
            "numbered",
            letter[value] + letter[value].lower(),
            in_hand=in_hand,
            number=value,
        )
        for value in values
    )
