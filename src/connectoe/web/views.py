"""A match as it is stored, and as one of those who look at it sees it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

from connectoe.match import Match
from connectoe.web.storage import Row, SeatRow


class Seat(NamedTuple):
    """Who sits at a match: a person, an engine of some level, or nobody yet.

    >>> Seat("engine", "medium engine", "medium", True).kind
    'engine'
    """

    kind: str
    name: str
    level: str | None
    present: bool


@dataclass(frozen=True)
class Stored:
    """A match as it was stored at one moment. Nothing of it changes."""

    row: Row
    seats: tuple[SeatRow, SeatRow]
    match: Match

    @cached_property
    def facts(self) -> dict[str, Any]:
        """What everybody may know and nobody's coming and going changes; told often, so worked out once."""
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
        }


@dataclass(frozen=True)
class MatchView:
    """A match as one viewer sees it at one moment.

    >>> from connectoe import load
    >>> from connectoe.web.keys import Keys
    >>> from connectoe.web.matches import Matches, Wish
    >>> from connectoe.web.storage import Storage
    >>> matches = Matches(Storage("sqlite://"))
    >>> ann = Keys(browser="ann")
    >>> made = matches.create(ann, load("tic-tac-toe"), (Wish("me", "Ann"), Wish("engine", level="easy")))
    >>> view = matches.view(made.id, ann)
    >>> view.may_move, view.seats[1].name, sorted(view.yours)
    (True, 'easy', [0])
    """

    id: str
    version: int
    match: Match
    seats: tuple[Seat, Seat]
    yours: frozenset[int]
    draw_offer: int | None
    undo_offer: int | None
    rematch: str | None
    thinking: bool
    note: str
    is_practice: bool
    invite: str | None
    private: dict[int, str]
    """The secrets of your seats, for links that move them to another device."""
    created: float
    changed: float
    facts: dict[str, Any]

    @property
    def may_move(self) -> bool:
        """Whether the seat to move is one of the viewer's.

        >>> from connectoe import load
        >>> from connectoe.web.keys import Keys
        >>> from connectoe.web.matches import Matches, Wish
        >>> from connectoe.web.storage import Storage
        >>> matches = Matches(Storage("sqlite://"))
        >>> made = matches.create(Keys(browser="ann"), load("tic-tac-toe"), (Wish("me"), Wish("me")))
        >>> matches.view(made.id, Keys(browser="bob")).may_move
        False
        """
        return self.match.turn in self.yours

    def data(self) -> dict[str, Any]:
        """The match as plain data for JSON; the same for every viewer but for `yours`.

        >>> from connectoe import load
        >>> from connectoe.web.keys import Keys
        >>> from connectoe.web.matches import Matches, Wish
        >>> from connectoe.web.storage import Storage
        >>> matches = Matches(Storage("sqlite://"))
        >>> made = matches.create(Keys(browser="ann"), load("tic-tac-toe"), (Wish("me"), Wish("me")))
        >>> matches.view(made.id, Keys()).data()["status"]
        'X to move'
        """
        return self.public() | {"yours": sorted(self.yours)}

    def public(self) -> dict[str, Any]:
        """What everybody may know.

        >>> from connectoe import load
        >>> from connectoe.web.keys import Keys
        >>> from connectoe.web.matches import Matches, Wish
        >>> from connectoe.web.storage import Storage
        >>> matches = Matches(Storage("sqlite://"))
        >>> made = matches.create(Keys(browser="ann"), load("tic-tac-toe"), (Wish("me"), Wish("me")))
        >>> "yours" in matches.view(made.id, Keys()).public()
        False
        """
        return self.facts | {"seats": [seat._asdict() for seat in self.seats], "note": self.note}


def is_practice(seats: tuple[SeatRow, SeatRow]) -> bool:
    """Whether no two different people play each other.

    >>> engine = SeatRow("m", 0, "engine", "easy", "easy", "", "", "", 0.0)
    >>> is_practice((engine, engine._replace(seat=1)))
    True
    """
    kinds = {seat.kind for seat in seats}
    return "open" not in kinds and ("engine" in kinds or seats[0].holder == seats[1].holder)


def ended_by_players(match: Match) -> str:
    """How the players ended a match without a move, as `Matches.create` wants it said; empty if they did not.

    >>> import connectoe
    >>> match = Match(connectoe.load("connect-four"))
    >>> ended_by_players(match)
    ''
    >>> match.resign(0)
    >>> ended_by_players(match)
    'resignation 0'
    """
    outcome = match.outcome
    if outcome is None or match.state.outcome or outcome.reason not in ("resignation", "agreement"):
        return ""
    return outcome.reason if outcome.winner is None else f"{outcome.reason} {1 - outcome.winner}"


def last_turn_of(match: Match, seat: int) -> int | None:
    """The ply at which a seat's last turn began, which an undo goes back to; a turn may have several moves.

    >>> import connectoe
    >>> match = Match(connectoe.load("connect-four"))
    >>> for move in "dee":
    ...     match.play(move)
    >>> last_turn_of(match, 0), last_turn_of(match, 1)
    (2, 1)
    """
    for ply in range(match.ply - 1, -1, -1):
        if match.state_at(ply).turn == seat and (ply == 0 or match.state_at(ply - 1).turn != seat):
            return ply
    return None
