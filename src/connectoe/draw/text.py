"""A scene as text for a terminal.

Cells become columns and rows of characters; a gap between cells becomes a line, a wider gap a double line. Everything
can be told apart without colour: winning pieces and boards stand between * *, the last move in [ ] even if it wins, and
a board that must be played in between ┃ ┃, with • instead of · on its empty squares.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence

from connectoe.scene import Highlight, Label, Piece, Scene

EMPTY = {"square": "·", "hole": "·", "edge": "+", "holder": "-", "tray": " ", "gap": " "}
LIGHTS = {"light-green": "●", "light-yellow": "▲", "light-red": "■"}
ARROWS = {"N": "↑", "E": "→", "S": "↓", "W": "←", "": ""}

PLAYER_STYLES = {"orange": "1;38;5;208", "blue": "1;38;5;39"}
LIGHT_STYLES = {"light-green": "1;32", "light-yellow": "1;33", "light-red": "1;31"}
QUIET = "2"
FORCED = "1;36"
SIDES = {"forced": ("┃", "┃", FORCED), "win": ("*", "*", "1;32"), "last": ("[", "]", "1")}
"""The characters left and right of a highlight; later kinds replace earlier ones where they meet."""


class _Axis:
    """The offsets of the scene's coordinates along one axis of the text."""

    def __init__(self, places: Sequence[float], pitch: int, start: int, gap: int) -> None:
        self.places = sorted({round(place, 3) for place in places})
        self.pitch = pitch
        self.lines: list[tuple[int, bool]] = []
        """The offsets of the lines between cells that stand apart, and whether they are double."""
        self.offsets: list[int] = []
        offset = start
        for i, place in enumerate(self.places):
            if i:
                offset += pitch
                apart = place - self.places[i - 1]
                if apart > 1.05 and gap:
                    self.lines.append((offset, apart > 1.5))
                    offset += gap
            self.offsets.append(offset)

    def at(self, place: float) -> int:
        """Return the offset of a coordinate, also between and beyond the known places."""
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
    """Return the board of the scene as lines of text, with terminal colours if asked for."""
    return _Picture(scene).canvas.text(colour)


