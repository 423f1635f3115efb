"""`connectoe solve`."""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from connectoe.commands.shared import game_options, load_game
from connectoe.core.errors import ConnectoeError
from connectoe.terminal.progress import progress

if TYPE_CHECKING:
    from connectoe.core.game import Game
    from connectoe.engines.engine import Solver
    from connectoe.engines.exact.lookup import Table
    from connectoe.engines.exact.retrograde import TableSize

ASKED_ABOVE = 5_000_000
"""More positions than this, up to mirror images, are solved only after confirmation."""
COMES_OUT_LOW_ABOVE = 20_000_000
"""Larger estimates are only a lower bound: Connect Four's is 380 million, of some 10**12. The positions of a sample are
related: they have more successors in common than random positions, and this error grows with each layer."""
BYTES_KEPT = 28
"""The most bytes that solving takes per position, without those for the largest layer."""


@click.command()
@click.argument("game")
@game_options
@click.option("--force", is_flag=True, help="Solve it again even if there is a table.")
@click.option("--verify", is_flag=True, help="Verify all checksums of the existing table, and solve nothing.")
@click.option("--yes", is_flag=True, help=f"Do not ask before solving more than {ASKED_ABOVE:,} positions.")
@click.option("--start", "only_start", is_flag=True, help="Solve only the start, by the game's exact solver; no table.")
@click.option("--count-finished", is_flag=True, help="Also count the finished positions, which are not in a table.")
@click.option("--folder", type=click.Path(path_type=Path), help="Store the table here, not in the user's cache.")
@click.option("--json", "as_json", is_flag=True, help="Print the results as JSON.")
def solve(
    game: str,
    options: tuple[str, ...],
    force: bool,
    verify: bool,
    yes: bool,
    only_start: bool,
    count_finished: bool,
    folder: Path | None,
    as_json: bool,
) -> None:
    """Work out the value of every position of GAME, and store it in a table.

    A game with too many positions for a table may have an exact solver: then the value of the start is worked out, and
    nothing is stored. Ctrl-C ends that and says what is known so far.
    """
    chosen = load_game(game, options)
    from connectoe.analysis import exact_solver
    from connectoe.engines.exact.positions import TooLarge
    from connectoe.engines.exact.table_files import BadTable, open_table, table_path

    solver = exact_solver(chosen)
    if only_start and solver is None:
        raise ConnectoeError(f"{chosen.name} has no exact solver with these options")
    if solver and (only_start or (chosen.rules.pack is None and not verify)):
        solve_start(chosen, solver, as_json)
        return
    path = table_path(chosen, folder)
    if verify:
        open_table(chosen, path, check_all=True)
        click.echo(f"{path} is sound")
        return
    table: Table | None = None
    if not force:
        try:
            table = open_table(chosen, path)
            click.echo(f"there is a table already, {path}; --force makes it again", err=True)
        except BadTable as problem:
            if path.exists():
                click.echo(f"{problem}; solving again", err=True)
    if table is None or (count_finished and "finished" not in table.facts):
        try:
            table = make_table(chosen, path, yes, count_finished)
        except TooLarge as problem:
            if solver is None:
                raise
            click.echo(f"{problem}; the start alone is solved", err=True)
            solve_start(chosen, solver, as_json)
            return
    assert table.path
    facts = {**table.facts, "file_bytes": table.path.stat().st_size}
    click.echo(json.dumps(facts) if as_json else "\n".join([*report(chosen, facts), f"table          {table.path}"]))


def make_table(game: Game, path: Path, yes: bool, with_finished: bool) -> Table:
    """Solve a game, after saying how large it is, and write its table."""
    from connectoe.engines.exact.positions import TooLarge
    from connectoe.engines.exact.retrograde import EXACT_UP_TO, MOST_POSITIONS, estimate_size
    from connectoe.engines.exact.table_files import write_table
    from connectoe.engines.exact.tables import solved_table

    with progress("counting positions", 0) as tell:
        expected = estimate_size(game, ASKED_ABOVE if game.can_repeat else EXACT_UP_TO, tell)
    click.echo(estimate_text(expected), err=True)
    if expected.kept > MOST_POSITIONS:
        raise TooLarge(f"that is more than can be solved: {MOST_POSITIONS:,} at most")
    if not yes and (expected.kept > ASKED_ABOVE or expected.at_least):
        if not sys.stdin.isatty():
            raise ConnectoeError("give --yes to solve a game with that many positions")
        click.confirm("Solve it?", abort=True, err=True)
    began = time.perf_counter()
    with progress("solving", 0) as tell:
        table = solved_table(
            game,
            expected=0 if expected.at_least else expected.kept,
            with_finished=with_finished,
            progress=tell,
        )
    table.facts["seconds"]["all"] = round(time.perf_counter() - began, 3)
    table.facts["peak_memory"] = peak_memory()
    try:
        return write_table(table, path)
    except OSError as error:
        raise ConnectoeError(f"the table {path} could not be written: {error.strerror or error}") from error


