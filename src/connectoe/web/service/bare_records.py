"""Records of matches whose rules are not known any more: what was stored, without the board."""

from __future__ import annotations

from connectoe.core.writing import VERSION, escaped
from connectoe.web.service.refusals import NoSuchMatch
from connectoe.web.service.storage import Storage


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
