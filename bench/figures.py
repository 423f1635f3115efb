"""Measured figures: what each should be, how they are printed, and where they are kept."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, NamedTuple

from circumstances import circumstances
from rich.console import Console
from rich.table import Table
from speed_page import number_text

from connectoe.core.catalogue import game_ids

RESULTS = Path(__file__).parent / "results.json"


class Row(NamedTuple):
    """A measured figure, with a peer's if there is one, and the aim."""

    what: str
    unit: str
    ours: float
    peer: str | None = None
    theirs: float | None = None
    ratio: float | None = None
    """How many times better ours is."""
    at_least: float | None = None
    at_most: float | None = None
    """The aim for the ratio, or without a peer for the figure itself."""

    @property
    def judged(self) -> float:
        """The number that the aim is about."""
        return self.ours if self.ratio is None else self.ratio

    @property
    def reached(self) -> bool | None:
        """Whether the aim is reached; None if there is none."""
        if self.at_least is not None:
            return self.judged >= self.at_least
        return None if self.at_most is None else self.judged <= self.at_most


def keep(part: str, figures: dict[str, Any]) -> None:
    """Write the figures of a part to the results, and keep those of the other parts."""
    known = json.loads(RESULTS.read_text()) if RESULTS.exists() else {}
    known[part] = {**circumstances(), **figures}
    RESULTS.write_text(json.dumps(known, indent=2, ensure_ascii=False) + "\n")


def table_of(rows: list[Row]) -> Table:
    """Return the rows as a table for people."""
    table = Table(show_lines=True)
    table.add_column("what", min_width=34)
    for heading in ("connectoe", "peer's", "ratio", "wanted"):
        table.add_column(heading, justify="right")
    for row in rows:
        wanted = ""
        if row.at_least is not None:
            wanted = f"≥ {number_text(row.at_least)}{'x' if row.peer else ''}"
        elif row.at_most is not None:
            wanted = f"≤ {number_text(row.at_most)}"
        table.add_row(
            f"{row.what}\n[dim]{row.unit}{f', against {row.peer}' if row.peer else ''}[/]",
            number_text(row.ours),
            number_text(row.theirs),
            "" if row.ratio is None else f"{number_text(row.ratio)}x",
            wanted + {None: "", True: "\n[green]reached[/]", False: "\n[red]missed[/]"}[row.reached],
        )
    return table


def games_table(rows: list[Row]) -> Table:
    """Return the figures of every game, one line per game."""
    table = Table("game")
    headings = list(dict.fromkeys(f"{row.what.split(': ')[1]}, {row.unit}" for row in rows))
    for heading in headings:
        table.add_column(heading, justify="right")
    for game in dict.fromkeys(row.what.split(": ")[0] for row in rows):
        table.add_row(game, *(number_text(row.ours) for row in rows if row.what.startswith(f"{game}: ")))
    return table


def show_rows(rows: list[Row], left_out: list[str]) -> None:
    """Print what a run has measured, and what it has left out."""
    console = Console()
    by_game = [row for row in rows if row.what.split(": ")[0] in game_ids()]
    others = [row for row in rows if row not in by_game]
    if others:
        console.print(table_of(others))
    if by_game:
        console.print(games_table(by_game))
    for words in left_out:
        console.print(words, style="yellow")
    machine = circumstances()
    console.print(f"{machine['cores']} cores, load {machine['load']}; all figures are in {RESULTS.name}", style="dim")
