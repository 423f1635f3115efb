"""Secrets: who may move for which seat.

A browser holds one random secret in a cookie. Everything else is derived from it, and only hashes are stored:

    browser secret ──► seat secret of a match ──► invitation for the other seat
          │                  │                         │
        hash               hash                      hash        what the server stores

A program without cookies is given its seat's secret and sends it as `Authorization: Bearer …`.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
from dataclasses import dataclass


def new_secret() -> str:
    """Return a secret that nobody can guess: 192 random bits as text for a link or a cookie."""
    return secrets.token_urlsafe(24)


def new_id() -> str:
    """Return a short random id for a match, of letters and digits that are not mistaken for each other."""
    return "".join(secrets.choice("23456789abcdefghjkmnpqrstuvwxyz") for _ in range(10))


def derived(secret: str, purpose: str) -> str:
    """Return another secret, which can be made only from the first."""
    return hmac.new(secret.encode(), purpose.encode(), hashlib.sha256).hexdigest()[:40]


def hashed(secret: str) -> str:
    """Return what is stored instead of a secret. Secrets are long and random: they need no salt and no slow hash."""
    return hashlib.sha256(secret.encode()).hexdigest()


def same(one: str, other: str) -> bool:
    """Whether two texts are equal, in a time that does not reveal where they differ."""
    return hmac.compare_digest(one.encode(), other.encode())


@dataclass(frozen=True)
class Keys:
    """The secrets that a request carries: its browser's, or that of a seat."""

    browser: str = ""
    bearer: str = ""

    def seat_secret(self, origin: str) -> str:
        """Return the secret of the seat with that origin; a seat keeps its origin in a rematch."""
        return derived(self.browser, f"seat {origin}") if self.browser else self.bearer

    def opens(self, secret_hash: str, origin: str) -> bool:
        """Whether these are the keys of the seat with that hash and origin."""
        if self.bearer and same(hashed(self.bearer), secret_hash):
            return True
        return bool(self.browser) and same(hashed(self.seat_secret(origin)), secret_hash)

    @property
    def holder(self) -> str:
        """What the matches of a browser are found by; empty for a program."""
        return hashed(f"holder {self.browser}") if self.browser else ""


def invitation(seat_secret: str) -> str:
    """Return the code in the link for the other seat; the maker of the match can always derive it again."""
    return derived(seat_secret, "invitation")[:20]
