"""Positions of a recipe as text: the rows of the board, the player to move, and what the players have in hand."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from connectoe.board import by_player
from connectoe.board_texts import (
    board_rows,
    check_counts,
    check_nothing_floats,
    masks_from,
    side_to_move,
    split_fields,
    squeeze,
    unsqueeze,
)
from connectoe.core.errors import BadPosition
from connectoe.core.rules import ONGOING
from connectoe.core.setting_up import Choice, SettingUp, Sign, whose_turn
from connectoe.core.state import can_be_played

if TYPE_CHECKING:
    from connectoe.kit.blocks import Layer
    from connectoe.kit.recipe import Recipe

NOBODY = "-"


def masks_by_player(game: Recipe, position: Any) -> list[tuple[Layer, int]]:
    """Return the cells of each kind of piece, with the layer whose owner is now player 0 or 1."""
    found = []
    for layer in game.made.context.layers:
        owner = layer.owner if layer.owner is None or position.turn == 0 else 1 - layer.owner
        found.append((layer._replace(owner=owner), position[layer.place]))
    return sorted(found, key=lambda pair: pair[0].owner or 0)


def sign_of(layer: Layer) -> str:
    """Return the letter of a kind of piece of player 0 or 1."""
    return layer.kind.signs[layer.owner or 0]


def board(game: Recipe, position: Any) -> list[str]:
    """Return rows of the signs of pieces, and dots, top first."""
    size = game.made.context.board
    found = masks_by_player(game, position)
    signs = "".join(sign_of(layer) for layer, _ in found)
    return list(board_rows(size.cols, size.rows, signs, *(mask for _, mask in found)))


def write(game: Recipe, position: Any) -> str:
    """Return the rows from the top, the player to move, and what the players have in hand: `7/3X3 O 1 1`."""
    parts = [squeeze(board(game, position)), game.symbols[position.turn]]
    for counter in game.made.context.counters:
        left = by_player(position[counter.place], position[counter.place + 1], position.turn)
        if counter.is_debt:
            owing = "".join(symbol for symbol, owes in zip(game.symbols, left, strict=True) if owes)
            parts.append(owing or NOBODY)
        else:
            parts += map(str, left)
    return " ".join(parts)


def setting_up(game: Recipe) -> SettingUp:
    """Return how pieces are set on cells, and the other parts of a position text."""
    signs = []
    for layer in game.made.context.layers:
        kind, letter = layer.kind, sign_of(layer)
        name = kind.name if layer.owner is None else f"{game.symbols[layer.owner]}'s {kind.name}"
        signs.append(Sign(letter, name, kind.look, layer.owner, kind.size))
    choices = [whose_turn(game.symbols)]
    for counter in game.made.context.counters:
        if counter.is_debt:
            first, second = game.symbols
            owing = {NOBODY: "nobody", first: first, second: second, first + second: "both"}
            choices.append(Choice(f"owes a {counter.name}", owing))
            continue
        values = {str(number): str(number) for number in range(counter.at_start + 1)}
        choices += [Choice(f"{counter.says} of {symbol}", values) for symbol in game.symbols]
    return SettingUp(tuple(signs), tuple(choices))


def read(game: Recipe, text: str) -> Any:
    """Return the position; refuse wrong numbers, floating pieces and games that had ended before."""
    context = game.made.context
    counts = [
        name
        for counter in context.counters
        for name in (
            [f"who owes a {counter.name}"]
            if counter.is_debt
            else [f"{counter.says} of {symbol}" for symbol in game.symbols]
        )
    ]
    rows, mover, *left = split_fields(text, ["board", "player to move", *counts])
    turn = side_to_move(mover, game.symbols)
    signs = "".join(sign_of(layer) for layer in context.layers)
    masks = masks_from(unsqueeze(rows, context.board.cols, context.board.rows, signs), signs)
    fields: list[int] = []
    for layer in context.layers:
        other = layer if layer.owner is None or turn == 0 else _partner(game, layer)
        fields.append(masks[other.place])
    for counter in context.counters:
        if counter.is_debt:
            pair = _debts(game, left.pop(0), counter.name)
        else:
            of = [f"{counter.says} of {symbol}" for symbol in game.symbols]
            pair = [_count(left.pop(0), counter.most, of[player]) for player in (0, 1)]
        fields += by_player(pair[0], pair[1], turn)
    position = type(game.rules.start)(*fields, turn)
    _check(game, position)
    return position


def _partner(game: Recipe, layer: Layer) -> Layer:
    """Return the layer of the same kind that the other player has."""
    assert layer.owner is not None
    return game.made.context.layer(layer.kind, 1 - layer.owner)


def _count(text: str, most: int, what: str) -> int:
    if text not in map(str, range(most + 1)):
        raise BadPosition(f"the number of {what} is 0 to {most}, not {text[:20]!r}")
    return int(text)


def _debts(game: Recipe, text: str, what: str) -> list[int]:
    """Return whether each player owes a move, given their symbols."""
    first, second = game.symbols
    if text not in (NOBODY, first, second, first + second):
        raise BadPosition(f"who owes a {what} is {first}, {second}, {first}{second} or {NOBODY}, not {text[:20]!r}")
    return [int(symbol in text) for symbol in game.symbols]


def _check(game: Recipe, position: Any) -> None:
    """Raise BadPosition for a position that play obviously cannot lead to."""
    made = game.made
    context = made.context
    if all(block.falls for block in made.blocks):
        check_nothing_floats(context.taken_by(position), context.board.rows)
    owners = [layer.owner for layer in context.layers]
    if all(block.only_adds and block.counter is None and not game.opening for block in made.blocks):
        first, second = by_player(_pieces(game, position, 0), _pieces(game, position, 1), position.turn)
        if None not in owners:
            check_counts(first, second, position.turn, game.symbols, "piece")
        elif context.taken_by(position).bit_count() % 2 != position.turn:
            raise BadPosition(f"with this many pieces on the board, it is not {game.symbols[position.turn]}'s turn")
    if not any(block.may_help_opponent for block in made.blocks):
        before = type(position)(*_turned(game, position))
        if game.rules.outcome(before) != ONGOING and made.end_of(before)[0].lines(before) and None not in owners:
            raise BadPosition(f"{game.symbols[position.turn]} has a line already, and the game ended there")
    if not can_be_played(game.rules, position, len(game.move_texts)):
        raise BadPosition(f"the rules of {game.id} do not allow such a position")


def _pieces(game: Recipe, position: Any, owner: int) -> int:
    return sum(position[layer.place] for layer in game.made.context.layers if layer.owner == owner)


def _turned(game: Recipe, position: Any) -> list[int]:
    """Return the fields as the other player sees them."""
    fields = list(position)
    context = game.made.context
    pairs = [layer.place for layer in context.layers if layer.owner == 0]
    for place in [*pairs, *(counter.place for counter in context.counters)]:
        fields[place], fields[place + 1] = fields[place + 1], fields[place]
    fields[-1] = 1 - fields[-1]
    return fields
