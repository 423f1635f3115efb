"""A board for a page: a picture, and over it a real button for every move. `_board.html` makes HTML of it.

The picture is an SVG element hidden from screen readers; the buttons say in words what they do. All of them are in one
form, so that a board can be played by mouse, finger, keyboard and screen reader, and without any script. Where a place
stands for several moves, a row of tools above the board says which of them its buttons mean; style sheets alone show
the buttons of the chosen one.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import combinations
from typing import Any, NamedTuple

from markupsafe import Markup

from connectoe.draw.pieces import PIECES
from connectoe.draw.svg import Box, box_of, inline_svg, piece_svg
from connectoe.scene import Highlight, Piece, Place, Scene, Target

WIDEST_WHOLE = 14.0
"""The widest board, in cells, of which a phone shows everything; of a wider one it shows the part that matters."""
SHOWN_ACROSS = 10.4
"""How many cells across a phone then shows: a 9x9 board with its margins."""
TOOL_PICTURES = {"disc": "disc", "mark": "mark", "bomb": "bomb", "piece": "numbered"}
"""The kind of piece that pictures a tool, by the first word of the tool's name."""


class Tool(NamedTuple):
    """What a player takes in hand before choosing a place."""

    name: str
    number: int
    is_usable: bool
    is_chosen: bool = False
    icon: Markup = Markup("")
    label: str = ""
    """What it is called for people, if that is not its name."""
    refused: Target | None = None
    """A move with it, if the rules allow none of them now; it says why."""


class Button(NamedTuple):
    """A place to play, and the move that it stands for."""

    move: str
    words: str
    classes: str
    style: str
    sign: str = ""
    """What is shown on it, if it is the place of a second press."""


class FirstPress(NamedTuple):
    """A place to press first, and the places that a second press may be on."""

    words: str
    classes: str
    style: str
    buttons: Sequence[Button]


class BoardShown(NamedTuple):
    """What `_board.html` shows."""

    classes: str
    style: str
    steps: str
    """The animation that leads to the picture, as JSON; empty if there is none."""
    action: str
    fields: Mapping[str, object]
    tools: Sequence[Tool]
    is_over: bool
    is_wide: bool
    picture: Markup
    buttons: Sequence[Button]
    firsts: Sequence[FirstPress]
    """Moves of two presses, by the first."""
    refusals: Sequence[Button]
    """Places that stand for no legal move now; their words say why."""
    otherwise: str
    """The answer to a press anywhere else."""


def tools_of(scene: Scene, known: Sequence[str] = ()) -> list[Tool]:
    """Return the tools to choose from: those the game names, or those whose targets overlap; else none."""
    usable = list(dict.fromkeys(target.tool for target in scene.targets))
    if not known and not any(_overlap(*pair) for pair in combinations(scene.targets[:200], 2) if _differ(*pair)):
        return []
    names = [*known, *(name for name in usable if name not in known)]
    return [Tool(name, number, name in usable) for number, name in enumerate(names)]


def _differ(one: Target, other: Target) -> bool:
    return one.tool != other.tool


def _overlap(one: Target, other: Target) -> bool:
    return (
        one.x < other.x + other.width
        and other.x < one.x + one.width
        and one.y < other.y + other.height
        and other.y < one.y + one.height
    )


