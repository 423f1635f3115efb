"""A table of a solved game: what a position is worth, looked up in microseconds."""

from __future__ import annotations

from collections.abc import Callable, Collection
from functools import lru_cache
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from connectoe.core.errors import BadPosition
from connectoe.core.game import Game
from connectoe.core.rules import ONGOING, Rules
from connectoe.engines.compiling import compiled
from connectoe.engines.engine import Analysis, Candidate, Exact, Limits, NotSolved, best_first
from connectoe.engines.exact.mirrors import smallest_image

Array = NDArray[Any]
NO_LIMITS = Limits()
LONGEST_LINE = 60
"""The most moves in the line of an analysis."""
VALUES = {plies: Exact("win" if plies > 0 else "loss", abs(plies)) for plies in range(-200, 201) if plies}
VALUES[0] = Exact("draw")
"""The values that are asked for often, by their number in a table."""


def value_of(number: int) -> Exact:
    """Return the value that a number in a table stands for."""
    return VALUES.get(number) or Exact("win" if number > 0 else "loss", abs(number))


class Table:
    """The values of all positions of a game.

    >>> import connectoe
    >>> from connectoe.engines.exact.tables import load_table
    >>> table = load_table(connectoe.load("tic-tac-toe"))
    >>> str(table.value(table.game.rules.start))
    'draw'
    >>> state = table.game.start.play("a1").play("b1")
    >>> str(table.value(state.position)), [state.game.move_text(move) for move in table.best_moves(state.position)]
    ('win in 5', ['a2', 'b2', 'a3'])
    >>> {state.game.move_text(move): str(value) for move, value in table.moves(state.position).items()}["c3"]
    'draw'
    """

    limited_by: ClassVar[tuple[str, ...]] = ()
    is_deterministic: ClassVar[bool] = True

    def __init__(self, game: Game, keys: Array, values: Array, facts: dict[str, Any], path: Path | None = None) -> None:
        self.game = game
        self.keys = keys
        self.values = values
        self.facts = facts
        """What solving found out, as stored in the file."""
        self.path = path
        """The file, if there is one."""
        self._look_up = _lookup(game)
        self._pack: Any = game.rules.pack
        self._unpack: Any = game.rules.unpack

    def search(self, position: Any, limits: Limits = NO_LIMITS) -> Analysis:
        """Return the value of every move of an unfinished position, and best play to the end.

        Raise NotSolved for a position that is not in the table, which play cannot lead to.
        """
        rules = self.game.rules
        found = self._candidates(position)
        passed = {position}
        line = [found.move]
        position = rules.play(position, found.move)
        while rules.outcome(position) == ONGOING and position not in passed and len(line) < LONGEST_LINE:
            passed.add(position)
            line.append(self._candidates(position).move)
            position = rules.play(position, line[-1])
        return found._replace(line=tuple(line), line_repeats=position in passed)

    def _candidates(self, position: Any) -> Analysis:
        return best_first(Candidate(move, value) for move, value in self.moves(position).items())

    def value(self, position: Any) -> Exact:
        """Return what an unfinished position is worth to the player to move; NotSolved if it is not in the table."""
        number = self._number(position)
        if number == MISSING:
            self._refuse_if_over(position)
            raise self._not_in_the_table()
        return value_of(number)

    def _number(self, position: Any) -> int:
        return self._look_up(self._pack(position), self.keys, self.values)  # type: ignore[no-any-return]

    def _not_in_the_table(self) -> NotSolved:
        return NotSolved(f"this position is not in the table of {self.game!r}: play cannot lead to it")

    def _refuse_if_over(self, position: Any) -> None:
        if self.game.rules.outcome(position) != ONGOING:
            raise BadPosition("the game is over in this position, and nobody is to move")

    def moves(self, position: Any) -> dict[int, Exact]:
        """Return what each legal move of an unfinished position is worth to the player who makes it."""
        return {move: value_of(number) for move, number in self._numbers_of_moves(position).items()}

    def best_moves(self, position: Any, drawn: Collection[int] = ()) -> list[int]:
        """Return the moves that keep the value: the quickest wins, else the draws, else the latest losses.

        Moves in `drawn` end the game as a draw, because the match has gone that way before.
        """
        numbers = self._numbers_of_moves(position) | dict.fromkeys(drawn, 0)
        best = max(map(merit, numbers.values()))
        return [move for move, number in numbers.items() if merit(number) == best]

    def _numbers_of_moves(self, position: Any) -> dict[int, int]:
        self._refuse_if_over(position)
        if self._unpack(self._pack(position)) != position:  # its int may be that of another position
            raise self._not_in_the_table()
        numbers = numbers_of_moves(self.game.rules, position, self._number)
        if MISSING in numbers.values():
            raise self._not_in_the_table()
        return numbers

    def __len__(self) -> int:
        return len(self.keys)

    def __repr__(self) -> str:
        return f"<Table of {self.game!r}: {len(self)} positions>"


def numbers_of_moves(rules: Rules, position: Any, number_of: Callable[[Any], int]) -> dict[int, int]:
    """Return the number of each legal move for the player who makes it, MISSING where `number_of` says so."""
    mover = rules.player(position)
    numbers = {}
    for move in rules.legal_moves(position):
        following = rules.play(position, move)
        outcome = rules.outcome(following)
        if outcome != ONGOING:
            number = 1 if outcome == mover else -1 if outcome == 1 - mover else 0
        else:
            number = number_of(following)
            if number != MISSING:
                number = number if rules.player(following) == mover else -number
                number += (number > 0) - (number < 0)
        numbers[int(move)] = number
    return numbers


def merit(number: int) -> float:
    """Return how good a number of a table is for the player: soon won, late won, drawn, late lost, soon lost."""
    return 1 / number if number else 0.0


MISSING = -(1 << 15)


def make_lookup(unpack: Any, canonical: Callable[[Any], int]) -> Any:
    """Return a compiled binary search for a packed position among sorted keys; answers its value, or MISSING.

    It takes the packed position because ints come into compiled code quickly. Of two games whose positions are tuples
    alike in all but their class, Numba takes one for the other at first, and finds out only after 100 microseconds.
    """

    def look_up(packed: int, keys: Array, values: Array) -> int:
        key = canonical(unpack(packed))
        low, high = 0, len(keys)
        while low < high:
            middle = (low + high) // 2
            if keys[middle] < key:
                low = middle + 1
            else:
                high = middle
        if low < len(keys) and keys[low] == key:
            return np.int64(values[low])  # type: ignore[return-value]
        return MISSING

    return compiled(look_up)


@lru_cache(maxsize=64)
def _lookup(game: Game) -> Any:
    return make_lookup(game.rules.unpack, smallest_image(game.rules))
