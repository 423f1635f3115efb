"""The names that a browser's people gave last, kept in a cookie of their own: there are no accounts."""

from __future__ import annotations

from collections.abc import Mapping
from urllib.parse import parse_qs, quote, unquote, urlencode

from fastapi import Request, Response

from connectoe.web.http.cookies import NAMES, cookie_of, set_cookie
from connectoe.web.service.names import plain_name
from connectoe.web.service.refusals import BadName

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
