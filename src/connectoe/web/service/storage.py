"""Matches in a database: SQLite in a file, or PostgreSQL.

    matches   one row per match: the game, how it stands, what is offered; `version` grows with every change
    seats     two rows per match: who sits there, and the hash of the secret that moves for the seat
    moves     one row per ply; the key (match, ply) accepts only one of two simultaneous moves

A change is one transaction that begins by locking the match. Once it returns, the change is durable: SQLite runs in WAL
mode with synchronous=FULL, PostgreSQL with its defaults.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager, nullcontext
from pathlib import Path
from threading import Lock
from typing import Any, NamedTuple

import sqlalchemy as sql
from sqlalchemy.engine import Connection, Engine

from connectoe.core.errors import ConnectoeError
from connectoe.web.service.availability import PATIENCE, Availability
from connectoe.web.service.direct import CHANGED, Advance, DirectPostgresql, DirectSqlite
from connectoe.web.service.endings import PlayersEnding
from connectoe.web.service.offers import Answers, from_text, text_of


class EndingText(sql.types.TypeDecorator[PlayersEnding | None]):
    """How players ended a match, stored as a text that is empty if they did not."""

    impl = sql.String(20)
    cache_ok = True

    def process_bind_param(self, value: PlayersEnding | None, dialect: object) -> str:
        """Return the text to store."""
        return value.text if value else ""

    def process_result_value(self, value: str | None, dialect: object) -> PlayersEnding | None:
        """Return what a stored text stands for."""
        return PlayersEnding.from_text(value or "")


metadata = sql.MetaData()

matches = sql.Table(
    "matches",
    metadata,
    sql.Column("id", sql.String(20), primary_key=True),
    sql.Column("game", sql.String(60), nullable=False),
    sql.Column("options", sql.Text, nullable=False),
    sql.Column("start", sql.Text, nullable=False),
    sql.Column("version", sql.Integer, nullable=False),
    sql.Column("created", sql.Float, nullable=False),
    sql.Column("changed", sql.Float, nullable=False),
    sql.Column("is_over", sql.Boolean, nullable=False),
    sql.Column("ended_by", EndingText, nullable=False),
    sql.Column("draw_offer", sql.Integer),
    sql.Column("undo_offer", sql.Integer),
    sql.Column("rematch", sql.String(20)),
    sql.Column("engine_to_move", sql.Boolean, nullable=False),
    sql.Column("answers", sql.Text, nullable=False, server_default="[]"),
    sql.Column("rules", sql.String(20), nullable=False, server_default=""),
    sql.Index("matches_engine_to_move", "engine_to_move", "changed"),
    sql.Index("matches_changed", "changed"),
)
seats = sql.Table(
    "seats",
    metadata,
    sql.Column("match", sql.String(20), sql.ForeignKey("matches.id", ondelete="CASCADE"), primary_key=True),
    sql.Column("seat", sql.Integer, primary_key=True),
    sql.Column("kind", sql.String(10), nullable=False),
    sql.Column("name", sql.String(60), nullable=False),
    sql.Column("level", sql.String(20)),
    sql.Column("secret_hash", sql.String(64), nullable=False),
    sql.Column("origin", sql.String(40), nullable=False),
    sql.Column("holder", sql.String(64), nullable=False),
    sql.Column("seen", sql.Float, nullable=False),
    sql.Index("seats_holder", "holder"),
)
moves = sql.Table(
    "moves",
    metadata,
    sql.Column("match", sql.String(20), sql.ForeignKey("matches.id", ondelete="CASCADE"), primary_key=True),
    sql.Column("ply", sql.Integer, primary_key=True),
    sql.Column("move", sql.String(20), nullable=False),
    sql.Column("at", sql.Float, nullable=False),
)

CONNECTIONS = 8
"""How many connections to PostgreSQL are opened at the start."""
CHANNEL = "connectoe"
"""The channel of PostgreSQL notifications; the payload names the process and the match it changed."""
FINDS_ROW = sql.select(matches).where(matches.c.id == sql.bindparam("id"))
FINDS_SEATS = sql.select(seats).where(seats.c.match == sql.bindparam("id")).order_by(seats.c.seat)
FINDS_MOVES = sql.select(moves.c.move).where(moves.c.match == sql.bindparam("id")).order_by(moves.c.ply)
ADDS_MOVE = sql.insert(moves)
SEES = sql.text(
    "UPDATE seats SET seen = :at "
    "FROM unnest(CAST(:matches AS text[]), CAST(:seats AS integer[])) AS here (match, seat) "
    "WHERE seats.match = here.match AND seats.seat = here.seat"
)
WAS_SEEN = sql.text(
    "SELECT match, seat FROM seats WHERE match = ANY(CAST(:matches AS text[])) AND abs(:at - seen) < :seconds"
)
CHANGES_ROW = sql.update(matches).where(matches.c.id == sql.bindparam("match_id"))


class Row(NamedTuple):
    """A stored match, without its moves."""

    id: str
    game: str
    options: dict[str, Any]
    start: str
    version: int
    created: float
    changed: float
    is_over: bool
    ended_by: PlayersEnding | None
    draw_offer: int | None
    undo_offer: int | None
    rematch: str | None
    engine_to_move: bool
    answers: Answers = ()
    rules: str = ""
    """The version of a game that is offered from a file; empty for any other game."""


class SeatRow(NamedTuple):
    """A stored seat."""

    match: str
    seat: int
    kind: str
    name: str
    level: str | None
    secret_hash: str
    origin: str
    """What the secret was made for: this match and seat, or the first of a series of rematches."""
    holder: str
    """What the matches of a browser are found by."""
    seen: float


class Storage:
    """The database of matches; migrated when it is opened."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.engine = _engine(url)
        self.is_postgresql = self.engine.dialect.name == "postgresql"
        self.process = f"{os.getpid()}-{time.time_ns()}"
        self.being_read = Availability("read", self._try_to_read)
        self.being_written = Availability("written to", self._try_to_write)
        self.being_read.others, self.being_written.others = [self.being_written], [self.being_read]
        # SQLite has one writer at a time, and the others poll at growing intervals; with this lock they queue instead.
        self._one_writer: AbstractContextManager[Any] = nullcontext() if self.is_postgresql else Lock()
        # A database in memory has one connection for all threads, so readers wait in the same queue.
        is_in_memory = isinstance(self.engine.pool, sql.pool.StaticPool)
        self._readers: AbstractContextManager[Any] = self._one_writer if is_in_memory else nullcontext()
        self._how_to_read: dict[str, Any] = (
            {"isolation_level": "REPEATABLE READ"} if self.is_postgresql else {"writes": False}
        )
        self._direct: DirectPostgresql | DirectSqlite = (
            DirectPostgresql(self.engine, CHANNEL, self.notice)
            if self.is_postgresql
            else DirectSqlite(self.engine, self._one_writer, self._readers)
        )
        migrate(url, self.engine)

    def version_of(self, match_id: str) -> int | None:
        """Return the version of a match; None if there is none."""
        with self.being_read.using():
            return self._direct.version_of(match_id) if is_id(match_id) else None

    def advance(self, before: int, row: Row, ply: int, move: str) -> bool:
        """Store a move and how the match stands after it; return False if it has another version by now."""
        values = _texts(row) | {"id": row.id, "ended_by": row.ended_by.text if row.ended_by else ""}
        values |= {name: getattr(row, name) for name in CHANGED if name not in values}
        with self.being_written.using():
            return self._direct.advance(Advance(before, values, ply, move))

    def notice(self, match_id: str) -> str:
        """Return the notice of a change that is sent to other processes."""
        return f"{self.process} {match_id}"

    @contextmanager
    def changing(self, match_id: str) -> Iterator[Change]:
        """Return a transaction in which nobody else changes this match; rolled back on an exception."""
        with self._one_writer, self.being_written.using(), self.engine.begin() as connection:
            query = FINDS_ROW.with_for_update() if self.is_postgresql else FINDS_ROW
            found = connection.execute(query, {"id": match_id}).first() if is_id(match_id) else None
            yield Change(self, connection, _row(found) if found else None)

    @contextmanager
    def reading(self) -> Iterator[Reading]:
        """Return a read-only transaction that sees everything as it was at one moment."""
        with (
            self._readers,
            self.being_read.using(),
            self.engine.connect().execution_options(**self._how_to_read) as connection,
        ):
            yield Reading(connection)

    def open_connections(self) -> None:
        """Open as many connections as there are requests at once, so that none waits for that later."""
        with ExitStack() as opened:
            for _ in range(CONNECTIONS if self.is_postgresql else 0):
                opened.enter_context(self.engine.connect())

    def check(self) -> None:
        """Write a value that is never read; raise one of AWAY if that fails."""
        with self.being_written.using():
            self._try_to_write()

    def _try_to_write(self) -> None:
        with self._one_writer, self.engine.begin() as connection:
            connection.execute(sql.text("UPDATE uptime SET probe = 1 - probe"))

    def _try_to_read(self) -> None:
        with self._readers, self.engine.connect().execution_options(**self._how_to_read) as connection:
            connection.execute(FINDS_ROW, {"id": ""})

    def close(self) -> None:
        """Close all connections."""
        self.being_read.end()
        self.being_written.end()
        self.engine.dispose()


