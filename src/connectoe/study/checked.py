"""JSON files that notice damage: their last member is a checksum of all that stands before it."""

from __future__ import annotations

import hashlib

MEMBER = ',"check":"'
END = '"}'


def with_check(text: str) -> str:
    """Return the text of a JSON object with a checksum added.

    >>> with_check('{"games":10}')
    '{"games":10,"check":"3f828f576f378ffc"}'
    """
    body = text.rstrip().removesuffix("}").rstrip()
    return f"{body}{MEMBER}{_checksum(body)}{END}"


def without_check(text: str) -> str:
    """Return the text of the object without its checksum; ValueError if there is none, or another one.

    >>> without_check('{"games":20,"check":"3f828f576f378ffc"}')
    Traceback (most recent call last):
    ValueError: it is damaged: it is not what was written
    """
    body, found, check = text.rstrip().rpartition(MEMBER)
    if not found:
        raise ValueError("it is damaged: its checksum is missing")
    if check != _checksum(body) + END:
        raise ValueError("it is damaged: it is not what was written")
    return body + "}"


def _checksum(body: str) -> str:
    return hashlib.sha256(body.encode(errors="surrogateescape")).hexdigest()[:16]
