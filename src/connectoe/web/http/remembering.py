"""What a browser remembers in cookies, since there are no accounts: names, and which lessons were offered."""

from __future__ import annotations

from collections.abc import Mapping
from urllib.parse import parse_qs, quote, unquote, urlencode

from fastapi import Request, Response

from connectoe.web.http.cookies import LESSONS, NAMES, cookie_of, set_cookie
from connectoe.web.service.names import plain_name
from connectoe.web.service.refusals import BadName

MOST_LESSONS = 50
FIELDS = ("name", "other-name")
"""The fields of forms that hold a name: the name of the browser's owner, and of a second player at the same screen."""


def names_in(request: Request) -> dict[str, str]:
    """Return the names that a browser remembers, by the fields they are entered in."""
    kept = parse_qs(unquote(cookie_of(request, NAMES)[:2000]))
    return {field: name for field in FIELDS if (name := _name(kept.get(field, [""])[0]))}


def _name(text: str) -> str:
    """Return a name that can be shown; nothing for another text, since people can change their cookies."""
    try:
        return plain_name(text)
    except BadName:
        return ""


def remember(request: Request, response: Response, fields: Mapping[str, str]) -> Response:
    """Let the browser remember the names in a form that was accepted; an empty field forgets a name."""
    entered = {field: _name(fields[field]) for field in FIELDS if field in fields}
    names = {field: name for field, name in (names_in(request) | entered).items() if name}
    if names != names_in(request):
        response.headers.append("set-cookie", set_cookie(request, NAMES, quote(urlencode(names), safe="")))
    return response


def knows_lesson(request: Request, game_id: str) -> bool:
    """Whether the lesson of a game was begun in this browser, or offered to it."""
    return game_id in _lessons_in(request)


def remember_lesson(request: Request, response: Response, game_id: str) -> Response:
    """Let the browser remember that the lesson of a game was begun or offered."""
    known = _lessons_in(request)
    if game_id not in known:
        value = quote("|".join([*known, game_id][-MOST_LESSONS:]), safe="")
        response.headers.append("set-cookie", set_cookie(request, LESSONS, value))
    return response


def _lessons_in(request: Request) -> list[str]:
    return [game_id for game_id in unquote(cookie_of(request, LESSONS)[:4000]).split("|") if game_id]
