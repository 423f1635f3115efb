"""Moves that depend on other moves: what a player owes, and what is played only if nothing else can be."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from connectoe.core.errors import BadGame
from connectoe.core.rules import rule
from connectoe.kit.blocks import Context, Counter, Move
from connectoe.kit.compose import numbered
from connectoe.kit.tuples import Rule, replaced


def only_if_stuck(cells: Rule, others_can_move: Rule) -> Rule:
    """Return the cells of a block, none while another block can be played."""

    @rule
    def last_resort(position: Any, group: int) -> int:
        return 0 if others_can_move(position) else cells(position, group)

    return last_resort


def with_duties(context: Context, moves: Sequence[Move]) -> None:
    """Let a move that obliges its player be followed by the move that is owed, in the player's next turn."""
    for debt in context.counters:
        if debt.is_debt:
            _with_duty(debt, context, moves)


def _with_duty(debt: Counter, context: Context, moves: Sequence[Move]) -> None:
    """Let moves that oblige their player to one kind of move be followed by it."""
    tools = [move.tool for move in moves if move.owes != debt.name]
    if debt.name not in tools:
        right = f"here {' or '.join(map(repr, tools))}" if tools else "and there is no other"
        raise BadGame(f"nobody can owe {debt.name!r:.40}: owes names what another move plays, {right}")
    owed = numbered([move for move in moves if move.tool == debt.name], context.board).can_move
    for move in moves:
        if move.tool != debt.name:
            move.cells = unless_owing(move.cells, debt.place, owed if move.frees_when_stuck else None)
            move.why_illegal = _owing(context, move, debt)
        move.change = with_debt(move.change, debt.place, 1 if move.owes == debt.name else 0)
        move.needs_empty_cell = False


def either_can_move(context: Context, moves: Sequence[Move], pass_turn: Rule) -> Rule:
    """Return the rule that says whether either player can do anything but pass."""
    others = numbered([move for move in moves if not move.is_last_resort], context.board).can_move
    position_class = context.position_class

    @rule
    def anybody_can_move(position: Any) -> bool:
        return others(position) or others(position_class(*pass_turn(position)))

    return anybody_can_move


def can_move_at_all(context: Context, moves: Sequence[Move], can_move: Rule) -> Rule:
    """Return the fastest rule that says whether there is a legal move on a board that is not full."""
    debts = [counter for counter in context.counters if counter.is_debt]
    # Where no disc can come to rest, all empty cells are under discs, and a mark may go there.
    tools = [move.fills_gaps_with for move in moves]
    if len(debts) != 1 or not all(tools) or len(set(tools)) > 1 or any(move.counter for move in moves):
        return can_move
    place = debts[0].place

    @rule
    def owes_nothing_or_can_move(position: Any) -> bool:
        return position[place] == 0 or can_move(position)

    return owes_nothing_or_can_move


def unless_owing(cells: Rule, place: int, owed_can_be_played: Rule | None) -> Rule:
    """Return the cells of a block, none for a player who owes another move, unless that cannot be played."""

    @rule
    def free(position: Any, group: int) -> int:
        return 0 if position[place] else cells(position, group)

    @rule
    def free_or_stuck(position: Any, group: int) -> int:
        return 0 if position[place] and owed_can_be_played(position) else cells(position, group)  # type: ignore[misc]

    return free if owed_can_be_played is None else free_or_stuck


def with_debt(change: Rule, place: int, owes: int) -> Rule:
    """Return the change of a block, and whether its player owes a move after it."""
    put = replaced(place)

    @rule
    def changed(position: Any, group: int, cell: int) -> Any:
        return put(change(position, group, cell), owes)

    return changed


def _owing(context: Context, move: Move, debt: Counter) -> Any:
    why = move.why_illegal

    def why_illegal(position: Any, where: Any) -> str:
        if position[debt.place] and not move.cells(position, where.group):
            return f"{context.symbols[position[-1]]} owes a {debt.name}, having played a {move.tool} the turn before"
        return why(position, where)

    return why_illegal