class _Picture:
    """A scene on a canvas: cells, lines between them, sides of highlights, pieces and labels, in this order."""

    def __init__(self, scene: Scene) -> None:
        self.scene = scene
        self.canvas = _Canvas()
        self.glyphs = {piece.id: _glyph(piece, scene.symbols) for piece in scene.pieces}
        cell_columns = {cell.x for cell in scene.cells}
        widths = [len(self.glyphs[piece.id]) for piece in scene.pieces if piece.kind not in ("tally", "claim")]
        widths += [len(label.text) for label in scene.labels if label.kind == "coordinate" and label.x in cell_columns]
        self.widest = max(widths, default=1)
        self.middle = (self.widest - 1) // 2
        self.columns = _Axis([cell.x for cell in scene.cells], self.widest + 1, 1, 2)
        other_rows = [label.y for label in scene.labels] + [piece.y for piece in scene.pieces if piece.kind == "tally"]
        cell_rows = sorted({cell.y for cell in scene.cells})
        extra = [y for y in other_rows if all(abs(y - row) > 0.3 for row in cell_rows)]
        has_notes_between = any(cell_rows[0] < y < cell_rows[-1] for y in extra)
        self.rows = _Axis(cell_rows + extra if has_notes_between else cell_rows, 1, 0, 0 if has_notes_between else 1)
        self._draw_cells()
        for kind in SIDES:
            self._draw_sides(kind)
        for piece in scene.pieces:
            if piece.kind == "claim":
                self._draw_claim(piece)
            else:
                self._draw_piece(piece)
        for label in scene.labels:
            self._draw_label(label)

    def _put_in_cell(self, x: float, y: float, character: str, style: str) -> None:
        self.canvas.put(self.rows.at(y), self.columns.at(x) + self.middle, character, style)

    def _draw_cells(self) -> None:
        """Draw empty cells, and the lines between boards."""
        for cell in self.scene.cells:
            self._put_in_cell(cell.x, cell.y, EMPTY[cell.kind], QUIET)
        for mark in self.scene.highlights:
            if mark.kind == "forced":
                for x, y in _inside(self.scene, mark):
                    self._put_in_cell(x, y, "•", FORCED)
        if not self.scene.cells:
            return
        columns, rows = self.columns, self.rows
        first, last = columns.offsets[0] - 1, columns.offsets[-1] + self.widest
        self.canvas.put(rows.offsets[0], first, " ", "")  # room for a side, so that the board does not move
        for line, is_double in rows.lines:
            self.canvas.put(line, first, ("═" if is_double else "─") * (last - first + 1), QUIET)
        crossings = {line for line, _ in rows.lines}
        for column, is_double in columns.lines:
            for line in range(rows.offsets[0], rows.offsets[-1] + 1):
                self.canvas.put(line, column, "┼" if line in crossings else "║" if is_double else "│", QUIET)

    def _draw_sides(self, kind: str) -> None:
        """Draw the sides of all highlights of a kind, on every line; neighbours share one pair of sides."""
        left, right, style = SIDES[kind]
        sides: dict[tuple[int, int], str] = {}
        for mark in self.scene.highlights:
            if mark.kind != kind:
                continue
            places = _inside(self.scene, mark) or [(mark.x + mark.width / 2, mark.y + mark.height / 2)]
            across = [self.columns.at(x) for x, _ in places]
            down = [self.rows.at(y) for _, y in places]
            for line in range(min(down), max(down) + 1):
                for column, side in ((min(across) - 1, left), (max(across) + self.widest, right)):
                    sides[line, column] = side if sides.get((line, column), side) == side else " "
        for (line, column), side in sides.items():
            self.canvas.put(line, column, side, style)

    def _draw_piece(self, piece: Piece) -> None:
        glyph = self.glyphs[piece.id]
        inset = max(0, self.middle - (len(glyph) - 1) // 2)
        self.canvas.put(self.rows.at(piece.y), self.columns.at(piece.x) + inset, glyph, _style(piece, self.scene))

    def _draw_claim(self, claim: Piece) -> None:
        """Draw a large symbol over the cells of a finished board."""
        half = claim.size / 2
        inside = [cell for cell in self.scene.cells if abs(cell.x - claim.x) < half and abs(cell.y - claim.y) < half]
        xs, ys = sorted({cell.x for cell in inside}), sorted({cell.y for cell in inside})
        symbol = "-" if claim.owner is None else self.scene.symbols[claim.owner]
        for cell in inside:
            column, row = xs.index(cell.x), ys.index(cell.y)
            if symbol == "X":
                is_drawn = column * (len(ys) - 1) == row * (len(xs) - 1) or column == len(xs) - 1 - row
            elif symbol == "O":
                is_drawn = column in (0, len(xs) - 1) or row in (0, len(ys) - 1)
            else:
                is_drawn = row == len(ys) // 2
            self._put_in_cell(cell.x, cell.y, symbol if is_drawn else " ", _style(claim, self.scene))

    def _draw_label(self, label: Label) -> None:
        columns, rows = self.columns, self.rows
        line = (
            rows.at(label.y)
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
            at = columns.offsets[-1] + self.widest + 1
        elif width > 1:
            at += self.middle - (width - 1) // 2
        else:
            at += self.middle
        self.canvas.put(line, at, label.text, QUIET if label.kind == "coordinate" else "")


def _inside(scene: Scene, mark: Highlight) -> list[tuple[float, float]]:
    """Return the middles of the cells within a highlight."""
    return [
        (cell.x, cell.y)
        for cell in scene.cells
        if mark.x < cell.x < mark.x + mark.width and mark.y < cell.y < mark.y + mark.height
    ]


class _Canvas:
    """Characters with styles at (line, column); lines and columns may be negative."""

    def __init__(self) -> None:
        self.lines: dict[int, dict[int, tuple[str, str]]] = {}

    def put(self, line: int, column: int, shown: str, style: str) -> None:
        row = self.lines.setdefault(line, {})
        for i, character in enumerate(shown):
            row[column + i] = (character, style)

    def text(self, colour: bool) -> str:
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
