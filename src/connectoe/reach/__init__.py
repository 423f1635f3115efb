"""Whether a position can come about at all: a search for a way to it, forwards from the start or backwards to it.

Games whose moves take more than a few lines to take back have a file here; their `read` asks it.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator
from typing import Any, TypeVar

from connectoe.game import ONGOING, Rules

PATIENCE = 20_000
"""Positions a search looks at before it gives a position the benefit of the doubt."""

Node = TypeVar("Node", bound=Hashable)


def bits_of(mask: int) -> Iterator[int]:
    """The bits of a mask, each alone, the lowest first.

    >>> list(bits_of(0b1101))
    [1, 4, 8]
    """
    while mask:
        lowest = mask & -mask
        yield lowest
        mask ^= lowest


def is_there_a_way(
    here: Node, goal: Node, steps: Callable[[Node], Iterable[Node]], patience: int = PATIENCE
) -> bool | None:
    """Whether steps lead from here to the goal; None if that is not known after looking at `patience` nodes.

    The way is followed deep first, and the steps that come first are tried first. A game whose position texts it
    judges has the steps go backwards, mostly: then few ways are wrong, for what stands in the end stood there before.

    >>> def halves(number):
    ...     return [number // 2] if number % 2 == 0 else [number - 1]
    >>> is_there_a_way(1000, 1, halves), is_there_a_way(5, 3, lambda number: [number - 1] if number > 4 else [])
    (True, False)
    >>> is_there_a_way(0, -1, lambda number: [number + 1])  # never found out
    """
    if here == goal:
        return True
    seen = {here}
    ways: list[Iterator[Node]] = [iter(steps(here))]
    while ways:
        node = next(ways[-1], None)
        if node is None:
            ways.pop()
        elif node not in seen:
            if node == goal:
                return True
            if len(seen) == patience:
                return None
            seen.add(node)
            ways.append(iter(steps(node)))
    return False


def can_be_reached(rules: Rules, target: Any, is_on_the_way: Callable[[Any], bool], patience: int = PATIENCE) -> bool:
    """Whether play from the start can lead to `target` through positions that are `is_on_the_way` to it.

    The answer False is certain. True is nearly always certain: it is also the answer when `patience` runs out.

    >>> import connectoe
    >>> def only_the_middle_is_taken(position):
    ...     return position.own | position.other == 0b000_010_000
    >>> rules = connectoe.load("tic-tac-toe").rules
    >>> o_to_move = rules.play(rules.start, 4)
    >>> can_be_reached(rules, o_to_move, only_the_middle_is_taken)
    True
    >>> can_be_reached(rules, o_to_move._replace(turn=0), only_the_middle_is_taken)
    False
    """

    def moves(position: Any) -> Iterator[Any]:
        if rules.outcome(position) == ONGOING:
            for move in rules.legal_moves(position):
                following = rules.play(position, move)
                if is_on_the_way(following):
                    yield following

    return is_there_a_way(rules.start, target, moves, patience) is not False
