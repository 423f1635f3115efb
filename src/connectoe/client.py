"""A small client for a Connectoe server: make, join and play matches from a program.

    seat = Server("http://localhost:8000").create("connect-four", opponent="medium")
    for match in seat.turns():           # each time it is this seat's turn
        seat.play(match.legal_moves()[0])
    print(match_of(seat.read()).status)

It needs two packages, httpx and websockets: `pip install 'connectoe[client]'`.
"""

from __future__ import annotations

import json
import re
import time
import weakref
from collections.abc import Generator, Iterator, Mapping
from typing import Any
from urllib.parse import urlsplit

from connectoe.core.catalogue import load_known
from connectoe.core.errors import ConnectoeError
from connectoe.core.match import Match

try:
    import httpx
    from websockets.exceptions import WebSocketException
    from websockets.sync.client import connect
except ModuleNotFoundError as error:
    raise ImportError(
        f"connectoe.client needs more packages ({error.name} is missing): pip install 'connectoe[client]'"
    ) from None

PATIENCE = 30.0
"""The seconds for which requests to an unavailable server, for example during a restart, are repeated."""
PAUSE = 0.3
"""Seconds between two attempts."""
AWAY = (0, 502, 503, 504)
"""The statuses that mean a server is away: no answer, or the answer of a proxy in front of it or of the server."""


class ServerError(ConnectoeError):
    """A refusal, in the server's words; `status` is the HTTP status, or 0 if the server could not be reached.

    >>> str(ServerError(409, "the match is over"))
    'the match is over'
    """

    def __init__(self, status: int, message: str, answer: Mapping[str, Any] | None = None) -> None:
        super().__init__(message)
        self.status = status
        self.answer = answer or {}


class Server:
    """A Connectoe server; while it is away, a move is sent again for `patience` seconds.

    >>> Server("http://localhost:8000").url
    'http://localhost:8000'
    """

    def __init__(self, url: str, patience: float = PATIENCE) -> None:
        try:
            parts = urlsplit(url if "//" in url else f"http://{url}")
            if parts.scheme not in ("http", "https") or not parts.netloc:
                raise ValueError
        except ValueError:
            raise ConnectoeError(f"a server's address is like http://localhost:8000, not {url[:60]!r}") from None
        self.url = f"{parts.scheme}://{parts.netloc}"
        self.patience = patience
        self._http = httpx.Client(timeout=PATIENCE, follow_redirects=True)
        weakref.finalize(self, self._http.close)

    def ask(self, path: str, body: Mapping[str, Any] | None = None, secret: str = "") -> Any:  # nosec B107
        """Return the API's answer to a GET, or to a POST if there is a body.

        >>> Server("http://localhost:1").ask("/games")
        Traceback (most recent call last):
        connectoe.client.ServerError: http://localhost:1 cannot be reached: ...
        """
        try:
            answer = self._http.request(
                "GET" if body is None else "POST",
                f"{self.url}/api/v1{path}",
                json=body,
                headers={"Authorization": f"Bearer {secret}"} if secret else {},
            )
        except (httpx.HTTPError, httpx.InvalidURL, UnicodeError) as error:  # the last two for names that cannot be
            raise ServerError(0, f"{self.url} cannot be reached: {error}") from None
        try:
            content = answer.json()
        except ValueError:
            content = None
        if answer.is_error:
            content = content if isinstance(content, dict) else {}
            raise ServerError(answer.status_code, content.get("error", f"HTTP status {answer.status_code}"), content)
        if content is None:
            raise ServerError(answer.status_code, f"{self.url} answers, but not as a Connectoe server does")
        return content

    def create(
        self,
        game: str,
        options: Mapping[str, Any] | None = None,
        *,
        opponent: str = "open",
        name: str = "",
        first: bool = True,
    ) -> SeatHeld:
        """Make a match and return a seat in it; the opponent is an engine's level, or "open" for a person or program
        that joins by the link."""
        me = {"kind": "me", "name": name}
        other = {"kind": "open"} if opponent == "open" else {"kind": "engine", "level": opponent}
        seats = [me, other] if first else [other, me]
        made = self.ask("/matches", {"game": game, "options": dict(options or {}), "seats": seats})
        [(seat, secret)] = made["secrets"].items()
        return SeatHeld(self, made["id"], int(seat), secret, made["invite"])

    def join(self, match_id: str, invite: str, name: str = "") -> SeatHeld:
        """Take the open seat of a match with the code from its link, and return it."""
        joined = self.ask(f"/matches/{match_id}/join", {"invite": invite, "name": name})
        return SeatHeld(self, match_id, joined["yours"][0], joined["secret"])


