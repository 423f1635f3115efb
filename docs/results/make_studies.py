"""Run the studies and comparisons, and write their pages to docs/results/studies/.

    python docs/results/make_studies.py

With names, only those are run: `make_studies.py c4-twist c4-twist-bombs`. `--quick` plays a hundredth of the games, to
look at the pages. An interrupted run continues where it stopped: chunks are kept in the cache folder of Connectoe, and
what two studies of a game have in common is played once. `make_studies.py page` only rewrites the reports and
studies.md, the list of them, from the figures.
"""

from __future__ import annotations

import json
import shlex
import shutil
import subprocess
import sys
import time
from pathlib import Path

from connectoe.engines.cache import user_cache_folder
from connectoe.study.figures import StudyFigures
from connectoe.study.plan import plan_from
from connectoe.study.report import FILES, html
from connectoe.study.wording import interval

HERE = Path(__file__).parent
WORK = user_cache_folder() / "studies"
PAGES = HERE / "studies"
LIST = HERE / "studies.md"

# Enough for intervals of the score under ±1.5 points for random and easy, and ±3 for the strongest player.
LEVELS = (
    "--players random,easy,medium,{0} --games random=100000,easy=5000,medium=1100,{0}={1},medium/{0}=100 --records 200"
)
STRONGEST = {
    "semaphores": ("hard", 700),  # the score is far from one half, so fewer games suffice
    "c4-twist": ("hard", 1000),  # many games are drawn, so fewer suffice
    "connect-tac-toe": ("hard", 900),
    # A game between hard players takes more than half a minute, a thousand of them half a day: this one is weaker.
    "ultimate": ("mcts:10000", 1100),
}

STUDIES = {
    **{
        game: f"study {game} {LEVELS.format(*STRONGEST.get(game, ('hard', 1100)))}"
        for game in (
            "tic-tac-toe",
            "ultimate",
            "semaphores",
            "connect-four",
            "c4-twist",
            "connect-tac-toe",
            "shift-tac-toe",
            "advanced",
        )
    },
    # A game takes thousands of moves: far fewer games, and only quick players.
    "ultimate-ultimate": "study ultimate-ultimate --players random,easy --games random=10000,easy=400,random/easy=20 "
    "--records 20 --evaluated 5",
    "connect-tac-toe-drop": "compare connect-tac-toe --option drop=through-marks,any-gap "
    + LEVELS.format(*STRONGEST["connect-tac-toe"]),
    "connect-tac-toe-marks": "compare connect-tac-toe --option marks=3,4 "
    + LEVELS.format(*STRONGEST["connect-tac-toe"]),
    # 8x7, the next size, is larger than a board may be.
    "connect-tac-toe-boards": "compare connect-tac-toe --variant 'cols=7 rows=6' --variant 'cols=6 rows=5' "
    "--variant 'cols=8 rows=6' " + LEVELS.format(*STRONGEST["connect-tac-toe"]),
    "c4-twist-bombs": "compare c4-twist --option bombs=1,0,2 " + LEVELS.format(*STRONGEST["c4-twist"]),
    "shift-tac-toe-editions": f"compare shift-tac-toe --option edition=sliders,pressman {LEVELS.format('hard', 1100)}",
    "advanced-both": f"compare advanced --option both=continue,draw {LEVELS.format('hard', 1100)}",
}

HEAD = """# Studies of all games

What play at several strengths says about each game, and what other rules would change. The studies are made by
`python docs/results/make_studies.py`. Each page names its command and seed; its folder has the figures as JSON and CSV,
the plan and the games. [Studies](../studies.md) explains how to read them and how to make your own, and
[Findings](findings.md) summarises them.

The score is the first player's share of the points, half a point for a draw; brackets are 95% intervals. Where `hard`
takes too long, a weaker search replaces it: a game between hard players takes 13 seconds of processor time in c4-twist,
26 in connect-tac-toe, more than half a minute in ultimate, and more than half an hour in ultimate-ultimate, at about a
second for each of 2,270 moves.

| study | players | games | first player's score | draws | moves |
|---|---|--:|---|---|---|"""
SOURCES = """
## Commands

| study | commit | command |
|---|---|---|"""


