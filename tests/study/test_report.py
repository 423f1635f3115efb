"""The report, in a real browser: on a desk, on a phone and on paper."""

from __future__ import annotations

import csv
import io
import json
import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Literal

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, sync_playwright

from connectoe import load
from connectoe.study import report
from connectoe.study.charts import estimates_chart, opening_boards
from connectoe.study.figures import figures
from connectoe.study.plan import make_plan
from connectoe.study.report import FILES, answers, differences, html
from connectoe.study.running import read_plan
from tests.study.studying import studied


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("study")
    game = load("c4-twist", cols=3, rows=3, connect=3)
    variants = [game, load(game, bombs=2)]
    studied(make_plan(variants, ["random", "easy"], {"random": 300, "easy": 40}, evaluated=2, evaluation=30), folder)
    return folder


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        yield browser
        browser.close()


@pytest.mark.parametrize(("width", "scheme"), [(1200, "light"), (390, "dark")])
def test_the_page_fits_a_desk_and_a_phone_asks_for_nothing_and_has_no_barrier(
    chromium: Browser, folder: Path, width: int, scheme: Literal["light", "dark"]
) -> None:
    page = chromium.new_page(viewport={"width": width, "height": 800}, color_scheme=scheme)
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.on("pageerror", lambda error: asked.append(str(error)))
    page.goto((folder / "report.html").as_uri())
    assert asked == [(folder / "report.html").as_uri()]
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    pictures = page.locator("figure")
    assert pictures.count() >= 10
    for number in range(pictures.count()):
        picture = pictures.nth(number)
        assert picture.get_attribute("role") == "img"
        assert len(picture.get_attribute("aria-label") or "") > 20
        box = picture.locator("svg").first.bounding_box()
        assert box
        assert box["width"] > 100
        assert box["height"] > 40
    problems = [found for found in Axe().run(page).response["violations"] if found["impact"] in ("serious", "critical")]
    assert not problems, [(found["id"], found["nodes"][0]["html"][:200]) for found in problems]
    page.close()


def test_tables_and_charts_can_be_read_on_a_phone(chromium: Browser, folder: Path) -> None:
    page = chromium.new_page(viewport={"width": 390, "height": 844})
    page.goto((folder / "report.html").as_uri())
    smallest = page.evaluate(
        """() => Math.min(...[...document.querySelectorAll('figure:not(.boards figure) svg text')].map(
            text => Math.hypot(text.getScreenCTM().a, text.getScreenCTM().b)
                * parseFloat(getComputedStyle(text).fontSize)))"""
    )
    assert smallest >= 10
    comparison = page.locator(".scroll").first
    assert comparison.evaluate("table => table.scrollWidth <= table.clientWidth"), "the p-values are out of sight"
    measures = page.locator(".scroll").nth(1)
    assert measures.evaluate("table => table.scrollWidth > table.clientWidth")
    shadow = measures.evaluate("table => getComputedStyle(table).backgroundImage")
    assert "gradient" in shadow, "nothing says that it scrolls"
    measures.evaluate("table => table.scrollLeft = 200")
    first = measures.locator("tr").nth(1).locator("th").bounding_box()
    assert first
    assert first["x"] >= 0, "what a row is about stays in sight"
    page.close()


def test_the_page_prints(chromium: Browser, folder: Path) -> None:
    page = chromium.new_page()
    page.goto((folder / "report.html").as_uri())
    assert page.pdf(format="A4").startswith(b"%PDF")
    page.emulate_media(media="print")
    page.set_viewport_size({"width": 720, "height": 1000})  # what fits between the margins of A4
    assert page.evaluate("document.documentElement.scrollWidth") <= 720
    assert page.locator("details table").first.is_visible(), "paper cannot be unfolded"
    page.close()


def test_json_csv_and_page_have_the_same_figures(folder: Path) -> None:
    found = json.loads((folder / "figures.json").read_text())
    rows = list(csv.DictReader(io.StringIO((folder / "figures.csv").read_text())))
    page = (folder / "report.html").read_text()
    [row] = [
        row
        for row in rows
        if (row["variant"], row["first"], row["second"], row["figure"]) == ("bombs=2", "easy", "easy", "draws")
    ]
    pairing = found["variants"][1]["pairings"][1]
    assert pairing["players"] == ["easy", "easy"]
    assert float(row["value"]) == pairing["measures"]["draws"]["value"]
    assert f"{100 * float(row['value']):.1f}%" in page
    assert set(FILES) <= {path.name for path in folder.iterdir()}


