"""The cookies of this site, read in one pass; those of other programs on the same machine are left alone.

Python's own `http.cookies` takes half a minute for a hostile cookie of 64 kB, and frameworks read every cookie of every
request with it: the guard reads these few and passes none on.
"""

from __future__ import annotations

from collections.abc import Iterable

from starlette.requests import HTTPConnection

BROWSER = "connectoe"
"""The secret of a browser."""
NAMES = "connectoe-names"
"""The names that a browser's people gave last."""
LESSONS = "connectoe-lessons"
"""The games whose lessons a browser's people have begun or been offered."""
PUZZLES = "connectoe-puzzles"
"""How practice with puzzles goes."""
THEME = "connectoe-theme"
"""The colours that a browser's people have chosen."""
MISTAKES = "connectoe-mistakes"
"""The positions that a browser's people got wrong, and when each comes back."""
HOST_ONLY = "__Host-"
"""What a name begins with over HTTPS: browsers take such a cookie only from this very host, and only over HTTPS."""
A_YEAR = 365 * 24 * 3600
OURS = {
    prefix + name: name for name in (BROWSER, NAMES, LESSONS, PUZZLES, THEME, MISTAKES) for prefix in (HOST_ONLY, "")
}


def read_cookies(headers: Iterable[str]) -> dict[str, str]:
    """Return the values of this site's cookies by the names they are sent under; the first of a name counts.

    >>> read_cookies(['a={"b":1}; connectoe=abc; connectoe=def; __Host-connectoe=ghi'])
    {'connectoe': 'abc', '__Host-connectoe': 'ghi'}
    """
    found: dict[str, str] = {}
    for header in headers:
        for cookie in header.split(";"):
            name, _, value = cookie.partition("=")
            if name.strip() in OURS:
                found.setdefault(name.strip(), value.strip().strip('"'))
    return found


def cookie_of(request: HTTPConnection, name: str) -> str:
    """Return the value of a cookie, or nothing.

    One that only this host can have set counts before one without the prefix, which is read because browsers got it
    before there was a prefix.
    """
    cookies: dict[str, str] = request.state.cookies
    return cookies.get(HOST_ONLY + name) or cookies.get(name, "")


def name_over(scheme: str, name: str) -> str:
    """Return the name under which a cookie is set."""
    return HOST_ONLY + name if scheme == "https" else name


def set_cookie(request: HTTPConnection, name: str, value: str) -> str:
    """Return the header that sets a cookie, or removes it if the value is empty."""
    scheme = request.scope["scheme"]
    secure = "; Secure" if scheme == "https" else ""
    age = A_YEAR if value else 0
    return f"{name_over(scheme, name)}={value}; Path=/; Max-Age={age}; HttpOnly; SameSite=Lax{secure}"
