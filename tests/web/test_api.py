"""The API over a real connection: playing, live updates, and everything that is refused."""

from __future__ import annotations

import json
import time
from contextlib import ExitStack, closing
from pathlib import Path
from typing import Any

import httpx
import pytest
from websockets.exceptions import InvalidStatus, WebSocketException
from websockets.sync.client import ClientConnection, connect

from connectoe import game_ids
from connectoe.client import SeatHeld, Server, ServerError, join_by_link, match_of
from connectoe.web.service.limits import UNLIMITED
from tests.web.serving import Served, served

ME_AND_OPEN = [{"kind": "me", "name": "Ann"}, {"kind": "open"}]


def new_match(server: Served, game: str = "connect-four", seats: Any = ME_AND_OPEN, **more: Any) -> dict[str, Any]:
    answer = server.program().post("/matches", json={"game": game, "seats": seats, **more})
    assert answer.status_code == 201, answer.text
    return dict(answer.json())


def two_seats(server: Served, game: str = "connect-four") -> tuple[SeatHeld, SeatHeld]:
    ann = Server(server.url).create(game, name="Ann")
    assert ann.link
    return ann, join_by_link(ann.link, "Bob")


def live(server: Served, match_id: str, **headers: str) -> ClientConnection:
    return connect(f"ws{server.url[4:]}/api/v1/matches/{match_id}/live", additional_headers=headers)


def next_with(socket: ClientConnection, **facts: Any) -> dict[str, Any]:
    """The next message in which these facts hold."""
    while True:
        told = json.loads(socket.recv(timeout=20))
        if "alive" in told:
            continue
        if all(told[name] == value for name, value in facts.items()):
            return dict(told)


def test_the_games_are_listed_with_their_options(server: Served) -> None:
    games = server.program().get("/games").json()
    assert [game["id"] for game in games] == game_ids()
    twist = server.program().get("/games/c4-twist").json()
    assert {"name": "bombs", "default": 1, "allowed": "0..3"}.items() <= twist["options"][-2].items()


def test_two_programs_play_each_other(server: Served) -> None:
    ann, bob = two_seats(server)
    for ply, move in enumerate("dedede"):
        (ann, bob)[ply % 2].play(move, ply)
    assert ann.play("d", 6)["result"] == "0"
    assert match_of(bob.read()).status == "X wins: four discs d1-d4"


def test_a_move_reaches_the_other_side_at_once(server: Served) -> None:
    ann, bob = two_seats(server)
    with live(server, bob.match_id, Authorization=f"Bearer {bob.secret}") as socket:
        next_with(socket, ply=0)
        begun = time.monotonic()
        ann.play("d", 0)
        told = next_with(socket, ply=1)
        assert told["moves"] == ["d"]
        assert time.monotonic() - begun < 20


def test_presence_is_reported(server: Served) -> None:
    ann, bob = two_seats(server)
    with live(server, ann.match_id) as watching:
        told = next_with(watching)
        assert [seat["present"] for seat in told["seats"]] == [False, False]
        with live(server, ann.match_id, Authorization=f"Bearer {bob.secret}"):
            while not (told := next_with(watching))["seats"][1]["present"]:
                pass
        while (told := next_with(watching))["seats"][1]["present"]:
            pass
        assert told["ply"] == 0


def test_many_tabs_of_one_player_all_see_a_move(server: Served) -> None:
    ann, bob = two_seats(server)
    with ExitStack() as open_tabs:
        secret = f"Bearer {bob.secret}"
        tabs = [open_tabs.enter_context(live(server, ann.match_id, Authorization=secret)) for _ in range(12)]
        ann.play("d", 0)
        for tab in tabs:
            assert next_with(tab, ply=1)["moves"] == ["d"]


def test_a_spectator_sees_and_cannot_move(server: Served) -> None:
    ann, _ = two_seats(server)
    with live(server, ann.match_id) as socket:
        assert "yours" not in next_with(socket)
        socket.send('{"move": "d", "ply": 0}')
        answer = server.program().post(f"/matches/{ann.match_id}/moves", json={"move": "d", "ply": 0})
        assert (answer.status_code, answer.json()["error"]) == (403, "you only watch this match")
    assert ann.read()["ply"] == 0


