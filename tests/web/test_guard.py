"""What every request passes first. These tests ask the application itself, without a server."""

from __future__ import annotations

import asyncio
from typing import Any

import httpx
import pytest
from fastapi import FastAPI
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.types import Receive, Scope, Send

from connectoe.web.http.app import Settings, make_app
from connectoe.web.http.guard import LARGEST_HEAD, Guard
from connectoe.web.http.proxies import Forwarded, Proxies
from connectoe.web.service.limits import UNLIMITED

NEW = {"game": "tic-tac-toe", "seats": [{"kind": "me"}, {"kind": "me"}]}
SITE = "https://play.example"


class Asker:
    """Somebody who asks an application, keeps its cookies, and follows no redirects."""

    def __init__(self, app: Any, peer: str = "10.0.0.1") -> None:
        self.app = app
        self.peer = peer
        self.cookies = httpx.Cookies()

    def get(self, path: str, **request: Any) -> httpx.Response:
        return asyncio.run(self._ask("GET", path, request))

    def post(self, path: str, **request: Any) -> httpx.Response:
        return asyncio.run(self._ask("POST", path, request))

    async def _ask(self, method: str, path: str, request: dict[str, Any]) -> httpx.Response:
        transport = httpx.ASGITransport(self.app, client=(self.peer, 1))
        async with httpx.AsyncClient(transport=transport, base_url=SITE, cookies=self.cookies) as client:
            answer = await client.request(method, path, **request)
            self.cookies = client.cookies
            return answer


@pytest.fixture(scope="module")
def application() -> FastAPI:
    return make_app(Settings(prepares="nothing", shares=UNLIMITED, behind_proxy=True))


@pytest.fixture
def site(application: FastAPI) -> Asker:
    """The whole application, over HTTPS, for somebody new."""
    return Asker(application)


async def _tell(scope: Scope, receive: Receive, send: Send) -> None:
    """Answer with what an application behind the guard gets to know."""
    request = Request(scope)
    known = {"cookies": request.cookies, "client": request.state.client, "scheme": scope["scheme"]}
    await JSONResponse(known | {"browser": request.state.keys.browser})(scope, receive, send)


def known_of(headers: list[tuple[str, str]], peer: str = "10.0.0.1", allowed: str = "") -> dict[str, Any]:
    found: dict[str, Any] = Asker(Forwarded(Guard(_tell), Proxies(allowed)), peer).get("/", headers=headers).json()
    return found


# Size and text.


@pytest.mark.parametrize("cookie", ['connectoe="' + "\\" * 12_000 + '"', "a=" + "\\" * 12_000, '="; ' * 3_000])
def test_no_hostile_cookie_reaches_the_parsers_of_others(cookie: str) -> None:
    known = known_of([("cookie", cookie), ("cookie", "connectoe-names=n; connectoe=" + "s" * 32)])
    assert known["cookies"] == {}
    assert known["browser"] == "s" * 32 or "connectoe=" in cookie


def test_all_headers_together_are_limited(site: Asker) -> None:
    for headers in (
        {"cookie": "a" * LARGEST_HEAD},
        {f"x-{number}": "a" * 100 for number in range(200)},
    ):
        assert site.get("/about", headers=headers).status_code == 431
    assert site.get("/about?" + "a" * LARGEST_HEAD).status_code == 431
    assert site.get("/about?" + "a" * (LARGEST_HEAD - 1000)).status_code == 200


@pytest.mark.parametrize(
    "charset", ["punycode", "unicode_escape", '"utf-7"', "UTF-16", "utf-8; charset=idna", "utf-8" + "; a=b" * 50]
)
def test_texts_that_are_not_utf8_are_refused(site: Asker, charset: str) -> None:
    body = b'--b\r\nContent-Disposition: form-data; name="record"\r\n\r\n\\x\r\n--b--\r\n'
    for path in ("/analyse", "/matches"):
        kind = f"multipart/form-data; boundary=b; charset={charset}"
        answer = site.post(path, content=body, headers={"content-type": kind, "origin": SITE})
        assert (answer.status_code, "UTF-8" in answer.text) == (415, True)
    kind = 'multipart/form-data; boundary=b; Charset="UTF-8"'
    assert site.post("/analyse", content=body, headers={"content-type": kind, "origin": SITE}).status_code == 400


