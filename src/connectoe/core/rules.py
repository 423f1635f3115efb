"""The rules of a game: a start position and pure functions on positions.

They are written once, in plain Python. People call them as they are, and engines compile them as they are.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from numbers import Integral
from typing import Any, NamedTuple, TypeVar
from weakref import WeakSet

ONGOING = -1
DRAWN = 2
"""`outcome` returns ONGOING, the player who won (0 or 1), or DRAWN."""

STRONGEST_OPINION = 10_000
"""The largest value of `evaluate`; scores beyond it are proven wins and losses."""

Function = TypeVar("Function", bound=Callable[..., Any])

rules_to_register: list[Callable[..., Any]] = []
"""Rule functions that have not been registered with the compiler yet; engines do so when they first compile."""


def rule(function: Function) -> Function:
    """Mark a function as one that engines may compile, and return it unchanged.

    >>> @rule
    ... def next_player(turn):
    ...     return 1 - turn
    >>> next_player(0)
    1
    """
    rules_to_register.append(function)
    _all_rules.add(function)
    return function


_all_rules: WeakSet[Callable[..., Any]] = WeakSet()


def is_rule(function: Callable[..., Any]) -> bool:
    """Whether a function was marked as one that engines may compile.

    >>> is_rule(rule), is_rule(rule(lambda position: 0))
    (False, True)
    """
    return function in _all_rules


class Rules(NamedTuple):
    """The rules of one game with one choice of options.

    `legal_moves`, `play` and `player` may assume that the position is ongoing; `outcome` decides that. An ongoing
    position always has a legal move: if there would be none, `outcome` returns DRAWN or the winner.

    >>> import connectoe
    >>> rules = connectoe.load("tic-tac-toe").rules
    >>> sorted(rules.legal_moves(rules.play(rules.start, 4)))
    [0, 1, 2, 3, 5, 6, 7, 8]
    """

    start: Any
    legal_moves: Callable[[Any], Iterator[int]]
    play: Callable[[Any, int], Any]
    outcome: Callable[[Any], int]
    player: Callable[[Any], int]

    # Optional rules that engines use where a game has them.
    pack: Callable[[Any], int] | None = None
    """The position as one int below 2**62, different for different positions; for tables of solved games."""
    unpack: Callable[[int], Any] | None = None
    """The position that `pack` turned into this int."""
    mirrors: tuple[Callable[[Any], Any], ...] = ()
    """The mirror images of a position, without the position itself; all of them have the same value."""
    ending: Callable[[Any], int] | None = None
    """How a finished position ended: the number of one of `Game.endings`."""
    evaluate: Callable[[Any], int] | None = None
    """How good an ongoing position looks for player 0, between -10,000 and 10,000; for searches that stop early."""
    pick: Callable[[Any, int], int] | None = None
    """The legal move with the index `random * count >> 32`, for a random number below 2**32; faster random play for
    games that can find it without listing all moves."""
    copied: Callable[[Any], Any] | None = None
    """The same position with its own copies of arrays; for games whose positions contain arrays, with `play_over`."""
    play_over: Callable[[Any, int], Any] | None = None
    """As `play`, but it may reuse the arrays of the given position, so that random play does not allocate new ones."""
    observe: Callable[[Any, int, Any], None] | None = None
    """Write what a player sees of a position into an array of zeros, plane by plane as `Game.planes` names them."""

    @property
    def has_arrays(self) -> bool:
        """Whether positions contain arrays, which compiled code can neither compare nor pack.

        >>> import connectoe
        >>> [connectoe.load(game).rules.has_arrays for game in ("ultimate", "ultimate-ultimate")]
        [False, True]
        """
        return not all(is_int(field) for field in self.start)


def is_int(thing: object) -> bool:
    """Whether something is a whole number, of numpy or Python, but not True or False.

    >>> is_int(5), is_int(5.0), is_int(True)
    (True, False, False)
    """
    return type(thing) is int or (isinstance(thing, Integral) and not isinstance(thing, bool))


class Planes(NamedTuple):
    """What a learning player sees of a position: a stack of boards filled with small numbers.

    >>> Planes(("own discs", "opponent's discs"), rows=6, cols=7).shape
    (2, 6, 7)
    """

    names: tuple[str, ...]
    rows: int
    cols: int
    highest: int = 1
    """The largest number in a plane; the smallest is 0."""

    @property
    def shape(self) -> tuple[int, int, int]:
        """The number of planes, rows and columns.

        >>> Planes(("crosses",), 3, 3).shape
        (1, 3, 3)
        """
        return len(self.names), self.rows, self.cols


class LastMove(NamedTuple):
    """The move that led to a position, and the position it was made in.

    >>> import connectoe
    >>> state = connectoe.load("connect-four").start.play("d")
    >>> state.last.move, state.last.before == state.game.rules.start
    (3, True)
    """

    before: Any
    move: int