WINS = {"win": "the first player wins; ", "loss": "the second player wins; ", "draw": "a draw; "}


def solve_start(game: Game, solver: Solver, as_json: bool) -> None:
    """Print what best play from the start leads to, by the game's exact solver; first who wins, then how soon."""
    sought, known = "who wins", ""
    nodes_before, began, cpu_began = solver.nodes, time.perf_counter(), time.process_time()

    def tell_nodes(nodes: int) -> None:
        tell(f"{known}searching for {sought}: {(nodes - nodes_before) // 1_000_000:,} million positions", None)

    solver.report = tell_nodes
    try:
        with progress(f"searching for {sought}") as tell:
            known = WINS[solver.result(game.rules.start)]
            sought = "how soon"
            value = solver.value(game.rules.start)
    except KeyboardInterrupt:
        after = f"stopped after {solver.nodes - nodes_before:,} positions in {time.perf_counter() - began:,.0f} s"
        click.echo(f"\n{known or 'who wins is not known yet; '}{after}", err=True)
        raise
    finally:
        solver.report = None
    nodes, seconds = solver.nodes - nodes_before, time.perf_counter() - began
    facts = {"start": list(value), "nodes": nodes, "seconds": round(seconds, 3)}
    facts |= {"cpu_seconds": round(time.process_time() - cpu_began, 3), "peak_memory": peak_memory()}
    if as_json:
        click.echo(json.dumps(facts))
        return
    click.echo(f"{game.id} {game.options_text}".rstrip())
    click.echo(f"value          {start_text(list(value))}")
    click.echo(f"time           {seconds:,.2f} s, {nodes:,} positions searched")


def estimate_text(expected: TableSize) -> str:
    """Return how large a table will be, in words."""
    kept = expected.kept
    size = f"a table of about {megabytes(6 * kept)}, made with about {megabytes(BYTES_KEPT * kept)} of memory"
    if expected.exact:
        return f"{kept:,} unfinished positions up to mirror images: {size}"
    if expected.at_least:
        return (
            f"more than {kept:,} unfinished positions up to mirror images (positions can repeat in this game, so "
            f"they cannot be estimated): more than {size}"
        )
    if kept > COMES_OUT_LOW_ABOVE:
        return (
            f"more than {kept:,} unfinished positions up to mirror images, perhaps many times as many: more than {size}"
        )
    return f"roughly {kept:,} unfinished positions up to mirror images, perhaps twice as many: {size}"


def megabytes(size: float) -> str:
    """Return a number of bytes for people."""
    return f"{size / 1e6:,.3g} MB" if size < 1e8 else f"{size / 1e6:,.0f} MB"


def report(game: Game, facts: dict[str, Any]) -> list[str]:
    """Return what solving a game has found out, line by line."""
    from connectoe.analysis_words import value_in_words
    from connectoe.engines.engine import Exact

    seconds = facts["seconds"]
    first_moves = [f"{move} {value_in_words(Exact(*value))}" for move, value in facts["first_moves"].items()]
    lines = [
        f"{game.id} {game.options_text}".rstrip(),
        f"value          {start_text(facts['start'])}",
        f"first moves    {', '.join(first_moves)}",
        f"positions      {facts['positions']:,} unfinished ({facts['kept']:,} up to mirror images)",
        f"               the player to move wins {facts['won']:,}, draws {facts['drawn']:,}, loses {facts['lost']:,}",
    ]
    if "finished" in facts:
        finished = ", ".join(f"{count:,} {how}" for how, count in facts["finished"].items())
        lines.append(f"               {sum(facts['finished'].values()):,} finished ({finished})")
    if facts["longest_win"]:
        lines.append(f"longest win    {facts['longest_win']} plies, from {facts['longest_win_at']}")
    rate = facts["positions"] / sum(seconds[step] for step in ("finding", "solving", "ordering")) / 1e6
    lines += [
        f"time           compiling {seconds['compiling']:.2f} s, finding {seconds['finding']:.2f} s, "
        f"solving {seconds['solving']:.2f} s, ordering {seconds['ordering']:.2f} s: {rate:.2f} million positions/s",
        f"memory         {megabytes(facts['memory'])}, {facts['memory'] / facts['positions']:.1f} bytes per position; "
        f"in the file {facts['file_bytes'] / facts['positions']:.1f}",
    ]
    return lines


def start_text(value: list[Any]) -> str:
    """Return the value of the start position in words."""
    result, plies = value
    if result == "draw":
        return "a draw with best play"
    return f"the {'first' if result == 'win' else 'second'} player wins in {plies} plies"


def peak_memory() -> int | None:
    """Return the most memory this process has had, in bytes, if the system reports it."""
    try:
        import resource
    except ImportError:
        return None
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak if sys.platform == "darwin" else 1024 * peak
