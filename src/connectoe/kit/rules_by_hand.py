"""Rules written by hand in place of blocks: an effect, or an end.

An effect by hand is a rule of the position after the move, before the turn passes; it returns the fields after the
effect. An end by hand is a rule that returns the outcome of a position, as `outcome` of a plain game does.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from connectoe.core.rules import is_rule, rule
from connectoe.kit.blocks import Context, End, Move
from connectoe.kit.tuples import Rule


def is_by_hand(block: Any) -> bool:
    """Whether a rule stands where a block could.

    >>> is_by_hand(in_words), is_by_hand(rule(lambda position: 0))
    (False, True)
    """
    return callable(block) and is_rule(block)


def in_words(function: Rule) -> str:
    """Return what a rule is called for people: the first line of its docstring, or its name.

    >>> def corner_taken(position): ...
    >>> in_words(corner_taken)
    'corner taken'
    """
    first_line = (function.__doc__ or "").strip().partition("\n")[0].rstrip(".")
    return first_line[:1].lower() + first_line[1:] if first_line else function.__name__.replace("_", " ")


def end_by_hand(found: Rule) -> End:
    """Return the end that a rule of a position is."""
    words = in_words(found)
    return End((words,), found, lambda *_: words, symmetries=frozenset())


def followed_by(effects: Any, context: Context, move: Move) -> Move:
    """Return a move with its effects, one or several."""
    effects = context.value(effects)
    for effect in effects if isinstance(effects, tuple | list) else (effects,):
        move = _with_rule(context, move, effect) if is_by_hand(effect) else effect.after(context, move)
    return move


def _with_rule(context: Context, move: Move, effect: Rule) -> Move:
    change, position_class = move.change, context.position_class

    @rule
    def changed(position: Any, group: int, cell: int) -> Any:
        return effect(position_class(*change(position, group, cell)))

    return replace(
        move,
        change=changed,
        may_do=f"{move.may_do} ({in_words(effect)})",
        symmetries=frozenset(),
        may_help_opponent=True,
        only_adds=False,
        has_new_piece=False,
        falls=False,
        can_repeat=True,
    )
