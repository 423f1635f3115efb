"""Who is present at a match: the people who watch it on this process, and those that other processes have seen."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence

from connectoe.web.service.storage import SeatRow, Storage
from connectoe.web.service.views import Seat

PRESENT_FOR = 45.0
"""The seconds for which a person seen by another process counts as present."""


class Presence:
    """The people who are present, on this process and, through the database, on others."""

    def __init__(self, storage: Storage, is_here: Callable[[str, int], bool]) -> None:
        self._storage = storage
        self._is_here = is_here
        self._elsewhere: set[tuple[str, int]] = set()  # who was present when it was last looked for

    def seat(self, seat: SeatRow) -> Seat:
        """Return a seat as everybody may see it, with whether its holder is present; an engine always is."""
        is_present = (
            seat.kind == "engine"
            or self._is_here(seat.match, seat.seat)
            or (seat.match, seat.seat) in self._elsewhere
            or (seat.seen > 0 and abs(time.time() - seat.seen) < PRESENT_FOR)
        )
        return Seat(seat.kind, seat.name, seat.level, is_present)

    def note(self, people: Iterable[tuple[str, int]]) -> None:
        """Store that the people on these seats of matches are still present, for other processes to see."""
        everybody = sorted(people)  # in order, so that two processes do not wait for each other
        if everybody:
            with self._storage.changing("") as change:
                change.set_seen(everybody, time.time())

    def tell(self, match_id: str, seats: Iterable[int], is_here: bool) -> None:
        """Store that the people on these seats came or went, and tell other processes."""
        with self._storage.changing("") as change:
            change.set_seen([(match_id, seat) for seat in seats], time.time() if is_here else 0.0)
            change.tell(match_id)

    def forget(self, match_id: str) -> None:
        """Forget who was present at a match on other processes."""
        self._elsewhere = {(other, seat) for other, seat in self._elsewhere if other != match_id}

    def exchange(self, match_id: str) -> None:
        """Let the people of a match on other processes follow their sides, which have been swapped."""
        self._elsewhere = {(other, 1 - seat if other == match_id else seat) for other, seat in self._elsewhere}

    def look_for_others(self, match_ids: Sequence[str]) -> set[str]:
        """Find out who is present at these matches on other processes; return those where that has changed."""
        with self._storage.reading() as reading:
            present = reading.present(match_ids, PRESENT_FOR)
        before, self._elsewhere = self._elsewhere, present
        return {match_id for match_id, _ in before ^ present} & set(match_ids)