def board_shown(
    scene: Scene,
    *,
    action: str = "",
    fields: Mapping[str, object] | None = None,
    tools: Sequence[str] = (),
    pictures: Mapping[str, str] | None = None,
    may_move: bool = True,
    steps: Sequence[Mapping[str, Any]] | str = (),
    hint: str = "",
    waiting: int | None = None,
    refusals: Sequence[Target] = (),
    otherwise: str = "",
    picture: Markup | None = None,
    near: str = "forced",
) -> BoardShown:
    """Return a board: its picture, and a button for each target, and for each refusal, if the viewer may move.

    `waiting` is a player who is shown the tools without being able to take them, so that the board stays in its place
    when the turn comes. `picture` is that of the scene, if it has been drawn. On a phone, a wide board is shown near
    the highlights of the kind `near`.
    """
    box = box_of(scene)
    targets = scene.targets if may_move else []
    row = tools_of(scene, tools) if targets or waiting is not None else []
    if not targets:
        row = [one._replace(is_usable=False) for one in row]
    elif refusals:
        row = [one if one.is_usable else one._replace(refused=_why_refused(one, refusals)) for one in row]
    zoom = _zoom(scene, box, near)
    is_wide = box.width > WIDEST_WHOLE
    kinds = {"wide": is_wide, "forced": bool(zoom), "flat": _is_flat(scene)}
    return BoardShown(
        classes=" ".join(["board", *(kind for kind, holds in kinds.items() if holds)]),
        style=_shape(box) + (f";{zoom}" if zoom else ""),
        steps=steps_text(steps) if not isinstance(steps, str) else steps,
        action=action,
        fields=fields or {},
        tools=_pictured(row, scene, (scene.mover if targets else waiting) or 0, pictures or {}),
        is_over=not scene.targets,
        is_wide=is_wide,
        picture=Markup(inline_svg(scene)) if picture is None else picture,
        buttons=[
            _button(target, box, row, scene, is_hint=target.move == hint) for target in targets if not target.first
        ],
        firsts=_firsts(targets, box, row, scene, hint),
        refusals=[_refusal(place, box, row) for place in refusals if targets and _is_in_reach(place, row)],
        otherwise=_sentence(otherwise),
    )


def steps_text(steps: Sequence[Mapping[str, Any]]) -> str:
    """Return an animation as a page gets it."""
    return json.dumps(steps) if steps else ""


def measures(scene: Scene) -> str:
    """Return the shape of a board as CSS variables: its width for its height, and the cells across."""
    return _shape(box_of(scene))


def _shape(box: Box) -> str:
    return f"--ratio:{round(box.width / box.height, 4)};--across:{round(box.width, 2)}"


def _is_bare(target: Target, scene: Scene) -> bool:
    """Whether a target lies beside the board, where only a label shows that it can be pressed."""
    return not any(
        panel.x <= target.x + target.width / 2 <= panel.x + panel.width
        and panel.y <= target.y + target.height / 2 <= panel.y + panel.height
        for panel in scene.panels
    ) and not any(
        cell.kind != "gap"
        and abs(cell.x - target.x - target.width / 2) < target.width / 2
        and abs(cell.y - target.y - target.height / 2) < target.height / 2
        for cell in scene.cells
    )


def _head(target: Target, scene: Scene) -> float:
    """Return the share of a target that lies above the board, if it begins at a label there and reaches the board."""
    middle = target.x + target.width / 2
    tops = [panel.y for panel in scene.panels if panel.kind != "tray" and panel.x < middle < panel.x + panel.width]
    above = min(tops, default=target.y) - target.y
    return (above - 0.3) / target.height if 0.5 < above < target.height else 0.0


def _is_in_reach(place: Target, tools: Sequence[Tool]) -> bool:
    """Whether a place can be pressed: its tool, if there are any, can be taken in hand."""
    return not tools or any(tool.is_usable and tool.name == place.tool for tool in tools)


def _why_refused(tool: Tool, refusals: Sequence[Target]) -> Target | None:
    """Return a move with a tool that cannot be used now, with the reason as a sentence."""
    return next((place._replace(says=_sentence(place.says)) for place in refusals if place.tool == tool.name), None)


def _sentence(words: str) -> str:
    return f"{words[:1].upper()}{words[1:].removesuffix('.')}." if words else ""


def _refusal(place: Target, box: Box, tools: Sequence[Tool]) -> Button:
    return Button(place.move, _sentence(place.says), " ".join(_tool_classes(place, tools)), _style(place[1:5], box))


def _tool_classes(target: Target, tools: Sequence[Tool]) -> list[str]:
    return [f"tool-{tool.number}" for tool in tools if tool.name == target.tool]


@lru_cache(maxsize=8192)
def _style(place: tuple[float, float, float, float], box: Box) -> str:
    """Return where a place lies over the picture."""
    x, y, width, height = place
    return ";".join(
        f"{side}:{round(100 * share, 3)}%"
        for side, share in (
            ("left", (x - box.x) / box.width),
            ("top", (y - box.y) / box.height),
            ("width", width / box.width),
            ("height", height / box.height),
        )
    )


