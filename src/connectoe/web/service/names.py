"""The names of people."""

from __future__ import annotations

import re
import unicodedata

from connectoe.web.service.refusals import BadName

LONGEST_NAME = 40
JOINERS = "\u200c\u200d"
"""Invisible characters that shape the letters of Persian and Malayalam, and join several emoji into one."""
BLANKS = "\u115f\u1160\u2800\u3164\uffa0"
"""Letters and symbols, according to Unicode, that are invisible."""


def plain_name(name: str) -> str:
    """Return a person's name as it is stored; refuse one that is too long, unprintable or invisible."""
    name = " ".join(name.split())
    if len(name) > LONGEST_NAME:
        raise BadName(f"a name has at most {LONGEST_NAME} characters, this has {len(name)}")
    unjoined = re.sub(rf"(?<=[^\s{JOINERS}])[{JOINERS}]", "", name)
    if not unjoined.isprintable() or (name and not any(map(_is_seen, name))):
        raise BadName("a name consists of letters, digits and signs that can be printed")
    return name


def _is_seen(character: str) -> bool:
    """Whether a character is visible by itself; an accent, a joiner or a space is not."""
    return unicodedata.category(character)[0] in "LNPS" and character not in BLANKS
