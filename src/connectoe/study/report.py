"""The report of a study: one HTML page that needs no network, the figures as JSON and CSV, and the games."""

from __future__ import annotations

import json
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from connectoe.errors import ConnectoeError
from connectoe.match import REPETITION
from connectoe.study.charts import estimates_chart, lengths_chart, opening_boards, results_chart
from connectoe.study.figures import as_csv, figures, packed_records, records
from connectoe.study.measures import ENOUGH_FOR_THE_PIE, MEASURES, Pie, pie
from connectoe.study.plan import Plan, always_alike
from connectoe.study.playing import PLY_LIMIT
from connectoe.study.running import write_whole
from connectoe.study.special import DIRECTIONS
from connectoe.study.statistics import Estimate

FILES = ("report.html", "figures.json", "figures.csv", "games.txt.gz")
MOST_OPENINGS = 40
"""Openings that are listed beside their board."""
COMPARED = ("first_score", "draws", "length")
NEARLY = 0.03
"""How far from one half a score may be to be called nearly fair, and an interval may reach to be called fair."""
ENOUGH_FOR_A_VERDICT = 20
"""With fewer games, intervals are narrower than they should be, and nobody is said to have an advantage."""
HOW_OFTEN = (
    (0.0, "Never seen"),
    (0.02, "Hardly ever"),
    (0.2, "Sometimes"),
    (0.5, "Often"),
    (0.999999, "Mostly"),
    (1.0, "Always so far"),
)
"""Words for a share of drawn games, each up to a limit."""
MOST_STOPPED = 0.5
"""The share of a level's games that may be stopped at the ply limit, if the others are to say anything about it."""


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


def check_packages() -> None:
    """Refuses to go on without the packages that a report needs: better before the first game than after the last.

    >>> check_packages()
    """
    if not all(find_spec(name) for name in ("jinja2", "matplotlib")):
        raise ConnectoeError("a report needs some more packages: pip install 'connectoe[study]'")


