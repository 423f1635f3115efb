"""A real browser plays games of somebody's own, while they are being written."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from connectoe.core.own_games import offering
from tests.kit.loading import EXAMPLES
from tests.own import EIGHT_SQUARES, SYNTAX_ERROR, save
from tests.walk import WALK
from tests.web.browsing import PHONE, begin_here
from tests.web.serving import Served, served

SEVEN_SQUARES_SHOWN = (
    "elif self.rules.outcome(position) == ONGOING:",
    "elif square in self.rules.legal_moves(position):",
)
"""The places to press follow the rules."""

DOZEN = """from connectoe.kit import *

class Dozen(Recipe):
    id, name, summary = "dozen", "Dozen", "Three that make twelve."
    layout = grid(3, 3)
    pieces = numbers(*range(1, 13))
    moves = [place(f"{number}{{square}}", f"piece {number}") for number in range(1, 13)]
    ends = [total(12), full()]
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("own")


@pytest.fixture(scope="module")
def site(folder: Path) -> Iterator[Served]:
    save(folder / "notakto.py", SEVEN_SQUARES_SHOWN)
    save(folder / "walk.py", text=WALK)
    save(folder / "dozen.py", text=DOZEN)
    with (
        offering(
            *(folder / "notakto.py", folder / "walk.py", EXAMPLES / "pentago.py", folder / "dozen.py"),
            kept=folder / "own-games",
        ),
        served(f"sqlite:///{folder}/matches.db", at_home="127.0.0.1") as running,
    ):
        yield running


def test_an_own_game_is_played_with_a_friend_and_the_changed_rule_is_seen(people: Any, folder: Path) -> None:
    ann, bob = people(), people(**PHONE)
    ann.open("/")
    expect(ann.page.locator(".own-games h2").first).to_have_text("Notakto")
    ann.page.locator(".own-games").get_by_role("link", name="Notakto: choose opponent").click()
    ann.page.get_by_label("Me against a friend").check()
    ann.page.get_by_role("button", name="Start").click()
    bob.open(ann.page.locator("#join-link").input_value())
    bob.page.get_by_role("button", name="Join").click()
    ann.play("b2", 0)
    bob.sees_ply(1)
    bob.play("c3", 1)
    ann.sees_ply(2)

    ann.open("/")
    save(folder / "notakto.py", SEVEN_SQUARES_SHOWN, SYNTAX_ERROR)
    expect(ann.page.locator(".mistake strong")).to_have_text("notakto.py, line 42")  # the page follows by itself
    save(folder / "notakto.py", SEVEN_SQUARES_SHOWN, EIGHT_SQUARES)
    expect(ann.page.locator(".mistake")).to_have_count(0)

    bob.page.reload()
    expect(bob.page.locator("#outdated")).to_contain_text("The rules of this game have changed")
    expect(bob.page.locator("#board .targets button")).to_have_count(0)
    bob.page.locator("#outdated a").click()
    bob.page.get_by_label("Two of us, on this screen").check()
    bob.page.get_by_role("button", name="Start").click()
    bob.sees_ply(0)
    expect(bob.button("b2")).to_have_count(1)
    expect(bob.button("c3")).to_have_count(0)  # the new rule
    assert bob.page_fits()


@pytest.mark.parametrize("settings", [{}, PHONE, {"java_script_enabled": False}], ids=["desk", "phone", "no script"])
def test_a_move_of_two_presses_is_played(people: Any, settings: dict[str, Any]) -> None:
    person = people(**settings)
    if settings.get("java_script_enabled", True):
        begin_here(person, "walk")
    else:
        person.open("/new/walk")
        person.page.get_by_label("Two of us, on this screen").check()
        person.page.get_by_role("button", name="Start").click()
    expect(person.button("a1-a2")).not_to_be_visible()
    man = person.page.get_by_role("radio", name="take the man on a1")
    man.tap() if person.is_on_a_phone else man.click()
    expect(person.button("a1-b1")).to_be_visible()
    person.button("a1-a2").tap() if person.is_on_a_phone else person.button("a1-a2").click()
    person.sees_ply(1)
    expect(person.page.locator("#board .second button:visible")).to_have_count(0)
    person.sees("Black")
    expect(person.page.locator(".seat").first).to_contain_text("White")
    assert person.page.locator("#tool-0 + label svg text").text_content() == "→"
    assert person.page.locator("#seat-1 svg text").text_content() == "B"