@pytest.mark.parametrize("host", ["[", "[::g]", "a b", "a/b", "a:99999", 'a"'])
def test_a_host_that_is_no_name_is_refused(site: Asker, host: str) -> None:
    assert site.get("/about", headers={"host": host}).status_code == 400


def test_a_length_that_is_no_number_is_refused(site: Asker) -> None:
    for length in ("9" * 5000, "-1", "1e3", "0x10"):
        headers = {"content-length": length, "origin": SITE}
        assert site.post("/analyse", headers=headers).status_code == 413


# Cookies and origins.


def test_over_https_a_cookie_can_come_only_from_this_host(site: Asker) -> None:
    header = site.get("/about").headers["set-cookie"]
    assert header.startswith("__Host-connectoe=")
    assert "; Path=/; " in header
    assert header.endswith("; Secure")
    assert "Domain" not in header


def test_a_browser_with_an_old_cookie_keeps_its_seats(site: Asker) -> None:
    old = "o" * 32
    answer = Asker(site.app).get("/about", headers={"cookie": f"connectoe={old}"})
    assert f"__Host-connectoe={old};" in answer.headers["set-cookie"]
    both = {"cookie": f"connectoe={'x' * 32}; __Host-connectoe={old}"}
    assert "set-cookie" not in Asker(site.app).get("/about", headers=both).headers
    assert known_of([*both.items()])["browser"] == old


def test_names_are_remembered_under_the_same_prefix(site: Asker) -> None:
    form = {"game": "tic-tac-toe", "opponent": "here", "name": "Ann"}
    site.post("/matches", data=form, headers={"origin": SITE})
    assert set(site.cookies) == {"__Host-connectoe", "__Host-connectoe-names", "__Host-connectoe-lessons"}
    assert 'value="Ann"' in site.get("/new/tic-tac-toe").text


@pytest.mark.parametrize(
    ("origin", "status"),
    [
        (SITE, 201),
        ("http://play.example", 403),
        ("https://play.example:444", 403),
        ("https://play.example.evil.example", 403),
        ("https://evil.example", 403),
        ("null", 403),
    ],
)
def test_an_origin_is_compared_with_its_scheme(site: Asker, origin: str, status: int) -> None:
    assert site.post("/api/v1/matches", json=NEW, headers={"origin": origin}).status_code == status
    headers = {"referer": f"{origin}/matches/m"}
    assert site.post("/api/v1/matches", json=NEW, headers=headers).status_code == status


# Proxies.


@pytest.mark.parametrize(
    ("lines", "client"),
    [
        (["9.9.9.9"], "9.9.9.9"),
        (["6.6.6.6, 9.9.9.9"], "9.9.9.9"),
        (["6.6.6.6", "9.9.9.9"], "9.9.9.9"),
        (["9.9.9.9:4711"], "9.9.9.9"),
        (["[2001:db8::1]:4711"], "2001:db8::"),
        (["::ffff:9.9.9.9"], "9.9.9.9"),
        (["6.6.6.6, 10.0.0.7"], "10.0.0.7"),
        (["unknown"], "10.0.0.1"),
        (["9.9.9.9,"], "10.0.0.1"),
        ([], "10.0.0.1"),
    ],
)
def test_a_client_behind_a_proxy_is_the_last_address_named(lines: list[str], client: str) -> None:
    assert known_of([("x-forwarded-for", line) for line in lines])["client"] == client


def test_a_proxy_is_believed_on_a_server_that_listens_to_both_kinds_of_addresses() -> None:
    headers = [("x-forwarded-for", "9.9.9.9"), ("x-forwarded-proto", "http")]
    assert known_of(headers, peer="::ffff:10.0.0.1")["client"] == "9.9.9.9"
    assert known_of(headers, peer="::ffff:10.0.0.1")["scheme"] == "http"
    assert known_of(headers, peer="::ffff:8.8.8.8")["client"] == "8.8.8.8"
    assert known_of(headers, peer="::ffff:8.8.8.8")["scheme"] == "https"


def test_only_named_proxies_are_believed_if_some_are_named() -> None:
    headers = [("x-forwarded-for", "6.6.6.6, 9.9.9.9, 192.0.2.7")]
    assert known_of(headers, allowed="192.0.2.0/24, 10.0.0.1")["client"] == "9.9.9.9"
    assert known_of(headers, allowed="192.0.2.0/24")["client"] == "10.0.0.1"
    assert known_of(headers, peer="8.8.8.8", allowed="*")["client"] == "192.0.2.7"