def html(plan: Plan, found: dict[str, Any], command: str) -> str:
    """The page.

    >>> html.__name__
    'html'
    """
    check_packages()
    from jinja2 import Environment, PackageLoader, StrictUndefined

    from connectoe.draw.svg import style_sheet

    environment = Environment(
        loader=PackageLoader("connectoe.study", "."),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters.update(percent=percent, figure=figure, signed=signed, chance=chance, in_words=theory_in_words)
    variants = [_variant(plan, number, variant) for number, variant in enumerate(found["variants"])]
    return environment.get_template("report.html").render(
        found=found,
        plan=plan,
        game=plan.game(0),
        command=command,
        variants=variants,
        differences=differences(found),
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
    """A p-value, as a table shows it.

    >>> chance(0.03), chance(1e-9)
    ('0.030', '<0.001')
    """
    return "<0.001" if p < 0.001 else f"{p:.3f}"


def who(players: list[str]) -> str:
    """Who plays whom, in words.

    >>> who(["easy", "easy"]), who(["easy", "random"])
    ('easy', 'easy first, random second')
    """
    return players[0] if players[0] == players[1] else f"{players[0]} first, {players[1]} second"


def _variant(plan: Plan, number: int, variant: dict[str, Any]) -> dict[str, Any]:
    game = plan.game(number)
    same = always_alike(game, plan.players)
    # Figures that were made by older versions do not say whether the players always play alike.
    pairings = [{"always_alike": {*pairing["players"]} <= same, **pairing} for pairing in variant["pairings"]]
    alike = [pairing for pairing in pairings if pairing["players"][0] == pairing["players"][1]]
    openings = [
        {
            "who": who(pairing["players"]),
            "boards": opening_boards(game, pairing["openings"]),
            "list": _best_known(pairing["openings"]),
            "count": len(pairing["openings"]),
            "pie": _pie_of(pairing),
        }
        for pairing in alike
    ]
    return {
        **variant,
        "pairings": pairings,
        "game": game,
        "answers": answers(variant, alike),
        "levels": level_by_level(alike),
        "who": [who(pairing["players"]) for pairing in pairings],
        "results_chart": results_chart([(who(pairing["players"]), pairing["results"]) for pairing in pairings]),
        "lengths_chart": lengths_chart([(who(pairing["players"]), pairing["lengths"]) for pairing in alike]),
        "endings": list(dict.fromkeys(name for pairing in pairings for name in pairing["endings"])),
        "lines": [name for name in DIRECTIONS if any(name in pairing["lines"] for pairing in pairings)],
        "special": list(
            dict.fromkeys(
                kind for pairing in pairings for kind, use in pairing["special"].items() if use["a_game"]["value"]
            )
        ),
        "openings": openings,
        "has_boards": any(opening["boards"] for opening in openings),
        "alike": alike,
    }


def _best_known(openings: dict[str, Any]) -> list[tuple[str, Any]]:
    """The openings with the highest scores for the first player, first."""
    known = [(move, score) for move, score in openings.items() if score["value"] is not None]
    return sorted(known, key=lambda entry: (-entry[1]["value"], entry[0]))[:MOST_OPENINGS]


def answers(variant: dict[str, Any], alike: list[dict[str, Any]]) -> list[tuple[str, str]]:
    """What an inventor asks first, and what a study of a variant answers: by its strongest players.

    >>> measures = {"first_score": {"value": 0.6, "low": 0.55, "high": 0.65}}
    >>> measures["draws"] = {"value": 0.1, "low": 0.0, "high": 0.2}
    >>> pairing = {"players": ["easy", "easy"], "plies": 0, "measures": measures, "endings": {}, "openings": {}}
    >>> pairing |= {"games": 400, "results": [220, 140, 40], "always_alike": False}
    >>> for question, answer in answers({"skill": [], "theory": None}, [pairing]):
    ...     print(question, answer)
    Is it fair? No: moving first is an advantage. Between easy players the first player scores 60.0% (55.0 to 65.0).
    How often does it tie? Sometimes: 10.0% (0.0 to 20.0) of the games between easy players.
    """
    ended = [pairing for pairing in alike if _ended_by(PLY_LIMIT, pairing) <= MOST_STOPPED]
    asked = (
        ("Does it end?", _does_it_end(alike)),
        ("Is it fair?", _is_it_fair(variant, ended)),
        ("How often does it tie?", _does_it_tie(ended)),
        ("Does better play win?", _does_better_play_win(variant["skill"]) if ended else ""),
        ("And with the pie rule?", _with_the_pie_rule(variant, ended)),
    )
    return [(question, answer) for question, answer in asked if answer]


def _ended_by(ending: str, pairing: dict[str, Any]) -> float:
    """The share of the games that ended in this way."""
    return pairing["endings"][ending]["value"] if ending in pairing["endings"] else 0.0


def _does_it_end(alike: list[dict[str, Any]]) -> str:
    """Only said of a game that sometimes does not, or goes round in circles."""
    stopped, repeated = ([_ended_by(ending, pairing) for pairing in alike] for ending in (PLY_LIMIT, REPETITION.reason))
    if min(stopped) == 1:
        return "Never: no game came to an end. All were stopped at the ply limit, which says nothing about the rest."
    if min(repeated) == 1:
        return "Only by repetition: every game went round in circles until it was drawn, and nobody ever won."
    levels = list(reversed(list(zip(alike, stopped, repeated, strict=True))))
    if not any(stopped):
        shares = [f"{_few_or_percent(circles)} between {_level(pairing)}" for pairing, _, circles in levels if circles]
        return f"Yes, some games only by repetition, which is a draw: {'; '.join(shares)}." if shares else ""
    said = []
    for pairing, limit, circles in levels:
        ways = [f"{_few_or_percent(limit)} were stopped at the ply limit"] if limit else []
        ways += [f"{_few_or_percent(circles)} ended by repetition"] if circles else []
        if ways:
            said.append(f"of the games between {_level(pairing)} {' and '.join(ways)}")
    return f"Not always: {'; '.join(said)}. {'Both count' if any(repeated) else 'That counts'} as half a point."


def _few_or_percent(share: float) -> str:
    return "under 0.1%" if share < 0.001 else percent(share)


def _is_it_fair(variant: dict[str, Any], alike: list[dict[str, Any]]) -> str:
    """By the score of the strongest players, and by theory where there is one."""
    said = ""
    best = alike[-1] if alike else None
    score = best["measures"].get("first_score") if best else None
    if best and score and score["value"] is not None:
        if _ended_by(REPETITION.reason, best) == 1:
            said = "That cannot be said: nobody wins."
        elif score["low"] <= 0.5 <= score["high"] or best["games"] < ENOUGH_FOR_A_VERDICT:
            is_near = score["high"] - score["low"] < 2 * NEARLY and best["games"] >= ENOUGH_FOR_A_VERDICT
            said = "Yes, as far as can be told." if is_near else "That cannot be said yet, it takes more games."
        else:
            side = "first" if score["low"] > 0.5 else "second"
            how = "Nearly" if abs(score["value"] - 0.5) < NEARLY else "No"
            said = f"{how}: moving {side} is an advantage."
        said += f" Between {_level(best)} the first player scores {figure(score)}.{_if_few_differ(best)}"
    if variant["theory"]:
        said += f" Theory says: {theory_in_words(variant['theory'])}."
    return said.strip()


def _does_it_tie(alike: list[dict[str, Any]]) -> str:
    """By the draws of the strongest players, and then of the others."""
    shares = [(pairing, share) for pairing in reversed(alike) if (share := pairing["measures"].get("draws"))]
    if not shares or shares[0][1]["value"] is None:
        return ""
    best, share = shares[0]
    how = next(word for limit, word in HOW_OFTEN if share["value"] <= limit)
    others = [f"{percent(other['value'])} between {_level(pairing)}" for pairing, other in shares[1:]]
    return f"{how}: {'; '.join([f'{figure(share)} of the games between {_level(best)}', *others])}."


def _does_better_play_win(skill: list[dict[str, Any]]) -> str:
    gaps = [gap for gap in skill if gap["value"] is not None]
    if not gaps:
        return ""
    won = [gap["low"] > 0.5 and gap["games"] >= ENOUGH_FOR_A_VERDICT for gap in gaps]
    lost = [gap["high"] < 0.5 and gap["games"] >= ENOUGH_FOR_A_VERDICT for gap in gaps]
    if all(won):
        how = "Yes"
    elif any(lost):
        how = "Not as the players are listed, weakest first"
    else:
        how = "Not at every level" if any(won) else "Not that it could be told"
    said = [f"{gap['stronger']} scores {figure(gap)} against {gap['weaker']}" for gap in gaps]
    return f"{how}: {'; '.join(said)}."


def _pie_of(pairing: dict[str, Any]) -> Pie | None:
    fields = Estimate._fields
    return pie({move: Estimate(*(score[name] for name in fields)) for move, score in pairing["openings"].items()})


def _with_the_pie_rule(variant: dict[str, Any], alike: list[dict[str, Any]]) -> str:
    """By the strongest players who tried most of the openings: others only know those they like. Not said of players
    none of whom ever won: all openings are the same to them."""

    def tried(pairing: dict[str, Any]) -> int:
        return sum(score["games"] >= ENOUGH_FOR_THE_PIE for score in pairing["openings"].values())

    alike = [pairing for pairing in alike if pairing["results"][0] + pairing["results"][1]]
    if not alike:
        return ""
    openings = max(len(pairing["openings"]) for pairing in alike)
    broad = [pairing for pairing in alike if tried(pairing) >= 0.75 * openings] or [max(alike, key=tried)]
    chosen = broad[-1]
    found = _pie_of(chosen)
    if not found:
        return ""
    score = figure(found.score._asdict())
    if found.among > 1:
        score = f"{score[:-1]}, widened for {found.among} openings)"
    measured = f"after it the first player scores {score} between {_level(chosen)}."
    theory = variant["theory"]
    if not theory or len(theory["moves"]) != openings:
        if found.is_even:
            how = "The opening to choose is"
        elif found.any_may_be_even:
            how = "That takes more games; nearest to even is"
        else:
            how = "No opening is even; the nearest is"
        return f"{how} {found.move}: {measured}"
    drawn = [move for move, value in theory["moves"].items() if value == "draw"]
    if not drawn:
        known = "it does not help: no opening is drawn, so that whoever may swap wins"
    elif len(drawn) == openings > 1:
        known = "any opening will do: all are drawn"
    else:
        known = f"choose {' or '.join(drawn[:12])}{' or others' if len(drawn) > 12 else ''}, for a draw"
    return f"Theory says: {known}. What came out most even is {found.move}: {measured}"


def _level(pairing: dict[str, Any]) -> str:
    plies = pairing["plies"]
    after = f" after {plies} random move{'s' if plies > 1 else ''}" if plies else ""
    return f"{pairing['players'][0]} players{after}"


def level_by_level(alike: list[dict[str, Any]]) -> list[str]:
    """What players of each level saw, in sentences.

    >>> pairing = {"players": ["hard", "hard"], "plies": 4, "results": [60, 40, 0], "games": 100, "written_down": 100,
    ...            "different": 10, "always_alike": True}
    >>> pairing["measures"] = {"first_score": {"value": 0.6, "low": 0.55, "high": 0.65}}
    >>> for sentence in level_by_level([pairing]):
    ...     print(sentence)
    Between hard players after 4 random moves the first wins 60.0% of the games, the second 40.0%, and 0.0% are drawn:
    moving first is an advantage. From the same position these players always play alike: the 100 games are only 10
    different ones, and say little about others.
    """
    sentences = []
    for pairing in alike:
        first, second, drawn = (count / sum(pairing["results"]) for count in pairing["results"])
        score = pairing["measures"].get("first_score")
        endless = pairing["measures"].get("timeouts")
        said = (
            f"Between {_level(pairing)} the first wins {percent(first)} of the games, "
            f"the second {percent(second)}, and {percent(drawn)} are drawn"
        ) + (" or stopped because they took too long" if endless and endless["value"] else "")
        if score and score["value"] is not None:
            if score["low"] > 0.5 and pairing["games"] >= ENOUGH_FOR_A_VERDICT:
                said += ": moving first is an advantage"
            elif score["high"] < 0.5 and pairing["games"] >= ENOUGH_FOR_A_VERDICT:
                said += ": moving second is an advantage"
            else:
                said += ": no advantage of either side can be told"
        sentences.append(f"{said}.{_if_few_differ(pairing)}")
    return sentences


def _if_few_differ(pairing: dict[str, Any]) -> str:
    """A warning where players who leave nothing to chance played the same games again and again. Where there is chance,
    games that happen to be the same are as good as others."""
    if not pairing["always_alike"] or not pairing["written_down"] == pairing["games"] > 2 * pairing["different"]:
        return ""
    ones = f"{pairing['different']:,} different one{'s' if pairing['different'] > 1 else ''}"
    return (
        f" From the same position these players always play alike: the {pairing['games']:,} games are only {ones}, and "
        "say little about others."
    )


def theory_in_words(theory: dict[str, Any]) -> str:
    """The exact value of a game, in words.

    >>> theory_in_words({"value": "win", "plies": 41})
    'with best play the first player wins, in 41 moves'
    """
    ends = {"win": "the first player wins", "loss": "the second player wins", "draw": "the game is drawn"}
    length = f", in {theory['plies']} moves" if theory["plies"] and theory["value"] != "draw" else ""
    return f"with best play {ends[theory['value']]}{length}"


def differences(found: dict[str, Any]) -> list[str]:
    """What the other variants change, in sentences: the differences that are real.

    >>> row = {"variant": 1, "players": "easy", "measure": "draws", "real": True}
    >>> row |= {"value": 0.05, "low": 0.01, "high": 0.09}
    >>> found = {"variants": [{"name": "bombs=1"}, {"name": "bombs=2"}], "comparisons": {"rows": [row], "tests": 4}}
    >>> differences(found)
    ['bombs=2 beside bombs=1, between easy players: draws +5.0 points (+1.0 to +9.0).']
    """
    if not found["comparisons"]:
        return []
    base, *others = (variant["name"] for variant in found["variants"])
    sentences = []
    for number, name in enumerate(others, start=1):
        levels: dict[str, list[str]] = {}
        for row in found["comparisons"]["rows"]:
            if row["variant"] == number:
                said = levels.setdefault(row["players"], [])
                if row["real"]:
                    measure = MEASURES[row["measure"]]
                    unit = "points" if measure.is_share else "moves"
                    value, _, interval = signed(row).partition(" ")
                    title = measure.title.removesuffix(" in moves")
                    said.append(f"{title[0].lower()}{title[1:]} {value} {unit} {interval}")
        for player, gaps in levels.items():
            said_so = ", ".join(gaps) or "no difference that could be told"
            sentences.append(f"{name} beside {base}, between {player} players: {said_so}.")
    return sentences


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
