"""How much stronger more simulations make the tree search: `python bench/run.py growth`.

Each step, from a number of simulations per move to ten times as many, is stored as soon as it is measured.
"""

from __future__ import annotations

import json
import time
from itertools import pairwise
from pathlib import Path
from typing import Any

from circumstances import circumstances

import connectoe
from connectoe.arena.ratings import elo, standing
from connectoe.arena.tournament import contest
from connectoe.core.catalogue import game_ids
from connectoe.engines.engine import Limits
from connectoe.engines.mcts import MCTS
from connectoe.terminal.progress import progress_bar

GROWTH = Path(__file__).parents[1] / "docs" / "results" / "growth.json"
"""The measurements by game; the page for people is beside it."""
SHORTER = {"ultimate-ultimate": {"tallies": 1}}
"""Options that shorten games which would take too long."""
Step = dict[str, Any]
"""The measurement of one step between two numbers of simulations."""


def grow(
    game: connectoe.Game,
    simulations: list[int],
    games: int,
    seed: int,
    processes: int,
    longest: float,
    how: dict[str, Any],
) -> list[Step]:
    """Return the Elo difference of each step, as long as a move takes no longer than `longest` seconds; `how`, the
    command and the commit, is kept with each step."""
    speed = simulations_a_second(game, seed)
    measured: list[Step] = []
    for fewer, more in pairwise(simulations):
        if more / speed > longest:
            break
        with progress_bar(f"{game.id}: {more:,} against {fewer:,}", games // 2) as advance:
            pairs = []
            for pair in contest(game, f"mcts:{more}", f"mcts:{fewer}", games, seed=seed, processes=processes):
                pairs.append(pair)
                advance()
        now = standing(sorted(pairs))
        step = {"from": fewer, "to": more, **now._asdict(), "elo": [finite(points) for points in now.elo]}
        measured.append({**step, "simulations_a_second": round(speed), **circumstances(), **how})
        keep_step(game.id, game.options_text, measured[-1])
    return measured


def simulations_a_second(game: connectoe.Game, seed: int) -> float:
    """Return the simulations per second at the start of a game, on one thread."""
    MCTS(game, seed=seed).search(game.rules.start, Limits(simulations=1))  # compiles, if nothing has before
    began = time.perf_counter()
    found = MCTS(game, seed=seed).search(game.rules.start, Limits(seconds=1.0))
    return sum(candidate.visits for candidate in found.candidates) / (time.perf_counter() - began)


def finite(number: float) -> float | None:
    """Return the number, or None for infinity, which JSON does not have."""
    return number if abs(number) < float("inf") else None


def keep_step(game: str, options: str, step: Step) -> None:
    """Add a step to the results, in place of an earlier one between the same numbers, and write the page."""
    known = json.loads(GROWTH.read_text()) if GROWTH.exists() else {}
    before = known.get(game, {"options": options, "steps": []})
    same_game = before["steps"] if before["options"] == options else []
    others = [other for other in same_game if span(other) != span(step)]
    known[game] = {"options": options, "steps": sorted([*others, step], key=span)}
    known = {each: known[each] for each in game_ids() if each in known}
    GROWTH.write_text(json.dumps(known, indent=2, ensure_ascii=False) + "\n")
    GROWTH.with_suffix(".md").write_text(growth_page(known))


def span(step: Step) -> tuple[int, int]:
    """Return the two numbers of simulations of a step."""
    return step["from"], step["to"]


def growth_page(known: dict[str, Any]) -> str:
    """Return the page about growth, in Markdown."""
    steps = [step for figures in known.values() for step in figures["steps"]]
    commands = dict.fromkeys(step["command"] for step in steps)
    commits = dict.fromkeys(step["commit"] for step in steps)
    headings = sorted(set(map(span, steps)))
    lines = [
        "# How tree search grows stronger",
        "",
        "How many Elo points ten times the simulations per move are worth to Monte Carlo tree search, with the 95%",
        "interval from the spread between pairs of games. [Speed](speed.md) tells how fast the search is.",
        "A dash stands for a step that has not been measured.",
        "",
        *(f"    {command}" for command in commands),
        "",
        f"Measured at commit {', '.join(commits)}; growth.json has the commit, the score and the circumstances of",
        "each step.",
        "",
        f"| game | games per step |{''.join(f' {a:,} to {b:,} |' for a, b in headings)}",
        f"|---|--:|{'---|' * len(headings)}",
    ]
    for game, figures in known.items():
        by_span = {span(step): step for step in figures["steps"]}
        counts = [str(step["games"]) for step in figures["steps"]]
        games = counts[0] if len(set(counts)) == 1 else ", ".join(counts)
        shown = [elo_text(by_span[heading]) if heading in by_span else "–" for heading in headings]
        name = f"{game}, {figures['options']}" if game in SHORTER else game
        lines.append(f"| {name} | {games} | {' | '.join(shown)} |")
    return "\n".join(lines) + "\n"


def elo_text(step: Step) -> str:
    """Return an Elo difference with its interval, infinite where all games were won."""
    points, low, high = (elo(step[figure]) for figure in ("score", "low", "high"))
    texts = [f"{each:+.0f}" if finite(each) is not None else "∞" if each > 0 else "-∞" for each in (points, low, high)]
    return f"{texts[0]} ({texts[1]} to {texts[2]})"
