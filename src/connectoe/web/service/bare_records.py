"""Matches whose rules are no longer known: what is stored about them, without the board."""

from __future__ import annotations

from typing import NamedTuple

from connectoe.core.writing import VERSION, escaped
from connectoe.web.service.refusals import NoSuchMatch, RulesGone
from connectoe.web.service.storage import Storage
from connectoe.web.service.versions import game_of


class BareMatch(NamedTuple):
    """A match in a list, by what is stored alone."""

    id: str
    game: str
    players: str
    ply: int


def bare_matches(storage: Storage, holder: str, most: int) -> list[BareMatch]:
    """Return the matches of a browser whose rules are not known any more, among its latest."""
    found = []
    with storage.reading() as reading:
        for match_id in reading.of_holder(holder, most):
            row = reading.row(match_id)
            if row is None:
                continue
            try:
                game_of(row)
            except RulesGone:
                players = " and ".join(seat.name for seat in reading.seats(match_id) if seat.name)
                found.append(BareMatch(match_id, row.game, players, len(reading.moves(match_id))))
    return found


def bare_record(storage: Storage, match_id: str) -> str:
    """Return the record of a match by what is stored alone; without the rules nobody knows its result."""
    with storage.reading() as reading:
        row = reading.row(match_id)
        if row is None:
            raise NoSuchMatch("there is no such match")
        first, second = reading.seats(match_id)
        moves = reading.moves(match_id)
    options = " ".join(f"{name}={value}" for name, value in row.options.items())
    headers = {"Connectoe": str(VERSION), "Game": row.game, "Options": options}
    headers |= {"First": first.name, "Second": second.name, "Start": row.start, "Result": "*", "Rules": row.rules}
    lines = [f'[{name} "{escaped(value)}"]' for name, value in headers.items() if value]
    return "\n".join([*lines, "", " ".join([*moves, "*"]), ""])
