"""Requests that are refused, and why."""

from __future__ import annotations

from typing import TYPE_CHECKING

from connectoe.core.errors import ConnectoeError

if TYPE_CHECKING:
    from connectoe.web.service.views import MatchView


class Refused(ConnectoeError):
    """A request that cannot be granted, with the HTTP status that says so."""

    status = 400


class BadName(Refused):
    """A name that cannot be shown."""


class NotYourSeat(Refused):
    """A request for a seat without its secret."""

    status = 403


class Hidden(Refused):
    """A request for a hint while two people play."""

    status = 403


class NoSuchMatch(Refused):
    """There is no match with that id."""

    status = 404


class RulesGone(NoSuchMatch):
    """There is such a match, but the rules it was played by are not known any more."""


class NoSuchPage(Refused):
    """There is no page at that address."""

    status = 404


class NoSuchPuzzle(Refused):
    """There is no puzzle with that id."""

    status = 404


class Stale(Refused):
    """A request for a match that has changed since; `view` is the match as it stands now."""

    status = 409

    def __init__(self, message: str, view: MatchView) -> None:
        super().__init__(message)
        self.view = view


class TooMany(Refused):
    """A client asks for more than its share."""

    status = 429


class Busy(Refused):
    """The engines have too much to do."""

    status = 503
