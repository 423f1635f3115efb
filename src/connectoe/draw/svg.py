"""A scene as an SVG picture, in light and dark colours that people who see colours differently can tell apart.

Players differ in colour (orange and blue of the Okabe-Ito palette) and always in shape too: a cross and a ring. The
last move stands within corners, drawn above all pieces so that nothing hides them; winning pieces lie on green, on a
line that runs beneath them so that it hides nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from math import hypot
from typing import NamedTuple
from xml.sax.saxutils import escape

from connectoe.errors import ConnectoeError
from connectoe.scene import Cell, Highlight, Label, Panel, Piece, Scene, Stroke

LIGHT = {
    "paper": "#fbfaf7",
    "board": "#e6dfd1",
    "small": "#efe9dd",
    "square": "#fffdf8",
    "hole": "#fbfaf7",
    "outside": "#f3efe6",
    "line": "#b7ad9a",
    "ink": "#2b2a27",
    "quiet": "#6f685b",
    "orange": "#c74e00",
    "blue": "#0067a5",
    "on": "#ffffff",
    "last": "#ffd968",
    "corner": "#7a5c00",
    "win": "#9fe0c2",
    "forced": "#00846a",
    "green": "#009e73",
    "yellow": "#f0d21e",
    "red": "#cc3311",
    "gold": "#c99700",
}
DARK = {
    "paper": "#16181d",
    "board": "#353b48",
    "small": "#2c313c",
    "square": "#1f232b",
    "hole": "#16181d",
    "outside": "#262b34",
    "line": "#5a6272",
    "ink": "#ece8df",
    "quiet": "#a9a496",
    "orange": "#ff8a3d",
    "blue": "#5cb8f5",
    "on": "#10131a",
    "last": "#5e490c",
    "corner": "#ffd968",
    "win": "#185f45",
    "forced": "#3fd6b0",
    "green": "#2fc79a",
    "yellow": "#f5e04e",
    "red": "#ff6a4d",
    "gold": "#f0c040",
}
THEMES = {"light": LIGHT, "dark": DARK}
MOST_PIXELS = 100_000_000
"""The largest PNG that is drawn."""


def _styles(colours: dict[str, str]) -> str:
    fills = "".join(f".f-{name}{{fill:{value}}}.s-{name}{{stroke:{value}}}" for name, value in colours.items())
    return f".connectoe text{{fill:{colours['ink']}}}.connectoe text.quiet{{fill:{colours['quiet']}}}" + "".join(
        f".connectoe {rule}}}" for rule in fills.split("}") if rule
    )


def style_sheet(theme: str = "auto") -> str:
    """The colours as CSS: of one theme, or of both with the viewer's system choosing.

    >>> "prefers-color-scheme" in style_sheet("auto"), "prefers-color-scheme" in style_sheet("dark")
    (True, False)
    """
    common = (
        ".connectoe{font-family:'DejaVu Sans','Segoe UI',system-ui,sans-serif}"
        ".connectoe text{text-anchor:middle;dominant-baseline:central}"
        ".connectoe .n{fill:none}.connectoe .r{stroke-linecap:round;stroke-linejoin:round}"
    )
    if theme == "auto":
        return common + _styles(LIGHT) + "@media (prefers-color-scheme:dark){" + _styles(DARK) + "}"
    if theme not in THEMES:
        raise ConnectoeError(f"there is no theme {theme[:20]!r}: themes are auto, light and dark")
    return common + _styles(THEMES[theme])


def colour_names() -> str:
    """The colours as CSS variables, `--paper` and so on, in both themes with the viewer's system choosing.

    >>> colour_names()[:40]
    ':root{--paper:#fbfaf7;--board:#e6dfd1;--'
    """
    light, dark = ("".join(f"--{name}:{value};" for name, value in colours.items()) for colours in (LIGHT, DARK))
    return f":root{{{light}}}@media (prefers-color-scheme:dark){{:root{{{dark}}}}}"


def svg(scene: Scene, theme: str = "auto", caption: bool = True) -> str:
    """The scene as an SVG document; with its status and notes under the board unless `caption` is off.

    >>> import connectoe
    >>> picture = svg(connectoe.load("tic-tac-toe").start.play("b2").scene())
    >>> picture.startswith("<svg") and "O to move" in picture
    True
    """
    left, top, right, bottom = _bounds(scene)
    words = [scene.status, *scene.notes] if caption else []
    words = [line for line in words if line]
    cell = max(14.0, min(56.0, 760 / max(right - left, bottom - top)))
    text_size = 16 / cell
    width = max(right - left, max((len(line) * text_size * 0.62 for line in words), default=0))
    left -= (width - (right - left)) / 2
    body = list(_elements(scene))
    for number, line in enumerate(words):
        look = ' font-weight="bold"' if number == 0 else ' class="quiet"'
        y = bottom + text_size * (0.9 + 1.4 * number)
        body.append(
            f'<text x="{_n(left + width / 2)}" y="{_n(y)}" font-size="{_n(text_size)}"{look}>{escape(line)}</text>'
        )
    height = bottom - top + (text_size * (0.6 + 1.4 * len(words)) if words else 0)
    view = f"{_n(left)} {_n(top)} {_n(width)} {_n(height)}"
    title = escape(" ".join([scene.status, *scene.notes]).strip() or "board")
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="connectoe" role="img" viewBox="{view}" '
        f'width="{_n(width * cell)}" height="{_n(height * cell)}"><title>{title}</title>'
        f"<style>{style_sheet(theme)}</style>"
        f'<rect class="f-paper" x="{_n(left)}" y="{_n(top)}" width="{_n(width)}" height="{_n(height)}" rx="0.2"/>'
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
    """What the picture of a scene shows, without words under it.

    >>> import connectoe
    >>> box_of(connectoe.load("connect-four").start.scene()).width
    8.3
    """
    left, top, right, bottom = (round(side, 3) for side in _bounds(scene))
    return Box(left, top, round(right - left, 3), round(bottom - top, 3))


def inline_svg(scene: Scene) -> str:
    """The scene as an SVG element within a page that has the style sheet: hidden from screen readers, without words.

    Pieces are found by `data-piece`, their id; sliders by `data-panel`, the number of their panel.

    >>> import connectoe
    >>> picture = inline_svg(connectoe.load("tic-tac-toe").start.play("b2").scene())
    >>> 'aria-hidden="true"' in picture, 'data-piece="mark-b2"' in picture, "<style" in picture
    (True, True, False)
    """
    view = " ".join(map(_n, box_of(scene)))
    layers = {"ground": ground_svg(scene), "pieces": "".join(_pieces(scene)), "over": "".join(_over(scene))}
    return (
        f'<svg class="connectoe" viewBox="{view}" aria-hidden="true" focusable="false">'
        + "".join(f'<g class="{name}">{elements}</g>' for name, elements in layers.items())
        + "</svg>"
    )


def ground_svg(scene: Scene) -> str:
    """What lies under the pieces, as it is within `inline_svg`.

    >>> import connectoe
    >>> ground_svg(connectoe.load("shift-tac-toe").start.scene())[:40]
    '<rect data-panel="0" class="f-board" x="'
    """
    return "".join(_ground(scene, is_inline=True))


def piece_svg(piece: Piece, scene: Scene) -> str:
    """One piece, as it is within `inline_svg`.

    >>> import connectoe
    >>> scene = connectoe.load("tic-tac-toe").start.play("b2").scene()
    >>> piece_svg(scene.pieces[0], scene)
    '<g data-piece="mark-b2" ... transform="translate(1.5 1.5)"><path class="n r s-orange" ...</g>'
    """
    return _piece(piece, scene, f'data-piece="{escape(piece.id)}" data-kind="{escape(piece.kind)}"')


def png(scene: Scene, theme: str = "light", width: int | None = None) -> bytes:
    """The scene as a PNG picture; needs the extra `connectoe[png]`.

    >>> import connectoe
    >>> png(connectoe.load("tic-tac-toe").start.scene(), theme="dark")[:4]
    b'\\x89PNG'
    """
    try:
        import resvg_py
    except ImportError:
        raise ConnectoeError("PNG pictures need one more package: pip install 'connectoe[png]'") from None
    picture = svg(scene, "light" if theme == "auto" else theme)
    if width:
        *_, across, down = (float(number) for number in picture.split('viewBox="')[1].split('"')[0].split())
        height = round(width * down / across)
        if width * height > MOST_PIXELS:
            raise ConnectoeError(f"a picture of {width}x{height} pixels is too large: choose a smaller width")
    return bytes(resvg_py.svg_to_bytes(svg_string=picture, width=width, zoom=None if width else 2))


def _bounds(scene: Scene) -> tuple[float, float, float, float]:
    boxes = [(panel.x, panel.y, panel.x + panel.width, panel.y + panel.height) for panel in scene.panels]
    boxes += [
        (cell.x - cell.size / 2, cell.y - cell.size / 2, cell.x + cell.size / 2, cell.y + cell.size / 2)
        for cell in scene.cells
    ]
    boxes += [
        (
            piece.x - piece.size / 2,
            piece.y - piece.size / 2,
            piece.x + piece.size / 2,
            piece.y + piece.size / 2,
        )
        for piece in scene.pieces
    ]
    for label in scene.labels:
        half = 0.2 if label.kind == "coordinate" else 0.14 * len(label.text)
        boxes.append((label.x - half, label.y - 0.2, label.x + half, label.y + 0.2))
    if not boxes:
        return 0, 0, 1, 1
    margin = 0.35
    return (
        min(box[0] for box in boxes) - margin,
        min(box[1] for box in boxes) - margin,
        max(box[2] for box in boxes) + margin,
        max(box[3] for box in boxes) + margin,
    )


def _n(value: float) -> str:
    return f"{value:.3f}".rstrip("0").rstrip(".")


def _elements(scene: Scene) -> Iterator[str]:
    yield from _ground(scene)
    for piece in scene.pieces:
        yield _piece(piece, scene, f'id="{escape(piece.id)}"')
    yield from _over(scene)


def _ground(scene: Scene, is_inline: bool = False) -> Iterator[str]:
    """What lies under the pieces."""
    for number, panel in enumerate(scene.panels):
        if panel.kind == "tray" and _is_empty(panel, scene):
            continue  # it keeps its place, and there is nothing to see
        yield _panel(panel, number if is_inline and panel.kind == "slider" else None)
    for cell in scene.cells:
        if cell.kind != "hole":
            yield _cell(cell)
    for piece in scene.pieces:
        if piece.kind == "claim":
            yield _veil(piece)
    for highlight in sorted(scene.highlights, key=_layer):
        yield _highlight(highlight, scene)
    for cell in scene.cells:
        if cell.kind == "hole":  # a hole shows through the colour of a highlight
            yield _cell(cell)
    for stroke in scene.strokes:
        yield _stroke(stroke)


def _pieces(scene: Scene) -> Iterator[str]:
    for piece in scene.pieces:
        yield piece_svg(piece, scene)


def _piece(piece: Piece, scene: Scene, names: str) -> str:
    colour = scene.colour(piece.owner) if piece.owner is not None else "quiet"
    move = f"translate({_n(piece.x)} {_n(piece.y)})" + (f" scale({_n(piece.size)})" if piece.size != 1 else "")
    return f'<g {names} transform="{move}">{PIECES[piece.kind](piece, colour)}</g>'


def _over(scene: Scene) -> Iterator[str]:
    """What lies over the pieces."""
    for highlight in scene.highlights:
        if highlight.kind == "last":
            yield _corners(highlight)
    for label in scene.labels:
        yield _label(label)


def _panel(panel: Panel, number: int | None) -> str:
    grow, corner = {"board": (0.12, 0.18), "small": (0.06, 0.1), "slider": (0.08, 0.2), "tray": (0.04, 0.15)}[
        panel.kind
    ]
    fill = {"board": "board", "small": "small", "slider": "board", "tray": "outside"}[panel.kind]
    name = "" if number is None else f'data-panel="{number}" '
    return (
        f'<rect {name}class="f-{fill}" x="{_n(panel.x - grow)}" y="{_n(panel.y - grow)}" '
        f'width="{_n(panel.width + 2 * grow)}" height="{_n(panel.height + 2 * grow)}" rx="{corner}"/>'
    )


def _is_empty(tray: Panel, scene: Scene) -> bool:
    things = [(piece.x, piece.y) for piece in scene.pieces] + [(cell.x, cell.y) for cell in scene.cells]
    return not any(tray.x <= x <= tray.x + tray.width and tray.y <= y <= tray.y + tray.height for x, y in things)


def _cell(cell: Cell) -> str:
    x, y, size = cell.x, cell.y, cell.size
    if cell.kind == "gap":
        return ""
    if cell.kind == "hole":
        return f'<circle class="f-hole s-line" cx="{_n(x)}" cy="{_n(y)}" r="{_n(size * 0.42)}" stroke-width="0.02"/>'
    half = size * 0.47
    fill = "square" if cell.kind == "square" else "outside"
    dashes = ' stroke-dasharray="0.08 0.06"' if cell.kind == "edge" else ""
    return (
        f'<rect class="f-{fill} s-line" x="{_n(x - half)}" y="{_n(y - half)}" width="{_n(2 * half)}" '
        f'height="{_n(2 * half)}" rx="{_n(size * 0.08)}" stroke-width="0.02"{dashes}/>'
    )


def _veil(claim: Piece) -> str:
    """What dims a finished board under the claim on it."""
    half = claim.size * 0.49
    return (
        f'<rect class="f-small" x="{_n(claim.x - half)}" y="{_n(claim.y - half)}" width="{_n(2 * half)}" '
        f'height="{_n(2 * half)}" rx="{_n(claim.size * 0.03)}" opacity="0.82"/>'
    )


def _layer(mark: Highlight) -> tuple[bool, float, bool]:
    """Lower ones are painted over: larger tints by smaller ones, and on one cell the last move by the win."""
    is_tint = mark.kind in ("last", "win") or mark.kind.startswith("owner-")
    return not is_tint, -mark.width * mark.height, mark.kind == "win"


def _highlight(mark: Highlight, scene: Scene) -> str:
    inset = 0.03 if mark.kind in ("last", "win") else 0.0 if mark.kind == "forced" else -0.05
    place = (
        f'x="{_n(mark.x + inset)}" y="{_n(mark.y + inset)}" width="{_n(mark.width - 2 * inset)}" '
        f'height="{_n(mark.height - 2 * inset)}" rx="0.1"'
    )
    if mark.kind in ("last", "win"):
        is_one_cell = mark.width < 1.2 and mark.height < 1.2
        return f'<rect class="f-{mark.kind}" {place}' + ("/>" if is_one_cell else ' opacity="0.55"/>')
    if mark.kind.startswith("owner-"):
        return f'<rect class="f-{scene.colour(int(mark.kind[-1]))}" {place} opacity="0.2"/>'
    if mark.kind == "frame":
        return f'<rect class="n s-quiet" {place} stroke-width="0.09"/>'
    dashes = ' stroke-dasharray="0.2 0.12"' if mark.kind == "owed" else ""
    return f'<rect class="n s-forced" {place} stroke-width="0.09"{dashes}/>'


def _corners(mark: Highlight) -> str:
    """The four corners of a highlight, larger around a larger one."""
    scale = min(mark.width, mark.height) ** 0.5
    leg, inset = 0.22 * scale, 0.05
    left, top = mark.x + inset, mark.y + inset
    right, bottom = mark.x + mark.width - inset, mark.y + mark.height - inset
    path = "".join(
        f"M{_n(x + dx)} {_n(y)}H{_n(x)}V{_n(y + dy)}"
        for x, dx in ((left, leg), (right, -leg))
        for y, dy in ((top, leg), (bottom, -leg))
    )
    return f'<path class="n r s-corner" stroke-width="{_n(0.07 * scale)}" d="{path}"/>'


def _stroke(stroke: Stroke) -> str:
    """A line from beyond the first piece to beyond the last."""
    across, down = stroke.x2 - stroke.x1, stroke.y2 - stroke.y1
    beyond = 0.44 * stroke.size / (hypot(across, down) or 1)
    return (
        f'<line class="r s-ink" x1="{_n(stroke.x1 - across * beyond)}" y1="{_n(stroke.y1 - down * beyond)}" '
        f'x2="{_n(stroke.x2 + across * beyond)}" y2="{_n(stroke.y2 + down * beyond)}" '
        f'stroke-width="{_n(0.09 * stroke.size**0.7)}"/>'
    )


def _label(label: Label) -> str:
    size = {"coordinate": 0.32, "note": 0.3, "name": 0.4, "title": 0.6}[label.kind]
    quiet = ' class="quiet"' if label.kind not in ("name", "title") else ""
    return f'<text x="{_n(label.x)}" y="{_n(label.y)}" font-size="{size}"{quiet}>{escape(label.text)}</text>'


# Pieces, each drawn around (0, 0) in a cell of size 1, in its owner's colour: orange crosses and blue rings.


def _symbol(owner: str, colour: str, reach: float, width: float) -> str:
    """The owner's cross or ring, in that or another colour."""
    if owner == "orange":
        return (
            f'<path class="n r s-{colour}" stroke-width="{width}" '
            f'd="M{-reach} {-reach}L{reach} {reach}M{reach} {-reach}L{-reach} {reach}"/>'
        )
    return f'<circle class="n s-{colour}" r="{round(reach * 1.12, 3)}" stroke-width="{width}"/>'


