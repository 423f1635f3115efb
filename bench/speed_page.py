"""The page docs/results/speed.md, written from bench/results.json."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

Results = dict[str, Any]


def speed_page(results: Results, games: list[str]) -> str:
    """Return the page as Markdown: the comparisons, and the figures of every game."""
    return "\n".join(_lines(results, games)) + "\n"


def _lines(results: Results, games: list[str]) -> Iterator[str]:
    yield "# Speed"
    yield ""
    yield "Connectoe compared with other programs. Both sides run alternately on the same machine; the figures are"
    yield "medians of the rounds. [bench/README.md](../../bench/README.md) explains the method. Times on shared cores"
    yield "are noisy, so only the ratios count. `python bench/run.py page` writes this page after the commands below."
    if "speed" in results:
        run = results["speed"]
        rows = [row for row in run["rows"] if row["what"].split(": ")[0] not in games]
        yield from _about("## `python bench/run.py speed`", run, f"{run['rounds']} rounds")
        yield from _comparisons(rows)
        for words in run.get("left_out", []):
            yield f"\n{words}"
        by_game = [row for row in run["rows"] if row not in rows]
        if by_game:
            yield from _by_game(by_game, games)
    if "solve" in results:
        run = results["solve"]
        yield from _about("## `python bench/run.py solve`: exact Connect Four on files", run, f"{run['rounds']} rounds")
        yield "| positions | errors | connectoe, µs each | bitbully, µs each | ratio | nodes each | bitbully's nodes |"
        yield "|---|--:|--:|--:|--:|--:|--:|"
        for row in run["rows"]:
            times = f"{number_text(row['connectoe_us'])} | {number_text(row['bitbully_us'])}"
            nodes = f"{row['connectoe_nodes']:,.0f} | {row['bitbully_nodes']:,.0f}"
            named = f"{row['count']} of {row['positions']}"
            yield f"| {named} | {row['errors']} | {times} | {row['times_faster']:.2f}x | {nodes} |"
    if "match" in results:
        run = results["match"]
        yield from _about("## `python bench/run.py match`: against open_spiel's MCTSBot at equal time", run, "")
        yield "Every opening is played with both sides. After two random moves of Connect Four, one side usually has a"
        yield "won game, so nearly half of those games are lost from the beginning."
        yield ""
        yield "| game and time | won | drawn | lost | score | 95% interval | wanted |"
        yield "|---|--:|--:|--:|--:|---|---|"
        for row in run["rows"]:
            interval = f"{row['low']:.1%} to {row['high']:.1%}"
            counts = f"{row['wins']} | {row['draws']} | {row['losses']} | {row['score']:.1%}"
            yield f"| {row['what']} | {counts} | {interval} | {_wanted(row)} |"


def _about(heading: str, run: Results, more: str) -> Iterator[str]:
    peers = ", ".join(f"{name} {number}" for name, number in run["peers"].items())
    parts = [
        f"commit {run['commit']}",
        f"{run['when'][:10]}",
        f"Python {run['python']}",
        f"{run['cores']} cores",
        f"load {run['load']}",
        more,
        peers,
    ]
    yield ""
    yield heading
    yield ""
    yield "; ".join(part for part in parts if part) + "."
    yield ""


def _comparisons(rows: list[Results]) -> Iterator[str]:
    yield "| what | unit | connectoe | peer | peer's | ratio | wanted |"
    yield "|---|---|--:|---|--:|--:|---|"
    for row in rows:
        ours, theirs = number_text(row["ours"]), number_text(row["theirs"])
        ratio = "" if row["ratio"] is None else f"{number_text(row['ratio'])}x"
        cells = (row["what"], row["unit"], ours, row["peer"] or "", theirs, ratio, _wanted(row))
        yield f"| {' | '.join(cells)} |"


def _wanted(row: Results) -> str:
    times = "x" if row.get("peer") else ""
    if row["at_least"] is not None:
        aim = f"≥ {number_text(row['at_least'])}{times}"
    elif row["at_most"] is not None:
        aim = f"≤ {number_text(row['at_most'])}"
    else:
        return ""
    return f"{aim}: {'reached' if row['reached'] else '**missed**'}"


def _by_game(rows: list[Results], games: list[str]) -> Iterator[str]:
    headings = list(dict.fromkeys(f"{row['what'].split(': ')[1]}, {row['unit']}" for row in rows))
    yield ""
    yield "| game | " + " | ".join(headings) + " |"
    yield "|---|" + "--:|" * len(headings)
    for game in games:
        found = {
            f"{row['what'].split(': ')[1]}, {row['unit']}": number_text(row["ours"])
            for row in rows
            if row["what"].startswith(f"{game}: ")
        }
        if found:
            yield f"| {game} | " + " | ".join(found.get(heading, "") for heading in headings) + " |"


def number_text(number: float | None) -> str:
    """Return a number with three significant digits."""
    if number is None:
        return ""
    size = abs(number)
    return f"{number / 1e6:.3g} M" if size >= 1e6 else f"{number:,.0f}" if size >= 100 else f"{number:.3g}"
