"""What a browser remembers in cookies, since there are no accounts: names, which lessons were offered, and mistakes."""

from __future__ import annotations

import re
import time
from collections.abc import Collection, Mapping
from urllib.parse import parse_qs, quote, unquote, urlencode

from fastapi import Request, Response

from connectoe.web.http.cookies import LESSONS, MISTAKES, NAMES, cookie_of, set_cookie
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


# Mistakes: each is `match.ply.times.day`, how often it was solved in a row and the day on which it comes back.

MOST_MISTAKES = 60
COMES_BACK_AFTER = (1, 3, 7, 21)
"""The days until a position comes back that was solved once, twice and so on; after that, it is known."""
DAY = 24 * 3600


def due_mistakes(request: Request) -> list[tuple[str, int]]:
    """Return the positions that come back today, as matches and plies, the longest due first."""
    known, today = _mistakes_in(request), _today()
    due = [(day, where) for where, (times, day) in known.items() if day <= today and times < len(COMES_BACK_AFTER)]
    return [where for _, where in sorted(due)]


def remember_mistakes(request: Request, response: Response, found: Mapping[str, Collection[int]]) -> Response:
    """Let the browser remember the mistakes of some matches, to be tried from now on; it forgets others of these."""
    known = {
        where: when
        for where, when in _mistakes_in(request).items()
        if where[0] not in found or where[1] in found[where[0]]
    }
    fresh = {(match_id, ply): (0, _today()) for match_id, plies in found.items() for ply in plies}
    return _keep_mistakes(request, response, fresh | known)


def remember_answer(request: Request, response: Response, match_id: str, ply: int, *, is_right: bool) -> Response:
    """Let the browser remember when a position comes back: tomorrow, or after longer and longer times if it was solved
    when due.
    """
    known, today = _mistakes_in(request), _today()
    times, day = known.get((match_id, ply), (0, today))
    if (match_id, ply) in known and (not is_right or day <= today):
        solved = min(times + 1, len(COMES_BACK_AFTER)) if is_right else 0
        known[match_id, ply] = solved, today + COMES_BACK_AFTER[max(0, solved - 1)]
    return _keep_mistakes(request, response, known)


def _today() -> int:
    return int(time.time() // DAY)


def _mistakes_in(request: Request) -> dict[tuple[str, int], tuple[int, int]]:
    """Return the mistakes that a browser remembers; what cannot be read is left out."""
    found = re.findall(r"([a-z0-9]{1,20})\.(\d{1,6})\.(\d)\.(\d{1,6})(?:_|$)", cookie_of(request, MISTAKES)[:4000])
    return {(match_id, int(ply)): (int(times), int(day)) for match_id, ply, times, day in found}


def _keep_mistakes(
    request: Request, response: Response, mistakes: Mapping[tuple[str, int], tuple[int, int]]
) -> Response:
    if mistakes != _mistakes_in(request):
        latest = sorted(mistakes.items(), key=lambda item: item[1])[:MOST_MISTAKES]  # those solved often go first
        value = "_".join(f"{match_id}.{ply}.{times}.{day}" for (match_id, ply), (times, day) in latest)
        response.headers.append("set-cookie", set_cookie(request, MISTAKES, value))
    return response
