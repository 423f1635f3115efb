"""What a server costs: processor time per move and per picture, matches it carries, idle connections, memory.

    python bench/web.py cost                 processor time per move: programs and pages, SQLite and PostgreSQL
    python bench/web.py matches --pictures   more and more matches, until 99% of the moves are not seen within 250 ms
    python bench/web.py spectators           200 pages that watch a match on the 27x27 board, and fetch each picture
    python bench/web.py idle                 2,000 live connections on PostgreSQL to which nothing happens
    python bench/web.py memory               what a match takes: itself, its live connections, and being played
    python bench/web.py cost --before ../old also with the sources in another folder, in turn with these

Matches have two live clients each and go on at one move per second. Programs POST their moves; with `--by socket` they
send them over the live connection. With pictures, everybody gets the new picture of the board after each move, as
pages do. All clients accept compression, as browsers do. They run in a process of their own on the same machine, so the
server has what they leave of its cores; the processor time is the server's alone, while matches are being played.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from itertools import pairwise
from pathlib import Path
from urllib.request import urlopen

import sqlalchemy as sql

from connectoe.web.http.serving import allow_many_connections

sys.path.insert(0, str(Path(__file__).parents[1]))
import web_clients
from circumstances import circumstances
from tests.web.serving import children_of, postgresql

HERE = Path(__file__).parents[1]
WANTED = 250.0
"""Milliseconds that the 99th percentile may reach."""
DATABASES = ("sqlite", "postgresql")


class Server:
    """A server from the sources in a folder, on a new database."""

    def __init__(self, folder: Path, database: str, *options: str) -> None:
        with socket.create_server(("127.0.0.1", 0)) as free:
            self.port = int(free.getsockname()[1])
        command = [sys.executable, "-m", "connectoe", "serve", "--port", str(self.port), "--database", database]
        self.process = subprocess.Popen(
            [*command, "--unlimited", "--no-warming", *options],
            stderr=subprocess.DEVNULL,
            cwd=folder,
            env=os.environ | {"PYTHONPATH": str(folder / "src")},
        )

    @property
    def processes(self) -> list[int]:
        """The ids of its processes."""
        return [self.process.pid, *children_of(self.process.pid)]

    @property
    def cpu_seconds(self) -> float:
        """The processor time it has used."""
        return sum(map(_cpu_seconds, self.processes))

    @property
    def memory(self) -> int:
        """The bytes it holds."""
        return sum(_memory(process) for process in self.processes)

    @property
    def watchers(self) -> float:
        """How many live connections it has; of several processes, the one that answers."""
        with urlopen(f"http://127.0.0.1:{self.port}/metrics") as answer:
            for line in answer.read().decode().splitlines():
                if line.startswith("connectoe_watchers "):
                    return float(line.split()[1])
        return 0.0

    def wait(self) -> None:
        """Return when it answers, and has done what it does at the start."""
        for _ in range(300):
            try:
                urlopen(f"http://127.0.0.1:{self.port}/livez").close()
                break
            except OSError:
                time.sleep(0.1)
        else:
            raise SystemExit("the server does not answer")
        used = -1.0
        while self.cpu_seconds - used > 0.1:
            used = self.cpu_seconds
            time.sleep(0.5)


@contextmanager
def serving(folder: Path, database: str, *options: str) -> Iterator[Server]:
    """Run a server in this context."""
    server = Server(folder, database, *options)
    try:
        server.wait()
        yield server
    finally:
        server.process.terminate()
        server.process.wait()


def _memory(process: int) -> int:
    return int(Path(f"/proc/{process}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def _cpu_seconds(process: int) -> float:
    user, system = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[11:13]
    return (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")


class Bench:
    """Measures servers one after another, each on a database of its own."""

    def __init__(self, asked: argparse.Namespace, stack: ExitStack) -> None:
        self.asked = asked
        self.stack = stack
        self.folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="connectoe-bench-")))
        self.figures: list[dict[str, object]] = []
        self._postgresql = ""
        self._databases = 0

    @property
    def sources(self) -> list[Path]:
        """The folders to measure, the older first."""
        return [*([self.asked.before.resolve()] if self.asked.before else []), HERE]

    def new_database(self, kind: str) -> str:
        """Return the address of an empty database."""
        self._databases += 1
        if kind == "sqlite":
            return f"sqlite:///{self.folder}/{self._databases}.db"
        if not self._postgresql:
            folder = Path(self.stack.enter_context(tempfile.TemporaryDirectory(prefix="connectoe-postgresql-")))
            self._postgresql = self.stack.enter_context(postgresql(folder)).address
        engine = sql.create_engine(self._postgresql, isolation_level="AUTOCOMMIT", poolclass=sql.pool.NullPool)
        with engine.connect() as connection:
            connection.execute(sql.text(f"CREATE DATABASE bench_{self._databases}"))
        return self._postgresql.rsplit("/", 1)[0] + f"/bench_{self._databases}"

    def note(self, folder: Path, what: str, **figures: object) -> None:
        """Print a line of figures, and keep it."""
        line = {"sources": "these" if folder == HERE else "before", "what": what} | figures
        self.figures.append(line)
        print("  ".join(f"{name} {value}" for name, value in line.items()), flush=True)

    def play(self, folder: Path, database: str, matches: int, pictures: bool, by: str) -> float:
        """Measure this many matches; return the milliseconds within which 99% of the moves were seen."""
        options = ["--processes", str(self.asked.processes)] if self.asked.processes > 1 else []
        with serving(folder, self.new_database(database), *options) as server:
            asyncio.run(web_clients.play(server, 2, 2, pictures, by))  # what is loaded and drawn once is there
            before = server.memory
            played = asyncio.run(web_clients.play(server, matches, self.asked.seconds, pictures, by))
            took, moves = sorted(played.took), len(played.took)
            within = round(1000 * took[int(moves * 0.99)], 1)
            self.note(
                folder,
                f"{'pictures' if pictures else 'programs'}, {database}"
                + (", over the socket" if by == "socket" else ""),
                processes=self.asked.processes,
                matches=matches,
                moves=moves,
                median_ms=round(1000 * took[moves // 2], 1),
                p99_ms=within,
                cpu_ms_a_move=round(1000 * played.cpu_seconds / moves, 2),
                kb_a_match=round((server.memory - before) / matches / 1024, 1),
            )
        return within

    def cost(self) -> None:
        """Measure the processor time per move of a moderate number of matches."""
        for _ in range(self.asked.rounds):
            for database in self.asked.databases:
                for pictures in (False, True) if self.asked.by == "post" else (False,):
                    for folder in self.sources:
                        self.play(folder, database, (self.asked.number or [50])[0], pictures, self.asked.by)

    def matches(self) -> None:
        """Measure larger and larger numbers of matches."""
        for database in self.asked.databases:
            for folder in self.sources:
                most = 0
                for matches in self.asked.number or [50, 100, 200, 300, 400, 600, 800, 1000]:
                    if self.play(folder, database, matches, self.asked.pictures, self.asked.by) > WANTED:
                        break
                    most = matches
                print(f"the most matches with 99% under {WANTED:.0f} ms: {most}")

    def spectators(self) -> None:
        """Measure the processor time per move of a match that many watch."""
        for database in self.asked.databases:
            for folder in self.sources:
                number = (self.asked.number or [200])[0]
                with serving(folder, self.new_database(database)) as server:
                    played = asyncio.run(web_clients.watch(server, number, moves=int(self.asked.seconds)))
                    moves = len(played.took)
                    self.note(
                        folder,
                        f"spectators, {database}",
                        spectators=number,
                        moves=moves,
                        cpu_ms_a_move=round(1000 * played.cpu_seconds / moves, 1),
                        all_have_it_ms=round(1000 * sorted(played.took)[moves // 2], 1),
                    )

    def idle(self) -> None:
        """Measure what live connections cost while nothing happens."""
        for folder in self.sources:
            number = (self.asked.number or [2000])[0]
            with serving(folder, self.new_database("postgresql")) as server:
                asyncio.run(web_clients.idle(server, 4, 1))
                before = server.memory
                played = asyncio.run(web_clients.idle(server, number, max(45.0, self.asked.seconds)))
                self.note(
                    folder,
                    "idle, postgresql",
                    connections=number,
                    percent_of_a_core=round(100 * played.cpu_seconds / played.took[0], 2),
                    kb_a_match=round((server.memory - before) / number * 2 / 1024, 1),
                )

    def memory(self) -> None:
        """Measure what matches take in memory, step by step: made, connected, and played."""
        number = (self.asked.number or [300])[0]
        for database in self.asked.databases:
            for pictures in (False, True):
                for folder in self.sources:
                    with serving(folder, self.new_database(database)) as server:
                        asyncio.run(web_clients.play(server, 20, 3, pictures, "post"))
                        grown = asyncio.run(web_clients.grow(server, number, pictures))
                    made, connected, played = (
                        round((after - before) / number / 1024, 1) for before, after in pairwise(grown)
                    )
                    self.note(
                        folder,
                        f"{'pages' if pictures else 'programs'}, {database}",
                        matches=number,
                        match_kb=made,
                        live_connection_kb=round(connected / 2, 1),
                        playing_kb=played,
                        kb_a_match=round((grown[-1] - grown[0]) / number / 1024, 1),
                    )


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure, print the figures and write JSON."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=("cost", "matches", "spectators", "idle", "memory"))
    parser.add_argument("--before", type=Path, help="a folder with other sources, measured in turn with these")
    parser.add_argument("--databases", nargs="+", choices=DATABASES, default=DATABASES)
    parser.add_argument("--number", type=int, nargs="+", help="of matches, spectators or connections")
    parser.add_argument("--seconds", type=float, default=15, help="how long is measured")
    parser.add_argument("--rounds", type=int, default=1, help="how often each cost is measured")
    parser.add_argument("--pictures", action="store_true", help="let everybody get the new picture of the board, too")
    parser.add_argument("--by", choices=("post", "socket"), default="post", help="how programs send their moves")
    parser.add_argument("--processes", type=int, default=1, help="of a server, on one port")
    parser.add_argument("-o", "--output", type=Path, help="write the figures as JSON")
    asked = parser.parse_args(arguments)
    allow_many_connections()
    with ExitStack() as stack:
        bench = Bench(asked, stack)
        getattr(bench, asked.what)()
    if asked.output:
        told = {"circumstances": circumstances(), "figures": bench.figures}
        asked.output.write_text(json.dumps(told, indent=1) + "\n")


if __name__ == "__main__":
    main()
