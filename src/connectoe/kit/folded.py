"""Long lines of code, folded at brackets and operators as a formatter does."""

from __future__ import annotations

import re
from collections.abc import Iterator

WIDTH = 120
INDENT = "    "
CLOSING = {"(": ")", "[": "]", "{": "}"}
BETWEEN = (", ", " if ", " else ", " or ", " and ", " | ", " + ", " & ")
"""Where what is between brackets is folded, what binds least first."""


def folded(line: str) -> Iterator[str]:
    """Yield a line of code as lines of at most 120 characters, where brackets allow it.

    >>> list(folded("return (1, 2)"))
    ['return (1, 2)']
    >>> list(folded(f"    return played({'a' * 70}, {'b' * 70})"))[0]
    '    return played('
    """
    if len(line) <= WIDTH:
        yield line
        return
    margin = line[: len(line) - len(line.lstrip())]
    opening = _outermost(line)
    if opening is None or opening[0] >= WIDTH:
        yield from _in_brackets(line, margin)
        return
    start, end = opening
    yield line[: start + 1]
    yield from _parts(line[start + 1 : end], margin + INDENT)
    yield margin + line[end:]


def _in_brackets(line: str, margin: str) -> Iterator[str]:
    """Yield a line without brackets to fold at, whose value is put in brackets."""
    for word in ("return ", " = "):
        head, found, value = line.partition(word)
        if found and value[0] not in "'\"" and (word == " = " or not head.strip()):
            yield f"{head}{word}("
            yield from _parts(value, margin + INDENT)
            yield f"{margin})"
            return
    yield line


def _parts(text: str, margin: str) -> Iterator[str]:
    """Yield what is between brackets, in lines with this margin."""
    if len(margin + text) <= WIDTH:
        yield margin + text
        return
    for between in BETWEEN:
        parts = _split(text, between)
        if len(parts) > 1:
            is_list = between == ", "
            for number, part in enumerate(parts):
                start = "" if is_list or number == 0 else f"{between.strip()} "
                lines = list(folded(f"{margin}{start}{part}"))
                yield from lines[:-1]
                yield lines[-1] + ("," if is_list else "")
            return
    yield from folded(margin + text) if _outermost(margin + text) else (margin + text,)


def _hidden(text: str) -> str:
    """Return a line whose strings are made of underscores, so that no sign in them counts."""
    return re.sub(r"'[^']*'|\"[^\"]*\"", lambda found: "_" * len(found[0]), text)


def _split(code: str, between: str) -> list[str]:
    """Return the parts of an expression between operators that are in no brackets."""
    text = _hidden(code)
    depth, parts, begun, at = 0, [], 0, 0
    while at < len(text):
        depth += (text[at] in CLOSING) - (text[at] in CLOSING.values())
        if depth == 0 and text.startswith(between, at):
            parts.append(code[begun:at])
            begun = at = at + len(between)
        else:
            at += 1
    return [*parts, code[begun:]]


def _outermost(line: str) -> tuple[int, int] | None:
    """Return where the last outer bracket of a line begins and ends, if nothing but a colon or a comma follows it."""
    depth, start, found = 0, 0, None
    for at, sign in enumerate(_hidden(line)):
        if sign in CLOSING:
            start = at if depth == 0 else start
            depth += 1
        elif sign in CLOSING.values():
            depth -= 1
            found = (start, at) if depth == 0 and at > start + 1 else found
    return found if found and line[found[1] + 1 :] in ("", ":", ",") else None
