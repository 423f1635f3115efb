"""A recipe as a picture: the scene of a position, and the steps of a move."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from connectoe.board import by_player, square_name
from connectoe.core.rules import ONGOING, LastMove
from connectoe.kit.blocks import Context, Travels
from connectoe.kit.texts import masks_by_player
from connectoe.scene import Label, Panel, Piece, Place, Scene, Target

if TYPE_CHECKING:
    from connectoe.kit.recipe import Recipe


MOST_SIDE_BY_SIDE = 6
"""The pieces with numbers of a player that are all shown, also beside a narrow board; more of them are counted."""


def scene(game: Recipe, position: Any, last: LastMove | None = None) -> Scene:
    """Return the pieces on the board and in the players' hands, and where each move is pressed."""
    made, outcome = game.made, game.rules.outcome(position)
    board = made.context.board
    scene = Scene(game.symbols)
    scene.add_grid(board.cols, board.rows, board.cell)
    for layer, mask in masks_by_player(game, position):
        kind = layer.kind
        for square in made.context.squares_of(mask):
            name = f"{kind.name.split()[-1]}-{square_name(*square)}"
            letter = str(kind.number) if kind.number else ""
            if layer.owner is not None and kind.size < 1:
                letter = game.symbols[layer.owner].lower()
            if kind.shown_as is not None:
                letter = kind.signs  # whatever the players are called
            owner = kind.shown_as if kind.is_shared else layer.owner
            scene.pieces.append(Piece(name, *scene.middle(*square), kind.look, owner, letter, size=kind.size))
    if last:
        block, place = made.moves[last.move]
        scene.highlight("last", block.last(last.before, place))
    if outcome != ONGOING:
        for line in game.lines(position):
            scene.win(line, outcome if outcome in (0, 1) else None)
    _add_hands(game, scene, position)
    if outcome == ONGOING:
        scene.targets += [_target(game, position, move) for move in game.rules.legal_moves(position)]
    return scene


def _target(game: Recipe, position: Any, move: int) -> Target:
    block, place = game.made.moves[move]
    says = block.says(position, place) if block.says else place.says
    first = Place(*place.first) if place.first else None
    return Target(place.text, *place.box, place.tool or block.tool, says, first, place.sign)


def tool_picture(context: Context, tool: str) -> str:
    """Return what pictures a tool named like a kind of piece, if its name alone does not say it."""
    kind = next((layer.kind for layer in context.layers if layer.kind.name == tool), None)
    if kind is None or kind.number or kind.name == kind.look:
        return ""
    return kind.look if kind.shown_as is None else f"{kind.look} {kind.signs}"


def _add_hands(game: Recipe, scene: Scene, position: Any) -> None:
    """Put what the players have in hand into trays under the board, X's on the left, O's on the right."""
    board = game.made.context.board
    _add_numbers_in_hand(game, scene, position)
    without_numbers = [counter for counter in game.made.context.counters if not _number_of(game, counter.name)]
    has_numbers = len(without_numbers) < len(game.made.context.counters)
    for row, counter in enumerate(without_numbers):
        left = by_player(position[counter.place], position[counter.place + 1], position.turn)
        if counter.is_debt:
            scene.notes += [f"{game.symbols[owner]} owes a {counter.name}" for owner in (0, 1) if left[owner]]
            continue
        first, second = left
        scene.notes.append(f"{counter.says} left: {game.symbols[0]} {first}, {game.symbols[1]} {second}")
        if not counter.at_start or 2 * counter.at_start > 2 * board.cols:
            continue  # too many to show; the note says how many
        look = _look_of(game, counter.name)
        width = max(board.cols, 2 * counter.at_start)
        edge, y = (board.cols - width) / 2, board.rows + (2.7 if has_numbers else 1.2) + row
        scene.panels.append(Panel(edge, y - 0.5, width, 1, "tray"))  # as high as a piece, also when it is empty
        for owner, count in enumerate((first, second)):
            for place in range(count):
                x = edge + 0.5 + place if owner == 0 else edge + width - 0.5 - place
                scene.pieces.append(Piece(_in_hand(game, look, owner, place), x, y, look, owner))