@pytest.mark.parametrize("settings", [{}, PHONE], ids=["desk", "phone"])
def test_a_mark_is_put_and_a_quarter_turned_by_two_presses(people: Any, settings: dict[str, Any]) -> None:
    person = people(**settings)
    begin_here(person, "pentago")
    person.page.get_by_role("radio", name="put your mark on a3").click()
    turn = person.button("a3:d4r")
    assert turn.evaluate("button => getComputedStyle(button, '::after').content") == '"↻"'
    person.page.get_by_role("radio", name="put your mark on b3").click()  # chosen again
    expect(turn).not_to_be_visible()
    person.button("b3:a1l").click()
    person.sees_ply(1)
    expect(person.page.locator(".moves")).to_contain_text("b3:a1l")


def test_each_of_a_dozen_tools_has_its_own_places(people: Any) -> None:
    person = people()
    begin_here(person, "dozen")
    person.page.get_by_role("radio", name="piece 12").check()
    expect(person.page.locator("#board .targets button:visible")).to_have_count(9)
    person.button("12b2").click()
    person.sees_ply(1)
    expect(person.page.locator(".moves")).to_contain_text("12b2")


@pytest.mark.parametrize("colours", ["light", "dark"])
def test_no_page_of_an_own_game_has_a_serious_barrier(people: Any, folder: Path, colours: str) -> None:
    person = people(color_scheme=colours, viewport=PHONE["viewport"], bypass_csp=True)
    save(folder / "notakto.py", SYNTAX_ERROR)
    begin_here(person, "pentago")
    turning = person.page.url
    begin_here(person, "walk")
    for path in (turning, person.page.url, "/", "/rules/walk", "/new/walk"):
        person.open(path)
        found = Axe().run(person.page).response["violations"]
        assert [barrier["id"] for barrier in found if barrier["impact"] in ("serious", "critical")] == [], path
    save(folder / "notakto.py", SEVEN_SQUARES_SHOWN)


def test_two_presses_by_keyboard(people: Any) -> None:
    person = people()
    begin_here(person, "walk")
    person.page.get_by_role("radio", name="take the man on a1").focus()
    person.page.keyboard.press("Space")
    expect(person.button("a1-b1")).to_be_visible()
    person.page.keyboard.press("Tab")
    person.page.keyboard.press("Enter")
    person.sees_ply(1)


def test_sides_are_swapped_on_the_page(people: Any) -> None:
    ann, bob = people(), people(**PHONE)
    ann.open("/new/tic-tac-toe")
    ann.page.get_by_label("Me against a friend").check()
    ann.page.locator('input[name="option-swap"][value="yes"]').check()
    ann.page.get_by_role("button", name="Start").click()
    bob.open(ann.page.locator("#join-link").input_value())
    bob.page.get_by_role("button", name="Join").click()
    ann.play("b2", 0)
    expect(ann.page.locator("#swap")).to_have_count(0)
    bob.sees_ply(1)
    bob.page.get_by_role("button", name="Swap sides").tap()
    bob.sees_ply(2)
    ann.sees_ply(2)
    ann.sees("Your turn")
    expect(ann.page.locator("#seat-1 .who")).to_contain_text("you")
    expect(bob.page.locator("#seat-0 .who")).to_contain_text("you")
    ann.play("a1", 2)
    bob.sees("Your turn")
    assert bob.page_fits()
