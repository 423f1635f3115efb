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
from connectoe.kit.ends import MOVER, OWNER, check_both, result_rule
from connectoe.kit.tuples import Rule, union


@dataclass
class total:  # noqa: N801 (recipes read like sentences)
    """A number of pieces of a player in line whose numbers add up to a total end the game.

    `winner` is the "owner" of the line, or the owner's "opponent". `both` says what happens when both players get such
    a line: the "mover" wins, or the "opponent", or it is a "draw".

    >>> total(9).length
    3
    """

    amount: Any
    length: Any = 3
    winner: Any = OWNER
    both: Any = MOVER

    def bind(self, context: Context, moves: Sequence[Move], can_move: Rule) -> End:
        """Return the end on the recipe's board."""
        amount, length = context.value(self.amount), context.value(self.length)
        winner, both, board = context.value(self.winner), context.value(self.both), context.board
        check_both(both)
        layers = [[each for each in context.layers if each.kind.number and each.owner == owner] for owner in (0, 1)]
        if not layers[1]:
            raise BadGame("total() adds up numbers: the recipe needs numbers(1, 2, 3) among its pieces")
        check_length("total(9, …)", length)
        check_amount(context, layers[1], amount, length, all(move.only_adds for move in moves))
        squares = lines(board.cols, board.rows, length)
        masks = tuple(board.mask_of(line) for line in squares)
        adds_up = [adding_up(each, amount, board.how_many) for each in layers]
        to_move, just_moved = (any_of(masks, each) for each in adds_up)
        looks_at_both = any(move.may_help_opponent for move in moves)
        found = one_total(just_moved, result_rule(winner))
        if looks_at_both:
            found = two_totals(just_moved, to_move, result_rule(winner), result_rule(winner, 0), result_rule(both))

        def lines_in(position: Any) -> list[tuple[Square, ...]]:
            """Return all lines, those of the winner first."""
            owners = [1, 0] if int(found(position)) & 3 != position[-1] else [0, 1]
            return [
                line
                for owner in (owners if looks_at_both else [1])
                for line, cells in zip(squares, masks, strict=True)
                if adds_up[owner](position, cells)
            ]

        many = NUMBER_WORDS[length] if length < len(NUMBER_WORDS) else str(length)
        verb = "Get" if winner == OWNER else "Do not get"
        return End(
            names=(f"a total of {amount}",),
            found=found,
            reason=lambda position, _: (
                f"{' and '.join(line_text(line, 'pieces') for line in lines_in(position))} make {amount}"
            ),
            goal=f"{verb} {many} of your pieces in line that add up to {amount}.",
            lines=lines_in,
        )


def check_amount(context: Context, layers: Sequence[Layer], amount: Any, length: int, is_limited: bool) -> None:
    """Raise BadGame for an amount that this number of a player's pieces never adds up to.

    `is_limited` says that a player has no pieces but those in hand at the start.
    """
    sums = {(0, 0)}  # how many numbers are taken, and what they add up to
    for layer in layers:
        counter = context.counter(layer.kind.plural)
        for _ in range(counter.at_start if counter and is_limited else length):
            sums |= {(many + 1, worth + layer.kind.number) for many, worth in sums if many < length}
    found = sorted(worth for many, worth in sums if many == length)
    if amount not in found:
        made = f"they make {found[0]} to {found[-1]}" if found else "a player has fewer"
        raise BadGame(f"total({amount!r:.40}) can never hold: {length} of a player's numbers never make that; {made}")


def adding_up(layers: Sequence[Layer], amount: int, how_many: Rule) -> Rule:
    """Return the rule whether pieces of a player's are on all of some cells and add up to an amount."""
    pieces, worth = union([layer.place for layer in layers]), worth_rule(layers, how_many)

    @rule
    def add_up(position: Any, cells: int) -> bool:
        return bool(pieces(position) & cells == cells and worth(position, cells) == amount)

    return add_up


def any_of(masks: Sequence[int], add_up: Rule) -> Rule:
    """Return the rule whether the pieces on any of these masks add up."""

    @rule
    def any_line(position: Any) -> bool:
        for cells in masks:  # noqa: SIM110 (`any` does not compile)
            if add_up(position, cells):
                return True
        return False

    return any_line


def one_total(just_moved: Rule, result: Rule) -> Rule:
    """Return the rule for a total of the player who has just moved."""

    @rule
    def found(position: Any) -> int:
        return result(position) if just_moved(position) else ONGOING

    return found


def two_totals(just_moved: Rule, to_move: Rule, my_result: Rule, their_result: Rule, both_result: Rule) -> Rule:
    """Return the rule for totals of either player, where a move can make totals of both."""

    @rule
    def found(position: Any) -> int:
        if just_moved(position):
            return both_result(position) if to_move(position) else my_result(position)
        return their_result(position) if to_move(position) else ONGOING

    return found


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
