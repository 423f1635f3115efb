"""From finished chunks to figures: a pure function of the plan and its chunks."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict
from itertools import islice, pairwise
from pathlib import Path

from connectoe.core.errors import ConnectoeError
from connectoe.statistics import Difference, holm, mean_difference, score_difference, share_difference
from connectoe.study.breakdowns import by_direction, by_ending, by_opening, pie, skill, uses
from connectoe.study.chunks import ChunkResult, PlayedGames, Theory
from connectoe.study.figures import (
    Comparisons,
    Origin,
    PairingFigures,
    PieFigure,
    SkillFigure,
    StudyFigures,
    VariantDifference,
    VariantFigures,
)
from connectoe.study.folder import read_chunk
from connectoe.study.measures import Measure, chosen_measures, drawn_by_the_rules
from connectoe.study.plan import Pairing, Plan, always_alike, chunks_of, describe

LEVEL = 0.05
"""Differences with a lower corrected p-value are called real."""

INTERVALS = {"shares": "Wilson", "points": "Wilson", "others": "bootstrap", "differences of shares": "Newcombe"}

Counted = dict[tuple[int, tuple[str, str]], PlayedGames]
"""The games of each variant and pair of players."""


def summarise(plan: Plan, folder: Path, measures: Sequence[str] = ()) -> StudyFigures:
    """Return the figures of the finished study in a folder."""
    wanted = chosen_measures(measures)
    theories, games = _counted(plan, folder)
    game = plan.game(0)
    return StudyFigures(
        game.id,
        game.name,
        Origin(
            plan.version,
            plan.seed,
            list(plan.players),
            sum(pairing.games for pairing in plan.pairings if pairing.players),
            sum(pairing.chunks for pairing in plan.pairings),
        ),
        plan.evaluation,
        INTERVALS,
        {
            measure.name: {"title": measure.title, "meaning": measure.meaning, "ludii": measure.ludii or None}
            for measure in wanted
        },
        [_variant(plan, number, theories[number], games, wanted) for number in range(len(plan.variants))],
        compare(plan, games),
    )


def _counted(plan: Plan, folder: Path) -> tuple[dict[int, Theory | None], Counted]:
    """Return what the chunks say: the theory of each variant, and the games of each pairing."""
    theories: dict[int, Theory | None] = {}
    games: Counted = {}
    results = _results(plan, folder)
    for pairing in plan.pairings:
        chunks = list(islice(results, pairing.chunks))
        if pairing.players is None:
            theories[pairing.variant] = chunks[0].theory
        else:
            games[pairing.variant, pairing.players] = PlayedGames.merged(part.games for part in chunks if part.games)
    return theories, games


def _results(plan: Plan, folder: Path) -> Iterator[ChunkResult]:
    for chunk in chunks_of(plan):
        result = read_chunk(folder, chunk)
        if result is None:
            raise ConnectoeError(f"chunk {chunk.number} of the study in {folder} is not finished")
        yield result


def records(plan: Plan, folder: Path) -> Iterator[str]:
    """Yield the records of the games that were written down."""
    for result in _results(plan, folder):
        yield from result.games.records if result.games else ()


def _variant(
    plan: Plan, number: int, theory: Theory | None, games: Counted, measures: Sequence[Measure]
) -> VariantFigures:
    alike = always_alike(plan.game(number), plan.players)
    return VariantFigures(
        describe(plan.variants[number], plan.variants),
        plan.variants[number],
        theory,
        [
            _pairing(pairing, pairing.players, games[number, pairing.players], measures, alike)
            for pairing in plan.pairings
            if pairing.players and pairing.variant == number
        ],
        [
            SkillFigure(stronger, weaker, skill(games[number, (stronger, weaker)], games[number, (weaker, stronger)]))
            for weaker, stronger in pairwise(plan.players)
        ],
    )


def _pairing(
    pairing: Pairing, players: tuple[str, str], games: PlayedGames, measures: Sequence[Measure], alike: set[str]
) -> PairingFigures:
    openings = by_opening(games)
    even = pie(openings)
    return PairingFigures(
        players,
        games.results,
        pairing.plies,
        written_down=len(games.samples),
        different=len({game.line for game in games.samples}),
        evaluated=len(games.evaluations),
        measures={measure.name: measure.compute(games) for measure in measures},
        lengths=games.lengths,
        endings=by_ending(games),
        lines=by_direction(games),
        openings=openings,
        pie=PieFigure(even.move, even.score, even.among) if even else None,
        special=uses(games),
        always_alike={*players} <= alike,
    )


def compare(plan: Plan, games: Counted) -> Comparisons | None:
    """Compare each variant with the first one, between equal players; return None if there is only one variant.

    Shares are compared by the two-proportion z test, means by the z test with the variance of all games; the p-values
    are corrected for the number of all tests by Holm's method.
    """
    if len(plan.variants) < 2:
        return None
    gaps = [
        (name, number, measure, gap)
        for name in plan.players
        for number in range(1, len(plan.variants))
        for measure, gap in _differences(games[number, (name, name)], games[0, (name, name)]).items()
    ]
    corrected = holm([gap.p for *_, gap in gaps])
    rows = [
        VariantDifference(name, number, measure, **asdict(gap), p_holm=p, real=p < LEVEL)
        for (name, number, measure, gap), p in zip(gaps, corrected, strict=True)
    ]
    return Comparisons(0, "Holm", len(rows), LEVEL, rows)


def _differences(games: PlayedGames, base: PlayedGames) -> dict[str, Difference]:
    return {
        "first_score": score_difference(games.results.won_drawn_lost, base.results.won_drawn_lost),
        "first_wins": share_difference(games.results.first, games.played, base.results.first, base.played),
        "draws": share_difference(drawn_by_the_rules(games), games.played, drawn_by_the_rules(base), base.played),
        "length": mean_difference(games.lengths, base.lengths),
    }
