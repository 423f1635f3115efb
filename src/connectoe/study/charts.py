"""The pictures of a report, as SVG elements for its page: charts, and boards with the scores of openings."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from html import escape
from typing import TYPE_CHECKING, Any

from connectoe.core.errors import ConnectoeError
from connectoe.core.game import Game
from connectoe.statistics import Measurement
from connectoe.study.breakdowns import FEWEST_GAMES
from connectoe.study.chunks import Results

if TYPE_CHECKING:
    from matplotlib.figure import Figure

FIRST_COLOUR, DRAW_COLOUR, SECOND_COLOUR = "#e8923a", "#b9bcc2", "#3b7fc4"
INK = "#22252b"
WIDTH = 4.0
"""Inches, with letters of 10 points, so that text can be read where the picture fills the screen of a phone."""
LARGEST_SCALE = 1.2
"""How much larger than that a picture may become on a wide screen."""
LEAST_ON_AN_AXIS = 0.1
"""The shortest range of an axis, in percentage points or moves; a shorter one is extended."""
MOST_NUMBERS = 100
"""Places on a board beyond which scores are shown by colour alone."""


@contextmanager
def _figure(width: float, height: float) -> Iterator[Figure]:
    import matplotlib
    from matplotlib.figure import Figure as NewFigure

    # Text stays text, so that it can be searched; ids depend on what is drawn, so that equal figures give equal pages.
    settings: dict[Any, Any] = {
        "svg.fonttype": "none",
        "svg.hashsalt": "connectoe",
        "font.family": "sans-serif",
        "font.sans-serif": ["DejaVu Sans"],
        "font.size": 10,
        "axes.spines.top": False,
        "axes.spines.right": False,
        "text.color": INK,
        "axes.labelcolor": INK,
        "xtick.color": INK,
        "ytick.color": INK,
        "axes.edgecolor": "#8a8f98",
    }
    with matplotlib.rc_context(settings):
        yield NewFigure(figsize=(width, height), layout="constrained")


def _svg(figure: Figure) -> str:
    """Return the figure as an SVG element that is as wide as its container."""
    text = io.StringIO()
    figure.savefig(text, format="svg", metadata={"Date": None, "Creator": None}, transparent=True)
    element = text.getvalue()
    element = element[element.index("<svg") :]
    element = re.sub(r"<metadata>.*?</metadata>", "", element, flags=re.DOTALL)
    width = re.search(r'width="([\d.]+)pt"', element)
    element = re.sub(r'(width|height)="[\d.]+pt" ?', "", element, count=2)
    most = round(float(width[1]) * 4 / 3 * LARGEST_SCALE) if width else 800
    return element.replace("<svg", f'<svg aria-hidden="true" style="max-width:{most}px"', 1).strip()


def results_chart(rows: Sequence[tuple[str, Results]]) -> str:
    """Return bars of games won by the first player, drawn, and won by the second, one for each row."""
    with _figure(WIDTH, 0.8 + 0.42 * len(rows)) as figure:
        axes = figure.subplots()
        for number, (_, (first, second, drawn)) in enumerate(rows):
            games, left = first + second + drawn, 0.0
            for count, colour in ((first, FIRST_COLOUR), (drawn, DRAW_COLOUR), (second, SECOND_COLOUR)):
                share = 100 * count / games
                axes.barh(number, share, left=left, color=colour, edgecolor="white", height=0.75)
                if share >= 7:
                    axes.text(left + share / 2, number, f"{share:.0f}%", ha="center", va="center", size=9)
                left += share
        axes.axvline(50, color=INK, linewidth=0.8, linestyle=":")
        axes.set_yticks(range(len(rows)), [name.replace(", ", ",\n") for name, _ in rows])
        axes.invert_yaxis()
        axes.set_xlim(0, 100)
        axes.set_xlabel("% of games")
        return _svg(figure)


def lengths_chart(rows: Sequence[tuple[str, Mapping[int, int]]]) -> str:
    """Return small histograms of the lengths of games, one for each row, all on the same scale."""
    columns = min(2, len(rows))
    lines = -(-len(rows) // columns)
    longest = max(length for _, lengths in rows for length in lengths)
    bins = min(60, longest)
    with _figure(WIDTH, 0.4 + 1.6 * lines) as figure:
        grid = figure.subplots(lines, columns, squeeze=False, sharex=True)
        for place, axes in enumerate(grid.flat):
            if place >= len(rows):
                axes.set_visible(False)
                continue
            name, lengths = rows[place]
            games = sum(lengths.values())
            weights = [100 * count / games for count in lengths.values()]
            axes.hist(list(lengths), bins=bins, range=(0.5, longest + 0.5), weights=weights, color=SECOND_COLOUR)
            axes.set_title(name, size=10)
            axes.tick_params(labelbottom=True)
            axes.locator_params(nbins=4)
        figure.supxlabel("moves", size=10)
        figure.supylabel("% of games", size=10)
        return _svg(figure)


def measurements_chart(
    title: str, rows: Sequence[tuple[str, Measurement | None]], percent: bool, even: float | None
) -> str:
    """Return measurements with their intervals, one below the other, and a line at `even`."""
    scale = 100 if percent else 1
    with _figure(3.6, 0.9 + 0.32 * len(rows)) as figure:
        axes = figure.subplots()
        for number, (_, found) in enumerate(rows):
            if found:
                axes.plot([scale * found.low, scale * found.high], [number, number], color=SECOND_COLOUR, linewidth=2.5)
                axes.plot([scale * found.value], [number], "o", color=INK, markersize=4)
        if even is not None:
            axes.axvline(scale * even, color=INK, linewidth=0.8, linestyle=":")
        left, right = axes.get_xlim()
        if right - left < LEAST_ON_AN_AXIS:  # all the same, or nearly
            axes.set_xlim(max(0.0, left - 1), right + 1 if not percent else min(100.0, right + 1))
        axes.locator_params(axis="x", nbins=4)
        axes.set_yticks(range(len(rows)), [name for name, _ in rows])
        axes.set_ylim(len(rows) - 0.5, -0.5)
        axes.set_title(title, size=10)
        if percent:
            axes.xaxis.set_major_formatter(lambda tick, _: f"{tick:g}%")
        return _svg(figure)


def score_colour(score: float) -> str:
    """Return the colour of a first player's score: blue below even, white at it, orange above."""
    toward = (0xF0, 0xA0, 0x40) if score > 0.5 else (0x5A, 0x9A, 0xE0)
    much = min(1.0, abs(score - 0.5) * 2)
    return "#" + "".join(f"{round(255 + (part - 255) * much):02x}" for part in toward)


