"""The result of a chunk: the theory of a variant, or games and what is counted in them. Its file is JSON."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable
from dataclasses import asdict, dataclass, field
from typing import Any, NamedTuple

from connectoe.study.checked import with_check, without_check

DIRECTIONS = ("row", "column", "diagonal")
"""Of winning lines."""


class Results(NamedTuple):
    """How many games the first player won, the second player won, and nobody won."""

    first: int = 0
    second: int = 0
    drawn: int = 0

    @property
    def games(self) -> int:
        """All games."""
        return sum(self)

    @property
    def won_drawn_lost(self) -> tuple[int, int, int]:
        """The results from the first player's point of view."""
        return self.first, self.drawn, self.second

    def plus(self, other: Results) -> Results:
        """Return the results of both together."""
        return Results(*(a + b for a, b in zip(self, other, strict=True)))


@dataclass(frozen=True, slots=True)
class Theory:
    """The exact value of a variant for the first player, and of each first move."""

    value: str
    """'win', 'draw' or 'loss'."""
    plies: int | None
    moves: dict[str, str]


@dataclass(frozen=True, slots=True)
class GameSample:
    """What is counted in a game move by move."""

    line: int
    """A checksum of the moves, which tells different games apart."""
    moves: int
    turns: int
    direction: str | None
    """The direction of the winning line, where there is one."""
    branching: float
    decisions: float
    uses: dict[str, list[int]]
    """For each kind of special move, the plies at which it was made."""


@dataclass(frozen=True, slots=True)
class GameEvaluation:
    """What a tree search says about the course of a game; measures.py explains the numbers."""

    changes: float
    drama: float
    decisive: float | None
    """None, as `settled`, if the game was drawn."""
    settled: float | None


@dataclass(frozen=True, slots=True)
class PlayedGames:
    """Games between two players, and what is counted in them."""

    results: Results
    lengths: dict[int, int] = field(default_factory=dict)
    """How many games had each number of moves."""
    endings: dict[str, int] = field(default_factory=dict)
    """How many games ended in each way: one of `Game.endings`, repetition, or the ply limit."""
    openings: dict[str, Results] = field(default_factory=dict)
    """The results after each first move."""
    samples: list[GameSample] = field(default_factory=list)
    """The games that were followed move by move."""
    evaluations: list[GameEvaluation] = field(default_factory=list)
    """The games whose positions a tree search evaluated."""
    records: list[str] = field(default_factory=list)

    @property
    def played(self) -> int:
        """The number of games."""
        return self.results.games

    @classmethod
    def merged(cls, parts: Iterable[PlayedGames]) -> PlayedGames:
        """Return the games of all parts together, without their records."""
        total = cls(Results())
        results, lengths, endings = Results(), Counter[int](), Counter[str]()
        for part in parts:
            results = results.plus(part.results)
            lengths.update(part.lengths)
            endings.update(part.endings)
            for move, after in part.openings.items():
                total.openings[move] = total.openings.get(move, Results()).plus(after)
            total.samples.extend(part.samples)
            total.evaluations.extend(part.evaluations)
        return cls(
            results,
            {length: lengths[length] for length in sorted(lengths)},
            {name: endings[name] for name in sorted(endings) if endings[name]},
            {move: total.openings[move] for move in sorted(total.openings)},
            total.samples,
            total.evaluations,
        )

    def to_plain(self) -> dict[str, Any]:
        """Return the games as data for JSON."""
        return {
            "games": self.played,
            "results": self.results,
            "lengths": {str(length): count for length, count in self.lengths.items()},
            "endings": self.endings,
            "openings": self.openings,
            "sample": [asdict(sample) for sample in self.samples],
            "evaluated": [asdict(evaluation) for evaluation in self.evaluations],
            "records": self.records,
        }

    @classmethod
    def from_plain(cls, data: dict[str, Any]) -> PlayedGames:
        """Return the games that such data stands for."""
        return cls(
            Results(*data["results"]),
            {int(length): count for length, count in data["lengths"].items()},
            data["endings"],
            {move: Results(*after) for move, after in data["openings"].items()},
            [GameSample(**sample) for sample in data["sample"]],
            [GameEvaluation(**evaluation) for evaluation in data["evaluated"]],
            data["records"],
        )


@dataclass(frozen=True, slots=True)
class ChunkResult:
    """The result of a chunk: games, or for a chunk without players the theory, if it is known."""

    number: int
    seed: int
    games: PlayedGames | None = None
    theory: Theory | None = None

    def to_json(self) -> bytes:
        """Return the content of the chunk's file."""
        content = self.games.to_plain() if self.games else {"theory": self.theory and asdict(self.theory)}
        data = {"chunk": self.number, "seed": self.seed, **content}
        return with_check(json.dumps(data, ensure_ascii=False, separators=(",", ":"))).encode()

    @classmethod
    def from_json(cls, content: bytes) -> ChunkResult:
        """Read the content of a chunk's file; raise ValueError if it is damaged."""
        try:
            data = json.loads(without_check(content.decode()))
            if "theory" in data:
                theory = Theory(**data["theory"]) if data["theory"] else None
                return cls(data["chunk"], data["seed"], theory=theory)
            return cls(data["chunk"], data["seed"], PlayedGames.from_plain(data))
        except (TypeError, KeyError, AttributeError) as error:
            raise ValueError(f"this is not the result of a chunk: {error}") from error
