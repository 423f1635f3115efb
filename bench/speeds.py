"""The parts of `python bench/run.py speed`: each measures Connectoe beside another program, or alone."""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager, redirect_stdout
from statistics import median
from typing import Any, NamedTuple

from connect_four import compare, random_groups
from figures import Row
from openings import openings
from sides import PEER_NAMES, Side, our_side, python_with, version_of

from connectoe.core.catalogue import game_ids
from connectoe.terminal.progress import progress_bar


class Compared(NamedTuple):
    """The medians of two sides' figures, and of the ratios of the rounds."""

    ours: float
    theirs: float
    ratio: float


def side_by_side(ours: Callable[[], float], theirs: Callable[[], float], rounds: int) -> Compared:
    """Measure two rates in turn, several times; the side that is first in one round is second in the next."""
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
    """Return a function that measures how much a side does per second, in about as many seconds as given."""
    side.ask(what, amount=1, **details)
    tried = side.ask(what, amount=first_amount, **details)
    amount = max(1, round(first_amount * seconds / tried["seconds"]))

    def measure() -> float:
        answer = side.ask(what, amount=amount, **details)
        return float(answer["done"] / answer["seconds"])

    return measure


class Bench:
    """One run: its settings, the sides it has started, and the rows it has measured."""

    def __init__(self, rounds: int, seconds: float, seed: int, peers: dict[str, str]) -> None:
        self.rounds = rounds
        self.seconds = seconds
        self.seed = seed
        self.pythons = peers
        """The Python of each peer that need not be installed."""
        self.versions: dict[str, str | None] = {}
        self.rows: list[Row] = []
        self.left_out: list[str] = []

    def python(self, peer: str) -> str:
        """Return a Python that has a peer."""
        if peer not in self.pythons:
            self.pythons[peer] = python_with(peer)
        self.versions[peer] = version_of(peer, self.pythons[peer])
        return self.pythons[peer]

    @contextmanager
    def sides(self, peer: str) -> Iterator[tuple[Side, Side]]:
        """Start our side and a peer's."""
        with our_side() as ours, Side(self.python(peer), f"{peer}_side.py") as theirs:
            yield ours, theirs

    # The parts; each adds rows.

    def playouts(self) -> None:
        """Measure random games on one thread against open_spiel's rollouts."""
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
        """Measure searches of 10,000 simulations on one thread against open_spiel's MCTSBot."""
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
        """Measure random games on all cores against pgx at its best batch size."""
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
        """Measure steps of batched environments on all cores, each side at its best batch size."""
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
        """Measure exact connect-four against bitbully, as in bench/connect_four.py."""
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
        """Measure what has an aim but no peer."""
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
        """Measure every game by itself."""
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
        """Add the row of a comparison."""
        self.rows.append(Row(what, unit, compared.ours, peer, compared.theirs, compared.ratio, at_least))


def compile_times(game: str) -> tuple[float, float]:
    """Return the seconds until a game's engines are ready, with an empty cache and in the next process."""
    with tempfile.TemporaryDirectory() as cache:
        times = []
        for _ in range(2):
            with our_side(cache) as side:
                times.append(float(side.ask("compiling", game=game)["seconds"]))
    return times[0], times[1]


PARTS: dict[str, Callable[[Bench], None]] = {
    "playouts": Bench.playouts,
    "mcts": Bench.mcts,
    "pgx": Bench.pgx,
    "batches": Bench.batches,
    "exact": Bench.exact,
    "other": Bench.other,
    "games": Bench.games,
}
