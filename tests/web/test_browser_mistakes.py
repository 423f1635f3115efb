"""Your mistakes in a real browser: by mouse, on a phone, with the keyboard and without scripts."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import expect

from connectoe import load
from connectoe.preparing import Job, prepare
from tests.web.browsing import DESKTOP, PHONE, Person, begin_here
from tests.web.test_browser_lessons import press

pytestmark = pytest.mark.slow


@pytest.fixture(autouse=True, scope="module")
def _is_solved() -> None:
    """The tables by which mistakes are proven."""
    prepare(Job(load("tic-tac-toe"), "table"))
    prepare(Job(load("connect-four", cols=4, rows=4, connect=3), "table"))


def lose(person: Person) -> None:
    """Play a match in which O makes two mistakes, and go on to the mistakes."""
    begin_here(person, "tic-tac-toe", *"b2 b1 a1 b3".split())
    person.play("c3", 4)
    person.page.locator("#to-mistakes").click()
    expect(person.page.locator("#mistakes")).to_be_visible()


@pytest.mark.parametrize("how", [DESKTOP, {**PHONE, "viewport": {"width": 360, "height": 740}}])
def test_a_mistake_is_tried_again(people: Any, how: dict[str, Any]) -> None:
    ann = people(**how)
    lose(ann)
    expect(ann.page.locator("#accuracy")).to_contain_text("100% accuracy")
    expect(ann.page.locator("#mistakes")).to_contain_text("Move 2, b1 gave a draw away for a loss (proven)")
    assert ann.page_fits()
    ann.page.locator("#begin").click()
    expect(ann.page.locator("#task")).to_contain_text("In the match O played b1")
    press(ann, "b1")
    expect(ann.page.locator("#answer.wrong")).to_contain_text("That is what was played")
    press(ann, "b3")
    expect(ann.page.locator("#answer.wrong")).to_contain_text("There is a better move")
    assert ann.page_fits()
    press(ann, "a3")
    expect(ann.page.locator("#answer.right")).to_have_text("Right: it keeps the draw.")
    expect(ann.page.locator("#about-mistake")).to_contain_text("Proven: a1, c1, a3, c3 are better than b1.")
    assert ann.page_fits()
    ann.page.locator("#next").click()
    expect(ann.page.locator("#mistakes")).to_be_visible()
    ann.page.get_by_role("link", name="Analysis", exact=True).click()


def test_a_mistake_is_tried_again_without_scripts(people: Any, site: Any) -> None:
    bob = people(**DESKTOP)
    lose(bob)
    ann = people(**DESKTOP, java_script_enabled=False)
    ann.open(bob.page.url)  # somebody who only looks
    ann.page.locator("#begin").click()
    press(ann, "b1")
    expect(ann.page.locator("#answer.wrong")).to_contain_text("That is what was played")
    press(ann, "c1")
    expect(ann.page.locator("#answer.right")).to_have_text("Right: it keeps the draw.")


def test_a_mistake_is_tried_again_with_the_keyboard_alone(people: Any) -> None:
    ann = people(**DESKTOP)
    keys = ann.page.keyboard
    lose(ann)
    ann.page.locator("#begin").focus()
    keys.press("Enter")
    expect(ann.page.locator("#task")).to_contain_text("Find a better move")
    ann.waits_for_styles()  # the scripts are there, too
    ann.button("b1").focus()
    keys.press("Enter")  # wrong: the focus stays on the board
    expect(ann.page.locator("#answer.wrong")).to_be_visible()
    keys.press("ArrowRight")
    keys.press("Enter")
    expect(ann.page.locator("#answer.right")).to_be_visible()
    expect(ann.page.locator("#next")).to_be_focused()
    keys.press("Enter")
    expect(ann.page.locator("#mistakes")).to_be_visible()


def test_a_hint_shows_the_move_and_what_was_wrong_comes_back(people: Any) -> None:
    ann = people(**PHONE)
    lose(ann)
    ann.open("/matches")
    ann.page.get_by_role("link", name="Try again: 1 position you got wrong").tap()
    ann.page.locator("#hint").tap()
    expect(ann.page.locator("#answer.hint")).to_be_visible()
    expect(ann.page.locator("#board .targets .hint")).to_have_count(1)
    ann.open("/matches")
    expect(ann.page.locator("#due")).to_have_count(0)  # it comes back tomorrow


def test_a_swap_is_found_by_its_button(people: Any) -> None:
    ann = people(**DESKTOP)
    ann.open("/about")
    options = {"cols": 4, "rows": 4, "connect": 3, "swap": "yes"}
    seats = [{"kind": "me"}, {"kind": "me"}]
    made = ann.begins({"game": "connect-four", "seats": seats, "moves": list("babab"), "options": options})
    ann.open(f"/matches/{made['id']}/mistakes?side=1")
    ann.page.get_by_role("link", name="Move 2, a").click()
    ann.page.get_by_role("button", name="Swap sides").click()
    expect(ann.page.locator("#answer.right")).to_have_text("Right: it keeps the win.")