def test_the_table_has_the_theory_the_pie_rule_and_the_comparisons_too(folder: Path) -> None:
    found = json.loads((folder / "figures.json").read_text())
    rows = list(csv.DictReader(io.StringIO((folder / "figures.csv").read_text())))

    def the_one(**facts: str) -> dict[str, str]:
        [row] = [row for row in rows if facts.items() <= row.items()]
        return row

    tested = next(row for row in found["comparisons"]["rows"] if (row["players"], row["measure"]) == ("easy", "draws"))
    row = the_one(variant="bombs=2", first="easy", figure="difference from bombs=1", of="draws")
    assert [float(row[name]) for name in ("value", "low", "high", "p", "p_holm")] == [
        tested[name] for name in ("value", "low", "high", "p", "p_holm")
    ]
    variant = found["variants"][0]
    points = {"win": 1.0, "draw": 0.5, "loss": 0.0}[variant["theory"]["value"]]
    assert float(the_one(variant="bombs=1", figure="theory", of="score")["value"]) == points
    assert len([row for row in rows if row["figure"] == "theory after"]) == sum(
        len(each["theory"]["moves"]) for each in found["variants"]
    )
    pie = next(pairing["pie"] for pairing in variant["pairings"] if pairing["pie"])
    assert any((row["figure"], row["of"], row["value"]) == ("pie rule", pie["move"], str(pie["value"])) for row in rows)


def test_a_report_is_made_of_figures_of_older_versions(folder: Path) -> None:
    found = json.loads((folder / "figures.json").read_text())
    del found["intervals"]
    for variant in found["variants"]:
        for pairing in variant["pairings"]:
            del pairing["always_alike"]
            pairing["pie"] = None
    page = html(read_plan(folder), found, "connectoe study")
    assert "Shares of games have Wilson" in page
    assert "Newcombe" not in page


def test_a_chart_of_figures_that_are_all_the_same_has_an_axis_that_can_be_read() -> None:
    rows = [(name, {"value": 0.5, "low": 0.5, "high": 0.5}) for name in ("one", "other")]
    ticks = [float(tick) for tick in re.findall(r"([\d.]+)%</text>", estimates_chart("Score", rows, True, 0.5))]
    assert max(ticks) - min(ticks) >= 1


