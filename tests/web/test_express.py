"""Requests that are answered without the framework get the answers that the framework's routes give."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import httpx
import pytest

from connectoe.draw.svg import inline_svg
from connectoe.scene import Scene
from tests.web.serving import Served


@pytest.fixture
def http(server: Served) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=server.url) as client:
        yield client


def new_match(http: httpx.Client, moves: list[str]) -> tuple[str, dict[str, str]]:
    wanted = {"game": "c4-twist", "seats": [{"kind": "me"}, {"kind": "me"}], "moves": moves}
    made = http.post("/api/v1/matches", json=wanted).json()
    return made["id"], {"Authorization": f"Bearer {made['secrets']['0']}"}


def said(answer: httpx.Response, match_id: str) -> tuple[Any, ...]:
    own = ("date", "set-cookie")
    headers = {name: value for name, value in answer.headers.items() if name not in own}
    return answer.status_code, headers, answer.text.replace(match_id, "ID")


@pytest.mark.parametrize("move", ["d", "z", "x" * 20])
@pytest.mark.parametrize("ply", [0, 2, 3])
def test_a_move_of_a_program_is_answered_in_the_same_way(http: httpx.Client, move: str, ply: int) -> None:
    answers = []
    for sent in (ply, str(ply)):  # only the first is usual
        match_id, own = new_match(http, ["d", "e"])
        path = f"/api/v1/matches/{match_id}/moves"
        answers.append(said(http.post(path, json={"move": move, "ply": sent}, headers=own), match_id))
    assert answers[0] == answers[1]
    assert answers[0][0] == {("d", 0): 200, ("d", 2): 200}.get((move, ply), 400 if ply == 2 else 409)


@pytest.mark.parametrize("ply", [0, 2, 3])
def test_a_move_of_a_page_is_answered_in_the_same_way(http: httpx.Client, ply: int) -> None:
    answers = []
    for query in ("from=2", "from=2&letters=0"):
        match_id, own = new_match(http, ["e", "d"])
        form = {"ply": str(ply), "tool": "disc", "move": "d"}
        answer = http.post(f"/matches/{match_id}/move?{query}", data=form, headers=own)
        secret = own["Authorization"].split()[1]
        answers.append((answer.status_code, answer.text.replace(match_id, "ID").replace(secret, "SECRET")))
    assert answers[0] == answers[1]
    assert answers[0][0] == (200 if ply == 2 else 409)


def test_the_board_after_a_move_is_the_same(http: httpx.Client) -> None:
    match_id, own = new_match(http, ["d", "e"])
    for headers in ({}, own):
        usual, unusual = (
            said(http.get(f"/matches/{match_id}/board?{query}", headers=headers), match_id)
            for query in ("from=1", "from=1&letters=0")
        )
        assert usual == unusual
        assert usual[0] == 200
    assert said(http.get("/matches/nobody2/board?from=1"), "nobody2")[0] == 404


@pytest.mark.parametrize(
    ("kind", "body", "status"),
    [
        ("application/json", b"{", 422),
        ("application/json", b'{"move": "d", "ply": -1}', 422),
        ("application/json", b'{"move": "d", "ply": 0, "more": 1}', 422),
        ("application/json", b'["move", "ply"]', 422),
        ("text/plain", b'{"move": "d", "ply": 0}', 422),
    ],
)
def test_what_is_no_move_is_left_to_the_framework(http: httpx.Client, kind: str, body: bytes, status: int) -> None:
    match_id, own = new_match(http, [])
    path = f"/api/v1/matches/{match_id}/moves"
    answer = http.post(path, content=body, headers={"content-type": kind} | own)
    assert answer.status_code == status
    assert http.get(f"/api/v1/matches/{match_id}").json()["ply"] == 0


def test_spectators_share_one_picture_which_a_player_does_not_see(server: Served, http: httpx.Client) -> None:
    match_id, own = new_match(http, ["d"])
    boards = [http.get(f"/matches/{match_id}/board?from=0").text for _ in range(2)]
    assert boards[0] == boards[1]
    assert "/seat/" not in boards[0]
    player = http.get(f"/matches/{match_id}/board?from=0", headers=own).text
    assert "/seat/" in player
    assert http.get(f"/matches/{match_id}/board?from=0").text == boards[0]


def test_a_position_is_drawn_once_for_both_players_and_all_who_watch(
    http: httpx.Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    match_id, own = new_match(http, [])
    drawn: list[Scene] = []

    def draws(scene: Scene) -> str:
        drawn.append(scene)
        return inline_svg(scene)

    monkeypatch.setattr("connectoe.web.render.match_page.inline_svg", draws)
    http.post(f"/matches/{match_id}/move?from=0", data={"move": "d", "ply": "0"}, headers=own).raise_for_status()
    for headers in (own, {}, {}):
        http.get(f"/matches/{match_id}/board?from=0", headers=headers).raise_for_status()
    assert len(drawn) == 1
