"""The figures of a study: a pure function of its plan and chunks, as plain data for JSON and as lines of CSV."""

from __future__ import annotations

import csv
import gzip
import io
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice, pairwise
from pathlib import Path
from typing import Any

from connectoe.errors import ConnectoeError
from connectoe.study.measures import (
    Games,
    Measure,
    by_direction,
    by_ending,
    by_opening,
    chosen_measures,
    games_from,
    pie,
    skill,
    uses,
)
from connectoe.study.plan import Pairing, Plan, always_alike, chunks_of, describe, facts
from connectoe.study.running import read_chunk
from connectoe.study.statistics import Difference, Estimate, holm, mean_difference, score_difference, share_difference

LEVEL = 0.05
"""Differences with a lower corrected chance than this are called real."""

INTERVALS = {"shares": "Wilson", "points": "Wilson", "others": "bootstrap", "differences of shares": "Newcombe"}
"""How they are made; figures that do not say it are older, and have a bootstrap's for points and Wald's differences."""


def figures(plan: Plan, folder: Path, measures: Sequence[str] = ()) -> dict[str, Any]:
    """All figures of the finished study in a folder.

    >>> import connectoe
    >>> from concurrent.futures import ThreadPoolExecutor
    >>> from tempfile import TemporaryDirectory
    >>> from connectoe.study.plan import make_plan
    >>> from connectoe.study.running import prepare, run
    >>> plan = make_plan([connectoe.load("tic-tac-toe")], ["random"], 1000, evaluated=0)
    >>> with TemporaryDirectory() as folder:
    ...     prepare(plan, Path(folder))
    ...     run(plan, Path(folder), lambda: ThreadPoolExecutor(1), 1)
    ...     found = figures(plan, Path(folder))
    >>> found["variants"][0]["theory"]["value"], found["variants"][0]["pairings"][0]["games"]
    ('draw', 1000)
    """
    wanted = chosen_measures(measures)
    theories, games = _counted(plan, folder)
    variants = []
    for number, options in enumerate(plan.variants):
        alike = always_alike(plan.game(number), plan.players)
        variants.append(
            {
                "name": describe(options, plan.variants),
                "options": options,
                "theory": theories[number],
                "pairings": [
                    _pairing(pairing, games[number, pairing.players], wanted)
                    | {"always_alike": {*pairing.players} <= alike}
                    for pairing in plan.pairings
                    if pairing.players and pairing.variant == number
                ],
                "skill": [
                    {
                        "stronger": stronger,
                        "weaker": weaker,
                        **_estimate(skill(games[number, (stronger, weaker)], games[number, (weaker, stronger)])),
                    }
                    for weaker, stronger in pairwise(plan.players)
                ],
            }
        )
    game = plan.game(0)
    return {
        "game": game.id,
        "name": game.name,
        "made": facts(plan),
        "evaluation": {"simulations": plan.evaluation},
        "intervals": INTERVALS,
        "measures": {
            measure.name: {"title": measure.title, "meaning": measure.meaning, "ludii": measure.ludii or None}
            for measure in wanted
        },
        "variants": variants,
        "comparisons": comparisons(plan, games),
    }


Counted = dict[tuple[int, tuple[str, str]], Games]


def _counted(plan: Plan, folder: Path) -> tuple[dict[int, Any], Counted]:
    """What the chunks say: the theory of each variant, and the games of each pairing."""
    theories: dict[int, Any] = {}
    games: Counted = {}
    chunks = chunks_of(plan)
    for pairing in plan.pairings:
        played = []
        for chunk in islice(chunks, pairing.chunks):
            data = read_chunk(folder, chunk)
            if data is None:
                raise ConnectoeError(f"chunk {chunk.number} of the study in {folder} is not finished")
            played.append(data)
        if pairing.players is None:
            theories[pairing.variant] = played[0]["theory"]
        else:
            games[pairing.variant, pairing.players] = games_from(played)
    return theories, games


def _pairing(pairing: Pairing, games: Games, measures: Sequence[Measure]) -> dict[str, Any]:
    openings = by_opening(games)
    even = pie(openings)
    return {
        "players": list(pairing.players or ()),
        "plies": pairing.plies,
        "games": games.played,
        "results": games.results,
        "written_down": len(games.sample),
        "different": len({game["line"] for game in games.sample}),
        "evaluated": len(games.evaluated),
        "measures": {measure.name: _estimate(measure.work_out(games)) for measure in measures},
        "lengths": {str(length): count for length, count in games.lengths.items()},
        "endings": {name: _estimate(share) for name, share in by_ending(games).items()},
        "lines": {name: _estimate(share) for name, share in by_direction(games).items()},
        "openings": {move: _estimate(score) for move, score in openings.items()},
        "pie": {"move": even.move, **_estimate(even.score), "among": even.among} if even else None,
        "special": {
            kind: {name: _estimate(getattr(use, name)) for name in use._fields} for kind, use in uses(games).items()
        },
    }


def _estimate(estimate: Estimate | None) -> dict[str, Any]:
    return estimate._asdict() if estimate else {"value": None, "low": None, "high": None, "games": 0}


# Comparing variants.


