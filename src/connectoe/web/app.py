"""The web application: pages, API, live matches and engines, put together."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from anyio.to_thread import current_default_thread_limiter
from fastapi import FastAPI, Request, Response
from fastapi.concurrency import run_in_threadpool
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from fastapi.staticfiles import StaticFiles
from prometheus_client import CollectorRegistry, Counter, Gauge, generate_latest
from starlette.exceptions import HTTPException

import connectoe
from connectoe.errors import ConnectoeError, UnknownGame
from connectoe.web import api
from connectoe.web.guard import Guard, Limits
from connectoe.web.live import Listener, Live
from connectoe.web.matches import Matches
from connectoe.web.refusals import Refused, Stale
from connectoe.web.storage import AWAY, Storage
from connectoe.web.thinking import LONGEST_ANALYSIS, Thinking
from connectoe.web.views import Stored

log = logging.getLogger("connectoe.web")
STATIC = Path(__file__).parent / "static"
DAY = 24 * 3600
UNFINISHED_FOR = 30 * DAY
"""Seconds without a move after which an unfinished match is removed."""
FINISHED_FOR = 365 * DAY
"""Seconds after which a finished match is removed."""
SHARES = {
    "create": (30, 240.0),
    "join": (30, 240.0),
    "engines": (20, 120.0),
    "analyse": (400, 3600.0),
    "compile": (10, 40.0),
    "watch": (200, 0.0),
}
"""What a client may do at once, and then an hour; analyses are counted in seconds, live connections while they last."""
REQUESTS_AT_ONCE = 4
"""How many requests are worked on at the same time; they only share one Python and one database, and more threads would
get in each other's way. Nothing that waits for an engine is among them."""
UNLIMITED = dict.fromkeys(SHARES, (1_000_000_000, 1.0))


@dataclass(frozen=True)
class Settings:
    """How a server is run."""

    database: str = "sqlite://"
    thinkers: int = 2
    longest_analysis: float = LONGEST_ANALYSIS
    behind_proxy: bool = False
    warms: bool = True
    shares: dict[str, tuple[int, float]] = field(default_factory=lambda: dict(SHARES))


class Metrics:
    """What those who run a server want to know, for Prometheus."""

    def __init__(self, live: Live, thinking: Thinking) -> None:
        self.registry = CollectorRegistry()
        self.requests = Counter("connectoe_requests", "Answers by status", ["status"], registry=self.registry)
        self.changes = Counter("connectoe_changes", "Changes of matches made by this process", registry=self.registry)
        Gauge("connectoe_watchers", "Open live connections", registry=self.registry).set_function(lambda: live.count)
        Gauge(
            "connectoe_engine_queue", "Engine moves and analyses under way or waiting", registry=self.registry
        ).set_function(lambda: thinking.waiting)
        Gauge("connectoe_engine_moves", "Moves made by engines", registry=self.registry).set_function(
            lambda: thinking.moves_made
        )
        Gauge("connectoe_engine_seconds", "Seconds that engines thought", registry=self.registry).set_function(
            lambda: thinking.seconds_thought
        )


def make_app(settings: Settings) -> FastAPI:
    """The application, ready to be served."""
    storage = Storage(settings.database)
    live = Live()
    matches = Matches(storage, is_here=live.is_here)
    thinking = Thinking(
        matches, settings.thinkers, is_watched=live.is_watched, longest_analysis=settings.longest_analysis
    )
    metrics = Metrics(live, thinking)
    live.matches = matches
    matches.note = thinking.note

    def changed(stored: Stored) -> None:
        metrics.changes.inc()
        live.publish(stored)
        thinking.consider(stored)

    matches.on_change = changed

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        live.loop = asyncio.get_running_loop()
        current_default_thread_limiter().total_tokens = REQUESTS_AT_ONCE
        listener = Listener(storage, live.publish_again, live.publish_all_again)
        if storage.is_postgresql:
            listener.start()
        if settings.warms:
            thinking.warming.begin()
        await run_in_threadpool(thinking.look_after, True)
        chores = asyncio.create_task(_do_chores(app))
        yield
        chores.cancel()
        with suppress(asyncio.CancelledError):
            await chores
        listener.end()
        thinking.end()
        storage.close()

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
    app.state.matches = matches
    app.state.live = live
    app.state.thinking = thinking
    app.state.limits = Limits(settings.shares)
    app.state.metrics = metrics
    app.include_router(api.router)
    _add_pages(app)
    _add_answers_to_problems(app)
    _add_health(app)
    app.add_middleware(
        Guard,
        behind_proxy=settings.behind_proxy,
        answered=lambda status: metrics.requests.labels(str(status)).inc(),
        sorry=lambda request: answer(request, 500, "the server made a mistake, which it has written down"),
    )
    return app


