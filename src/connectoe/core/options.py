"""Options: the named choices that a game offers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from connectoe.core.errors import BadOption

OptionValue = int | str


class Option(NamedTuple):
    """A named choice that a game offers: its default, its allowed values and its meaning.

    >>> connect = Option("connect", 4, range(3, 7), "discs in line that win")
    >>> connect.value("5")
    5
    >>> connect.value(9)
    Traceback (most recent call last):
    connectoe.core.errors.BadOption: connect=9 is out of range: connect (discs in line that win) may be 3..6
    """

    name: str
    default: OptionValue
    allowed: Sequence[OptionValue]
    meaning: str
    effects: tuple[str, ...] = ()
    """What each allowed value does, in the same order; empty where the values are self-explanatory."""

    def __add__(self, other: object) -> Any:
        """Refuse to calculate with a value that is known only when a game begins."""
        raise TypeError("an option has no value yet: say what depends on it by chosen(option, {4: 3, 5: 4, …})")

    def __sub__(self, other: object) -> Any:
        return self + other

    def __mul__(self, other: object) -> Any:
        return self + other

    @property
    def explained(self) -> str:
        """The meaning of the option and of each value.

        >>> option("closed", {"closed": "is finished", "open": "is played on"}, "what a won board is").explained
        'what a won board is; closed: is finished; open: is played on'
        """
        values = [f"{value}: {does}" for value, does in zip(self.allowed, self.effects, strict=False)]
        return "; ".join([self.meaning, *values])

    @property
    def allowed_text(self) -> str:
        """The allowed values in words: '3..6' or 'closed or open'.

        >>> Option("won_boards", "closed", ("closed", "open"), "whether won boards stay in play").allowed_text
        'closed or open'
        """
        if isinstance(self.allowed, range):
            return f"{self.allowed[0]}..{self.allowed[-1]}"
        return " or ".join(str(value) for value in self.allowed)

    def value(self, given: object) -> OptionValue:
        """Return the given value in this option's type, or raise BadOption.

        >>> Option("bombs", 1, range(4), "bombs a player has").value("2")
        2
        """
        for value in self.allowed:
            if given == value and not isinstance(given, bool | float):
                return value
            if isinstance(given, str) and given.strip() == str(value):
                return value
        raise BadOption(
            f"{self.name}={str(given)[:40]} is out of range: {self.name} ({self.meaning}) may be {self.allowed_text}"
        )


SWAP = Option(
    "swap",
    "no",
    ("no", "yes"),
    "the pie rule",
    ("it is not played", "after the first player's first turn, the second player may swap sides instead of moving"),
)
"""An option of the match, which every game has: see core/swapping.py."""


def option(default: OptionValue, allowed: Sequence[OptionValue] | Mapping[Any, str], meaning: str) -> Any:
    """Return an option, to be written as a class attribute of a game.

    The allowed values are a range, a tuple, or a dict that says what each value does.

    >>> from connectoe.games.connect_four import ConnectFour
    >>> class WideConnectFour(ConnectFour):
    ...     cols: int = option(8, range(7, 9), "columns of the board")
    >>> WideConnectFour().cols, WideConnectFour(cols=7).cols
    (8, 7)
    """
    if isinstance(allowed, str) or not allowed:
        raise TypeError(f"the allowed values of an option are a range, a tuple or a dict, not {allowed!r}")
    for value in allowed if not isinstance(allowed, range) else ():
        if (
            isinstance(value, bool)
            or not isinstance(value, int | str)
            or not str(value)
            or set(str(value)) & set(" ,=")
        ):
            raise TypeError(
                f"an option's value is an int, or a text without spaces, commas and equals signs, not {value!r}"
            )
    if default not in allowed:
        raise TypeError(f"the default of an option must be one of its allowed values, {allowed!r}, not {default!r}")
    effects = tuple(allowed.values()) if isinstance(allowed, Mapping) else ()
    return Option("", default, allowed if isinstance(allowed, range) else tuple(allowed), meaning, effects)
