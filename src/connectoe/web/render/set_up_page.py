"""What the page shows on which a position is set up: the draft on the board, the pieces to choose from, and more."""

from __future__ import annotations

from typing import Any, NamedTuple
from urllib.parse import urlencode

from markupsafe import Markup

from connectoe.core.errors import ConnectoeError
from connectoe.core.setting_up import EMPTY, Sign
from connectoe.core.squares import square_name
from connectoe.draw.svg import piece_svg
from connectoe.scene import Cell, Piece, Scene, Target
from connectoe.web.render.boards import Tool, board_shown, measures
from connectoe.web.render.words import changed_options
from connectoe.web.service.analysis_line import AnalysisLine
from connectoe.web.service.drafts import Draft

NOTHING = Markup('<circle r=".3" fill="none" stroke="currentColor" stroke-width=".06" stroke-dasharray=".12 .1"/>')
"""The picture of an empty place."""
HOLDER = "holder"
"""A cell that moves, so that it has no name of its own."""


class ChoiceShown(NamedTuple):
    """A choice beside the board."""

    name: str
    values: dict[str, str]
    chosen: str


def set_up_context(draft: Draft, chosen: str) -> dict[str, Any]:
    """Return what `set_up.html` shows; `chosen` is the piece in hand."""
    game, state = draft.game, draft.state
    scene = _scene(draft)
    setting = urlencode(AnalysisLine(game).setting)
    shown = board_shown(scene, action=f"/analyse/{game.id}/set-up", fields={"setting": setting, "draft": draft.text})
    tools = _tools(draft, scene, chosen)
    every = " ".join(f"tool-{tool.number}" for tool in tools)
    buttons = [button._replace(classes=f"{button.classes} {every}") for button in shown.buttons]
    return {
        "game": game,
        "options": changed_options(game),
        "board": shown._replace(tools=tools, buttons=buttons),
        "measures": measures(scene),
        "setting": setting,
        "draft": draft.text,
        "choices": [
            ChoiceShown(choice.name, dict(choice.values), value)
            for choice, value in zip(draft.setting_up.choices, draft.values, strict=True)
        ],
        "turns": any(sign.piece for sign in draft.setting_up.signs),
        "problem": draft.problem,
        "status": state.status if state else "",
        "link": AnalysisLine(game, draft.text).link if state else "",
    }


def _scene(draft: Draft) -> Scene:
    """Return the empty board with the pieces of the draft, where every cell is a target.

    Pieces beside the board, as those in hand, are where they are in the position with an empty board.
    """
    try:
        scene = draft.game.state(draft.emptied().text).scene()  # sliders stand as they were chosen
    except ConnectoeError:
        scene = draft.game.start.scene()
    cells = sorted(
        (cell for cell in scene.cells if cell.kind in draft.setting_up.cells), key=lambda cell: (cell.y, cell.x)
    )
    signs = {sign.letter: sign for sign in draft.setting_up.signs}
    on_board = {(sign.kind, sign.owner, sign.text) for letter in draft.signs if (sign := signs.get(letter))}
    scene.pieces[:] = [piece for piece in scene.pieces if (piece.kind, piece.owner, piece.text) not in on_board]
    scene.notes.clear()
    scene.targets.clear()
    scene.highlights[:] = [mark for mark in scene.highlights if mark.kind == "frame"]
    scene.mover, scene.status = None, ""
    for number, (cell, letter) in enumerate(zip(cells, draft.signs, strict=True)):
        sign = signs.get(letter)
        if sign:
            scene.pieces.append(_piece(sign, cell, number))
        left, top = cell.x - cell.size / 2, cell.y - cell.size / 2
        says = f"{_name(draft, cells, number)}: {sign.name if sign else 'empty'}"
        scene.targets.append(Target(str(number), left, top, cell.size, cell.size, "any", says))
    return scene


def _piece(sign: Sign, cell: Cell, number: int) -> Piece:
    text = sign.letter if sign.kind == "mark" else sign.text
    size = sign.size * cell.size
    return Piece(f"draft-{number}", cell.x, cell.y, sign.kind, sign.owner, text, sign.facing, size)


def _name(draft: Draft, cells: list[Cell], number: int) -> str:
    down, column = divmod(number, draft.columns)
    row = len(cells) // draft.columns - 1 - down
    if any(cell.kind == HOLDER for cell in cells):
        return f"row {row + 1}, place {column + 1}"
    return square_name(column, row)


def _tools(draft: Draft, scene: Scene, chosen: str) -> list[Tool]:
    """Return the pieces to choose from; pressing a place with nothing in hand empties it."""
    signs = {sign.in_hand: sign for sign in reversed(draft.setting_up.signs)}  # the first of those with one piece
    tools = [
        Tool(piece, number, True, piece == chosen, _icon(sign, scene), label=sign.piece or sign.name)
        for number, (piece, sign) in enumerate(reversed(signs.items()))
    ]
    return [*tools, Tool(EMPTY, len(tools), True, chosen == EMPTY, NOTHING, label="take away")]


def _icon(sign: Sign, scene: Scene) -> Markup:
    return Markup(piece_svg(_piece(sign._replace(size=1.0, facing=""), Cell(0, 0), 0)._replace(id="icon"), scene))
