"""What belongs to a request: the services it uses, the keys it carries, and the client it counts for."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import TYPE_CHECKING

from fastapi import Request
from starlette.requests import HTTPConnection

from connectoe.core.match import Match
from connectoe.web.http.pools import run_in, working
from connectoe.web.service.keys import Keys
from connectoe.web.service.matches import Matches
from connectoe.web.service.refusals import Refused
from connectoe.web.service.services import Services

if TYPE_CHECKING:
    from connectoe.engines.engine import Analysis


def services_of(request: HTTPConnection) -> Services:
    """Return the services of the server that got the request."""
    services: Services = request.app.state.services
    return services


def matches_of(request: HTTPConnection) -> Matches:
    """Return the matches of the server that got the request."""
    return services_of(request).matches


def keys_of(request: HTTPConnection) -> Keys:
    """Return the secrets that came with the request."""
    keys: Keys = request.state.keys
    return keys


def client_of(request: HTTPConnection) -> str:
    """Return the client that the request counts for."""
    client: str = request.state.client
    return client


def count(request: HTTPConnection, what: str) -> None:
    """Count a request of a kind; raise TooMany if the client has used up its share."""
    services_of(request).limits.count(what, client_of(request))


async def analysis_for(request: Request, seconds: float, describe: Callable[[], Match]) -> tuple[Match, Analysis]:
    """Return the described match, and its analysis as soon as an engine has made it.

    Waiting for it blocks no thread, and a client that leaves cancels it.
    """
    begin = services_of(request).begin_analysis
    match, promise = await run_in(working, request, begin, client_of(request), seconds, describe)
    analysis = asyncio.wrap_future(promise)
    while not (await asyncio.wait({analysis}, timeout=1.0))[0]:
        if await request.is_disconnected():
            promise.cancel()
            raise Refused("nobody waits for this any more")
    return match, analysis.result()
