"""The pie rule on the page and in the API."""

from __future__ import annotations

from typing import Any

from connectoe import read_matches
from tests.waiting import until
from tests.web.serving import Served


def begun(server: Served, *moves: str, **more: Any) -> tuple[Any, Any, Any]:
    """Ann's program, Bob's program and the match, in which Ann has made the first move."""
    seats = [{"kind": "me", "name": "Ann"}, {"kind": "open"}]
    new = {"game": "tic-tac-toe", "options": {"swap": "yes"}, "seats": seats, "moves": moves, **more}
    made = server.program().post("/matches", json=new).json()
    joined = server.program().post(f"/matches/{made['id']}/join", json={"invite": made["invite"], "name": "Bob"}).json()
    return server.program(made["secrets"]["0"]), server.program(joined["secret"]), made


def test_seats_change_sides_with_their_secrets(server: Served) -> None:
    ann, bob, made = begun(server, "b2")
    path = f"/matches/{made['id']}"
    assert ann.post(f"{path}/moves", json={"move": "swap", "ply": 1}).status_code == 403
    seen = bob.post(f"{path}/moves", json={"move": "swap", "ply": 1}).json()
    assert (seen["moves"], seen["turn"], seen["yours"]) == (["b2", "swap"], 1, [0])
    assert [seat["name"] for seat in seen["seats"]] == ["Bob", "Ann"]
    assert bob.post(f"{path}/moves", json={"move": "swap", "ply": 1}).json()["ply"] == 2  # sent again
    assert bob.post(f"{path}/moves", json={"move": "a1", "ply": 2}).status_code == 403
    assert ann.get(path).json()["yours"] == [1]
    assert ann.post(f"{path}/moves", json={"move": "a1", "ply": 2}).json()["turn"] == 0
    [record] = read_matches(ann.get(f"{path}/record").text)
    assert record.players == ("Bob", "Ann")


def test_the_match_is_read_back_from_the_database(server: Served) -> None:
    ann, bob, made = begun(server, "b2")
    path = f"/matches/{made['id']}"
    bob.post(f"{path}/moves", json={"move": "swap", "ply": 1})
    server.app.state.services.matches.memory.forget(made["id"])
    seen = ann.get(path).json()
    assert ([seat["name"] for seat in seen["seats"]], seen["yours"], seen["turn"]) == (["Bob", "Ann"], [1], 1)
    [record] = read_matches(ann.get(f"{path}/record").text)
    assert record.players == ("Bob", "Ann")


def test_a_swap_is_taken_back_with_the_seats(server: Served) -> None:
    ann, bob, made = begun(server, "b2")
    path = f"/matches/{made['id']}"
    bob.post(f"{path}/moves", json={"move": "swap", "ply": 1})
    assert bob.post(f"{path}/undo", json={}).json()["undo_offer"] == 0
    seen = ann.post(f"{path}/undo", json={"answer": True}).json()
    assert (seen["moves"], seen["yours"]) == (["b2"], [0])
    assert [seat["name"] for seat in seen["seats"]] == ["Ann", "Bob"]


def test_the_page_offers_the_option_and_a_button(server: Served) -> None:
    browser = server.browser()
    form = browser.get("/new/tic-tac-toe").text
    assert 'name="option-swap"' in form
    page = browser.post("/matches", data={"game": "tic-tac-toe", "opponent": "here", "option-swap": "yes"})
    assert "the pie rule: yes" in page.text
    assert 'id="swap"' not in page.text
    path = page.url.path
    page = browser.post(f"{path}/move", data={"move": "b2", "ply": "0"})
    assert 'id="swap"' in page.text
    assert "O may swap sides instead of moving" in page.text
    page = browser.post(f"{path}/move", data={"move": "swap", "ply": "1"})
    assert 'id="swap"' not in page.text
    assert "O to move" in page.text
    assert browser.get(f"{path}/analysis?ply=2").status_code == 200
    assert browser.get("/analyse/tic-tac-toe?option-swap=yes&moves=b2+swap+a1").status_code == 200


def test_an_engine_answers_the_first_move_and_changes_sides(server: Served) -> None:
    """Three in line on a board of 4x4 are the first player's, so that any engine wants that side."""
    options = {"swap": "yes", "cols": 4, "rows": 4, "connect": 3}
    seats = [{"kind": "me"}, {"kind": "engine", "level": "medium"}]
    made = server.program().post("/matches", json={"game": "connect-four", "options": options, "seats": seats}).json()
    ann = server.program(made["secrets"]["0"])
    path = f"/matches/{made['id']}"
    ann.post(f"{path}/moves", json={"move": "b", "ply": 0})
    until(lambda: ann.get(path).json()["ply"] >= 2)
    seen = ann.get(path).json()
    assert (seen["moves"][1], seen["yours"], seen["seats"][0]["kind"]) == ("swap", [1], "engine")
    seen = ann.post(f"{path}/moves", json={"move": "b", "ply": 2}).json()
    until(lambda: ann.get(path).json()["ply"] >= 4)


def test_games_tell_the_option_in_the_api(server: Served) -> None:
    options = server.program().get("/games/tic-tac-toe").json()["options"]
    assert [option["name"] for option in options] == ["swap"]
