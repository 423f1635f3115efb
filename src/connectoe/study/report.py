"""The report of a study: one HTML page that needs no network, the figures as JSON and CSV, and the recorded games."""

from __future__ import annotations

import gzip
from collections.abc import Iterable
from dataclasses import dataclass, replace
from importlib.util import find_spec
from pathlib import Path

from connectoe.core.errors import ConnectoeError
from connectoe.core.game import Game
from connectoe.statistics import Measurement
from connectoe.study import sentences
from connectoe.study.breakdowns import Breakdown, pie
from connectoe.study.charts import lengths_chart, measurements_chart, opening_boards, results_chart
from connectoe.study.chunks import DIRECTIONS
from connectoe.study.figures import PairingFigures, StudyFigures, VariantFigures
from connectoe.study.folder import write_file
from connectoe.study.measures import MEASURES
from connectoe.study.plan import Plan, always_alike
from connectoe.study.summary import records, summarise
from connectoe.study.table import as_csv
from connectoe.study.wording import count, interval, interval_parts, p_value, signed_parts, who

FILES = ("report.html", "figures.json", "figures.csv", "games.txt.gz")
MOST_OPENINGS = 40
"""Openings that are listed beside their board."""
COMPARED = ("first_score", "draws", "length")
"""The measures with a chart in comparisons."""


def write_report(plan: Plan, folder: Path, command: str, measures: tuple[str, ...] = ()) -> StudyFigures:
    """Write the report of a finished study to its folder; return the figures."""
    figures = summarise(plan, folder, measures)
    contents = (
        html(plan, figures, command).encode(),
        figures.to_json().encode(),
        as_csv(figures).encode(),
        packed_records(records(plan, folder)),
    )
    for name, content in zip(FILES, contents, strict=True):
        write_file(folder / name, content)
    return figures


def packed_records(texts: Iterable[str]) -> bytes:
    """Return records of games as a gzip file, the same bytes for the same games."""
    return gzip.compress("\n".join(texts).encode(), mtime=0)


def check_packages() -> None:
    """Raise an error if packages that a report needs are missing; called before the first game."""
    if not all(find_spec(name) for name in ("jinja2", "matplotlib")):
        raise ConnectoeError("a report needs some more packages: pip install 'connectoe[study]'")


def html(plan: Plan, figures: StudyFigures, command: str) -> str:
    """Return the page."""
    check_packages()
    from jinja2 import Environment, PackageLoader, StrictUndefined

    from connectoe.draw.theme import style_sheet

    environment = Environment(
        loader=PackageLoader("connectoe.study", "."),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    for name in (interval, interval_parts, signed_parts, p_value, count, who):
        environment.filters[name.__name__] = name
    game, pairings = plan.game(0), [pairing for pairing in plan.pairings if pairing.players]
    return environment.get_template("report.html").render(
        figures=figures,
        command=command,
        sentences=sentences,
        about=sentences.about_the_study(figures, game),
        variants=[_variant_page(plan, number, variant) for number, variant in enumerate(figures.variants)],
        differences=sentences.differences(figures),
        measures=[MEASURES[name] for name in figures.measures],
        titles={name: measure.title for name, measure in MEASURES.items()},
        charts=_comparison_charts(figures),
        board_style=style_sheet("light"),
        notes=sentences.how_it_was_made(figures, pairings, game),
    )


@dataclass(frozen=True)
class OpeningPage:
    """The first moves of a level, as the page shows them."""

    who: str
    boards: list[tuple[str, str]]
    """The boards with scores on them: the tool of the moves, and the picture."""
    scores: list[tuple[str, Measurement]]
    """The best of them."""
    total: int
    pie: str


@dataclass(frozen=True)
class VariantPage:
    """A variant as the page shows it."""

    figures: VariantFigures
    answers: list[tuple[str, str]]
    levels: list[str]
    theory: str
    results_chart: str
    lengths_chart: str
    endings: list[str]
    """All ways in which games ended."""
    directions: list[str]
    """The directions of winning lines."""
    special: list[str]
    """The kinds of special moves that were made."""
    openings: list[OpeningPage]
    about_openings: str


def _variant_page(plan: Plan, number: int, figures: VariantFigures) -> VariantPage:
    game = plan.game(number)
    same = always_alike(game, plan.players)
    pairings = [  # figures of older versions do not say whether players always play alike
        pairing if pairing.always_alike is not None else replace(pairing, always_alike={*pairing.players} <= same)
        for pairing in figures.pairings
    ]
    figures = replace(figures, pairings=pairings)
    openings = [_opening_page(game, pairing) for pairing in figures.equals]
    return VariantPage(
        figures,
        sentences.answers(figures),
        sentences.level_by_level(figures.equals),
        sentences.about_the_theory(figures),
        results_chart([(who(pairing.players), pairing.results) for pairing in pairings]),
        lengths_chart([(who(pairing.players), pairing.lengths) for pairing in figures.equals]),
        list(dict.fromkeys(name for pairing in pairings for name in pairing.endings)),
        [name for name in DIRECTIONS if any(name in pairing.lines for pairing in pairings)],
        list(
            dict.fromkeys(
                kind for pairing in pairings for kind, use in pairing.special.items() if use.a_game and use.a_game.value
            )
        ),
        openings,
        sentences.about_the_openings(any(opening.boards for opening in openings)),
    )


def _opening_page(game: Game, pairing: PairingFigures) -> OpeningPage:
    return OpeningPage(
        who(pairing.players),
        opening_boards(game, pairing.openings),
        _best_openings(pairing.openings),
        len(pairing.openings),
        sentences.about_the_pie(pie(pairing.openings)),
    )


def _best_openings(openings: Breakdown) -> list[tuple[str, Measurement]]:
    """Return the openings with the highest scores for the first player, first."""
    known = [(move, score) for move, score in openings.items() if score]
    return sorted(known, key=lambda entry: (-entry[1].value, entry[0]))[:MOST_OPENINGS]


def _comparison_charts(figures: StudyFigures) -> list[tuple[str, str]]:
    """Return the charts of a comparison, one for each level and measure, each with a description."""
    if not figures.comparisons:
        return []
    names = [variant.name for variant in figures.variants]
    charts = []
    for number, pairing in enumerate(figures.variants[0].pairings):
        if not pairing.between_equals:
            continue
        for name in COMPARED:
            if name not in figures.measures:
                continue
            measure = MEASURES[name]
            measurements = [variant.pairings[number].measures[name] for variant in figures.variants]
            rows = list(zip(names, measurements, strict=True))
            title = f"{measure.title}, {pairing.players[0]}"
            described = "; ".join(f"{variant}: {interval(value, measure.is_share)}" for variant, value in rows)
            even = 0.5 if name == "first_score" else None
            charts.append((f"{title}. {described}", measurements_chart(title, rows, measure.is_share, even)))
    return charts
