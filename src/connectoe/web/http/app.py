"""The web application: services, pages, API and live updates, put together."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

from anyio.to_thread import current_default_thread_limiter
from fastapi import FastAPI
from fastapi.concurrency import run_in_threadpool
from fastapi.staticfiles import StaticFiles

import connectoe
from connectoe.web import render
from connectoe.web.http import analysis_pages, api, match_pages, metrics, pages, reference, sockets
from connectoe.web.http.guard import Guard
from connectoe.web.http.problems import add_problems, sorry
from connectoe.web.service.limits import SHARES, Shares
from connectoe.web.service.services import Services
from connectoe.web.service.thinking import LONGEST_ANALYSIS
from connectoe.web.service.warming import Scope

log = logging.getLogger("connectoe.web")
STATIC = Path(render.__file__).parent / "static"
REQUESTS_AT_ONCE = 4
"""How many requests are worked on at the same time; all share one Python and one database, and more threads would get
in each other's way. A request that waits for an engine is not one of them."""

API_IN_WORDS = """Everything the pages do, for programs. Moves are in the notation of each game's rules page.

A program that makes or joins a match is given the secret of its seat, once, and sends it along as
`Authorization: Bearer SECRET`. Live updates come over a WebSocket at `/api/v1/matches/{match_id}/live`, which sends
the match as JSON at once and after every change, and `{"alive": true}` when nothing happens for a while; programs that
cannot set headers there add `?secret=SECRET`.
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


def make_app(settings: Settings) -> FastAPI:
    """Return the application, ready to be served."""
    services = Services(
        settings.database, settings.thinkers, settings.longest_analysis, settings.shares, settings.prepares
    )
    measured = metrics.Metrics(services)

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        current_default_thread_limiter().total_tokens = REQUESTS_AT_ONCE
        await run_in_threadpool(services.begin)
        tasks = asyncio.create_task(_do_periodic_tasks(services))
        yield
        tasks.cancel()
        with suppress(asyncio.CancelledError):
            await tasks
        services.end()

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
    for part in (api, sockets, pages, match_pages, analysis_pages, reference, metrics):
        app.include_router(part.router)
    app.mount("/static", StaticFiles(directory=STATIC), name="static")
    add_problems(app)
    app.add_middleware(Guard, answered=measured.answered, sorry=sorry)
    return app


async def _do_periodic_tasks(services: Services) -> None:
    """Every few seconds resume overdue engines and store who is present; every hour remove old matches."""
    next_removal = next_presence = 0.0
    while True:
        try:
            await asyncio.sleep(5)
            await run_in_threadpool(services.thinking.resume_overdue)
            now = time.time()
            if services.storage.is_postgresql and now > next_presence:
                await run_in_threadpool(services.matches.note_presence, services.watchers.present_seats(), now)
                next_presence = now + 20
            if now > next_removal:
                await run_in_threadpool(services.matches.remove_old)
                next_removal = now + 3600
        except Exception:
            log.exception("a periodic task failed")
