"""`python -m tests.web.chaos`: disturb a server for as long as you like, or measure one that nobody disturbs."""

from __future__ import annotations

import asyncio
import os
import random
import statistics
import time
from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

import click

from tests.web.chaos.faults import Faults
from tests.web.chaos.running import Chaos, server_to_disturb
from tests.web.serving import PostgreSQL, Process, postgresql


@click.command()
@click.option("--minutes", default=1.0, show_default=True, help="How long it lasts.")
@click.option("--database", type=click.Choice(["sqlite", "postgresql"]), default="sqlite", show_default=True)
@click.option("--players", default=24, show_default=True, help="How many people play, each one match after the other.")
@click.option("--pause", default=0.25, show_default=True, help="The seconds between two moves of a player, on average.")
@click.option("--seed", default=0, show_default=True, help="What chance depends on.")
@click.option("--calm", is_flag=True, help="No faults and no hostile clients: measure memory, files and latencies.")
def main(minutes: float, database: str, players: int, pause: float, seed: int, calm: bool) -> None:
    """Let people play on a server, disturb it, and check that nothing is lost and nothing happens twice."""
    with ExitStack() as stack:
        folder = Path(stack.enter_context(TemporaryDirectory(prefix="connectoe-chaos-")))
        (folder / "data").mkdir()
        stored: PostgreSQL | Path = folder / "matches.db"
        if database == "postgresql":
            stored = stack.enter_context(postgresql(folder / "data"))
        server, clock = stack.enter_context(server_to_disturb(stored, folder))
        chaos = Chaos(server, seed, players, pause)
        if calm:
            asyncio.run(_measured(chaos, 60 * minutes))
        else:
            faults = Faults(server, clock, stored, random.Random(seed))
            asyncio.run(chaos.run(faults, 60 * minutes, click.echo))
    report = chaos.report
    matches = sum(len(player.ledgers) for player in chaos.players)
    click.echo(f"{report.moves:,} accepted moves in {matches:,} matches; answers: {dict(report.answers)}")
    for problem in report.problems:
        click.secho(problem, fg="red", err=True)
    raise SystemExit(1 if report.problems else 0)


class Sample(NamedTuple):
    """What was measured over some seconds."""

    minutes: float
    megabytes: float
    files: int
    threads: int
    moves: int
    cpu: float
    """Milliseconds per move."""
    median: float
    """Milliseconds until a move is accepted."""
    slowest: float
    """Milliseconds that 99 of 100 moves take at most."""

    def row(self) -> str:
        """The sample as a row of a Markdown table."""
        return (
            f"| {self.minutes:.1f} | {self.megabytes:.0f} MB | {self.files} | {self.threads} | {self.moves:,} "
            f"| {self.cpu:.1f} ms | {self.median:.0f} ms | {self.slowest:.0f} ms |"
        )


async def _measured(chaos: Chaos, seconds: float) -> None:
    """Let people play in peace, and print a row of measurements ten times."""
    click.echo("| minute | memory | open files | threads | moves | CPU per move | median | 99% within |")
    click.echo("|---|---|---|---|---|---|---|---|")
    playing = asyncio.create_task(chaos.play_calmly(seconds))
    begun = time.monotonic()
    for _ in range(10):
        moves, cpu = chaos.report.moves, _cpu(chaos.server)
        chaos.report.waits.clear()
        await asyncio.sleep(seconds / 10 - 0.1)
        moves = chaos.report.moves - moves
        click.echo(_sample(chaos, (time.monotonic() - begun) / 60, moves, _cpu(chaos.server) - cpu).row())
    await playing


def _sample(chaos: Chaos, minutes: float, moves: int, cpu: float) -> Sample:
    process = Path(f"/proc/{chaos.server.running.pid}")
    about = dict(line.split(":", 1) for line in (process / "status").read_text().splitlines())
    waits = [1000 * seconds for seconds in chaos.report.waits] or [0.0, 0.0]
    return Sample(
        minutes,
        int(about["VmRSS"].split()[0]) / 1024,
        len(list((process / "fd").iterdir())),
        int(about["Threads"]),
        moves,
        1000 * cpu / max(1, moves),
        statistics.median(waits),
        statistics.quantiles(waits, n=100)[-1],
    )


def _cpu(server: Process) -> float:
    """The seconds of computing that a server has used."""
    used = Path(f"/proc/{server.running.pid}/stat").read_text().rpartition(")")[2].split()
    return (int(used[11]) + int(used[12])) / os.sysconf("SC_CLK_TCK")


if __name__ == "__main__":
    main()
