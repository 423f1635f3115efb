"""What every request passes first: secrets from cookies, same-origin checks, the size of bodies, and headers.

Plain ASGI, since it runs for every request. What is refused here is refused before anything is read or stored.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Callable
from typing import Any
from urllib.parse import urlsplit

from starlette.requests import HTTPConnection, Request
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from connectoe.web.service.keys import Keys, new_secret
from connectoe.web.service.limits import counted_as

log = logging.getLogger("connectoe.web")
COOKIE = "connectoe"
LARGEST_BODY = 256 * 1024
"""In bytes; a record of the longest match is far smaller."""
TOO_LARGE = f"a request has at most {LARGEST_BODY // 1024} kB"
A_YEAR = 365 * 24 * 3600
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

    `answered` is called with the status of each answer; `sorry` makes the answer to a request that failed.
    """

    def __init__(
        self,
        app: ASGIApp,
        answered: Callable[[int], None] = lambda status: None,
        sorry: Callable[[Request], Response] = lambda request: Response(status_code=500),
    ) -> None:
        self.app = app
        self.answered = answered
        self.sorry = sorry

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Refuse a request, or let the application answer it."""
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return
        request = HTTPConnection(scope)
        keys, is_new = keys_in(request)
        scope["state"] = scope.get("state", {}) | {"keys": keys, "client": _client(request)}
        if scope["type"] == "websocket":
            if is_foreign(request):
                await send({"type": "websocket.close", "code": 4403, "reason": "from another site"})
                return
            await self.app(scope, receive, send)
            return
        send = self._counting(send)
        if scope["method"] == "HEAD":  # answered like GET; the server leaves the body out
            scope["method"] = "GET"
        problem = self._problem(scope["method"], request)
        if problem:
            await _refuse(scope, send, *problem)
            return
        if scope["method"] in CHANGING:
            body = await _body(receive)
            if body is None:
                await _refuse(scope, send, 413, TOO_LARGE)
                return
            receive = _once(body, receive)
        cookie = _cookie(keys, request) if is_new else None
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
            if is_begun:  # it is too late for another answer
                raise
            log.exception("a request could not be answered")
            await self.sorry(Request(scope))(scope, receive, send)

    def _counting(self, send: Send) -> Send:
        async def sends(message: Message) -> None:
            if message["type"] == "http.response.start":
                self.answered(message["status"])
            await send(message)

        return sends

    def _problem(self, method: str, request: HTTPConnection) -> tuple[int, str] | None:
        if method in CHANGING and is_foreign(request):
            return 403, "requests that change something must come from this site's own pages"
        length = request.headers.get("content-length", "0")
        if not length.isdecimal() or int(length) > LARGEST_BODY:
            return 413, TOO_LARGE
        return None


def _client(request: HTTPConnection) -> str:
    return counted_as(request.client.host) if request.client else ""


def keys_in(request: HTTPConnection) -> tuple[Keys, bool]:
    """Return the secrets that a request carries, and whether its browser is new here."""
    kind, _, bearer = request.headers.get("authorization", "").partition(" ")
    if kind.lower() == "bearer" and bearer:
        return Keys(bearer=bearer.strip()[:200]), False
    cookie = request.cookies.get(COOKIE, "")
    if 20 <= len(cookie) <= 100 and cookie.isascii():
        return Keys(browser=cookie), False
    if "/api/" in request.url.path:  # a program without secrets
        return Keys(), False
    return Keys(browser=new_secret()), True


def is_foreign(request: HTTPConnection) -> bool:
    """Whether a request comes from another site's page.

    Programs do not say where a request comes from, and are accepted only without a browser's cookie.
    """
    origin = request.headers.get("origin") or request.headers.get("referer")
    if origin:
        try:
            return urlsplit(origin).netloc != request.headers.get("host", "")
        except ValueError:  # not an address
            return True
    site = request.headers.get("sec-fetch-site")
    if site:
        return site not in ("same-origin", "none")
    return COOKIE in request.cookies and "authorization" not in request.headers


def _cookie(keys: Keys, request: HTTPConnection) -> str:
    secure = "; Secure" if request.url.scheme == "https" else ""
    return f"{COOKIE}={keys.browser}; Path=/; Max-Age={A_YEAR}; HttpOnly; SameSite=Lax{secure}"


def _with_headers(send: Send, path: str, cookie: str | None) -> Send:
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


def _once(body: bytes, receive: Receive) -> Receive:
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
