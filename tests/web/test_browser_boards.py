"""Boards in a real browser: how pieces move, what a finger or a mouse is shown, and how boards fit a screen."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import expect

from connectoe import Match, game_ids, load
from tests.web.browsing import DESKTOP, LYING_PHONE, PHONE, begin_here, short_match

pytestmark = pytest.mark.slow

NOTE_ANIMATIONS = """
window.animated = [];
const animate = Element.prototype.animate;
Element.prototype.animate = function (frames, timing) {
    window.animated.push({ piece: this.dataset.piece || this.dataset.panel, duration: timing.duration });
    return animate.call(this, frames, timing);
};
"""


NOTE_PRESSES_AND_REQUESTS = """
window.presses = 0;
addEventListener("click", (event) => window.presses += event.detail > 0);
window.requests = [];
const ask = window.fetch;
window.fetch = (path, ...more) => (window.requests.push(path), ask(path, ...more));
"""


def test_arrow_keys_walk_a_board_of_boards(people: Any) -> None:
    ann = people(**DESKTOP)
    begin_here(ann, "ultimate")
    ann.button("a1").focus()
    for key, square in (("ArrowUp", "a2"), ("ArrowRight", "b2"), ("ArrowRight", "c2"), ("ArrowRight", "d2")):
        ann.page.keyboard.press(key)
        assert ann.page.evaluate("document.activeElement.value") == square


def test_tab_stops_at_the_board_once_where_one_was_last(people: Any) -> None:
    ann = people(**DESKTOP)
    begin_here(ann, "ultimate")
    keys, hint = ann.page.keyboard, ann.page.get_by_text("Arrow keys go from place to place")
    focused = "document.activeElement.closest('#board') && document.activeElement.value"
    ann.page.locator(".match-head a").focus()
    expect(hint).to_be_hidden()
    keys.press("Tab")
    first = ann.page.evaluate(focused)
    assert first
    expect(hint).to_be_visible()
    keys.press("Tab")
    assert ann.page.evaluate(focused) is None
    keys.press("Shift+Tab")
    assert ann.page.evaluate(focused) == first
    ann.button("e5").focus()
    keys.press("ArrowRight")
    keys.press("Tab")
    keys.press("Shift+Tab")
    assert ann.page.evaluate(focused) == "f5"
    keys.press("Enter")
    ann.sees_ply(1)
    keys.press("Tab")
    assert ann.page.evaluate(focused) is None
    keys.press("Shift+Tab")
    assert ann.page.evaluate(focused)  # somewhere on the board that X has sent O to


def test_tab_finds_the_places_of_the_tool_in_hand(people: Any) -> None:
    ann = people(**DESKTOP)
    begin_here(ann, "c4-twist")
    ann.button("d").focus()
    ann.page.keyboard.press("Shift+Tab")
    ann.page.keyboard.press("ArrowRight")
    expect(ann.page.locator("#tool-1")).to_be_checked()
    ann.page.keyboard.press("Tab")
    assert ann.page.evaluate("document.activeElement.value") == "*a"


def test_without_scripts_tab_reaches_every_place(people: Any) -> None:
    ann = people(java_script_enabled=False, **DESKTOP)
    ann.open("/new/tic-tac-toe")
    ann.page.get_by_role("button", name="Start").click()
    buttons = ann.page.locator("#board .targets button")
    assert buttons.count() == 9
    assert all(button.get_attribute("tabindex") is None for button in buttons.all())
    buttons.first.focus()
    ann.page.keyboard.press("Tab")
    expect(buttons.nth(1)).to_be_focused()


def test_a_row_slides_before_its_pieces_fall(people: Any) -> None:
    ann = people(motion="no-preference", **DESKTOP)
    ann.context.add_init_script(NOTE_ANIMATIONS)
    begin_here(ann, "shift-tac-toe", "1", "1")
    ann.play("9", 2)
    animated = ann.page.evaluate("window.animated")
    assert [one["piece"] for one in animated if one["piece"]] == ["piece-a1-1", "0", "piece-a2-2"]
    assert sum(one["piece"] is None for one in animated) == 5  # the places of the row
    assert all(one["duration"] < 600 for one in animated)


def test_pieces_move_one_after_another_in_their_order(people: Any) -> None:
    ann = people(motion="no-preference", **DESKTOP)
    ann.context.add_init_script(NOTE_ANIMATIONS)
    begin_here(ann, "advanced", "4Nb")
    ann.play("1W3", 1)
    animated = [one["piece"] for one in ann.page.evaluate("window.animated")]
    # O's 1 is placed, moves, then X's 4 moves, and the crown passes.
    assert animated == ["piece-1-1", "piece-1-1", "piece-0-4", "crown"]


def test_a_press_on_the_board_ends_an_animation(people: Any) -> None:
    ann = people(motion="no-preference", **DESKTOP)
    ann.context.add_init_script(NOTE_ANIMATIONS)
    begin_here(ann, "advanced", "4Nb")
    ann.button("1W3").click()
    ann.page.locator("#board svg.moving").dispatch_event("pointerdown")
    ann.sees_ply(2)
    assert len(ann.page.evaluate("window.animated")) < 4
    assert ann.page.locator('[data-piece="piece-0-4"]').get_attribute("transform") == "translate(1.5 0.5)"


@pytest.mark.parametrize(
    ("game_id", "before", "first", "second"),
    [
        ("connect-four", (), "d", "d"),  # a double tap
        ("connect-four", (), "d", "a"),
        ("shift-tac-toe", ("1", "1"), "9", "2"),
        ("advanced", ("4Nb",), "1W3", "1W3"),
    ],
)
@pytest.mark.parametrize("screen", [PHONE, DESKTOP])
def test_a_press_that_skips_an_animation_plays_nothing(
    people: Any, game_id: str, before: tuple[str, ...], first: str, second: str, screen: dict[str, Any]
) -> None:
    ann = people(motion="no-preference", **screen)
    ann.context.add_init_script(NOTE_PRESSES_AND_REQUESTS)
    begin_here(ann, game_id, *before)
    watched = ann.context.new_cdp_session(ann.page)
    watched.send("Animation.enable")
    watched.send("Animation.setPlaybackRate", {"playbackRate": 0.05})  # so that the press comes before it ends
    ann.choose_tool_of(first)
    box = ann.button(second).bounding_box()
    spot = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    press = ann.page.touchscreen.tap if ann.is_on_a_phone else ann.page.mouse.click
    ann.button(first).tap() if ann.is_on_a_phone else ann.button(first).click()
    ann.page.locator("#board svg.moving").wait_for()
    press(*spot)
    ann.sees_ply(len(before) + 1)
    ann.page.wait_for_function("() => window.presses === 2")
    assert len([path for path in ann.page.evaluate("window.requests") if "/move?" in path]) == 1
    watched.send("Animation.setPlaybackRate", {"playbackRate": 1})
    ann.play(ann.page.locator("#board .targets button").first.get_attribute("value"), len(before) + 1)  # the next plays


def test_nothing_moves_where_reduced_motion_is_wanted(people: Any) -> None:
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
    ann.page.wait_for_timeout(400)  # a finger that holds is one that stays for a while
    finger.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    expect(ghost).to_have_count(0)
    ann.sees_ply(1)
    ann.play("d", 1)


def test_a_finger_leaves_no_tint_where_it_has_played(people: Any) -> None:
    ann = people(**PHONE)
    begin_here(ann, "connect-four")
    ann.play("d", 0)
    expect(ann.button("d")).to_have_css("background-color", "rgba(0, 0, 0, 0)")


def test_one_move_is_one_exchange(people: Any) -> None:
    ann, carl = people(**DESKTOP), people(**DESKTOP)
    begin_here(ann, "connect-four")
    carl.open(ann.page.url)
    expect(ann.page.locator("#connection")).to_be_hidden()
    asked: dict[str, list[str]] = {"ann": [], "carl": []}

    def note(name: str, path: str) -> None:
        if not path.startswith("preview") and path != "icon.svg":  # the browser asks for the icon when it likes
            asked[name].append(path)

    for name, person in (("ann", ann), ("carl", carl)):
        person.page.on("request", lambda request, name=name: note(name, request.url.split("/")[-1]))
    for ply, column in enumerate("abcdefgabc"):
        ann.play(column, ply)
        carl.sees_ply(ply + 1)
    assert asked["ann"] == [f"move?from={ply}" for ply in range(10)]
    assert asked["carl"] == [f"board?from={ply}" for ply in range(10)]


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
        assert min(box["width"], box["height"]) >= 24
    for box in (*boxes, ann.page.locator("#board text", has_text="board 9").bounding_box()):
        assert window["x"] <= box["x"]
        assert box["x"] + box["width"] <= window["x"] + window["width"]
        assert window["y"] <= box["y"]
        assert box["y"] + box["height"] <= window["y"] + window["height"]
    ann.page.get_by_label("show the whole board").check()
    whole = ann.page.locator("#board .targets button").first.bounding_box()
    assert whole
    assert whole["width"] < 24


def test_a_hint_on_an_enlarged_board_is_a_frame_as_thick_as_anywhere(people: Any) -> None:
    ann = people(**PHONE)
    begin_here(ann, "ultimate-ultimate", "5.5.8", "+9")
    thickness = """button => parseFloat(getComputedStyle(button).outlineWidth)
        * button.getBoundingClientRect().width / button.offsetWidth"""
    ann.button("9.8.1").evaluate("button => button.classList.add('hint')")
    assert 2 <= ann.button("9.8.1").evaluate(thickness) <= 4


def test_fingers_fit_what_slides_a_row(people: Any) -> None:
    ann = people(**PHONE)
    begin_here(ann, "shift-tac-toe")
    for move in "123789":
        box = ann.button(move).bounding_box()
        assert min(box["width"], box["height"]) >= 44


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


def test_a_zoomed_board_that_is_flipped_still_shows_where_to_play(people: Any) -> None:
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
    ("game_id", "options"), [("connect-four", {"cols": 1, "rows": 16}), ("semaphores", {"cols": 1, "rows": 24})]
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
    assert ann.page_fits()


def test_pages_are_never_wider_than_the_screen(people: Any) -> None:
    ann = people(**PHONE)
    for game_id in game_ids():
        begin_here(ann, game_id)
        assert ann.page_fits()
    for path in ("/", "/new/c4-twist", "/rules/advanced", "/rules/ultimate-ultimate", "/matches", "/analysis", "/docs"):
        ann.open(path)
        assert ann.page_fits(), path


def test_on_a_desk_no_table_and_no_program_of_the_rules_is_cut(people: Any) -> None:
    ann = people(**DESKTOP)
    for game_id in game_ids():
        ann.open(f"/rules/{game_id}")
        for part in ann.page.locator(".reading .scroll, .reading pre").all():
            assert part.evaluate("part => part.scrollWidth <= part.clientWidth"), (game_id, part.inner_text())


def test_a_long_name_in_one_piece_does_not_widen_a_phone(people: Any) -> None:
    ann, bob = people(**PHONE), people(**PHONE)
    ann.open("/new/connect-four")
    ann.page.get_by_label("Me against a friend, through a link").check()
    ann.page.get_by_label("Your name, if you like").fill("W" * 40)
    ann.page.get_by_role("button", name="Start").click()
    bob.open(ann.page.locator("#join-link").input_value())
    assert bob.page_fits()
    bob.page.get_by_label("Your name, if you like").fill("M" * 40)
    bob.page.get_by_role("button", name="Join").click()
    bob.sees("W to move")
    assert bob.page_fits()
    ann.play("d", 0)
    ann.page.get_by_role("button", name="Ask for undo").click()
    for person in (ann, bob):
        expect(person.page.locator("#offer-undo")).to_be_visible()
        assert person.page_fits()
    for path in ("/matches", f"{ann.page.url}/analysis"):
        ann.open(path)
        assert ann.page_fits()


def where_things_are(person: Any) -> Any:
    """Where the board is on the page, how large it is, and where what stands below it begins."""
    return person.page.evaluate(
        """() => {
            const box = document.querySelector("#board .window").getBoundingClientRect();
            const below = document.querySelector("#as-text").getBoundingClientRect();
            return [box.x, box.y + scrollY, box.width, box.height, below.y + scrollY].map(Math.round);
        }"""
    )


@pytest.mark.parametrize("screen", [DESKTOP, PHONE])
@pytest.mark.parametrize(
    ("game_id", "moves"),
    [
        ("c4-twist", "d e *d e"),
        ("c4-twist", "d e d e d e d"),  # to the end
        ("connect-tac-toe", "d1 +c1 e1 d2 +a1"),
        ("advanced", "4Nb 1W3 2Na"),
        ("ultimate", "e5 e6 e8 e4 e2"),
        ("ultimate-ultimate", "7.8.8 +7 7.8.6 +5"),
    ],
)
def test_the_board_keeps_its_place_and_size_in_a_match(
    people: Any, game_id: str, moves: str, screen: dict[str, Any]
) -> None:
    players = ann, bob = people(**screen), people(**screen)
    ann.open("/about")
    made = ann.begins({"game": game_id, "seats": [{"kind": "me"}, {"kind": "open"}]})
    bob.open(f"/matches/{made['id']}/join/{made['invite']}")
    bob.page.get_by_role("button", name="Join").click()
    ann.open(f"/matches/{made['id']}")
    expect(ann.page.locator("#seat-1")).to_contain_text("person")
    for player in players:
        player.sees_ply(0)
        player.waits_for_styles()
    found = [where_things_are(player) for player in players]
    match = Match(load(game_id))
    for move in moves.split():
        players[match.turn or 0].play(move, match.ply)
        match.play(move)
        for player in players:
            player.sees_ply(match.ply)
        assert [where_things_are(player) for player in players] == found, move


def test_the_picture_of_a_match_has_its_colours_by_itself_and_on_pages_elsewhere(people: Any) -> None:
    ann = people(**DESKTOP)
    ann.open("/about")
    made = ann.begins({"game": "connect-four", "seats": [{"kind": "me"}, {"kind": "me"}], "moves": ["d", "e"]})
    picture = f"{ann.site}/api/v1/matches/{made['id']}/picture.svg"
    ann.open(picture)
    label = ann.page.locator("text.quiet").first
    expect(label).not_to_have_css("fill", "rgb(0, 0, 0)")  # as it is without any style
    elsewhere = people(**DESKTOP)
    elsewhere.page.set_content(f'<img src="{picture}">')
    expect(elsewhere.page.locator("img")).not_to_have_js_property("naturalWidth", 0)
