"""Running the application: a port, a database, and a browser."""

from __future__ import annotations

import gc
import logging
import re
import signal
import socket
import sys
import threading
import time
import webbrowser
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from urllib.error import URLError
from urllib.request import urlopen

import click
import uvicorn
from fastapi import FastAPI

from connectoe.core.errors import ConnectoeError
from connectoe.core.own_games import offer
from connectoe.web.http.addresses import EVERYWHERE, address_at_home
from connectoe.web.http.app import Settings, make_app
from connectoe.web.http.connections import Connection, LiveConnection
from connectoe.web.http.processes import run_processes
from connectoe.web.service.limits import SHARES, UNLIMITED
from connectoe.web.service.storage import Storage
from connectoe.web.service.warming import Scope

SECRETS_IN_PATHS = re.compile(r"(/(?:join|seat)[/%]|\?|%3F)[^\s\"]+", re.IGNORECASE)
"""What follows these is not logged at all: what looks like another part of the address may still be the secret."""


class WithoutSecrets(logging.Filter):
    """Removes the secrets from addresses before they are logged."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Return True: the record is logged, without its secrets."""
        record.msg = SECRETS_IN_PATHS.sub(r"\1…", record.getMessage())
        record.args = ()
        return True


def default_database() -> str:
    """Return the address of an SQLite file in the user's data folder."""
    folder = click.get_app_dir("connectoe", roaming=False)
    if not Path(folder).is_absolute():
        raise ConnectoeError("there is no home folder to store matches in: name a database with --database")
    return f"sqlite:///{folder}/matches.db"


def serve(
    host: str,
    port: int,
    database: str | None,
    thinkers: int,
    longest_analysis: float,
    behind_proxy: bool,
    opens: bool,
    prepares: Scope,
    unlimited: bool,
    access_log: bool,
    processes: int = 1,
    own_games: Sequence[Path] = (),
) -> None:
    """Serve until Ctrl-C, in one process or several; the games in some files are offered first."""
    chosen = database or default_database()
    offer_all(own_games, chosen)
    try:
        listening = socket.create_server((host, port), family=socket.AF_INET6 if ":" in host else socket.AF_INET)
    except OSError as error:
        raise ConnectoeError(
            f"{host} port {port} cannot be used: {error.strerror or error}; choose another with --port"
        ) from None
    try:
        at_home = address_at_home() if host in EVERYWHERE else ""
        settings = Settings(
            chosen, thinkers, longest_analysis, behind_proxy, prepares, UNLIMITED if unlimited else SHARES, at_home
        )
        if processes > 1:
            check_shared_database(chosen)
        app = make_app(settings) if processes == 1 else None
    except ConnectoeError:
        listening.close()
        raise
    except Exception as error:
        listening.close()
        first_line = str(error).splitlines()[0] if str(error) else type(error).__name__
        raise ConnectoeError(f"the database cannot be used: {first_line}") from error
    address = address_of(host, listening.getsockname()[1])
    click.echo(f"Connectoe is at {address} (Ctrl-C ends it)", err=True)
    if at_home:
        others = address_of(at_home, listening.getsockname()[1])
        click.echo(f"Others in your network reach it at {others}", err=True)
    if opens:
        threading.Thread(target=_open_when_ready, args=(address,), daemon=True).start()
    allow_many_connections()
    if app:
        run(app, listening, access_log)
    else:
        log_to_standard_error()
        run_processes(processes, run_one_of_several, listening, settings, access_log, own_games)


def check_shared_database(url: str) -> None:
    """Raise ConnectoeError if several processes cannot use this database; bring it up to date if they can."""
    storage = Storage(url)
    storage.close()
    if not storage.is_postgresql:
        raise ConnectoeError(
            "several processes share a PostgreSQL database, not an SQLite file: name one with "
            "--database postgresql+psycopg://USER@HOST/NAME, or serve in one process"
        )


def offer_all(own_games: Sequence[Path], database: str, *, reports: bool = True) -> None:
    """Offer the games in some files, and report the mistakes in them."""
    for file in own_games:
        own = offer(file, kept=_kept_beside(database))
        if own.mistake and reports:
            click.echo(f"{own.mistake}\nSave the file to try again.", err=True)


def run_one_of_several(
    number: int, listening: socket.socket, settings: Settings, access_log: bool, own_games: Sequence[Path]
) -> None:
    """Serve in one of several processes; only the first compiles in advance, for all of them."""
    offer_all(own_games, settings.database, reports=False)
    run(make_app(settings if number == 0 else replace(settings, prepares="asked")), listening, access_log)


def run(app: FastAPI, listening: socket.socket, access_log: bool) -> None:
    """Serve until told to end."""
    log_to_standard_error()
    collect_seldom()
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # so that temporary folders are removed then as well
    with suppress(KeyboardInterrupt):  # the usual way to end it
        uvicorn.Server(config_for(app, access_log)).run(sockets=[listening])


def log_to_standard_error() -> None:
    """Log what happens, without the secrets in addresses."""
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(levelname)s %(message)s", stream=sys.stderr)
    logging.getLogger("uvicorn.access").addFilter(WithoutSecrets())
    logging.getLogger("uvicorn.error").addFilter(WithoutSecrets())
    logging.getLogger("alembic").setLevel(logging.WARNING)


def _kept_beside(database: str) -> Path:
    """Return where old versions of the games in files are kept: beside the matches, if these are in a file."""
    file = database.partition("///")[2] if database.startswith("sqlite:") else None
    is_file = file is not None and file not in ("", ":memory:")
    return (Path(str(file)).parent if is_file else Path(click.get_app_dir("connectoe", roaming=False))) / "own-games"


def address_of(host: str, port: int) -> str:
    """Return the address to open in a browser on this machine."""
    shown = "localhost" if host in ("127.0.0.1", *EVERYWHERE) else f"[{host}]" if ":" in host else host
    return f"http://{shown}:{port}/"


def collect_seldom() -> None:
    """Let Python collect garbage less often.

    With thousands of matches in memory, a full collection stops everything for tenths of a second.
    """
    gc.collect()
    gc.freeze()  # what exists now stays
    gc.set_threshold(20_000, 20, 1_000)


def allow_many_connections() -> None:
    """Let this process hold as many connections as the system allows; the usual 1,024 serve a few hundred matches."""
    try:
        import resource
    except ModuleNotFoundError:  # not on Windows
        return
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


def config_for(app: FastAPI, access_log: bool = False) -> uvicorn.Config:
    """Return how uvicorn runs the application."""
    return uvicorn.Config(
        app,
        log_config=None,
        log_level="info" if access_log else "warning",
        access_log=access_log,
        proxy_headers=False,  # `Forwarded` reads them
        server_header=False,
        http=Connection,
        ws=LiveConnection,
        ws_per_message_deflate=False,  # messages are short, and it holds 36 kB for each connection
        ws_max_size=4096,  # clients have nothing to send there
        ws_ping_interval=20,
        ws_ping_timeout=20,
        timeout_graceful_shutdown=2,
    )


def _open_when_ready(address: str) -> None:
    for _ in range(100):
        try:
            urlopen(f"{address}healthz", timeout=1).close()  # noqa: S310 # nosec B310
        except (URLError, OSError):
            time.sleep(0.1)
        else:
            webbrowser.open(address)
            return
