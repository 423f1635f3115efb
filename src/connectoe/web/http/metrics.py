"""The health of a server, and its metrics for Prometheus."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

from fastapi import APIRouter, Request, Response
from fastapi.responses import JSONResponse
from prometheus_client import CollectorRegistry, Counter, Gauge, generate_latest

import connectoe
from connectoe.web.http.pools import CheckingRoute
from connectoe.web.service.availability import AWAY, first_line
from connectoe.web.service.services import Services

router = APIRouter(include_in_schema=False, route_class=CheckingRoute)


LONGEST_CHECK = 1.0
"""The seconds after which a database that does not answer is reported."""
CHECKED_FOR = 1.0
"""The seconds for which a check is good, so that nobody can make the database busy by asking."""


class Health:
    """Whether the database of a server can be written to. One thread tries, however many ask."""

    def __init__(self, check: Callable[[], None]) -> None:
        self.check = check
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="health")
        self._check: asyncio.Future[str] | None = None
        self._begun = 0.0

    async def problem(self) -> str:
        """Return why the database cannot be written to; empty if it can."""
        now = time.monotonic()
        if self._check is None or (self._check.done() and now - self._begun > CHECKED_FOR):
            self._begun = now
            self._check = asyncio.get_running_loop().run_in_executor(self._thread, self._tried)
        check = self._check  # somebody else may begin another one meanwhile
        left = self._begun + LONGEST_CHECK - now
        await asyncio.wait([check], timeout=max(0.0, left))
        return check.result() if check.done() else "the database does not answer"

    def _tried(self) -> str:
        try:
            self.check()
        except AWAY as error:
            return f"the database cannot be written to: {first_line(error)}"
        return ""


class Metrics:
    """Metrics of one server, for Prometheus."""

    def __init__(self, services: Services) -> None:
        self.registry = CollectorRegistry()
        self.requests = Counter("connectoe_requests", "Answers by status", ["status"], registry=self.registry)
        changes = Counter("connectoe_changes", "Changes of matches made by this process", registry=self.registry)
        services.matches.changed.connect(lambda stored: changes.inc())
        watchers, thinking = services.watchers, services.thinking
        for name, words, measure in (
            ("connectoe_watchers", "Open live connections", lambda: watchers.count),
            ("connectoe_engine_queue", "Engine moves and analyses under way or waiting", lambda: thinking.waiting),
            ("connectoe_engine_moves", "Moves made by engines", lambda: thinking.moves_made),
            ("connectoe_engine_seconds", "Seconds that engines thought", lambda: thinking.seconds_thought),
        ):
            Gauge(name, words, registry=self.registry).set_function(measure)

    def answered(self, status: int) -> None:
        """Count an answer."""
        self.requests.labels(str(status)).inc()


@router.get("/healthz")
async def _health(request: Request) -> Response:
    """Say at once whether matches can be stored."""
    problem = await request.app.state.health.problem()
    health = {"status": problem or "ok", "database": problem or "can be written to", "version": connectoe.__version__}
    return JSONResponse(health, 503 if problem else 200)


@router.get("/livez")
async def _life(request: Request) -> dict[str, str]:
    """Say that this process lives, whatever its database does."""
    return {"status": "ok", "version": connectoe.__version__}


@router.get("/metrics")
def _metrics(request: Request) -> Response:
    registry = request.app.state.metrics.registry
    return Response(generate_latest(registry), media_type="text/plain; version=0.0.4")
