"""A scene as an SVG picture.

Players differ in colour (orange and blue of the Okabe-Ito palette) and always in shape too: a cross and a ring. The
last move is marked by corners, drawn above all pieces so that nothing hides them. Winning pieces have a green
background and lie on a line that runs beneath them, so that it hides nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from math import hypot, inf
from typing import NamedTuple
from xml.sax.saxutils import escape, quoteattr

from connectoe.draw.pieces import PIECES, lettered, num
from connectoe.draw.theme import style_sheet
from connectoe.scene import Cell, Highlight, Label, Panel, Piece, Scene, Stroke

Bounds = tuple[float, float, float, float]
"""The left, top, right and bottom sides of a part of the plane."""
PANEL_NUMBER = re.compile('data-panel="[0-9]+" ')


def svg(scene: Scene, theme: str = "auto", caption: bool = True) -> str:
    """Return the scene as an SVG document, with its status and notes under the board unless `caption` is off."""
    still = _still_of(scene)
    left, top, right, bottom = _bounds(scene, still)
    words = [line for line in (scene.status, *scene.notes) if line] if caption else []
    cell = max(14.0, min(56.0, 760 / max(right - left, bottom - top)))
    text_size = 16 / cell
    width = max(right - left, max((len(line) * text_size * 0.62 for line in words), default=0))
    left -= (width - (right - left)) / 2
    body = list(_elements(scene, still))
    for number, line in enumerate(words):
        look = ' font-weight="bold"' if number == 0 else ' class="quiet"'
        y = bottom + text_size * (0.9 + 1.4 * number)
        body.append(
            f'<text x="{num(left + width / 2)}" y="{num(y)}" font-size="{num(text_size)}"{look}>{escape(line)}</text>'
        )
    height = bottom - top + (text_size * (0.6 + 1.4 * len(words)) if words else 0)
    view = f"{num(left)} {num(top)} {num(width)} {num(height)}"
    title = escape(" ".join([scene.status, *scene.notes]).strip() or "board")
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="connectoe" role="img" viewBox="{view}" '
        f'width="{num(width * cell)}" height="{num(height * cell)}"><title>{title}</title>'
        f"<style>{style_sheet(theme)}</style>"
        f'<rect class="f-paper" x="{num(left)}" y="{num(top)}" width="{num(width)}" height="{num(height)}" rx="0.2"/>'
        + "".join(body)
        + "</svg>\n"
    )


class Box(NamedTuple):
    """The part of the plane, in cells, that a picture shows.

    >>> import connectoe
    >>> box_of(connectoe.load("tic-tac-toe").start.scene())
    Box(x=-0.95, y=-0.35, width=4.3, height=4.3)
    """

    x: float
    y: float
    width: float
    height: float


def box_of(scene: Scene) -> Box:
    """Return the part of the plane that the picture of a scene shows, without a caption."""
    return _box(_bounds(scene, _still_of(scene)))


def _box(bounds: Bounds) -> Box:
    left, top, right, bottom = (round(side, 3) for side in bounds)
    return Box(left, top, round(right - left, 3), round(bottom - top, 3))


def inline_svg(scene: Scene) -> str:
    """Return the scene as an SVG element for a page that has the style sheet: no caption, hidden from screen readers.

    Pieces carry their id as `data-piece`, sliders the number of their panel as `data-panel`.
    """
    still = _still_of(scene)
    view = " ".join(map(num, _box(_bounds(scene, still))))
    layers = {
        "ground": "".join(_ground(scene, still, is_inline=True)),
        "pieces": "".join(piece_svg(piece, scene) for piece in scene.pieces),
        "over": "".join(_over(scene, still)),
    }
    return (
        f'<svg class="connectoe" viewBox="{view}" aria-hidden="true" focusable="false">'
        + "".join(f'<g class="{name}">{elements}</g>' for name, elements in layers.items())
        + "</svg>"
    )


def ground_svg(scene: Scene) -> str:
    """Return what lies under the pieces, as `inline_svg` draws it."""
    return "".join(_ground(scene, _still_of(scene), is_inline=True))


def piece_svg(piece: Piece, scene: Scene) -> str:
    """Return one piece, as `inline_svg` draws it."""
    return _piece(piece, _colour(piece, scene), _symbol(piece, scene), is_inline=True)


class Still(NamedTuple):
    """What stays the same from move to move, drawn: usually the whole board without its pieces."""

    bounds: Bounds
    panels: tuple[str, ...]
    squares: str
    """Cells that are not holes."""
    holes: str
    labels: str


def _still_of(scene: Scene) -> Still:
    return _still(tuple(scene.panels), tuple(scene.cells), tuple(scene.labels))


@lru_cache(maxsize=64)
def _still(panels: tuple[Panel, ...], cells: tuple[Cell, ...], labels: tuple[Label, ...]) -> Still:
    """Return these drawn; once for each board, since boards change seldom."""
    boxes = [(panel.x, panel.y, panel.x + panel.width, panel.y + panel.height) for panel in panels]
    boxes += [_square(cell.x, cell.y, cell.size) for cell in cells]
    for label in labels:
        half = 0.2 if label.kind == "coordinate" else 0.14 * len(label.text)
        boxes.append((label.x - half, label.y - 0.2, label.x + half, label.y + 0.2))
    return Still(
        _around(boxes),
        tuple(_panel(panel, number) for number, panel in enumerate(panels)),
        "".join(_cell(cell) for cell in cells if cell.kind != "hole"),
        "".join(_cell(cell) for cell in cells if cell.kind == "hole"),
        "".join(map(_label, labels)),
    )


def _square(x: float, y: float, size: float) -> Bounds:
    return x - size / 2, y - size / 2, x + size / 2, y + size / 2


def _around(boxes: Sequence[Bounds]) -> Bounds:
    """Return the bounds of several boxes; of none, what lies around them all."""
    return (
        min((box[0] for box in boxes), default=inf),
        min((box[1] for box in boxes), default=inf),
        max((box[2] for box in boxes), default=-inf),
        max((box[3] for box in boxes), default=-inf),
    )


def _bounds(scene: Scene, still: Still) -> Bounds:
    pieces = [_square(piece.x, piece.y, piece.size) for piece in scene.pieces]
    left, top, right, bottom = _around([still.bounds, *pieces])
    if left > right:
        return 0, 0, 1, 1
    margin = 0.35
    return left - margin, top - margin, right + margin, bottom + margin


def _elements(scene: Scene, still: Still) -> Iterator[str]:
    yield from _ground(scene, still)
    for piece in scene.pieces:
        yield _piece(piece, _colour(piece, scene), _symbol(piece, scene), is_inline=False)
    yield from _over(scene, still)


def _ground(scene: Scene, still: Still, is_inline: bool = False) -> Iterator[str]:
    """Yield what lies under the pieces."""
    for panel, drawn in zip(scene.panels, still.panels, strict=True):
        if panel.kind == "tray" and _is_empty(panel, scene):
            continue  # nothing to see, though the tray keeps its place
        yield drawn if is_inline else PANEL_NUMBER.sub("", drawn)
    yield still.squares
    for piece in scene.pieces:
        if piece.kind == "claim":
            yield _veil(piece)
    for highlight in sorted(scene.highlights, key=_layer):
        yield _highlight(highlight, scene)
    yield still.holes  # a hole shows through the colour of a highlight
    for stroke in scene.strokes:
        yield _stroke(stroke)


def _colour(piece: Piece, scene: Scene) -> str:
    return scene.colour(piece.owner) if piece.owner is not None else "quiet"


def _symbol(piece: Piece, scene: Scene) -> str:
    return scene.symbols[piece.owner] if piece.owner is not None else ""


@lru_cache(maxsize=8192)
def _piece(piece: Piece, colour: str, symbol: str, is_inline: bool) -> str:
    id_ = quoteattr(piece.id)
    names = f"data-piece={id_} data-kind={quoteattr(piece.kind)}" if is_inline else f"id={id_}"
    move = f"translate({num(piece.x)} {num(piece.y)})" + (f" scale({num(piece.size)})" if piece.size != 1 else "")
    shown = (piece.text or symbol).upper()
    is_lettered = piece.kind == "mark" and symbol != "" and shown not in ("X", "O")
    drawn = lettered(shown[0], colour) if is_lettered else PIECES[piece.kind](piece, colour)
    return f'<g {names} transform="{move}">{drawn}</g>'


def _over(scene: Scene, still: Still) -> Iterator[str]:
    """Yield what lies over the pieces."""
    for highlight in scene.highlights:
        if highlight.kind == "last":
            yield _corners(highlight)
    yield still.labels


def _panel(panel: Panel, number: int) -> str:
    grow, corner = {"board": (0.12, 0.18), "small": (0.06, 0.1), "slider": (0.08, 0.2), "tray": (0.04, 0.15)}[
        panel.kind
    ]
    fill = {"board": "board", "small": "small", "slider": "board", "tray": "outside"}[panel.kind]
    name = f'data-panel="{number}" ' if panel.kind == "slider" else ""
    return (
        f'<rect {name}class="f-{fill}" x="{num(panel.x - grow)}" y="{num(panel.y - grow)}" '
        f'width="{num(panel.width + 2 * grow)}" height="{num(panel.height + 2 * grow)}" rx="{corner}"/>'
    )


def _is_empty(tray: Panel, scene: Scene) -> bool:
    things = [(piece.x, piece.y) for piece in scene.pieces] + [(cell.x, cell.y) for cell in scene.cells]
    return not any(tray.x <= x <= tray.x + tray.width and tray.y <= y <= tray.y + tray.height for x, y in things)


def _cell(cell: Cell) -> str:
    x, y, size = cell.x, cell.y, cell.size
    if cell.kind == "gap":
        return ""
    if cell.kind == "hole":
        return f'<circle class="f-hole s-line" cx="{num(x)}" cy="{num(y)}" r="{num(size * 0.42)}" stroke-width="0.02"/>'
    half = size * 0.47
    fill = "square" if cell.kind == "square" else "outside"
    dashes = ' stroke-dasharray="0.08 0.06"' if cell.kind == "edge" else ""
    return (
        f'<rect class="f-{fill} s-line" x="{num(x - half)}" y="{num(y - half)}" width="{num(2 * half)}" '
        f'height="{num(2 * half)}" rx="{num(size * 0.08)}" stroke-width="0.02"{dashes}/>'
    )


def _veil(claim: Piece) -> str:
    """Return a layer that dims a finished board under the claim on it."""
    half = claim.size * 0.49
    return (
        f'<rect class="f-small" x="{num(claim.x - half)}" y="{num(claim.y - half)}" width="{num(2 * half)}" '
        f'height="{num(2 * half)}" rx="{num(claim.size * 0.03)}" opacity="0.82"/>'
    )


def _layer(mark: Highlight) -> tuple[bool, float, bool]:
    """Return the painting order: smaller tints over larger ones and, on the same cell, a win over the last move."""
    is_tint = mark.kind in ("last", "win", "owned")
    return not is_tint, -mark.width * mark.height, mark.kind == "win"


def _highlight(mark: Highlight, scene: Scene) -> str:
    inset = 0.03 if mark.kind in ("last", "win") else 0.0 if mark.kind == "forced" else -0.05
    place = (
        f'x="{num(mark.x + inset)}" y="{num(mark.y + inset)}" width="{num(mark.width - 2 * inset)}" '
        f'height="{num(mark.height - 2 * inset)}" rx="0.1"'
    )
    if mark.kind in ("last", "win"):
        is_one_cell = mark.width < 1.2 and mark.height < 1.2
        return f'<rect class="f-{mark.kind}" {place}' + ("/>" if is_one_cell else ' opacity="0.55"/>')
    if mark.owner is not None:
        return f'<rect class="f-{scene.colour(mark.owner)}" {place} opacity="0.2"/>'
    if mark.kind == "frame":
        return f'<rect class="n s-quiet" {place} stroke-width="0.09"/>'
    dashes = ' stroke-dasharray="0.2 0.12"' if mark.kind == "owed" else ""
    return f'<rect class="n s-forced" {place} stroke-width="0.09"{dashes}/>'


def _corners(mark: Highlight) -> str:
    """Return the four corners of a highlight; a larger highlight has larger corners."""
    scale = min(mark.width, mark.height) ** 0.5
    leg, inset = 0.22 * scale, 0.05
    left, top = mark.x + inset, mark.y + inset
    right, bottom = mark.x + mark.width - inset, mark.y + mark.height - inset
    path = "".join(
        f"M{num(x + dx)} {num(y)}H{num(x)}V{num(y + dy)}"
        for x, dx in ((left, leg), (right, -leg))
        for y, dy in ((top, leg), (bottom, -leg))
    )
    return f'<path class="n r s-corner" stroke-width="{num(0.07 * scale)}" d="{path}"/>'


def _stroke(stroke: Stroke) -> str:
    """Return a line that extends beyond the middles of the first and the last piece."""
    across, down = stroke.x2 - stroke.x1, stroke.y2 - stroke.y1
    beyond = 0.44 * stroke.size / (hypot(across, down) or 1)
    return (
        f'<line class="r s-ink" x1="{num(stroke.x1 - across * beyond)}" y1="{num(stroke.y1 - down * beyond)}" '
        f'x2="{num(stroke.x2 + across * beyond)}" y2="{num(stroke.y2 + down * beyond)}" '
        f'stroke-width="{num(0.09 * stroke.size**0.7)}"/>'
    )


def _label(label: Label) -> str:
    size = {"coordinate": 0.32, "note": 0.3, "name": 0.4, "title": 0.6}[label.kind]
    quiet = ' class="quiet"' if label.kind not in ("name", "title") else ""
    return f'<text x="{num(label.x)}" y="{num(label.y)}" font-size="{size}"{quiet}>{escape(label.text)}</text>'
