"""Live connections over WebSockets: for programs the whole match, for pages what has changed; and moves from both."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Awaitable, Callable
from contextlib import suppress
from functools import partial

from pydantic import ValidationError
from starlette.types import ASGIApp, Receive, Scope, Send
from starlette.websockets import WebSocket, WebSocketDisconnect

from connectoe.core.errors import ConnectoeError
from connectoe.web.http.pools import playing, run_in
from connectoe.web.http.requests import client_of, keys_of, services_of
from connectoe.web.http.schemas import OneMove
from connectoe.web.service.availability import AWAY
from connectoe.web.service.keys import Keys
from connectoe.web.service.live import as_json
from connectoe.web.service.refusals import Refused
from connectoe.web.service.services import Services
from connectoe.web.service.views import MatchView
from connectoe.web.service.watching import Detail, Watcher

PATH = re.compile("(/api/v1)?/matches/([^/]+)/live")
ALIVE_EVERY = 15.0
"""The seconds of silence after which a sign of life is sent over a live connection."""
NO_MOVE = 'a client may send moves here, each with the number of moves it follows, such as {"move": "d", "ply": 0}'


class LiveConnections:
    """Wraps the application, and serves live connections in its place.

    The framework's routing would keep kilobytes for each of them, as long as it lasts.
    """

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve a live connection: programs are sent how the match stands, pages that it has changed."""
        path = PATH.fullmatch(scope["path"]) if scope["type"] == "websocket" else None
        if not path:
            await self.app(scope, receive, send)
            return
        websocket = WebSocket(scope, receive, send)
        keys, is_program = keys_of(websocket), bool(path[1])
        secret = websocket.query_params.get("secret") if is_program else None  # for those that cannot set headers
        if secret:
            keys = Keys(bearer=secret[:200])
        await _serve(websocket, path[2], keys, MatchView.public if is_program else MatchView.news)


async def _serve(websocket: WebSocket, match_id: str, keys: Keys, detail: Detail) -> None:
    """Send how a match stands, and play the moves that come, until the client leaves.

    While nothing changes, `{"alive": true}` is sent now and then: a page cannot see pings, and takes a silent
    connection for dead.
    """
    services = services_of(websocket)
    await websocket.accept()
    websocket.scope["headers"].clear()  # nobody asks for them any more
    try:
        with services.limits.holding("watch", client_of(websocket)):
            await _watch(websocket, services, match_id, keys, detail)
    except Refused as refused:
        with suppress(RuntimeError, WebSocketDisconnect):  # gone already
            await websocket.send_text(json.dumps({"error": str(refused), "status": refused.status}))
            await websocket.close(4000 + refused.status)
    except AWAY:
        with suppress(RuntimeError, WebSocketDisconnect):  # gone already
            await websocket.close(1013)  # try again later


async def _watch(websocket: WebSocket, services: Services, match_id: str, keys: Keys, detail: Detail) -> None:
    live, watchers = services.live, services.watchers
    watcher = Watcher(*await run_in(playing, websocket, _seats, services, match_id, keys), detail)
    changes_presence = watchers.enter(match_id, watcher)
    try:
        message, version = await run_in(playing, websocket, _first_message, services, match_id, detail)
        watcher.tell(message, version)  # later changes come from `Live`
        if changes_presence:
            await run_in(playing, websocket, live.tell_presence, match_id, watcher.seats, True)
        await _until_gone(websocket, watcher, partial(_play, websocket, match_id, keys, watcher))
    finally:
        if watchers.leave(match_id, watcher):
            await run_in(playing, websocket, live.tell_presence, match_id, watcher.seats, False)


def _seats(services: Services, match_id: str, keys: Keys) -> tuple[frozenset[int], bool]:
    """Return the seats that these keys open, and whether the players have swapped sides."""
    view = services.matches.view(match_id, keys)
    return view.yours, view.match.is_swapped


def _first_message(services: Services, match_id: str, detail: Detail) -> tuple[str, int]:
    """Return how a match stands, and its version; engines that play each other go on, since somebody watches."""
    stored = services.matches.stored(match_id)
    services.watchers.follow_sides(match_id, stored.match.is_swapped)
    services.thinking.let_engine_move(stored)
    return as_json(detail(services.matches.seen_by(stored, Keys()))), stored.row.version


async def _play(websocket: WebSocket, match_id: str, keys: Keys, watcher: Watcher, sent: str) -> None:
    """Play a move that a client has sent; all watchers get it, and the client learns of a refusal."""
    try:
        made = OneMove.model_validate_json(sent)
    except ValidationError:
        await websocket.send_text(as_json({"error": NO_MOVE, "status": 422}))
        return
    known = watcher.version
    try:
        view = await run_in(
            playing, websocket, services_of(websocket).matches.play, match_id, keys, made.move, made.ply
        )
    except ConnectoeError as error:
        status = error.status if isinstance(error, Refused) else 400
        await websocket.send_text(as_json({"error": str(error), "status": status, "ply": made.ply}))
        return
    if view.version <= known:  # the move was made before, and only its answer got lost
        watcher.tell(as_json(watcher.detail(view)), view.version)


async def _until_gone(websocket: WebSocket, watcher: Watcher, play: Callable[[str], Awaitable[None]]) -> None:
    async def tell() -> None:
        while True:
            await websocket.send_text(await _next_message(watcher))

    telling = asyncio.create_task(tell())
    try:
        while (message := await websocket.receive())["type"] != "websocket.disconnect":
            await play(message.get("text") or "")
            await asyncio.sleep(0)  # others have their turn, even if many messages have come
    except (RuntimeError, WebSocketDisconnect):  # gone before it was answered
        pass
    finally:
        telling.cancel()
        with suppress(asyncio.CancelledError, WebSocketDisconnect, RuntimeError):  # gone while something was being sent
            await telling


async def _next_message(watcher: Watcher) -> str:
    try:
        async with asyncio.timeout(ALIVE_EVERY):
            return await watcher.next()
    except TimeoutError:
        return '{"alive":true}'