API_IN_WORDS = """Everything the pages do, for programs. Moves are in the notation of each game's rules page.

A program that makes or joins a match is given the secret of its seat, once, and sends it along as
`Authorization: Bearer SECRET`. Live updates come over a WebSocket at `/api/v1/matches/{match_id}/live`, which sends
the match as JSON at once and after every change, and `{"alive": true}` when nothing happens for a while; programs that
cannot set headers there add `?secret=SECRET`.
Whatever cannot be granted is answered with `{"error": "…"}` in words."""


def _add_pages(app: FastAPI) -> None:
    from connectoe.web import match_pages, pages

    app.include_router(pages.router)
    app.include_router(match_pages.router)
    app.mount("/static", StaticFiles(directory=STATIC), name="static")


def answer(request: Request, status: int, message: str, **more: Any) -> Response:
    """What is answered to a request that cannot be granted: JSON for programs, a page for people."""
    if request.url.path.startswith("/api/"):
        return JSONResponse({"error": message, **more}, status)
    from connectoe.web import answers

    return answers.problem(request, status, message)


def _add_answers_to_problems(app: FastAPI) -> None:
    @app.exception_handler(ConnectoeError)
    def refused(request: Request, error: ConnectoeError) -> Response:
        is_no_page = request.method == "GET" and isinstance(error, UnknownGame)
        status = error.status if isinstance(error, Refused) else 404 if is_no_page else 400
        more = {"match": error.view.data()} if isinstance(error, Stale) else {}
        return answer(request, status, str(error), **more)

    def database_is_away(request: Request, error: Exception) -> Response:
        log.warning("the database does not answer: %s", type(error).__name__)
        return answer(request, 503, "the database does not answer; try again in a moment")

    for kind in AWAY:
        app.add_exception_handler(kind, database_is_away)

    @app.exception_handler(RequestValidationError)
    def not_understood(request: Request, error: RequestValidationError) -> Response:
        problems = [
            (".".join(str(part) for part in problem["loc"][1:]) or "request", problem["msg"])
            for problem in error.errors()[:5]
        ]
        words = "; ".join(f"{where}: {what}"[:200] for where, what in problems)
        if not request.url.path.startswith("/api/"):  # somebody has an altered link; only programs want to know more
            names = ", ".join(where[:40] for where, _ in problems)
            words = f"this address, or what was sent to it, cannot be understood: {names}"
        return answer(request, 422, words)

    @app.exception_handler(HTTPException)
    def not_found(request: Request, error: HTTPException) -> Response:
        words = {404: "there is no such page", 405: "this address does not take such requests"}
        return answer(request, error.status_code, words.get(error.status_code, str(error.detail)))


def _add_health(app: FastAPI) -> None:
    @app.get("/healthz", include_in_schema=False)
    def healthy() -> dict[str, str]:
        """Whether the server and its database answer."""
        with app.state.matches.storage.reading() as reading:
            reading.row("none")
        return {"status": "ok", "version": connectoe.__version__}

    @app.get("/metrics", include_in_schema=False)
    def measured() -> Response:
        """Figures for Prometheus."""
        return Response(generate_latest(app.state.metrics.registry), media_type="text/plain; version=0.0.4")


async def _do_chores(app: FastAPI) -> None:
    """Every few seconds: engines that are overdue, people who are still there; every hour: matches that are too old."""
    thinking, live, matches = app.state.thinking, app.state.live, app.state.matches
    next_sweep = next_presence = 0.0
    while True:
        try:
            await asyncio.sleep(5)
            await run_in_threadpool(thinking.look_after)
            now = time.time()
            if matches.storage.is_postgresql and now > next_presence:
                await run_in_threadpool(matches.saw, live.present_seats(), now)
                next_presence = now + 20
            if now > next_sweep:
                await run_in_threadpool(expire, matches)
                next_sweep = now + 3600
        except Exception:
            log.exception("a chore was left undone")


def expire(matches: Matches) -> int:
    """Removes matches that nobody has touched for too long; how many."""
    now = time.time()
    with matches.storage.changing("") as change:
        return change.expire(now - UNFINISHED_FOR, now - FINISHED_FOR)
