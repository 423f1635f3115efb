"""What people who had never seen the site stumbled over, in a real browser."""

from __future__ import annotations

import json
import re
from typing import Any
from urllib.parse import quote_plus

import pytest
from playwright.sync_api import Route, WebSocketRoute, expect

from connectoe import game_ids
from tests.web.browsing import DESKTOP, LYING_PHONE, PHONE, begin_here, short_match

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


def test_a_flipped_board_can_be_flipped_back(people: Any) -> None:
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
    expect(ann.page.locator("main form")).not_to_contain_text(re.compile(r"\bbit|62"))
    ann.open("/new/semaphores")
    ann.page.get_by_label("Columns of the board").fill("5")
    ann.page.get_by_label("Rows of the board").fill("5")
    ann.page.get_by_role("button", name="Start").click()
    expect(ann.page.get_by_role("alert")).to_have_text(
        "A board of 5 rows and 5 columns is too large: it may have at most 24 squares."
    )
    ann.page.get_by_label("Rows of the board").fill("4")
    ann.page.get_by_role("button", name="Start").click()
    ann.sees("Your turn")


def test_a_disc_dropped_at_the_top_of_a_column_falls_to_where_it_first_rests(people: Any) -> None:
    ann = people(**DESKTOP)
    begin_here(ann, "connect-tac-toe", "d1", "d2", "+c2", "+a1")

    def press(square: str) -> None:
        column, row = "abcdefg".index(square[0]), int(square[1])
        box = ann.page.locator("#board .stage").bounding_box()
        ratio = box["width"] / ann.page.locator("#board .stage > svg").evaluate("svg => svg.viewBox.baseVal.width")
        left, top = ann.page.evaluate("(({ x, y }) => [x, y])(document.querySelector('#board svg').viewBox.baseVal)")
        ann.page.mouse.click(box["x"] + (column + 0.5 - left) * ratio, box["y"] + (6.5 - row - top) * ratio)

    for ply, (pressed, rests) in enumerate((("d6", "d3"), ("c6", "c3"), ("a5", "a2"), ("g4", "g1")), start=4):
        press(pressed)
        ann.sees_ply(ply + 1)
        expect(ann.page.locator("#moves [aria-current]")).to_have_text(f"{ply + 1}{rests}")
    press("d3")
    expect(ann.page.locator("#refusal")).to_have_text("There is a piece on d3 already.")
    ann.sees_ply(8)


def refused(person: Any, move: str) -> Any:
    return person.page.locator(f'#board .refusals button[value="{move}"]')


@pytest.mark.parametrize(
    ("game", "moves", "move", "why"),
    [
        ("tic-tac-toe", "b2", "b2", "There is a mark on b2 already."),
        ("ultimate", "e5", "a1", "O was sent to board d4-f6 and must play there."),
        ("ultimate-ultimate", "5.5.8 +9", "1.1.1", "O was sent to board 9.8 and must play there."),
        ("ultimate-ultimate", "5.5.8", "+8", "There is a mark on cell 5.5.8 already."),
        ("semaphores", "b2 b2 b2", "b2", "The light on b2 is red, and red stays."),
        ("connect-four", "d d d d d d", "d", "Column d is full."),
        ("connect-tac-toe", "d1 d2", "d1", "There is a piece on d1 already."),
        ("shift-tac-toe", "1", "4", "The top slider is fully right already."),
        ("advanced", "4Nb", "2Nb", "X4 waits on edge place Nb already."),
    ],
)
def test_a_refused_press_says_why_in_the_words_of_the_rules(
    people: Any, game: str, moves: str, move: str, why: str
) -> None:
    ann = people(**DESKTOP)
    begin_here(ann, game, *moves.split())
    ann.choose_tool_of(ann.page.locator("#board .targets button").first.get_attribute("value"))
    if game == "advanced":
        ann.page.locator("#tool-1").check(force=True)
    refused(ann, move).click(force=True)  # it is disabled for assistive tools
    expect(ann.page.locator("#status #refusal")).to_have_text(why)
    ann.sees_ply(len(moves.split()))
    ann.page.locator("#board .targets button:visible").first.click()
    ann.sees_ply(len(moves.split()) + 1)
    expect(ann.page.locator("#refusal")).to_be_hidden()


TOOLS_OF_NO_USE = [
    ("c4-twist", "*a d", "bomb", "X has no bomb left."),
    ("connect-tac-toe", "", "mark", "No mark may be placed while no disc is on the board."),
    ("connect-tac-toe", "a1 b1 +c1 d1", "mark", "X owes a disc, having placed a mark the turn before."),
    ("advanced", "4Nb 1W1 2E1", "piece 4", "X4 is not in hand: it stands on b3."),
]


def test_a_tool_of_no_use_says_why_when_it_is_pressed(people: Any) -> None:
    ann = people(**DESKTOP)
    for game, moves, tool, why in TOOLS_OF_NO_USE:
        begin_here(ann, game, *moves.split())
        shown = ann.page.locator("#status #refusal")
        expect(shown).to_be_hidden()
        ann.page.get_by_role("button", name=f"{tool}: {why}").click(force=True)  # it is disabled for assistive tools
        expect(shown).to_have_text(why)
        ann.page.locator("#board .targets button:visible").first.click(force=True)
        ann.sees_ply(len(moves.split()) + 1)
        expect(shown).to_be_hidden()


