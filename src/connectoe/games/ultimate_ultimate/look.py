"""Ultimate ultimate tic-tac-toe as a picture."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from connectoe.core.rules import ONGOING, LastMove
from connectoe.games.ultimate_ultimate.rules import (
    ANYWHERE,
    BONUS,
    BONUSES,
    COMPLETED,
    FIRST,
    SECOND,
    SECOND_MARKS,
    Position,
    bits_of,
    bits_of_both,
    tallies_of,
)
from connectoe.games.ultimate_ultimate.words import board_name, winning_lines
from connectoe.scene import Cell, Highlight, Label, Panel, Piece, Scene, Stroke, Target

if TYPE_CHECKING:
    from connectoe.games.ultimate_ultimate import UltimateUltimate

# The picture, in cells: 3x3 boards stand BETWEEN apart, with a STRIP above each for its number and tallies; 9x9 boards
# stand APART, with their number in a HEAD above and a MARGIN at both sides, so that a square claim covers all cells.
BETWEEN, STRIP, APART, HEAD, MARGIN = 0.25, 0.6, 1.3, 1.0, 0.4


def cell_place(where: int, cell: int) -> tuple[float, float]:
    """Return the middle of a cell in the picture."""
    large, small = divmod(where, 9)
    across, down = 3 * (large % 3) + small % 3, 3 * (large // 3) + small // 3
    x = 3 * across + cell % 3 + BETWEEN * (across - across // 3) + APART * (across // 3)
    y = 3 * down + cell // 3 + STRIP * (down + 1) + HEAD * (down // 3 + 1)
    return x + 0.5, y + 0.5


PLACES = [cell_place(where, cell) for where in range(81) for cell in range(9)]
WIDTH_OF_9X9, HEIGHT_OF_9X9 = 9 + 2 * BETWEEN + 2 * MARGIN, 9 + 3 * STRIP


def over_board(kind: str, where: int) -> Highlight:
    """Return a highlight over a 3x3 board."""
    x, y = PLACES[9 * where]
    return Highlight(kind, x - 0.5, y - 0.5, 3, 3)


def over_9x9(kind: str, large: int) -> Highlight:
    """Return a highlight over a 9x9 board."""
    x, y = PLACES[81 * large]
    return Highlight(kind, x - 0.5 - MARGIN, y - 0.5 - STRIP, WIDTH_OF_9X9, HEIGHT_OF_9X9)


def middle_of_9x9(large: int) -> tuple[float, float]:
    """Return the middle cell of a 9x9 board in the picture."""
    return PLACES[81 * large + 9 * 4 + 4]


def scene(game: UltimateUltimate, position: Position, last: LastMove | None = None) -> Scene:
    """Return all cells, with tallies above the boards and large marks over those that are completed, won or closed."""
    scene = Scene(game.symbols)
    for large in range(9):
        _add_9x9(scene, position, large)
    if last:
        _mark_last(scene, position, last)
    outcome = game.rules.outcome(position)
    if outcome in (0, 1):
        for line in winning_lines(position, outcome):
            scene.highlights += [over_9x9("win", large) for large in line]
            scene.strokes.append(Stroke(*middle_of_9x9(line[0]), *middle_of_9x9(line[-1]), outcome, size=9))
    elif outcome == ONGOING:
        _add_step(game, scene, position)
    return scene


def stages(game: UltimateUltimate, position: Position, move: int) -> Sequence[Sequence[Piece]]:
    """Return, for a mark that makes tallies, the moment when it has been placed and nothing is cleared yet."""
    if position.step == BONUS:
        return []
    is_first = position.step == FIRST
    where, cell = move // 9 if is_first else position.where, move % 9
    after = game.rules.play(position, move)
    if int(after.boards[where]) & 1 << 9 * (position.turn if is_first else 1 - position.turn) + cell:
        return []
    owner = position.turn if is_first else 1 - position.turn
    mark = Piece(f"mark-{board_name(where)}.{cell + 1}", *PLACES[9 * where + cell], "mark", owner)
    return [[*scene(game, position).pieces, mark]]


def refusals(game: UltimateUltimate, position: Position) -> Sequence[Target]:
    """Return the places without a legal move: whole boards where nothing can be played, else the cells with a mark."""
    found = []
    for large in range(9):
        if position.closed >> large & 1:
            move = BONUSES + large if position.step == BONUS else 81 * large
            found.append(_refusal(game, position, move, over_9x9("", large)))
        elif position.step != BONUS:
            for where in range(9 * large, 9 * large + 9):
                found += _refusals_on(game, position, where)
    return found


def _refusals_on(game: UltimateUltimate, position: Position, where: int) -> list[Target]:
    board = int(position.boards[where])
    if position.where not in (ANYWHERE, where) or board >= COMPLETED:
        return [_refusal(game, position, 9 * where, over_board("", where))]
    first = 9 * where if position.step == FIRST else SECOND_MARKS
    taken = [cell for cell in range(9) if bits_of_both(board) >> cell & 1]
    return [
        _refusal(game, position, first + cell, Highlight("", x - 0.5, y - 0.5))
        for cell, (x, y) in ((cell, PLACES[9 * where + cell]) for cell in taken)
    ]


def _refusal(game: UltimateUltimate, position: Position, move: int, place: Highlight) -> Target:
    size = place.x, place.y, place.width, place.height
    return Target(game.move_texts[move], *size, "mark", game.why_illegal(position, move))


def _add_9x9(scene: Scene, position: Position, large: int) -> None:
    """Add a 9x9 board: its cells and number, and what stands on it; only one large mark once it is closed."""
    corner = over_9x9("", large)
    scene.panels.append(Panel(corner.x, corner.y, corner.width, corner.height))
    scene.labels.append(Label(corner.x + corner.width / 2, corner.y - HEAD / 2, f"board {large + 1}", "title"))
    scene.cells += [Cell(x, y) for x, y in PLACES[81 * large : 81 * large + 81]]
    if position.closed >> large & 1:
        owner = 0 if bits_of(0, position.won) >> large & 1 else 1 if bits_of(1, position.won) >> large & 1 else None
        scene.pieces.append(Piece(f"claim-{large + 1}", *middle_of_9x9(large), "claim", owner, size=WIDTH_OF_9X9))
        return
    for where in range(9 * large, 9 * large + 9):
        _add_board(scene, int(position.boards[where]), where)


def _add_board(scene: Scene, board: int, where: int) -> None:
    """Add what stands on a 3x3 board and above it."""
    name = board_name(where)
    (x, y), (middle_x, middle_y) = PLACES[9 * where], PLACES[9 * where + 4]
    scene.panels.append(Panel(x - 0.5, y - 0.5, 3, 3, "small"))
    scene.labels.append(Label(x, y - 0.5 - STRIP / 2, str(where % 9 + 1), "name"))
    if board >= COMPLETED:
        owner = board // COMPLETED - 1
        scene.pieces.append(Piece(f"claim-{name}", middle_x, middle_y, "claim", owner, size=3))
        return
    for owner in (0, 1):
        tallies = tallies_of(owner, board)
        if tallies:
            at = x + 1 + owner, y - 0.5 - STRIP / 2
            scene.pieces.append(Piece(f"tally-{name}-{owner}", *at, "tally", owner, str(tallies), size=0.75))
        for cell in range(9):
            if board >> 9 * owner + cell & 1:
                scene.pieces.append(Piece(f"mark-{name}.{cell + 1}", *PLACES[9 * where + cell], "mark", owner))


def _mark_last(scene: Scene, position: Position, last: LastMove) -> None:
    """Highlight the marks of the last turn so far, the whole board where they have been cleared away, or the
    9x9 board a bonus chose."""
    before, move = last
    if before.step == BONUS:
        scene.highlights.append(over_9x9("last", move - BONUSES))
        return
    where = before.where if before.step == SECOND else move // 9
    marks = [move % 9] if before.step == FIRST else [before.first, move % 9]
    there = bits_of_both(int(position.boards[where]))
    if not there:
        scene.highlights.append(over_board("last", where))
    for cell in marks:
        if there >> cell & 1:
            x, y = PLACES[9 * where + cell]
            scene.highlights.append(Highlight("last", x - 0.5, y - 0.5))


def _add_step(game: UltimateUltimate, scene: Scene, position: Position) -> None:
    """Show where the step may be played, in highlights, words and targets."""
    mover, opponent = game.symbols[position.turn], game.symbols[1 - position.turn]
    name = board_name(position.where)
    if position.where != ANYWHERE:
        scene.highlights.append(over_board("forced", position.where))
    if position.step == FIRST:
        where = "any open board" if position.where == ANYWHERE else f"board {name}"
        scene.notes.append(f"Step 1: {mover}'s own mark, on {where}")
    elif position.step == SECOND:
        scene.notes.append(f"Step 2: {mover} places {opponent}'s mark, on an empty cell of board {name} (+1 to +9)")
    else:
        small = position.first + 1
        scene.notes.append(f"Bonus: {mover} sends {opponent} to board {small} of any open 9x9 board (>1 to >9)")
    for move in game.rules.legal_moves(position):
        text = game.move_texts[move]
        if move >= BONUSES:
            large = over_9x9("forced", move - BONUSES)
            scene.highlights.append(large)
            says = f"send {opponent} to 9x9 board {text[1:]}"
            scene.targets.append(Target(text, large.x, large.y, large.width, large.height, "board", says))
        elif move >= SECOND_MARKS:
            x, y = PLACES[9 * position.where + move - SECOND_MARKS]
            says = f"put {opponent}'s mark on cell {text[1:]} of board {name}"
            scene.targets.append(Target(text, x - 0.5, y - 0.5, 1, 1, "opponent's mark", says))
        else:
            x, y = PLACES[move]
            says = f"put your mark on cell {text[-1]} of board {text[:-2]}"
            scene.targets.append(Target(text, x - 0.5, y - 0.5, 1, 1, "mark", says))
