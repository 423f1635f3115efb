"""A scene as text for a terminal.

Cells become columns and rows of characters; a gap between cells becomes a rule, a wider gap a double one. Without
colour everything can still be told apart: winning pieces and boards stand between * *, the last move in [ ] even if it
wins, and a board one must play in between ┃ ┃, with • instead of · on its empty squares.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence

from connectoe.scene import Highlight, Piece, Scene

EMPTY = {"square": "·", "hole": "·", "edge": "+", "holder": "-", "tray": " ", "gap": " "}
LIGHTS = {"light-green": "●", "light-yellow": "▲", "light-red": "■"}
ARROWS = {"N": "↑", "E": "→", "S": "↓", "W": "←", "": ""}

PLAYER_STYLES = {"orange": "1;38;5;208", "blue": "1;38;5;39"}
LIGHT_STYLES = {"light-green": "1;32", "light-yellow": "1;33", "light-red": "1;31"}
QUIET = "2"
FORCED = "1;36"
SIDES = {"forced": ("┃", "┃", FORCED), "win": ("*", "*", "1;32"), "last": ("[", "]", "1")}
"""What stands left and right of a highlight; the later kinds replace the earlier ones where they meet."""


class _Axis:
    """Where along one axis of the text the scene's coordinates fall."""

    def __init__(self, places: Sequence[float], pitch: int, start: int, gap: int) -> None:
        self.places = sorted({round(place, 3) for place in places})
        self.pitch = pitch
        self.rules: list[tuple[int, bool]] = []
        """Offsets of the rules between cells that stand apart, and whether they are double."""
        self.offsets: list[int] = []
        offset = start
        for i, place in enumerate(self.places):
            if i:
                offset += pitch
                apart = place - self.places[i - 1]
                if apart > 1.05 and gap:
                    self.rules.append((offset, apart > 1.5))
                    offset += gap
            self.offsets.append(offset)

    def at(self, place: float) -> int:
        """The offset of a coordinate, between or beyond the known places too."""
        i = bisect_left(self.places, place - 0.01)
        if i < len(self.places) and abs(self.places[i] - place) < 0.02:
            return self.offsets[i]
        if i == 0:
            return self.offsets[0] - round((self.places[0] - place) * self.pitch)
        if i == len(self.places):
            return self.offsets[-1] + round((place - self.places[-1]) * self.pitch)
        low, high = self.places[i - 1], self.places[i]
        share = (place - low) / (high - low)
        return self.offsets[i - 1] + round(share * (self.offsets[i] - self.offsets[i - 1]))


def _glyph(piece: Piece, symbols: tuple[str, str]) -> str:
    if piece.kind in LIGHTS:
        return LIGHTS[piece.kind]
    if piece.kind == "crown":
        return "♛"
    symbol = symbols[piece.owner] if piece.owner is not None else "-"
    if piece.kind == "numbered":
        return f"{symbol}{piece.text}{ARROWS[piece.facing]}"
    if piece.kind == "tally":
        return f"{symbol.lower()}{piece.text}"
    if piece.kind == "bomb":
        return "*"
    return piece.text or symbol


def _style(piece: Piece, scene: Scene) -> str:
    if piece.kind in LIGHT_STYLES:
        return LIGHT_STYLES[piece.kind]
    if piece.kind == "crown":
        return "1;33"
    return PLAYER_STYLES[scene.colour(piece.owner)] if piece.owner is not None else QUIET


