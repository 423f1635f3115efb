"""The report, in a real browser: on a desk, on a phone and on paper."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Literal

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser

from connectoe import load
from connectoe.core.errors import ConnectoeError
from connectoe.statistics import Measurement
from connectoe.study import report
from connectoe.study.charts import measurements_chart, opening_boards
from connectoe.study.figures import StudyFigures
from connectoe.study.folder import read_plan
from connectoe.study.plan import describe, make_plan
from connectoe.study.report import FILES, html
from connectoe.study.summary import summarise
from tests.chromium import running_chromium
from tests.study.studying import studied

pytestmark = pytest.mark.slow

PUBLISHED = Path(__file__).parents[2] / "docs" / "results" / "studies"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("study")
    game = load("c4-twist", cols=3, rows=3, connect=3)
    variants = [game, load(game, bombs=2)]
    studied(make_plan(variants, ["random", "easy"], {"random": 300, "easy": 40}, evaluated=2, evaluation=30), folder)
    return folder


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    with running_chromium() as browser:
        yield browser


def figures_in(folder: Path) -> StudyFigures:
    return StudyFigures.from_json((folder / "figures.json").read_text())


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
    page = html(read_plan(folder), StudyFigures.from_json(json.dumps(found)), "connectoe study")
    assert "Shares of games have Wilson" in page
    assert "Newcombe" not in page


def test_a_chart_of_figures_that_are_all_the_same_has_an_axis_that_can_be_read() -> None:
    rows = [(name, Measurement(0.5, 0.5, 0.5, 100)) for name in ("one", "other")]
    ticks = [float(tick) for tick in re.findall(r"([\d.]+)%</text>", measurements_chart("Score", rows, True, 0.5))]
    assert max(ticks) - min(ticks) >= 1


def test_the_legend_of_the_boards_stands_where_there_are_boards(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    found = figures_in(folder)
    assert "orange is good" in html(read_plan(folder), found, "connectoe study")
    monkeypatch.setattr(report, "opening_boards", lambda *_: [])
    assert "orange is good" not in html(read_plan(folder), found, "connectoe study")


def test_a_report_may_have_few_measures(folder: Path) -> None:
    plan = read_plan(folder)
    for measure in ("draws", "length", "first_score"):
        found = summarise(plan, folder, [measure])
        assert set(found.measures) == {measure}
        assert "How games end" in html(plan, found, "connectoe study")


def test_a_name_from_a_game_of_ones_own_cannot_break_the_page(folder: Path) -> None:
    found = replace(figures_in(folder), name="<script>alert(1)</script>")
    plan = read_plan(folder)
    page = html(plan, found, "connectoe study '<b>'")
    assert "<script>" not in page
    assert "&lt;b&gt;" in page


@pytest.mark.parametrize("game_id", ["tic-tac-toe", "advanced", "shift-tac-toe", "c4-twist", "ultimate-ultimate"])
def test_every_first_move_has_its_place_on_the_board(game_id: str) -> None:
    game = load(game_id)
    openings = {move: Measurement(0.5, 0.4, 0.6, games=10) for move in game.start.legal_moves()}
    boards = opening_boards(game, openings)
    assert sum(board.count("<title>") for _, board in boards) == len(openings)


def test_an_opening_of_a_few_games_stays_blank() -> None:
    scores = {move: Measurement(1.0, 0.5, 1.0, games) for move, games in (("a", 9), ("d", 10))}
    [(_, board)] = opening_boards(load("connect-four"), scores)
    assert board.count(">100<") == 1


def test_figures_survive_their_file(folder: Path) -> None:
    text = (folder / "figures.json").read_text()
    assert figures_in(folder).to_json() == text
    assert figures_in(folder) == summarise(read_plan(folder), folder)


@pytest.mark.parametrize("study", sorted(PUBLISHED.iterdir()), ids=lambda study: study.name)
def test_published_figures_can_be_read(study: Path) -> None:
    text = (study / "figures.json").read_text()
    assert json.loads(StudyFigures.from_json(text).to_json()) == json.loads(text) | with_number_of_openings(text)


def with_number_of_openings(text: str) -> dict[str, object]:
    """Return the variants of figures, to which older versions did not add how many openings a pie was picked from."""
    found = json.loads(text)
    for variant in found["variants"]:
        for pairing in variant["pairings"]:
            if pairing["pie"]:
                pairing["pie"].setdefault("among", 0)
    return {"variants": found["variants"]}


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"game": 1, "comparisons": null}'])
def test_what_are_not_figures_is_refused(text: str) -> None:
    with pytest.raises(ConnectoeError, match="these are not the figures of a study"):
        StudyFigures.from_json(text)


def test_variants_with_and_without_the_pie_rule_are_told_apart() -> None:
    variants = [load("connect-four", cols=4, swap=swap).options for swap in ("no", "yes")]
    assert [describe(variant, variants) for variant in variants] == ["swap=no", "swap=yes"]
    assert describe(variants[0], variants[:1]) == "the game"
