"""A move of a recipe whose two rules are written by hand."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from connectoe.board import square_name
from connectoe.core.errors import BadGame
from connectoe.core.rules import rule
from connectoe.kit.blocks import Context, Move, MovePlace
from connectoe.kit.moves import column_places, square_places
from connectoe.kit.rules_by_hand import followed_by, in_words, is_by_hand
from connectoe.kit.tuples import Rule


@dataclass
class by_hand:  # noqa: N801 (recipes read like sentences)
    """A move made of two rules: `cells(position)`, a mask of where it can be played, and `change(position, cell)`.

    `change` returns the fields of the position after the move, before the turn passes. `{square}` or `{column}` in the
    text says whether it is played on squares or on columns, whose number is that of their lowest cell.

    >>> @rule
    ... def anywhere(position):
    ...     return 1
    >>> by_hand("!{square}", anywhere, anywhere).text
    '!{square}'
    """

    text: str
    cells: Rule
    change: Rule
    then: Any = ()

    def bind(self, context: Context) -> Move:
        """Return the move on the recipe's board."""
        for function in (self.cells, self.change):
            if not is_by_hand(function):
                raise BadGame(
                    f"by_hand() takes a text and two functions marked with @rule: where the move can be played, and "
                    f"what it does; not {getattr(function, '__name__', function)!r:.40}"
                )
        cells, change, board = self.cells, self.change, context.board
        tool = in_words(change)
        places_of = column_places if "{column}" in self.text else square_places
        says = f"{tool} {'in column {column}' if places_of is column_places else 'on {square}'}"
        places = places_of(context, self.text, says)
        playable = board.mask_of(board.square_at(place.cell) for place in places)

        @rule
        def playable_cells(position: Any, group: int) -> int:
            return cells(position) & playable

        @rule
        def changed(position: Any, group: int, cell: int) -> Any:
            return change(position, cell)

        def why(position: Any, where: MovePlace) -> str:
            return f"{tool} is not allowed on {square_name(*board.square_at(where.cell))} now"

        move = Move(
            tool=tool,
            picture="sign ★",
            cells=playable_cells,
            change=changed,
            places=places,
            may_do=tool,
            why_illegal=why,
            last=lambda _, where: [board.square_at(where.cell)],
            may_help_opponent=True,
            can_repeat=True,
        )
        return followed_by(self.then, context, move)