def arguments(name: str, quick: bool) -> list[str]:
    """Return the arguments of connectoe for a page."""
    words = shlex.split(STUDIES[name])
    if quick:
        place = words.index("--games") + 1
        numbers = [part.split("=") for part in words[place].split(",")]
        words[place] = ",".join(f"{player}={max(2, int(count) // 100)}" for player, count in numbers)
    return words


def make(name: str, quick: bool) -> None:
    """Run one study and copy its page to its place."""
    folder = WORK / (f"{name}-quick" if quick else name)
    words = arguments(name, quick)
    print(f"== connectoe {shlex.join(words)}", flush=True)
    others = [part for other in WORK.glob(f"{words[1]}*/plan.json") for part in ("--from", str(other.parent))]
    command = [sys.executable, "-m", "connectoe", *words, *others, "-o", str(folder)]
    if subprocess.run(command, check=False).returncode:
        sys.exit(f"{name} was not made")
    (PAGES / name).mkdir(parents=True, exist_ok=True)
    for file in ("plan.json", *FILES):
        shutil.copyfile(folder / file, PAGES / name / file)
    made = {"command": f"connectoe {shlex.join(words)}", "commit": commit(), "when": time.strftime("%Y-%m-%d")}
    (PAGES / name / "made.json").write_text(json.dumps(made, indent=2) + "\n")


def commit() -> str:
    """Return the commit of the sources, and whether they have changed since."""

    def git(*words: str) -> str:
        return subprocess.run(["git", *words], capture_output=True, text=True, check=False, cwd=HERE).stdout.strip()

    changed = git("status", "--porcelain", "--", "../../src")
    return (git("rev-parse", "--short", "HEAD") or "unknown") + (", changed" if changed else "")


def rows(name: str, figures: StudyFigures) -> list[str]:
    """Return the lines of a study in the list: each variant between equal players."""
    lines = []
    for variant in figures.variants:
        for pairing in variant.equals:
            measures = pairing.measures
            title = f"[{name}](studies/{name}/report.html)"
            if len(figures.variants) > 1:
                title += f" {variant.name}"
            lines.append(
                f"| {title} | {pairing.players[0]} | {pairing.games:,} | {interval(measures['first_score'])} "
                f"| {interval(measures['draws'])} | {interval(measures['length'], is_share=False)} |"
            )
    return lines


def write_reports() -> None:
    """Write all reports from the figures that are there."""
    for folder in sorted(PAGES.iterdir()):
        figures = StudyFigures.from_json((folder / "figures.json").read_text())
        made = json.loads((folder / "made.json").read_text())
        page = html(plan_from((folder / "plan.json").read_text()), figures, made["command"])
        (folder / "report.html").write_text(page)


def write_list() -> None:
    """Write studies.md from the figures that are there."""
    lines, sources = [], []
    for name in STUDIES:
        folder = PAGES / name
        if (folder / "made.json").exists():
            lines += rows(name, StudyFigures.from_json((folder / "figures.json").read_text()))
            made = json.loads((folder / "made.json").read_text())
            sources.append(f"| {name} | {made['commit']} | `{made['command']}` |")
    LIST.write_text("\n".join([HEAD, *lines, SOURCES, *sources, ""]))


if __name__ == "__main__":
    asked = [word for word in sys.argv[1:] if word not in ("--quick", "page")]
    unknown = [name for name in asked if name not in STUDIES]
    if unknown:
        sys.exit(f"there is no study {unknown[0]!r}; there are: {', '.join(STUDIES)}")
    if "page" in sys.argv:
        write_reports()
    else:
        for chosen in asked or STUDIES:
            make(chosen, "--quick" in sys.argv)
    write_list()
