"""The requests made while playing, answered without the framework's routing, which costs more than a move.

A move of a program, a move of a page, and the board after the other side's move: three quarters of what a server is
asked. Whatever is unusual about one of these requests is left to the routes in `api.py` and `match_pages.py`, which
answer all of them, and in the same way.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import NamedTuple
from urllib.parse import parse_qsl

from starlette.requests import Request
from starlette.types import ASGIApp, Receive, Scope, Send

from connectoe.core.errors import ConnectoeError
from connectoe.web.http.guard import given_again
from connectoe.web.http.match_pages import Fragment, fragment
from connectoe.web.http.pools import playing, run_in
from connectoe.web.http.problems import database_is_away, refused
from connectoe.web.http.requests import keys_of, matches_of, services_of
from connectoe.web.service.availability import AWAY
from connectoe.web.service.live import as_json
from connectoe.web.service.next_version import MOST_MOVES

PATH = re.compile("(/api/v1)?/matches/([a-z0-9]{1,20})/(moves|move|board)")
SINCE = re.compile(b"from=([0-9]{1,5})")
LONGEST_BODY = 200
LONGEST_MOVE = 20
JSON = b"application/json"
HTML = b"text/html; charset=utf-8"


class MoveSent(NamedTuple):
    """A move, and the number of moves it follows."""

    move: str
    ply: int


class Express:
    """Wraps the application, and answers in its place where it can."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or let the application do so."""
        path = PATH.fullmatch(scope["path"]) if scope["type"] == "http" else None
        if not path:
            await self.app(scope, receive, send)
            return
        body = b""
        if scope["method"] == "POST":
            body = bytes((await receive()).get("body", b""))  # `Guard` has read all of it
            receive = given_again(body, receive)
        request = Request(scope)
        answer = _answer(request, bool(path[1]), path[2], path[3], body)
        if answer is None:
            await self.app(scope, receive, send)
            return
        try:
            content = await run_in(playing, request, answer)
        except ConnectoeError as error:
            await refused(request, error)(scope, receive, send)
        except AWAY as error:
            await database_is_away(request, error)(scope, receive, send)
        else:
            kind = JSON if path[1] else HTML
            headers = [(b"content-type", kind), (b"content-length", str(len(content)).encode())]
            await send({"type": "http.response.start", "status": 200, "headers": headers})
            await send({"type": "http.response.body", "body": content})


def _answer(request: Request, is_program: bool, match_id: str, what: str, body: bytes) -> Callable[[], bytes] | None:
    """Return what makes the answer to a request, in a thread; None if the request is not a usual one."""
    method, query = request.scope["method"], request.scope["query_string"]
    if is_program:
        made = _read_json(request, body) if (method, what, query) == ("POST", "moves", b"") else None
        return None if made is None else lambda: _play_for_program(request, match_id, made)
    since = SINCE.fullmatch(query)
    asked = Fragment(int(since[1]), letters=False) if since else None
    if asked is None or (asked.since or 0) > MOST_MOVES:
        return None
    if (method, what) == ("GET", "board"):
        return lambda: fragment(request, services_of(request).look_at(match_id, keys_of(request)), asked)
    move = _read_form(request, body) if (method, what) == ("POST", "move") else None
    return None if move is None else lambda: _play_for_page(request, match_id, move, asked)


def _play_for_program(request: Request, match_id: str, made: MoveSent) -> bytes:
    return as_json(matches_of(request).play(match_id, keys_of(request), made.move, made.ply).data()).encode()


def _play_for_page(request: Request, match_id: str, made: MoveSent, asked: Fragment) -> bytes:
    return fragment(request, matches_of(request).play(match_id, keys_of(request), made.move, made.ply), asked)


def _read_json(request: Request, body: bytes) -> MoveSent | None:
    if len(body) > LONGEST_BODY or not request.headers.get("content-type", "").startswith("application/json"):
        return None
    try:
        sent = json.loads(body)
    except ValueError:
        return None
    return _move(sent) if isinstance(sent, dict) and len(sent) == 2 else None


def _read_form(request: Request, body: bytes) -> MoveSent | None:
    kind = request.headers.get("content-type", "")
    if len(body) > LONGEST_BODY or not kind.startswith("application/x-www-form-urlencoded"):
        return None
    try:
        fields = parse_qsl(body.decode("ascii"), keep_blank_values=True, strict_parsing=True, errors="strict")
    except ValueError:
        return None
    sent: dict[object, object] = {name: value for name, value in fields if name != "tool"}
    ply = str(sent.get("ply", ""))
    if not (ply.isascii() and ply.isdigit()) or len(sent) != 2 or len(fields) > 3:
        return None
    return _move(sent | {"ply": int(ply)})


def _move(sent: dict[object, object]) -> MoveSent | None:
    move, ply = sent.get("move"), sent.get("ply")
    if type(move) is not str or type(ply) is not int or not 0 <= ply <= MOST_MOVES or len(move) > LONGEST_MOVE:
        return None
    return MoveSent(move, ply)
