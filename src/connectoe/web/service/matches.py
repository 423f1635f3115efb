"""Matches between people and engines: who may do what, and what everybody may see.

All changes of a match go through `Matches`; each is one transaction, and is sent to `changed` once it is stored.
Nothing here knows of HTTP, HTML or WebSockets.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from typing import Any, NamedTuple

from sqlalchemy.exc import IntegrityError

from connectoe.core.errors import ConnectoeError
from connectoe.core.game import Game
from connectoe.core.match import Match
from connectoe.core.state import State
from connectoe.core.swapping import SWAP_MOVE
from connectoe.web.service.bare_records import BareMatch, bare_matches
from connectoe.web.service.endings import PlayersEnding
from connectoe.web.service.keys import Keys, hashed, new_id, new_secret
from connectoe.web.service.makers import Makers
from connectoe.web.service.memory import MatchMemory
from connectoe.web.service.names import plain_name
from connectoe.web.service.next_version import MOST_MOVES, after_move, first_version, next_version, rematch_of, undone
from connectoe.web.service.offers import OFFERS, Answered, answers_with, must_not_insist, still_valid
from connectoe.web.service.presence import Presence
from connectoe.web.service.refusals import NoSuchMatch, NotYourSeat, Refused, RulesGone, Stale
from connectoe.web.service.seating import Wish, invite_known_to, invited_seat, is_held_by, seated
from connectoe.web.service.signals import Signal
from connectoe.web.service.storage import Change, Reading, Row, SeatRow, Storage
from connectoe.web.service.versions import game_of, must_have_its_rules, shared, version_now
from connectoe.web.service.views import MatchView, Stored, is_practice, last_turn_of


class Created(NamedTuple):
    """A new match: its id, the secrets of the seats its maker holds, and the code that takes the open seat."""

    id: str
    secrets: dict[int, str]
    invite: str | None


class Matches:
    """All matches of a database.

    >>> from connectoe import load
    >>> matches = Matches(Storage("sqlite://"))
    >>> ann, bob = Keys(browser="ann"), Keys(browser="bob")
    >>> made = matches.create(ann, load("tic-tac-toe"), (Wish("me", "Ann"), Wish("open")))
    >>> joined = matches.join(made.id, bob, made.invite, "Bob")
    >>> matches.play(made.id, ann, "b2", ply=0).match.status
    'O to move'
    >>> matches.play(made.id, ann, "a1", ply=1)
    Traceback (most recent call last):
    connectoe.web.service.refusals.NotYourSeat: it is not your turn
    """

    def __init__(
        self,
        storage: Storage,
        is_here: Callable[[str, int], bool] = lambda match_id, seat: False,
        note: Callable[[Stored], str] = lambda stored: "",
    ) -> None:
        self.storage = storage
        self.presence = Presence(storage, is_here)
        self.note = note
        self.changed: Signal[Stored] = Signal()
        self.memory = MatchMemory()
        self.makers = Makers()

    # Looking.

    def view(self, match_id: str, keys: Keys) -> MatchView:
        """Return the match as seen by the holder of these keys."""
        return self.seen_by(self.stored(match_id), keys)

    def stored(self, match_id: str) -> Stored:
        """Return the match as it is stored now."""
        version = self.storage.version_of(match_id)
        kept = self.memory.find(match_id, version) if version else None
        if kept and not kept.row.rules:  # else the file of somebody's own game may have changed
            return kept
        with self.storage.reading() as reading:
            return self._read(reading, reading.row(match_id))

    def recent(self, keys: Keys, most: int = 50) -> list[MatchView]:
        """Return the matches that a browser takes part in, the latest first."""
        if not keys.holder:
            return []
        with self.storage.reading() as reading:
            found = []
            for match_id in reading.of_holder(keys.holder, most):
                with suppress(RulesGone):
                    found.append(self._read(reading, reading.row(match_id)))
        return [self.seen_by(stored, keys) for stored in found]

    def recent_without_rules(self, keys: Keys, most: int = 50) -> list[BareMatch]:
        """Return the matches among these whose rules are no longer known."""
        return bare_matches(self.storage, keys.holder, most) if keys.holder else []

    def of_game(self, game_id: str) -> Iterator[Match]:
        """Yield all matches of a game that can be read, the oldest first."""
        with self.storage.reading() as reading:
            match_ids = reading.of_game(game_id)
        for match_id in match_ids:
            with suppress(NoSuchMatch):
                yield self.stored(match_id).match

    def seen_by(self, stored: Stored, keys: Keys) -> MatchView:
        """Return a stored match as seen by the holder of these keys."""
        row, both, match = stored.row, stored.seats, stored.match
        yours = frozenset(seat.seat for seat in both if is_held_by(seat, keys))
        private = {seat.seat: keys.bearer or keys.seat_secret(seat.origin) for seat in both if seat.seat in yours}
        return MatchView(
            id=row.id,
            version=row.version,
            match=match,
            seats=(self.presence.seat(both[0]), self.presence.seat(both[1])),
            yours=yours,
            draw_offer=row.draw_offer,
            undo_offer=row.undo_offer,
            answers=tuple(answer for answer in still_valid(row.answers, match) if answer.seat in yours),
            rematch=row.rematch,
            thinking=row.engine_to_move,
            note=self.note(stored),
            is_practice=is_practice(both),
            invite=invite_known_to(both, list(private.values())),
            private=private,
            created=row.created,
            changed=row.changed,
            shared=stored.public,
            is_outdated=stored.is_outdated,
            once=stored.once,
        )

    # Beginning.

    def create(
        self,
        keys: Keys,
        game: Game,
        seats: tuple[Wish, Wish],
        start: State | None = None,
        moves: Sequence[str] = (),
        ended_by: PlayersEnding | None = None,
        client: str = "",
    ) -> Created:
        """Make a match for a client: from a position, after moves, and ended by its players, if these are given."""
        match_id, game = new_id(), shared(game)
        self.makers.note(match_id, client)
        rows, secrets, invite = seated(match_id, keys, game, seats)
        match = Match(game, players=(rows[0].name, rows[1].name), start=start)
        for move in moves[: MOST_MOVES + 1]:
            match.play(move)
        match.players = (rows[0].name, rows[1].name)
        if ended_by:
            ended_by.end(match)
        if match.ply > MOST_MOVES or (match.ply == MOST_MOVES and not match.outcome):
            raise Refused(f"a match has at most {MOST_MOVES:,} moves, so this one could not go on")
        stored = first_version(match_id, rows, match, ended_by)
        with self.storage.changing(match_id) as change:
            change.add(stored.row, rows, match.moves)
        self._announce(stored)
        return Created(match_id, secrets, invite)

    def invited(self, match_id: str, invite: str) -> int:
        """Return the open seat that an invitation is for."""
        return invited_seat(self.stored(match_id).seats, invite).seat

    def join(self, match_id: str, keys: Keys, invite: str, name: str) -> tuple[MatchView, str]:
        """Take the open seat; return the match, and the secret that moves for the seat from now on."""
        with self.storage.changing(match_id) as change:
            stored = self._read(change, change.locked)
            seat = invited_seat(stored.seats, invite)
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
        """Move a seat to the browser with these keys; the device it was on before loses it."""
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
        """Play a move meant for a ply, counted from 0; the same move sent again changes nothing."""
        stored = self._played_from_memory(match_id, keys, move, ply)
        if stored is None:
            with self.storage.changing(match_id) as change:
                stored = self._read(change, change.locked)
                if 0 <= ply < stored.match.ply and self._is_a_repeat(stored, keys, move, ply):
                    return self.seen_by(stored, keys)
                self._must_be_to_move(stored, keys, ply)
                stored = self._played(change, stored, move, keys)
        self._announce(stored)
        return self.seen_by(stored, keys)

    def _played_from_memory(self, match_id: str, keys: Keys, move: str, ply: int) -> Stored | None:
        """Return the match after a move that follows from what is remembered of it, and is stored.

        None if that may be out of date: then the match has to be read, and refusals are decided there.
        """
        stored = self.memory.find(match_id)
        if stored is None or stored.row.rules or move == SWAP_MOVE:  # see `stored`; a swap changes the seats, too
            return None
        try:
            self._must_be_to_move(stored, keys, ply)
            after = after_move(stored, move)
        except ConnectoeError:
            return None
        return after if self.storage.advance(stored.row.version, after.row, ply, move) else None

    def _must_be_to_move(self, stored: Stored, keys: Keys, ply: int) -> None:
        self._must_be_current(stored, keys, ply)
        turn = stored.match.turn
        if turn is None:
            raise Stale(f"the match is over: {stored.match.status}", self.seen_by(stored, keys))
        if not is_held_by(stored.seats[turn], keys):
            raise NotYourSeat(
                "it is not your turn" if self.seen_by(stored, keys).yours else "you only watch this match"
            )

    def _is_a_repeat(self, stored: Stored, keys: Keys, move: str, ply: int) -> bool:
        """Whether this player has made this move before; its answer may have got lost."""
        mover = stored.seats[stored.match.side_of(ply) or 0]
        return stored.match.moves[ply] == move and is_held_by(mover, keys)

    def play_for_engine(self, match_id: str, version: int, move: str) -> None:
        """Play what an engine chose, unless the match has changed since it began to think."""
        with self.storage.changing(match_id) as change:
            stored = self._read(change, change.locked)
            if stored.row.version != version or not stored.row.engine_to_move:
                return
            stored = self._played(change, stored, move, Keys())
        self._announce(stored)

    def _played(self, change: Change, stored: Stored, move: str, keys: Keys) -> Stored:
        after = after_move(stored, move)
        try:
            change.add_move(stored.row.id, stored.match.ply, move, time.time())
        except IntegrityError:  # another process was quicker
            raise Stale("another move was made meanwhile", self.seen_by(stored, keys)) from None
        return self._store(change, stored, after)

    def undo(self, match_id: str, keys: Keys, ply: int | None = None) -> MatchView:
        """Take the viewer's last move back: at once in practice, by asking when the opponent is a person.

        `ply` says after how many moves the undo was wanted (a resignation or agreement counts as one), so that a
        request sent again after a lost answer is not carried out twice.
        """
        with self.storage.changing(match_id) as change:
            stored = self._read(change, change.locked)
            seat = self._seat_of(stored, keys)
            if ply is not None and stored.match.ply + bool(stored.row.ended_by) < ply:
                return self.seen_by(stored, keys)
            if is_practice(stored.seats):
                stored = self._taken_back(change, stored, seat)
            else:
                self._must_go_on(stored, keys)
                if last_turn_of(stored.match, seat) is None:
                    raise Refused("you have made no move that could be taken back")
                must_not_insist(stored.row.answers, stored.match, "undo", seat)
                stored = self._changed(change, stored, stored.match, undo_offer=seat)
        self._announce(stored)
        return self.seen_by(stored, keys)

    def _taken_back(self, change: Change, stored: Stored, seat: int) -> Stored:
        after = undone(stored, seat)
        change.drop_moves(stored.row.id, after.match.ply)
        return self._store(change, stored, after)

    def resign(self, match_id: str, keys: Keys) -> MatchView:
        """Resign for the viewer's seat; a viewer with both seats resigns for the one to move."""
        with self.storage.changing(match_id) as change:
            stored = self._read(change, change.locked)
            self._must_go_on(stored, keys)
            seat = self._seat_of(stored, keys)
            stored = self._ended(change, stored, PlayersEnding(resigned=seat))
        self._announce(stored)
        return self.seen_by(stored, keys)

    def offer_draw(self, match_id: str, keys: Keys) -> MatchView:
        """Offer a draw; an offer to oneself, or to a player who has offered one, agrees on it."""
        with self.storage.changing(match_id) as change:
            stored = self._read(change, change.locked)
            self._must_go_on(stored, keys)
            seat = self._seat_of(stored, keys)
            other = stored.seats[1 - seat]
            if other.kind == "engine":
                raise Refused("engines play on: resign or take moves back instead")
            if len(self.seen_by(stored, keys).yours) == 2 or stored.row.draw_offer == 1 - seat:
                stored = self._ended(change, stored, PlayersEnding())
            else:
                must_not_insist(stored.row.answers, stored.match, "draw", seat)
                stored = self._changed(change, stored, stored.match, draw_offer=seat)
        self._announce(stored)
        return self.seen_by(stored, keys)

    def answer(self, match_id: str, keys: Keys, offer: str, yes: bool) -> MatchView:
        """Answer the opponent's offer, "draw" or "undo"; or withdraw one's own with no."""
        if offer not in OFFERS:
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
                answered = Answered(offer, asking, stored.match.ply, is_declined=asking not in yours)
                answers = answers_with(stored.row.answers, answered)
                stored = self._changed(change, stored, stored.match, answers=answers, **{f"{offer}_offer": None})
            elif asking in yours:
                raise NotYourSeat("the other player answers that")
            elif offer == "draw":
                stored = self._ended(change, stored, PlayersEnding())
            else:
                stored = self._taken_back(change, stored, asking)
        self._announce(stored)
        return self.seen_by(stored, keys)

    def _ended(self, change: Change, stored: Stored, ending: PlayersEnding) -> Stored:
        match = stored.match.copy()
        ending.end(match)
        return self._changed(change, stored, match, ended_by=ending, draw_offer=None, undo_offer=None)

    def rematch(self, match_id: str, keys: Keys) -> str:
        """Return the next match of the same players with sides swapped; make it if there is none yet."""
        with self.storage.changing(match_id) as change:
            stored = self._read(change, change.locked)
            if stored.row.rematch:
                return stored.row.rematch
            if not stored.match.outcome:
                raise Refused("there is a rematch when the match is over")
            watches = not self.seen_by(stored, keys).yours
            if watches and any(seat.kind != "engine" for seat in stored.seats):
                raise NotYourSeat("you only watch this match")
            new = new_id()
            after = rematch_of(stored, new)
            self.makers.note_rematch(match_id, new)
            change.add(after.row, after.seats, [])
            stored = self._changed(change, stored, stored.match, rematch=new)
        self._announce(after)
        self._announce(stored)
        return new

    def forget(self, match_id: str) -> None:
        """Read a match again the next time, with who is present, which does not change its version."""
        self.memory.forget(match_id)
        self.presence.forget(match_id)

    # Shared by the sections above.

    def _read(self, reading: Reading, row: Row | None) -> Stored:
        """Return the match that a row stands for, from memory if it has not changed since."""
        if row is None:
            raise NoSuchMatch("there is no such match: it may have expired, or the link is not complete")
        kept, offered = self.memory.find(row.id, row.version), version_now(row) if row.rules else ""
        if kept and kept.offered == offered:
            must_have_its_rules(kept.is_outdated and isinstance(reading, Change))
            return kept
        both = reading.seats(row.id)
        game, is_outdated = game_of(row)
        start = game.state(row.start) if row.start else None
        match = Match(game, players=(both[0].name, both[1].name), start=start)
        for move in reading.moves(row.id):
            match.play(move)
        match.players = (both[0].name, both[1].name)  # seats are by the sides as they are now
        if row.ended_by:
            row.ended_by.end(match)
        must_have_its_rules(is_outdated and isinstance(reading, Change))
        return self.memory.keep(Stored(row, both, match, is_outdated, offered))

    def _changed(self, change: Change, stored: Stored, match: Match, **columns: Any) -> Stored:
        """Store the match in a new version, and return it."""
        return self._store(change, stored, next_version(stored, match, **columns))

    def _store(self, change: Change, before: Stored, after: Stored) -> Stored:
        """Store the next version of a match, and return it."""
        if after.match.is_swapped != before.match.is_swapped:
            for seat in after.seats:
                change.set_seat(seat)
            self.presence.exchange(after.row.id)
        change.set(after.row)
        return after

    def _reseated(self, change: Change, stored: Stored, seat: SeatRow) -> Stored:
        change.set_seat(seat)
        both = (seat, stored.seats[1]) if seat.seat == 0 else (stored.seats[0], seat)
        match = stored.match.copy()
        match.players = (both[0].name, both[1].name)
        return self._changed(change, Stored(stored.row, both, match), match)

    def _announce(self, stored: Stored) -> None:
        self.changed.send(self.memory.keep(stored))

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
        """Return the seat that a request is for: the viewer's, or of both the one to move."""
        yours = self.seen_by(stored, keys).yours
        if not yours:
            raise NotYourSeat("you only watch this match")
        turn = stored.match.state.turn
        return turn if turn in yours and turn is not None else min(yours)
