"""A small client for a Connectoe server: make, join and play matches from a program.

    seat = Server("http://localhost:8000").create("connect-four", opponent="medium")
    for match in seat.turns():           # each time it is this seat's turn
        seat.play(match.legal_moves()[0])
    print(match_of(seat.read()).status)

It needs the package `websockets` for live updates (`pip install 'connectoe[web]'`), and nothing else.
"""

from __future__ import annotations

import json
import re
import time
from collections.abc import Generator, Iterator, Mapping
from http.client import HTTPException
from typing import Any
from urllib.error import HTTPError, URLError
from urllib.parse import urlsplit
from urllib.request import Request, urlopen

from connectoe.catalogue import load_known
from connectoe.errors import ConnectoeError
from connectoe.match import Match

PATIENCE = 30.0
"""Seconds for which a server that is away, as while it is restarted, is tried again."""
AWAY = (0, 502, 503, 504)
"""What is answered while a server is away: nothing, or what a proxy before it or the server itself says then."""


class ServerError(ConnectoeError):
    """What a server refused, in its words; `status` is the HTTP status, 0 if it could not be reached.

    >>> str(ServerError(409, "the match is over"))
    'the match is over'
    """

    def __init__(self, status: int, message: str, answer: Mapping[str, Any] | None = None) -> None:
        super().__init__(message)
        self.status = status
        self.answer = answer or {}


class Server:
    """A Connectoe server; moves are tried again for so many seconds while it is away.

    >>> Server("http://localhost:8000").url
    'http://localhost:8000'
    """

    def __init__(self, url: str, patience: float = PATIENCE) -> None:
        parts = urlsplit(url if "//" in url else f"http://{url}")
        if parts.scheme not in ("http", "https") or not parts.netloc:
            raise ConnectoeError(f"a server's address is like http://localhost:8000, not {url[:60]!r}")
        self.url = f"{parts.scheme}://{parts.netloc}"
        self.patience = patience

    def ask(self, path: str, body: Mapping[str, Any] | None = None, secret: str = "") -> Any:
        """What the API answers to a GET, or to a POST if there is a body.

        >>> Server("http://localhost:1").ask("/games")
        Traceback (most recent call last):
        connectoe.client.ServerError: http://localhost:1 cannot be reached: ...
        """
        headers = {"Content-Type": "application/json"} | ({"Authorization": f"Bearer {secret}"} if secret else {})
        content = None if body is None else json.dumps(body).encode()
        request = Request(f"{self.url}/api/v1{path}", content, headers)
        try:
            with urlopen(request, timeout=PATIENCE) as answer:
                return json.load(answer)
        except HTTPError as error:
            with error:
                try:
                    said = json.load(error)
                except (ValueError, OSError, HTTPException):
                    said = {}
            raise ServerError(error.code, said.get("error", f"HTTP status {error.code}"), said) from None
        except (URLError, OSError, HTTPException) as error:  # the last if it ends in the middle of its answer
            reason = getattr(error, "reason", error)
            raise ServerError(0, f"{self.url} cannot be reached: {reason}") from None

    def create(
        self,
        game: str,
        options: Mapping[str, Any] | None = None,
        *,
        opponent: str = "open",
        name: str = "",
        first: bool = True,
    ) -> SeatHeld:
        """A seat in a new match, against an engine's level or, with "open", whoever gets the link.

        >>> Server("http://localhost:1").create("connect-four", opponent="easy")
        Traceback (most recent call last):
        connectoe.client.ServerError: http://localhost:1 cannot be reached: ...
        """
        me = {"kind": "me", "name": name}
        other = {"kind": "open"} if opponent == "open" else {"kind": "engine", "level": opponent}
        seats = [me, other] if first else [other, me]
        made = self.ask("/matches", {"game": game, "options": dict(options or {}), "seats": seats})
        [(seat, secret)] = made["secrets"].items()
        return SeatHeld(self, made["id"], int(seat), secret, made["invite"])

    def join(self, match_id: str, invite: str, name: str = "") -> SeatHeld:
        """The open seat of a match, taken with the code from its link.

        >>> Server("http://localhost:1").join("match", "code")
        Traceback (most recent call last):
        connectoe.client.ServerError: http://localhost:1 cannot be reached: ...
        """
        joined = self.ask(f"/matches/{match_id}/join", {"invite": invite, "name": name})
        return SeatHeld(self, match_id, joined["yours"][0], joined["secret"])


def join_by_link(link: str, name: str = "") -> SeatHeld:
    """The open seat of a match, taken by the link that its maker sent.

    >>> join_by_link("http://localhost/rules")
    Traceback (most recent call last):
    connectoe.errors.ConnectoeError: a link to join looks like http://host/matches/ID/join/CODE, not 'http://localhost/rules'
    """
    found = re.fullmatch(r"(https?://[^/]+)/matches/([a-z0-9]+)/join/([A-Za-z0-9_-]+)", link.strip())
    if not found:
        raise ConnectoeError(f"a link to join looks like http://host/matches/ID/join/CODE, not {link[:80]!r}")
    address, match_id, invite = found.groups()
    return Server(address).join(match_id, invite, name)


