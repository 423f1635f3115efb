"""Secrets: who may move for which seat.

A browser holds one random secret in a cookie. Everything else follows from it and is never stored as it is:

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
    """A secret that nobody can guess: 192 random bits as text for a link or a cookie.

    >>> len(new_secret()), new_secret() == new_secret()
    (32, False)
    """
    return secrets.token_urlsafe(24)


def new_id() -> str:
    """A short random name for a match, of letters and digits that are not mistaken for each other.

    >>> len(new_id())
    10
    """
    return "".join(secrets.choice("23456789abcdefghjkmnpqrstuvwxyz") for _ in range(10))


def derived(secret: str, purpose: str) -> str:
    """Another secret that only who knows the first can make.

    >>> derived("a", "seat") == derived("a", "seat"), derived("a", "seat") == derived("b", "seat")
    (True, False)
    """
    return hmac.new(secret.encode(), purpose.encode(), hashlib.sha256).hexdigest()[:40]


def hashed(secret: str) -> str:
    """What is stored instead of a secret. The secrets are long and random, so no salt and no slow hash are needed.

    >>> hashed("secret")[:8]
    '2bb80d53'
    """
    return hashlib.sha256(secret.encode()).hexdigest()


def same(one: str, other: str) -> bool:
    """Whether two texts are equal, in a time that does not tell where they differ.

    >>> same("abc", "abc"), same("abc", "abd")
    (True, False)
    """
    return hmac.compare_digest(one.encode(), other.encode())


@dataclass(frozen=True)
class Keys:
    """What a request brings along: its browser's secret, or the secret of a seat.

    >>> keys = Keys(browser="cookie")
    >>> keys.opens(hashed(keys.seat_secret("match 0")), "match 0")
    True
    >>> Keys().opens(hashed("anything"), "match 0")
    False
    """

    browser: str = ""
    bearer: str = ""

    def seat_secret(self, origin: str) -> str:
        """The secret of the seat that this browser took there first; a seat keeps its origin in a rematch.

        >>> Keys(browser="a").seat_secret("m 0") == Keys(browser="b").seat_secret("m 0")
        False
        """
        return derived(self.browser, f"seat {origin}") if self.browser else self.bearer

    def opens(self, secret_hash: str, origin: str) -> bool:
        """Whether these are the keys of the seat with that hash and origin.

        >>> Keys(bearer="s").opens(hashed("s"), "m 1")
        True
        """
        if self.bearer and same(hashed(self.bearer), secret_hash):
            return True
        return bool(self.browser) and same(hashed(self.seat_secret(origin)), secret_hash)

    @property
    def holder(self) -> str:
        """What a browser's matches are found by, later; empty for a program.

        >>> Keys(browser="a").holder == Keys(browser="a").holder != Keys(browser="b").holder
        True
        """
        return hashed(f"holder {self.browser}") if self.browser else ""


def invitation(seat_secret: str) -> str:
    """The code in the link for the other seat; whoever made the match can always make it again.

    >>> invitation("secret") == invitation("secret")
    True
    """
    return derived(seat_secret, "invitation")[:20]
