"""Connectoe side by side with the programs people would otherwise use.

    python bench/run.py speed [PART…]     ratios of speed, and connectoe's own figures: a few minutes
    python bench/run.py match [GAME…]     matches against open_spiel's MCTSBot at equal time a move: long
    python bench/run.py solve FILE[:N]…   exact connect-four beside bitbully, on (the first N) positions of files
    python bench/run.py growth [GAME…]    how MCTS grows stronger with simulations: long
    python bench/run.py page              writes docs/results/speed.md from the last runs of speed, solve and match

Both sides run in processes of their own and are asked in turn, several times; the median of the ratios counts, so that
a machine that is busy with other things disturbs both alike. What was measured goes to bench/results.json.
"""

from __future__ import annotations

import json
import os
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, redirect_stdout
from itertools import pairwise, product
from pathlib import Path
from statistics import median
from typing import Any, NamedTuple

import click
from circumstances import circumstances
from connect_four import Group, compare, group_in, random_groups
from growth import SHORTER, elo_text, grow
from rich.console import Console
from rich.table import Table
from sides import PACKAGES, PeerMissing, Side, python_with, version_of
from speed_page import number_text, speed_page

import connectoe
from connectoe import players
from connectoe.catalogue import game_ids
from connectoe.commands.shared import progress_bar
from connectoe.errors import ConnectoeError
from connectoe.study.arena import Pair, Standing, standing
from connectoe.study.openings import opening

HERE = Path(__file__).parent
RESULTS = HERE / "results.json"
PEER_NAMES = {"connect-four": "connect_four", "tic-tac-toe": "tic_tac_toe", "ultimate": "ultimate_tic_tac_toe"}
"""What open_spiel and pgx call the games."""


class Row(NamedTuple):
    """A figure that was measured, beside a peer's if there is one, and what it should be."""

    what: str
    unit: str
    ours: float
    peer: str | None = None
    theirs: float | None = None
    ratio: float | None = None
    """How many times better ours is."""
    at_least: float | None = None
    at_most: float | None = None
    """What the ratio, or without a peer the figure itself, should be."""

    @property
    def judged(self) -> float:
        """The number that the aim is about."""
        return self.ours if self.ratio is None else self.ratio

    @property
    def reached(self) -> bool | None:
        """Whether it is as it should be; None if nothing was asked for."""
        if self.at_least is not None:
            return self.judged >= self.at_least
        return None if self.at_most is None else self.judged <= self.at_most


class Compared(NamedTuple):
    """Medians of what two sides reached, and of their ratio in each round."""

    ours: float
    theirs: float
    ratio: float


def side_by_side(ours: Callable[[], float], theirs: Callable[[], float], rounds: int) -> Compared:
    """Measures two rates in turn, several times; whoever was first in a round is second in the next."""
    pairs = []
    for number in range(rounds):
        if number % 2:
            second = theirs()
            pairs.append((ours(), second))
        else:
            first = ours()
            pairs.append((first, theirs()))
    return Compared(
        median(first for first, _ in pairs),
        median(second for _, second in pairs),
        median(first / second for first, second in pairs),
    )


def rate(side: Side, what: str, seconds: float, first_amount: int, **details: Any) -> Callable[[], float]:
    """A measurement of how much a side does a second, of a size that takes it about so many seconds."""
    side.ask(what, amount=1, **details)
    tried = side.ask(what, amount=first_amount, **details)
    amount = max(1, round(first_amount * seconds / tried["seconds"]))

    def measure() -> float:
        answer = side.ask(what, amount=amount, **details)
        return float(answer["done"] / answer["seconds"])

    return measure


