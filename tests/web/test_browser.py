"""People at real browsers: whole matches of every game through the buttons of the page."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, Route, WebSocketRoute, expect

from connectoe import Match, game_ids, load
from connectoe.client import join_by_link
from connectoe.web.app import UNLIMITED
from connectoe.web.demo import played_by_itself
from tests.web.serving import Process, Served, served

DESKTOP: dict[str, Any] = {"viewport": {"width": 1280, "height": 900}}
PHONE: dict[str, Any] = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
LYING_PHONE: dict[str, Any] = {**PHONE, "viewport": {"width": 844, "height": 390}}
FIRST_COMPILE = 300_000
"""Milliseconds that an engine may need to get ready, which happens once."""
NOTE_ANIMATIONS = """
window.animated = [];
const animate = Element.prototype.animate;
Element.prototype.animate = function (frames, timing) {
    window.animated.push({ piece: this.dataset.piece || this.dataset.panel, duration: timing.duration });
    return animate.call(this, frames, timing);
};
"""


NOTE_WHAT_IS_SAID_OF_THE_CONNECTION = """
window.said = [];
addEventListener("DOMContentLoaded", () => {
    const place = document.getElementById("connection");
    new MutationObserver(() => window.said.push(place.textContent)).observe(place, { childList: true });
});
"""


class Person:
    """Somebody at a browser of their own, who must never see a script fail."""

    def __init__(self, chromium: Browser, site: str, motion: str = "reduce", **settings: Any) -> None:
        self.site = site
        self.context: BrowserContext = chromium.new_context(reduced_motion=motion, **settings)  # type: ignore[arg-type]
        self.context.set_default_timeout(15_000)
        self.page: Page = self.context.new_page()
        self.failures: list[str] = []
        self.page.on("pageerror", lambda error: self.failures.append(str(error)))
        self.is_on_a_phone = settings.get("has_touch", False)

    def open(self, path: str) -> None:
        self.page.goto(path if path.startswith("http") else self.site + path)

    def choose_tool_of(self, move: str) -> None:
        """Takes the tool in hand that a move needs."""
        kind = self.button(move).get_attribute("class") or ""
        tool = re.search(r"tool-\d", kind)
        if tool:
            self.page.locator(f"#{tool[0]}").check(force=True)

    def button(self, move: str) -> Any:
        return self.page.locator(f'#board button[value="{move}"]')

    def play(self, move: str, ply: int) -> None:
        self.choose_tool_of(move)
        self.button(move).tap() if self.is_on_a_phone else self.button(move).click()
        self.sees_ply(ply + 1)

    def sees_ply(self, ply: int) -> None:
        expect(self.page.locator("#match")).to_have_attribute("data-ply", str(ply))

    def sees(self, words: str) -> None:
        expect(self.page.locator("#status")).to_contain_text(words)

    def leave(self) -> None:
        self.context.close()
        assert self.failures == []


@pytest.fixture
def people(chromium: Browser, site: Served) -> Iterator[Any]:
    """Makes people; they leave at the end."""
    made: list[Person] = []

    def person(**settings: Any) -> Person:
        made.append(Person(chromium, site.url, **settings))
        return made[-1]

    yield person
    for somebody in made:
        somebody.leave()


def begin_here(person: Person, game: str, *before: str, **options: int) -> None:
    """A match of two people at one screen, after some moves."""
    person.open("/about")
    seats = [{"kind": "me"}, {"kind": "me"}]
    made = person.page.evaluate(
        """async (wish) => {
            const headers = { "Content-Type": "application/json" };
            const body = JSON.stringify(wish);
            return (await (await fetch("/api/v1/matches", { method: "POST", headers, body })).json()).id;
        }""",
        {"game": game, "seats": seats, "moves": list(before), "options": options},
    )
    person.open(f"/matches/{made}")


@pytest.mark.parametrize("game_id", game_ids())
def test_two_people_play_a_whole_match_at_a_desk_and_on_a_phone(people: Any, site: Served, game_id: str) -> None:
    match = short_match() if game_id == "ultimate-ultimate" else played_by_itself(load(game_id), most=200)
    assert match.outcome
    ann, bob = people(**DESKTOP), people(**PHONE)
    ann.open(f"/new/{game_id}")
    ann.page.get_by_label("Me against a friend, through a link").check()
    ann.page.get_by_label("Your name, if you like").fill("Ann")
    for name, value in match.game.options.items():
        if value != getattr(load(game_id), name):
            ann.page.locator(f'[name="option-{name}"]').fill(str(value))
    ann.page.get_by_role("button", name="Start").click()
    bob.open(ann.page.locator("#join-link").input_value())
    bob.page.get_by_label("Your name, if you like").fill("Bob")
    bob.page.get_by_role("button", name="Join").click()
    expect(ann.page.locator("#seat-1")).to_contain_text("Bob")
    for ply in range(match.ply):
        turn = match.state_at(ply).turn
        mover, other = (ann, bob) if turn == 0 else (bob, ann)
        mover.play(match.moves[ply], ply)
        other.sees_ply(ply + 1)
    winner = match.outcome.winner
    for seat, person in enumerate((ann, bob)):
        person.sees("Draw" if winner is None else "You win" if winner == seat else "You lose")
        person.sees(match.outcome.reason)
        assert person.page.locator("#board button").count() == 0


def short_match() -> Match:
    """A whole match of ultimate-ultimate in 64 steps, in which both players want X to win."""
    match = Match(load("ultimate-ultimate", tallies=1))
    for move in """
        7.8.8 +7 7.8.6 +5 5.6.8 +7 7.8.1 +2 2.1.8 +7 4.3.8 +7 4.3.3 +4 4.3.6 +5 5.6.3 +4 7.7.8 +7 7.7.3 +4 7.7.6 +5
        5.6.2 +1 1.2.6 +5 1.2.3 +4 1.2.8 +7 4.1.8 +7 4.1.6 +5 4.1.2 +1 1.3.6 +5 1.3.1 +4 1.3.7 +9 9.7.8 +7 4.2.8 +7
        4.2.3 +1 4.2.6 +5 1.1.7 +4 1.1.6 +5 1.1.3 +1 7.9.4 +1 7.9.9 +7 7.9.2 +5
    """.split():
        match.play(move)
    return match


def test_a_match_is_played_with_the_keyboard_alone(people: Any) -> None:
    ann = people(**DESKTOP)
    begin_here(ann, "connect-four")
    keys = ann.page.keyboard
    ann.page.locator("#main").evaluate("main => { main.tabIndex = -1; main.focus(); }")
    for _ in range(10):
        keys.press("Tab")
        if ann.page.evaluate("document.activeElement.value") == "a":
            break
    here = 0
    for ply, column in enumerate((3, 4, 3, 4, 3, 4, 3)):
        while here != column:
            keys.press("ArrowRight" if column > here else "ArrowLeft")
            here += 1 if column > here else -1
        assert ann.page.evaluate("document.activeElement.value") == "abcdefg"[column]
        keys.press("Enter" if ply % 2 else "Space")
        ann.sees_ply(ply + 1)
    ann.sees("X wins: four discs d1-d4")


def test_arrow_keys_walk_a_board_of_boards(people: Any) -> None:
    ann = people(**DESKTOP)
    begin_here(ann, "ultimate")
    ann.button("a1").focus()
    for key, square in (("ArrowUp", "a2"), ("ArrowRight", "b2"), ("ArrowRight", "c2"), ("ArrowRight", "d2")):
        ann.page.keyboard.press(key)
        assert ann.page.evaluate("document.activeElement.value") == square


def test_a_match_is_played_without_scripts(people: Any) -> None:
    ann = people(java_script_enabled=False, **DESKTOP)
    ann.open("/new/c4-twist")
    ann.page.get_by_label("Two of us, on this screen").check()
    ann.page.get_by_role("button", name="Start").click()
    for move in ("d", "e", "d", "e", "d", "*d", "d", "e", "c", "e"):
        if move.startswith("*"):
            ann.page.locator("#tool-1").check(force=True)
            expect(ann.button("d")).to_be_hidden()
        ann.button(move).click()
        if move.startswith("*"):
            expect(ann.page.locator("#tool-1")).to_be_checked()  # it stays in hand
            ann.page.locator("#tool-0").check(force=True)
    ann.sees("O wins: four discs e1-e4")
    ann.page.get_by_role("button", name="Undo").click()
    ann.sees("O to move")
    ann.page.get_by_role("link", name="Replay and analysis").click()
    ann.page.get_by_role("link", name="To the start").click()
    ann.page.get_by_role("link", name="One move on").click()
    ann.sees("After 1. d")


def test_somebody_plays_an_engine_from_the_gallery_with_one_click(people: Any, site: Served) -> None:
    ann = people(**DESKTOP)
    ann.open("/")
    assert ann.page.locator(".game").count() == len(game_ids())
    ann.page.get_by_role("button", name="Play Tic-tac-toe").click()
    ann.sees("Your turn")
    expect(ann.page.locator("#seat-1")).to_contain_text("Medium engine")


def test_an_engine_answers_by_itself(people: Any) -> None:
    ann = people(**DESKTOP)
    ann.open("/new/tic-tac-toe")
    ann.page.get_by_label("How strong").select_option("random")
    ann.page.get_by_role("button", name="Start").click()
    ply = 0
    while ann.page.locator("#board button").count():
        ann.page.locator("#board button").first.click()
        ann.page.wait_for_function(
            "ply => Number(document.getElementById('match').dataset.ply) > ply + 1 || "
            "/win|lose|Draw/.test(document.getElementById('status').textContent)",
            arg=ply,
            timeout=FIRST_COMPILE,
        )
        ply = int(ann.page.locator("#match").get_attribute("data-ply") or 0)
    assert re.search("You win|You lose|Draw", ann.page.locator("#status").inner_text())


def test_undo_resign_and_draws_against_a_person_are_asked_for(people: Any, site: Served) -> None:
    ann, bob = people(**DESKTOP), people(**DESKTOP)
    ann.open("/new/connect-four")
    ann.page.get_by_label("Me against a friend, through a link").check()
    ann.page.get_by_role("button", name="Start").click()
    bob.open(ann.page.locator("#join-link").input_value())
    bob.page.get_by_role("button", name="Join").click()
    ann.play("d", 0)
    bob.sees("Your turn")
    ann.page.get_by_role("button", name="Ask for undo").click()
    bob.page.get_by_role("button", name="Accept").click()
    ann.sees_ply(0)
    ann.sees("Your turn")
    bob.page.get_by_role("button", name="Offer a draw").click()
    ann.page.get_by_role("button", name="Decline").click()
    expect(bob.page.locator("#offer-draw")).to_have_count(0)
    bob.page.locator("#resigning summary").click()
    bob.page.get_by_role("button", name="Yes, resign").click()
    ann.sees("You win: resignation")
    ann.page.get_by_role("button", name="Rematch, sides swapped").click()
    bob.page.get_by_role("link", name="Go to the rematch").click()
    bob.sees("Your turn")
    assert bob.page.url == ann.page.url


def test_everybody_sees_whether_the_other_one_is_there(people: Any) -> None:
    ann, bob = people(**DESKTOP), people(**DESKTOP)
    ann.open("/new/connect-four")
    ann.page.get_by_label("Me against a friend, through a link").check()
    ann.page.get_by_role("button", name="Start").click()
    bob.open(ann.page.locator("#join-link").input_value())
    bob.page.get_by_role("button", name="Join").click()
    expect(ann.page.locator("#seat-1 .presence")).to_have_text("here")
    bob.open("/about")
    expect(ann.page.locator("#seat-1 .presence")).to_have_text("away")


def test_somebody_who_comes_while_a_new_picture_is_on_its_way_is_seen(people: Any, site: Served) -> None:
    ann = people(**DESKTOP)
    ann.open("/new/connect-four")
    ann.page.get_by_label("Me against a friend, through a link").check()
    ann.page.get_by_role("button", name="Start").click()
    bob = join_by_link(ann.page.locator("#join-link").input_value())
    expect(ann.page.locator("#seat-1 .presence")).to_have_text("away")
    told: list[WebSocketRoute] = []
    ann.context.route_web_socket(re.compile("/live$"), lambda page_side: told.append(page_side))
    ann.page.reload()
    version = int(ann.page.locator("#match").get_attribute("data-version") or 0) + 1

    def come(route: Route) -> None:
        picture = route.fetch()
        seats = [{"kind": "person", "present": True}] * 2
        told[0].send(json.dumps({"version": version, "seats": seats}))
        route.fulfill(response=picture)

    ann.page.route("**/board?*", come)
    ann.play("d", 0)
    expect(ann.page.locator("#seat-1 .presence")).to_have_text("here")
    assert bob.read()["version"] == version


def test_somebody_who_watches_sees_moves_and_has_no_buttons(people: Any) -> None:
    ann, carl = people(**DESKTOP), people(**DESKTOP)
    begin_here(ann, "tic-tac-toe")
    carl.open(ann.page.url)
    assert carl.page.locator("#board button").count() == 0
    ann.play("b2", 0)
    carl.sees_ply(1)
    assert carl.page.get_by_role("button", name="Undo").count() == 0


def test_a_seat_moves_to_another_device_through_its_private_link(people: Any) -> None:
    desk, phone = people(**DESKTOP), people(**PHONE)
    desk.open("/new/connect-four")
    desk.page.get_by_label("Me against a friend, through a link").check()
    desk.page.get_by_role("button", name="Start").click()
    phone.open(desk.page.locator("#seat-link-0").input_value())
    phone.page.get_by_role("button", name="Play here").click()
    phone.play("d", 0)
    desk.sees_ply(1)
    desk.page.reload()
    assert desk.page.locator("#board button").count() == 0


def test_a_row_slides_before_its_pieces_fall(people: Any) -> None:
    ann = people(motion="no-preference", **DESKTOP)
    ann.context.add_init_script(NOTE_ANIMATIONS)
    begin_here(ann, "shift-tac-toe", "1", "1")
    ann.play("9", 2)
    animated = ann.page.evaluate("window.animated")
    assert [one["piece"] for one in animated] == ["piece-a1-1", "0", "piece-a2-2"]
    assert all(one["duration"] < 600 for one in animated)


def test_pieces_move_one_after_another_in_their_order(people: Any) -> None:
    ann = people(motion="no-preference", **DESKTOP)
    ann.context.add_init_script(NOTE_ANIMATIONS)
    begin_here(ann, "advanced", "4Nb")
    ann.play("1W3", 1)
    animated = [one["piece"] for one in ann.page.evaluate("window.animated")]
    # O's 1 is placed, moves, then X's 4 moves, and the crown passes.
    assert animated == ["piece-1-1", "piece-1-1", "piece-0-4", "crown"]


def test_whoever_has_seen_enough_presses_on_the_board(people: Any) -> None:
    ann = people(motion="no-preference", **DESKTOP)
    ann.context.add_init_script(NOTE_ANIMATIONS)
    begin_here(ann, "advanced", "4Nb")
    ann.button("1W3").click()
    ann.page.locator("#board svg.moving").dispatch_event("pointerdown")
    ann.sees_ply(2)
    assert len(ann.page.evaluate("window.animated")) < 4
    assert ann.page.locator('[data-piece="piece-0-4"]').get_attribute("transform") == "translate(1.5 0.5)"


def test_nothing_moves_for_those_who_want_it_calm(people: Any) -> None:
    ann = people(motion="reduce", **DESKTOP)
    ann.context.add_init_script(NOTE_ANIMATIONS)
    begin_here(ann, "shift-tac-toe", "1", "1")
    ann.play("9", 2)
    assert ann.page.evaluate("window.animated") == []


def test_the_place_where_a_disc_would_rest_is_shown_before_it_is_dropped(people: Any) -> None:
    ann = people(**DESKTOP)
    begin_here(ann, "connect-four", "d")
    ann.button("d").hover()
    ghost = ann.page.locator("#board .ghosts > g")
    expect(ghost).to_have_count(1)
    assert ghost.get_attribute("transform") == "translate(3.5 4.5)"
    ann.page.mouse.move(0, 0)
    expect(ghost).to_have_count(0)


def test_a_finger_that_holds_a_place_sees_the_move_and_a_tap_plays_it(people: Any) -> None:
    ann = people(**PHONE)
    begin_here(ann, "connect-four", "d")
    expect(ann.page.get_by_text("Hold a place to see")).to_be_visible()
    box = ann.button("d").bounding_box()
    finger = ann.context.new_cdp_session(ann.page)
    spot = {"x": box["x"] + box["width"] / 2, "y": box["y"] + box["height"] / 2}
    finger.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [spot]})
    ghost = ann.page.locator("#board .ghosts > g")
    expect(ghost).to_have_attribute("transform", "translate(3.5 4.5)")
    ann.page.wait_for_timeout(400)
    finger.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    expect(ghost).to_have_count(0)
    ann.sees_ply(1)
    ann.play("d", 1)


def test_one_move_is_one_new_picture(people: Any) -> None:
    ann = people(**DESKTOP)
    begin_here(ann, "connect-four")
    expect(ann.page.locator("#connection")).to_be_hidden()
    asked: list[str] = []
    ann.page.on("request", lambda request: asked.append(request.url) if "/board" in request.url else None)
    for ply, column in enumerate("abcdefgabc"):
        ann.play(column, ply)
    assert len(asked) == 10


def test_the_board_in_letters_goes_along_when_it_is_open(people: Any) -> None:
    ann = people(**DESKTOP)
    begin_here(ann, "connect-four")
    letters = ann.page.locator("#as-text pre")
    for ply, column in enumerate("ddd"):
        ann.play(column, ply)
        if ply == 0:
            expect(letters).to_have_count(0)
            ann.page.get_by_text("The board in letters").click()
        expect(letters).to_contain_text(("[X]", "[O]")[ply % 2])


def test_a_press_on_a_living_board_begins_its_game(people: Any) -> None:
    ann = people(**DESKTOP)
    ann.open("/")
    ann.page.locator(".game", has_text="Semaphores").locator(".picture").click(force=True)
    ann.sees("Your turn")
    expect(ann.page.get_by_role("heading", name="Semaphores")).to_be_visible()
    ann.open("/")
    ann.page.get_by_role("link", name="Rules of Semaphores").click()
    ann.page.wait_for_url("**/rules/semaphores")


def test_a_phone_shows_all_of_a_wide_board_when_the_match_is_over(people: Any) -> None:
    ann = people(**PHONE)
    match = short_match()
    begin_here(ann, "ultimate-ultimate", *match.moves[:-1], tallies=1)
    assert ann.page.locator("#board .stage").bounding_box()["width"] > 390
    ann.play(match.moves[-1], match.ply - 1)
    assert ann.page.locator("#board .stage").bounding_box()["width"] <= 390


@pytest.mark.parametrize("screen", [PHONE, LYING_PHONE])
def test_the_forced_board_fills_a_phone_and_its_buttons_fit_fingers(people: Any, screen: dict[str, Any]) -> None:
    ann = people(**screen)
    begin_here(ann, "ultimate-ultimate", "5.5.8", "+9")
    boxes = [button.bounding_box() for button in ann.page.locator("#board .targets button").all()]
    assert len(boxes) == 9
    window = ann.page.locator("#board .window").bounding_box()
    assert window
    for box in boxes:
        assert box
        assert min(box["width"], box["height"]) >= 24
        assert window["x"] <= box["x"]
        assert box["x"] + box["width"] <= window["x"] + window["width"]
        assert window["y"] <= box["y"]
        assert box["y"] + box["height"] <= window["y"] + window["height"]
    ann.page.get_by_label("show the whole board").check()
    whole = ann.page.locator("#board .targets button").first.bounding_box()
    assert whole
    assert whole["width"] < 24


def test_the_forced_board_is_in_view_after_one_has_scrolled_to_the_first_move(people: Any) -> None:
    ann = people(**PHONE)
    begin_here(ann, "ultimate-ultimate")
    ann.play("9.9.9", 0)
    box = ann.button("+1").bounding_box()
    window = ann.page.locator("#board .window").bounding_box()
    assert window["x"] <= box["x"]
    assert box["x"] + box["width"] <= window["x"] + window["width"]
    assert window["y"] <= box["y"]
    assert box["y"] + box["height"] <= window["y"] + window["height"]


def test_whoever_flips_a_zoomed_board_still_sees_where_to_play(people: Any) -> None:
    ann = people(**PHONE)
    begin_here(ann, "ultimate-ultimate", "1.3.2", "+6")
    ann.page.get_by_role("button", name="Flip").click()
    window = ann.page.locator("#board .window").bounding_box()
    boxes = [button.bounding_box() for button in ann.page.locator("#board .targets button").all()]
    assert len(boxes) == 9
    for box in boxes:
        assert window["x"] <= box["x"]
        assert box["x"] + box["width"] <= window["x"] + window["width"]
        assert window["y"] <= box["y"]
        assert box["y"] + box["height"] <= window["y"] + window["height"]
    one, nine = (ann.page.locator("#board .targets button").nth(number).bounding_box() for number in (0, 8))
    first = ann.page.locator("#board .targets button").first.get_attribute("value")
    assert first.endswith("1")
    assert one["x"] > nine["x"]  # turned round: what was on the upper left is on the lower right
    assert one["y"] > nine["y"]


def test_a_flipped_board_is_played_where_its_pieces_are_seen(people: Any) -> None:
    ann = people(**DESKTOP)
    begin_here(ann, "connect-four")
    ann.page.get_by_role("button", name="Flip").click()
    button = ann.button("a").bounding_box()
    ann.play("a", 0)
    disc = ann.page.locator('[data-piece="disc-a1"]').bounding_box()
    assert button["x"] <= disc["x"] + disc["width"] / 2 <= button["x"] + button["width"]
    assert ann.button("g").bounding_box()["x"] < button["x"]


@pytest.mark.parametrize(
    ("game_id", "options"), [("connect-four", {"cols": 1, "rows": 61}), ("semaphores", {"cols": 1, "rows": 24})]
)
@pytest.mark.parametrize("screen", [DESKTOP, PHONE])
def test_a_tall_board_is_not_many_screens_high(
    people: Any, game_id: str, options: dict[str, int], screen: dict[str, Any]
) -> None:
    ann = people(**screen)
    begin_here(ann, game_id, **options)
    assert ann.page.locator("#board .stage").bounding_box()["height"] < 2.2 * screen["viewport"]["height"]
    assert ann.page.locator("#board .targets button").first.bounding_box()["width"] >= 24


def test_your_matches_fit_a_small_phone(people: Any) -> None:
    ann = people(viewport={"width": 360, "height": 740}, has_touch=True, is_mobile=True)
    begin_here(ann, "ultimate-ultimate")
    ann.open("/new/ultimate-ultimate")
    ann.page.get_by_label("Me against a friend, through a link").check()
    ann.page.get_by_role("button", name="Start").click()
    ann.open("/new/connect-tac-toe")
    ann.page.get_by_role("button", name="Start").click()
    ann.open("/matches")
    assert ann.page.locator(".list tbody tr").count() == 3
    assert ann.page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_who_begins_is_not_asked_when_engines_play(people: Any) -> None:
    ann = people(**DESKTOP)
    ann.open("/new/connect-four")
    expect(ann.page.get_by_text("Who begins?")).to_be_visible()
    ann.page.get_by_label("Engine against engine, I watch").check()
    expect(ann.page.get_by_text("Who begins?")).to_be_hidden()


def lose_the_first_answer(person: Person, address: str) -> list[int]:
    """Lets requests through and loses the answer to the first; the statuses of all."""
    statuses: list[int] = []

    def lose(route: Route) -> None:
        answer = route.fetch()
        statuses.append(answer.status)
        if len(statuses) == 1:
            route.abort()
        else:
            route.fulfill(response=answer)

    person.page.route(address, lose)
    return statuses


def test_one_press_on_undo_takes_one_move_back_although_its_answer_gets_lost(people: Any) -> None:
    ann = people(**DESKTOP)
    begin_here(ann, "connect-four", "d", "d", "e")
    statuses = lose_the_first_answer(ann, "**/undo")
    with ann.page.expect_response("**/undo"):
        ann.page.get_by_role("button", name="Undo").click()
    assert statuses == [200, 200]
    expect(ann.page.locator("#match")).not_to_have_class(re.compile("sending"))
    ann.sees_ply(2)
    ann.page.reload()
    ann.sees_ply(2)


def test_a_resignation_whose_answer_gets_lost_is_no_problem(people: Any) -> None:
    ann = people(**DESKTOP)
    begin_here(ann, "connect-four", "d")
    statuses = lose_the_first_answer(ann, "**/resign")
    ann.page.locator("#resigning summary").click()
    with ann.page.expect_response("**/resign"):
        ann.page.get_by_role("button", name="Yes, resign").click()
    assert statuses == [200, 409]
    expect(ann.page.locator("#match")).not_to_have_class(re.compile("sending"))
    ann.sees("X wins: resignation")
    expect(ann.page.locator("#problem")).to_be_hidden()


def test_a_connection_that_died_silently_is_noticed_and_made_anew(people: Any) -> None:
    ann, carl = people(**DESKTOP), people(**DESKTOP)
    begin_here(ann, "connect-four")
    connections: list[WebSocketRoute] = []

    def die_at_first(page_side: WebSocketRoute) -> None:
        connections.append(page_side)
        if len(connections) > 1:
            page_side.connect_to_server()

    carl.context.route_web_socket(re.compile("/live$"), die_at_first)
    carl.context.add_init_script(NOTE_WHAT_IS_SAID_OF_THE_CONNECTION)
    carl.page.clock.install()
    carl.open(ann.page.url)
    carl.page.wait_for_function("document.readyState === 'complete'")
    ann.play("d", 0)
    carl.page.clock.fast_forward(30_000)
    assert len(connections) == 1
    carl.page.clock.fast_forward(15_000)
    carl.sees_ply(1)
    assert len(connections) == 2
    assert "reconnecting…" in carl.page.evaluate("window.said")
    expect(carl.page.locator("#connection")).to_be_hidden()


def test_somebody_who_goes_offline_is_told_and_catches_up(people: Any) -> None:
    ann, carl = people(**DESKTOP), people(**DESKTOP)
    begin_here(ann, "connect-four")
    carl.open(ann.page.url)
    ann.play("d", 0)
    carl.sees_ply(1)  # so the live connection stands
    carl.context.set_offline(True)
    expect(carl.page.locator("#connection")).to_have_text("reconnecting…")
    carl.context.set_offline(False)
    expect(carl.page.locator("#connection")).to_be_hidden()
    ann.play("e", 1)
    carl.sees_ply(2)


def test_a_refused_hint_says_why_and_can_be_asked_for_again(chromium: Browser, tmp_path: Path) -> None:
    with served(f"sqlite:///{tmp_path}/m.db", shares={**UNLIMITED, "analyse": (0, 1.0)}) as server:
        ann = Person(chromium, server.url, **DESKTOP)
        begin_here(ann, "tic-tac-toe", "a1")
        ann.page.get_by_role("button", name="Hint").click()
        expect(ann.page.locator("#problem")).to_contain_text("try again in")
        expect(ann.page.locator(".hint-form button")).to_have_text("Hint")
        ann.play("b2", 1)
        ann.leave()


def test_a_match_that_is_gone_is_said(people: Any, site: Served) -> None:
    ann = people(**DESKTOP)
    begin_here(ann, "tic-tac-toe")
    made = ann.page.url.rpartition("/")[2]
    with site.app.state.matches.storage.changing(made) as change:
        later = site.app.state.matches.stored(made).row.changed + 1
        change.expire(unfinished_before=later, finished_before=0)
    ann.button("b2").click()
    expect(ann.page.locator("#problem")).to_contain_text("there is no such match", ignore_case=True)


def test_what_was_refused_is_forgotten_with_the_next_move(people: Any) -> None:
    ann = people(**DESKTOP)
    begin_here(ann, "connect-four")
    statuses = []

    def refuse_once(route: Route) -> None:
        ahead = {"move": "e", "ply": 0}
        statuses.append(ann.context.request.post(route.request.url, data=ahead, headers={"Origin": ann.site}).status)
        route.continue_()

    ann.page.route("**/moves", refuse_once, times=1)
    ann.button("d").click()  # but from another tab, e was played first
    expect(ann.page.locator("#problem")).to_contain_text("has gone on")
    ann.sees_ply(1)
    expect(ann.page.locator("#problem")).to_contain_text("has gone on")
    elsewhere = {"move": "d", "ply": 1}
    moves = f"{ann.site}/api/v1{ann.page.url.removeprefix(ann.site)}/moves"
    assert ann.context.request.post(moves, data=elsewhere, headers={"Origin": ann.site}).status == 200
    ann.sees_ply(2)
    expect(ann.page.locator("#problem")).to_be_hidden()
    assert statuses == [200]


def test_that_an_engine_thinks_is_said_once(people: Any) -> None:
    ann = people(**DESKTOP)
    begin_here(ann, "connect-four")
    told: list[WebSocketRoute] = []

    def with_a_note(route: Route) -> None:
        page = route.fetch().text()
        assert page.count('<ul class="notes" id="notes">') == 1
        route.fulfill(
            body=page.replace('<ul class="notes" id="notes">', '<p id="note"></p><ul class="notes" id="notes">'),
            content_type="text/html",
        )

    ann.page.route(ann.page.url, with_a_note)
    ann.context.route_web_socket(re.compile("/live$"), lambda page_side: told.append(page_side))
    ann.page.reload()
    version = int(ann.page.locator("#match").get_attribute("data-version") or 0)
    for note, shown in (("preparing the engine", True), ("thinking", False)):
        told[0].send(json.dumps({"version": version, "note": note}))
        expect(ann.page.locator("#note")).to_be_visible(visible=shown)


def test_pages_are_never_wider_than_the_screen(people: Any) -> None:
    ann = people(**PHONE)
    for game_id in game_ids():
        begin_here(ann, game_id)
        assert ann.page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    for path in ("/", "/new/c4-twist", "/rules/advanced", "/rules/ultimate-ultimate", "/matches", "/analysis", "/docs"):
        ann.open(path)
        assert ann.page.evaluate("document.documentElement.scrollWidth <= innerWidth"), path


def test_a_move_made_while_the_server_is_away_is_played_once_it_is_back(chromium: Browser, tmp_path: Path) -> None:
    server = Process(f"sqlite:///{tmp_path}/matches.db")
    try:
        ann = Person(chromium, server.url, **DESKTOP)
        begin_here(ann, "connect-four")
        ann.play("d", 0)
        server.kill()
        expect(ann.page.locator("#connection")).to_contain_text("reconnecting")
        ann.button("e").click()
        expect(ann.page.locator("#connection")).to_contain_text("your move is kept")
        ann.page.wait_for_timeout(3000)  # in which the live connection is tried again, too
        expect(ann.page.locator("#connection")).to_contain_text("your move is kept")
        server.start_again()
        ann.sees_ply(2)
        expect(ann.page.locator("#connection")).to_be_hidden()
        ann.play("d", 2)
        expect(ann.page.locator("#moves li")).to_have_text(["1d", "2e", "3d"])
        ann.leave()
    finally:
        server.stop()


def test_the_analysis_steps_with_arrow_keys_marks_blunders_and_goes_on_from_anywhere(people: Any) -> None:
    ann = people(**DESKTOP)
    ann.open("/analysis")
    ann.page.get_by_label("Record").fill('[Connectoe "1"]\n[Game "tic-tac-toe"]\n\n1. a1 b1 2. b2 c1 3. c3 1-0\n')
    ann.page.get_by_role("button", name="Analyse").click()
    ann.sees("X wins")
    expect(ann.page.locator("#moves a.blunder")).to_have_text(["2b1"], timeout=FIRST_COMPILE)
    ann.page.keyboard.press("Home")
    ann.sees_ply(0)
    ann.page.keyboard.press("ArrowRight")
    ann.page.keyboard.press("ArrowRight")
    ann.sees_ply(2)
    expect(ann.page.locator("#verdict")).to_contain_text("a blunder")
    ann.page.get_by_role("link", name="Continue from here").click()
    ann.page.get_by_label("Two of us, on this screen").check()
    ann.page.get_by_role("button", name="Start").click()
    ann.sees_ply(2)
    ann.play("b2", 2)


def test_what_the_position_shown_is_worth_is_asked_for_first(people: Any) -> None:
    ann = people(**DESKTOP)
    begin_here(ann, "tic-tac-toe", "a1", "b1", "b2", "c1")
    asked: list[str] = []
    ann.page.on("request", lambda request: asked.append(request.url[-1]) if "/values/" in request.url else None)
    ann.open(f"{ann.page.url}/analysis?ply=3")
    expect(ann.page.locator("#verdict")).not_to_contain_text("still to be looked at", timeout=FIRST_COMPILE)
    assert asked == ["3", "2", "0", "1", "4"]


def test_the_analysis_goes_on_from_the_position_pieces_are_moving_to(people: Any) -> None:
    ann = people(motion="no-preference", **DESKTOP)
    begin_here(ann, "connect-four", "d", "e", "d", "e")
    ann.open(f"{ann.page.url}/analysis?ply=0")
    ann.page.keyboard.press("End")
    assert ann.page.locator("#go-on").get_attribute("href").endswith("ply=4")
    ann.sees_ply(4)
    assert ann.page.locator("#go-on").get_attribute("href").endswith("ply=4")
    expect(ann.page.get_by_text("Arrow keys step")).to_be_visible()


def test_arrow_keys_are_promised_only_where_scripts_run(people: Any) -> None:
    ann, carl = people(**DESKTOP), people(java_script_enabled=False, **DESKTOP)
    begin_here(ann, "connect-four", "d")
    carl.open(f"{ann.page.url}/analysis")
    expect(carl.page.get_by_role("link", name="To the start")).to_be_visible()
    expect(carl.page.get_by_text("Arrow keys step")).to_be_hidden()


def test_a_hint_shows_the_best_move(people: Any) -> None:
    ann = people(**DESKTOP)
    begin_here(ann, "tic-tac-toe", "a1", "b1", "b2", "c1")
    ann.page.get_by_role("button", name="Hint").click()
    expect(ann.page.locator("#hints")).to_contain_text("wins in 1", timeout=FIRST_COMPILE)
    expect(ann.page.locator("#board button.hint")).to_have_attribute("value", "c3")
