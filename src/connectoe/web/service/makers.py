"""Which client made a match: its engines think at that client's expense."""

from __future__ import annotations

from connectoe.web.service.views import Stored

MOST_MAKERS = 10_000
"""How many matches are remembered with the client that made them."""


class Makers:
    """The clients that made the latest matches."""

    def __init__(self) -> None:
        self._clients: dict[str, str] = {}  # by match, the latest last

    def note(self, match_id: str, client: str) -> None:
        """Remember the client that made a match."""
        self._clients[match_id] = client
        while len(self._clients) > MOST_MAKERS:
            del self._clients[next(iter(self._clients))]

    def note_rematch(self, match_id: str, rematch: str) -> None:
        """Remember that a rematch is made by the client that made the match before."""
        self.note(rematch, self._clients.get(match_id, ""))

    def client_of(self, stored: Stored) -> str:
        """Return the client for whom the engines of a match think: its maker, or else the browser that plays in it."""
        people = (seat.holder for seat in stored.seats if seat.kind != "engine")
        return self._clients.get(stored.row.id) or next(people, stored.row.id)
