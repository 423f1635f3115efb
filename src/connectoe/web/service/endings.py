"""How players end a match without a move: a resignation, or a draw they agree on."""

from __future__ import annotations

from dataclasses import dataclass

from connectoe.core.match import AGREEMENT, RESIGNATION, Match


@dataclass(frozen=True)
class PlayersEnding:
    """A resignation by a seat, or an agreed draw where `resigned` is None."""

    resigned: int | None = None

    @property
    def text(self) -> str:
        """What is stored: `agreement`, or `resignation 0` with the seat."""
        return AGREEMENT.kind if self.resigned is None else f"{RESIGNATION} {self.resigned}"

    @classmethod
    def from_text(cls, text: str) -> PlayersEnding | None:
        """Return the ending that a stored text stands for; None for the empty text."""
        if not text:
            return None
        kind, _, seat = text.partition(" ")
        if (kind, seat) == (AGREEMENT.kind, ""):
            return cls()
        if kind == RESIGNATION and seat in ("0", "1"):
            return cls(int(seat))
        raise ValueError(f"{text!r} is not how players end a match")

    @classmethod
    def of_match(cls, match: Match) -> PlayersEnding | None:
        """Return how the players ended a match; None if they did not, or if its moves did."""
        outcome = match.outcome
        if outcome is None or outcome.kind not in (AGREEMENT.kind, RESIGNATION):
            return None
        return cls(None if outcome.winner is None else 1 - outcome.winner)

    def end(self, match: Match) -> None:
        """End a match in this way."""
        if self.resigned is None:
            match.agree_draw()
        else:
            match.resign(self.resigned)
