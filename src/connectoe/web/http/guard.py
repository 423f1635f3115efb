"""What every request passes first: its size, secrets from cookies, same-origin checks, and headers of answers.

Plain ASGI, since it runs for every request. What is refused here is refused before anything is read or stored.
"""

from __future__ import annotations

import json
import logging
import re
from collections.abc import Callable
from typing import Any
from urllib.parse import urlsplit

from starlette.requests import HTTPConnection, Request
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from connectoe.web.http.cookies import BROWSER, HOST_ONLY, cookie_of, read_cookies, set_cookie
from connectoe.web.service.keys import Keys, new_secret
from connectoe.web.service.limits import counted_as

log = logging.getLogger("connectoe.web")
LARGEST_HEAD = 16 * 1024
"""In bytes, for the address and all headers; a link to the analysis board has at most 7,000."""
LARGEST_BODY = 256 * 1024
"""In bytes; a record of the longest match is far smaller."""
LONGEST_TYPE = 200
"""In characters, for the type of a body; the boundary between parts has at most 70."""
TOO_LONG = f"the address and the headers of a request have at most {LARGEST_HEAD // 1024} kB"
TOO_LARGE = f"a request has at most {LARGEST_BODY // 1024} kB"
SECRET = re.compile("[A-Za-z0-9_-]{20,100}")
HOST = re.compile(r"(\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9._-]*)(:[0-9]{1,5})?")
LENGTH = re.compile("[0-9]{1,9}")
CHANGING = {"POST", "PUT", "PATCH", "DELETE"}
HEADERS = {
    "content-security-policy": "; ".join(
        [
            "default-src 'none'",
            "script-src 'self'",
            "style-src-elem 'self'",
            "style-src-attr 'unsafe-inline'",  # places of buttons over a board
            "img-src 'self' data:",
            "connect-src 'self'",
            "form-action 'self'",
            "frame-ancestors 'none'",
            "base-uri 'none'",
        ]
    ),
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "same-origin",  # links to seats are secret
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=()",
}
PICTURE_HEADERS = {
    "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
    "cross-origin-resource-policy": "cross-origin",
}
"""The headers of a picture instead: it contains its own style, and pages elsewhere may show it."""


class Guard:
    """Wraps the whole application.

    `answered` is called with the status of each answer; `failure` makes the answer to a request that failed.
    """

    def __init__(
        self,
        app: ASGIApp,
        answered: Callable[[int], None] = lambda status: None,
        failure: Callable[[Request], Response] = lambda request: Response(status_code=500),
    ) -> None:
        self.app = app
        self.answered = answered
        self.failure = failure

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Refuse a request, or let the application answer it."""
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return
        scope = dict(scope)
        is_too_long = _head_size(scope) > LARGEST_HEAD
        request = _own(scope)
        keys, cookie = keys_in(request)
        scope["state"]["keys"] = keys
        if scope["type"] == "websocket":
            if is_too_long or is_foreign(request) or not _is_host(request.headers.get("host", "")):
                await send({"type": "websocket.close", "code": 4403, "reason": "from another site"})
                return
            await self.app(scope, receive, send)
            return
        send = self._counting(send)
        if scope["method"] == "HEAD":  # answered like GET; the server leaves the body out
            scope["method"] = "GET"
        problem = (431, TOO_LONG) if is_too_long else _problem(scope["method"], request)
        if problem:
            await _refuse(scope, send, *problem)
            return
        if scope["method"] in CHANGING:
            body = await _body(receive)
            if body is None:
                await _refuse(scope, send, 413, TOO_LARGE)
                return
            receive = given_again(body, receive)
        await self._answer(scope, receive, _with_headers(send, scope["path"], cookie))

    async def _answer(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let the application answer; if it fails, log that, and tell the client that it did."""
        is_begun = False

        async def sends(message: Message) -> None:
            nonlocal is_begun
            is_begun = True
            await send(message)

        try:
            await self.app(scope, receive, sends)
        except Exception:
            if is_begun:  # it is too late to send another answer
                raise
            log.exception("a request could not be answered")
            await self.failure(Request(scope))(scope, receive, send)

    def _counting(self, send: Send) -> Send:
        async def sends(message: Message) -> None:
            if message["type"] == "http.response.start":
                self.answered(message["status"])
            await send(message)

        return sends


def _problem(method: str, request: HTTPConnection) -> tuple[int, str] | None:
    if not _is_host(request.headers.get("host", "")):
        return 400, "the header Host is a name or an address, perhaps with a port"
    if method in CHANGING and is_foreign(request):
        return 403, "requests that change something must come from this site's own pages"
    if not _is_utf8(request.headers.get("content-type", "")):
        return 415, "texts are sent as UTF-8"
    length = request.headers.get("content-length", "0")
    if not LENGTH.fullmatch(length) or int(length) > LARGEST_BODY:
        return 413, TOO_LARGE
    return None


def _client(request: HTTPConnection) -> str:
    return counted_as(request.client.host) if request.client else ""


