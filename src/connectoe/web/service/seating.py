"""Seats of a match: who is wanted there, who may take the open one, and whose keys move for which."""

from __future__ import annotations

from typing import NamedTuple

from connectoe.core.game import Game
from connectoe.people import ladder_of
from connectoe.players import DESCRIPTIONS, PERFECT, may_have_perfect
from connectoe.web.service.keys import Keys, hashed, invitation, new_secret
from connectoe.web.service.names import plain_name
from connectoe.web.service.refusals import NotYourSeat, Refused
from connectoe.web.service.storage import SeatRow


class Wish(NamedTuple):
    """Who is wanted on a seat of a new match: "me", "open" (anybody with the link) or "engine" (of a level)."""

    kind: str
    name: str = ""
    level: str | None = None


class Seating(NamedTuple):
    """The seats of a new match, the secrets of those its maker holds, and the code that takes the open one."""

    rows: tuple[SeatRow, SeatRow]
    secrets: dict[int, str]
    invite: str | None


def seated(match_id: str, keys: Keys, game: Game, wishes: tuple[Wish, Wish]) -> Seating:
    """Return the seats of a new match as they are wished for."""
    if any(wish.kind == "open" for wish in wishes) and not any(wish.kind == "me" for wish in wishes):
        raise Refused("a match with an open seat needs you on the other one")
    holder = keys.holder or hashed(f"holder {new_secret()}")
    secrets: dict[int, str] = {}
    rows = []
    for number, wish in enumerate(wishes):
        origin = f"{match_id} {number}"
        row = SeatRow(match_id, number, wish.kind, "", None, "", origin, "", 0.0)
        if wish.kind == "me":
            secrets[number] = keys.seat_secret(origin) if keys.browser else new_secret()
            name = plain_name(wish.name)
            row = row._replace(kind="person", name=name, secret_hash=hashed(secrets[number]), holder=holder)
        elif wish.kind == "engine":
            level = _level(wish, game)
            row = row._replace(name=level, level=level)
        elif wish.kind != "open":
            raise Refused(f"a seat is for me, open or engine, not for {wish.kind[:20]!r}")
        rows.append(row)
    invite = None
    for number, row in enumerate(rows):
        if row.kind == "open":
            invite = invitation(secrets[1 - number])
            rows[number] = row._replace(secret_hash=hashed(invite))
    if not secrets:  # a match of engines is listed for its maker, who has no seat
        rows = [row._replace(holder=holder) for row in rows]
    return Seating((rows[0], rows[1]), secrets, invite)


def _level(wish: Wish, game: Game) -> str:
    """Return the level of a wished engine; refuse one that the game does not have."""
    if wish.level in ladder_of():
        return wish.level
    if wish.level not in DESCRIPTIONS:
        known = f"{', '.join(DESCRIPTIONS)}; the people are: {', '.join(ladder_of())}"
        raise Refused(f"there is no level {str(wish.level)[:30]!r}; the levels are: {known}")
    if wish.level == PERFECT and not may_have_perfect(game):
        raise Refused(f"there is no perfect player for {game.name} with these options: it is not solved")
    return wish.level


def invited_seat(seats: tuple[SeatRow, SeatRow], invite: str) -> SeatRow:
    """Return the open seat that an invitation is for; refuse an invitation that fits none."""
    is_open = False
    for seat in seats:
        is_open |= seat.kind == "open"
        if seat.kind == "open" and seat.secret_hash == hashed(invite):
            return seat
    if is_open:
        raise NotYourSeat("this link does not fit the open seat: it may be cut short, so ask for it again")
    raise NotYourSeat("the seat is taken already: the first person to join has it")


def invite_known_to(seats: tuple[SeatRow, SeatRow], secrets: list[str]) -> str | None:
    """Return the code for the open seat, if these secrets include that of its host."""
    for seat in seats:
        for secret in secrets:
            if seat.kind == "open" and hashed(invitation(secret)) == seat.secret_hash:
                return invitation(secret)
    return None


def is_held_by(seat: SeatRow, keys: Keys) -> bool:
    """Whether these keys move for a seat; an invitation to an open seat does not, before it is used."""
    return seat.kind == "person" and keys.opens(seat.secret_hash, seat.origin)
