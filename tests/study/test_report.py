"""The report, in a real browser: on a desk, on a phone and on paper."""

from __future__ import annotations

import csv
import io
import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Literal

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, sync_playwright

from connectoe import load
from connectoe.study.charts import opening_boards
from connectoe.study.figures import figures
from connectoe.study.plan import make_plan
from connectoe.study.report import FILES, answers, html
from connectoe.study.running import read_plan
from tests.study.studying import studied


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("study")
    game = load("c4-twist", cols=3, rows=3, connect=3)
    variants = [game, load(game, bombs=2)]
    studied(make_plan(variants, ["random", "easy"], 40, evaluated=2, evaluation=30), folder)
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


def said_about(
    score: tuple[float, float, float], draws: float, plies: int = 0, games: int = 100, different: int = 100,
    timeouts: float = 0.0,
) -> dict[str, str]:  # fmt: skip
    value, low, high = score
    pairing = {
        "players": ["hard", "hard"],
        "plies": plies,
        "games": games,
        "written_down": games,
        "different": different,
        "openings": {},
        "pie": None,
        "measures": {
            "first_score": {"value": value, "low": low, "high": high},
            "draws": {"value": draws, "low": 0.0, "high": 1.0},
            "timeouts": {"value": timeouts, "low": 0.0, "high": 1.0},
        },
    }
    return dict(answers({"skill": [], "theory": {"value": "win", "plies": 41, "moves": {}}}, [pairing]))


def test_a_report_begins_with_plain_answers() -> None:
    assert said_about((0.7, 0.68, 0.72), 0)["Is it fair?"].startswith("No: moving first is an advantage. Between hard")
    assert said_about((0.48, 0.47, 0.49), 0)["Is it fair?"].startswith("Nearly: moving second is an advantage.")
    assert said_about((0.51, 0.49, 0.53), 0)["Is it fair?"].startswith("Yes, as far as can be told.")
    assert said_about((0.6, 0.4, 0.8), 0)["Is it fair?"].startswith("That cannot be said yet")
    assert said_about((0.6, 0.4, 0.8), 0, plies=4)["Is it fair?"].endswith(
        "Between hard players after 4 random moves the first player scores 60.0% (40.0 to 80.0). "
        "Theory says: with best play the first player wins, in 41 moves."
    )
    ties = [said_about((0.5, 0.4, 0.6), share)["How often does it tie?"].split(":")[0] for share in (0, 0.01, 0.1, 1)]
    assert ties == ["Never seen", "Hardly ever", "Sometimes", "Mostly"]


def test_a_few_games_and_the_same_ones_again_are_no_reason_for_a_verdict() -> None:
    assert said_about((0.9, 0.6, 1.0), 0, games=4)["Is it fair?"].startswith("That cannot be said yet, it takes more")
    same = said_about((1.0, 0.9, 1.0), 0, games=40, different=1)["Is it fair?"]
    assert "Only 1 of the 40 games are different, so that this says less than it seems to." in same
    assert "are different" not in said_about((1.0, 0.9, 1.0), 0, games=40, different=30)["Is it fair?"]


def test_a_game_that_does_not_end_is_told_first() -> None:
    assert "Does it end?" not in said_about((0.5, 0.4, 0.6), 0)
    question, answer = next(iter(said_about((0.5, 0.5, 0.5), 0, timeouts=1.0).items()))
    assert question == "Does it end?"
    assert answer == (
        "Not always: 100.0% of the games between hard players were stopped because they took too long, and count as "
        "half a point."
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
        pairing = {"players": ["random"] * 2, "plies": 0, "measures": {}, "openings": {}, "pie": None}
        return answers({"skill": [gap], "theory": None}, [pairing])[0][1]

    assert skill(0.1, 0.3).startswith("Not as the players are listed, weakest first: random scores 20.0%")
    assert skill(0.4, 0.6).startswith("Not that it could be told")
    assert skill(0.6, 0.8).startswith("Yes")
    assert skill(0.6, 1.0, games=4).startswith("Not that it could be told")


def test_an_opening_that_may_be_even_is_not_said_not_to_be() -> None:
    def pie_rule(value: float, low: float, high: float) -> str:
        score = {"value": value, "low": low, "high": high, "games": 50}
        level = {"players": ["easy"] * 2, "plies": 0, "measures": {}, "openings": {"d": score}}
        return answers({"skill": [], "theory": None}, [{**level, "pie": {"move": "d", **score}}])[0][1]

    assert pie_rule(0.57, 0.45, 0.68).startswith("That takes more games; nearest to even is d: after it")
    assert pie_rule(0.57, 0.55, 0.59).startswith("No opening is even; the nearest is d: after it")
    assert pie_rule(0.52, 0.45, 0.59).startswith("The opening to choose is d: after it")


def test_the_pie_rule_asks_the_strongest_players_who_tried_most_openings() -> None:
    tried, liked = ({"value": value, "low": 0.5, "high": 0.95, "games": 500} for value in (0.52, 0.9))
    level = {"plies": 0, "measures": {}}
    broad = {
        "players": ["random"] * 2,
        "openings": dict.fromkeys("abcd", tried),
        "pie": {"move": "a", **tried},
        **level,
    }
    narrow = {"players": ["hard"] * 2, "openings": {"d": liked}, "pie": {"move": "d", **liked}, **level}
    theory = {"value": "win", "plies": 9, "moves": {"a": "loss", "b": "draw", "c": "loss", "d": "win"}}

    def pie_rule(moves: dict[str, str]) -> str:
        return answers({"skill": [], "theory": {**theory, "moves": moves}}, [broad, narrow])[1][1]

    [(_, fair), (_, pie)] = answers({"skill": [], "theory": theory}, [broad, narrow])
    assert fair == "Theory says: with best play the first player wins, in 9 moves."
    assert pie == (
        "Theory says: choose b, for a draw. What came out most even is a: after it the first player scores "
        "52.0% (50.0 to 95.0) between random players."
    )
    assert pie_rule(dict.fromkeys("abcd", "draw")).startswith("Theory says: any opening will do: all are drawn. What")
    assert pie_rule(dict.fromkeys("abcd", "win")).startswith("Theory says: it does not help: no opening is drawn, so")
    assert pie_rule({"a": "win"}).startswith("The opening to choose is a: after it the first player scores 52.0%")
