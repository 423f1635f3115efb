"""Opponents like people in a real browser: chosen on the form, played, and the next one after a win."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import expect

from connectoe.people import CHARACTERS, ladder_of
from tests.web.browsing import DESKTOP, PHONE, Person

pytestmark = pytest.mark.slow
WON_NEXT = "/new/tic-tac-toe?moves=a1+b1+a2+b2"
"""The form for a match in which X, to move, has two marks in line."""


def meet(person: Person, name: str) -> None:
    """Choose somebody on the form, and start."""
    person.open(WON_NEXT)
    choice = person.page.get_by_label("How strong, or whom")
    choice.select_option(f"person:{name}")
    start = person.page.get_by_role("button", name="Start")
    start.tap() if person.is_on_a_phone else start.click()


@pytest.mark.parametrize("how", [DESKTOP, {**PHONE, "viewport": {"width": 360, "height": 740}}])
def test_one_meets_somebody_wins_and_plays_the_next(people: Any, how: dict[str, Any]) -> None:
    ann = people(**how)
    meet(ann, "pip")
    expect(ann.page.locator("#seat-1")).to_contain_text("Pip")
    expect(ann.page.locator("#seat-1")).to_contain_text("is six")
    assert ann.page_fits()
    ann.play("a3", 4)
    expect(ann.page.locator("#ended")).to_contain_text("You win")
    expect(ann.page.locator("#next-opponent")).to_contain_text("Nell is after her own line")
    assert ann.page_fits()
    again = ann.page.get_by_role("button", name="Play Nell")
    again.tap() if ann.is_on_a_phone else again.click()
    expect(ann.page.locator("#seat-1")).to_contain_text("Nell")
    expect(ann.page.locator("#match")).to_have_attribute("data-ply", "0")


@pytest.mark.parametrize("how", [DESKTOP, PHONE])
def test_the_form_says_who_is_chosen(people: Any, how: dict[str, Any]) -> None:
    ann = people(**how)
    ann.open("/new/advanced")
    choice, told = ann.page.get_by_label("How strong, or whom"), ann.page.locator(".people").first.locator("li")
    expect(choice.locator("optgroup option")).to_have_count(len(CHARACTERS))
    for number, (person, words) in enumerate(ladder_of().items()):
        choice.select_option(person)
        expect(told.nth(number)).to_be_visible()
        expect(told.nth(number)).to_have_text(f"{words}.")
        assert sum(one.is_visible() for one in told.all()) == 1
    assert ann.page_fits()


def test_somebody_is_chosen_with_the_keyboard_alone(people: Any) -> None:
    ann = people(**DESKTOP)
    ann.open(WON_NEXT)
    choice = ann.page.get_by_label("How strong, or whom")
    choice.focus()
    ann.page.keyboard.type("10")  # by the beginning of the words
    expect(choice).to_have_value("person:ada")
    ann.page.keyboard.press("ArrowUp")
    expect(choice).to_have_value("person:boris")
    ann.page.keyboard.press("Tab")
    ann.page.get_by_role("button", name="Start").focus()
    ann.page.keyboard.press("Enter")
    expect(ann.page.locator("#seat-1")).to_contain_text("Boris")
    ann.button("a3").focus()
    ann.page.keyboard.press("Enter")
    expect(ann.page.locator("#ended")).to_contain_text("You win")
    ann.page.get_by_role("button", name="Play Ada").focus()
    ann.page.keyboard.press("Enter")
    expect(ann.page.locator("#seat-1")).to_contain_text("Ada")
