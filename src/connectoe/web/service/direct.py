"""The two statements that most requests need, sent to the database without a transaction around them.

Asking for the version of a match costs little, and shows whether what a process remembers about the match is still
true. A move is stored on condition that the match still has the version it was played in, so that nothing has to be
read or locked before. Everything rarer goes through `Storage.changing` and `Storage.reading`.

Once `advance` returns, the move is durable. Moves that come while SQLite writes others to the disk are written together
after that, since one such write takes as long for many moves as for one; PostgreSQL does this by itself.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from threading import Condition
from typing import Any, NamedTuple

import sqlalchemy as sql
from sqlalchemy.engine import Engine

CHANGED = (
    "version",
    "changed",
    "is_over",
    "ended_by",
    "draw_offer",
    "undo_offer",
    "rematch",
    "engine_to_move",
    "answers",
)
"""The columns of a match that a change may set."""
SQLITE_VERSION = "SELECT version FROM matches WHERE id = ?"
SQLITE_ROW = (
    f"UPDATE matches SET {', '.join(f'{name} = :{name}' for name in CHANGED)} WHERE id = :id AND version = :before"  # noqa: S608 # nosec
)
SQLITE_MOVE = "INSERT INTO moves (match, ply, move, at) VALUES (:id, :ply, :move, :changed)"
POSTGRESQL_VERSION = "SELECT version FROM matches WHERE id = %s"
POSTGRESQL_MOVE = f"""
    WITH stood AS (
        UPDATE matches SET {", ".join(f"{name} = %({name})s" for name in CHANGED)}
        WHERE id = %(id)s AND version = %(before)s RETURNING id
    ), added AS (INSERT INTO moves (match, ply, move, at) SELECT id, %(ply)s, %(move)s, %(changed)s FROM stood)
    SELECT pg_notify(%(channel)s, %(notice)s) FROM stood
"""  # noqa: S608 # nosec


class Advance(NamedTuple):
    """A move to be stored: the version of the match it was played in, how the match stands after it, and the move."""

    before: int
    row: dict[str, Any]
    """The id and the columns `CHANGED`."""
    ply: int
    move: str

    @property
    def parameters(self) -> dict[str, Any]:
        """What the statements need."""
        return self.row | {"before": self.before, "ply": self.ply, "move": self.move}


class DirectSqlite:
    """The statements for SQLite, on a connection that only one thread uses at a time."""

    def __init__(
        self, engine: Engine, writing: AbstractContextManager[Any], reading: AbstractContextManager[Any]
    ) -> None:
        self.engine = engine
        self._writing = writing
        self._reading = reading
        self._waiting: list[_Waiting] = []
        self._changed = Condition()
        self._is_led = False

    def version_of(self, match_id: str) -> int | None:
        """Return the version of a match; None if there is none."""
        with self._reading, _borrowed(self.engine) as connection:
            found = connection.execute(SQLITE_VERSION, (match_id,)).fetchone()
        return found[0] if found else None

    def advance(self, move: Advance) -> bool:
        """Store a move; return False if the match has changed since.

        The first of the threads that wait stores the moves of all of them, while the next ones gather.
        """
        mine = _Waiting(move)
        with self._changed:
            self._waiting.append(mine)
            while self._is_led and not mine.is_done:
                self._changed.wait()
            if not mine.is_done:
                self._is_led = True
        if not mine.is_done:
            self._lead()
        if mine.error:
            raise mine.error
        return mine.is_stored

    def _lead(self) -> None:
        group: list[_Waiting] = []
        try:
            with self._writing:
                with self._changed:
                    group, self._waiting = self._waiting, []
                self._store(group)
        except Exception as error:
            for one in group:
                one.is_stored = False
                # A move that is there already must not fail the others: each is tried again by itself.
                one.error = None if isinstance(error, sql.exc.IntegrityError) else error
        finally:
            with self._changed:
                self._is_led = False
                for one in group:
                    one.is_done = True
                self._changed.notify_all()

    def _store(self, group: list[_Waiting]) -> None:
        with _borrowed(self.engine) as connection:
            connection.execute("BEGIN IMMEDIATE")
            try:
                for one in group:
                    parameters = one.move.parameters
                    if connection.execute(SQLITE_ROW, parameters).rowcount:
                        connection.execute(SQLITE_MOVE, parameters)
                        one.is_stored = True
                connection.execute("COMMIT")
            except BaseException:
                if connection.in_transaction:
                    connection.execute("ROLLBACK")
                raise


class _Waiting:
    """A move that a thread waits for."""

    def __init__(self, move: Advance) -> None:
        self.move = move
        self.is_done = False
        self.is_stored = False
        self.error: Exception | None = None


class DirectPostgresql:
    """The statements for PostgreSQL; each is a transaction of its own."""

    def __init__(self, engine: Engine, channel: str, notice: Callable[[str], str]) -> None:
        self.engine = engine
        self._channel = channel
        self._notice = notice

    def version_of(self, match_id: str) -> int | None:
        """Return the version of a match; None if there is none."""
        found = self._answer(POSTGRESQL_VERSION, (match_id,))
        return found[0] if found else None

    def advance(self, move: Advance) -> bool:
        """Store a move and notify other processes; return False if the match has changed since."""
        notice = {"channel": self._channel, "notice": self._notice(move.row["id"])}
        return self._answer(POSTGRESQL_MOVE, move.parameters | notice) is not None

    def _answer(self, statement: str, parameters: Any) -> Any:
        with _borrowed(self.engine) as connection:
            connection.autocommit = True  # only a note to the driver, until it is asked for something
            try:
                return connection.execute(statement, parameters).fetchone()
            finally:
                if not connection.closed:
                    connection.autocommit = False


@contextmanager
def _borrowed(engine: Engine) -> Iterator[Any]:
    """Lend the driver's own connection from the pool; its errors are raised as those of SQLAlchemy."""
    errors = engine.dialect.loaded_dbapi.Error
    try:
        pooled = engine.raw_connection()
    except errors as error:
        raise _wrapped(error, errors, engine) from error
    try:
        yield pooled.driver_connection
    except errors as error:
        if engine.dialect.is_disconnect(error, pooled.dbapi_connection, None):
            pooled.invalidate(error)
        raise _wrapped(error, errors, engine) from error
    finally:
        pooled.close()


def _wrapped(error: Any, errors: Any, engine: Engine) -> BaseException:
    wrapped: BaseException = sql.exc.DBAPIError.instance("", {}, error, errors, dialect=engine.dialect)
    return wrapped