def test_a_stolen_match_id_is_no_secret(server: Served) -> None:
    ann, _ = two_seats(server)
    for secret in (ann.match_id, "", "0", "x" * 5000):
        for what in ("moves", "undo", "draw", "resign", "rematch"):
            body = {"move": "d", "ply": 0} if what == "moves" else {}
            answer = server.program(secret).post(f"/matches/{ann.match_id}/{what}", json=body)
            assert answer.status_code in (400, 403), (what, secret[:10], answer.text)
    assert ann.read()["ply"] == 0


def test_a_move_for_a_past_ply_is_answered_with_how_the_match_stands(server: Served) -> None:
    ann, _ = two_seats(server)
    ann.play("d", 0)
    with pytest.raises(ServerError) as refused:
        ann.play("e", 0)
    assert refused.value.status == 409
    assert refused.value.answer["match"]["moves"] == ["d"]
    assert ann.play("d", 0)["ply"] == 1  # the same again: its answer may have been lost


def test_an_engine_answers(server: Served) -> None:
    seat = Server(server.url).create("tic-tac-toe", opponent="random")
    for match in seat.turns():
        seat.play(match.legal_moves()[0], match.ply)
    assert match_of(seat.read()).outcome


def test_an_offer_made_while_a_program_thinks_is_no_second_turn(server: Served) -> None:
    ann, bob = two_seats(server)
    turns = ann.turns()
    first = next(turns)
    server.program(bob.secret).post(f"/matches/{ann.match_id}/draw", json={})
    ann.play("d", first.ply)
    bob.play("e", 1)
    assert next(turns).moves == ["d", "e"]


def test_a_program_that_moves_twice_running_has_two_turns(server: Served) -> None:
    ann, bob = two_seats(server, "advanced")
    turns = bob.turns()
    ann.play("4Nb", 0)
    bob.play("1W3", next(turns).ply)
    assert next(turns).ply == 2  # the crown has passed


def test_engines_play_each_other_to_be_watched(server: Served) -> None:
    seats = [{"kind": "engine", "level": "random"}, {"kind": "engine", "level": "random"}]
    made = new_match(server, "tic-tac-toe", seats)
    assert made["practice"]
    with live(server, made["id"]) as socket:
        assert next_with(socket, ply=2)["thinking"]


def test_undo_draws_and_rematches(server: Served) -> None:
    ann, bob = two_seats(server)
    ask = server.program
    match = f"/matches/{ann.match_id}"
    ann.play("d", 0)
    assert ask(ann.secret).post(f"{match}/undo", json={}).json()["undo_offer"] == 0
    assert ask(bob.secret).post(f"{match}/undo", json={"answer": True}).json()["ply"] == 0
    assert ask(bob.secret).post(f"{match}/draw", json={}).json()["draw_offer"] == 1
    assert ask(ann.secret).post(f"{match}/draw", json={"answer": True}).json()["result"] == "draw"
    again = ask(ann.secret).post(f"{match}/rematch", json={}).json()
    assert again["yours"] == [1]
    assert ask(bob.secret).get(f"/matches/{again['id']}").json()["yours"] == [0]


@pytest.mark.slow
def test_hints_are_for_practice_and_for_matches_that_are_over(server: Served, solved: str) -> None:
    ann, bob = two_seats(server, solved)
    ask = server.program(ann.secret)
    for path in (f"/matches/{ann.match_id}/hint", f"/matches/{ann.match_id}/values/0"):
        answer = ask.post(path) if path.endswith("hint") else ask.get(path)
        assert answer.status_code == 403, path
    for ply, move in enumerate(("a1", "a2", "b1", "b2", "c1")):
        (ann, bob)[ply % 2].play(move, ply)
    told = ask.get(f"/matches/{ann.match_id}/values/4").json()
    assert told["candidates"][0] == {"move": "c1", "result": "win", "plies": 1, "exact": True, "share": 1, "visits": 0}
    assert ask.get(f"/matches/{ann.match_id}/values/6").status_code == 400
    practice = new_match(server, solved, [{"kind": "me"}, {"kind": "me"}])
    assert ask.post(f"/matches/{practice['id']}/hint").json()["result"] == "draw"


@pytest.mark.slow
def test_a_position_is_analysed(server: Served, solved: str) -> None:
    asked = {"game": solved, "moves": ["a1", "b1"], "seconds": 0.1}
    told = server.program().post("/analyse", json=asked).json()
    assert (told["result"], told["plies"]) == ("win", 5)


