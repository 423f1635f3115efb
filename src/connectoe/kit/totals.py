"""An end for pieces with numbers: a line that adds up to a total."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from connectoe.board import Square, lines
from connectoe.board_texts import NUMBER_WORDS, line_text
from connectoe.core.errors import BadGame
from connectoe.core.rules import ONGOING, rule
from connectoe.kit.blocks import Context, End, Layer, Move
from connectoe.kit.boards import check_length
from connectoe.kit.ends import OWNER, result_rule
from connectoe.kit.tuples import Rule, union


@dataclass
class total:  # noqa: N801 (recipes read like sentences)
    """A number of pieces of a player in line whose numbers add up to a total end the game.

    `winner` is the "owner" of the line, or the owner's "opponent".

    >>> total(9).length
    3
    """

    amount: Any
    length: Any = 3
    winner: Any = OWNER

    def bind(self, context: Context, moves: Sequence[Move], can_move: Rule) -> End:
        """Return the end on the recipe's board."""
        amount, length = context.value(self.amount), context.value(self.length)
        winner, board = context.value(self.winner), context.board
        layers = [layer for layer in context.layers if layer.kind.number and layer.owner == 1]
        if not layers:
            raise BadGame("total() adds up numbers: the recipe needs numbers(1, 2, 3) among its pieces")
        if any(move.may_help_opponent for move in moves):
            raise BadGame(
                "total() looks at the lines of the player who has just moved, so no move may take pieces away"
            )
        check_length("total(9, …)", length)
        check_amount(context, layers, amount, length)
        squares = lines(board.cols, board.rows, length)
        masks = tuple(board.mask_of(line) for line in squares)
        own, worth = union([layer.place for layer in layers]), worth_rule(layers, board.how_many)
        result = result_rule(winner)

        @rule
        def found(position: Any) -> int:
            pieces = own(position)
            for cells in masks:
                if pieces & cells == cells and worth(position, cells) == amount:
                    return result(position)
            return ONGOING

        def lines_in(position: Any) -> list[tuple[Square, ...]]:
            pieces = own(position)
            return [
                line
                for line, cells in zip(squares, masks, strict=True)
                if pieces & cells == cells and worth(position, cells) == amount
            ]

        many = NUMBER_WORDS[length] if length < len(NUMBER_WORDS) else str(length)
        verb = "Get" if winner == OWNER else "Do not get"
        return End(
            names=(f"a total of {amount}",),
            found=found,
            reason=lambda position, _: f"{line_text(lines_in(position)[0], 'pieces')} make {amount}",
            goal=f"{verb} {many} of your pieces in line that add up to {amount}.",
            lines=lines_in,
        )


def check_amount(context: Context, layers: Sequence[Layer], amount: Any, length: int) -> None:
    """Raise BadGame for an amount that this number of a player's pieces never adds up to."""
    sums = {(0, 0)}  # how many numbers are taken, and what they add up to
    for layer in layers:
        counter = context.counter(layer.kind.plural)
        for _ in range(counter.at_start if counter else length):
            sums |= {(many + 1, worth + layer.kind.number) for many, worth in sums if many < length}
    found = sorted(worth for many, worth in sums if many == length)
    if amount not in found:
        made = f"they make {found[0]} to {found[-1]}" if found else "a player has fewer"
        raise BadGame(f"total({amount!r:.40}) can never hold: {length} of a player's numbers never make that; {made}")


def worth_rule(layers: Sequence[Layer], how_many: Rule) -> Rule:
    """Return the rule for the sum of the numbers on some cells."""
    first, *rest = layers
    place, number = first.place, first.kind.number

    @rule
    def of_one(position: Any, cells: int) -> int:
        return number * how_many(position[place] & cells)

    if not rest:
        return of_one
    others = worth_rule(rest, how_many)

    @rule
    def of_all(position: Any, cells: int) -> int:
        return number * how_many(position[place] & cells) + others(position, cells)

    return of_all
