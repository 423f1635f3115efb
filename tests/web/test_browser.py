"""People at real browsers: whole matches of every game through the buttons of the page, and what stands around them."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from playwright.sync_api import Route, WebSocketRoute, expect

from connectoe import game_ids, load
from connectoe.client import join_by_link
from tests.web.browsing import DESKTOP, FIRST_COMPILE, PHONE, begin_here, short_match, shortest_match
from tests.web.serving import Served

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("game_id", game_ids())
def test_two_people_play_a_whole_match_at_a_desk_and_on_a_phone(people: Any, site: Served, game_id: str) -> None:
    match = short_match() if game_id == "ultimate-ultimate" else shortest_match(load(game_id))
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
            expect(ann.page.locator("#tool-0")).to_be_checked()  # a bomb does not stay in hand
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


@pytest.mark.parametrize("path", ["/", "/new/tic-tac-toe", "/rules/tic-tac-toe"])
def test_who_presses_twice_begins_one_match(people: Any, path: str) -> None:
    ann = people(**DESKTOP)
    ann.open(path)
    sent: list[Route] = []
    ann.page.route("**/matches", lambda route: sent.append(route))  # it takes a while
    button = ann.page.get_by_role("button", name="Start" if path.startswith("/new") else "Play Tic-tac-toe")
    button.scroll_into_view_if_needed()
    box = button.bounding_box()
    for _ in range(2):
        ann.page.mouse.click(box["x"] + 5, box["y"] + box["height"] / 2)
        ann.page.wait_for_timeout(150)  # the page cannot be asked while its form is on the way
    ann.waits_until(lambda: sent)
    assert len(sent) == 1
    sent[0].continue_()
    ann.sees("Your turn")


def test_an_engine_answers_by_itself(people: Any) -> None:
    ann = people(**DESKTOP)
    ann.open("/new/tic-tac-toe")
    ann.page.get_by_label("How strong").select_option("random")
    ann.page.get_by_role("button", name="Start").click()
    ply = 0
    while ann.page.locator("#board .targets button").count():
        ann.page.locator("#board .targets button").first.click()
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
    ann.waits_until(lambda: told)
    version = int(ann.page.locator("#match").get_attribute("data-version") or 0) + 1

    def come(route: Route) -> None:
        picture = route.fetch()
        seats = [{"kind": "person", "present": True}] * 2
        told[0].send(json.dumps({"version": version, "seats": seats}))
        route.fulfill(response=picture)

    ann.page.route("**/move?*", come)
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


@pytest.mark.parametrize("words", ["Two of us, on this screen", "Engine against engine, I watch"])
def test_who_begins_is_asked_only_where_it_makes_a_difference(people: Any, words: str) -> None:
    ann = people(**DESKTOP)
    ann.open("/new/connect-four")
    expect(ann.page.get_by_text("Who begins?")).to_be_visible()
    ann.page.get_by_label(words).check()
    expect(ann.page.get_by_text("Who begins?")).to_be_hidden()


def test_what_a_level_is_like_is_said_below_it(people: Any) -> None:
    ann = people(java_script_enabled=False, **PHONE)
    ann.open("/new/connect-four")
    about = ann.page.locator(".levels li:visible")
    for level in ("medium", "hard"):
        ann.page.get_by_label("How strong").select_option(level)
        expect(about).to_have_text([re.compile(f"^{level}: ")])


def test_an_invitation_is_the_first_thing_on_a_phone_until_somebody_joins(people: Any) -> None:
    ann, bob = people(**PHONE), people(**PHONE)
    ann.open("/new/connect-four")
    ann.page.get_by_label("Me against a friend, through a link").check()
    ann.page.get_by_role("button", name="Start").click()
    copy = ann.page.locator("#invitation").get_by_role("button", name="Copy")
    assert copy.bounding_box()["y"] < ann.page.locator("#board").bounding_box()["y"]
    bob.open(ann.page.locator("#join-link").input_value())
    expect(bob.page.get_by_role("heading")).to_have_text("A friend invites you to Connect Four")
    bob.page.get_by_role("button", name="Join").click()
    expect(ann.page.locator("#invitation")).to_have_count(0)
    ann.play("d", 0)


def test_a_player_who_waits_for_a_hint_reads_so_above_the_board(people: Any) -> None:
    ann = people(**PHONE)
    begin_here(ann, "connect-four")
    ann.page.route("**/board?*", lambda route: None)
    hint, note = ann.page.get_by_role("button", name="Hint"), ann.page.locator("#note")
    height = hint.bounding_box()["height"]
    words = ann.page.locator(".hint-form").get_attribute("data-note")
    hint.click()
    expect(note).to_have_text(words)
    assert hint.bounding_box()["height"] == height


def test_that_an_engine_thinks_is_said_once(people: Any) -> None:
    ann = people(**DESKTOP)
    begin_here(ann, "connect-four")
    told: list[WebSocketRoute] = []
    ann.context.route_web_socket(re.compile("/live$"), lambda page_side: told.append(page_side))
    ann.page.reload()
    ann.waits_until(lambda: told)
    version = int(ann.page.locator("#match").get_attribute("data-version") or 0)
    for note, shown in (("preparing the engine", True), ("thinking", False)):
        told[0].send(json.dumps({"version": version, "note": note}))
        expect(ann.page.locator("#note")).to_be_visible(visible=shown)


def test_the_analysis_steps_with_arrow_keys_marks_blunders_and_goes_on_from_anywhere(people: Any) -> None:
    ann = people(**DESKTOP)
    ann.open("/analysis")
    ann.page.get_by_label("Moves, a position or a record").fill(
        '[Connectoe "1"]\n[Game "tic-tac-toe"]\n\n1. a1 b1 2. b2 c1 3. c3 1-0\n'
    )
    ann.page.get_by_role("button", name="Keep it with my matches").click()
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
    ann.page.on("request", lambda request: asked.append(ply_in(request.url)) if "/values/" in request.url else None)
    ann.open(f"{ann.page.url}/analysis?ply=3")
    expect(ann.page.locator("#verdict")).not_to_contain_text("still to be looked at", timeout=FIRST_COMPILE)
    assert asked == ["3", "2", "4", "1", "0"]


def ply_in(address: str) -> str:
    """The ply whose value is asked for at an address."""
    return address.partition("?")[0].rpartition("/")[2]


def test_an_estimate_in_the_replay_is_looked_at_again_until_it_is_exact(people: Any) -> None:
    ann = people(**DESKTOP)
    begin_here(ann, "connect-four", "a", "b")
    asked: list[str] = []

    def answer(route: Route) -> None:
        ply, seconds = ply_in(route.request.url), float(route.request.url.partition("seconds=")[2])
        asked.append(f"{ply}: {seconds}")
        is_exact = seconds > 1
        known = worth(1.0, "X: wins in 9", label="X9") if is_exact else worth(0.6, "X: expected score 60%", label="")
        more = {"worth": known, "is_final": is_exact, "is_by_engine": True}
        route.fulfill(json={"best": known | {"move": "d"}, "played": known, **more})

    ann.page.route("**/values/*", answer)
    ann.open(f"{ann.page.url}/analysis?ply=2")
    expect(ann.page.locator("#graph-place rect.exact")).to_have_count(3, timeout=FIRST_COMPILE)
    expect(ann.page.locator("#graph-place .estimate")).to_have_count(0)
    expect(ann.page.locator("#graph-place text").filter(has_text="X9")).not_to_have_count(0)
    assert asked == ["2: 0.3", "2: 1.5", "1: 0.3", "0: 0.3", "1: 1.5", "0: 1.5"]


def test_a_replay_at_the_end_waits_for_the_engine_to_become_exact(people: Any) -> None:
    ann = people(**DESKTOP)
    begin_here(ann, "tic-tac-toe", "a1", "b1", "b2", "c1", "c3")
    asked: list[float] = []

    def answer(route: Route) -> None:
        asked.append(float(route.request.url.partition("seconds=")[2]))
        is_ready = len(asked) > 6  # after a short look at each of the five positions, and one that was too early
        known = worth(1.0, "wins in 1", label="X1") if is_ready else worth(0.6, "expected score 60%", label="")
        more = {"worth": known, "is_final": is_ready, "is_by_engine": is_ready}
        route.fulfill(json={"best": known | {"move": "d"}, "played": known, **more})

    ann.page.route("**/values/*", answer)
    ann.open(f"{ann.page.url}/analysis")
    expect(ann.page.locator("#graph-place rect.exact")).to_have_count(6, timeout=FIRST_COMPILE)
    assert asked == [0.3] * 5 + [1.5] * 6


def worth(share: float, words: str, **more: Any) -> dict[str, Any]:
    """What the page is told a move is worth; exactly if that is a win or a loss."""
    return {"share": share, "words": words, "exact": share in (0.0, 1.0), **more}


def tell_values(person: Any, *known: dict[str, Any]) -> None:
    """Tells the page what the positions of its match are worth."""
    more = {"is_final": True, "is_by_engine": True}
    told = [{"worth": worth(one["best"]["share"], "so-so", label=""), **one, **more} for one in known]
    person.page.route("**/values/*", lambda route: route.fulfill(json=told[int(ply_in(route.request.url))]))


def test_what_a_move_is_worth_is_said_as_the_server_says_it(people: Any) -> None:
    ann = people(**DESKTOP)
    begin_here(ann, "tic-tac-toe", "a1")
    tell_values(
        ann,
        {"best": worth(0.72, "is likely best", move="b2"), "played": worth(0.6, "is fair")},
        {"best": worth(0.5, "is fair", move="b2"), "led_here": worth(0.5, "is not bad")},
    )
    ann.open(f"{ann.page.url}/analysis?ply=1")
    expect(ann.page.locator("#verdict")).to_have_text("1. a1: is not bad; best was b2: is likely best")


def test_a_move_is_judged_by_the_position_it_led_to(people: Any) -> None:
    ann = people(**DESKTOP)
    begin_here(ann, "advanced", "4Nb", "1W3")
    tell_values(
        ann,
        {"best": worth(0.51, "so-so", move="5Na"), "played": worth(0.43, "so-so")},  # in fact it loses
        {
            "best": worth(1.0, "wins in 9", move="5Nc"),
            "played": worth(0.4, "so-so"),  # in fact it wins, too
            "led_here": worth(0.0, "loses in 10"),
        },
        {"best": worth(0.0, "loses in 12", move="2E1"), "led_here": worth(1.0, "wins in 13")},
    )
    ann.open(f"{ann.page.url}/analysis?ply=1")
    verdict = ann.page.locator("#verdict")
    expect(verdict).to_have_text("1. 4Nb: loses in 10, a blunder; best was 5Na: so-so")
    expect(ann.page.locator("#moves a.blunder")).to_have_text(["14Nb"])
    ann.page.keyboard.press("ArrowRight")
    expect(verdict).to_have_text("2. 1W3: wins in 13")


def test_nobody_blunders_by_the_best_move_that_was_seen(people: Any) -> None:
    ann = people(**DESKTOP)
    begin_here(ann, "advanced", "4Nb")
    tell_values(
        ann,
        {"best": worth(0.51, "so-so", move="4Nb"), "played": worth(0.51, "so-so")},
        {"best": worth(1.0, "wins in 9", move="5Nc"), "led_here": worth(0.0, "loses in 10")},
    )
    ann.open(f"{ann.page.url}/analysis?ply=1")
    expect(ann.page.locator("#verdict")).to_have_text("1. 4Nb: loses in 10")
    expect(ann.page.locator("#moves a.blunder")).to_have_count(0)


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
    expect(ann.page.locator("#hints .exact").first).to_have_text("wins in 1", timeout=FIRST_COMPILE)
    expect(ann.page.locator("#board button.hint")).to_have_attribute("value", "c3")
