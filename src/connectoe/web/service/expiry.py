"""Old matches: when they expire, and how they are brought back.

Clocks jump: a machine starts without a battery, or the year is set wrong. So a match expires only by time that
servers of its database have themselves seen pass. They add it up in the table `uptime`, in hours; time in which no
server runs does not count.

A sweep notes in the table `idle` which version of a match it has found, and when. What is found in the same version for
too long is moved to the table `expired`, one row per match, and removed from there some time later. All of this is done
a few matches at a time, so that nobody waits for it.
"""

from __future__ import annotations

import json
import logging
import time
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import sqlalchemy as sql

from connectoe.web.service.storage import Change, Storage, matches, metadata, moves, seats

log = logging.getLogger("connectoe.web")
DAY = 24.0
"""In hours."""
UNFINISHED_FOR = 30 * DAY
"""The hours without a change after which an unfinished match expires."""
FINISHED_FOR = 365 * DAY
"""The hours after which a finished match expires."""
EXPIRED_FOR = 30 * DAY
"""The hours for which an expired match can be brought back."""
LONGEST_PAUSE = 1.0
"""The hours counted at once; a server counts more often, unless it was stopped in between and has seen nothing."""
AT_ONCE = 20
"""How many matches one transaction moves."""
LOOKED_AT_ONCE = 500
"""How many matches one transaction looks at."""

uptime = sql.Table(
    "uptime",
    metadata,
    sql.Column("id", sql.Integer, primary_key=True),
    sql.Column("hours", sql.Float, nullable=False),
    sql.Column("probe", sql.Integer, nullable=False),
)
idle = sql.Table(
    "idle",
    metadata,
    sql.Column("match", sql.String(20), sql.ForeignKey("matches.id", ondelete="CASCADE"), primary_key=True),
    sql.Column("version", sql.Integer, nullable=False),
    sql.Column("is_over", sql.Boolean, nullable=False),
    sql.Column("since", sql.Float, nullable=False),
)
expired = sql.Table(
    "expired",
    metadata,
    sql.Column("match", sql.String(20), primary_key=True),
    sql.Column("since", sql.Float, nullable=False),
    sql.Column("content", sql.Text, nullable=False),
)
TABLES = {"matches": matches, "seats": seats, "moves": moves}


