"""How a match stands after a change; nothing is stored here."""

from __future__ import annotations

import time
from typing import Any

from connectoe.core.match import Match
from connectoe.core.own_games import version_of
from connectoe.web.service.endings import PlayersEnding
from connectoe.web.service.offers import Answered, answers_with
from connectoe.web.service.refusals import Refused
from connectoe.web.service.storage import Row, SeatRow
from connectoe.web.service.views import Stored, is_practice, last_turn_of

MOST_MOVES = 20_000
"""How many moves a match may have; after the last it is drawn, as if the players had agreed on it."""


def first_version(
    match_id: str, seats: tuple[SeatRow, SeatRow], match: Match, ended_by: PlayersEnding | None = None
) -> Stored:
    """Return a new match in its first version."""
    game, now = match.game, time.time()
    start = match.start.text if match.start != game.start else ""
    row = Row(
        match_id, game.id, dict(game.options), start, 1, now, now, False, ended_by, None, None, None, False,
        rules=version_of(type(game)),
    )  # fmt: skip
    return standing(Stored(row, seats, match))


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


def undone(stored: Stored, seat: int) -> Stored:
    """Return the match before the last move of a seat, or before the last move if one person holds both seats."""
    match = stored.match.copy()
    ended_by_players = stored.row.ended_by
    if ended_by_players:
        match.undo()
    is_alone = all(row.kind == "person" for row in stored.seats) and is_practice(stored.seats)
    ply = match.ply - 1 if is_alone else last_turn_of(match, seat)
    if ended_by_players and match.ply < MOST_MOVES:  # not because of their last move
        ply = match.ply
    if ply is None or ply < 0:
        raise Refused("there is no move to take back")
    while match.ply > ply:
        match.undo()
    return next_version(stored, match, ended_by=None, draw_offer=None, undo_offer=None, answers=())


def rematch_of(stored: Stored, match_id: str) -> Stored:
    """Return the first version of the next match of the same players, with sides swapped."""
    first, second = (stored.seats[1 - number]._replace(match=match_id, seat=number) for number in (0, 1))
    match = Match(stored.match.game, players=(first.name, second.name), start=stored.match.start)
    return first_version(match_id, (first, second), match)


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