def test_a_tool_of_no_use_says_why_when_it_is_reached_by_keys(people: Any) -> None:
    ann = people(**DESKTOP)
    for game, moves, tool, why in TOOLS_OF_NO_USE:
        ann.open(f"/analyse/{game}?moves={quote_plus(moves)}")
        ann.page.locator(".tool input:checked").focus()
        ann.page.keyboard.press("Tab")
        expect(ann.page.get_by_role("button", name=f"{tool}: {why}")).to_be_focused()
        expect(ann.page.locator("#status #refusal")).to_have_text(why)
        ann.page.keyboard.press("Enter")  # does not play
        ann.sees_ply(len(moves.split()))


def test_a_refused_press_on_the_analysis_board_says_why(people: Any) -> None:
    ann = people(**DESKTOP)
    ann.open("/analyse/connect-four?moves=d+d+d+d+d+d")
    refused(ann, "d").click(force=True)
    expect(ann.page.locator("#refusal")).to_have_text("Column d is full.")
    ann.play("c", 6)
    expect(ann.page.locator("#refusal")).to_be_hidden()


def test_a_refused_place_is_reached_by_keys_and_says_why(people: Any) -> None:
    ann = people(**DESKTOP)
    begin_here(ann, "tic-tac-toe", "b2")
    ann.button("a2").focus()
    ann.page.keyboard.press("ArrowRight")
    expect(refused(ann, "b2")).to_be_focused()
    expect(refused(ann, "b2")).to_have_attribute("aria-disabled", "true")
    ann.page.keyboard.press("Enter")
    expect(ann.page.get_by_role("status").filter(has_text="There is a mark on b2 already.")).to_be_visible()
    ann.page.keyboard.press("ArrowRight")
    ann.page.keyboard.press("Enter")
    ann.sees_ply(2)
    assert ann.page.evaluate("document.activeElement.closest('.targets') !== null")


def test_without_scripts_a_refused_press_leads_to_the_reason(people: Any) -> None:
    ann = people(java_script_enabled=False, **DESKTOP)
    ann.open("/new/tic-tac-toe")
    ann.page.get_by_label("Two of us, on this screen").check()
    ann.page.get_by_role("button", name="Start").click()
    ann.play("b2", 0)
    ann.page.wait_for_load_state()  # a forced press does not wait until the place has stopped moving
    refused(ann, "b2").click(force=True)
    expect(ann.page.locator(".lead")).to_contain_text("there is a mark on b2 already")


def test_a_press_beside_all_places_says_what_can_be_done(people: Any) -> None:
    ann, carl = people(**DESKTOP), people(**DESKTOP)
    begin_here(ann, "advanced", "4Nb", "1W3")
    carl.open(ann.page.url)
    middle = {"x": 0, "y": 0}
    for person, words in ((ann, "Choose a piece and put it on an edge place"), (carl, "You only watch this match.")):
        box = person.page.locator("#board .stage").bounding_box()
        middle = {"x": box["width"] / 2, "y": box["height"] * 0.55}
        person.page.locator("#board .stage").click(position=middle)
        expect(person.page.locator("#refusal")).to_contain_text(words)


def test_beside_the_board_stand_how_to_win_and_what_one_may_do(people: Any) -> None:
    ann = people(**DESKTOP)
    begin_here(ann, "connect-tac-toe", "d1")
    guide = ann.page.locator("#guide")
    expect(guide).to_contain_text("Get four of your discs, or three of your marks, in line.")
    expect(guide).to_contain_text("Drop a disc, or place a mark no higher than the highest disc")
    assert guide.bounding_box()["x"] > ann.page.locator("#board .window").bounding_box()["x"]
    ann.play("+a1", 1)
    ann.play("e1", 2)
    expect(guide).to_contain_text("you owe one")


def two_at_their_screens(people: Any, screen: dict[str, Any]) -> tuple[Any, Any]:
    """Ann, who has begun a match, and Bob, who has joined by her link."""
    ann, bob = people(**screen), people(**screen)
    ann.open("/new/connect-four")
    ann.page.get_by_label("Me against a friend, through a link").check()
    ann.page.get_by_label("Your name, if you like").fill("Ann")
    ann.page.get_by_role("button", name="Start").click()
    bob.open(ann.page.locator("#join-link").input_value())
    bob.page.get_by_label("Your name, if you like").fill("Bob")
    bob.page.get_by_role("button", name="Join").click()
    return ann, bob


@pytest.mark.parametrize("screen", [PHONE, LYING_PHONE])
def test_an_offer_is_seen_on_a_phone_when_it_comes(people: Any, screen: dict[str, Any]) -> None:
    ann, bob = two_at_their_screens(people, screen)
    ann.play("d", 0)
    bob.sees("Your turn")
    ann.page.get_by_role("button", name="Offer a draw").click()
    for words in ("Ann offers a draw.", "Accept", "Decline"):
        expect(bob.page.locator("#asked").get_by_text(words)).to_be_in_viewport(ratio=0.99)
    bob.page.get_by_role("button", name="Accept").click()
    ann.sees("Draw")


