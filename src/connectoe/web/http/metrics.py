"""Figures for those who run a server: its health, and metrics for Prometheus."""

from __future__ import annotations

from fastapi import APIRouter, Request, Response
from prometheus_client import CollectorRegistry, Counter, Gauge, generate_latest

import connectoe
from connectoe.web.http.requests import services_of
from connectoe.web.service.services import Services

router = APIRouter(include_in_schema=False)


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
def _health(request: Request) -> dict[str, str]:
    with services_of(request).storage.reading() as reading:
        reading.row("none")
    return {"status": "ok", "version": connectoe.__version__}


@router.get("/metrics")
def _metrics(request: Request) -> Response:
    registry = request.app.state.metrics.registry
    return Response(generate_latest(registry), media_type="text/plain; version=0.0.4")
