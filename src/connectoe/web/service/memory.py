"""The matches that a process keeps in memory to answer quickly."""

from __future__ import annotations

from collections import OrderedDict
from threading import Lock

from connectoe.web.service.views import Stored

MOST_KEPT = 2000
"""How many matches are kept."""
MOST_ENDED_KEPT = 200
"""How many finished matches are kept: people look at them for a while after the last move, and rarely later."""
MOST_MOVES_KEPT = 200_000
"""How many moves they have in all, since each keeps its positions: 250 MB for ultimate ultimate tic-tac-toe."""


class MatchMemory:
    """The matches used last; the others are read again from the database."""

    def __init__(self) -> None:
        self.kept: OrderedDict[str, Stored] = OrderedDict()
        self.moves_kept = 0
        self._ended: OrderedDict[str, None] = OrderedDict()  # those that are over, the one used last at the end
        self._lock = Lock()

    def find(self, match_id: str, version: int | None = None) -> Stored | None:
        """Return a match if it is kept in that version, or in any."""
        with self._lock:
            stored = self.kept.get(match_id)
            if stored is None or (version is not None and stored.row.version != version):
                return None
            self.kept.move_to_end(match_id)
            if match_id in self._ended:
                self._ended.move_to_end(match_id)
            return stored

    def keep(self, stored: Stored) -> Stored:
        """Keep a match, and return it."""
        with self._lock:
            self._drop(stored.row.id)
            self.kept[stored.row.id] = stored
            self.moves_kept += stored.match.ply
            if stored.row.is_over:
                self._ended[stored.row.id] = None
            while len(self._ended) > MOST_ENDED_KEPT:
                self._drop(next(iter(self._ended)))
            while len(self.kept) > MOST_KEPT or self.moves_kept > MOST_MOVES_KEPT:
                self._drop(next(iter(self.kept)))
        return stored

    def forget(self, match_id: str) -> None:
        """Drop a match, so that it is read again the next time."""
        with self._lock:
            self._drop(match_id)

    def _drop(self, match_id: str) -> None:
        stored = self.kept.pop(match_id, None)
        self._ended.pop(match_id, None)
        self.moves_kept -= stored.match.ply if stored else 0