def test_records_and_pictures(server: Served) -> None:
    made = new_match(server, "tic-tac-toe", [{"kind": "me", "name": '<b>"Ann"</b>'}, {"kind": "me"}], moves=["b2"])
    ask = server.program()
    text = ask.get(f"/matches/{made['id']}/record")
    assert '[First "<b>\\"Ann\\"</b>"]' in text.text
    assert text.headers["content-type"] == "text/plain; charset=utf-8"
    assert ask.get(f"/matches/{made['id']}/record?format=json").json()["moves"] == ["b2"]
    assert ask.get(f"/matches/{made['id']}/picture.svg").text.startswith("<svg")


# What is refused.


@pytest.mark.parametrize(
    ("body", "status", "words"),
    [
        ({}, 422, "game: Field required"),
        ({"game": "chess", "seats": ME_AND_OPEN}, 400, "there is no game 'chess'"),
        ({"game": "connect-four", "seats": ME_AND_OPEN[:1]}, 422, "seats"),
        ({"game": "connect-four", "seats": ME_AND_OPEN, "options": {"rows": 99}}, 400, "rows=99 is out of range"),
        ({"game": "connect-four", "seats": ME_AND_OPEN, "options": {"colour": 1}}, 400, "no option 'colour'"),
        ({"game": "connect-four", "seats": ME_AND_OPEN, "start": "nonsense"}, 400, "a position is"),
        ({"game": "connect-four", "seats": ME_AND_OPEN, "moves": ["z"]}, 400, "'z' is no move"),
        ({"game": "connect-four", "seats": ME_AND_OPEN, "extra": 1}, 422, "extra"),
        ({"game": "tic-tac-toe", "seats": [{"kind": "me", "name": "x" * 41}, {"kind": "me"}]}, 422, "name"),
        ({"game": "tic-tac-toe", "seats": [{"kind": "engine", "level": "god"}, {"kind": "me"}]}, 400, "no level 'god'"),
    ],
)
def test_a_match_that_cannot_be_is_refused_in_words(server: Served, body: Any, status: int, words: str) -> None:
    answer = server.program().post("/matches", json=body)
    assert answer.status_code == status
    assert words in answer.json()["error"]


def test_a_changing_request_from_another_site_is_refused(server: Served) -> None:
    browser = server.browser()
    browser.get("/")
    new = {"game": "connect-four", "seats": ME_AND_OPEN}
    assert browser.post("/api/v1/matches", json=new).status_code == 201
    for headers in ({"Origin": "https://evil.example"}, {"Origin": "null"}):
        assert browser.post("/api/v1/matches", json=new, headers=headers).status_code == 403
    without = server.client(cookies=browser.cookies)
    assert without.post("/api/v1/matches", json=new).status_code == 403
    assert without.post("/api/v1/matches", json=new, headers={"Sec-Fetch-Site": "cross-site"}).status_code == 403
    assert without.post("/api/v1/matches", json=new, headers={"Sec-Fetch-Site": "same-origin"}).status_code == 201
    assert without.post("/api/v1/matches", json=new, headers={"Referer": f"{server.url}/new"}).status_code == 201


def test_a_live_connection_from_another_site_is_refused(server: Served) -> None:
    ann, _ = two_seats(server)
    with pytest.raises(InvalidStatus), live(server, ann.match_id, Origin="https://evil.example"):
        pass
    with live(server, ann.match_id, Origin=server.url) as socket:
        assert next_with(socket)["ply"] == 0


