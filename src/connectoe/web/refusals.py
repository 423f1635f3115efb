"""What is answered to those who ask for what cannot be granted."""

from __future__ import annotations

from typing import TYPE_CHECKING

from connectoe.errors import ConnectoeError

if TYPE_CHECKING:
    from connectoe.web.views import MatchView


class Refused(ConnectoeError):
    """A request that cannot be granted, with the HTTP status that says so."""

    status = 400


class BadName(Refused):
    """A name that nobody can be called by here."""


class NoSuchMatch(Refused):
    """There is no match of that name."""

    status = 404


class NotYourSeat(Refused):
    """Somebody tried to act for a seat whose secret they don't have."""

    status = 403


class Stale(Refused):
    """The request was made for a match that has changed since; `view` is how it stands now."""

    status = 409

    def __init__(self, message: str, view: MatchView) -> None:
        super().__init__(message)
        self.view = view
