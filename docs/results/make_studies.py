"""Runs the studies and comparisons and writes their pages to docs/results/studies/.

    python docs/results/make_studies.py

With names, only those are run: `make_studies.py c4-twist c4-twist-bombs`. `--quick` plays a hundredth of the games, to
look at the pages. A run that is interrupted goes on where it stopped: chunks are kept in the cache folder of
Connectoe. `make_studies.py page` only writes studies.md, the list of all pages, again.
"""

from __future__ import annotations

import json
import shlex
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

from connectoe.engines.cache import user_cache_folder
from connectoe.study.report import FILES, figure

HERE = Path(__file__).parent
WORK = user_cache_folder() / "studies"
PAGES = HERE / "studies"
LIST = HERE / "studies.md"

# Enough for intervals of the score under ±1.5 points at random and easy, and ±3 at hard.
GAMES = "random=100000,easy=5000,medium=2000,hard=1100"
LEVELS = "--players random,easy,medium,hard"
TWO_LEVELS = "--players random,easy"

STUDIES = {
    **{
        game: f"study {game} {LEVELS} --games {GAMES} --records 200"
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
    # A game takes thousands of moves: fewer of them, and no hard.
    "ultimate-ultimate": f"study ultimate-ultimate {TWO_LEVELS} --games random=10000,easy=4500 "
    "--records 20 --evaluated 10",
    "connect-tac-toe-drop": f"compare connect-tac-toe --option drop=through-marks,any-gap {TWO_LEVELS} --games {GAMES}",
    "connect-tac-toe-marks": f"compare connect-tac-toe --option marks=3,4 {TWO_LEVELS} --games {GAMES}",
    "connect-tac-toe-boards": "compare connect-tac-toe --variant 'cols=7 rows=6' --variant 'cols=6 rows=5' "
    f"--variant 'cols=8 rows=7' {TWO_LEVELS} --games {GAMES}",
    "c4-twist-bombs": f"compare c4-twist --option bombs=1,0,2 {TWO_LEVELS} --games {GAMES}",
    "shift-tac-toe-editions": f"compare shift-tac-toe --option edition=sliders,pressman {TWO_LEVELS} --games {GAMES}",
    "advanced-both": f"compare advanced --option both=continue,draw {TWO_LEVELS} --games {GAMES}",
}

HEAD = """# Studies

What play at several strengths says about each game, and what other rules would do. Made by
`python docs/results/make_studies.py`; every page has the command that made it and its seed, and beside it stand the
figures as JSON and CSV, the plan and the games. [How to read them, and make your own](../studies.md).

The score is the first player's share of the points, a draw being half; brackets are 95% intervals.

| study | players | games | first player's score | draws | moves |
|---|---|--:|---|---|---|
"""


def arguments(name: str, quick: bool) -> list[str]:
    """What connectoe is asked for a page."""
    words = shlex.split(STUDIES[name])
    if quick:
        place = words.index("--games") + 1
        numbers = [part.split("=") for part in words[place].split(",")]
        words[place] = ",".join(f"{player}={max(2, int(count) // 100)}" for player, count in numbers)
    players = words[words.index("--players") + 1].split(",")
    place = words.index("--games") + 1
    words[place] = ",".join(part for part in words[place].split(",") if {*part.split("=")[0].split("/")} <= {*players})
    return words


def make(name: str, quick: bool) -> None:
    """Runs one study and puts its page where it belongs."""
    folder = WORK / (f"{name}-quick" if quick else name)
    words = arguments(name, quick)
    print(f"== connectoe {shlex.join(words)}", flush=True)
    subprocess.run([sys.executable, "-m", "connectoe", *words, "-o", str(folder)], check=True)
    (PAGES / name).mkdir(parents=True, exist_ok=True)
    for file in ("plan.json", *FILES):
        shutil.copyfile(folder / file, PAGES / name / file)


def rows(name: str, found: dict[str, Any]) -> list[str]:
    """The lines of a study in the list: each variant between equal players."""
    lines = []
    for variant in found["variants"]:
        for pairing in variant["pairings"]:
            if len(set(pairing["players"])) > 1:
                continue
            measures = pairing["measures"]
            title = f"[{name}](studies/{name}/report.html)"
            if len(found["variants"]) > 1:
                title += f" {variant['name']}"
            lines.append(
                f"| {title} | {pairing['players'][0]} | {pairing['games']:,} | {figure(measures['first_score'])} "
                f"| {figure(measures['draws'])} | {figure(measures['length'], is_share=False)} |"
            )
    return lines


def write_list() -> None:
    """Writes studies.md from the figures that are there."""
    lines = []
    for name in STUDIES:
        figures = PAGES / name / "figures.json"
        if figures.exists():
            lines += rows(name, json.loads(figures.read_text()))
    LIST.write_text(HEAD + "\n".join(lines) + "\n")


if __name__ == "__main__":
    asked = [word for word in sys.argv[1:] if word not in ("--quick", "page")]
    unknown = [name for name in asked if name not in STUDIES]
    if unknown:
        sys.exit(f"there is no study {unknown[0]!r}; there are: {', '.join(STUDIES)}")
    if "page" not in sys.argv:
        for chosen in asked or STUDIES:
            make(chosen, "--quick" in sys.argv)
    write_list()