def comparisons(plan: Plan, games: Counted) -> dict[str, Any] | None:
    """Each variant beside the first one, between equal players, with the chance that there is no difference; None if
    there is only one.

    Shares are compared by the two-proportion z test, means by the z test with the variance of all games; the chances
    are corrected for all tests together by Holm's method.

    >>> import connectoe
    >>> from connectoe.study.plan import make_plan
    >>> comparisons(make_plan([connectoe.load("tic-tac-toe")], ["random"]), {}) is None
    True
    """
    if len(plan.variants) < 2:
        return None
    rows: list[dict[str, Any]] = []
    for name in plan.players:
        base = games[0, (name, name)]
        for number in range(1, len(plan.variants)):
            other = games[number, (name, name)]
            for measure, gap in _differences(other, base).items():
                rows.append({"players": name, "variant": number, "measure": measure, **gap._asdict()})
    for row, chance in zip(rows, holm([row["p"] for row in rows]), strict=True):
        row["p_holm"] = chance
        row["real"] = chance < LEVEL
    return {
        "base": 0,
        "correction": "Holm",
        "tests": len(rows),
        "level": LEVEL,
        "rows": rows,
    }


def _differences(games: Games, base: Games) -> dict[str, Difference]:
    lengths = [{float(moves): count for moves, count in each.lengths.items()} for each in (games, base)]
    points = [(each.results[0], each.results[2], each.results[1]) for each in (games, base)]
    drawn = [each.results[2] - each.endings.get("ply limit", 0) for each in (games, base)]
    return {
        "first_score": score_difference(points[0], points[1]),
        "first_wins": share_difference(games.results[0], games.played, base.results[0], base.played),
        "draws": share_difference(drawn[0], games.played, drawn[1], base.played),
        "length": mean_difference(lengths[0], lengths[1]),
    }


# The same as a table.

COLUMNS = ("variant", "first", "second", "figure", "of", "value", "low", "high", "games", "p", "p_holm")
POINTS = {"win": 1.0, "draw": 0.5, "loss": 0.0}
"""What the first player has of a game with best play."""


def as_csv(found: dict[str, Any]) -> str:
    """All figures as CSV, one a line.

    >>> as_csv({"variants": [], "comparisons": None})
    'variant,first,second,figure,of,value,low,high,games,p,p_holm\\n'
    """
    text = io.StringIO()
    table = csv.writer(text, lineterminator="\n")
    table.writerow(COLUMNS)
    table.writerows([*line, *[""] * (len(COLUMNS) - len(line))] for line in _lines(found))
    return text.getvalue()


def _lines(found: dict[str, Any]) -> Iterator[list[Any]]:
    for variant in found["variants"]:
        for pairing in variant["pairings"]:
            who = [variant["name"], *pairing["players"]]
            for result, count in zip(
                ("won by the first", "won by the second", "drawn"), pairing["results"], strict=True
            ):
                yield [*who, "games", result, count, "", "", pairing["games"]]
            for name in ("written_down", "different", "evaluated"):
                yield [*who, "games", name.replace("_", " "), pairing[name], "", "", pairing["games"]]
            for name, estimate in pairing["measures"].items():
                yield [*who, name, "", *_numbers(estimate)]
            for part, figure in (("endings", "ends by"), ("lines", "won by a line"), ("openings", "score after")):
                for name, estimate in pairing[part].items():
                    yield [*who, figure, name, *_numbers(estimate)]
            if pairing["pie"]:
                yield [*who, "pie rule", pairing["pie"]["move"], *_numbers(pairing["pie"])]
            for kind, use in pairing["special"].items():
                for name, estimate in use.items():
                    yield [*who, f"use {name}", kind, *_numbers(estimate)]
            for length, count in pairing["lengths"].items():
                yield [*who, "games of length", length, count, "", "", pairing["games"]]
        for gap in variant["skill"]:
            yield [variant["name"], gap["stronger"], gap["weaker"], "skill", "", *_numbers(gap)]
        if theory := variant["theory"]:
            yield [variant["name"], "", "", "theory", "score", POINTS[theory["value"]]]
            yield [variant["name"], "", "", "theory", "moves", "" if theory["plies"] is None else theory["plies"]]
            for move, value in theory["moves"].items():
                yield [variant["name"], "", "", "theory after", move, POINTS[value]]
    for row in (found["comparisons"] or {"rows": []})["rows"]:
        who = [found["variants"][row["variant"]]["name"], row["players"], row["players"]]
        beside = f"difference from {found['variants'][0]['name']}"
        yield [*who, beside, row["measure"], row["value"], row["low"], row["high"], "", row["p"], row["p_holm"]]


def _numbers(estimate: dict[str, Any]) -> list[Any]:
    return ["" if estimate[name] is None else estimate[name] for name in ("value", "low", "high", "games")]


def packed_records(texts: Iterable[str]) -> bytes:
    """Records of games as a gzip file, the same bytes for the same games.

    >>> gzip.decompress(packed_records(["one", "two"]))
    b'one\\ntwo'
    """
    return gzip.compress("\n".join(texts).encode(), mtime=0)


def records(plan: Plan, folder: Path) -> Iterator[str]:
    """The games that were written down, as records.

    >>> import connectoe
    >>> from connectoe.study.plan import make_plan
    >>> list(records(make_plan([connectoe.load("tic-tac-toe")], ["random"]), Path("nowhere")))
    []
    """
    for chunk in chunks_of(plan):
        yield from (read_chunk(folder, chunk) or {}).get("records", [])
