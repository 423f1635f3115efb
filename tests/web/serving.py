"""Real servers for tests: this application on a free port, and a PostgreSQL of its own."""

from __future__ import annotations

import asyncio
import os
import pwd
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Thread
from typing import Any

import httpx
import sqlalchemy as sql
import uvicorn
from fastapi import FastAPI

from connectoe.web.http.app import Settings, make_app
from connectoe.web.http.serving import config_for
from connectoe.web.service.limits import UNLIMITED


class Served:
    """A server in a thread of this process."""

    def __init__(self, app: FastAPI, url: str) -> None:
        self.app = app
        self.url = url
        self.clients: list[httpx.Client] = []

    def browser(self, **headers: str) -> httpx.Client:
        """Somebody with cookies, who sends what a page of this site would send."""
        return self.client(headers={"Origin": self.url, **headers}, follow_redirects=True)

    def program(self, secret: str = "") -> httpx.Client:
        """A program without cookies."""
        headers = {"Authorization": f"Bearer {secret}"} if secret else {}
        return self.client("/api/v1", headers=headers)

    def client(self, path: str = "", **settings: Any) -> httpx.Client:
        """Anybody; closed with the server."""
        self.clients.append(httpx.Client(base_url=self.url + path, timeout=60, **settings))
        return self.clients[-1]


class PromptServer(uvicorn.Server):
    """A server that stops as soon as it is told to; uvicorn looks ten times a second, and hundreds of tests wait."""

    async def main_loop(self) -> None:
        """Serve until told to stop."""
        await self.on_tick(0)
        while not self.should_exit:
            await asyncio.sleep(0.01)


@contextmanager
def served(database: str, **settings: Any) -> Iterator[Served]:
    app = make_app(Settings(database, **{"prepares": "nothing", "shares": UNLIMITED, **settings}))
    listening = socket.create_server(("127.0.0.1", 0))
    server = PromptServer(config_for(app))
    thread = Thread(target=server.run, kwargs={"sockets": [listening]}, daemon=True)
    thread.start()
    while not server.started:
        assert thread.is_alive()
        time.sleep(0.01)
    running = Served(app, f"http://127.0.0.1:{listening.getsockname()[1]}")
    try:
        yield running
    finally:
        for client in running.clients:
            client.close()
        server.should_exit = True
        thread.join(20)


class Process:
    """`connectoe serve` as its own process, which can be killed."""

    def __init__(
        self,
        database: str,
        port: int | None = None,
        *more: str,
        program: Sequence[str] = (sys.executable, "-m", "connectoe"),
    ) -> None:
        if port is None:
            with socket.create_server(("127.0.0.1", 0)) as free:
                port = int(free.getsockname()[1])
        self.database = database
        self.port = port
        self.url = f"http://127.0.0.1:{port}"
        self.more = more
        self.program = program
        self.log = Path(tempfile.mkdtemp()) / "log"
        self.running = self._start()

    def _start(self) -> subprocess.Popen[bytes]:
        command = [*self.program, "serve", "--port", str(self.port), "--database", self.database]
        with self.log.open("ab") as log:
            running = subprocess.Popen([*command, *self.more], stdout=subprocess.DEVNULL, stderr=log)
        with httpx.Client() as client:
            for _ in range(1500):
                try:
                    client.get(f"{self.url}/healthz", timeout=2)
                    return running
                except httpx.TransportError:
                    assert running.poll() is None, self.logged()
                    time.sleep(0.02)
        raise AssertionError("the server does not answer")

    def logged(self) -> str:
        """What it has written to its log."""
        return self.log.read_text()

    def kill(self) -> None:
        """kill -9."""
        self.running.kill()
        self.running.wait()

    def start_again(self) -> None:
        self.running = self._start()

    def stop(self) -> None:
        if self.running.poll() is None:
            self.running.send_signal(signal.SIGTERM)
            try:
                self.running.wait(10)
            except subprocess.TimeoutExpired:
                self.kill()
        shutil.rmtree(self.log.parent)