def _button(target: Target, box: Box, tools: Sequence[Tool], scene: Scene, *, is_hint: bool) -> Button:
    style, classes = _style(target[1:5], box), _tool_classes(target, tools)
    is_bare, head = _is_bare(target, scene), _head(target, scene)
    classes += ["bare"] * is_bare + ["headed"] * (head > 0 and not is_bare) + ["hint"] * is_hint
    if "headed" in classes:
        style += f";--head:{round(100 * head, 3)}%"
    return Button(target.move, target.says, " ".join(classes), style, target.sign)


def _firsts(targets: Sequence[Target], box: Box, tools: Sequence[Tool], scene: Scene, hint: str) -> list[FirstPress]:
    """Return the moves of two presses, by their first press and tool."""
    groups: dict[tuple[Place, str], list[Target]] = {}
    for target in targets:
        if target.first:
            groups.setdefault((target.first, target.tool), []).append(target)
    firsts = []
    for (place, _), group in groups.items():
        classes = _tool_classes(group[0], tools) + ["hint"] * any(target.move == hint for target in group)
        buttons = [_button(target, box, tools, scene, is_hint=target.move == hint) for target in group]
        firsts.append(FirstPress(place.says, " ".join(["first", *classes]), _style(place[:4], box), buttons))
    return firsts


def _pictured(tools: Sequence[Tool], scene: Scene, owner: int, pictures: Mapping[str, str]) -> list[Tool]:
    """Return the tools with their icons; each turn begins with the first that can be used."""
    chosen = next((tool.number for tool in tools if tool.is_usable), None)
    icons = [_icon(pictures.get(tool.name) or _usual_picture(tool.name), scene, owner) for tool in tools]
    return [tool._replace(is_chosen=tool.number == chosen, icon=icon) for tool, icon in zip(tools, icons, strict=True)]


def _usual_picture(tool: str) -> str:
    """Return what pictures a tool that is named like a kind of piece."""
    kind, _, number = tool.partition(" ")
    return f"{TOOL_PICTURES[kind]} {number}" if kind in TOOL_PICTURES else ""


def _icon(picture: str, scene: Scene, owner: int) -> Markup:
    """Return the piece that a picture names: its kind, and perhaps its text."""
    kind, _, text = picture.partition(" ")
    if kind == "mark" and text in ("X", "O"):  # a cross or ring that belongs to nobody
        owner = "XO".index(text)
    return Markup(piece_svg(Piece("icon", 0, 0, kind, owner, text), scene)) if kind in PIECES else Markup("")


def _is_flat(scene: Scene) -> bool:
    """Whether the board lies on the table, so that the other player sees it turned round; else it stands upright."""
    return not any(cell.kind in ("hole", "holder") for cell in scene.cells)


def _zoom(scene: Scene, box: Box, near: str) -> str:
    """Return the part of a wide board that a phone shows, as CSS variables: where all highlights of a kind are."""
    parts = {_part_around(mark, scene) for mark in scene.highlights if mark.kind == near}
    if box.width <= WIDEST_WHOLE or len(parts) != 1:
        return ""
    part = parts.pop()
    scale = min(box.width / part.width, box.height / part.height)
    across, down = box.width / scale, box.height / scale
    x = min(max(part.x + part.width / 2 - across / 2 - box.x, 0), box.width - across)
    y = min(max(part.y + part.height / 2 - down / 2 - box.y, 0), box.height - down)
    shares = -100 * x / box.width, -100 * y / box.height
    return f"--zoom:{round(scale, 3)};--left:{round(shares[0], 3)}%;--top:{round(shares[1], 3)}%"


def _part_around(mark: Highlight, scene: Scene) -> Box:
    """Return the board under a highlight with the title above it; of a board without a title, what fits a phone."""
    for label in [label for label in scene.labels if label.kind == "title"]:
        for panel in scene.panels:
            is_over = panel.x <= label.x <= panel.x + panel.width and 0 < panel.y - label.y < 1
            is_around = panel.x <= mark.x < panel.x + panel.width and panel.y <= mark.y < panel.y + panel.height
            if is_over and is_around:
                return Box(panel.x, label.y - 0.4, panel.width, panel.y + panel.height - label.y + 0.55)
    size = max(SHOWN_ACROSS, mark.width + 1)
    return Box(mark.x + (mark.width - size) / 2, mark.y + (mark.height - size) / 2, size, size)