def text(scene: Scene, colour: bool = False) -> str:
    """The board of the scene as lines of text, with terminal colours if asked for.

    >>> import connectoe
    >>> print(text(connectoe.load("tic-tac-toe").start.play("b2").scene()))
    3 · · ·
    2 ·[X]·
    1 · · ·
      a b c
    """
    glyphs = {piece.id: _glyph(piece, scene.symbols) for piece in scene.pieces}
    cell_columns = {cell.x for cell in scene.cells}
    widths = [len(glyphs[piece.id]) for piece in scene.pieces if piece.kind not in ("tally", "claim")]
    widths += [len(label.text) for label in scene.labels if label.kind == "coordinate" and label.x in cell_columns]
    widest = max(widths, default=1)
    middle = (widest - 1) // 2
    columns = _Axis([cell.x for cell in scene.cells], widest + 1, 1, 2)
    odd_rows = [label.y for label in scene.labels] + [piece.y for piece in scene.pieces if piece.kind == "tally"]
    cell_rows = sorted({cell.y for cell in scene.cells})
    extra = [y for y in odd_rows if all(abs(y - row) > 0.3 for row in cell_rows)]
    canvas = _Canvas()
    has_notes_between = any(cell_rows[0] < y < cell_rows[-1] for y in extra)
    rows = _Axis(cell_rows + extra if has_notes_between else cell_rows, 1, 0, 0 if has_notes_between else 1)
    line_of = rows.at
    for cell in scene.cells:
        canvas.put(line_of(cell.y), columns.at(cell.x) + middle, EMPTY[cell.kind], QUIET)
    for mark in scene.highlights:
        if mark.kind != "forced":
            continue
        for x, y in _inside(scene, mark):
            canvas.put(line_of(y), columns.at(x) + middle, "•", FORCED)
    if scene.cells:
        first, last = columns.offsets[0] - 1, columns.offsets[-1] + widest
        canvas.put(rows.offsets[0], first, " ", "")  # room for a side, so that the board stays where it is
        for line, double in rows.rules:
            canvas.put(line, first, ("═" if double else "─") * (last - first + 1), QUIET)
        for column, double in columns.rules:
            for line in range(rows.offsets[0], rows.offsets[-1] + 1):
                crossed = any(line == rule for rule, _ in rows.rules)
                canvas.put(line, column, "┼" if crossed else "║" if double else "│", QUIET)
    for kind in SIDES:
        _enclose(scene, kind, canvas, columns, rows, widest)
    for piece in scene.pieces:
        if piece.kind == "claim":
            _cover(scene, piece, canvas, columns, rows, middle)
            continue
        shown = glyphs[piece.id]
        style = _style(piece, scene)
        inset = middle - (len(shown) - 1) // 2
        canvas.put(line_of(piece.y), columns.at(piece.x) + max(0, inset), shown, style)
    for label in scene.labels:
        line = (
            line_of(label.y)
            if label.y < rows.places[-1] + 0.3
            else rows.offsets[-1] + round(label.y - rows.places[-1] + 0.1)
        )
        width = len(label.text)
        at = columns.at(label.x)
        if columns.places and label.x < columns.places[0] - 0.2:
            at -= width - 1
            if label.kind == "coordinate":
                at = columns.offsets[0] - 1 - width
        elif columns.places and label.kind == "coordinate" and label.x > columns.places[-1] + 0.2:
            at = columns.offsets[-1] + widest + 1
        elif width > 1:
            at += middle - (width - 1) // 2
        else:
            at += middle
        canvas.put(line, at, label.text, QUIET if label.kind == "coordinate" else "")
    return canvas.drawn(colour)


def _inside(scene: Scene, mark: Highlight) -> list[tuple[float, float]]:
    """The cells within a highlight."""
    return [
        (cell.x, cell.y)
        for cell in scene.cells
        if mark.x < cell.x < mark.x + mark.width and mark.y < cell.y < mark.y + mark.height
    ]


def _enclose(scene: Scene, kind: str, canvas: _Canvas, columns: _Axis, rows: _Axis, widest: int) -> None:
    """Draws the sides of all highlights of a kind, on every line; neighbours stand within one pair of sides."""
    left, right, style = SIDES[kind]
    sides: dict[tuple[int, int], str] = {}
    for mark in scene.highlights:
        if mark.kind != kind:
            continue
        places = _inside(scene, mark) or [(mark.x + mark.width / 2, mark.y + mark.height / 2)]
        across = [columns.at(x) for x, _ in places]
        down = [rows.at(y) for _, y in places]
        for line in range(min(down), max(down) + 1):
            for column, side in ((min(across) - 1, left), (max(across) + widest, right)):
                sides[line, column] = side if sides.get((line, column), side) == side else " "
    for (line, column), side in sides.items():
        canvas.put(line, column, side, style)


def _cover(scene: Scene, claim: Piece, canvas: _Canvas, columns: _Axis, rows: _Axis, middle: int) -> None:
    """Draws a large symbol over the cells of a finished board."""
    half = claim.size / 2
    inside = [cell for cell in scene.cells if abs(cell.x - claim.x) < half and abs(cell.y - claim.y) < half]
    xs, ys = sorted({cell.x for cell in inside}), sorted({cell.y for cell in inside})
    symbol = "-" if claim.owner is None else scene.symbols[claim.owner]
    for cell in inside:
        column, row = xs.index(cell.x), ys.index(cell.y)
        if symbol == "X":
            drawn = column * (len(ys) - 1) == row * (len(xs) - 1) or column == len(xs) - 1 - row
        elif symbol == "O":
            drawn = column in (0, len(xs) - 1) or row in (0, len(ys) - 1)
        else:
            drawn = row == len(ys) // 2
        canvas.put(rows.at(cell.y), columns.at(cell.x) + middle, symbol if drawn else " ", _style(claim, scene))


class _Canvas:
    """Characters with styles at (line, column); columns may be negative until it is drawn."""

    def __init__(self) -> None:
        self.lines: dict[int, dict[int, tuple[str, str]]] = {}

    def put(self, line: int, column: int, shown: str, style: str) -> None:
        row = self.lines.setdefault(line, {})
        for i, character in enumerate(shown):
            row[column + i] = (character, style)

    def drawn(self, colour: bool) -> str:
        if not self.lines:
            return ""
        left = min(min(row) for row in self.lines.values())
        shown = []
        for line in range(min(self.lines), max(self.lines) + 1):
            row = self.lines.get(line, {})
            out = ""
            for column in range(left, max(row, default=left) + 1):
                character, style = row.get(column, (" ", ""))
                out += f"\033[{style}m{character}\033[0m" if colour and style and character != " " else character
            shown.append(out.rstrip())
        return "\n".join(shown)