def postgres_program(name: str) -> str:
    """A program of the newest PostgreSQL on this machine."""
    folders = sorted(Path("/usr/lib/postgresql").glob("*/bin"), key=lambda folder: int(folder.parent.name))
    found = [folder / name for folder in folders if (folder / name).exists()]
    program = str(found[-1]) if found else shutil.which(name)
    assert program, "tests need PostgreSQL; `make test` installs it where it can"
    return program


@contextmanager
def frozen(postgresql_address: str) -> Iterator[None]:
    """The PostgreSQL server at an address does not run in this context, but is there; it always goes on afterwards."""
    engine = sql.create_engine(postgresql_address, poolclass=sql.pool.NullPool)
    with engine.connect() as connection:
        folder = connection.scalar(sql.text("SHOW data_directory"))
    first = int(Path(str(folder), "postmaster.pid").read_text().split()[0])
    stopped = []
    try:
        for process in (first, *children_of(first)):
            stopped.append(process)
            os.kill(process, signal.SIGSTOP)
        yield
    finally:
        for process in reversed(stopped):
            with suppress(ProcessLookupError):
                os.kill(process, signal.SIGCONT)


def children_of(process: int) -> list[int]:
    """The processes that a process has started."""
    tasks = Path(f"/proc/{process}/task")
    return [int(child) for task in tasks.iterdir() for child in (task / "children").read_text().split()]


class PostgreSQL:
    """A PostgreSQL server that nobody else uses, in a folder of its own.

    It does not wait for the disk: a process that is killed loses nothing by that, only a machine without power does.
    """

    def __init__(self, folder: Path) -> None:
        self.run_as: dict[str, Any] = {"cwd": "/"}
        if os.geteuid() == 0:  # it refuses to be run by root
            user = pwd.getpwnam("postgres")
            os.chown(folder, user.pw_uid, user.pw_gid)
            for parent in folder.parents:
                if parent.stat().st_uid == 0 and not parent.stat().st_mode & 0o001:
                    parent.chmod(parent.stat().st_mode | 0o011)
            self.run_as |= {"user": "postgres", "group": "postgres", "extra_groups": []}
        with socket.create_server(("127.0.0.1", 0)) as free:
            self.port = str(free.getsockname()[1])
        self.address = f"postgresql+psycopg://connectoe@127.0.0.1:{self.port}/postgres"
        self.data = str(folder / "data")
        made = [postgres_program("initdb"), "-D", self.data, "-A", "trust", "-U", "connectoe", "-E", "UTF8"]
        subprocess.run([*made, "--no-locale", "--no-sync"], check=True, capture_output=True, **self.run_as)
        self.start()

    def start(self) -> None:
        """Start it, and wait until it answers."""
        settings = ["-h", "127.0.0.1", "-k", "", "-c", "fsync=off", "-c", "full_page_writes=off"]
        self.running = subprocess.Popen(
            [postgres_program("postgres"), "-D", self.data, "-p", self.port, *settings],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            **self.run_as,
        )
        ready = [postgres_program("pg_isready"), "-h", "127.0.0.1", "-p", self.port, "-q"]
        while subprocess.run(ready, check=False).returncode != 0:
            assert self.running.poll() is None
            time.sleep(0.05)

    def stop(self, how: signal.Signals = signal.SIGQUIT) -> None:
        """Stop it; by default at once, as if it had crashed."""
        self.running.send_signal(how)
        self.running.wait(60)


@contextmanager
def postgresql(folder: Path) -> Iterator[PostgreSQL]:
    """A PostgreSQL server that runs in this context."""
    server = PostgreSQL(folder)
    try:
        yield server
    finally:
        server.stop()


def new_database(server: str, name: str) -> str:
    """The address of a new, empty database on a PostgreSQL server, in place of an older one of that name."""
    engine = sql.create_engine(server, isolation_level="AUTOCOMMIT", poolclass=sql.pool.NullPool)
    with engine.connect() as connection:
        connection.execute(sql.text(f"DROP DATABASE IF EXISTS {name} WITH (FORCE)"))
        connection.execute(sql.text(f"CREATE DATABASE {name}"))
    return server.rsplit("/", 1)[0] + f"/{name}"
