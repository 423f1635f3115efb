"""The values of positions and moves of a match, as the pages show them."""

from __future__ import annotations

from typing import Any, NamedTuple

from connectoe.analysis_words import value_in_words
from connectoe.core.match import Match
from connectoe.engines.engine import OPPOSITE, Analysis, Estimate, Exact
from connectoe.engines.readiness import is_ready


class Worth(NamedTuple):
    """What a position is worth, for a value bar and a graph."""

    share: float
    """What the first player can expect."""
    exact: bool
    words: str
    """Whose value it is, and what: "X: wins in 7"."""
    label: str
    """The same in a graph: the winner and the moves to the end, "X7", or "=" for a draw; empty for an estimate."""


def worth_of(match: Match, analysis: Analysis) -> Worth:
    """Return what the position is worth that a match stands at."""
    turn = match.state.turn or 0
    value: Exact | Estimate = Estimate(analysis.share)
    label = ""
    if analysis.result:
        value = Exact(analysis.result, analysis.plies)
        winner = {"win": turn, "loss": 1 - turn}.get(analysis.result)
        label = "=" if winner is None else f"{match.game.symbols[winner]}{analysis.plies or ''}"
    share = value.share if turn == 0 else 1 - value.share
    words = f"{match.game.symbols[turn]}: {value_in_words(value)}"
    return Worth(round(share, 6), isinstance(value, Exact), words, label)


def worth_at_end(match: Match) -> Worth:
    """Return what the result of a match is worth that is over."""
    outcome = match.outcome
    assert outcome
    if outcome.winner is None:
        return Worth(0.5, True, match.status, "=")
    return Worth(float(outcome.winner == 0), True, match.status, match.game.symbols[outcome.winner])


def values_shown(match: Match, ply: int, analysis: Analysis) -> dict[str, Any]:
    """Return what a position of a match is worth, for the page's script.

    `best` is the best move, `played` the move that was made, `led_here` what the move before is worth by what is known
    here, where it was looked at more closely, and `worth` is for a value bar and a graph.
    """
    turn = match.state_at(ply).turn
    best = analysis.candidates[0]
    move_text = match.game.move_text
    played = match.moves[ply] if ply < match.ply else None
    known = [one.value for one in analysis.candidates if move_text(one.move) == played]
    led_here = _for_mover(best.value, match.state_at(ply - 1).turn == turn) if ply else None
    return {
        "best": {"move": move_text(best.move)} | _worth(best.value),
        "played": _worth(known[0]) if known else None,
        "led_here": _worth(led_here) if led_here else None,
        "worth": worth_of(match.beginning(ply), analysis)._asdict(),
        "is_final": is_final(analysis),
        "is_by_engine": is_ready(match.game, "analysis"),
    }


def is_final(analysis: Analysis) -> bool:
    """Whether a longer search cannot find more: all results are certain, and so are the moves to the end."""
    return analysis.length_known and all(one.plies or one.result == "draw" for one in analysis.candidates)


def _for_mover(value: Exact | Estimate, is_same_player: bool) -> Exact | Estimate:
    """Return the value of a move, given the value of the position it led to for the player to move there."""
    if isinstance(value, Exact):
        result = value.result if is_same_player else OPPOSITE[value.result]
        return Exact(result, None if value.plies is None else value.plies + 1)
    return value if is_same_player else Estimate(1 - value.share, 1 - value.high, 1 - value.low)


def _worth(value: Exact | Estimate) -> dict[str, Any]:
    return {"share": round(value.share, 6), "exact": isinstance(value, Exact), "words": value_in_words(value)}
