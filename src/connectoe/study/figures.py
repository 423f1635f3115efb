"""The figures of a study, and their JSON. Figures written by older versions can be read."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields
from typing import Any

from connectoe.core.errors import ConnectoeError
from connectoe.core.options import OptionValue
from connectoe.statistics import Measurement
from connectoe.study.breakdowns import Breakdown, Use
from connectoe.study.chunks import Results, Theory

Plain = dict[str, Any]
"""Data for JSON."""


def _measurement_to_plain(measurement: Measurement | None) -> Plain:
    return asdict(measurement) if measurement else {"value": None, "low": None, "high": None, "games": 0}


def _measurement_from(data: Plain) -> Measurement | None:
    return None if data["value"] is None else Measurement(data["value"], data["low"], data["high"], data["games"])


def _breakdown_to_plain(breakdown: Mapping[str, Measurement | None]) -> Plain:
    return {name: _measurement_to_plain(measurement) for name, measurement in breakdown.items()}


def _breakdown_from(data: Plain) -> Breakdown:
    return {name: _measurement_from(measurement) for name, measurement in data.items()}


@dataclass(frozen=True, slots=True)
class PieFigure:
    """The opening nearest to even; the interval of its score holds for all openings it was picked from."""

    move: str
    score: Measurement | None
    among: int
    """The number of these openings; 0 in figures of older versions."""


@dataclass(frozen=True, slots=True)
class PairingFigures:
    """The figures of the games between two players, the first of whom moves first."""

    players: tuple[str, str]
    results: Results
    plies: int = 0
    """Random moves at the start of each game."""
    written_down: int = 0
    """The games that were followed move by move."""
    different: int = 0
    """How many of these are different."""
    evaluated: int = 0
    measures: Breakdown = field(default_factory=dict)
    lengths: dict[int, int] = field(default_factory=dict)
    endings: Breakdown = field(default_factory=dict)
    lines: Breakdown = field(default_factory=dict)
    """The directions of winning lines."""
    openings: Breakdown = field(default_factory=dict)
    pie: PieFigure | None = None
    special: dict[str, Use] = field(default_factory=dict)
    always_alike: bool | None = None
    """Whether both players always make the same move in the same position; None in figures of older versions."""

    @property
    def games(self) -> int:
        """The number of games."""
        return self.results.games

    @property
    def between_equals(self) -> bool:
        """Whether a player played against itself."""
        return self.players[0] == self.players[1]

    def to_plain(self) -> Plain:
        """Return the figures as data for JSON."""
        pie = self.pie
        data = {
            "players": self.players,
            "plies": self.plies,
            "games": self.games,
            "results": self.results,
            "written_down": self.written_down,
            "different": self.different,
            "evaluated": self.evaluated,
            "measures": _breakdown_to_plain(self.measures),
            "lengths": {str(length): count for length, count in self.lengths.items()},
            "endings": _breakdown_to_plain(self.endings),
            "lines": _breakdown_to_plain(self.lines),
            "openings": _breakdown_to_plain(self.openings),
            "pie": pie and {"move": pie.move, **_measurement_to_plain(pie.score), "among": pie.among},
            "special": {
                kind: _breakdown_to_plain({part.name: getattr(use, part.name) for part in fields(use)})
                for kind, use in self.special.items()
            },
        }
        return data if self.always_alike is None else {**data, "always_alike": self.always_alike}

    @classmethod
    def from_plain(cls, data: Plain) -> PairingFigures:
        """Return the figures that such data stands for."""
        first, second = data["players"]
        pie = data["pie"]
        return cls(
            (first, second),
            Results(*data["results"]),
            data["plies"],
            data["written_down"],
            data["different"],
            data["evaluated"],
            _breakdown_from(data["measures"]),
            {int(length): count for length, count in data["lengths"].items()},
            _breakdown_from(data["endings"]),
            _breakdown_from(data["lines"]),
            _breakdown_from(data["openings"]),
            PieFigure(pie["move"], _measurement_from(pie), pie.get("among", 0)) if pie else None,
            {kind: Use(**_breakdown_from(use)) for kind, use in data["special"].items()},
            data.get("always_alike"),
        )


@dataclass(frozen=True, slots=True)
class SkillFigure:
    """The score of a player against the next weaker one."""

    stronger: str
    weaker: str
    score: Measurement | None


@dataclass(frozen=True, slots=True)
class VariantFigures:
    """The figures of a variant."""

    name: str
    options: dict[str, OptionValue]
    theory: Theory | None
    pairings: list[PairingFigures]
    skill: list[SkillFigure]

    @property
    def equals(self) -> list[PairingFigures]:
        """The games of each player against itself, the weakest player first."""
        return [pairing for pairing in self.pairings if pairing.between_equals]

    def to_plain(self) -> Plain:
        """Return the figures as data for JSON."""
        return {
            "name": self.name,
            "options": self.options,
            "theory": self.theory and asdict(self.theory),
            "pairings": [pairing.to_plain() for pairing in self.pairings],
            "skill": [
                {"stronger": gap.stronger, "weaker": gap.weaker, **_measurement_to_plain(gap.score)}
                for gap in self.skill
            ],
        }

    @classmethod
    def from_plain(cls, data: Plain) -> VariantFigures:
        """Return the figures that such data stands for."""
        return cls(
            data["name"],
            data["options"],
            Theory(**data["theory"]) if data["theory"] else None,
            [PairingFigures.from_plain(pairing) for pairing in data["pairings"]],
            [SkillFigure(gap["stronger"], gap["weaker"], _measurement_from(gap)) for gap in data["skill"]],
        )


@dataclass(frozen=True, slots=True)
class VariantDifference:
    """The difference of a measure between a variant and the first one, with its p-value."""

    players: str
    variant: int
    measure: str
    value: float
    low: float
    high: float
    p: float
    p_holm: float
    """Corrected for the number of tests."""
    real: bool
    """Whether that is below the level of significance."""


@dataclass(frozen=True, slots=True)
class Comparisons:
    """The variants compared with the first one."""

    base: int
    correction: str
    tests: int
    level: float
    rows: list[VariantDifference]


@dataclass(frozen=True, slots=True)
class Origin:
    """How a study was made."""

    connectoe: str
    """The version."""
    seed: int
    players: list[str]
    games: int
    chunks: int


@dataclass(frozen=True, slots=True)
class StudyFigures:
    """All figures of a study."""

    game: str
    name: str
    origin: Origin
    simulations: int
    """Of the evaluation, per position."""
    intervals: dict[str, str] | None
    """How intervals are made; None in older figures, with bootstrap intervals of points and Wald's of differences."""
    measures: dict[str, dict[str, str | None]]
    """The title, the meaning and Ludii's name of each measure."""
    variants: list[VariantFigures]
    comparisons: Comparisons | None
    """None if there is only one variant."""

    def to_json(self) -> str:
        """Return the content of figures.json."""
        data: Plain = {"game": self.game, "name": self.name, "made": asdict(self.origin)}
        data["evaluation"] = {"simulations": self.simulations}
        if self.intervals:
            data["intervals"] = self.intervals
        data["measures"] = self.measures
        data["variants"] = [variant.to_plain() for variant in self.variants]
        data["comparisons"] = self.comparisons and asdict(self.comparisons)
        return json.dumps(data, indent=1, ensure_ascii=False) + "\n"

    @classmethod
    def from_json(cls, text: str) -> StudyFigures:
        """Return the figures in such a text."""
        try:
            data = json.loads(text)
            tested = data["comparisons"]
            return cls(
                data["game"],
                data["name"],
                Origin(**data["made"]),
                data["evaluation"]["simulations"],
                data.get("intervals"),
                data["measures"],
                [VariantFigures.from_plain(variant) for variant in data["variants"]],
                tested and Comparisons(**{**tested, "rows": [VariantDifference(**row) for row in tested["rows"]]}),
            )
        except (ValueError, TypeError, KeyError, AttributeError) as error:
            raise ConnectoeError(f"these are not the figures of a study: {error!r:.100}") from error
