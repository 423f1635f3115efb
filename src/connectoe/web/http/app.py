"""The web application: services, pages, API and live updates, put together."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import TypeVar

from fastapi import FastAPI
from fastapi.concurrency import run_in_threadpool
from fastapi.staticfiles import StaticFiles

import connectoe
from connectoe.web import render
from connectoe.web.http import (
    analysis_pages,
    api,
    learn_pages,
    match_pages,
    metrics,
    mistake_pages,
    own_pages,
    pages,
    puzzle_api,
    puzzle_pages,
    reference,
    review_api,
    set_up_pages,
)
from connectoe.web.http.express import Express
from connectoe.web.http.guard import Guard
from connectoe.web.http.pools import Pools
from connectoe.web.http.problems import add_problems, failure
from connectoe.web.http.proxies import Forwarded, Proxies, allowed_proxies
from connectoe.web.http.sockets import LiveConnections
from connectoe.web.service.availability import AWAY
from connectoe.web.service.limits import SHARES, Shares
from connectoe.web.service.services import Services
from connectoe.web.service.thinking import LONGEST_ANALYSIS
from connectoe.web.service.warming import Scope

log = logging.getLogger("connectoe.web")
T = TypeVar("T")
RESUMES_EVERY = 5.0
PRESENCE_EVERY = 20.0
COUNTS_EVERY = 600.0
SWEEPS_EVERY = 3600.0
BETWEEN_STEPS = 0.1
"""The seconds between two steps of a sweep, in which others have their turn."""
END = object()
PARTS = (
    api,
    puzzle_api,
    review_api,
    pages,
    match_pages,
    analysis_pages,
    set_up_pages,
    learn_pages,
    puzzle_pages,
    mistake_pages,
    own_pages,
    reference,
    metrics,
)
"""What the application consists of, each with its routes."""
STATIC = Path(render.__file__).parent / "static"

API_IN_WORDS = """Everything the pages do, for programs. Moves are in the notation of each game's rules page.

A program that makes or joins a match is given the secret of its seat, once, and sends it along as
`Authorization: Bearer SECRET`. Live updates come over a WebSocket at `/api/v1/matches/{match_id}/live`, which sends
the match as JSON at once and after every change, and `{"alive": true}` when nothing happens for a while; programs that
cannot set headers there add `?secret=SECRET`. Moves may be sent over it, too, as `{"move": "d", "ply": 0}`: the next
update shows an accepted one, and a refused one is answered with `{"error": "…", "status": 409, "ply": 0}`.
A refused request is answered with `{"error": "…"}`, which says why."""


@dataclass(frozen=True)
class Settings:
    """How a server is run."""

    database: str = "sqlite://"
    thinkers: int = 2
    longest_analysis: float = LONGEST_ANALYSIS
    behind_proxy: bool = False
    prepares: Scope = "all"
    shares: Shares = field(default_factory=lambda: dict(SHARES))
    at_home: str = ""
    """The address of this machine in its local network, if others there can reach the server."""


def make_app(settings: Settings) -> FastAPI:
    """Return the application, ready to be served."""
    services = Services(
        settings.database, settings.thinkers, settings.longest_analysis, settings.shares, settings.prepares
    )
    measured = metrics.Metrics(services)

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        await run_in_threadpool(pages.draw_gallery)  # before engines are prepared, which would make the first one wait
        await run_in_threadpool(services.begin)
        periodic = asyncio.create_task(_do_periodic_tasks(services))
        yield
        periodic.cancel()
        await asyncio.gather(periodic, return_exceptions=True)
        services.end()
        app.state.pools.end()

    app = FastAPI(
        title="Connectoe",
        version=connectoe.__version__,
        description=API_IN_WORDS,
        lifespan=lifespan,
        docs_url=None,
        redoc_url=None,
        openapi_url="/api/v1/openapi.json",
    )
    app.state.settings = settings
    app.state.services = services
    app.state.metrics = measured
    app.state.pools = Pools()
    app.state.health = metrics.Health(services.storage.check)
    for part in PARTS:
        app.include_router(part.router)
    app.mount("/static", StaticFiles(directory=STATIC), name="static")
    add_problems(app)
    app.add_middleware(Express)
    app.add_middleware(LiveConnections)
    app.add_middleware(Guard, answered=measured.answered, failure=failure)
    if settings.behind_proxy:
        app.state.proxies = Proxies(allowed_proxies())
        app.add_middleware(Forwarded, proxies=app.state.proxies)
    return app


async def _do_periodic_tasks(services: Services) -> None:
    """Every few seconds resume overdue engines and store who is present; now and then let old matches expire."""
    tasks = [
        (RESUMES_EVERY, services.thinking.resume_overdue),
        (PRESENCE_EVERY, services.live.keep_presence),
        (COUNTS_EVERY, services.expiry.count_time),
    ]
    due = [0.0 for _ in tasks]
    next_sweep = 0.0
    while True:
        await asyncio.sleep(5)
        now = time.monotonic()
        for number, (every, task) in enumerate(tasks):
            if now >= due[number]:
                due[number] = now + every
                await _tried(task)
        if now >= next_sweep:
            next_sweep = now + SWEEPS_EVERY
            sweep = services.expiry.sweep()
            while await _tried(partial(next, sweep, END)) is not END:
                await asyncio.sleep(BETWEEN_STEPS)


async def _tried(task: Callable[[], T]) -> T | object:
    """Return what a task returns, or END if it fails; a database that is away is logged elsewhere."""
    try:
        return await run_in_threadpool(task)
    except AWAY:
        pass
    except Exception:
        log.exception("a periodic task failed")
    return END
