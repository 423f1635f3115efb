"""What people at a real browser see when answers get lost, servers go away or something is refused."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sql
from playwright.sync_api import Browser, Route, WebSocketRoute, expect

from connectoe.web.service.limits import UNLIMITED
from connectoe.web.service.storage import matches
from tests.web.browsing import DESKTOP, Person, begin_here
from tests.web.serving import Process, Served, served

pytestmark = pytest.mark.slow

NOTE_WHAT_IS_SAID_OF_THE_CONNECTION = """
window.said = [];
addEventListener("DOMContentLoaded", () => {
    const place = document.getElementById("connection");
    new MutationObserver(() => window.said.push(place.textContent)).observe(place, { childList: true });
});
"""


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
    statuses = lose_the_first_answer(ann, "**/undo?*")
    with ann.page.expect_response("**/undo?*"):
        ann.page.get_by_role("button", name="Undo").click()
    assert statuses == [200, 200]
    expect(ann.page.locator("#match")).not_to_have_class(re.compile("sending"))
    ann.sees_ply(2)
    ann.page.reload()
    ann.sees_ply(2)


def test_a_resignation_whose_answer_gets_lost_is_no_problem(people: Any) -> None:
    ann = people(**DESKTOP)
    begin_here(ann, "connect-four", "d")
    statuses = lose_the_first_answer(ann, "**/resign?*")
    ann.page.locator("#resigning summary").click()
    with ann.page.expect_response("**/resign?*"):
        ann.page.get_by_role("button", name="Yes, resign").click()
    assert statuses == [200, 409]
    expect(ann.page.locator("#match")).not_to_have_class(re.compile("sending"))
    ann.sees("X wins: resignation")
    expect(ann.page.locator("#problem")).to_be_hidden()


def test_a_connection_that_died_silently_is_noticed_and_made_again(people: Any) -> None:
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
    carl.page.wait_for_function("() => document.readyState === 'complete'")
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


def test_a_board_that_does_not_come_is_asked_for_again_where_two_people_play(people: Any) -> None:
    ann, carl = people(**DESKTOP), people(**DESKTOP)
    ann.open("/about")
    made = ann.begins({"game": "connect-four", "seats": [{"kind": "me"}, {"kind": "open"}]})
    ann.open(f"/matches/{made['id']}")
    carl.open(ann.page.url)
    carl.page.route("**/board?*", lambda route: route.abort(), times=1)
    ann.play("d", 0)
    carl.sees_ply(1)


def test_a_refused_hint_says_why_and_can_be_asked_for_again(chromium: Browser, tmp_path: Path) -> None:
    with served(f"sqlite:///{tmp_path}/m.db", shares={**UNLIMITED, "analyse": (0, 1.0)}) as server:
        ann = Person(chromium, server.url, **DESKTOP)
        begin_here(ann, "tic-tac-toe", "a1")
        ann.page.get_by_role("button", name="Hint").click()
        expect(ann.page.locator("#problem")).to_contain_text("try again in")
        expect(ann.page.get_by_role("button", name="Hint")).to_be_enabled()
        ann.play("b2", 1)
        ann.leave()


def test_a_match_that_is_gone_is_said(people: Any, site: Served) -> None:
    ann = people(**DESKTOP)
    begin_here(ann, "tic-tac-toe")
    made = ann.page.url.rpartition("/")[2]
    with site.app.state.services.storage.changing(made) as change:
        change.connection.execute(sql.delete(matches).where(matches.c.id == made))
    ann.button("b2").click()
    expect(ann.page.locator("#problem")).to_contain_text("there is no such match", ignore_case=True)


def test_what_was_refused_is_forgotten_with_the_next_move(people: Any) -> None:
    ann = people(**DESKTOP)
    begin_here(ann, "connect-four")
    statuses = []

    moves = f"{ann.site}/api/v1{ann.page.url.removeprefix(ann.site)}/moves"

    def refuse_once(route: Route) -> None:
        ahead = {"move": "e", "ply": 0}
        statuses.append(ann.context.request.post(moves, data=ahead, headers={"Origin": ann.site}).status)
        route.continue_()

    ann.page.route("**/move?*", refuse_once, times=1)
    ann.button("d").click()  # but from another tab, e was played first
    expect(ann.page.locator("#problem")).to_contain_text("has gone on")
    ann.sees_ply(1)
    expect(ann.page.locator("#problem")).to_contain_text("has gone on")
    elsewhere = {"move": "d", "ply": 1}
    assert ann.context.request.post(moves, data=elsewhere, headers={"Origin": ann.site}).status == 200
    ann.sees_ply(2)
    expect(ann.page.locator("#problem")).to_be_hidden()
    assert statuses == [200]


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
        for _ in range(2):  # the live connection is tried again, too
            ann.page.wait_for_event("websocket")
        expect(ann.page.locator("#connection")).to_contain_text("your move is kept")
        server.start_again()
        ann.sees_ply(2)
        expect(ann.page.locator("#connection")).to_be_hidden()
        ann.play("d", 2)
        expect(ann.page.locator("#moves li")).to_have_text(["1d", "2e", "3d"])
        ann.leave()
    finally:
        server.stop()