class SeatHeld:
    """A seat in a match, and the secret that moves for it.

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
        """The link for whoever shall take the open seat.

        >>> SeatHeld(Server("http://localhost:8000"), "match", 0, "secret").link is None
        True
        """
        return f"{self.server.url}/matches/{self.match_id}/join/{self.invite}" if self.invite else None

    def read(self) -> dict[str, Any]:
        """How the match stands, as the API tells it.

        >>> SeatHeld(Server("http://localhost:1"), "match", 0, "secret").read()
        Traceback (most recent call last):
        connectoe.client.ServerError: http://localhost:1 cannot be reached: ...
        """
        return dict(self.server.ask(f"/matches/{self.match_id}", secret=self.secret))

    def play(self, move: str, ply: int | None = None) -> dict[str, Any]:
        """The match after a move; sent again while the server is away, which never plays it twice.

        >>> SeatHeld(Server("http://localhost:1", patience=0), "match", 0, "secret").play("d", 0)
        Traceback (most recent call last):
        connectoe.client.ServerError: http://localhost:1 cannot be reached: ...
        """
        body = {"move": move, "ply": self.read()["ply"] if ply is None else ply}
        until = time.monotonic() + self.server.patience
        while True:
            try:
                told = dict(self.server.ask(f"/matches/{self.match_id}/moves", body, self.secret))
            except ServerError as error:
                if error.status not in AWAY or time.monotonic() > until:
                    raise
                time.sleep(0.3)
            else:
                self._version_played = told["version"]
                return told

    def resign(self) -> dict[str, Any]:
        """The match after giving up.

        >>> SeatHeld(Server("http://localhost:1"), "match", 0, "secret").resign()
        Traceback (most recent call last):
        connectoe.client.ServerError: http://localhost:1 cannot be reached: ...
        """
        return dict(self.server.ask(f"/matches/{self.match_id}/resign", {}, self.secret))

    def changes(self) -> Generator[dict[str, Any], None, None]:
        """How the match stands, now and after every change, until it is over; reconnects by itself.

        >>> next(SeatHeld(Server("http://localhost:1"), "match", 0, "secret").changes(), None) is None
        Traceback (most recent call last):
        connectoe.client.ServerError: http://localhost:1 cannot be reached: ...
        """
        from websockets.exceptions import WebSocketException
        from websockets.sync.client import connect

        self.read()  # a match or server that is not there is told at once
        address = f"ws{self.server.url[4:]}/api/v1/matches/{self.match_id}/live"
        lost_at: float | None = None
        while True:
            try:
                with connect(address, additional_headers={"Authorization": f"Bearer {self.secret}"}) as socket:
                    lost_at = None
                    for message in socket:
                        told = json.loads(message)
                        if "error" in told:
                            raise ServerError(told.get("status", 404), told["error"], told)
                        if "alive" in told:  # nothing has changed
                            continue
                        yield told
                        if told["turn"] is None:
                            return
            except (OSError, WebSocketException):
                pass
            now = time.monotonic()
            lost_at = now if lost_at is None else lost_at
            if now - lost_at > self.server.patience:
                raise ServerError(0, f"{self.server.url} cannot be reached any more")
            time.sleep(0.3)

    def turns(self) -> Iterator[Match]:
        """The match, each time this seat is to move, until it is over.

        >>> list(SeatHeld(Server("http://localhost:1"), "match", 0, "secret").turns())
        Traceback (most recent call last):
        connectoe.client.ServerError: http://localhost:1 cannot be reached: ...
        """
        seen = -1
        for told in self.changes():
            # While a player thinks, offers may be made: what was told before the move is about an earlier turn.
            is_news = told["version"] > seen and told["version"] >= self._version_played
            if told["turn"] == self.seat and is_news:
                seen = told["version"]
                yield match_of(told)


def match_of(told: Mapping[str, Any]) -> Match:
    """The match that a server tells of, for engines and players of this library.

    >>> told = {"game": "connect-four", "options": {}, "start": "7/7/7/7/7/7 X", "moves": ["d"], "result": None}
    >>> match_of(told).status
    'O to move'
    """
    game = load_known(told["game"], **told["options"])
    start = game.state(told["start"])
    match = Match(game, start=None if start == game.start else start)
    for move in told["moves"]:
        match.play(move)
    if told["result"] is not None and not match.outcome:
        if told["result"] == "draw":
            match.agree_draw()
        else:
            match.resign(1 - int(told["result"]))
    return match
