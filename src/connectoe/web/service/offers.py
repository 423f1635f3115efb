"""Offers of a draw or of taking moves back: what became of them, and when one may offer again.

An offer that was declined or withdrawn may be repeated after the next move of the player who made it, so that nobody is
asked the same thing again and again.
"""

from __future__ import annotations

import json
from typing import NamedTuple

from connectoe.core.match import Match
from connectoe.web.service.refusals import Refused

OFFERS = ("draw", "undo")


class Answered(NamedTuple):
    """The last offer of a kind that a seat made, after how many moves, and whether the opponent declined it."""

    offer: str
    seat: int
    ply: int
    is_declined: bool


Answers = tuple[Answered, ...]


def answers_with(answers: Answers, new: Answered) -> Answers:
    """Return the answers with a new one, which replaces that to the seat's earlier offer of the kind."""
    others = (old for old in answers if (old.offer, old.seat) != (new.offer, new.seat))
    return (*others, new)


def still_valid(answers: Answers, match: Match) -> Answers:
    """Return the answers to offers whose makers have not moved since."""
    return tuple(answer for answer in answers if not _has_moved_since(match, answer.seat, answer.ply))


def _has_moved_since(match: Match, seat: int, ply: int) -> bool:
    return any(match.side_of(past) == seat for past in range(ply, match.ply))


def must_not_insist(answers: Answers, match: Match, offer: str, seat: int) -> None:
    """Raise Refused if a seat made this offer before, got its answer, and has not moved since."""
    if any((answer.offer, answer.seat) == (offer, seat) for answer in still_valid(answers, match)):
        raise Refused("you have offered that already: you may offer it again after your next move")


def text_of(answers: Answers) -> str:
    """Return the answers as they are stored."""
    return json.dumps(answers)


def from_text(text: str) -> Answers:
    """Return the answers that a stored text stands for."""
    return tuple(Answered(*fields) for fields in json.loads(text or "[]"))
