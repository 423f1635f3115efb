"""What Numba refuses to compile, in plain words: what is wrong, on which line, and what to write instead."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from connectoe.core.errors import BadGame

MORE = "docs/write-a-game.md says what compiles"


class Refusal(NamedTuple):
    """Why rules do not compile."""

    words: str
    instead: str = ""
    file: str = ""
    line: int | None = None

    def __str__(self) -> str:
        where = f" (line {self.line} of {self.file})" if self.file else ""
        instead = f": {self.instead}" if self.instead else ""
        return f"the rules do not compile: {self.words}{where}{instead}; {MORE}"


class NotCompiled(BadGame):
    """The rules of a game do not compile."""

    def __init__(self, refusal: Refusal) -> None:
        super().__init__(str(refusal))
        self.refusal = refusal
        self.why, self.file, self.line = refusal.words, refusal.file, refusal.line


KNOWN = [
    # what Numba says, what that means, and what to write instead
    (r"OverloadSelector object at .*List\(.*lowering \"\S+ = \w+\((\w+):", "{0} holds lists", "make them tuples"),
    (r"reflected list.*assigned to variable '(\w+)'", "{0} is a list", "make it a tuple"),
    (
        r"reflected set.*assigned to variable '(\w+)'",
        "{0} is a set",
        "make it a tuple, or an int with a bit for each member",
    ),
    (
        r"Untyped global name '(\w+)': Cannot determine Numba type of <class 'function'>",
        "{0} is a function that is not marked with @rule",
        "write @rule above its def",
    ),
    (
        r"Untyped global name '(\w+)': Cannot determine Numba type of <class 'dict'>",
        "{0} is a dict",
        "make it a tuple, and look things up by their number",
    ),
    (
        r"Untyped (?:global|freevar)[^']*'(\w+)': Cannot determine Numba type of <class '([\w.]+)'>",
        "{0} is a {1}, which rules cannot use",
        "take what you need out of it in the factory, as an int or a tuple of ints",
    ),
    (
        r"Unknown attribute '_replace'",
        "a position has no _replace in compiled rules",
        "write the whole new position, as Position(position.marks, 1 - position.turn)",
    ),
    (
        r"Unknown attribute 'bit_count'",
        "int.bit_count does not compile",
        "count the bits in a loop: `while bits: bits &= bits - 1; count += 1`",
    ),
    (
        r"Unknown attribute '\w+' of type Module\(<module '(random|secrets|time)'",
        "the module {0} has no place in rules, which give the same answer each time",
        "keep what changes in the position, and leave chance to the players",
    ),
    (r"Unknown attribute '(\w+)' of type (\w+)", "a {1} has no {0} in compiled rules", ""),
    (
        r"use of yield in a closure|generator expression",
        "any, all, sum and the like over `… for …` do not compile",
        "write a for loop that returns, or counts, inside",
    ),
    (
        r"re-entrant to the same function signature|cannot type infer runaway recursion|self-recursion",
        "a rule calls itself",
        "write a loop instead, and keep what is still to be done in an int or a tuple",
    ),
    (
        r"(?:getiter|getitem).*\b(?:Tuple|LiteralStrKeyDict)\(",
        "a tuple whose parts are of different lengths or kinds cannot be looped over or indexed by a variable",
        "give all parts the same length, filled up with -1, or loop over each by itself",
    ),
    (
        r"exception_match|Exception matching",
        "try … except does not compile",
        "ask first, with if, whether it can be done",
    ),
    (
        r"format spec in f-strings|str\.format",
        "rules make no texts",
        "make them in notation, reason or scene",
    ),
    (
        r"expected int64, got None|Cannot unify .*none",
        "a name or result is an int in one case and None in another",
        "use an int that means nothing, such as -1, in place of None",
    ),
    (
        r"Cannot unify (\S+) and (\S+) for '(\w+)",
        "{2} is {0} in one place and {1} in another",
        "give it one kind of value",
    ),
    (
        r"No implementation of function Function\(<(?:built-in function|class|function) '?(\w+)",
        "{0} does not compile with these arguments",
        "write what it does as a loop or with if",
    ),
    (
        r"STORE_GLOBAL",
        "a rule changes a name outside of it",
        "keep what changes in the position",
    ),
    (r"Use of unsupported (?:NumPy|opcode) ?\(?([\w.]*)", "{0} does not compile", ""),
]
"""The refusals that people meet; the first that matches is reported."""


def refusal_of(error: Exception) -> Refusal:
    """Return why rules do not compile; Numba's own assertions fail on what it did not expect, and say nothing."""
    if isinstance(error, AssertionError):
        return Refusal(
            "Numba does not expect something in it, and does not say what",
            "leave lines out until it compiles; arguments given by name, as in zip(…, strict=True), are likely",
        )
    return refusal_in(str(error))


def refusal_in(complaint: str) -> Refusal:
    """Return Numba's complaint in plain words; Numba says first where it was and last what is wrong."""
    *_, last = re.split(r"Failed in nopython mode pipeline \(step: [^)]*\)\s*", complaint)
    file, line = next(_places(last), None) or next(_places(complaint), None) or ("", None)
    for pattern, words, instead in KNOWN:
        if found := re.search(pattern, last, re.DOTALL):
            return Refusal(words.format(*found.groups()), instead, file, line)
    return Refusal(last.strip().partition("\n")[0], "", file, line)


def _places(text: str) -> Iterator[tuple[str, int]]:
    """Yield the places outside this package that a complaint names."""
    for found in re.finditer(r'File "([^"]+)", line (\d+)|(?:at|from) (\S+\.py) \((\d+)\)', text):
        path = Path(found[1] or found[3])
        is_ours = "connectoe" in path.parts and "engines" in path.parts
        if not is_ours and "numba" not in path.parts:
            yield path.name, int(found[2] or found[4])
