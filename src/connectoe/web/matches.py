"""Matches between people and engines: who may do what, and what everybody may see.

All that changes a match goes through `Matches`; each change is one transaction, and is told to `on_change` once it is
stored. Nothing here knows of HTTP, HTML or WebSockets.
"""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from threading import Lock
from typing import Any, NamedTuple

from sqlalchemy.exc import IntegrityError

from connectoe.catalogue import load_known
from connectoe.game import Game
from connectoe.match import Match
from connectoe.players import DESCRIPTIONS, PERFECT, has_perfect
from connectoe.state import State
from connectoe.web.keys import Keys, hashed, invitation, new_id, new_secret
from connectoe.web.names import plain_name
from connectoe.web.refusals import NoSuchMatch, NotYourSeat, Refused, Stale
from connectoe.web.storage import Change, Reading, Row, SeatRow, Storage
from connectoe.web.views import MatchView, Seat, Stored, is_practice, last_turn_of

MOST_KEPT = 2000
"""How many matches a process keeps in memory to answer quickly."""
MOST_MOVES_KEPT = 200_000
"""How many moves these have in all, since each keeps its positions; of ultimate ultimate tic-tac-toe that is 250 MB."""
MOST_MOVES = 20_000
"""How many moves a match has: after the last of them it is drawn, as if the players had agreed on it."""
PRESENT_FOR = 45.0
"""The seconds for which a person who was seen by another process counts as present."""


class Wish(NamedTuple):
    """Who shall sit there in a new match: "me", "open" (somebody with the link) or "engine" (of a level).

    >>> Wish("engine", level="hard").kind
    'engine'
    """

    kind: str
    name: str = ""
    level: str | None = None


class Created(NamedTuple):
    """A new match: its id, the secrets of the seats its maker holds, and the code that takes the open seat.

    >>> Created("m", {0: "secret"}, None).id
    'm'
    """

    id: str
    secrets: dict[int, str]
    invite: str | None