def test_the_legend_of_the_boards_stands_where_there_are_boards(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    found = json.loads((folder / "figures.json").read_text())
    assert "orange is good" in html(read_plan(folder), found, "connectoe study")
    monkeypatch.setattr(report, "opening_boards", lambda *_: [])
    assert "orange is good" not in html(read_plan(folder), found, "connectoe study")


def test_a_difference_in_length_is_said_in_moves_once() -> None:
    row = {"variant": 1, "players": "easy", "measure": "length", "real": True, "value": -2.0, "low": -3.0, "high": -1.0}
    found = {"variants": [{"name": "a"}, {"name": "b"}], "comparisons": {"rows": [row], "tests": 1}}
    assert differences(found) == ["b beside a, between easy players: length -2.0 moves (-3.0 to -1.0)."]


def test_a_report_may_have_few_measures(folder: Path) -> None:
    plan = read_plan(folder)
    for measure in ("draws", "length", "first_score"):
        found = figures(plan, folder, [measure])
        assert set(found["measures"]) == {measure}
        assert "How games end" in html(plan, found, "connectoe study")


def test_a_name_from_a_game_of_ones_own_cannot_break_the_page(folder: Path) -> None:
    found = json.loads((folder / "figures.json").read_text())
    found["name"] = "<script>alert(1)</script>"
    plan = read_plan(folder)
    page = html(plan, found, "connectoe study '<b>'")
    assert "<script>" not in page
    assert "&lt;b&gt;" in page


@pytest.mark.parametrize("game_id", ["tic-tac-toe", "advanced", "shift-tac-toe", "c4-twist", "ultimate-ultimate"])
def test_every_first_move_has_its_place_on_the_board(game_id: str) -> None:
    game = load(game_id)
    openings = {move: {"value": 0.5, "low": 0.4, "high": 0.6, "games": 10} for move in game.start.legal_moves()}
    boards = opening_boards(game, openings)
    assert sum(board.count("<title>") for _, board in boards) == len(openings)


def test_an_opening_of_a_few_games_stays_blank() -> None:
    scores = {move: {"value": 1.0, "low": 0.5, "high": 1.0, "games": games} for move, games in (("a", 9), ("d", 10))}
    [(_, board)] = opening_boards(load("connect-four"), scores)
    assert board.count(">100<") == 1


def level(player: str = "hard", **details: Any) -> dict[str, Any]:
    """The figures of a player against itself, as far as answers ask for them."""
    usual: dict[str, Any] = {"players": [player] * 2, "results": [50, 50, 0]}
    usual |= {"openings": {}, "endings": {}, "measures": {}}
    usual |= {"plies": 0, "games": 100, "written_down": 100, "different": 100, "always_alike": False}
    return usual | details


def share(value: float) -> dict[str, float]:
    return {"value": value, "low": 0.0, "high": 1.0}


def said_about(
    score: tuple[float, float, float], draws: float, stopped: float = 0.0, repeated: float = 0.0,
    theory: dict[str, Any] | None = None, **details: Any,
) -> dict[str, str]:  # fmt: skip
    value, low, high = score
    measures = {"first_score": {"value": value, "low": low, "high": high}, "draws": share(draws)}
    endings = {"ply limit": share(stopped), "repetition": share(repeated), "a line": share(1 - stopped - repeated)}
    pairing = level(measures=measures, endings=endings, **details)
    return dict(answers({"skill": [], "theory": theory}, [pairing]))


def test_a_report_begins_with_plain_answers() -> None:
    assert said_about((0.7, 0.68, 0.72), 0)["Is it fair?"].startswith("No: moving first is an advantage. Between hard")
    assert said_about((0.48, 0.47, 0.49), 0)["Is it fair?"].startswith("Nearly: moving second is an advantage.")
    assert said_about((0.51, 0.49, 0.53), 0)["Is it fair?"].startswith("Yes, as far as can be told.")
    assert said_about((0.6, 0.4, 0.8), 0)["Is it fair?"].startswith("That cannot be said yet")
    theory = {"value": "win", "plies": 41, "moves": {}}
    assert said_about((0.6, 0.4, 0.8), 0, plies=1, theory=theory)["Is it fair?"].endswith(
        "Between hard players after 1 random move the first player scores 60.0% (40.0 to 80.0). "
        "Theory says: with best play the first player wins, in 41 moves."
    )
    ties = [
        said_about((0.5, 0.4, 0.6), share)["How often does it tie?"].split(":")[0] for share in (0, 0.01, 0.1, 0.9, 1)
    ]
    assert ties == ["Never seen", "Hardly ever", "Sometimes", "Mostly", "Always so far"]


def test_a_few_games_are_no_reason_for_a_verdict() -> None:
    assert said_about((0.9, 0.6, 1.0), 0, games=4)["Is it fair?"].startswith("That cannot be said yet, it takes more")


def test_games_played_again_are_told_of_players_who_leave_nothing_to_chance() -> None:
    def fair(different: int, always_alike: bool) -> str:
        details: dict[str, Any] = {
            "games": 40,
            "written_down": 40,
            "different": different,
            "always_alike": always_alike,
        }
        return said_about((1.0, 0.9, 1.0), 0, **details)["Is it fair?"]

    assert fair(different=1, always_alike=True).endswith(
        "From the same position these players always play alike: the 40 games are only 1 different one, and say little "
        "about others."
    )
    assert "different" not in fair(different=30, always_alike=True)
    assert "different" not in fair(different=1, always_alike=False), "what chance repeats is as good as any other"


def test_a_game_that_sometimes_does_not_end_is_told_first() -> None:
    assert "Does it end?" not in said_about((0.5, 0.4, 0.6), 0)
    question, answer = next(iter(said_about((0.5, 0.48, 0.52), 0, stopped=0.2, repeated=0.0004).items()))
    assert question == "Does it end?"
    assert answer == (
        "Not always: of the games between hard players 20.0% were stopped at the ply limit and under 0.1% ended by "
        "repetition. Both count as half a point."
    )


def test_nothing_else_is_said_about_a_game_that_never_ends() -> None:
    assert said_about((0.5, 0.48, 0.52), 0, stopped=1.0, results=[0, 0, 100]) == {
        "Does it end?": "Never: no game came to an end. All were stopped at the ply limit, which says nothing about "
        "the rest."
    }


def test_a_game_that_only_goes_round_in_circles_is_not_called_fair() -> None:
    openings = {"l": {"value": 0.5, "low": 0.49, "high": 0.51, "games": 100}}
    said = said_about((0.5, 0.48, 0.52), 1.0, repeated=1.0, results=[0, 0, 100], openings=openings)
    question, answer = next(iter(said.items()))
    assert question == "Does it end?"
    assert answer == "Only by repetition: every game went round in circles until it was drawn, and nobody ever won."
    assert said["Is it fair?"].startswith("That cannot be said: nobody wins.")
    assert said["How often does it tie?"].startswith("Always so far: 100.0%")
    assert "And with the pie rule?" not in said


def test_repetitions_are_told_where_there_are_some() -> None:
    assert said_about((0.5, 0.48, 0.52), 0.4, repeated=0.3)["Does it end?"] == (
        "Yes, some games only by repetition, which is a draw: 30.0% between hard players."
    )


def test_players_listed_in_the_wrong_order_are_told_from_those_who_cannot_be_told_apart() -> None:
    def skill(low: float, high: float, games: int = 100) -> str:
        gap = {
            "stronger": "random",
            "weaker": "easy",
            "value": (low + high) / 2,
            "low": low,
            "high": high,
            "games": games,
        }
        return answers({"skill": [gap], "theory": None}, [level("random")])[0][1]

    assert skill(0.1, 0.3).startswith("Not as the players are listed, weakest first: random scores 20.0%")
    assert skill(0.4, 0.6).startswith("Not that it could be told")
    assert skill(0.6, 0.8).startswith("Yes")
    assert skill(0.6, 1.0, games=4).startswith("Not that it could be told")


def test_an_opening_is_called_even_or_not_only_where_the_games_can_tell() -> None:
    def pie_rule(value: float, low: float, high: float) -> str:
        score = {"value": value, "low": low, "high": high, "games": 50}
        return answers({"skill": [], "theory": None}, [level("easy", openings={"d": score})])[0][1]

    assert pie_rule(0.57, 0.45, 0.68).startswith("That takes more games; nearest to even is d: after it")
    assert pie_rule(0.52, 0.42, 0.62).startswith("That takes more games; nearest to even is d: after it")
    assert pie_rule(0.57, 0.56, 0.59).startswith("No opening is even; the nearest is d: after it")
    assert pie_rule(0.52, 0.49, 0.54).startswith("The opening to choose is d: after it")


def test_the_best_of_many_openings_has_a_wider_interval() -> None:
    score = {"value": 0.52, "low": 0.49, "high": 0.54, "games": 500}
    [(_, said)] = answers({"skill": [], "theory": None}, [level("easy", openings=dict.fromkeys("abcdefg", score))])
    assert said == (
        "The opening to choose is a: after it the first player scores 52.0% (47.9 to 54.7, widened for "
        "7 openings) between easy players."
    )


def test_the_pie_rule_asks_the_strongest_players_who_tried_most_openings() -> None:
    tried, liked = ({"value": value, "low": 0.5, "high": 0.95, "games": 500} for value in (0.52, 0.9))
    broad = level("random", openings=dict.fromkeys("abcd", tried))
    narrow = level("hard", openings={"d": liked})
    theory = {"value": "win", "plies": 9, "moves": {"a": "loss", "b": "draw", "c": "loss", "d": "win"}}

    def pie_rule(moves: dict[str, str]) -> str:
        return answers({"skill": [], "theory": {**theory, "moves": moves}}, [broad, narrow])[1][1]

    [(_, fair), (_, pie)] = answers({"skill": [], "theory": theory}, [broad, narrow])
    assert fair == "Theory says: with best play the first player wins, in 9 moves."
    assert pie == (
        "Theory says: choose b, for a draw. What came out most even is a: after it the first player scores "
        "52.0% (49.5 to 100.0, widened for 4 openings) between random players."
    )
    assert pie_rule(dict.fromkeys("abcd", "draw")).startswith("Theory says: any opening will do: all are drawn. What")
    assert pie_rule(dict.fromkeys("abcd", "win")).startswith("Theory says: it does not help: no opening is drawn, so")
    assert pie_rule({"a": "win"}).startswith("That takes more games; nearest to even is a: after it the first player")