class Bench:
    """One run: its settings, the sides it has started, and the rows it has made."""

    def __init__(self, rounds: int, seconds: float, seed: int, peers: dict[str, str]) -> None:
        self.rounds = rounds
        self.seconds = seconds
        self.seed = seed
        self.pythons = peers
        """The Python to use for each peer, where it is not to be installed."""
        self.versions: dict[str, str | None] = {}
        self.rows: list[Row] = []
        self.left_out: list[str] = []

    def python(self, peer: str) -> str:
        """The Python that has a peer."""
        if peer not in self.pythons:
            self.pythons[peer] = python_with(peer)
        self.versions[peer] = version_of(peer, self.pythons[peer])
        return self.pythons[peer]

    @contextmanager
    def sides(self, peer: str) -> Iterator[tuple[Side, Side]]:
        """Our side and a peer's."""
        with our_side() as ours, Side(self.python(peer), f"{peer}_side.py") as theirs:
            yield ours, theirs

    # The parts; each adds rows.

    def playouts(self) -> None:
        """Random games on one thread against open_spiel's rollouts."""
        wanted = {"connect-four": 25, "tic-tac-toe": 8, "ultimate": 8}
        with self.sides("open_spiel") as (ours, theirs), progress_bar("random games", len(wanted)) as step:
            for game, at_least in wanted.items():
                compared = side_by_side(
                    rate(ours, "playouts", self.seconds, 10_000, game=game, seed=self.seed),
                    rate(theirs, "playouts", self.seconds, 2_000, game=PEER_NAMES[game], seed=self.seed),
                    self.rounds,
                )
                self.add(f"random {game}, one thread", "games/s", "open_spiel", compared, at_least)
                step()

    def mcts(self) -> None:
        """Searches of 10,000 simulations on one thread against open_spiel's MCTSBot."""
        wanted = {"connect-four": 15, "ultimate": 8}
        with self.sides("open_spiel") as (ours, theirs), progress_bar("MCTS", len(wanted)) as step:
            for game, at_least in wanted.items():
                details = {"simulations": 10_000, "positions": openings(game, 6, self.seed), "seed": self.seed}
                compared = side_by_side(
                    rate(ours, "searches", self.seconds, 6, game=game, **details),
                    rate(theirs, "searches", self.seconds, 2, game=PEER_NAMES[game], **details),
                    self.rounds,
                )
                what = f"MCTS of {game}, one thread, 10,000 a move"
                self.add(what, "simulations/s", "open_spiel", compared, at_least)
                step()

    def pgx(self) -> None:
        """Random games on all cores against pgx at the batch size that suits it best."""
        tries = [("until finished", 2**power) for power in range(10, 18)]
        tries += [("beginning anew", 2**power) for power in (10, 12, 14)]
        with self.sides("pgx") as (ours, theirs), progress_bar("pgx", len(tries) + 1) as step:
            rates = {}
            for way, batch in tries:
                details = {"game": "connect_four", "way": way, "batch": batch, "seed": self.seed}
                rates[way, batch] = rate(theirs, "playouts", self.seconds, batch, **details)()
                step()
            way, batch = max(rates, key=lambda tried: rates[tried])
            details = {"game": "connect_four", "way": way, "batch": batch, "seed": self.seed}
            compared = side_by_side(
                rate(ours, "playouts", self.seconds, 10_000, game="connect-four", seed=self.seed, threads=None),
                rate(theirs, "playouts", self.seconds, batch, **details),
                self.rounds,
            )
            step()
        self.add("random connect-four, all cores", "games/s", f"pgx, {batch:,} games {way}", compared, 20)

    def batches(self) -> None:
        """Steps of batched environments on all cores, each side at the batch size that suits it best."""
        sizes = [2**power for power in range(8, 17, 2)]
        wanted = ("tic-tac-toe", "connect-four")
        with self.sides("pgx") as (ours, theirs), progress_bar("batches", 2 * len(wanted) * len(sizes)) as step:
            for game in wanted:
                best = {}
                for side, name in ((ours, game), (theirs, PEER_NAMES[game])):
                    rates = {}
                    for batch in sizes:
                        details = {"game": name, "batch": batch, "seed": self.seed}
                        rates[batch] = rate(side, "steps", self.seconds / 2, 16 * batch, **details)()
                        step()
                    batch = max(rates, key=lambda tried: rates[tried])
                    best[side] = (
                        batch,
                        rate(side, "steps", self.seconds, 16 * batch, game=name, batch=batch, seed=self.seed),
                    )
                compared = side_by_side(best[ours][1], best[theirs][1], self.rounds)
                what = f"steps of {game} in batches of {best[ours][0]:,}, all cores"
                self.add(what, "steps/s", f"pgx, batches of {best[theirs][0]:,}", compared)

    def exact(self) -> None:
        """Exact connect-four against bitbully, as bench/connect_four.py compares them."""
        python = self.python("bitbully")
        with redirect_stdout(sys.stderr):
            figures = compare(random_groups(), python, rounds=self.rounds)
        for figure in figures:
            if figure["errors"]:
                self.left_out.append(f"connect-four of {figure['positions']}: {figure['errors']} WRONG scores")
            times = figure["connectoe_us"], figure["bitbully_us"], figure["times_faster"]
            what = f"exact connect-four, {figure['positions']}"
            self.add(what, "µs a position", "bitbully", Compared(*times), 1)

    def other(self) -> None:
        """What has an aim but no peer to run beside it."""
        with our_side() as ours, progress_bar("solving and searching", 2) as step:
            solved = ours.ask("strong_solving", game="semaphores", options={"rows": 3, "cols": 4}, seed=self.seed)
            step()
            if solved is None:
                self.left_out.append("strong solving: there is no such engine yet")
            else:
                solving = f"strong solving of semaphores 3x4, {solved['positions']:,} positions"
                speed = solved["positions"] / solved["seconds"]
                self.rows += [
                    Row(solving, "positions/s", speed, at_least=1e6),
                    Row("memory of that", "bytes a position", solved["bytes"] / solved["positions"], at_most=16),
                    Row("a table lookup from Python", "µs", solved["lookup_seconds"] * 1e6, at_most=20),
                ]
            searched = ours.ask("deep_search", game="advanced", depth=8)
            step()
            if searched is None:
                self.left_out.append("the deep search of advanced: there is no alpha-beta yet")
            else:
                self.rows.append(Row("advanced, eight placements deep", "s", searched["seconds"], at_most=6))

    def games(self) -> None:
        """Every game's own figures."""
        names = game_ids()
        with our_side() as ours, progress_bar("every game", len(names)) as step:
            for game in names:
                first, cached = compile_times(game)
                playouts = rate(ours, "playouts", self.seconds, 20, game=game, seed=self.seed)()
                search = {"game": game, "simulations": 10_000, "positions": [[]], "seed": self.seed}
                ours.ask("searches", amount=1, seconds=0.1, **search)
                found = ours.ask("searches", amount=1_000, seconds=self.seconds, **search)
                self.rows += [
                    Row(f"{game}: random games, one thread", "games/s", playouts),
                    Row(f"{game}: MCTS, one thread", "simulations/s", found["done"] / found["seconds"]),
                    Row(f"{game}: compiling, the first time", "s", first),
                    Row(f"{game}: compiling, from then on", "s", cached),
                ]
                step()

    def add(self, what: str, unit: str, peer: str, compared: Compared, at_least: float | None = None) -> None:
        """Adds a row of a comparison."""
        self.rows.append(Row(what, unit, compared.ours, peer, compared.theirs, compared.ratio, at_least))