def _mark(piece: Piece, owner: str) -> str:
    return _symbol(owner, owner, 0.26, 0.13)


def _disc(piece: Piece, owner: str) -> str:
    return f'<circle class="f-{owner}" r="0.41"/>' + _symbol(owner, "on", 0.15, 0.075)


def _numbered(piece: Piece, owner: str) -> str:
    if owner == "orange":
        body = f'<rect class="f-{owner}" x="-0.33" y="-0.33" width="0.66" height="0.66" rx="0.12"/>'
    else:
        body = f'<circle class="f-{owner}" r="0.36"/>'
    arrow = ""
    if piece.facing:
        turn = {"N": 0, "E": 90, "S": 180, "W": 270}[piece.facing]
        arrow = f'<path class="f-{owner}" transform="rotate({turn})" d="M-0.17 -0.3L0 -0.49L0.17 -0.3Z"/>'
    number = f'<text class="f-on" style="fill:inherit" font-size="0.46" font-weight="bold">{escape(piece.text)}</text>'
    return f'{arrow}{body}<g class="f-on">{number}</g>'


def _green_light(piece: Piece, owner: str) -> str:
    return '<circle class="f-green s-ink" r="0.33" stroke-width="0.03"/>'


def _yellow_light(piece: Piece, owner: str) -> str:
    return '<path class="f-yellow s-ink r" stroke-width="0.03" d="M0 -0.38L0.38 0.28L-0.38 0.28Z"/>'