class Matches:
    """All matches of a database.

    >>> from connectoe.web.storage import Storage
    >>> matches = Matches(Storage("sqlite://"))
    >>> ann, bob = Keys(browser="ann"), Keys(browser="bob")
    >>> made = matches.create(ann, load_known("tic-tac-toe"), (Wish("me", "Ann"), Wish("open")))
    >>> joined = matches.join(made.id, bob, made.invite, "Bob")
    >>> matches.play(made.id, ann, "b2", ply=0).match.status
    'O to move'
    >>> matches.play(made.id, ann, "a1", ply=1)
    Traceback (most recent call last):
    connectoe.web.refusals.NotYourSeat: it is not your turn
    """

    def __init__(
        self,
        storage: Storage,
        on_change: Callable[[Stored], None] = lambda stored: None,
        is_here: Callable[[str, int], bool] = lambda match_id, seat: False,
        note: Callable[[Stored], str] = lambda stored: "",
    ) -> None:
        self.storage = storage
        self.on_change = on_change
        self.is_here = is_here
        self.note = note
        self._kept: OrderedDict[str, Stored] = OrderedDict()
        self._moves_kept = 0
        self._lock = Lock()

    # Looking.

    def view(self, match_id: str, keys: Keys) -> MatchView:
        """The match as whoever has these keys sees it."""
        return self.seen_by(self.stored(match_id), keys)

    def stored(self, match_id: str) -> Stored:
        """The match as it is stored now."""
        with self.storage.reading() as reading:
            return self._read(reading, reading.row(match_id))

    def recent(self, keys: Keys, most: int = 50) -> list[MatchView]:
        """The matches that a browser takes part in, the latest first."""
        if not keys.holder:
            return []
        with self.storage.reading() as reading:
            found = [self._read(reading, reading.row(match_id)) for match_id in reading.of_holder(keys.holder, most)]
        return [self.seen_by(stored, keys) for stored in found]

    def seen_by(self, stored: Stored, keys: Keys) -> MatchView:
        """What whoever has these keys sees of it."""
        row, both, match = stored.row, stored.seats, stored.match
        yours = frozenset(seat.seat for seat in both if _is_held_by(seat, keys))
        private = {seat.seat: keys.bearer or keys.seat_secret(seat.origin) for seat in both if seat.seat in yours}
        invite = None
        for seat in both:
            for secret in private.values():
                if seat.kind == "open" and hashed(invitation(secret)) == seat.secret_hash:
                    invite = invitation(secret)
        return MatchView(
            id=row.id,
            version=row.version,
            match=match,
            seats=(self._seat(both[0]), self._seat(both[1])),
            yours=yours,
            draw_offer=row.draw_offer,
            undo_offer=row.undo_offer,
            rematch=row.rematch,
            thinking=row.engine_to_move,
            note=self.note(stored) if row.engine_to_move else "",
            is_practice=is_practice(both),
            invite=invite,
            private=private,
            created=row.created,
            changed=row.changed,
            facts=stored.facts,
        )

    def _seat(self, seat: SeatRow) -> Seat:
        is_present = (
            seat.kind == "engine" or self.is_here(seat.match, seat.seat) or time.time() - seat.seen < PRESENT_FOR
        )
        return Seat(seat.kind, seat.name, seat.level, is_present)

    # Beginning.

    def create(
        self,
        keys: Keys,
        game: Game,
        seats: tuple[Wish, Wish],
        start: State | None = None,
        moves: Sequence[str] = (),
        ended_by: str = "",
    ) -> Created:
        """A new match, from a position or after moves if these are given.

        One that players have ended already is ended by an "agreement", or by the "resignation 0" of a seat.
        """
        match_id = new_id()
        holder = keys.holder or hashed(f"holder {new_secret()}")
        secrets: dict[int, str] = {}
        rows = []
        if sum(wish.kind == "open" for wish in seats) and not any(wish.kind == "me" for wish in seats):
            raise Refused("a match with an open seat needs you on the other one")
        for number, wish in enumerate(seats):
            origin = f"{match_id} {number}"
            seat = SeatRow(match_id, number, wish.kind, "", None, "", origin, "", 0.0)
            if wish.kind == "me":
                secrets[number] = keys.seat_secret(origin) if keys.browser else new_secret()
                name = plain_name(wish.name)
                seat = seat._replace(kind="person", name=name, secret_hash=hashed(secrets[number]), holder=holder)
            elif wish.kind == "engine":
                if wish.level not in DESCRIPTIONS:
                    raise Refused(
                        f"there is no level {str(wish.level)[:30]!r}; the levels are: {', '.join(DESCRIPTIONS)}"
                    )
                if wish.level == PERFECT and not has_perfect(game):
                    raise Refused(f"there is no perfect player for {game.name} with these options: it is not solved")
                seat = seat._replace(name=wish.level, level=wish.level)
            elif wish.kind != "open":
                raise Refused(f"a seat is for me, open or engine, not for {wish.kind[:20]!r}")
            rows.append(seat)
        invite = None
        for number, seat in enumerate(rows):
            if seat.kind == "open":
                invite = invitation(secrets[1 - number])
                rows[number] = seat._replace(secret_hash=hashed(invite))
        if not secrets:  # whoever lets engines play finds the match again, without a seat
            rows = [seat._replace(holder=holder) for seat in rows]
        match = Match(game, players=(rows[0].name, rows[1].name), start=start)
        for move in moves[: MOST_MOVES + 1]:
            match.play(move)
        _end(match, ended_by)
        if match.ply > MOST_MOVES or (match.ply == MOST_MOVES and not match.outcome):
            raise Refused(f"a match has at most {MOST_MOVES:,} moves, so this one could not go on")
        now = time.time()
        start_text = match.start.text if match.start != game.start else ""
        row = Row(
            match_id, game.id, dict(game.options), start_text, 1, now, now, False, ended_by, None, None, None, False
        )
        stored = _standing(Stored(row, (rows[0], rows[1]), match))
        with self.storage.changing(match_id) as change:
            change.add(stored.row, rows, match.moves)
        self._announce(stored)
        return Created(match_id, secrets, invite)

    def invited(self, match_id: str, invite: str) -> int:
        """The open seat that an invitation is for."""
        return _invited(self.stored(match_id), invite).seat

    def join(self, match_id: str, keys: Keys, invite: str, name: str) -> tuple[MatchView, str]:
        """Takes the open seat; the match, and the secret that moves for the seat from now on."""
        with self.storage.changing(match_id) as change:
            stored = self._read(change, change.locked)
            seat = _invited(stored, invite)
            secret = keys.seat_secret(seat.origin) if keys.browser else new_secret()
            seat = seat._replace(
                kind="person",
                name=plain_name(name),
                secret_hash=hashed(secret),
                holder=keys.holder or hashed(f"holder {secret}"),
            )
            stored = self._reseated(change, stored, seat)
        self._announce(stored)
        return self.seen_by(stored, keys if keys.browser else Keys(bearer=secret)), secret

    def claim(self, match_id: str, keys: Keys, secret: str) -> MatchView:
        """Moves a seat to the browser with these keys; the device it was on before loses it."""
        with self.storage.changing(match_id) as change:
            stored = self._read(change, change.locked)
            for seat in stored.seats:
                if seat.kind == "person" and seat.secret_hash == hashed(secret):
                    origin = f"{match_id} {seat.seat} {new_id()}"
                    new = keys.seat_secret(origin) if keys.browser else secret
                    seat = seat._replace(origin=origin, secret_hash=hashed(new), holder=keys.holder or seat.holder)
                    stored = self._reseated(change, stored, seat)
                    break
            else:
                raise NotYourSeat("this link does not fit a seat of the match; it may have moved on to another device")
        self._announce(stored)
        return self.seen_by(stored, keys)

    # Playing.

    def play(self, match_id: str, keys: Keys, move: str, ply: int) -> MatchView:
        """The match after a move meant as its ply-th, counted from 0; the same move sent again changes nothing."""
        with self.storage.changing(match_id) as change:
            stored = self._read(change, change.locked)
            if 0 <= ply < stored.match.ply and self._is_a_repeat(stored, keys, move, ply):
                return self.seen_by(stored, keys)
            self._must_be_current(stored, keys, ply)
            turn = stored.match.turn
            if turn is None:
                raise Stale(f"the match is over: {stored.match.status}", self.seen_by(stored, keys))
            if not _is_held_by(stored.seats[turn], keys):
                raise NotYourSeat(
                    "it is not your turn" if self.seen_by(stored, keys).yours else "you only watch this match"
                )
            stored = self._played(change, stored, move, keys)
        self._announce(stored)
        return self.seen_by(stored, keys)

    def _is_a_repeat(self, stored: Stored, keys: Keys, move: str, ply: int) -> bool:
        """Whether this very move by this very player has been stored before: its answer got lost, perhaps."""
        before = stored.match.state_at(ply)
        mover = stored.seats[before.turn or 0]
        return stored.match.moves[ply] == move and _is_held_by(mover, keys)

    def play_for_engine(self, match_id: str, version: int, move: str) -> None:
        """Plays what an engine chose, unless the match has changed since it began to think."""
        with self.storage.changing(match_id) as change:
            stored = self._read(change, change.locked)
            if stored.row.version != version or not stored.row.engine_to_move:
                return
            stored = self._played(change, stored, move, Keys())
        self._announce(stored)

    def _played(self, change: Change, stored: Stored, move: str, keys: Keys) -> Stored:
        match = stored.match.copy()
        match.play(move)
        ended_by = ""
        if match.ply >= MOST_MOVES and not match.outcome:
            ended_by = "agreement"
            match.agree_draw()
        try:
            change.add_move(stored.row.id, stored.match.ply, move, time.time())
        except IntegrityError:  # another process was quicker
            raise Stale("another move was made meanwhile", self.seen_by(stored, keys)) from None
        return self._changed(change, stored, match, ended_by=ended_by, draw_offer=None, undo_offer=None)

    def undo(self, match_id: str, keys: Keys, ply: int | None = None) -> MatchView:
        """Takes the viewer's last move back: at once in practice, and by asking when it was played against a person.

        `ply` says after how many moves that was wanted (a resignation or agreement counts as one); when it has been
        done already, because an answer got lost and was asked for again, it is not done twice.
        """
        with self.storage.changing(match_id) as change:
            stored = self._read(change, change.locked)
            seat = self._seat_of(stored, keys)
            if ply is not None and stored.match.ply + bool(stored.row.ended_by) < ply:
                return self.seen_by(stored, keys)
            if is_practice(stored.seats):
                stored = self._taken_back(change, stored, keys, seat)
            else:
                self._must_go_on(stored, keys)
                if last_turn_of(stored.match, seat) is None:
                    raise Refused("you have made no move that could be taken back")
                stored = self._changed(change, stored, stored.match, undo_offer=seat)
        self._announce(stored)
        return self.seen_by(stored, keys)

    def _taken_back(self, change: Change, stored: Stored, keys: Keys, seat: int) -> Stored:
        """The match before the last move of a seat; for one person on both seats, before the last move."""
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
        change.drop_moves(stored.row.id, ply)
        return self._changed(change, stored, match, ended_by="", draw_offer=None, undo_offer=None)

    def resign(self, match_id: str, keys: Keys) -> MatchView:
        """Gives up for the viewer's seat; who holds both seats gives up for the one to move."""
        with self.storage.changing(match_id) as change:
            stored = self._read(change, change.locked)
            self._must_go_on(stored, keys)
            seat = self._seat_of(stored, keys)
            match = stored.match.copy()
            match.resign(seat)
            stored = self._changed(
                change, stored, match, ended_by=f"resignation {seat}", draw_offer=None, undo_offer=None
            )
        self._announce(stored)
        return self.seen_by(stored, keys)

    def offer_draw(self, match_id: str, keys: Keys) -> MatchView:
        """Offers a draw; offering to oneself, or to somebody who has offered one, agrees on it."""
        with self.storage.changing(match_id) as change:
            stored = self._read(change, change.locked)
            self._must_go_on(stored, keys)
            seat = self._seat_of(stored, keys)
            other = stored.seats[1 - seat]
            if other.kind == "engine":
                raise Refused("engines play on: resign or take moves back instead")
            if len(self.seen_by(stored, keys).yours) == 2 or stored.row.draw_offer == 1 - seat:
                stored = self._drawn(change, stored)
            else:
                stored = self._changed(change, stored, stored.match, draw_offer=seat)
        self._announce(stored)
        return self.seen_by(stored, keys)

    def answer(self, match_id: str, keys: Keys, offer: str, yes: bool) -> MatchView:
        """Answers an offer, "draw" or "undo", of the opponent; or takes one's own back with no."""
        if offer not in ("draw", "undo"):
            raise Refused(f"an offer is a draw or an undo, not {offer[:20]!r}")
        with self.storage.changing(match_id) as change:
            stored = self._read(change, change.locked)
            self._must_go_on(stored, keys)
            asking = stored.row.draw_offer if offer == "draw" else stored.row.undo_offer
            yours = self.seen_by(stored, keys).yours
            if not yours:
                raise NotYourSeat("you only watch this match")
            if asking is None:
                raise Stale("there is no such offer any more", self.seen_by(stored, keys))
            if not yes:
                stored = self._changed(change, stored, stored.match, **{f"{offer}_offer": None})
            elif asking in yours:
                raise NotYourSeat("the other player answers that")
            elif offer == "draw":
                stored = self._drawn(change, stored)
            else:
                stored = self._taken_back(change, stored, keys, asking)
        self._announce(stored)
        return self.seen_by(stored, keys)

    def _drawn(self, change: Change, stored: Stored) -> Stored:
        match = stored.match.copy()
        match.agree_draw()
        return self._changed(change, stored, match, ended_by="agreement", draw_offer=None, undo_offer=None)

    def rematch(self, match_id: str, keys: Keys) -> str:
        """The match after this one, of the same game with sides swapped; made if there is none yet."""
        with self.storage.changing(match_id) as change:
            stored = self._read(change, change.locked)
            if stored.row.rematch:
                return stored.row.rematch
            if not stored.match.outcome:
                raise Refused("there is a rematch when the match is over")
            watches = not self.seen_by(stored, keys).yours
            if watches and any(seat.kind != "engine" for seat in stored.seats):
                raise NotYourSeat("you only watch this match")
            new, now, game = new_id(), time.time(), stored.match.game
            rows = [stored.seats[1 - number]._replace(match=new, seat=number) for number in (0, 1)]
            match = Match(game, players=(rows[0].name, rows[1].name), start=stored.match.start)
            row = stored.row._replace(
                id=new, version=1, created=now, changed=now, ended_by="", draw_offer=None, undo_offer=None
            )
            after = _standing(Stored(row, (rows[0], rows[1]), match))
            change.add(after.row, rows, [])
            stored = self._changed(change, stored, stored.match, rematch=new)
        self._announce(after)
        self._announce(stored)
        return new

    def saw(self, people: Iterable[tuple[str, int]], at: float) -> None:
        """Remembers when the people on these seats of matches were there last, for other processes to see."""
        with self.storage.changing("") as change:
            for match_id, seat in sorted(people):  # in order, so that two processes do not wait for each other
                change.set_seen(match_id, seat, at)
                change.tell(match_id)

    def forget(self, match_id: str) -> None:
        """Reads a match anew the next time: when somebody was seen last does not change its version."""
        with self._lock:
            self._drop(match_id)

    # What these have in common.

    def _read(self, reading: Reading, row: Row | None) -> Stored:
        """The match that a row stands for, from memory if it has not changed since."""
        if row is None:
            raise NoSuchMatch("there is no such match: it may have expired, or the link is not complete")
        with self._lock:
            kept = self._kept.get(row.id)
            if kept and kept.row.version == row.version:
                self._kept.move_to_end(row.id)
                return kept
        both = reading.seats(row.id)
        game = load_known(row.game, **row.options)
        start = game.state(row.start) if row.start else None
        match = Match(game, players=(both[0].name, both[1].name), start=start)
        for move in reading.moves(row.id):
            match.play(move)
        _end(match, row.ended_by)
        return self._keep(Stored(row, both, match))

    def _keep(self, stored: Stored) -> Stored:
        with self._lock:
            self._drop(stored.row.id)
            self._kept[stored.row.id] = stored
            self._moves_kept += stored.match.ply
            while len(self._kept) > MOST_KEPT or self._moves_kept > MOST_MOVES_KEPT:
                self._drop(next(iter(self._kept)))
        return stored

    def _drop(self, match_id: str) -> None:
        stored = self._kept.pop(match_id, None)
        self._moves_kept -= stored.match.ply if stored else 0

    def _changed(self, change: Change, stored: Stored, match: Match, **facts: Any) -> Stored:
        """The match with another version, stored."""
        row = stored.row._replace(version=stored.row.version + 1, changed=time.time(), **facts)
        stored = _standing(Stored(row, stored.seats, match))
        change.set(stored.row)
        return stored

    def _reseated(self, change: Change, stored: Stored, seat: SeatRow) -> Stored:
        change.set_seat(seat)
        both = (seat, stored.seats[1]) if seat.seat == 0 else (stored.seats[0], seat)
        match = stored.match.copy()
        match.players = (both[0].name, both[1].name)
        return self._changed(change, Stored(stored.row, both, match), match)

    def _announce(self, stored: Stored) -> None:
        self.on_change(self._keep(stored))

    def _must_be_current(self, stored: Stored, keys: Keys, ply: int) -> None:
        if ply != stored.match.ply:
            raise Stale(
                f"the match has gone on: it stands after {stored.match.ply} moves, not {ply}",
                self.seen_by(stored, keys),
            )

    def _must_go_on(self, stored: Stored, keys: Keys) -> None:
        if stored.match.outcome:
            raise Stale(f"the match is over: {stored.match.status}", self.seen_by(stored, keys))

    def _seat_of(self, stored: Stored, keys: Keys) -> int:
        """The seat that a request is for: the viewer's, and of both the one to move."""
        yours = self.seen_by(stored, keys).yours
        if not yours:
            raise NotYourSeat("you only watch this match")
        turn = stored.match.state.turn
        return turn if turn in yours and turn is not None else min(yours)