PARTS: dict[str, Callable[[Bench], None]] = {
    "playouts": Bench.playouts,
    "mcts": Bench.mcts,
    "pgx": Bench.pgx,
    "batches": Bench.batches,
    "exact": Bench.exact,
    "other": Bench.other,
    "games": Bench.games,
}


def our_side(cache: str | None = None) -> Side:
    """A process of connectoe; with a cache folder of its own if one is given."""
    return Side(sys.executable, "connectoe_side.py", {"CONNECTOE_CACHE": cache} if cache else None)


def compile_times(game: str) -> tuple[float, float]:
    """The seconds until a game's engines are ready: with nothing compiled before, and in the next process."""
    with tempfile.TemporaryDirectory() as cache:
        times = []
        for _ in range(2):
            with our_side(cache) as side:
                times.append(float(side.ask("compiling", game=game)["seconds"]))
    return times[0], times[1]


def openings(game: str, count: int, seed: int) -> list[list[int]]:
    """The start of a game and some random openings, each of two moves more than the one before; as the sides count."""
    from connectoe_side import turned_over

    loaded = connectoe.load(game)
    return [
        [turned_over(game, loaded.move_from(text)) for text in opening(loaded, seed + number, 2 * number)]
        for number in range(count)
    ]


# Matches.


class Disagreement(Exception):
    """A position that the two sides see differently."""