def test_a_player_learns_that_a_draw_was_declined_and_does_not_offer_it_again(people: Any) -> None:
    ann, bob = two_at_their_screens(people, PHONE)
    offer = ann.page.get_by_role("button", name="Offer a draw")
    ann.play("d", 0)
    offer.click()
    bob.page.get_by_role("button", name="Decline").click()
    told = ann.page.locator("#status .answer")
    expect(told).to_have_text("Bob declined a draw")
    expect(offer).to_be_disabled()
    expect(offer).to_have_attribute("title", "again after your next move")
    bob.play("d", 1)
    ann.sees("Your turn")
    expect(offer).to_be_disabled()
    ann.play("d", 2)
    expect(offer).to_be_enabled()
    expect(told).to_have_count(0)
    offer.click()
    bob.play("d", 3)  # to play on is to decline
    expect(told).to_contain_text("Bob declined a draw")


@pytest.mark.parametrize("game", ["ultimate-ultimate", "c4-twist", "advanced", "ultimate"])
def test_a_whole_board_fits_the_window(people: Any, game: str) -> None:
    ann = people(viewport={"width": 1280, "height": 800})
    begin_here(ann, game)
    ann.waits_for_styles()
    expect(ann.page.locator("#board")).to_be_in_viewport(ratio=0.99)


@pytest.mark.parametrize("game", game_ids())
def test_board_and_status_are_seen_together_on_a_phone_that_lies(people: Any, game: str) -> None:
    ann = people(**LYING_PHONE)
    begin_here(ann, game)
    ann.waits_for_styles()
    for part in ("#board .window", "#status", "#goal", "#now"):
        expect(ann.page.locator(part)).to_be_in_viewport(ratio=0.99)
    assert ann.page_fits()


@pytest.mark.parametrize("scripts", [True, False])
@pytest.mark.parametrize("before", [(), ("5.5.8", "+9")])
def test_a_tap_on_the_tiny_cells_of_a_whole_board_comes_closer_and_plays_nothing(
    people: Any, scripts: bool, before: tuple[str, ...]
) -> None:
    ann, bob = people(**PHONE), people(java_script_enabled=scripts, **PHONE)
    begin_here(ann, "ultimate-ultimate", *before)
    bob.open(ann.page.locator("#seat-link-0").input_value())
    bob.page.get_by_role("button", name="Play here").click()
    bob.open(ann.page.locator("#seat-link-1").input_value())
    bob.page.get_by_role("button", name="Play here").click()
    whole = bob.page.get_by_label("show the whole board")
    whole.check()
    cell = bob.page.locator('#board .targets button[value^="9.8.1"]')
    box = cell.bounding_box()
    assert box["width"] < 24
    bob.page.touchscreen.tap(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    expect(whole).not_to_be_checked()
    bob.sees_ply(len(before))
    if scripts or before:
        expect(cell).to_be_in_viewport(ratio=0.99)
        assert cell.bounding_box()["width"] >= 24
        cell.tap()
        bob.sees_ply(len(before) + 1)


@pytest.mark.parametrize("scripts", [True, False])
def test_a_name_is_remembered_until_it_is_taken_out(people: Any, scripts: bool) -> None:
    ann = people(java_script_enabled=scripts, **DESKTOP)
    name, other = ann.page.get_by_label("Your name, if you like"), ann.page.get_by_label("The other player's name")
    ann.open("/new/tic-tac-toe")
    expect(other).to_be_hidden()
    ann.page.get_by_label("Two of us, on this screen").check()
    name.fill("Änne & Co")
    other.fill("Bob")
    ann.page.get_by_role("button", name="Start").click()
    for seat, expected in ((0, "Änne & Co"), (1, "Bob")):
        expect(ann.page.locator(f"#seat-{seat} .name")).to_have_text(expected)
    ann.open("/")
    ann.page.get_by_role("button", name="Play Tic-tac-toe").click()
    expect(ann.page.locator("#seat-0 .name")).to_have_text("Änne & Co")
    ann.open("/new/connect-four")
    expect(name).to_have_value("Änne & Co")
    expect(other).to_have_value("Bob")
    name.fill("")
    ann.page.get_by_role("button", name="Start").click()
    expect(ann.page.locator("#seat-0 .name")).to_have_text("X")
    ann.open("/new/connect-four")
    expect(name).to_have_value("")


def test_a_name_given_once_stands_in_the_next_invitation(people: Any) -> None:
    ann, bob = two_at_their_screens(people, DESKTOP)
    ann.open("/new/tic-tac-toe")
    ann.page.get_by_label("Me against a friend, through a link").check()
    ann.page.get_by_role("button", name="Start").click()
    bob.open(ann.page.locator("#join-link").input_value())
    expect(bob.page.get_by_role("heading")).to_have_text("Ann invites you to Tic-tac-toe")
    expect(bob.page.get_by_label("Your name, if you like")).to_have_value("Bob")
