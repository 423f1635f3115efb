"""Connections to PostgreSQL on which no request waits for long.

PostgreSQL itself ends statements that take too long or wait for a lock. A server that is frozen, or a network that
swallows everything, can do neither; then the connection is closed from this side.
"""

from __future__ import annotations

import time
from collections.abc import Generator
from typing import Any

import psycopg
import sqlalchemy as sql
from psycopg.errors import _WaitTimeout
from sqlalchemy.engine import Engine

from connectoe.web.service.availability import PATIENCE

IN_THE_SERVER = round(1000 * (PATIENCE - 0.3))
"""The milliseconds after which PostgreSQL ends a statement itself, which keeps the connection."""
CONNECT_ARGUMENTS: dict[str, Any] = {
    "connect_timeout": 2,
    "options": f"-c statement_timeout={IN_THE_SERVER} -c lock_timeout={IN_THE_SERVER} "
    "-c idle_in_transaction_session_timeout=30000",
    "keepalives_idle": 10,
    "keepalives_interval": 5,
    "keepalives_count": 3,
}


class LimitedConnection(psycopg.Connection[Any]):
    """A connection that is closed if the server does not answer a statement in time."""

    @classmethod
    def _connect_gen(cls, conninfo: str = "") -> Generator[Any, Any, Any]:
        """Connect, step by step, in less than the two seconds that are the least PostgreSQL's library can be told."""
        steps = super()._connect_gen(conninfo)
        give_up_at = time.monotonic() + PATIENCE
        waits_for = next(steps)
        while True:
            ready = yield waits_for
            if time.monotonic() > give_up_at:
                steps.close()
                raise psycopg.OperationalError(f"no connection within {PATIENCE} seconds")
            try:
                waits_for = steps.send(ready)
            except StopIteration as done:
                return done.value

    def wait(self, gen: Any, interval: float = 0.1, timeout: float | None = None) -> Any:
        """Return what the server answers."""
        try:
            return super().wait(gen, interval, PATIENCE if timeout is None else timeout)
        except _WaitTimeout:
            if timeout is not None:
                raise
            self.pgconn.finish()
            raise psycopg.OperationalError(f"no answer within {PATIENCE} seconds") from None


def limited_engine(url: sql.URL) -> Engine:
    """Return an engine for such connections."""
    engine = sql.create_engine(
        url, pool_size=10, max_overflow=20, pool_timeout=PATIENCE, pool_use_lifo=True, connect_args=CONNECT_ARGUMENTS
    )

    @sql.event.listens_for(engine, "do_connect")
    def connect(dialect: Any, record: Any, arguments: Any, named: Any) -> LimitedConnection:
        return LimitedConnection.connect(*arguments, **named)

    return engine
