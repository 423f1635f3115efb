"""The figures as a table: figures.csv has one figure per line."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from dataclasses import fields

from connectoe.statistics import Measurement
from connectoe.study.figures import PairingFigures, StudyFigures, VariantFigures

COLUMNS = ("variant", "first", "second", "figure", "of", "value", "low", "high", "games", "p", "p_holm")
POINTS = {"win": 1.0, "draw": 0.5, "loss": 0.0}
"""The first player's points with best play."""

Line = list[str | int | float]


def as_csv(figures: StudyFigures) -> str:
    """Return the content of figures.csv."""
    text = io.StringIO()
    table = csv.writer(text, lineterminator="\n")
    table.writerow(COLUMNS)
    table.writerows([*line, *[""] * (len(COLUMNS) - len(line))] for line in _lines(figures))
    return text.getvalue()


def _lines(figures: StudyFigures) -> Iterator[Line]:
    for variant in figures.variants:
        for pairing in variant.pairings:
            for line in _pairing_lines(pairing):
                yield [variant.name, *pairing.players, *line]
        yield from _variant_lines(variant)
    for row in figures.comparisons.rows if figures.comparisons else []:
        who = [figures.variants[row.variant].name, row.players, row.players]
        base = f"difference from {figures.variants[0].name}"
        yield [*who, base, row.measure, row.value, row.low, row.high, "", row.p, row.p_holm]


def _pairing_lines(pairing: PairingFigures) -> Iterator[Line]:
    first, second, drawn = pairing.results
    for name, count in (
        ("won by the first", first),
        ("won by the second", second),
        ("drawn", drawn),
        ("written down", pairing.written_down),
        ("different", pairing.different),
        ("evaluated", pairing.evaluated),
    ):
        yield ["games", name, count, "", "", pairing.games]
    for name, measurement in pairing.measures.items():
        yield [name, "", *_numbers(measurement)]
    for breakdown, figure in (
        (pairing.endings, "ends by"),
        (pairing.lines, "won by a line"),
        (pairing.openings, "score after"),
    ):
        for name, measurement in breakdown.items():
            yield [figure, name, *_numbers(measurement)]
    if pairing.pie:
        yield ["pie rule", pairing.pie.move, *_numbers(pairing.pie.score)]
    for kind, use in pairing.special.items():
        for part in fields(use):
            yield [f"use {part.name}", kind, *_numbers(getattr(use, part.name))]
    for length, count in pairing.lengths.items():
        yield ["games of length", length, count, "", "", pairing.games]


def _variant_lines(variant: VariantFigures) -> Iterator[Line]:
    for gap in variant.skill:
        yield [variant.name, gap.stronger, gap.weaker, "skill", "", *_numbers(gap.score)]
    if theory := variant.theory:
        yield [variant.name, "", "", "theory", "score", POINTS[theory.value]]
        yield [variant.name, "", "", "theory", "moves", "" if theory.plies is None else theory.plies]
        for move, value in theory.moves.items():
            yield [variant.name, "", "", "theory after", move, POINTS[value]]


def _numbers(measurement: Measurement | None) -> Line:
    if measurement is None:
        return ["", "", "", 0]
    return [measurement.value, measurement.low, measurement.high, measurement.games]