def _own(scope: Scope) -> HTTPConnection:
    """Return the connection of a scope, which knows its client, and this site's cookies instead of all of them."""
    sent = [value.decode("latin-1") for name, value in scope["headers"] if name == b"cookie"]
    scope["headers"] = [header for header in scope["headers"] if header[0] != b"cookie"]
    request = HTTPConnection(scope)
    scope["state"] = scope.get("state", {}) | {"cookies": read_cookies(sent), "client": _client(request)}
    return request


def keys_in(request: HTTPConnection) -> tuple[Keys, str]:
    """Return the secrets that a request carries, and the header that sets a cookie, if the browser needs one."""
    kind, _, bearer = request.headers.get("authorization", "").partition(" ")
    if kind.lower() == "bearer" and bearer:
        return Keys(bearer=bearer.strip()[:200]), ""
    browser = cookie_of(request, BROWSER)
    if SECRET.fullmatch(browser):
        is_kept = request.scope["scheme"] != "https" or HOST_ONLY + BROWSER in request.state.cookies
        return Keys(browser=browser), "" if is_kept else set_cookie(request, BROWSER, browser)
    if "/api/" in request.scope["path"]:  # a program without secrets
        return Keys(), ""
    browser = new_secret()
    return Keys(browser=browser), set_cookie(request, BROWSER, browser)


def is_foreign(request: HTTPConnection) -> bool:
    """Whether a request comes from another site's page.

    Programs do not say where a request comes from, and are accepted only without a browser's cookie.
    """
    origin = request.headers.get("origin") or request.headers.get("referer")
    if origin:
        try:
            sent_from = urlsplit(origin)
        except ValueError:  # not an address
            return True
        scheme = request.scope["scheme"].replace("ws", "http")
        return (sent_from.scheme, sent_from.netloc) != (scheme, request.headers.get("host", ""))
    site = request.headers.get("sec-fetch-site")
    if site:
        return site not in ("same-origin", "none")
    return bool(cookie_of(request, BROWSER)) and "authorization" not in request.headers


def _head_size(scope: Scope) -> int:
    address = len(scope.get("raw_path") or b"") + len(scope["query_string"])
    return address + sum(len(name) + len(value) + 4 for name, value in scope["headers"])


def _is_host(host: str) -> bool:
    """Whether links can be made with this name of the server."""
    try:
        return bool(HOST.fullmatch(host) and urlsplit(f"//{host}").port != 0)
    except ValueError:
        return False


def _is_utf8(content_type: str) -> bool:
    """Whether the texts in a body of this type are UTF-8; Python knows other charsets that take minutes to read.

    A type with endless parameters takes long to read itself.
    """
    if len(content_type) > LONGEST_TYPE:
        return False
    parameters = (part.partition("=") for part in content_type.lower().split(";")[1:])
    return all(value.strip(' "') in ("utf-8", "utf8") for name, _, value in parameters if "charset" in name)


def _with_headers(send: Send, path: str, cookie: str) -> Send:
    extra = [(name.encode(), value.encode()) for name, value in HEADERS.items()]
    if path.startswith("/static/"):
        extra.append((b"cache-control", b"no-cache"))  # asked for each time, and sent only if it has changed
    else:
        extra.append((b"cache-control", b"no-store"))
        if cookie and not path.startswith(("/api/", "/healthz", "/metrics")):
            extra.append((b"set-cookie", cookie.encode()))

    async def sends(message: Message) -> None:
        if message["type"] == "http.response.start":
            own = message.get("headers", [])
            names = {name for name, _ in own}
            names.discard(b"set-cookie")  # an answer may set several
            message["headers"] = [*own, *(header for header in extra if header[0] not in names)]
        await send(message)

    return sends


async def _body(receive: Receive) -> bytes | None:
    """Return the whole body, or None as soon as it is too long: not every client announces the length.

    None also for a client that was cut off in the middle: half a request is not carried out.
    """
    body = b""
    while True:
        message = await receive()
        body += bytes(message.get("body", b""))
        if len(body) > LARGEST_BODY or message["type"] == "http.disconnect":
            return None
        if not message.get("more_body"):
            return body


def given_again(body: bytes, receive: Receive) -> Receive:
    """Return a `receive` that gives the application a body that has been read; after it, whatever comes."""
    is_given = False

    async def receives() -> Message:
        nonlocal is_given
        if is_given:
            return await receive()
        is_given = True
        return {"type": "http.request", "body": body, "more_body": False}

    return receives


async def _refuse(scope: Scope, send: Send, status: int, message: str) -> None:
    if scope["path"].startswith("/api/"):
        kind, body = b"application/json", json.dumps({"error": message}).encode()
    else:
        kind, body = b"text/plain; charset=utf-8", f"This cannot be done: {message}. Please go back.\n".encode()
    headers: list[Any] = [(b"content-type", kind), (b"content-length", str(len(body)).encode())]
    headers += [(name.encode(), value.encode()) for name, value in HEADERS.items()]
    headers.append((b"connection", b"close"))
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