class Reading:
    """A transaction that reads matches."""

    def __init__(self, connection: Connection) -> None:
        self.connection = connection

    def row(self, match_id: str) -> Row | None:
        """Return the match with that id, if there is one."""
        found = self.connection.execute(FINDS_ROW, {"id": match_id}).first() if is_id(match_id) else None
        return _row(found) if found else None

    def seats(self, match_id: str) -> tuple[SeatRow, SeatRow]:
        """Return who sits at a match."""
        first, second = self.connection.execute(FINDS_SEATS, {"id": match_id}).all()
        return SeatRow(*first), SeatRow(*second)

    def moves(self, match_id: str) -> list[str]:
        """Return the moves of a match so far."""
        return list(self.connection.scalars(FINDS_MOVES, {"id": match_id}))

    def of_holder(self, holder: str, most: int) -> list[str]:
        """Return the matches in which a browser holds a seat, the latest first."""
        query = (
            sql.select(matches.c.id)
            .join(seats, seats.c.match == matches.c.id)
            .where(seats.c.holder == holder)
            .group_by(matches.c.id, matches.c.changed)
            .order_by(matches.c.changed.desc())
            .limit(most)
        )
        return list(self.connection.scalars(query))

    def of_game(self, game_id: str) -> list[str]:
        """Return all matches of a game, the oldest first."""
        return list(
            self.connection.scalars(
                sql.select(matches.c.id).where(matches.c.game == game_id).order_by(matches.c.created, matches.c.id)
            )
        )

    def waiting_for_engines(self, seconds: float) -> list[tuple[str, bool]]:
        """Return the matches in which an engine has been to move for a while, and whether a person plays in each.

        A match that was changed in the future is one of them: the clock was wrong then, or is now.
        """
        now = time.time()
        people = sql.exists().where(seats.c.match == matches.c.id, seats.c.kind != "engine")
        is_waiting = sql.or_(matches.c.changed <= now - seconds, matches.c.changed > now + seconds)
        query = sql.select(matches.c.id, people).where(matches.c.engine_to_move, is_waiting)
        return [(match_id, has_people) for match_id, has_people in self.connection.execute(query.order_by("changed"))]

    def present(self, match_ids: Sequence[str], seconds: float) -> set[tuple[str, int]]:
        """Return who was present at these matches a moment ago, at any process; for PostgreSQL."""
        found = self.connection.execute(WAS_SEEN, {"matches": match_ids, "at": time.time(), "seconds": seconds})
        return {(match_id, seat) for match_id, seat in found}

    def count(self) -> int:
        """Return how many matches are stored."""
        return int(self.connection.scalar(sql.select(sql.func.count()).select_from(matches)) or 0)


