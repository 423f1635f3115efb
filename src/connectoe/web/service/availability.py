"""Whether the database answers: while it does not, requests fail at once instead of waiting for it."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Event, Lock, Thread

import sqlalchemy as sql

log = logging.getLogger("connectoe.web")
PATIENCE = 1.5
"""The seconds that the database may take for one statement, for a lock and for a new connection."""
PAUSE = 0.5
"""The seconds after which it is tried again whether the database answers."""


class DatabaseAway(Exception):
    """The database did not answer a moment ago, so it was not asked."""


AWAY = (sql.exc.OperationalError, sql.exc.InterfaceError, sql.exc.TimeoutError, DatabaseAway)
"""The errors raised while the database does not answer, such as during a restart."""
ONLY_THIS_STATEMENT = {"LockNotAvailable", "QueryCanceled", "DeadlockDetected"}
"""What PostgreSQL calls it when a single statement waited too long for others."""
BEGINS_OR_ENDS = ("57P01", "57P02", "57P03")
"""The codes of PostgreSQL for a server that starts or shuts down."""


class Availability:
    """Whether a database can be used in some way, such as "read" or "written to".

    From the first failure on, everybody gets DatabaseAway at once, while a thread tries until it works again.
    """

    def __init__(self, use: str, attempt: Callable[[], None]) -> None:
        self.use = use
        self.attempt = attempt
        self.others: list[Availability] = []
        """The other uses, which fail too if the server of the database does not answer at all."""
        self.problem = ""
        """The reason why the database cannot be used; empty if it can."""
        self._is_over = Event()
        self._lock = Lock()

    @contextmanager
    def using(self) -> Iterator[None]:
        """Use the database in this context; raise DatabaseAway if it is away."""
        if self.problem:
            raise DatabaseAway(self.problem)
        try:
            yield
        except DatabaseAway:
            raise
        except AWAY as error:
            cause = getattr(error, "orig", None)
            if type(cause).__name__ not in ONLY_THIS_STATEMENT:
                for use in (self, *(self.others if _is_no_answer(cause) else ())):
                    use._note_away(first_line(error))
            raise

    def _note_away(self, problem: str) -> None:
        with self._lock:
            if self.problem or self._is_over.is_set():
                return
            self.problem = problem
        log.warning("the database cannot be %s: %s", self.use, problem)
        Thread(target=self._try_until_it_works, name=f"{self.use} again", daemon=True).start()

    def _try_until_it_works(self) -> None:
        begun = time.monotonic()
        while not self._is_over.wait(PAUSE):
            try:
                self.attempt()
            except Exception as error:  # whatever it is, it does not work
                self.problem = first_line(error)
            else:
                self.problem = ""
                log.warning("the database can be %s again, after %.0f seconds", self.use, time.monotonic() - begun)
                return

    def end(self) -> None:
        """Stop trying."""
        self._is_over.set()


def _is_no_answer(cause: BaseException | None) -> bool:
    """Whether no PostgreSQL server answers, so that the next request can fail at once."""
    return getattr(cause, "sqlstate", "") in (None, *BEGINS_OR_ENDS)


def first_line(error: Exception) -> str:
    """Return the database's message about an error, in one line.

    >>> first_line(sql.exc.OperationalError("SELECT 1", {}, Exception("no space left\\nand more")))
    'no space left'
    """
    words = str(getattr(error, "orig", None) or error).strip() or type(error).__name__
    return words.partition("\n")[0][:300]
