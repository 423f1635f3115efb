"""An analysis in words. Values are put into words here and nowhere else."""

from __future__ import annotations

from connectoe.analysis import known_table
from connectoe.core.game import Game, declares
from connectoe.core.strength import KnownResult
from connectoe.engines.engine import Analysis, Candidate, Estimate, Exact
from connectoe.engines.readiness import is_ready


def theory_in_words(game: Game) -> str:
    """Return what best play from the start leads to, for people; an empty text where that is not known.

    >>> import connectoe
    >>> theory_in_words(connectoe.load("connect-four")), theory_in_words(connectoe.load("ultimate"))
    ('Solved: the first player wins in 41', '')
    """
    if game.swap == "yes":  # the solution is one of the game without it
        return ""
    known = game.known_result() if declares(game, "known_result") else None
    if known is None and is_ready(game, "table") and (table := known_table(game)):
        value, mover = table.value(game.rules.start), game.rules.player(game.rules.start)
        winner = None if value.result == "draw" else mover if value.result == "win" else 1 - mover
        known = KnownResult(winner, value.plies)
    if known is None:
        return ""
    if known.winner is None:
        return "Solved: a draw with best play"
    return f"Solved: the {('first', 'second')[known.winner]} player wins in {known.plies}"


def line_in_words(game: Game, found: Analysis) -> str:
    """Return the moves that are expected to follow; a line that only goes in circles is cut."""
    moves = " ".join(game.move_text(move) for move in found.line)
    return f"{moves} and so on: drawn" if found.line_repeats else moves


def value_in_words(value: Exact | Estimate) -> str:
    """Return a value for people, completing 'this move …' or naming the expected score.

    >>> from connectoe.engines.engine import Estimate, Exact
    >>> value_in_words(Exact("loss", 12)), value_in_words(Exact("draw")), value_in_words(Estimate(0.62))
    ('loses in 12', 'draws', 'expected score 62%')
    """
    if isinstance(value, Estimate):
        return f"expected score {value.share:.0%}"
    verb = {"win": "wins", "loss": "loses", "draw": "draws"}[value.result]
    return verb if value.plies is None or value.result == "draw" else f"{verb} in {value.plies}"


def in_words(candidate: Candidate) -> str:
    """Return all that is known of a move, for people.

    >>> from connectoe.engines.engine import Candidate, Estimate
    >>> in_words(Candidate(0, Estimate.from_visits(0.5, 100), visits=100))
    'expected score 50% (40% to 60%, looked at 100 times)'
    """
    if candidate.result:
        return value_in_words(candidate.value)
    if candidate.visits == 0:
        return "has not been looked at"
    low, high = candidate.interval
    times = "once" if candidate.visits == 1 else f"{candidate.visits:,} times"
    return f"{value_in_words(candidate.value)} ({low:.0%} to {high:.0%}, looked at {times})"
