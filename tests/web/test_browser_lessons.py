"""Lessons in a real browser: every one by mouse, on a phone and with the keyboard, one without scripts."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import expect

from connectoe import game_ids, load
from tests.web.browsing import DESKTOP, PHONE, Person, begin_here

pytestmark = pytest.mark.slow


def press(person: Person, move: str) -> None:
    person.choose_tool_of(move)
    activate(person, person.button(move))


def activate(person: Person, button: Any) -> None:
    button.tap() if person.is_on_a_phone else button.click()


def press_by_keys(person: Person, move: str) -> None:
    """Take the tool that a move needs by arrow keys, and press its place."""
    keys = person.page.keyboard
    kind = person.button(move).get_attribute("class") or ""
    if tool := re.search(r"tool-\d", kind):
        usable = person.page.locator(".tools input")
        usable.and_(person.page.locator(":checked")).focus()
        for _ in range(usable.count()):
            if not person.page.locator(f"#{tool[0]}").is_checked():
                keys.press("ArrowRight")
    person.button(move).focus()
    keys.press("Enter")


def learn(person: Person, game_id: str, press: Callable[[Person, str], None] = press) -> None:
    """Play a lesson to its end."""
    lesson = load(game_id).lessons
    person.open(f"/learn/{game_id}")
    for number, step in enumerate(lesson, start=1):
        expect(person.page.locator("h1")).to_have_text(step.title)
        for task in step.tasks:
            expect(person.page.locator("#task")).to_contain_text(task.words)
            press(person, task.moves[0])
            if task.says:
                expect(person.page.locator("#answer")).to_have_text(task.says)
        if number < len(lesson):
            activate(person, person.page.locator("#next"))
    expect(person.page.get_by_role("button", name="Now play easy")).to_be_visible()


def test_every_lesson_is_played_to_its_end_by_mouse(people: Any) -> None:
    ann = people(**DESKTOP)
    for game_id in game_ids():
        learn(ann, game_id)
    ann.page.get_by_role("button", name="Now play easy").click()
    expect(ann.page.locator("#seat-1")).to_contain_text("Easy engine")


def test_every_lesson_is_played_to_its_end_on_a_phone(people: Any) -> None:
    ann = people(**{**PHONE, "viewport": {"width": 360, "height": 740}})
    for game_id in game_ids():
        learn(ann, game_id)
        assert ann.page_fits(), game_id


def test_every_lesson_is_played_to_its_end_with_the_keyboard(people: Any) -> None:
    ann = people(**DESKTOP)
    for game_id in game_ids():
        learn(ann, game_id, press_by_keys)


def test_the_focus_goes_where_the_keyboard_needs_it(people: Any) -> None:
    ann = people(**DESKTOP)
    keys = ann.page.keyboard
    ann.open("/learn/tic-tac-toe/2")
    ann.button("b1").focus()
    keys.press("Enter")  # a mistake: the focus stays on the board
    expect(ann.page.locator("#answer")).to_contain_text("Then O plays a1")
    keys.press("ArrowLeft")
    keys.press("Enter")
    expect(ann.page.locator("#next")).to_be_focused()
    keys.press("Enter")
    expect(ann.page.locator("h1")).to_have_text("Two threats at once")
    expect(ann.page.locator("#board .targets button:focus")).to_have_count(1)
    ann.button("c3").focus()
    keys.press("Enter")
    expect(ann.page.locator("#task")).to_contain_text("Finish the other line")
    ann.button("b3").focus()
    keys.press("Enter")
    expect(ann.page.locator("#answer")).to_contain_text("X wins")


def test_a_lesson_is_played_without_scripts(people: Any) -> None:
    ann = people(java_script_enabled=False, **DESKTOP)
    learn(ann, "c4-twist")


def test_the_words_are_on_the_screen_after_a_press_below_them(people: Any) -> None:
    ann = people(**{**PHONE, "viewport": {"width": 360, "height": 600}})
    ann.open("/learn/ultimate-ultimate/2")
    for move, words in {"5.7.9": "Any second mark", "+1": "sent O to 3x3 board 9"}.items():
        ann.page.evaluate("scrollTo(0, document.body.scrollHeight)")
        press(ann, move)
        expect(ann.page.locator("#answer")).to_contain_text(words)
        expect(ann.page.locator("#answer")).to_be_in_viewport()


def test_a_mistake_a_hint_and_the_way_back(people: Any) -> None:
    ann = people(motion="no-preference", **DESKTOP)
    ann.open("/learn/advanced/4")
    press(ann, "1W2")
    expect(ann.page.locator("#answer.wrong")).to_contain_text("O's 5 blocks it")
    ann.page.get_by_role("link", name="Hint").click()
    ann.page.get_by_role("link", name="Show me the move").click()
    expect(ann.page.locator("#tool-3")).to_be_checked()
    ann.button("4W2").click()
    expect(ann.page.locator("#answer.right")).to_contain_text("three in line")  # after the animation
    ann.page.go_back()
    expect(ann.page.locator("#task")).to_contain_text("Only one piece pushes everything")
    ann.page.locator("#tool-1").click(force=True)  # it is of no use now, and says why
    expect(ann.page.locator("#refusal")).to_contain_text("X2 is not in hand")


def test_the_offer_of_a_lesson_goes_away(people: Any) -> None:
    ann = people(**DESKTOP)
    ann.open("/")
    ann.page.get_by_role("button", name="Play Connect Four").click()
    offer = ann.page.locator("#lesson-offer")
    expect(offer).to_contain_text("New to Connect Four?")
    expect(offer).to_have_css("position", "fixed")
    ann.page.wait_for_load_state()  # before the script is there, a press leads to a page without the offer
    ann.button("d").click()
    ann.sees_ply(2)
    expect(offer).to_have_css("position", "static")  # it would cover the end of the match
    ann.page.get_by_role("link", name="No, thanks").click()
    expect(ann.page.locator("#lesson-offer")).to_have_count(0)
    ann.page.reload()
    expect(ann.page.locator("#match")).to_be_visible()
    expect(ann.page.locator("#lesson-offer")).to_have_count(0)


def test_the_short_rules_are_one_key_or_tap_away_during_a_match(people: Any) -> None:
    ann = people(**DESKTOP)
    begin_here(ann, "advanced")
    rules = ann.page.locator("#how-to-play")
    expect(rules).to_be_hidden()
    ann.page.keyboard.press("?")
    expect(rules).to_contain_text("A 4 always moves")
    ann.page.keyboard.press("Escape")
    expect(rules).to_be_hidden()
    ann.play("4Nb", 0)
    eve = people(java_script_enabled=False, **PHONE)
    eve.open(ann.page.url)
    eve.page.get_by_role("button", name="How to play").tap()
    expect(eve.page.locator("#how-to-play")).to_be_visible()
    eve.page.get_by_role("button", name="Close").tap()
    expect(eve.page.locator("#how-to-play")).to_be_hidden()


def test_the_end_of_a_match_is_shown_on_a_card(people: Any) -> None:
    ann = people(motion="no-preference", **DESKTOP)
    begin_here(ann, "connect-four", *"d d e e f f".split())
    expect(ann.page.locator("#ended")).to_have_count(0)
    ann.play("g", 6)
    card = ann.page.locator("#ended")
    expect(card).to_contain_text("X wins")
    expect(card).to_contain_text("Four discs d1-g1, after 7 moves.")
    card.get_by_role("button", name="Share").click()
    expect(card.get_by_role("button", name="Link copied")).to_be_visible()
    card.get_by_role("link", name="Analyse").click()
    ann.page.wait_for_url("**/analysis")


def test_the_gallery_on_a_phone_shows_several_games_at_once(people: Any) -> None:
    ann = people(**{**PHONE, "viewport": {"width": 360, "height": 740}})
    ann.open("/")
    assert ann.page_fits()
    ends = [card.bounding_box() for card in ann.page.locator(".game").all()]
    assert len([box for box in ends if box and box["y"] + box["height"] <= 740]) >= 3


COUNT_SOUNDS = """
window.heard = 0;
const start = AudioScheduledSourceNode.prototype.start;
AudioScheduledSourceNode.prototype.start = function (...args) { window.heard += 1; return start.apply(this, args); };
"""


@pytest.mark.parametrize("motion", ["no-preference", "reduce"])
def test_sounds_are_off_until_they_are_switched_on(people: Any, motion: str) -> None:
    ann = people(motion=motion, **DESKTOP)
    ann.page.add_init_script(COUNT_SOUNDS)
    begin_here(ann, "c4-twist", "d")
    ann.play("d", 1)
    assert ann.page.evaluate("window.heard") == 0
    switch = ann.page.get_by_role("button", name="Sounds")
    expect(switch).to_have_attribute("aria-pressed", "false")
    switch.click()
    expect(switch).to_have_attribute("aria-pressed", "true")
    ann.page.reload()
    expect(switch).to_have_attribute("aria-pressed", "true")
    for ply, move in enumerate(["d", "*d", "c"], start=2):
        before = ann.page.evaluate("window.heard")
        ann.play(move, ply)
        assert ann.page.evaluate("window.heard") > before


SEEN = """
name => {
  window.seen = false;
  const look = () => { window.seen ||= Boolean(document.querySelector(name)); };
  new MutationObserver(look).observe(document.querySelector("#board"), { childList: true, subtree: true });
}
"""


SLID = """
() => {
  window.slid = [];
  const animate = Element.prototype.animate;
  Element.prototype.animate = function (...args) {
    window.slid.push(this.classList[0]);
    return animate.apply(this, args);
  };
}
"""


def test_a_row_slides_with_all_its_places(people: Any) -> None:
    ann = people(motion="no-preference", **DESKTOP)
    begin_here(ann, "shift-tac-toe", "2")
    ann.page.evaluate(SLID)
    ann.play("9", 1)
    slid = ann.page.evaluate("window.slid")
    assert (slid.count("f-board"), slid.count("f-square"), slid.count("f-outside")) == (1, 3, 2)


def test_discs_fall_behind_the_board_and_a_bomb_makes_sparks(people: Any) -> None:
    ann = people(motion="no-preference", **DESKTOP)
    begin_here(ann, "c4-twist", "d", "d", "d")
    signs = {"c": "[clip-path] [data-piece]", "*d": ".stage > svg > g > .f-gold"}
    for ply, (move, sign) in enumerate(signs.items(), start=3):
        ann.page.evaluate(SEEN, f"#board {sign}")
        ann.play(move, ply)
        assert ann.page.evaluate("window.seen"), move
        expect(ann.page.locator(f"#board {sign}")).to_have_count(0)
    expect(ann.page.locator("#board .pieces [data-kind=disc]")).to_have_count(1)
