"""What people who had never seen the site stumbled over, in a real browser."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from playwright.sync_api import Route, WebSocketRoute, expect

from tests.web.browsing import DESKTOP, begin_here, short_match

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("scripts", [True, False])
def test_a_bomb_does_not_stay_in_hand_for_the_other_player(people: Any, scripts: bool) -> None:
    ann = people(java_script_enabled=scripts, **DESKTOP)
    ann.open("/new/c4-twist")
    ann.page.get_by_label("Two of us, on this screen").check()
    ann.page.get_by_role("button", name="Start").click()
    ann.play("d", 0)
    ann.play("*d", 1)
    expect(ann.page.locator("#tool-0")).to_be_checked()
    ann.play("d", 2)
    ann.sees("bombs left: X 1, O 0")


def test_a_tool_stays_in_hand_while_the_turn_lasts(people: Any) -> None:
    ann = people(**DESKTOP)
    begin_here(ann, "c4-twist", "d", "c")
    ann.page.locator("#tool-1").check(force=True)
    ann.page.get_by_text("The board in letters").click()  # the page asks for the match anew
    expect(ann.page.locator("#as-text pre")).to_contain_text("c")
    expect(ann.page.locator("#tool-1")).to_be_checked()


def test_a_board_that_may_not_be_flipped_is_never_shown_from_behind(people: Any) -> None:
    ann = people(**DESKTOP)
    begin_here(ann, "shift-tac-toe", "1")
    ann.page.evaluate(
        "sessionStorage.setItem(`connectoe flipped${document.querySelector('#match').dataset.id}`, 'yes')"
    )
    ann.page.reload()
    ann.play("2", 1)
    expect(ann.page.get_by_role("button", name="Flip")).to_have_count(0)
    assert ann.button("1").bounding_box()["x"] < ann.button("3").bounding_box()["x"]


def test_whoever_has_flipped_a_board_can_flip_it_back(people: Any) -> None:
    ann = people(**DESKTOP)
    begin_here(ann, "connect-four")
    flip = ann.page.get_by_role("button", name="Flip")
    for ply, is_flipped in enumerate((True, False)):
        flip.click()
        ann.play("d", ply)
        ann.page.reload()
        left, right = (ann.button(column).bounding_box()["x"] for column in "ag")
        assert (left > right) == is_flipped


def test_the_list_of_moves_follows_the_analysis(people: Any) -> None:
    ann = people(**DESKTOP)
    match = short_match()
    begin_here(ann, "ultimate-ultimate", *match.moves, tallies=1)
    ann.page.route("**/values/*", lambda route: None)
    ann.open(f"{ann.page.url}/analysis?ply=1")
    in_view = """() => {
        const list = document.querySelector("#moves").getBoundingClientRect();
        const move = document.querySelector("#moves [aria-current]")?.getBoundingClientRect();
        return Boolean(move) && move.top > list.top - 1 && move.bottom < list.bottom + 1;
    }"""
    ann.page.wait_for_function(in_view)
    ann.page.keyboard.press("End")
    ann.sees_ply(match.ply)
    ann.page.wait_for_function(in_view)
    assert ann.page.evaluate("scrollY") == 0
    ann.page.reload()
    ann.page.wait_for_function(in_view)


def test_no_outlines_stand_over_the_edge_places(people: Any) -> None:
    ann = people(**DESKTOP)
    begin_here(ann, "advanced", "4Nb", "1W3")
    classes = {edge: ann.button(f"2{edge}").get_attribute("class") for edge in ("Na", "Nb", "Nc", "Sa", "W1", "E1")}
    assert len(set(classes.values())) == 1


def test_the_note_on_a_hint_outlasts_other_news(people: Any) -> None:
    ann = people(**DESKTOP)
    begin_here(ann, "connect-four", "d")
    told: list[WebSocketRoute] = []
    ann.context.route_web_socket(re.compile("/live$"), lambda page_side: told.append(page_side))
    ann.page.reload()
    ann.waits_until(lambda: told)
    asked: list[Route] = []
    ann.page.route("**/board?*", lambda route: asked.append(route))
    version = int(ann.page.locator("#match").get_attribute("data-version") or 0)
    words = ann.page.locator(".hint-form").get_attribute("data-note")
    ann.page.get_by_role("button", name="Hint").click()
    ann.waits_until(lambda: asked)
    told[0].send(json.dumps({"version": version, "note": "", "seats": [{"kind": "person", "present": False}] * 2}))
    told[0].send(json.dumps({"error": "the news have come"}))
    expect(ann.page.locator("#problem")).to_have_text("the news have come")
    expect(ann.page.locator("#note")).to_have_text(words)
    expect(ann.page.get_by_role("button", name="Hint")).to_be_disabled()
    asked[0].continue_()
    expect(ann.page.locator("#hints")).to_be_visible(timeout=300_000)
    expect(ann.page.locator("#note")).to_be_hidden()
    expect(ann.page.get_by_role("button", name="Hint")).to_be_enabled()


def test_who_continues_a_match_is_asked_for_a_side_not_who_begins(people: Any) -> None:
    ann = people(**DESKTOP)
    begin_here(ann, "connect-four", "d")
    ann.open(f"{ann.page.url}/analysis")
    ann.page.get_by_role("link", name="Continue from here").click()
    expect(ann.page.get_by_text("Who begins?")).to_have_count(0)
    expect(ann.page.get_by_role("group", name="Which side is yours?")).to_be_visible()
    expect(ann.page.get_by_label("I play O, who is to move")).to_be_visible()
    ann.page.get_by_label("I play X").check()


def test_a_board_that_is_too_large_is_refused_in_words_of_players(people: Any) -> None:
    ann = people(**DESKTOP)
    ann.open("/new/connect-four")
    expect(ann.page.locator("form")).not_to_contain_text(re.compile(r"\bbit|62"))
    ann.page.get_by_label("Columns of the board").fill("10")
    ann.page.get_by_label("Rows of the board").fill("10")
    ann.page.get_by_role("button", name="Start").click()
    expect(ann.page.get_by_role("alert")).to_have_text(
        "A board of 10x10 is too large: with 10 columns it may have at most 5 rows."
    )
    ann.page.get_by_label("Rows of the board").fill("5")
    ann.page.get_by_role("button", name="Start").click()
    ann.sees("Your turn")
