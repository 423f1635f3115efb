"""The texts that a record can hold: names, a date and tags, checked."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date as date_of_day

from connectoe.core.errors import ConnectoeError

TAG_NAME = re.compile("[A-Za-z][A-Za-z0-9_]{0,40}")
OWN_TAGS = ("Connectoe", "Game", "Options", "First", "Second", "Date", "Start", "Result", "Reason")
"""The headers of a record that other tags must not use."""


def checked_text(given: object, what: str) -> str:
    """Return the given text, or raise ConnectoeError if a record could not hold it."""
    if not isinstance(given, str):
        raise ConnectoeError(f"{what} is a text, not {given!r:.40}")
    if any("\ud800" <= character <= "\udfff" for character in given):
        raise ConnectoeError(f"{what} holds half a character (a lone surrogate)")
    return given


def two_names(players: Sequence[str]) -> tuple[str, str]:
    """Return the names of two players, or raise ConnectoeError."""
    if isinstance(players, str) or len(players) != 2 or not all(isinstance(name, str) for name in players):
        raise ConnectoeError(f"players are two names, not {players!r:.40}")
    return checked_text(players[0], "the name of a player"), checked_text(players[1], "the name of a player")


def checked_day(text: str) -> str:
    """Return a date in its usual form, or raise ConnectoeError."""
    try:
        return date_of_day.fromisoformat(text).isoformat() if text else ""
    except (ValueError, TypeError):
        raise ConnectoeError(f"a date looks like 2026-11-15, not {text!r:.30}") from None


def tag_name(name: str) -> str:
    """Return the name of a tag that is no header of its own, or raise ConnectoeError."""
    if not isinstance(name, str) or not TAG_NAME.fullmatch(name) or name in OWN_TAGS:
        raise ConnectoeError(f"the tag {name!r:.40} must be a word that is no header of its own")
    return name
