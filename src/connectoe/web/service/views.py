"""A match as it is stored, and as a viewer sees it."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Hashable
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cached_property
from threading import RLock
from typing import Any, ClassVar, NamedTuple, TypeVar

from connectoe.core.match import Match
from connectoe.web.service.offers import Answers
from connectoe.web.service.storage import Row, SeatRow

T = TypeVar("T")


class Once:
    """Makes things that many requests need, each of them once.

    Their number is limited, so that nobody can fill the memory with them, and they are kept only for the matches that
    were changed last.

    >>> once = Once()
    >>> once("picture", lambda: print("drawn") or "O")
    drawn
    'O'
    >>> once("picture", lambda: print("drawn") or "O")
    'O'
    """

    MOST_KEPT = 40
    MOST_MATCHES = 100
    """Enough for 250 moves per second whose watchers come within 0.4 seconds; a match takes up to 30 kB here."""
    _latest: ClassVar[deque[Once]] = deque()

    def __init__(self) -> None:
        self._made: dict[Hashable, Any] = {}
        self._lock = RLock()

    def __call__(self, what: Hashable, make: Callable[[], T]) -> T:
        """Return something that was made before, or else make it."""
        with self._lock:
            made: T | None = self._made.get(what)
            if made is None:
                made = make()
                if not self._made:
                    self._forget_others()
                if len(self._made) < self.MOST_KEPT:
                    self._made[what] = made
            return made

    def _forget_others(self) -> None:
        self._latest.append(self)
        while len(self._latest) > self.MOST_MATCHES:
            with suppress(IndexError):  # another thread was quicker
                self._latest.popleft()._made.clear()


class Seat(NamedTuple):
    """Who sits at a match: a person, an engine of some level, or nobody yet."""

    kind: str
    name: str
    level: str | None
    present: bool


@dataclass(frozen=True)
class Stored:
    """A match as it was stored at one moment; it never changes."""

    row: Row
    seats: tuple[SeatRow, SeatRow]
    match: Match
    is_outdated: bool = False
    """Whether the rules of the game have changed since the match began."""
    offered: str = ""
    """The version of its game that was offered when it was read, if that comes from a file."""
    once: Once = field(default_factory=Once, compare=False)
    """What has been made of it for all viewers, such as a picture."""

    @cached_property
    def public(self) -> dict[str, Any]:
        """What everybody may know, apart from who is present; sent often, so computed once."""
        match, outcome = self.match, self.match.outcome
        return {
            "id": self.row.id,
            "version": self.row.version,
            "game": match.game.id,
            "options": match.game.options,
            "moves": match.moves,
            "ply": match.ply,
            "turn": match.turn,
            "result": outcome.result if outcome else None,
            "reason": outcome.reason if outcome else None,
            "status": match.status,
            "position": match.state.text,
            "start": match.start.text,
            "draw_offer": self.row.draw_offer,
            "undo_offer": self.row.undo_offer,
            "rematch": self.row.rematch,
            "thinking": self.row.engine_to_move,
            "practice": is_practice(self.seats),
            "rules_changed": self.is_outdated,
        }

    @property
    def level_to_move(self) -> str:
        """The level of the engine to move."""
        return self.seats[self.match.turn or 0].level or "medium"

    @property
    def is_of_engines(self) -> bool:
        """Whether engines play each other."""
        return all(seat.kind == "engine" for seat in self.seats)


@dataclass(frozen=True)
class MatchView:
    """A match as one viewer sees it at one moment."""

    id: str
    version: int
    match: Match
    seats: tuple[Seat, Seat]
    yours: frozenset[int]
    draw_offer: int | None
    undo_offer: int | None
    answers: Answers
    """What became of the viewer's offers, until the viewer's next move; they cannot be repeated before."""
    rematch: str | None
    thinking: bool
    note: str
    is_practice: bool
    invite: str | None
    private: dict[int, str]
    """The secrets of your seats, for links that move them to another device."""
    created: float
    changed: float
    shared: dict[str, Any]
    """`Stored.public`."""
    is_outdated: bool = False
    """Whether the rules of the game have changed since the match began."""
    once: Once = field(default_factory=Once, compare=False)
    """`Stored.once`: makes what is the same for all viewers of this version of the match."""

    @property
    def may_move(self) -> bool:
        """Whether the seat to move is one of the viewer's."""
        return self.match.turn in self.yours and not self.is_outdated

    def may_offer(self, offer: str) -> bool:
        """Whether the viewer may make an offer, "draw" or "undo", that was not answered since the last move."""
        return not any(answer.offer == offer for answer in self.answers)

    def data(self) -> dict[str, Any]:
        """Return the match as plain data for JSON; only `yours` differs between viewers."""
        return self.public() | {"yours": sorted(self.yours)}

    def public(self) -> dict[str, Any]:
        """Return what everybody may know."""
        return self.shared | self.news()

    def news(self) -> dict[str, Any]:
        """Return what is sent to a page after each change: the version, who is present, and a note."""
        return {"version": self.version, "seats": [seat._asdict() for seat in self.seats], "note": self.note}


def is_practice(seats: tuple[SeatRow, SeatRow]) -> bool:
    """Whether there are not two people who play each other."""
    kinds = {seat.kind for seat in seats}
    return "open" not in kinds and ("engine" in kinds or seats[0].holder == seats[1].holder)


def last_turn_of(match: Match, seat: int) -> int | None:
    """Return the ply at which a seat's last turn began, which an undo goes back to; a turn may have several moves."""
    for ply in range(match.ply - 1, -1, -1):
        if match.side_of(ply) == seat and (ply == 0 or match.side_of(ply - 1) != seat):
            return ply
    return None