def _red_light(piece: Piece, owner: str) -> str:
    return '<rect class="f-red s-ink r" stroke-width="0.03" x="-0.31" y="-0.31" width="0.62" height="0.62"/>'


def _bomb(piece: Piece, owner: str) -> str:
    symbol = _symbol(owner, owner, 0.12, 0.07)
    return (
        '<path class="n r s-ink" stroke-width="0.06" d="M0.12 -0.2Q0.2 -0.42 0.36 -0.36"/>'
        '<circle class="f-gold" cx="0.37" cy="-0.36" r="0.07"/>'
        f'<circle class="f-ink" cy="0.06" r="0.3"/><g transform="translate(0 .06)">{symbol}</g>'
    )


def _tally(piece: Piece, owner: str) -> str:
    """As many pips as the text says: small crosses or rings; a number where pips would not fit."""
    count = int(piece.text)
    if count > 3:
        return (
            f'<g transform="translate(-0.3 0)">{_symbol(owner, owner, 0.15, 0.1)}</g>'
            f'<text x="0.25" font-size="0.6">{count}</text>'
        )
    start = -0.42 * (count - 1) / 2
    return "".join(
        f'<g transform="translate({_n(start + 0.42 * i)} 0)">{_symbol(owner, owner, 0.13, 0.1)}</g>'
        for i in range(count)
    )


def _crown(piece: Piece, owner: str) -> str:
    return (
        '<path class="f-gold s-ink r" stroke-width="0.03" '
        'd="M-0.34 0.24L-0.4 -0.2L-0.17 0L0 -0.3L0.17 0L0.4 -0.2L0.34 0.24Z"/>'
    )


def _claim(piece: Piece, owner: str) -> str:
    """Over a finished board: its owner's symbol, or a dash."""
    if piece.owner is None:
        return '<path class="n r s-quiet" stroke-width="0.06" d="M-0.2 0L0.2 0"/>'
    return _symbol(owner, owner, 0.3, 0.11)


PIECES: dict[str, Callable[[Piece, str], str]] = {
    "mark": _mark,
    "disc": _disc,
    "numbered": _numbered,
    "light-green": _green_light,
    "light-yellow": _yellow_light,
    "light-red": _red_light,
    "bomb": _bomb,
    "tally": _tally,
    "crown": _crown,
    "claim": _claim,
}