class Clocks(NamedTuple):
    """The seconds a move that each side is told to think."""

    ours: float
    theirs: float


LATER = 1.1
"""How many times the peer's mean time a move ours may take and still count as equal."""


class Thought(NamedTuple):
    """The seconds a side took for its moves, and how many these were."""

    seconds: float = 0.0
    moves: int = 0

    def plus(self, seconds: float) -> Thought:
        """With one more move."""
        return Thought(self.seconds + seconds, self.moves + 1)


def play_game(
    game: str, start: list[int], ours: Side, theirs: Side, ours_is: int, player: str, clocks: Clocks, seed: int
) -> tuple[str, list[Thought]]:
    """Whether connectoe's player won, drew or lost a game, and the time each side took."""
    moves = list(start)
    thoughts = [Thought(), Thought()]
    ours.ask("begin", game=game, name=player, seconds=clocks.ours, seed=seed)
    while True:
        we_see, they_see = (
            ours.ask("look", game=game, moves=moves),
            theirs.ask("look", game=PEER_NAMES[game], moves=moves),
        )
        if (we_see["result"], we_see["legal"]) != (they_see["result"], sorted(they_see["legal"])):
            raise Disagreement(f"{game} after {moves}: {we_see} here, {they_see} in open_spiel")
        if we_see["result"] is not None:
            return {0: "draw", 1: ("win", "loss")[ours_is], -1: ("loss", "win")[ours_is]}[we_see["result"]], thoughts
        is_ours = len(moves) % 2 == ours_is
        began = time.perf_counter()
        if is_ours:
            chosen = ours.ask("choose", game=game, moves=moves)
        else:
            details = {"seconds": clocks.theirs, "seed": seed + len(moves)}
            chosen = theirs.ask("choose", game=PEER_NAMES[game], moves=moves, **details)
        mover = 0 if is_ours else 1
        thoughts[mover] = thoughts[mover].plus(time.perf_counter() - began)
        moves.append(chosen["move"])


def play_pair(
    game: str, number: int, ours: Side, theirs: Side, player: str, clocks: Clocks, seed: int, plies: int = 2
) -> tuple[Pair, list[Thought]]:
    """Two games from one opening with sides swapped."""
    from connectoe_side import turned_over

    loaded = connectoe.load(game)
    start = [turned_over(game, loaded.move_from(text)) for text in opening(loaded, seed + number, plies)]
    results, thoughts = [], []
    for ours_is in (0, 1):
        own_seed = 1_000_003 * seed + 1_000 * (2 * number + ours_is)
        result, thought = play_game(game, start, ours, theirs, ours_is, player, clocks, own_seed)
        results.append(result)
        thoughts.append(thought)
    points = sum({"win": 1.0, "draw": 0.5, "loss": 0.0}[result] for result in results)
    total = [
        Thought(first.seconds + second.seconds, first.moves + second.moves)
        for first, second in zip(*thoughts, strict=True)
    ]
    return Pair(number, ("", ""), points, (results[0], results[1])), total