def _add_numbers_in_hand(game: Recipe, scene: Scene, position: Any) -> None:
    """Put the pieces with numbers that the players have in hand into one tray, in the order of their numbers."""
    board = game.made.context.board
    hands: list[list[int]] = [[], []]
    for counter in game.made.context.counters:
        number = _number_of(game, counter.name)
        left = by_player(position[counter.place], position[counter.place + 1], position.turn)
        for owner in (0, 1) if number else ():
            hands[owner].extend([number] * left[owner])
    numbered = [counter for counter in game.made.context.counters if _number_of(game, counter.name)]
    if not numbered:
        return
    most = sum(counter.at_start for counter in numbered)
    is_stacked = most > max(board.cols, MOST_SIDE_BY_SIDE)
    width = max(board.cols, 2 * (len(numbered) if is_stacked else most))
    edge, y = (board.cols - width) / 2, board.rows + 1.2
    scene.panels.append(Panel(edge, y - 0.5, width, 1, "tray"))
    for owner, numbers in enumerate(hands):
        symbol = game.symbols[owner]
        for place, number in enumerate(dict.fromkeys(numbers) if is_stacked else numbers):
            x = edge + 0.5 + place if owner == 0 else edge + width - 0.5 - place
            again = 0 if is_stacked else numbers[:place].count(number)
            piece = Piece(f"hand-{symbol}-{number}-{again}", x, y, "numbered", owner, str(number))
            scene.pieces.append(piece)
            if is_stacked:
                scene.labels.append(Label(x, y + 0.7, f"×{numbers.count(number)}"))
    described = [
        f"{symbol} {_counted(hand) if is_stacked else ' '.join(map(str, hand)) or 'none'}"
        for symbol, hand in zip(game.symbols, hands, strict=True)
    ]
    scene.notes.append(f"in hand: {'; '.join(described) if is_stacked else ', '.join(described)}")


def _counted(numbers: Sequence[int]) -> str:
    """Return how many of each number there are.

    >>> _counted([1, 1, 3])
    '1 (2), 3 (1)'
    """
    return ", ".join(f"{number} ({numbers.count(number)})" for number in dict.fromkeys(numbers)) or "none"


def _number_of(game: Recipe, name: str) -> int:
    """Return the number on the pieces of this plural; 0 for none."""
    return next((layer.kind.number for layer in game.made.context.layers if layer.kind.plural == name), 0)


def _look_of(game: Recipe, name: str) -> str:
    kinds = {layer.kind.plural: layer.kind.look for layer in game.made.context.layers}
    return kinds.get(name, name.removesuffix("s"))


def _in_hand(game: Recipe, look: str, owner: int, place: int) -> str:
    return f"{look}-{game.symbols[owner]}{place + 1}"


def stages(game: Recipe, position: Any, move: int) -> Sequence[Sequence[Piece]]:
    """Return where the pieces go that were in the scene before a move; nothing if they all stay."""
    block, place = game.made.moves[move]
    pieces = scene(game, position).pieces
    steps = []
    if block.is_thrown and block.counter:
        spent = _in_hand(game, block.tool, position.turn, position[block.counter.place] - 1)
        x, y = place.box[0] + place.box[2] / 2, place.box[1] + place.box[3] / 2
        steps.append([piece._replace(x=x, y=y) if piece.id == spent else piece for piece in pieces])
    if game.pieces_travel:
        steps.append(list(_after_travelling(game, pieces, block.travels(position, place) if block.travels else {})))
    return steps


def _after_travelling(game: Recipe, pieces: Sequence[Piece], travels: Travels) -> Iterator[Piece]:
    """Return the pieces where they end up, without those that leave the board."""
    board = game.made.context.board
    on_grid = Scene(grid_rows=board.rows)
    square_at = {on_grid.middle(*square): square for square in board.squares}
    for piece in pieces:
        square = square_at.get((piece.x, piece.y))
        goes_to = travels.get(square, square) if square else None
        if goes_to is not None:
            x, y = on_grid.middle(*goes_to)
            yield piece._replace(x=x, y=y)
        elif square is None:
            yield piece