class Expiry:
    """Lets old matches expire, by the time that this server and others have seen pass."""

    def __init__(self, storage: Storage, clock: Callable[[], float] = time.monotonic) -> None:
        self.storage = storage
        self.clock = clock
        self._counted_until = clock()
        self._hours = 0.0

    def count_time(self) -> float:
        """Add the time since the last call to that which was seen pass; return it all, in hours."""
        now = self.clock()
        self._hours += min((now - self._counted_until) / 3600, LONGEST_PAUSE)
        self._counted_until = now
        with self.storage.changing("") as change:
            stored = float(change.connection.scalar(sql.select(uptime.c.hours)) or 0.0)
            self._hours = max(self._hours, stored)  # another server, or this one before a restart, has seen more
            change.connection.execute(sql.update(uptime).values(hours=self._hours))
        return self._hours

    def sweep(self) -> Iterator[None]:
        """Let old matches expire; a step at a time, after each of which others should have their turn."""
        yield from self._note_changes()
        for is_over, lasts in ((False, UNFINISHED_FOR), (True, FINISHED_FOR)):
            yield from self._expire(is_over, lasts)
        yield from self._remove()

    def _note_changes(self) -> Iterator[None]:
        """Note which matches have changed since the last sweep."""
        last = ""
        while True:
            query = (
                sql.select(matches.c.id, matches.c.version, matches.c.is_over, idle.c.version.label("noted"))
                .outerjoin(idle, idle.c.match == matches.c.id)
                .where(matches.c.id > last)
                .order_by(matches.c.id)
                .limit(LOOKED_AT_ONCE)
            )
            with self.storage.reading() as reading:
                found = reading.connection.execute(query).all()
            changed = [row for row in found if row.version != row.noted]
            if changed:
                with self.storage.changing("") as change:
                    ids = [row.id for row in changed]
                    there = set(change.connection.scalars(sql.select(matches.c.id).where(matches.c.id.in_(ids))))
                    change.connection.execute(sql.delete(idle).where(idle.c.match.in_(ids)))
                    noted = [
                        {"match": row.id, "version": row.version, "is_over": row.is_over, "since": self._hours}
                        for row in changed
                        if row.id in there
                    ]
                    if noted:
                        change.connection.execute(sql.insert(idle), noted)
            yield
            if len(found) < LOOKED_AT_ONCE:
                return
            last = found[-1].id

    def _expire(self, is_over: bool, lasts: float) -> Iterator[None]:
        query = sql.select(idle.c.match, idle.c.version).where(
            idle.c.is_over == is_over, idle.c.since <= self._hours - lasts
        )
        done: list[str] = []
        while True:
            with self.storage.changing("") as change:
                found = change.connection.execute(query.limit(AT_ONCE)).all()
                gone = [row.match for row in found if self._move_away(change, row.match, row.version)]
            if gone:
                log.info("expired: %s", " ".join(gone))
            done += gone
            yield
            if len(found) < AT_ONCE:
                break
        if done:
            kind = "finished" if is_over else "unfinished"
            days = EXPIRED_FOR / DAY
            log.warning("%d %s matches have expired; `connectoe restore` lists them for %d days", len(done), kind, days)

    def _move_away(self, change: Change, match_id: str, version: int) -> bool:
        """Move a match to those that have expired; return False if it has changed meanwhile."""
        connection = change.connection
        query = sql.select(matches).where(matches.c.id == match_id, matches.c.version == version)
        row = connection.execute(query.with_for_update() if self.storage.is_postgresql else query).first()
        connection.execute(sql.delete(idle).where(idle.c.match == match_id))
        if row is None:
            return False
        content = {"matches": [_plain(row)]}
        for name in ("seats", "moves"):
            table = TABLES[name]
            found = connection.execute(sql.select(table).where(table.c.match == match_id))
            content[name] = [_plain(one) for one in found]
        connection.execute(sql.insert(expired).values(match=match_id, since=self._hours, content=json.dumps(content)))
        connection.execute(sql.delete(matches).where(matches.c.id == match_id))
        return True

    def _remove(self) -> Iterator[None]:
        """Remove those that have been expired for too long."""
        query = sql.select(expired.c.match).where(expired.c.since <= self._hours - EXPIRED_FOR).limit(AT_ONCE)
        while True:
            with self.storage.changing("") as change:
                gone = list(change.connection.scalars(query))
                change.connection.execute(sql.delete(expired).where(expired.c.match.in_(gone)))
            if gone:
                log.info("removed for good: %s", " ".join(gone))
            yield
            if len(gone) < AT_ONCE:
                return


def expired_matches(storage: Storage) -> list[tuple[str, float]]:
    """Return the matches that can be brought back, and for how many hours of a server's time each still can."""
    with storage.reading() as reading:
        now = float(reading.connection.scalar(sql.select(uptime.c.hours)) or 0.0)
        found = reading.connection.execute(sql.select(expired.c.match, expired.c.since).order_by(expired.c.since)).all()
    return [(match_id, max(0.0, since + EXPIRED_FOR - now)) for match_id, since in found]


def restore(storage: Storage, match_ids: Iterable[str]) -> list[str]:
    """Bring expired matches back as they were; return those that were found."""
    restored = []
    for match_id in match_ids:
        with storage.changing("") as change:
            query = sql.select(expired.c.content).where(expired.c.match == match_id)
            content = change.connection.scalar(query)
            if content is None:
                continue
            for name, rows in json.loads(content).items():
                if rows:
                    change.connection.execute(sql.insert(TABLES[name]), [_stored(TABLES[name], row) for row in rows])
            change.connection.execute(sql.delete(expired).where(expired.c.match == match_id))
        restored.append(match_id)
    return restored


def _plain(row: Any) -> dict[str, Any]:
    """Return a row as data for JSON."""
    return {name: getattr(value, "text", value) for name, value in row._mapping.items()}


def _stored(table: sql.Table, row: dict[str, Any]) -> dict[str, Any]:
    """Return what such data stands for; columns that there no longer are stay out."""
    from connectoe.web.service.endings import PlayersEnding

    known = {name: value for name, value in row.items() if name in table.c}
    if known.get("ended_by") is not None:
        known["ended_by"] = PlayersEnding.from_text(known["ended_by"])
    return known