def opening_boards(game: Game, openings: Mapping[str, Measurement | None]) -> list[tuple[str, str]]:
    """Return the start position with the score of each first move on its place: one board per tool, as (tool, SVG)."""
    from connectoe.draw.svg import inline_svg

    try:
        scene = game.start.scene()
    except ConnectoeError:
        return []
    boards = []
    targets, scene.targets = scene.targets, []
    board = inline_svg(scene).removesuffix("</svg>")
    for tool in dict.fromkeys(target.tool for target in targets):
        places = [target for target in targets if target.tool == tool]
        parts = []
        for place in places:
            score = openings.get(place.move)
            if not score or score.games < FEWEST_GAMES:
                continue
            says = f"{place.move}: {score.value:.1%} ({score.low:.1%} to {score.high:.1%})"
            parts.append(
                f'<g><title>{escape(says)}</title><rect x="{place.x:g}" y="{place.y:g}" width="{place.width:g}" '
                f'height="{place.height:g}" rx="0.08" fill="{score_colour(score.value)}" fill-opacity="0.92" '
                'stroke="#55585f" stroke-width="0.02"/>'
            )
            if len(places) <= MOST_NUMBERS:
                size = min(0.42, place.width * 0.45, place.height * 0.8)
                parts.append(
                    f'<text x="{place.x + place.width / 2:g}" y="{place.y + place.height / 2:g}" '
                    f'font-size="{size:g}" text-anchor="middle" dominant-baseline="central" fill="{INK}">'
                    f"{100 * score.value:.0f}</text>"
                )
            parts.append("</g>")
        if parts:
            boards.append((tool, board + "".join(parts) + "</svg>"))
    return boards
