"""Live updates: how a change of a match reaches its watchers.

Within a process a change goes straight to the watchers' WebSockets. Between processes on one PostgreSQL, a
notification carries the match's id, and each process reads the match for its own watchers.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Callable, Iterable
from contextlib import suppress
from threading import Event, Thread

import sqlalchemy as sql

from connectoe.web.service.availability import first_line
from connectoe.web.service.keys import Keys
from connectoe.web.service.matches import Matches
from connectoe.web.service.refusals import NoSuchMatch
from connectoe.web.service.storage import CHANNEL, Storage
from connectoe.web.service.views import Stored
from connectoe.web.service.watching import Watchers

log = logging.getLogger("connectoe.web")
SHORTEST_PAUSE, LONGEST_PAUSE = 0.1, 10.0
"""The seconds between two attempts to reach the database again, which grow from the one to the other."""


class Live:
    """Tells the watchers of this process how their matches stand."""

    def __init__(self, matches: Matches, watchers: Watchers) -> None:
        self.matches = matches
        self.watchers = watchers
        matches.changed.connect(self.publish)

    def publish(self, stored: Stored) -> None:
        """Tell the watchers of a match how it stands; from any thread."""
        match_id = stored.row.id
        details = self.watchers.details(match_id)
        if details:
            self.watchers.follow_sides(match_id, stored.match.is_swapped)
            view = self.matches.seen_by(stored, Keys())
            messages = {detail: as_json(detail(view)) for detail in details}
            self.watchers.tell(match_id, messages, stored.row.version)

    def publish_again(self, match_id: str) -> None:
        """Read a match again and tell its watchers, if it has any."""
        if match_id in self.watchers.watched:
            self.matches.forget(match_id)
            try:
                self.publish(self.matches.stored(match_id))
            except NoSuchMatch:
                log.info("a match that was watched is gone")

    def publish_all_again(self) -> None:
        """Do the same for every watched match, since changes may have been missed."""
        for match_id in self.watchers.watched:
            self.publish_again(match_id)

    def tell_presence(self, match_id: str, seats: Iterable[int], is_here: bool) -> None:
        """Tell watchers on this process and others that the people on these seats came or went."""
        if self.matches.storage.is_postgresql:
            self.matches.presence.tell(match_id, seats, is_here)
        self.publish_again(match_id)

    def keep_presence(self) -> None:
        """Store that those on this process are still present, and look for others; one statement each."""
        if self.matches.storage.is_postgresql:
            self.matches.presence.note(self.watchers.present_seats())
            for match_id in self.matches.presence.look_for_others(self.watchers.watched):
                with suppress(NoSuchMatch):
                    self.publish(self.matches.stored(match_id))


def as_json(data: object) -> str:
    """Return data as JSON without spaces."""
    return json.dumps(data, separators=(",", ":"))


class Listener(Thread):
    """Receives notifications of changes that other processes make to matches in the same PostgreSQL."""

    def __init__(self, storage: Storage, heard: Callable[[str], None], missed: Callable[[], None]) -> None:
        super().__init__(name="listener", daemon=True)
        self.storage = storage
        self.heard = heard
        self.missed = missed
        self.is_listening = Event()
        self.is_over = Event()

    def run(self) -> None:
        """Listen until stopped; after a lost connection, all watched matches are read again."""
        pause = 0.0
        while not self.is_over.is_set():
            try:
                self._listen()
            except Exception as error:
                if self.is_over.is_set():
                    return
                if self.is_listening.is_set() or not pause:
                    log.warning("notifications from the database are interrupted: %s", first_line(error))
                    pause = SHORTEST_PAUSE
                self.is_listening.clear()
                self.is_over.wait(pause)
                pause = min(2 * pause, LONGEST_PAUSE)

    def _listen(self) -> None:
        import psycopg

        from connectoe.web.service.limited_postgresql import CONNECT_ARGUMENTS

        url = sql.make_url(self.storage.url).set(drivername="postgresql").render_as_string(hide_password=False)
        with psycopg.connect(url, autocommit=True, **CONNECT_ARGUMENTS) as connection:
            connection.execute(f"LISTEN {CHANNEL}")
            self.missed()
            self.is_listening.set()
            while not self.is_over.is_set():
                for notice in connection.notifies(timeout=1.0):
                    process, _, match_id = notice.payload.partition(" ")
                    if process != self.storage.process:
                        self.heard(match_id)

    def end(self) -> None:
        """Stop soon."""
        self.is_over.set()