class Change(Reading):
    """A transaction that changes one match, whose row is locked."""

    def __init__(self, storage: Storage, connection: Connection, row: Row | None) -> None:
        super().__init__(connection)
        self.storage = storage
        self.locked = row

    def add(self, row: Row, both_seats: Sequence[SeatRow], move_texts: Sequence[str]) -> None:
        """Store a new match."""
        self.connection.execute(sql.insert(matches), row._asdict() | _texts(row))
        self.connection.execute(sql.insert(seats), [seat._asdict() for seat in both_seats])
        if move_texts:
            self.connection.execute(
                ADDS_MOVE,
                [{"match": row.id, "ply": ply, "move": move, "at": row.created} for ply, move in enumerate(move_texts)],
            )

    def add_move(self, match_id: str, ply: int, move: str, at: float) -> None:
        """Store the move of a ply; the database refuses a second one."""
        self.connection.execute(ADDS_MOVE, {"match": match_id, "ply": ply, "move": move, "at": at})

    def drop_moves(self, match_id: str, from_ply: int) -> None:
        """Remove the moves from a ply on."""
        self.connection.execute(sql.delete(moves).where(moves.c.match == match_id, moves.c.ply >= from_ply))

    def set(self, row: Row) -> None:
        """Store how a match stands, and notify other processes."""
        values = {name: getattr(row, name) for name in CHANGED} | {"answers": text_of(row.answers)}
        self.connection.execute(CHANGES_ROW, values | {"match_id": row.id})
        self.tell(row.id)

    def set_seat(self, seat: SeatRow) -> None:
        """Store who sits there."""
        self.connection.execute(
            sql.update(seats).where(seats.c.match == seat.match, seats.c.seat == seat.seat).values(seat._asdict())
        )

    def set_seen(self, people: Sequence[tuple[str, int]], at: float) -> None:
        """Store when the people on these seats of matches were last present, in one statement; for PostgreSQL."""
        match_ids, numbers = [match_id for match_id, _ in people], [seat for _, seat in people]
        self.connection.execute(SEES, {"at": at, "matches": match_ids, "seats": numbers})

    def tell(self, match_id: str) -> None:
        """Notify other processes on this database that the match has changed, once it is stored."""
        if self.storage.is_postgresql:
            notice = {"channel": CHANNEL, "payload": self.storage.notice(match_id)}
            self.connection.execute(sql.text("SELECT pg_notify(:channel, :payload)"), notice)


