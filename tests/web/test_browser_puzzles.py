"""Puzzles in a real browser: the one of the day solved and failed, and practice by theme that adapts."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import expect

from connectoe import load
from connectoe.puzzles.exercise import exercise_of
from connectoe.puzzles.grading import grade
from connectoe.puzzles.puzzle import Puzzle
from connectoe.puzzles.store import puzzle_of, puzzles_of
from connectoe.puzzles.themes import themes
from tests.web.browsing import DESKTOP, PHONE, Person
from tests.web.test_browser_lessons import press

pytestmark = pytest.mark.slow


def puzzle_on(person: Person) -> Puzzle:
    address = person.page.locator("#match").get_attribute("data-address") or ""
    _, _, game_id, puzzle_id = address.split("/")
    return puzzle_of(load(game_id), puzzle_id)


def solve(person: Person) -> None:
    for task in exercise_of(puzzle_on(person)).tasks:
        expect(person.page.locator("#task")).to_contain_text(task.words)
        press(person, task.right)
    expect(person.page.locator("#next")).to_be_visible()


def fail(person: Person) -> None:
    puzzle = puzzle_on(person)
    press(person, next(move for move in puzzle.state.legal_moves() if move != puzzle.solution))
    expect(person.page.locator("#answer.wrong")).to_be_visible()


@pytest.mark.parametrize("how", [DESKTOP, PHONE, {**DESKTOP, "java_script_enabled": False}])
def test_the_puzzle_of_the_day_is_solved_and_failed(people: Any, how: dict[str, Any]) -> None:
    ann = people(**how)
    progress = ann.page.locator("#progress")
    ann.open("/puzzles/connect-four")
    solve(ann)
    expect(progress).to_contain_text("Puzzle of the day: 1 day in a row")
    ann.open("/puzzles/semaphores")
    fail(ann)
    expect(progress).to_contain_text("0 of 1 solved")
    solve(ann)  # it can be tried again, but does not count
    expect(progress).to_contain_text("0 of 1 solved")
    assert ann.page_fits()
    ann.open("/puzzles")
    expect(ann.page.locator(".game", has_text="Connect Four").first).to_contain_text("1 day in a row")
    assert ann.page_fits()


def test_practice_by_theme_adapts(people: Any) -> None:
    ann = people(**PHONE)
    ann.open("/puzzles")
    ann.page.get_by_role("link", name="Connect Tac Toe: practice").tap()
    ann.page.get_by_label("Theme").select_option("mark")
    ann.page.get_by_role("button", name="Begin").tap()
    grades = []
    for _ in range(5):
        assert "mark" in themes(puzzle_on(ann))
        grades.append(grade(puzzle_on(ann)))
        solve(ann)
        ann.page.locator("#next").tap()
        expect(ann.page.locator("#task")).to_be_visible()
    assert (grades[0], grades[-1]) == (1, 2)
    expect(ann.page.locator("#progress")).to_contain_text("5 solved in a row")
    fail(ann)
    ann.page.locator("#skip").tap()
    fail(ann)
    expect(ann.page.locator("#progress")).to_contain_text("grade 1 suits you")


def test_a_phone_shows_all_places_of_a_puzzle(people: Any) -> None:
    ann = people(**{**PHONE, "viewport": {"width": 390, "height": 664}})
    for game_id in ("connect-four", "c4-twist", "connect-tac-toe", "ultimate"):
        ann.open(f"/puzzles/{game_id}/{puzzles_of(load(game_id))[0].id}")
        ann.waits_for_styles()
        for place in ann.page.locator("#board .targets button:visible").all():
            expect(place).to_be_in_viewport(ratio=1)


def test_a_puzzle_is_solved_with_the_keyboard_alone(people: Any) -> None:
    ann = people(**DESKTOP)
    ann.open("/puzzles/connect-four/practice")
    ann.page.get_by_role("button", name="Begin").focus()
    ann.page.keyboard.press("Enter")
    ann.page.wait_for_url(re.compile("/connect-four/[0-9a-f]{10}$"))  # with its script, which moves the focus
    for task in exercise_of(puzzle_on(ann)).tasks:
        expect(ann.page.locator("#task")).to_contain_text(task.words)
        ann.button(task.right).focus()
        ann.page.keyboard.press("Enter")
    expect(ann.page.locator("#next")).to_be_focused()
