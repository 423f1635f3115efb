"""The report of a study: one HTML page that needs no network, the figures as JSON and CSV, and the games."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from connectoe.errors import ConnectoeError
from connectoe.study.charts import estimates_chart, lengths_chart, opening_boards, results_chart
from connectoe.study.figures import as_csv, figures, packed_records, records
from connectoe.study.measures import MEASURES
from connectoe.study.plan import Plan
from connectoe.study.running import write_whole

FILES = ("report.html", "figures.json", "figures.csv", "games.txt.gz")
MOST_OPENINGS = 40
"""Openings that are listed beside their board."""
COMPARED = ("first_score", "draws", "length")


def write_report(plan: Plan, folder: Path, command: str, measures: tuple[str, ...] = ()) -> dict[str, Any]:
    """Writes the files of a finished study's report into its folder; returns the figures.

    >>> import connectoe
    >>> from connectoe.study.plan import make_plan
    >>> write_report(make_plan([connectoe.load("tic-tac-toe")], ["random"]), Path("nowhere"), "")
    Traceback (most recent call last):
    connectoe.errors.ConnectoeError: chunk 0 of the study in nowhere is not finished
    """
    found = figures(plan, folder, measures)
    contents = (
        html(plan, found, command).encode(),
        (json.dumps(found, indent=1, ensure_ascii=False) + "\n").encode(),
        as_csv(found).encode(),
        packed_records(records(plan, folder)),
    )
    for name, content in zip(FILES, contents, strict=True):
        write_whole(folder / name, content)
    return found


def html(plan: Plan, found: dict[str, Any], command: str) -> str:
    """The page.

    >>> html.__name__
    'html'
    """
    try:
        from jinja2 import Environment, PackageLoader, StrictUndefined
    except ImportError as error:
        raise ConnectoeError("a report needs some more packages: pip install 'connectoe[study]'") from error
    from connectoe.draw.svg import style_sheet

    environment = Environment(
        loader=PackageLoader("connectoe.study", "."),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters.update(percent=percent, figure=figure, signed=signed, chance=chance)
    variants = [_variant(plan, number, variant) for number, variant in enumerate(found["variants"])]
    return environment.get_template("report.html").render(
        found=found,
        plan=plan,
        game=plan.game(0),
        command=command,
        variants=variants,
        measures=[MEASURES[name] for name in found["measures"]],
        comparison=_comparison(found),
        board_style=style_sheet("light"),
        pairings=[pairing for pairing in plan.pairings if pairing.players],
    )


def percent(share: float | None, digits: int = 1) -> str:
    """A share in percent.

    >>> percent(0.1234), percent(None)
    ('12.3%', '–')
    """
    return "–" if share is None else f"{100 * share:.{digits}f}%"


def figure(estimate: dict[str, Any], is_share: bool = True) -> str:
    """A figure with its interval, for a table.

    >>> figure({"value": 0.5, "low": 0.4, "high": 0.6})
    '50.0% (40.0 to 60.0)'
    >>> figure({"value": 5.25, "low": 5, "high": 6}, is_share=False)
    '5.25 (5.00 to 6.00)'
    """
    if estimate["value"] is None:
        return "–"
    if is_share:
        return f"{100 * estimate['value']:.1f}% ({100 * estimate['low']:.1f} to {100 * estimate['high']:.1f})"
    digits = 2 if abs(estimate["value"]) < 100 else 1
    return f"{estimate['value']:.{digits}f} ({estimate['low']:.{digits}f} to {estimate['high']:.{digits}f})"


def signed(gap: dict[str, Any]) -> str:
    """A difference with its interval, in percentage points or moves.

    >>> signed({"measure": "draws", "value": 0.05, "low": 0.01, "high": 0.09})
    '+5.0 (+1.0 to +9.0)'
    """
    scale = 100 if MEASURES[gap["measure"]].is_share else 1
    return f"{scale * gap['value']:+.1f} ({scale * gap['low']:+.1f} to {scale * gap['high']:+.1f})"


def chance(p: float) -> str:
    """A chance, as a table shows it.

    >>> chance(0.03), chance(1e-9)
    ('0.030', 'under 0.001')
    """
    return "under 0.001" if p < 0.001 else f"{p:.3f}"


def who(players: list[str]) -> str:
    """Who plays whom, in words.

    >>> who(["easy", "easy"]), who(["easy", "random"])
    ('easy', 'easy first, random second')
    """
    return players[0] if players[0] == players[1] else f"{players[0]} first, {players[1]} second"


def _variant(plan: Plan, number: int, variant: dict[str, Any]) -> dict[str, Any]:
    pairings = variant["pairings"]
    alike = [pairing for pairing in pairings if pairing["players"][0] == pairing["players"][1]]
    game = plan.game(number)
    return {
        **variant,
        "game": game,
        "short": summary(variant, alike),
        "who": [who(pairing["players"]) for pairing in pairings],
        "results_chart": results_chart([(who(pairing["players"]), pairing["results"]) for pairing in pairings]),
        "lengths_chart": lengths_chart([(who(pairing["players"]), pairing["lengths"]) for pairing in alike]),
        "endings": list(dict.fromkeys(name for pairing in pairings for name in pairing["endings"])),
        "special": list(
            dict.fromkeys(
                kind for pairing in pairings for kind, use in pairing["special"].items() if use["a_game"]["value"]
            )
        ),
        "openings": [
            {
                "who": who(pairing["players"]),
                "boards": opening_boards(game, pairing["openings"]),
                "list": _best_known(pairing["openings"]),
                "count": len(pairing["openings"]),
                "pie": pairing["pie"],
            }
            for pairing in alike
        ],
        "alike": alike,
    }


def _best_known(openings: dict[str, Any]) -> list[tuple[str, Any]]:
    """The openings with the highest scores for the first player, first."""
    known = [(move, score) for move, score in openings.items() if score["value"] is not None]
    return sorted(known, key=lambda entry: (-entry[1]["value"], entry[0]))[:MOST_OPENINGS]


def summary(variant: dict[str, Any], alike: list[dict[str, Any]]) -> list[str]:
    """What a study found out about a variant, in sentences.

    >>> won = {"value": 0.6, "low": 0.55, "high": 0.65}
    >>> pairing = {"players": ["easy", "easy"], "results": [60, 40, 0], "endings": {}, "measures": {"first_score": won}}
    >>> summary({"skill": [], "theory": None}, [pairing])[0]
    "Between easy players the first wins 60.0% of the games, the second 40.0%, and 0.0% are drawn: moving first ..."
    """
    sentences = []
    for pairing in alike:
        first, second, drawn = (count / sum(pairing["results"]) for count in pairing["results"])
        score = pairing["measures"].get("first_score")
        said = (
            f"Between {pairing['players'][0]} players the first wins {percent(first)} of the games, "
            f"the second {percent(second)}, and {percent(drawn)} are drawn"
        )
        if score and score["value"] is not None:
            edge = f"the first player's score is {figure(score)}"
            if score["low"] > 0.5:
                said += f": moving first is an advantage, {edge}"
            elif score["high"] < 0.5:
                said += f": moving second is an advantage, {edge}"
            else:
                said += f": no advantage of either side can be told, {edge}"
        sentences.append(said + ".")
    for gap in variant["skill"]:
        if gap["value"] is not None:
            does = "Better play wins" if gap["low"] > 0.5 else "Better play makes no difference that can be told"
            sentences.append(f"{does}: {gap['stronger']} scores {figure(gap)} against {gap['weaker']}.")
    theory = variant["theory"]
    if theory:
        sentences.append(f"Theory says: {theory_in_words(theory)}.")
    return sentences


def theory_in_words(theory: dict[str, Any]) -> str:
    """The exact value of a game, in words.

    >>> theory_in_words({"value": "win", "plies": 41})
    'with best play the first player wins, in 41 moves'
    """
    ends = {"win": "the first player wins", "loss": "the second player wins", "draw": "the game is drawn"}
    length = f", in {theory['plies']} moves" if theory["plies"] and theory["value"] != "draw" else ""
    return f"with best play {ends[theory['value']]}{length}"


def _comparison(found: dict[str, Any]) -> dict[str, Any] | None:
    """The variants side by side: small charts, one for each measure and level, and the tested differences."""
    tested = found["comparisons"]
    if not tested:
        return None
    names = [variant["name"] for variant in found["variants"]]
    charts = []
    for number, pairing in enumerate(found["variants"][0]["pairings"]):
        if pairing["players"][0] != pairing["players"][1]:
            continue
        player = pairing["players"][0]
        for name in COMPARED:
            if name not in found["measures"]:
                continue
            figures_of = [variant["pairings"][number]["measures"][name] for variant in found["variants"]]
            measure = MEASURES[name]
            title = f"{measure.title}, {player}"
            says = "; ".join(
                f"{variant}: {figure(value, measure.is_share)}"
                for variant, value in zip(names, figures_of, strict=True)
            )
            even = 0.5 if name == "first_score" else None
            rows = list(zip(names, figures_of, strict=True))
            charts.append({"says": f"{title}. {says}", "svg": estimates_chart(title, rows, measure.is_share, even)})
    tests = [{**row, "name": names[row["variant"]], "title": MEASURES[row["measure"]].title} for row in tested["rows"]]
    return {**tested, "base_name": names[0], "charts": charts, "rows": tests}
