"""What moves are worth, painted on their places: a badge for every move, and for a best one a ring, an arrow or both.

An exact value is a filled badge ("W7", "D", "L12"), an estimate an outlined one ("62%"). Values that are good, even and
bad for the player to move differ in colour, in shape and in their text.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from markupsafe import Markup, escape

from connectoe.analysis_words import value_in_words
from connectoe.core.match import Match
from connectoe.core.state import State
from connectoe.draw.pieces import num
from connectoe.draw.svg import box_of
from connectoe.engines.engine import Analysis, Estimate, Exact
from connectoe.scene import Piece, Place, Scene, Target
from connectoe.web.render.boards import Tool, tools_of

MOST_MARKED = 100
"""With more moves than this, only the best ones are marked: the others would hide the board."""
FEW = 12
ENLARGED = 1.7
EVEN = 0.05
"""An estimate that is no farther than this from one half counts as even."""
LETTERS = {"win": "W", "draw": "D", "loss": "L"}
CELL_EDGE, BADGE_EDGE = 0.5, 0.4
SHORTEST_FALL, LONGEST_FALL = 0.5, 1.3
"""The lengths of an arrow that shows where a piece comes from."""
WAYS = {"N": (0, -1), "E": (1, 0), "S": (0, 1), "W": (-1, 0)}


class ValueShown(NamedTuple):
    """A value as a badge shows it, and the same in words."""

    label: str
    kind: str
    """`win`, `draw` or `loss`; for an estimate, what it tends towards."""
    is_exact: bool
    words: str

    @property
    def classes(self) -> str:
        """The classes by which style sheets know it."""
        return f"{self.kind} {'exact' if self.is_exact else 'estimate'}"


def value_shown(value: Exact | Estimate) -> ValueShown:
    """Return how a value is shown.

    >>> [value_shown(value).label for value in (Exact("win", 7), Exact("draw", 3), Exact("loss"), Estimate(0.62))]
    ['W7', 'D', 'L', '62%']
    """
    words = value_in_words(value)
    if isinstance(value, Exact):
        plies = "" if value.plies is None or value.result == "draw" else str(value.plies)
        return ValueShown(LETTERS[value.result] + plies, value.result, True, words)
    kind = "win" if value.share > 0.5 + EVEN else "loss" if value.share < 0.5 - EVEN else "draw"
    return ValueShown(f"{value.share:.0%}", kind, False, words)


def marks_svg(match: Match, analysis: Analysis | None = None) -> Markup:
    """Return the layer of marks over the board where a match stands; without an analysis an empty one."""
    scene = match.state.scene()  # not the match's own, whose pieces keep their names from move to move
    marks = "".join(_marks(match.state, scene, tools_of(scene, match.game.tools), analysis)) if analysis else ""
    view = " ".join(map(num, box_of(scene)))
    return Markup(  # everything in it is made here
        f'<svg id="marks" class="connectoe marks" viewBox="{view}" aria-hidden="true" focusable="false">{marks}</svg>'
    )


def _marks(state: State, scene: Scene, tools: Sequence[Tool], analysis: Analysis) -> Iterator[str]:
    numbers = {tool.name: tool.number for tool in tools}
    ranks = {state.game.move_text(one.move): rank for rank, one in enumerate(analysis.candidates)}
    most = len(ranks) if len(ranks) <= MOST_MARKED else FEW
    best = _best_moves(analysis)
    for target in scene.targets:
        rank = ranks.get(target.move, most)
        is_best = rank < most and analysis.candidates[rank].move in best
        if rank >= most or (target.first and not is_best):  # two presses have no place of their own
            continue
        x, y = place_of(target, state, scene)
        is_taken = any(abs(piece.x - x) < 0.3 and abs(piece.y - y) < 0.3 for piece in scene.pieces)
        number = numbers.get(target.tool)
        tool = "" if number is None else f" tool-{number}"
        inside = _badge(value_shown(analysis.candidates[rank].value), is_taken)
        if most < len(ranks):  # there is room around each, and its place is small
            inside = f'<g transform="scale({ENLARGED})">{inside}</g>'
        sign = _sign(target, state, scene) if is_best else ""
        yield f'<g class="mark{tool}" transform="translate({num(x)} {num(y)})">{sign}{inside}</g>'


def _best_moves(analysis: Analysis) -> set[int]:
    """Return the best move, and those that are known to be just as good; none if that holds for all moves."""
    first, *others = analysis.candidates
    same = [one.move for one in others if one.result and one.value == first.value]
    return set() if others and len(same) == len(others) else {first.move, *same}


def place_of(target: Target, state: State, scene: Scene) -> tuple[float, float]:
    """Return the place of a move on the board: where its piece comes to rest, else the middle of its target."""
    if not target.first and (target.width > 1.2 or target.height > 1.2):
        piece = _new_piece(target, scene, state.play(target.move).scene())
        if piece:
            return piece.x, piece.y
    return target.x + target.width / 2, target.y + target.height / 2


def _new_piece(target: Target, before: Scene, after: Scene) -> Piece | None:
    known = {piece.id for piece in before.pieces}
    return next((piece for piece in after.pieces if piece.id not in known and _is_within(piece, target)), None)


def _is_within(piece: Piece, target: Target) -> bool:
    return (
        target.x <= piece.x <= target.x + target.width
        and target.y <= piece.y <= target.y + target.height
        and piece.kind in ("disc", "mark", "numbered")
    )


def _badge(value: ValueShown, is_small: bool) -> str:
    """Return a badge around (0, 0); on a place that holds a piece a small one at its lower edge."""
    half = 0.08 + 0.085 * (len(value.label) + 0.5 * ("%" in value.label))
    height = 0.21
    shape = {
        "win": f'<rect x="{num(-half)}" y="{-height}" width="{num(2 * half)}" height="{2 * height}" rx="{height}"/>',
        "draw": f'<rect x="{num(-half)}" y="{-height}" width="{num(2 * half)}" height="{2 * height}" rx="0.04"/>',
        "loss": f'<path d="M{num(-half - 0.03)} 0L{num(-half + 0.1)} {-height}H{num(half - 0.1)}L{num(half + 0.03)} 0'
        f'L{num(half - 0.1)} {height}H{num(-half + 0.1)}Z"/>',
    }[value.kind]
    move = ' transform="translate(0 .3) scale(.72)"' if is_small else ""
    return f'<g class="badge {value.classes}"{move}>{shape}<text font-size=".27">{escape(value.label)}</text></g>'


def _sign(target: Target, state: State, scene: Scene) -> str:
    """Return an arrow where a best move sets something in motion, and a ring where a piece is placed."""
    after = state.play(target.move).scene()
    x, y = place_of(target, state, scene)
    if target.first:
        return _arrow_from(target.first, x, y)
    for panel, moved in zip(scene.panels, after.panels, strict=False):
        if panel.kind == "slider" and panel.x != moved.x:
            way = 1 if moved.x > panel.x else -1
            middle = panel.x + panel.width / 2 - x
            return _arrow(middle - 1.1 * way, panel.y + panel.height / 2 - y, way, 0, 2.2)
    for piece in after.pieces:
        if piece.facing and abs(piece.x - x) < 0.1 and abs(piece.y - y) < 0.1:
            across, down = WAYS[piece.facing]
            return _arrow(0.3 * across, 0.3 * down, across, down, 1.2)
    radius = 0.47 * min(1.0, target.width, target.height)
    fall = _arrow_of_fall(target, x, y, scene) if _new_piece(target, scene, after) else ""
    return f'{fall}<circle class="best" r="{num(radius)}"/>'


def _arrow_from(first: Place, x: float, y: float) -> str:
    """Return an arrow from the place of the first press to the badge at (0, 0), which is at x and y of the board."""
    across, down = x - first.x - first.width / 2, y - first.y - first.height / 2
    length = math.hypot(across, down)
    if length < BADGE_EDGE:  # both presses are on one place
        return ""
    return _arrow(-across, -down, across / length, down / length, length - BADGE_EDGE)


def _arrow_of_fall(target: Target, x: float, y: float, scene: Scene) -> str:
    """Return an arrow to where a piece comes to rest, at the end of the free part of a column or row; else nothing."""
    is_column = target.height > target.width
    if is_column:
        begin, end, here = target.y, target.y + target.height, y
        lane = [piece.y for piece in scene.pieces if abs(piece.x - x) < CELL_EDGE]
    else:
        begin, end, here = target.x, target.x + target.width, x
        lane = [piece.x for piece in scene.pieces if abs(piece.y - y) < CELL_EDGE]
    free = {
        1: 0.0 if any(begin < other < here for other in lane) else here - begin,
        -1: 0.0 if any(here < other < end for other in lane) else end - here,
    }
    way = max(free, key=lambda each: free[each])
    length = min(LONGEST_FALL, free[way] - CELL_EDGE)
    if length < SHORTEST_FALL or free[-way] > CELL_EDGE:  # it might have come from either side
        return ""
    across, down = (0, way) if is_column else (way, 0)
    return _arrow(-across * (CELL_EDGE + length), -down * (CELL_EDGE + length), across, down, length)


def _arrow(x: float, y: float, across: float, down: float, length: float) -> str:
    end_x, end_y = x + length * across, y + length * down
    back_x, back_y = end_x - 0.28 * across, end_y - 0.28 * down
    sides = [(back_x - side * 0.24 * down, back_y + side * 0.24 * across) for side in (-1, 1)]
    head = "L".join(f"{num(px)} {num(py)}" for px, py in (sides[0], (end_x, end_y), sides[1]))
    return f'<path class="best arrow" d="M{num(x)} {num(y)}L{num(end_x)} {num(end_y)}M{head}"/>'


def best_tool(match: Match, analysis: Analysis) -> str:
    """Return the tool that the best move is made with; empty if there is none to choose."""
    best = match.game.move_text(analysis.move)
    scene = match.scene()
    if not tools_of(scene, match.game.tools):
        return ""
    return next((target.tool for target in scene.targets if target.move == best), "")