def join_by_link(link: str, name: str = "") -> SeatHeld:
    """Take the open seat of a match by the link to join it, and return it.

    >>> join_by_link("http://localhost/rules")
    Traceback (most recent call last):
    connectoe.core.errors.ConnectoeError: a link to join looks like http://host/matches/ID/join/CODE, not 'http://localhost/rules'
    """
    found = re.fullmatch(r"(https?://[^/]+)/matches/([a-z0-9]+)/join/([A-Za-z0-9_-]+)", link.strip())
    if not found:
        raise ConnectoeError(f"a link to join looks like http://host/matches/ID/join/CODE, not {link[:80]!r}")
    address, match_id, invite = found.groups()
    return Server(address).join(match_id, invite, name)


class SeatHeld:
    """A seat in a match, with the secret that is needed to play for it.

    >>> SeatHeld(Server("http://localhost:8000"), "match", 0, "secret", "code").link
    'http://localhost:8000/matches/match/join/code'
    """

    def __init__(self, server: Server, match_id: str, seat: int, secret: str, invite: str | None = None) -> None:
        self.server = server
        self.match_id = match_id
        self.seat = seat
        self.secret = secret
        self.invite = invite
        self._version_played = -1

    @property
    def link(self) -> str | None:
        """The link for the player who is to take the open seat, if there was one.

        >>> SeatHeld(Server("http://localhost:8000"), "match", 0, "secret").link is None
        True
        """
        return f"{self.server.url}/matches/{self.match_id}/join/{self.invite}" if self.invite else None

    def read(self) -> dict[str, Any]:
        """Return the match as the API describes it."""
        return dict(self.server.ask(f"/matches/{self.match_id}", secret=self.secret))

    def play(self, move: str, ply: int | None = None) -> dict[str, Any]:
        """Play a move and return the match after it. While the server is away, the move is sent again; the number of
        the ply keeps it from being played twice."""
        body = {"move": move, "ply": self.read()["ply"] if ply is None else ply}
        until = time.monotonic() + self.server.patience
        while True:
            try:
                match = dict(self.server.ask(f"/matches/{self.match_id}/moves", body, self.secret))
            except ServerError as error:
                if error.status not in AWAY or time.monotonic() > until:
                    raise
                time.sleep(PAUSE)
            else:
                self._version_played = match["version"]
                return match

    def resign(self) -> dict[str, Any]:
        """Resign and return the match after it."""
        return dict(self.server.ask(f"/matches/{self.match_id}/resign", {}, self.secret))

    def changes(self) -> Generator[dict[str, Any], None, None]:
        """Yield the match as it is now and after every change until it is over; a lost connection is made again."""
        self.read()  # raises at once if there is no such match or server
        address = f"ws{self.server.url[4:]}/api/v1/matches/{self.match_id}/live"
        lost_at: float | None = None
        while True:
            try:
                with connect(address, additional_headers={"Authorization": f"Bearer {self.secret}"}) as socket:
                    lost_at = None
                    for message in socket:
                        news = json.loads(message)
                        if "error" in news:
                            raise ServerError(news.get("status", 404), news["error"], news)
                        if "alive" in news:  # a sign of life, no change
                            continue
                        yield news
                        if news["turn"] is None:
                            return
            except (OSError, WebSocketException):
                pass
            now = time.monotonic()
            lost_at = now if lost_at is None else lost_at
            if now - lost_at > self.server.patience:
                raise ServerError(0, f"{self.server.url} cannot be reached any more")
            time.sleep(PAUSE)

    def turns(self) -> Iterator[Match]:
        """Yield the match each time this seat is to move, until it is over."""
        seen = -1
        for answer in self.changes():
            # Offers may be made while a player thinks: a message from before the move is about an earlier turn.
            is_new = answer["version"] > seen and answer["version"] >= self._version_played
            if answer["turn"] == self.seat and is_new:
                seen = answer["version"]
                yield match_of(answer)


def match_of(answer: Mapping[str, Any]) -> Match:
    """Return the match in an answer of the API, for the engines and players of this library.

    >>> answer = {"game": "connect-four", "options": {}, "start": "7/7/7/7/7/7 X", "moves": ["d"], "result": None}
    >>> match_of(answer).status
    'O to move'
    """
    game = load_known(answer["game"], **answer["options"])
    start = game.state(answer["start"])
    match = Match(game, start=None if start == game.start else start)
    for move in answer["moves"]:
        match.play(move)
    if answer["result"] is not None and not match.outcome:
        if answer["result"] == "draw":
            match.agree_draw()
        else:
            match.resign(1 - int(answer["result"]))
    return match
