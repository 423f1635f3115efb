"""Numbers, players and theory as a report writes them."""

from __future__ import annotations

from collections.abc import Sequence

from connectoe.statistics import Measurement
from connectoe.study.chunks import Theory
from connectoe.study.figures import PairingFigures, VariantDifference
from connectoe.study.measures import MEASURES

NOTHING = "–"


def percent(share: float | None, digits: int = 1) -> str:
    """Return a share in percent."""
    return NOTHING if share is None else f"{100 * share:.{digits}f}%"


def interval(measurement: Measurement | None, is_share: bool = True) -> str:
    """Return a measurement with its interval."""
    return " ".join(filter(None, interval_parts(measurement, is_share)))


def interval_parts(measurement: Measurement | None, is_share: bool = True) -> tuple[str, str]:
    """Return a measurement and, in brackets, its interval."""
    if measurement is None:
        return NOTHING, ""
    value, low, high = measurement.value, measurement.low, measurement.high
    if is_share:
        return f"{100 * value:.1f}%", f"({100 * low:.1f} to {100 * high:.1f})"
    digits = 2 if abs(value) < 100 else 1
    return f"{value:.{digits}f}", f"({low:.{digits}f} to {high:.{digits}f})"


def signed_parts(gap: VariantDifference) -> tuple[str, str]:
    """Return a difference in percentage points or moves and, in brackets, its interval."""
    scale = 100 if MEASURES[gap.measure].is_share else 1
    return f"{scale * gap.value:+.1f}", f"({scale * gap.low:+.1f} to {scale * gap.high:+.1f})"


def p_value(p: float) -> str:
    """Return a p-value as a table shows it."""
    return "<0.001" if p < 0.001 else f"{p:.3f}"


def count(number: int, noun: str) -> str:
    """Return a number with its noun.

    >>> count(1, "opening"), count(1200, "game")
    ('1 opening', '1,200 games')
    """
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def who(players: Sequence[str]) -> str:
    """Return who plays whom."""
    return players[0] if players[0] == players[1] else f"{players[0]} first, {players[1]} second"


def level(pairing: PairingFigures) -> str:
    """Return which players play against themselves, and from which positions."""
    after = f" after {count(pairing.plies, 'random move')}" if pairing.plies else ""
    return f"{pairing.players[0]} players{after}"


def theory_in_words(theory: Theory) -> str:
    """Return the exact value of a game in words."""
    ends = {"win": "the first player wins", "loss": "the second player wins", "draw": "the game is drawn"}
    length = f", in {theory.plies} moves" if theory.plies and theory.value != "draw" else ""
    return f"with best play {ends[theory.value]}{length}"