def _end(match: Match, ended_by: str) -> None:
    """Ends a match as its players did; not at all if its moves, or nothing yet, ended it."""
    if ended_by == "agreement":
        match.agree_draw()
    elif ended_by:
        match.resign(int(ended_by[-1]))


def _standing(stored: Stored) -> Stored:
    """The match with what its row says about how it stands brought up to date."""
    turn = stored.match.turn
    is_engines = turn is not None and stored.seats[turn].kind == "engine"
    return replace(stored, row=stored.row._replace(is_over=turn is None, engine_to_move=is_engines))


def _invited(stored: Stored, invite: str) -> SeatRow:
    """The open seat that an invitation is for; refused if there is none."""
    is_open = False
    for seat in stored.seats:
        is_open |= seat.kind == "open"
        if seat.kind == "open" and seat.secret_hash == hashed(invite):
            return seat
    if is_open:
        raise NotYourSeat("this link does not fit the open seat: it may be cut short, so ask for it again")
    raise NotYourSeat("the seat is taken already: whoever joined first plays")


def _is_held_by(seat: SeatRow, keys: Keys) -> bool:
    """Whether these keys move for a seat; an invitation to an open seat does not, before it is used."""
    return seat.kind == "person" and keys.opens(seat.secret_hash, seat.origin)
