"""How a match stands after a change; nothing is stored here."""

from __future__ import annotations

import time
from typing import Any

from connectoe.core.match import Match
from connectoe.web.service.endings import PlayersEnding
from connectoe.web.service.offers import Answered, answers_with
from connectoe.web.service.views import Stored

MOST_MOVES = 20_000
"""How many moves a match may have; after the last it is drawn, as if the players had agreed on it."""


def after_move(stored: Stored, move: str) -> Stored:
    """Return the match after a move."""
    match = stored.match.copy()
    match.play(move)
    ended_by = None
    if match.ply >= MOST_MOVES and not match.outcome:
        ended_by = PlayersEnding()
        ended_by.end(match)
    answers = stored.row.answers
    for offer, asker in (("draw", stored.row.draw_offer), ("undo", stored.row.undo_offer)):
        if asker is not None and asker != stored.match.turn:  # who plays on declines
            answers = answers_with(answers, Answered(offer, asker, stored.match.ply, True))
    return next_version(stored, match, ended_by=ended_by, draw_offer=None, undo_offer=None, answers=answers)


def next_version(stored: Stored, match: Match, **columns: Any) -> Stored:
    """Return the match in its next version."""
    row = stored.row._replace(version=stored.row.version + 1, changed=time.time(), **columns)
    seats = stored.seats
    if match.is_swapped != stored.match.is_swapped:
        seats = (seats[1]._replace(seat=0), seats[0]._replace(seat=1))
        row = row._replace(answers=())
    return standing(Stored(row, seats, match))


def standing(stored: Stored) -> Stored:
    """Return the match with its row brought up to date."""
    turn = stored.match.turn
    is_engines = turn is not None and stored.seats[turn].kind == "engine"
    row = stored.row._replace(is_over=turn is None, engine_to_move=is_engines)
    return Stored(row, stored.seats, stored.match)