def test_a_live_connection_on_which_nothing_happens_gives_signs_of_life(
    server: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("connectoe.web.http.sockets.ALIVE_EVERY", 0.05)
    ann, _ = two_seats(server)
    with live(server, ann.match_id) as socket:
        next_with(socket, ply=0)
        while json.loads(socket.recv(timeout=20)) != {"alive": True}:
            pass
        ann.play("d", 0)
        assert next_with(socket, ply=1)["moves"] == ["d"]


def test_programs_are_told_of_changes_and_not_of_signs_of_life(server: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("connectoe.web.http.sockets.ALIVE_EVERY", 0.05)
    ann, bob = two_seats(server)
    with live(server, ann.match_id) as beside, closing(bob.changes()) as changes:
        assert next(changes)["ply"] == 0
        for _ in range(3):
            while "alive" not in json.loads(beside.recv(timeout=20)):
                pass
        ann.play("d", 0)
        while (told := next(changes))["ply"] == 0:
            assert "alive" not in told


def test_an_undo_sent_twice_for_the_same_ply_is_one_undo(server: Served) -> None:
    made = new_match(server, seats=[{"kind": "me"}, {"kind": "engine", "level": "random"}], moves=["d", "d", "e", "e"])
    ask = server.program(made["secrets"]["0"])
    answers = [ask.post(f"/matches/{made['id']}/undo", json={"ply": 4}) for _ in range(2)]
    assert [answer.status_code for answer in answers] == [200, 200]
    assert [answer.json()["moves"] for answer in answers] == [["d", "d"], ["d", "d"]]


def test_a_live_connection_to_no_match_says_so(server: Served) -> None:
    with live(server, "nothing") as socket:
        assert "there is no such match" in json.loads(socket.recv())["error"]
        with pytest.raises(WebSocketException):
            socket.recv()


def test_a_body_of_10_megabytes_is_refused(server: Served) -> None:
    big = b"[" + b" " * 10_000_000 + b"]"
    for content in (big, iter([big[i : i + 100_000] for i in range(0, len(big), 100_000)])):
        try:
            answer = server.program().post("/matches", content=content)
        except httpx.WriteError:
            continue  # the server hung up on it
        assert answer.status_code == 413
        assert "at most" in answer.json()["error"]
    assert server.program().get("/games").status_code == 200


def test_too_much_at_once_is_refused(tmp_path: Path) -> None:
    shares = UNLIMITED | {"create": (3, 60.0), "join": (2, 60.0), "engines": (1, 60.0), "analyse": (2, 60.0)}
    with served(f"sqlite:///{tmp_path}/m.db", shares=shares) as server:
        ask = server.program()
        new = {"game": "tic-tac-toe", "seats": [{"kind": "me"}, {"kind": "me"}]}
        against = {"game": "tic-tac-toe", "seats": [{"kind": "me"}, {"kind": "engine", "level": "random"}]}
        assert [ask.post("/matches", json=against).status_code for _ in range(2)] == [201, 429]
        assert [ask.post("/matches", json=new).status_code for _ in range(2)] == [201, 429]
        asked = {"game": "tic-tac-toe", "seconds": 0}
        assert [ask.post("/analyse", json=asked).status_code for _ in range(3)] == [200, 200, 429]
        assert "try again in" in ask.post("/analyse", json=asked).json()["error"]
        joining = {"invite": "guess"}
        assert [ask.post("/matches/m/join", json=joining).status_code for _ in range(3)] == [404, 404, 429]


def test_every_answer_has_the_headers_that_protect_a_page(server: Served) -> None:
    for path in ("/", "/api/v1/games", "/nothing", "/healthz"):
        headers = server.browser().get(path).headers
        policy = headers["content-security-policy"]
        assert "script-src 'self'" in policy
        assert "unsafe-inline" not in policy.replace("style-src-attr 'unsafe-inline'", "")
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["x-frame-options"] == "DENY"
        assert headers["referrer-policy"] == "same-origin"
        assert "server" not in headers


def test_the_cookie_is_out_of_reach_of_scripts_and_other_sites(server: Served) -> None:
    cookie = server.browser().get("/").headers["set-cookie"]
    assert cookie.startswith("connectoe=")
    assert "HttpOnly" in cookie
    assert "SameSite=Lax" in cookie
    assert "Secure" not in cookie
    assert "set-cookie" not in server.program().get("/games").headers


def test_health_and_metrics(server: Served) -> None:
    two_seats(server)
    outside = server.client()
    assert outside.get("/healthz").json()["status"] == "ok"
    metrics = outside.get("/metrics").text
    assert "connectoe_changes_total 2.0" in metrics
    assert "connectoe_watchers 0.0" in metrics


def test_the_description_has_examples_and_no_foreign_scripts(server: Served) -> None:
    description = server.program().get("/openapi.json").json()
    assert all(path.startswith("/api/v1/") for path in description["paths"])
    assert "examples" in json.dumps(description["components"]["schemas"]["NewMatch"])


def test_a_server_that_cannot_be_reached_is_reported_in_words() -> None:
    with pytest.raises(ServerError, match="cannot be reached"):
        Server("http://127.0.0.1:9").create("connect-four")
