"""A board as HTML: a picture that nobody needs to see, and over it a real button for every move.

The picture is an SVG element hidden from screen readers; the buttons say in words what they do. All of them are in one
form, so that a board is played by mouse, finger, keyboard and screen reader alike, and without any script. Where a
place stands for several moves, a row of tools above the board says which of them its buttons mean; style sheets alone
show the buttons of the chosen one.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import Any, NamedTuple

from markupsafe import Markup

from connectoe.draw.svg import Box, box_of, inline_svg, piece_svg
from connectoe.match import Match
from connectoe.scene import Highlight, Piece, Scene, Target

WIDEST_WHOLE = 14.0
"""The cells across a board up to which a telephone shows all of it; of a wider one it shows the part that matters."""
SHOWN_ACROSS = 10.4
"""How many cells across it then shows: a 9x9 board with its margins."""
MOST_ANIMATED = 6
"""The moves up to which a page that has missed some is shown how they happened."""


class Tool(NamedTuple):
    """What a player takes in hand before choosing a place.

    >>> Tool("bomb", number=1, is_usable=False).name
    'bomb'
    """

    name: str
    number: int
    is_usable: bool


def tools_of(scene: Scene, known: Sequence[str] = ()) -> list[Tool]:
    """The tools to choose among: those the game knows, or those whose targets lie over each other; else none.

    >>> import connectoe
    >>> game = connectoe.load("connect-tac-toe")
    >>> [(tool.name, tool.is_usable) for tool in tools_of(game.start.scene(), game.tools)]
    [('disc', True), ('mark', False)]
    >>> tools_of(connectoe.load("shift-tac-toe").start.scene())
    []
    """
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


def changes(before: Sequence[Piece], after: Sequence[Piece], scene: Scene) -> dict[str, Any]:
    """What happens to the pieces between two pictures: `put` anew or with another look, `go` elsewhere, or `gone`.

    >>> import connectoe
    >>> match = connectoe.Match(connectoe.load("connect-four"))
    >>> match.play("d")
    >>> found = changes([], match.scene().pieces, match.scene())
    >>> list(found["put"]), found["go"], found["gone"]
    (['disc-d1'], {}, [])
    """
    old, new = {piece.id: piece for piece in before}, {piece.id: piece for piece in after}
    return {
        "put": {name: piece_svg(piece, scene) for name, piece in new.items() if _look(piece) != _look(old.get(name))},
        "go": {
            name: [round(piece.x, 3), round(piece.y, 3), piece.size]
            for name, piece in new.items()
            if name in old and _place(piece) != _place(old[name])
        },
        "gone": [name for name in old if name not in new],
    }


def _look(piece: Piece | None) -> tuple[object, ...] | None:
    return piece and (piece.kind, piece.owner, piece.text, piece.facing)


def _place(piece: Piece) -> tuple[float, float, float]:
    return piece.x, piece.y, piece.size


def happened(match: Match, since: int) -> list[dict[str, Any]]:
    """Everything that has happened on the board since so many moves, step by step; nothing if that is long ago.

    >>> import connectoe
    >>> match = connectoe.Match(connectoe.load("shift-tac-toe"))
    >>> for move in "119":
    ...     match.play(move)
    >>> [(step["go"], step["slide"]) for step in happened(match, since=2)]  # the row slides, then a piece falls
    [({'piece-a1-1': [-0.65, 2.5, 1.0]}, {'0': -1.15}), ({'piece-a2-2': [0.5, 2.5, 1.0]}, {})]
    """
    if not 0 <= since < match.ply or match.ply - since > MOST_ANIMATED:
        return []
    steps = []
    scene = match.scene(since)
    for ply in range(since + 1, match.ply + 1):
        pieces, panels = scene.pieces, scene.panels
        scene = match.scene(ply)
        slid = {
            str(number): round(panel.x - was.x, 3)
            for number, (was, panel) in enumerate(zip(panels, scene.panels, strict=False))
            if panel.kind == "slider" and panel.x != was.x
        }
        for stage in match.stages(ply):
            steps.append(changes(pieces, stage, scene) | {"slide": slid})
            pieces, slid = stage, {}
    return steps


def preview(match: Match, move: str) -> dict[str, Any]:
    """What a move would do to the pieces; nothing if it cannot be played.

    >>> import connectoe
    >>> match = connectoe.Match(connectoe.load("connect-four"))
    >>> list(preview(match, "d")["put"])
    ['disc-d1']
    """
    before = match.scene()
    if move not in match.legal_moves():  # somebody has moved meanwhile
        return changes(before.pieces, before.pieces, before)
    after = match.copy()
    after.play(move)
    scene = after.scene()
    return changes(before.pieces, scene.pieces, scene)


def board(
    scene: Scene,
    *,
    action: str = "",
    fields: Mapping[str, object] | None = None,
    tools: Sequence[str] = (),
    may_move: bool = True,
    steps: Sequence[Mapping[str, Any]] = (),
    hint: str = "",
    tool: str = "",
    waiting: int | None = None,
) -> Markup:
    """A board: its picture, and if the viewer may move, a form with a button for each target.

    `tool` is what the player had in hand before, and keeps if it can be used. `waiting` is a player who is shown tools
    without being able to take them, so that the board is where it is when it is that player's turn.

    >>> import connectoe
    >>> page = board(connectoe.load("tic-tac-toe").start.scene(), action="/matches/m/move", fields={"ply": 0})
    >>> page.count("<button"), 'aria-label="put your mark on b2"' in page
    (9, True)
    """
    box = box_of(scene)
    targets = scene.targets if may_move else []
    chosen = tools_of(scene, tools) if targets or waiting is not None else []
    if not targets:
        chosen = [row._replace(is_usable=False) for row in chosen]
    hidden = Markup("").join(
        Markup('<input type="hidden" name="{}" value="{}">').format(name, value)
        for name, value in (fields or {}).items()
    )
    buttons = Markup("").join(_button(target, box, chosen, scene, is_hint=target.move == hint) for target in targets)
    zoom = _zoom(scene, box)
    is_wide = box.width > WIDEST_WHOLE
    look = _shape(box) + (f";{zoom}" if zoom else "")
    kind = "board" + (" wide" if is_wide else "") + (" forced" if zoom else "") + (" flat" if _is_flat(scene) else "")
    whole = (
        Markup(
            '<p class="whole"><input type="checkbox" id="whole"{}><label for="whole">show the whole board</label></p>'
        ).format("" if scene.targets else Markup(" checked"))  # at the end, one wants to see all of it
        if is_wide
        else ""
    )
    return Markup(
        '<div class="{kind}" id="board" style="{look}"{steps}>'
        '<form class="plays" method="post" action="{action}" aria-label="the board">{hidden}{tools}{whole}'
        '<div class="window" tabindex="{order}"><div class="stage">{picture}<div class="targets">{buttons}</div>'
        "</div></div></form></div>"
    ).format(
        kind=kind,
        look=look,
        steps=Markup(' data-steps="{}"').format(json.dumps(steps)) if steps else "",
        action=action,
        hidden=hidden,
        tools=_tool_row(chosen, scene, tool, _mover(scene) if targets else waiting or 0),
        whole=whole,
        picture=Markup(inline_svg(scene)),
        buttons=buttons,
        order=-1 if targets else 0,  # a board without buttons is scrolled with the keys, too
    )


def measures(scene: Scene) -> str:
    """The shape of a board as CSS variables: how wide it is for its height, and how many cells there are across.

    >>> import connectoe
    >>> measures(connectoe.load("tic-tac-toe").start.scene())
    '--ratio:1.0;--across:4.3'
    """
    return _shape(box_of(scene))


def _shape(box: Box) -> str:
    return f"--ratio:{round(box.width / box.height, 4)};--across:{round(box.width, 2)}"


def _is_bare(target: Target, scene: Scene) -> bool:
    """Whether a target lies beside the board, where nothing but a label shows that something can be pressed."""
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
    """Of a target that begins above the board, at a label, the share that lies there."""
    middle = target.x + target.width / 2
    tops = [panel.y for panel in scene.panels if panel.kind != "tray" and panel.x < middle < panel.x + panel.width]
    above = min(tops, default=target.y) - target.y
    return (above - 0.3) / target.height if above > 0.5 else 0.0


def _button(target: Target, box: Box, tools: Sequence[Tool], scene: Scene, *, is_hint: bool) -> Markup:
    place = ";".join(
        f"{side}:{round(100 * share, 3)}%"
        for side, share in (
            ("left", (target.x - box.x) / box.width),
            ("top", (target.y - box.y) / box.height),
            ("width", target.width / box.width),
            ("height", target.height / box.height),
        )
    )
    number = next((tool.number for tool in tools if tool.name == target.tool), None)
    kinds = [f"tool-{number}"] if number is not None else []
    is_bare, head = _is_bare(target, scene), _head(target, scene)
    kinds += ["bare"] * is_bare + ["headed"] * (head > 0 and not is_bare) + ["hint"] * is_hint
    if "headed" in kinds:
        place += f";--head:{round(100 * head, 3)}%"
    return Markup(
        '<button name="move" value="{move}" id="play-{move}" class="{kind}" style="{place}" '
        'aria-label="{says}"></button>'
    ).format(move=target.move, kind=" ".join(kinds), place=place, says=target.says)


def _tool_row(tools: Sequence[Tool], scene: Scene, in_hand: str, owner: int) -> Markup:
    if not tools:
        return Markup("")
    usable = {tool.name: tool.number for tool in tools if tool.is_usable}
    first = usable.get(in_hand, next(iter(usable.values()), None))
    rows = Markup("").join(
        Markup(
            '<span class="tool"><input type="radio" name="tool" id="tool-{number}" value="{name}"{checked}{disabled}>'
            '<label for="tool-{number}">{icon}<span>{name}</span></label></span>'
        ).format(
            number=tool.number,
            name=tool.name,
            checked=Markup(" checked") if tool.number == first else "",
            disabled="" if tool.is_usable else Markup(" disabled"),
            icon=_icon(tool.name, scene, owner),
        )
        for tool in tools
    )
    is_over = not scene.targets
    return Markup('<fieldset class="tools{}"><legend>Play with</legend>{}</fieldset>').format(
        " put-away" if is_over else "", rows
    )


def _mover(scene: Scene) -> int:
    return next((owner for owner, symbol in enumerate(scene.symbols) if scene.status.startswith(f"{symbol} ")), 0)


def _icon(tool: str, scene: Scene, owner: int) -> Markup:
    """A small picture of a tool, if it is called like a kind of piece."""
    kind, _, number = tool.partition(" ")
    kinds = {"disc": "disc", "mark": "mark", "bomb": "bomb", "piece": "numbered"}
    if kind not in kinds:
        return Markup("")
    piece = Piece("icon", 0, 0, kinds[kind], owner, number)
    return Markup(
        f'<svg class="connectoe icon" viewBox="-.5 -.5 1 1" aria-hidden="true">{piece_svg(piece, scene)}</svg>'
    )


def _is_flat(scene: Scene) -> bool:
    """Whether the board lies on the table, so that the other player sees it turned round; else it stands."""
    return not any(cell.kind in ("hole", "holder") for cell in scene.cells)


def _zoom(scene: Scene, box: Box) -> str:
    """Where a telephone looks on a wide board: where the player must move."""
    forced = [mark for mark in scene.highlights if mark.kind == "forced"]
    if box.width <= WIDEST_WHOLE or len(forced) != 1:
        return ""
    part = _part_around(forced[0], scene)
    scale = min(box.width / part.width, box.height / part.height)
    across, down = box.width / scale, box.height / scale
    x = min(max(part.x + part.width / 2 - across / 2 - box.x, 0), box.width - across)
    y = min(max(part.y + part.height / 2 - down / 2 - box.y, 0), box.height - down)
    shares = -100 * x / box.width, -100 * y / box.height
    return f"--zoom:{round(scale, 3)};--left:{round(shares[0], 3)}%;--top:{round(shares[1], 3)}%"


def _part_around(mark: Highlight, scene: Scene) -> Box:
    """The board under a highlight with the title above it; of a board without a title, what fits a telephone."""
    for label in scene.labels:
        for panel in scene.panels:
            is_over = panel.x <= label.x <= panel.x + panel.width and 0 < panel.y - label.y < 1
            is_around = panel.x <= mark.x < panel.x + panel.width and panel.y <= mark.y < panel.y + panel.height
            if label.kind == "title" and is_over and is_around:
                return Box(panel.x, label.y - 0.4, panel.width, panel.y + panel.height - label.y + 0.55)
    size = max(SHOWN_ACROSS, mark.width + 1)
    return Box(mark.x + (mark.width - size) / 2, mark.y + (mark.height - size) / 2, size, size)
