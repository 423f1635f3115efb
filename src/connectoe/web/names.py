"""What people may be called."""

from __future__ import annotations

import re
import unicodedata

from connectoe.web.refusals import BadName

LONGEST_NAME = 40
JOINERS = "\u200c\u200d"
"""They shape the letters of Persian and Malayalam, and make one emoji of several; they have no look of their own."""
BLANKS = "\u115f\u1160\u2800\u3164\uffa0"
"""Letters and signs, says Unicode, that nobody sees."""


def plain_name(name: str) -> str:
    """A person's name as it is kept: of characters that can be printed and seen, perhaps joined, and not too long.

    >>> plain_name("  Ann  ")
    'Ann'
    >>> plain_name("x" * 41)
    Traceback (most recent call last):
    connectoe.web.refusals.BadName: a name has at most 40 characters, this has 41
    """
    name = " ".join(name.split())
    if len(name) > LONGEST_NAME:
        raise BadName(f"a name has at most {LONGEST_NAME} characters, this has {len(name)}")
    unjoined = re.sub(rf"(?<=[^\s{JOINERS}])[{JOINERS}]", "", name)
    if not unjoined.isprintable() or (name and not any(map(_is_seen, name))):
        raise BadName("a name is of letters, digits and signs that can be printed")
    return name


def _is_seen(character: str) -> bool:
    """Whether a character has a look of its own: an accent, a joiner or a space has not."""
    return unicodedata.category(character)[0] in "LNPS" and character not in BLANKS