def time_taken(game: str, player: str, seconds: float, seed: int) -> float:
    """The seconds a move that our player really takes where it may take so many, or more, for the peer to have too."""
    taken = []
    with our_side() as ours:
        for moves in openings(game, 6, seed):
            ours.ask("begin", game=game, name=player, seconds=seconds, seed=seed)
            began = time.perf_counter()
            ours.ask("choose", game=game, moves=moves)
            taken.append(time.perf_counter() - began)
    return max(seconds, median(taken[1:]))  # the first may have had to compile


def play_match(
    game: str, games: int, player: str, seconds: float, seed: int, peer: str, processes: int, plies: int = 2
) -> tuple[Standing, list[float]]:
    """How connectoe's player stands against MCTSBot, and the mean seconds a move of both."""
    clocks = Clocks(seconds, time_taken(game, player, seconds, seed))
    numbers = iter(range(games // 2))
    pairs: list[Pair] = []
    thoughts: list[list[Thought]] = []

    with progress_bar(f"{game} against open_spiel", games // 2) as step:

        def play_pairs() -> None:
            with our_side() as ours, Side(peer, "open_spiel_side.py") as theirs:
                # What happens only once, like compiling, is not part of a game.
                play_pair(game, 0, ours, theirs, player, Clocks(0.01, 0.01), seed, plies)
                for number in numbers:
                    pair, thought = play_pair(game, number, ours, theirs, player, clocks, seed, plies)
                    pairs.append(pair)
                    thoughts.append(thought)
                    step()

        with ThreadPoolExecutor(processes) as pool:
            for job in [pool.submit(play_pairs) for _ in range(processes)]:
                job.result()
    totals = [[thought[side] for thought in thoughts] for side in (0, 1)]
    return standing(pairs), [sum(t.seconds for t in total) / sum(t.moves for t in total) for total in totals]


# What is printed and kept.


def keep(part: str, figures: dict[str, Any]) -> None:
    """Writes a part's figures to the results, beside those of the other parts."""
    known = json.loads(RESULTS.read_text()) if RESULTS.exists() else {}
    known[part] = {**circumstances(), **figures}
    RESULTS.write_text(json.dumps(known, indent=2, ensure_ascii=False) + "\n")


def table_of(rows: list[Row]) -> Table:
    """The rows for people."""
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
    """The figures of every game, one line a game."""
    table = Table("game")
    headings = list(dict.fromkeys(f"{row.what.split(': ')[1]}, {row.unit}" for row in rows))
    for heading in headings:
        table.add_column(heading, justify="right")
    for game in dict.fromkeys(row.what.split(": ")[0] for row in rows):
        table.add_row(game, *(number_text(row.ours) for row in rows if row.what.startswith(f"{game}: ")))
    return table


def show_rows(bench: Bench) -> None:
    """Prints what a run has measured."""
    console = Console()
    by_game = [row for row in bench.rows if row.what.split(": ")[0] in game_ids()]
    others = [row for row in bench.rows if row not in by_game]
    if others:
        console.print(table_of(others))
    if by_game:
        console.print(games_table(by_game))
    for words in bench.left_out:
        console.print(words, style="yellow")
    figures = circumstances()
    console.print(f"{figures['cores']} cores, load {figures['load']}; all figures are in {RESULTS.name}", style="dim")


# The commands.


def named_pythons(context: click.Context, parameter: click.Parameter, given: tuple[str, ...]) -> dict[str, str]:
    """The peers' Pythons as given on the command line."""
    pythons = {}
    for text in given:
        peer, equals, python = text.partition("=")
        if peer not in PACKAGES or not equals:
            raise click.BadParameter(f"{text!r} is not PEER=PYTHON with one of {', '.join(PACKAGES)}")
        pythons[peer] = python
    return pythons


def even(context: click.Context, parameter: click.Parameter, games: int) -> int:
    """The number of games, which are played in pairs."""
    if games < 2 or games % 2:
        raise click.BadParameter(f"games are played in pairs with sides swapped: an even number, not {games}")
    return games


peer_option = click.option(
    "--peer",
    "peers",
    multiple=True,
    metavar="PEER=PYTHON",
    callback=named_pythons,
    help="Use a Python that has this peer instead of installing it.",
)
seed_option = click.option("--seed", default=1, show_default=True, help="Where random numbers begin.")


@click.group(help=__doc__)
def bench() -> None:
    """The commands."""


@bench.command()
@click.argument("parts", nargs=-1, type=click.Choice(list(PARTS)))
@click.option("--rounds", default=5, show_default=True, help="How often both sides are asked.")
@click.option("--seconds", default=0.5, show_default=True, help="How long one measurement takes, about.")
@seed_option
@peer_option
def speed(parts: tuple[str, ...], rounds: int, seconds: float, seed: int, peers: dict[str, str]) -> None:
    """Compare speeds: all PARTS, or those named."""
    run = Bench(rounds, seconds, seed, dict(peers))
    began = time.perf_counter()
    for name in parts or PARTS:
        try:
            PARTS[name](run)
        except PeerMissing as problem:
            run.left_out.append(f"{name}: left out, because {problem}")
    rows = [{**row._asdict(), "reached": row.reached} for row in run.rows]
    taken = round(time.perf_counter() - began)
    keep("speed", {"peers": run.versions, "seconds": taken, "rounds": rounds, "rows": rows, "left_out": run.left_out})
    show_rows(run)


def groups_named(context: click.Context, parameter: click.Parameter, given: tuple[str, ...]) -> list[Group]:
    """The positions of files, or of the first lines of them."""
    groups = []
    for text in given:
        name, colon, count = text.rpartition(":")
        try:
            group = group_in(Path(name), max(0, int(count))) if colon else group_in(Path(text), None)
            if not group[1]:
                raise ValueError("there are none")
        except (OSError, ValueError) as problem:
            raise click.BadParameter(f"{text!r} is not FILE or FILE:N with positions: {problem}") from problem
        groups.append(group)
    return groups


@bench.command()
@click.argument("groups", metavar="FILE[:N]...", nargs=-1, required=True, callback=groups_named)
@click.option("--rounds", default=3, show_default=True, help="How often both sides are asked.")
@peer_option
def solve(groups: list[Group], rounds: int, peers: dict[str, str]) -> None:
    """Solve the positions of files, a line each (columns as digits and the score), beside bitbully."""
    try:
        python = peers.get("bitbully") or python_with("bitbully")
    except PeerMissing as problem:
        raise click.ClickException(str(problem)) from problem
    figures = compare(groups, python, rounds=rounds)
    keep("solve", {"peers": {"bitbully": version_of("bitbully", python)}, "rounds": rounds, "rows": figures})


@bench.command()
@click.argument("games_named", metavar="[GAME]...", nargs=-1, type=click.Choice(["connect-four", "ultimate"]))
@click.option("--games", default=200, show_default=True, callback=even, help="How many games of each.")
@click.option("--seconds", default=0.1, show_default=True, help="The time a move, for both.")
@click.option("--player", default="hard", show_default=True, help="Connectoe's player: mcts, or one it has a name for.")
@click.option(
    "--plies",
    "beginnings",
    type=click.IntRange(min=0),
    multiple=True,
    default=(0, 2),
    show_default=True,
    help="Random moves each pair of games begins with; may be given several times.",
)
@click.option("--processes", default=1, show_default=True, help="Games played at a time.")
@seed_option
@peer_option
def match(
    games_named: tuple[str, ...],
    games: int,
    seconds: float,
    player: str,
    beginnings: tuple[int, ...],
    processes: int,
    seed: int,
    peers: dict[str, str],
) -> None:
    """Play matches against open_spiel's MCTSBot at equal wall time a move."""
    rows, kept = [], []
    name = f"mcts:seconds={seconds:g}" if player == "mcts" else player
    try:
        players.player(name, connectoe.load("connect-four"), seconds=seconds)  # refuses what does not exist
        python = peers.get("open_spiel") or python_with("open_spiel")
        for game, plies in product(games_named or ("connect-four", "ultimate"), beginnings):
            result, times = play_match(game, games, name, seconds, seed, python, processes, plies)
            is_fair = times[0] <= LATER * times[1]
            taken = f"{times[0]:.2g} s a move, theirs {times[1]:.2g} s"
            begins = f"after {plies} random moves" if plies else "from the start"
            what = f"score of {player} in {games} games of {game} {begins}, {taken}"
            unit = "share of the points" if is_fair else "share of the points, but NOT at equal time"
            row = Row(what, unit, result.score, at_least=0.9 if is_fair else None)
            rows.append(row)
            kept.append(
                {**row._asdict(), **result._asdict(), "reached": row.reached, "seconds_a_move": times, "asked": seconds}
            )
            click.echo(
                f"{game} {begins}: {result.wins} won, {result.draws} drawn, {result.losses} lost; {result.score:.1%} "
                f"({result.low:.1%} to {result.high:.1%}); {times[0]:.3f} and {times[1]:.3f} s a move"
            )
    except (PeerMissing, Disagreement, ConnectoeError) as problem:
        raise click.ClickException(str(problem)) from problem
    keep("match", {"peers": {"open_spiel": version_of("open_spiel", python)}, "rows": kept})
    Console().print(table_of(rows))


@bench.command()
@click.argument("games_named", metavar="[GAME]...", nargs=-1, type=click.Choice(game_ids()))
@click.option("--games", default=40, show_default=True, callback=even, help="How many games for each step.")
@click.option("--least", default=100, show_default=True, help="The fewest simulations a move.")
@click.option("--most", default=100_000, show_default=True, help="The most simulations a move.")
@click.option("--longest", default=1.0, show_default=True, help="Leave out steps that take more seconds a move.")
@click.option("--processes", default=os.cpu_count() or 1, show_default=True, help="Games played at a time.")
@seed_option
def growth(
    games_named: tuple[str, ...], games: int, least: int, most: int, longest: float, processes: int, seed: int
) -> None:
    """Measure how MCTS grows stronger with simulations, by tens; each step is written to docs/results/growth.md."""
    if not 1 <= least <= most // 10:
        raise click.ClickException(f"between the fewest and the most simulations lies no step: {least} and {most}")
    steps = [least]
    while 10 * steps[-1] <= most:
        steps.append(10 * steps[-1])
    command = f"python bench/run.py growth --games {games} --most {most} --longest {longest:g} --seed {seed}"
    if least != 100:
        command += f" --least {least}"
    how = {"command": command, "commit": circumstances()["commit"]}  # before the first step changes growth.json
    table = Table("game", *(f"{fewer:,} to {more:,}" for fewer, more in pairwise(steps)))
    for game in games_named or game_ids():
        loaded = connectoe.load(game, **SHORTER.get(game, {}))
        measured = grow(loaded, steps, games, seed, processes, longest, how)
        table.add_row(game, *map(elo_text, measured))
    Console().print(table)


@bench.command()
def page() -> None:
    """Write docs/results/speed.md from the last runs of speed and match."""
    if not RESULTS.exists():
        raise click.ClickException("there are no figures yet: run speed or match first")
    file = HERE.parent / "docs" / "results" / "speed.md"
    file.write_text(speed_page(json.loads(RESULTS.read_text()), game_ids()))
    click.echo(f"{file.name} is written")


if __name__ == "__main__":
    bench()
