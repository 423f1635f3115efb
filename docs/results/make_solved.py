"""Solves the games that can be solved and writes what comes out to solved.md: `python docs/results/make_solved.py`.

Each game is solved by `connectoe solve` in a process of its own. With names of games, only those are solved again; the
others are taken from solved.json, which keeps all figures and the commit they were made at. `make_solved.py page` only
writes the page again.
"""

from __future__ import annotations

import json
import subprocess
import sys
from itertools import product
from pathlib import Path
from typing import Any

from connectoe import load
from connectoe.commands.solve import start_text, value_text
from connectoe.game import Game

HERE = Path(__file__).parent
FIGURES = HERE / "solved.json"
PAGE = HERE / "solved.md"

SOLVED: list[tuple[str, dict[str, Any]]] = [
    ("tic-tac-toe", {}),
    *(("semaphores", {"rows": 3, "cols": cols}) for cols in (3, 4)),
    *(("shift-tac-toe", {"edition": e, "both": b}) for e, b in product(("sliders", "pressman"), ("mover", "draw"))),
    *(("connect-four", {"cols": cols, "rows": rows}) for cols, rows in ((4, 4), (4, 5), (5, 4), (5, 5))),
    *(("c4-twist", {"cols": cols, "rows": rows, "bombs": 1}) for cols, rows in ((4, 4), (4, 5), (5, 4))),
    *(
        ("connect-tac-toe", {"cols": cols, "rows": rows, "discs": discs, "drop": drop})
        for (cols, rows, discs), drop in product(
            ((3, 3, 3), (4, 3, 4), (4, 3, 3), (3, 4, 4), (3, 4, 3)), ("through-marks", "any-gap")
        )
    ),
]

HEAD = """# Solved games

Made by `python docs/results/make_solved.py`, which runs `connectoe solve GAME --count-finished` for each line; no
chance is involved, so there is no seed. {commits} Sizes are columns x rows, semaphores rows x columns.

A value is that of the start position under best play, where the winner plays for the shortest win and the loser for the
longest loss; plies are moves of one player. *Won*, *drawn* and *lost* count the unfinished positions that play can
reach, by what they are worth to the player to move, every mirror image counted; *kept* is how many of them are left up
to mirror images. In games that can go on for ever, a position is drawn if nobody can force a win.

## Values

| game | value | first moves | longest win |
|---|---|---|---|
"""

COUNTS = """
The longest win is the most plies that any position takes until one of the players has won, with one such position.

## Positions

| game | unfinished | won | drawn | lost | kept | finished: won by the first, the second, drawn | all |
|---|--:|--:|--:|--:|--:|---|--:|
"""

CHECKS = """
## How they were checked

- What was known before comes out: tic-tac-toe's 5,478 positions and draw; semaphores 3x3 (180,400 unfinished
  positions, first player in 17) and 3x4 (9,038,683, second player in 26); Pressman's Shift Tac Toe (106,494 positions,
  41,068 of them finished, 1,008 with lines for both; first player in 13 by the centre, the sides winning only with
  `both=mover`, in 17); the numbers of positions of Connect Four on 4x4, 4x5, 5x4 and 5x5.
- A second solver, in plain Python and by another method (`tests/engines/plain_retrograde.py`), agrees on every position
  of the small games in the tests, and was run once by hand on every position of semaphores 3x3, shift-tac-toe sliders
  (both readings), c4-twist 4x4, and connect-tac-toe 3x4 discs=3 drop=through-marks.
  `python -m tests.engines.plain_retrograde c4-twist cols=4 rows=4` does it again.
- Every solve holds 500 of its positions against what their moves lead to, by the rules as plain Python, before it keeps
  anything.
"""

COST = """
## Time and memory

On two shared cores, other work going on: the times are to be taken as upper bounds. *Memory* is all arrays together
at their peak; the process itself, with Python and the compiler, takes about {base} MB more. *Rate* is unfinished
positions (mirror images counted) by the time for finding, solving and ordering them. *Rounds* are how often the
positions had to be gone over. *Rules* is the beginning of the fingerprint of the rules the table was made for.

| game | finding | solving | rate | rounds | memory | a position | file | rules |
|---|--:|--:|--:|--:|--:|--:|--:|---|
"""


def main() -> None:
    """Solves what is asked for and writes the page."""
    asked = set(sys.argv[1:])
    figures = json.loads(FIGURES.read_text()) if FIGURES.exists() else {}
    for game in (load(game_id, **options) for game_id, options in SOLVED):
        name = f"{game.id} {game.options_text}".strip()
        if name not in figures or game.id in asked or not asked:
            print(name, flush=True)
            figures[name] = solved(game)
            FIGURES.write_text(json.dumps(figures, indent=1) + "\n")
    PAGE.write_text(page([(load(game_id, **options), options) for game_id, options in SOLVED], figures))