def is_id(text: str) -> bool:
    """Whether a text can be the id of a match; the database is not asked for other texts."""
    return text.isascii() and text.isalnum() and len(text) <= 20


def _row(found: Any) -> Row:
    row = Row(*found)
    return row._replace(options=json.loads(found.options), answers=from_text(found.answers))


def _texts(row: Row) -> dict[str, str]:
    """Return what is stored as text."""
    return {"options": json.dumps(row.options), "answers": text_of(row.answers)}


def _engine(url: str) -> Engine:
    try:
        parsed = sql.make_url(url)
    except sql.exc.ArgumentError:
        raise ConnectoeError(
            f"{url[:60]!r} is no database: give one such as sqlite:///connectoe.db or postgresql+psycopg://user@host/name"
        ) from None
    backend = parsed.get_backend_name()
    if backend == "postgresql":
        from connectoe.web.service.limited_postgresql import limited_engine

        return limited_engine(parsed.set(drivername="postgresql+psycopg"))
    if backend != "sqlite":
        raise ConnectoeError(f"matches are stored in SQLite or PostgreSQL, not in {backend}")
    if parsed.database and parsed.database != ":memory:":
        Path(parsed.database).parent.mkdir(parents=True, exist_ok=True)
        engine = sql.create_engine(parsed, connect_args={"timeout": PATIENCE}, pool_size=20, max_overflow=20)
    else:
        engine = sql.create_engine(parsed, connect_args={"check_same_thread": False}, poolclass=sql.pool.StaticPool)
    _prepare_sqlite(engine)
    return engine


def _prepare_sqlite(engine: Engine) -> None:
    """Let every writing transaction take the write lock when it begins, so that none fails half way."""

    @sql.event.listens_for(engine, "connect")
    def connected(connection: Any, _: Any) -> None:
        connection.isolation_level = None  # the driver must not begin transactions by itself
        for setting in ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON"):
            connection.execute(f"PRAGMA {setting}")

    @sql.event.listens_for(engine, "begin")
    def begun(connection: Connection) -> None:
        connection.exec_driver_sql(
            "BEGIN IMMEDIATE" if connection.get_execution_options().get("writes", True) else "BEGIN"
        )


def migrate(url: str, engine: Engine) -> None:
    """Upgrade the database to the newest schema, by the Alembic migrations in the folder `migrations`.

    On PostgreSQL this has a connection of its own, since it may take longer than anything else.
    """
    from alembic import command
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent / "migrations"))
    is_postgresql = engine.dialect.name == "postgresql"
    if is_postgresql:
        patient = sql.make_url(url).set(drivername="postgresql+psycopg")
        engine = sql.create_engine(patient, poolclass=sql.pool.NullPool, connect_args={"connect_timeout": 10})
    with engine.begin() as connection:
        if is_postgresql:  # one process at a time
            connection.execute(sql.text("SELECT pg_advisory_xact_lock(20261115)"))
        config.attributes["connection"] = connection
        command.upgrade(config, "head")
