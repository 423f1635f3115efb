"""The analysis board in a real browser: by mouse, by keys, on a phone; and the value bar of practice matches."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import expect

from connectoe import game_ids, load
from connectoe.analysis import small_table
from tests.web.browsing import DESKTOP, FIRST_COMPILE, LYING_PHONE, PHONE, begin_here

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module", autouse=True)
def _solved() -> None:
    """Tic-tac-toe is solved, as it is soon after somebody has opened it."""
    assert small_table(load("tic-tac-toe"))


def sees_values(person: Any, words: str) -> None:
    expect(person.page.locator("#value-bar")).to_contain_text(words, timeout=FIRST_COMPILE)


def sees_badges(person: Any, *labels: str) -> None:
    expect(person.page.locator("#marks .mark:visible .badge text")).to_have_text(list(labels), timeout=FIRST_COMPILE)


def test_moves_are_played_in_place_with_their_values_on_the_board(people: Any) -> None:
    ann = people(**DESKTOP)
    ann.open("/analyse/tic-tac-toe")
    ann.play("a1", 0)
    ann.play("b1", 1)
    assert ann.page.url.endswith("/analyse/tic-tac-toe?moves=a1+b1")
    sees_values(ann, "X: wins in 5")
    sees_badges(ann, "D", "W5", "W5", "D", "W5", "D", "D")
    expect(ann.page.locator("#marks .best")).to_have_count(3)
    expect(ann.page.locator("#explorer tbody tr")).to_have_count(7)
    expect(ann.button("b2")).to_have_attribute("aria-description", "wins in 5")
    expect(ann.page.locator("#graph-place rect.exact")).to_have_count(3, timeout=FIRST_COMPILE)
    expect(ann.page.locator("#graph-place svg")).to_have_attribute("aria-label", re.compile("2. b1 X: wins in 5"))


def test_the_browsers_back_takes_a_move_back_and_a_shared_link_shows_the_same(people: Any) -> None:
    ann, bob = people(**DESKTOP), people(**DESKTOP)
    ann.open("/analyse/connect-four")
    for ply, move in enumerate("ddc"):
        ann.play(move, ply)
    link = ann.page.locator("#board-link").input_value()
    assert link == ann.page.url
    ann.page.go_back()
    ann.sees_ply(2)
    ann.page.go_forward()
    ann.sees_ply(3)
    bob.open(link)
    bob.sees("After 3. c · O to move")
    assert bob.page.locator("#board .pieces > *").count() == 3


def test_a_link_pressed_while_a_move_is_on_its_way_is_followed(people: Any) -> None:
    ann = people(**DESKTOP)
    ann.open("/analyse/connect-four?moves=d&also=c+e")
    held: list[Any] = []
    ann.page.route("**", lambda route: held.append(route) if route.request.method == "POST" else route.continue_())
    with ann.page.expect_request(lambda request: request.method == "POST"):
        ann.button("g").click()
    ann.page.locator("#others a").first.click()
    ann.sees("After 1. d")
    held[0].continue_()
    ann.sees("After 1. c")


def test_keys_step_through_the_line_and_another_move_branches(people: Any) -> None:
    ann = people(**DESKTOP)
    ann.open("/analyse/connect-four?moves=d+d+c+e")
    ann.page.keyboard.press("ArrowLeft")
    ann.page.keyboard.press("ArrowLeft")
    ann.sees_ply(2)
    ann.page.keyboard.press("Home")
    ann.sees_ply(0)
    ann.page.keyboard.press("ArrowRight")
    ann.sees_ply(1)
    assert ann.page.url.endswith("?moves=d+d+c+e&ply=1")
    ann.button("f").focus()
    ann.page.keyboard.press("ArrowRight")  # on the board, arrows go from place to place
    ann.page.keyboard.press("Enter")
    ann.sees("After 2. g")
    expect(ann.page.locator("#others a").first).to_have_text("2. d c e")
    ann.page.locator("#others a").first.click()
    ann.sees("After 2. d")
    expect(ann.page.locator("#moves li")).to_have_count(4)
    ann.page.get_by_role("link", name="Remove the line 2. g").click()
    expect(ann.page.locator("#others")).to_have_count(0)


def test_a_move_is_played_from_the_explorer_and_continues_the_whole_line(people: Any) -> None:
    ann = people(**DESKTOP)
    ann.open("/analyse/tic-tac-toe?moves=b2+a1&ply=1")
    sees_values(ann, "O: draws")
    ann.page.get_by_role("button", name="Play a1", exact=True).click()
    ann.sees_ply(2)
    expect(ann.page.locator("#moves li")).to_have_count(2)
    ann.page.keyboard.press("ArrowLeft")
    ann.sees_ply(1)
    ann.page.get_by_role("button", name="Play c3", exact=True).click()
    ann.sees("After 2. c3")
    expect(ann.page.locator("#others a").first).to_have_text("2. a1")


def test_the_best_tool_is_named_and_each_tool_has_its_own_values(people: Any) -> None:
    ann = people(**DESKTOP)
    ann.open("/analyse/c4-twist?option-cols=4&option-rows=4&option-connect=3&moves=b+a+b+a")
    expect(ann.page.locator("#marks .mark.tool-0").first).to_be_visible(timeout=FIRST_COMPILE)
    expect(ann.page.locator("#marks .mark.tool-1").first).to_be_hidden()
    expect(ann.page.locator(".tool.best")).to_have_text("disc")
    ann.page.locator("#tool-1").check(force=True)
    expect(ann.page.locator("#marks .mark.tool-0").first).to_be_hidden()
    expect(ann.page.locator("#marks .mark.tool-1").first).to_be_visible()


def test_what_is_typed_is_explained_and_put_on_the_board(people: Any) -> None:
    ann = people(**DESKTOP)
    ann.open("/analyse/connect-four?moves=d")
    ann.unfolds("Set up a position, or paste moves")
    field = ann.page.get_by_label("A position, moves or a record")
    expect(field).to_have_value("7/7/7/7/7/3X3 O")
    field.fill("7/7/7/7/3X3/7 O")
    expect(ann.page.locator("#recognised")).to_contain_text("the disc on d2 floats")
    field.fill("7/7/7/7/7/2XOX2 O")
    expect(ann.page.locator("#recognised")).to_contain_text("a position of Connect Four, O to move")
    ann.page.get_by_role("button", name="Put it on the board").click()
    expect(ann.page.locator("#understood")).to_have_text("Understood as a position.")
    assert ann.page.locator("#board .pieces > *").count() == 3


@pytest.mark.parametrize("settings", [DESKTOP, PHONE], ids=["desktop", "phone"])
def test_a_position_is_set_up_by_hand_and_played_on(people: Any, settings: dict[str, Any]) -> None:
    ann = people(**settings)
    ann.open("/analyse/connect-four?moves=d")
    ann.unfolds("Set up a position, or paste moves")
    ann.page.get_by_role("link", name="Set it up on the board").click()
    cells, pieces = ann.page.locator("#board .targets button"), ann.page.locator("#board .pieces > *")
    expect(cells).to_have_count(42)
    expect(pieces).to_have_count(1)

    def press(tool: str, *names: str) -> None:
        ann.page.get_by_role("radio", name=tool).check(force=True)
        for name in names:
            ann.page.get_by_role("button", name=re.compile(f"^{name}:")).click()

    press("O's disc", "d3")
    expect(ann.page.locator("#status")).to_have_text("The disc on d3 floats: nothing is under it.")
    expect(ann.page.locator("#done")).to_be_disabled()
    press("O's disc", "d2", "d3")  # the second press takes a disc away
    expect(ann.page.locator("#status")).to_have_text("This position is possible: X to move.")
    press("X's disc", "e1")
    expect(ann.page.get_by_label("To move")).to_have_value("O")
    ann.page.get_by_label("To move").select_option("X")
    expect(ann.page.locator("#status")).to_contain_text("With X to move, X must have as many discs as O")
    ann.page.get_by_label("To move").select_option("O")
    expect(pieces).to_have_count(3)
    assert ann.page_fits()
    ann.page.get_by_role("link", name="Analyse this position").click()
    ann.sees("O to move")
    ann.play("d", 0)
    ann.page.get_by_role("link", name="Play on from here").click()
    expect(ann.page.get_by_label("I play X, who is to move")).to_be_checked()
    ann.page.get_by_label("Two of us, on this screen").check()
    ann.page.get_by_role("button", name="Start").click()
    ann.sees("X to move")
    expect(pieces).to_have_count(4)


@pytest.mark.parametrize("settings", [DESKTOP, PHONE], ids=["desktop", "phone"])
def test_pieces_that_face_somewhere_are_turned_by_pressing_again_and_played_on_against_an_engine(
    people: Any, settings: dict[str, Any]
) -> None:
    ann = people(**settings)
    ann.open("/analyse/advanced/set-up")
    for tool, name, facings in (("X4", "b2", ("north", "east", "south")), ("O2", "a1", ("north",))):
        ann.page.get_by_role("radio", name=tool).check(force=True)
        place = ann.page.get_by_role("button", name=re.compile(f"^{name}:"))
        for facing in facings:
            place.click()
            expect(place).to_have_accessible_name(f"{name}: {tool} facing {facing}")
    tool_box = ann.page.locator(".tool").last.bounding_box()
    assert tool_box
    assert min(tool_box["width"], tool_box["height"]) >= 38  # pixels: fingers
    assert ann.page_fits()
    expect(ann.page.locator("#draft")).to_have_value("X4Sb2,O2Na1 X -")
    ann.page.get_by_role("link", name="Analyse this position").click()
    ann.page.get_by_role("link", name="Play on from here").click()
    expect(ann.page.locator("#with-engine")).to_be_checked()
    ann.page.get_by_role("button", name="Start").click()
    ann.sees("Your turn")
    ann.play("1Na", 0)
    # The crown changes hands, so that the engine plays twice.
    expect(ann.page.locator("#match")).to_have_attribute("data-ply", "3", timeout=FIRST_COMPILE)


def test_a_position_is_set_up_with_the_keyboard(people: Any) -> None:
    ann = people(**DESKTOP)
    ann.open("/analyse/tic-tac-toe/set-up")
    ann.page.locator("#tool-0").focus()
    ann.page.keyboard.press("Tab")
    ann.page.keyboard.press("Enter")
    expect(ann.page.get_by_role("button", name="a3: X's mark")).to_be_focused()
    ann.page.keyboard.press("ArrowDown")
    expect(ann.page.get_by_role("button", name="a2: empty")).to_be_focused()


def test_every_board_fits_a_phone_and_is_played_with_a_finger(people: Any) -> None:
    ann = people(**PHONE)
    ann.open("/analyse")
    assert ann.page_fits()
    for game_id in game_ids():
        ann.open(f"/analyse/{game_id}")
        assert ann.page_fits(), game_id
    ann.open("/analyse/tic-tac-toe?moves=a1+b1")
    sees_values(ann, "X: wins in 5")
    ann.play("b2", 2)
    sees_values(ann, "O: loses in 4")
    ann.page.get_by_role("link", name="One move back").tap()
    ann.sees_ply(2)
    sees_values(ann, "X: wins in 5")
    assert ann.page_fits()


def test_numbers_are_readable_where_columns_are_narrow(people: Any) -> None:
    ann = people(**PHONE)
    for path in ("/analyse/ultimate?moves=e5", "/analyse/connect-four?option-cols=10&option-rows=5"):
        ann.open(path)
        badge = ann.page.locator("#marks .badge text").first
        expect(badge).to_be_visible(timeout=FIRST_COMPILE)
        ann.waits_for_styles()
        box = badge.bounding_box()
        assert box
        assert box["height"] >= 12  # pixels: letters of 10 and their descenders
        assert ann.page_fits()


def test_a_wide_board_on_a_phone_begins_with_the_middle_of_its_floor(people: Any) -> None:
    ann = people(**PHONE)
    begin_here(ann, "connect-four", "h", cols=16, rows=16)
    shown = ann.page.locator("#board .pieces > *").first
    board = "/analyse/connect-four?option-cols=16&option-rows=16&moves=h"
    for path in (ann.page.url, f"{ann.page.url}/analysis", board):
        ann.open(path)
        expect(shown).to_be_in_viewport(ratio=0.99)


def test_a_link_that_was_altered_is_explained(people: Any) -> None:
    ann = people(**DESKTOP)
    ann.open("/analyse/connect-four?moves=d+z")
    expect(ann.page.locator("main")).to_contain_text("is no move of connect-four")


def test_a_value_bar_can_be_switched_on_in_practice_and_is_remembered(people: Any) -> None:
    ann = people(**DESKTOP)
    begin_here(ann, "tic-tac-toe", "a1", "b1")
    expect(ann.page.locator("#value-bar")).to_be_hidden()
    ann.page.get_by_label("Value bar").check()
    sees_values(ann, "X: wins in 5")
    ann.play("b2", 2)
    sees_values(ann, "O: loses in 4")
    begin_here(ann, "tic-tac-toe", "a1", "b1")
    sees_values(ann, "X: wins in 5")
    ann.page.get_by_role("button", name="Hint").click()
    expect(ann.page.locator("#hints")).to_be_visible(timeout=FIRST_COMPILE)
    sees_values(ann, "X: wins in 5")
    ann.page.get_by_label("Value bar").uncheck()
    expect(ann.page.locator("#value-bar")).to_be_hidden()


def test_the_value_bar_is_long_enough_to_be_read_on_every_screen(people: Any) -> None:
    for settings in (DESKTOP, PHONE, LYING_PHONE):
        ann = people(**settings)
        ann.open("/analyse/tic-tac-toe?moves=a1+b1")
        sees_values(ann, "X: wins in 5")
        ann.waits_for_styles()
        box = ann.page.locator("#value-bar .track").bounding_box()
        assert box
        assert box["width"] >= 80


def test_there_is_no_value_bar_where_two_people_play(people: Any) -> None:
    ann = people(**DESKTOP)
    ann.open("/about")
    made = ann.begins({"game": "tic-tac-toe", "seats": [{"kind": "me"}, {"kind": "open"}]})
    ann.open(f"/matches/{made['id']}")
    ann.sees("Your turn")
    expect(ann.page.get_by_label("Value bar")).to_have_count(0)