def solved(game: Game) -> dict[str, Any]:
    """What `connectoe solve` says of a game."""
    options = [word for name, value in game.options.items() for word in ("-O", f"{name}={value}")]
    flags = ["--force", "--yes", "--count-finished", "--json"]
    command = [sys.executable, "-m", "connectoe", "solve", game.id, *options, *flags]
    answer = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout
    return {**json.loads(answer), "commit": commit()}


def git(*arguments: str) -> str:
    """What git says."""
    return subprocess.run(["git", *arguments], cwd=HERE, stdout=subprocess.PIPE, text=True, check=True).stdout.strip()


def commit() -> str:
    """The commit that the package's sources are at, and whether they have been changed since."""
    changed = git("status", "--porcelain", "--", "../../src")
    return git("rev-parse", "--short", "HEAD") + (" with changes that were not committed" if changed else "")


def commits_text(figures: list[dict[str, Any]]) -> str:
    """At which commits figures were made, in a sentence."""
    commits = sorted({facts.get("commit", "one that was not noted") for facts in figures})
    return f"Commit {commits[0]}." if len(commits) == 1 else f"Commits: {'; '.join(commits)}."


def page(games: list[tuple[Game, dict[str, Any]]], figures: dict[str, Any]) -> str:
    """The whole page."""
    rows = [(short_name(game, options), figures[f"{game.id} {game.options_text}".strip()]) for game, options in games]
    base = min((facts["peak_memory"] - facts["memory"]) // 1_000_000 for _, facts in rows)
    return (
        HEAD.format(commits=commits_text([facts for _, facts in rows]))
        + "".join(value_row(name, facts) for name, facts in rows)
        + COUNTS
        + "".join(count_row(name, facts) for name, facts in rows)
        + CHECKS
        + COST.format(base=base)
        + "".join(cost_row(name, facts) for name, facts in rows)
    )


def short_name(game: Game, options: dict[str, Any]) -> str:
    """A game with what was chosen for it: 'connect-four 5x4'."""
    told = [str(value) if name in ("edition",) else f"{name}={value}" for name, value in options.items()]
    if "cols" in options:
        sides = ("rows", "cols") if game.id == "semaphores" else ("cols", "rows")
        told = [part for part in told if part.split("=")[0] not in sides]
        told.insert(0, "x".join(str(options[side]) for side in sides))
    return " ".join([game.id, *told])


def value_row(name: str, facts: dict[str, Any]) -> str:
    """The value of a game, of its first moves, and its longest win."""
    by_value: dict[str, list[str]] = {}
    for move, value in facts["first_moves"].items():
        by_value.setdefault(value_text(value), []).append(move)
    moves = "; ".join(f"{value}: {' '.join(found)}" for value, found in sorted(by_value.items(), key=best_first))
    longest = f"{facts['longest_win']}: `{facts['longest_win_at']}`" if facts["longest_win"] else "none"
    return f"| {name} | **{start_text(facts['start'])}** | {moves} | {longest} |\n"


def best_first(value_and_moves: tuple[str, list[str]]) -> tuple[int, int]:
    """Wins before draws before losses, quick wins and late losses first."""
    verb, *rest = value_and_moves[0].split(" in ")
    plies = int(rest[0]) if rest else 0
    return {"wins": 0, "draws": 1, "loses": 2}[verb], plies if verb == "wins" else -plies


def count_row(name: str, facts: dict[str, Any]) -> str:
    """How many positions of each kind there are."""
    counts = " | ".join(f"{facts[kind]:,}" for kind in ("positions", "won", "drawn", "lost", "kept"))
    finished = list(facts["finished"].values())
    return f"| {name} | {counts} | {', '.join(f'{n:,}' for n in finished)} | {facts['positions'] + sum(finished):,} |\n"


def cost_row(name: str, facts: dict[str, Any]) -> str:
    """What solving took."""
    seconds = facts["seconds"]
    rate = facts["positions"] / sum(seconds[step] for step in ("finding", "solving", "ordering")) / 1e6
    return (
        f"| {name} | {seconds['finding']:.2f} s | {seconds['solving']:.2f} s | {rate:.2f} M/s | {facts['sweeps']} "
        f"| {facts['memory'] / 1e6:,.1f} MB | {facts['memory'] / facts['positions']:.1f} B "
        f"| {facts['file_bytes'] / 1e6:,.2f} MB | {facts['fingerprint'][:12]} |\n"
    )


if __name__ == "__main__":
    main()
