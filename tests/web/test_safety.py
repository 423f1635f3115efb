"""What strangers must not be able to do to a server, or to each other."""

from __future__ import annotations

import asyncio
import logging
import socket
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Event
from typing import Any

import httpx
import pytest

from connectoe import Match, load
from connectoe.client import SeatHeld, Server, ServerError, match_of
from connectoe.core.errors import UnknownGame
from connectoe.core.game import Game
from connectoe.preparing import Job
from connectoe.prompt import PromptPlayer
from connectoe.web.http.serving import WithoutSecrets
from connectoe.web.service.keys import Keys
from connectoe.web.service.limits import UNLIMITED, ClientLimits
from connectoe.web.service.matches import Matches
from connectoe.web.service.refusals import TooMany
from connectoe.web.service.seating import Wish
from connectoe.web.service.storage import Storage
from connectoe.web.service.thinking import Thinking
from connectoe.web.service.warming import Warming
from tests.waiting import until
from tests.web.serving import Served, served

ENGINES = [{"kind": "engine", "level": "random"}, {"kind": "engine", "level": "random"}]


@pytest.fixture
def trap() -> Iterator[Path]:
    """A Python file that leaves a trace when it is run; in a folder with a short name, which requests may carry."""
    with TemporaryDirectory(prefix="t") as folder:
        file = Path(folder) / "trap.py"
        file.write_text(f"open({str(Path(folder) / 'trace')!r}, 'w').write('run')\n")
        yield file


def test_no_request_makes_the_server_run_a_file(server: Served, trap: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(trap.parent)
    browser, program = server.browser(), server.program()
    for name in (str(trap), "trap.py", "./trap.py"):
        new = {"game": name, "seats": [{"kind": "me"}, {"kind": "me"}]}
        assert program.post("/matches", json=new).status_code in (400, 422)
        assert program.post("/analyse", json={"game": name}).status_code in (400, 422)
        assert "no game file" not in program.post("/analyse", json={"game": "/etc/nothere.py"}).text
        assert program.get(f"/games/{name}").status_code >= 400
        assert browser.post("/matches", data={"game": name}).status_code == 400
        for path in ("/new", "/rules", "/games"):
            for end in ("", "/demo"):
                assert browser.get(f"{path}/{name}{end}").status_code >= 400
    assert not (trap.parent / "trace").exists()


def test_no_server_makes_a_client_run_a_file(trap: Path) -> None:
    with pytest.raises(UnknownGame):
        match_of({"game": str(trap), "options": {}, "start": "", "moves": [], "result": None})
    assert not (trap.parent / "trace").exists()


def test_an_invitation_is_no_seat_before_it_is_used(server: Served) -> None:
    ann = Server(server.url).create("connect-four", first=False)
    for what in ("moves", "undo", "draw", "resign"):
        body = {"move": "d", "ply": 0} if what == "moves" else {}
        answer = server.program(str(ann.invite)).post(f"/matches/{ann.match_id}/{what}", json=body)
        assert answer.status_code == 403


def test_a_perfect_player_is_refused_where_there_is_none(server: Served) -> None:
    ask = server.program()
    perfect = {"kind": "engine", "level": "perfect"}
    for game, options in (("ultimate", {}), ("advanced", {}), ("connect-four", {"cols": 8})):
        answer = ask.post("/matches", json={"game": game, "options": options, "seats": [perfect, {"kind": "me"}]})
        assert (answer.status_code, "no perfect player" in answer.json()["error"]) == (400, True)
    assert 'value="perfect"' not in server.browser().get("/new/ultimate").text
    assert 'value="perfect"' in server.browser().get("/new/tic-tac-toe").text


def test_cookies_of_other_programs_do_not_disturb(server: Served) -> None:
    browser = server.browser()
    browser.get("/")
    mine = browser.cookies["connectoe"]
    for cookies in (
        f'aa={{"theme":"dark"}}; connectoe={mine}',
        f"connectoe={mine}; zz=\x01 [",
        f"; ;=;connectoe={mine}",
    ):
        answer = server.client(headers={"Cookie": cookies}).get("/")
        assert "set-cookie" not in answer.headers


def test_links_are_https_behind_a_proxy_that_says_so_and_only_there(tmp_path: Path) -> None:
    for behind_proxy, scheme in ((True, "https"), (False, "http")):
        with served(f"sqlite:///{tmp_path}/{scheme}.db", behind_proxy=behind_proxy) as server:
            host = server.url.split("//")[1]
            browser = server.browser(**{"X-Forwarded-Proto": "https", "Origin": f"{scheme}://{host}"})
            made = browser.get("/about")
            cookie = made.headers["set-cookie"].partition(";")[0]
            browser.headers["Cookie"] = cookie  # which a browser would keep for https only
            new = {"game": "connect-four", "seats": [{"kind": "me"}, {"kind": "open"}]}
            match_id = browser.post("/api/v1/matches", json=new).json()["id"]
            page = browser.get(f"/matches/{match_id}").text
            assert f"{scheme}://{host}/matches/{match_id}/join/" in page
            assert ("Secure" in made.headers["set-cookie"]) == behind_proxy


@pytest.mark.parametrize("origin", ["http://[::", "http://[", "//", "\u00ff"])
def test_an_origin_that_is_no_address_is_foreign(server: Served, origin: str) -> None:
    new = {"game": "connect-four", "seats": [{"kind": "me"}, {"kind": "me"}]}
    headers = {b"Origin": origin.encode("latin-1")}
    answer = httpx.post(f"{server.url}/api/v1/matches", json=new, headers=headers)
    assert answer.status_code == 403


def test_an_id_that_cannot_be_is_not_looked_for(database: str) -> None:
    with served(database) as server:
        for match_id in ("%00", "a%00b", "%C3%A9", "a" * 200, "'"):
            assert server.program().get(f"/matches/{match_id}").status_code in (307, 404, 422)
            assert server.browser().get(f"/matches/{match_id}").status_code in (307, 404, 422)


def test_a_random_player_waits_for_nobody_elses_engines(server: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    is_over = Event()

    def ponder(player: PromptPlayer, match: Match) -> str:
        assert is_over.wait(60)
        return match.legal_moves()[0]

    monkeypatch.setattr(PromptPlayer, "choose", ponder)
    ask = server.program()
    for _ in range(3):
        ask.post("/matches", json={"game": "ultimate", "seats": [{"kind": "engine", "level": "hard"}, {"kind": "me"}]})
    seat = Server(server.url).create("tic-tac-toe", opponent="random", first=False)
    assert next(seat.turns()).ply == 1
    is_over.set()


def test_one_client_has_a_few_analyses_at_a_time(server: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    thinking, may_end = server.app.state.services.thinking, Event()

    def analyse(game: Game, *position: object, **more: object) -> str:
        assert may_end.wait(60)
        return f"found for {game.id}"

    monkeypatch.setattr("connectoe.analysis.analyse", analyse)
    match = Match(load("tic-tac-toe"))
    promises = [thinking.analysis(match, 0, "ann") for _ in range(3)]
    with pytest.raises(ValueError, match="one analysis after the other"):
        thinking.analysis(match, 0, "ann")
    promises.append(thinking.analysis(match, 0, "bob"))
    may_end.set()
    assert [promise.result(60) for promise in promises] == ["found for tic-tac-toe"] * 4
    thinking.analysis(match, 0, "ann").result(60)


def test_nobody_works_on_what_nobody_waits_for_any_more(monkeypatch: pytest.MonkeyPatch) -> None:
    thinking, begun, is_begun = Thinking(Matches(Storage("sqlite://")), Warming("nothing"), workers=1), [], Event()

    def analyse(game: Game, *position: object, stop: Event, **more: object) -> str:
        begun.append(game)
        is_begun.set()
        assert len(begun) > 1 or stop.wait(60)
        return f"found for {game.id}"

    monkeypatch.setattr("connectoe.analysis.analyse", analyse)
    anns, bobs = load("tic-tac-toe"), load("connect-four")
    promises = [thinking.analysis(Match(anns), 1, "ann") for _ in range(3)]
    assert is_begun.wait(60)
    for promise in promises:
        promise.cancel()
    assert thinking.waiting == 0
    assert str(thinking.analysis(Match(bobs), 1, "bob").result(60)) == "found for connect-four"
    assert begun == [anns, bobs]
    thinking.end()


def test_while_an_engine_gets_ready_a_request_for_a_hint_says_so(
    server: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    browser = server.browser()
    shown = browser.post("/matches", data={"game": "tic-tac-toe", "opponent": "here"})
    for ready, note in ((True, "Thinking…"), (False, "Thinking; this gets better once the engine is ready…")):
        monkeypatch.setattr("connectoe.web.service.warming.is_ready", lambda game, part, ready=ready: ready)
        for path in ("", "/analysis"):
            assert f'data-note="{note}"' in browser.get(f"{shown.url.path}{path}").text


@pytest.mark.slow
def test_a_server_thinks_no_longer_than_it_is_told_to(tmp_path: Path) -> None:
    shares = UNLIMITED | {"analyse": (12, 1.0)}
    with served(f"sqlite:///{tmp_path}/m.db", shares=shares, longest_analysis=2.0) as server:
        ask = server.program()
        codes = [ask.post("/analyse", json={"game": "tic-tac-toe", "seconds": 10}).status_code for _ in range(7)]
        assert codes == [200] * 6 + [429]  # two seconds each


def test_a_household_is_counted_as_one_client(tmp_path: Path) -> None:
    shares = UNLIMITED | {"create": (2, 1.0)}
    new = {"game": "tic-tac-toe", "seats": [{"kind": "me"}, {"kind": "open"}]}
    with served(f"sqlite:///{tmp_path}/m.db", shares=shares, behind_proxy=True) as server:
        codes = [
            server.program().post("/matches", json=new, headers={"X-Forwarded-For": address}).status_code
            for address in ("2001:db8::1", "2001:db8::2:0:0:3", "2001:db8::ffff", "2001:db8:0:1::1")
        ]
        assert codes == [201, 201, 429, 201]


def test_a_client_behind_a_proxy_cannot_claim_to_be_others(tmp_path: Path) -> None:
    shares = UNLIMITED | {"create": (2, 1.0)}
    new = {"game": "tic-tac-toe", "seats": [{"kind": "me"}, {"kind": "open"}]}
    for behind_proxy, expected in ((True, [201, 201, 429, 201]), (False, [201, 201, 429, 429])):
        with served(f"sqlite:///{tmp_path}/m.db", shares=shares, behind_proxy=behind_proxy) as server:
            codes = [
                server.program().post("/matches", json=new, headers={"X-Forwarded-For": addresses}).status_code
                for addresses in ("7.7.7.1, 9.9.9.9", "7.7.7.2, 9.9.9.9", "7.7.7.3, 9.9.9.9", "9.9.9.9, 8.8.8.8")
            ]
            assert codes == expected


def test_what_lasts_is_given_back_when_it_ends() -> None:
    limits = ClientLimits({"watch": (1, 0)})
    with limits.holding("watch", "somebody"), pytest.raises(TooMany, match="close one of the others first"):
        limits.count("watch", "somebody")
    limits.count("watch", "somebody")


def test_long_analyses_count_for_more_than_short_ones(tmp_path: Path) -> None:
    shares = UNLIMITED | {"analyse": (12, 1.0)}
    with served(f"sqlite:///{tmp_path}/m.db", shares=shares) as server:
        ask = server.program()
        codes = [ask.post("/analyse", json={"game": "tic-tac-toe", "seconds": 6}).status_code for _ in range(3)]
        assert codes == [200, 200, 429]


def test_an_analysis_is_counted_before_anything_is_worked_out_for_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    worked_out: list[int] = []
    monkeypatch.setattr("connectoe.core.match.Match.beginning", lambda match, ply: worked_out.append(ply))
    with served(f"sqlite:///{tmp_path}/m.db", shares=UNLIMITED | {"analyse": (0, 1.0)}) as server:
        ask = server.program()
        assert ask.post("/analyse", json={"game": "tic-tac-toe", "moves": ["nonsense"]}).status_code == 429
        new = {"game": "tic-tac-toe", "seats": [{"kind": "me"}, {"kind": "me"}], "moves": ["b2"]}
        made = ask.post("/matches", json=new).json()
        assert ask.get(f"/matches/{made['id']}/values/0").status_code == 429
    assert not worked_out


def test_other_requests_are_answered_while_a_game_is_loaded(server: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    def load_apart(*game: object, **options: object) -> Game:
        with pytest.raises(RuntimeError, match="no running event loop"):
            asyncio.get_running_loop()
        raise UnknownGame("not now")

    monkeypatch.setattr("connectoe.web.http.api.load_known", load_apart)
    assert server.program().post("/analyse", json={"game": "tic-tac-toe"}).json() == {"error": "not now"}


def test_one_client_cannot_have_all_variants_compiled(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    done: list[Job] = []

    def refuse(warming: Warming, job: Job) -> str:
        done.append(job)
        return "not now"

    monkeypatch.setattr(Warming, "_do", refuse)
    shares = UNLIMITED | {"compile": (2, 1.0)}
    monkeypatch.setattr("connectoe.web.service.warming.jobs_for", lambda game: [Job(game, "levels")])
    with served(f"sqlite:///{tmp_path}/m.db", shares=shares, prepares="asked") as server:
        ask, browser = server.program(), server.browser()

        def asked_to_play(level: str, columns: int) -> int:
            seats = [{"kind": "me"}, {"kind": "engine", "level": level}]
            new = {"game": "connect-four", "options": {"cols": columns}, "seats": seats}
            return ask.post("/matches", json=new).status_code

        assert [asked_to_play("medium", columns) for columns in (5, 6, 8)] == [201, 201, 429]
        form = {"game": "connect-four", "option-cols": "8", "opponent": "engine"}
        assert browser.post("/matches", data=form).status_code == 429
        asked = {"game": "connect-four", "options": {"cols": 8}}
        assert ask.post("/analyse", json=asked).status_code == 429
        assert asked_to_play("medium", 7) == asked_to_play("random", 8) == 201  # nothing is compiled for these
        assert asked_to_play("medium", 5) == 201  # nor once more for this
        until(lambda: len(done) >= 3)
    assert {job.game.options["cols"] for job in done} == {5, 6, 7}


def test_the_matches_that_one_client_watches_are_limited(tmp_path: Path) -> None:
    with served(f"sqlite:///{tmp_path}/m.db", shares=UNLIMITED | {"watch": (1, 0.0)}) as server:
        seat = Server(server.url).create("tic-tac-toe")
        watching = seat.changes()
        assert next(watching)["ply"] == 0
        with pytest.raises(ServerError, match="too much at once: close one of the others first") as refused:
            next(seat.changes())
        assert refused.value.status == 429
        watching.close()
        limits: ClientLimits = server.app.state.services.limits
        until(lambda: limits._left["watch", "127.0.0.1"][0] == 1)
        assert next(seat.changes())["ply"] == 0


def test_engines_that_were_left_alone_are_not_looked_at_again_and_again(database: str) -> None:
    storage = Storage(database)
    matches = Matches(storage)
    engine = Wish("engine", level="random")
    ann, game = Keys(browser="ann"), load("tic-tac-toe")
    left_alone, watched = (matches.create(ann, game, (engine, engine)).id for _ in range(2))
    played = matches.create(ann, game, (engine, Wish("me"))).id
    thinking = Thinking(matches, Warming(), is_watched=lambda match_id: match_id == watched)
    resumed: list[str] = []
    thinking.let_engine_move = lambda stored: resumed.append(stored.row.id)  # type: ignore[method-assign]
    thinking.resume_overdue(at_once=True)
    assert resumed == [watched, played]
    assert left_alone not in resumed
    thinking.end()
    storage.close()


def test_half_a_request_is_not_carried_out(server: Served) -> None:
    host, _, port = server.url.removeprefix("http://").partition(":")
    head = f"POST /matches HTTP/1.1\r\nHost: {host}:{port}\r\nOrigin: {server.url}\r\nContent-Length: 1000\r\n"
    head += "Content-Type: application/x-www-form-urlencoded\r\n\r\n"
    with socket.create_connection((host, int(port))) as cut_off:
        cut_off.sendall(f"{head}game=tic-tac-toe&opponent=here".encode())
    until(lambda: 'status="413"' in server.browser().get("/metrics").text)
    with server.app.state.services.storage.reading() as reading:
        assert reading.count() == 0


def test_engines_play_each_other_only_while_somebody_watches(server: Served) -> None:
    ask = server.program()
    made = ask.post("/matches", json={"game": "ultimate", "seats": ENGINES}).json()
    seat = SeatHeld(Server(server.url), made["id"], 0, "")
    watching = seat.changes()
    while next(watching)["ply"] < 2:
        pass
    watching.close()
    services = server.app.state.services
    until(lambda: not services.watchers.watched)
    services.watchers._looked_at.clear()
    until(lambda: not services.thinking.waiting)
    stands_at = services.matches.stored(made["id"]).match.ply
    services.thinking.resume_overdue(at_once=True)
    assert not services.thinking.waiting
    assert services.matches.stored(made["id"]).match.ply == stands_at
    watching = seat.changes()
    while next(watching)["ply"] <= stands_at:
        pass
    watching.close()


def test_requests_are_counted_and_heads_answered(server: Served) -> None:
    browser = server.browser()
    assert browser.head("/").status_code == 200
    browser.get("/nothing")
    metrics = browser.get("/metrics").text
    assert 'connectoe_requests_total{status="200"} 1.0' in metrics
    assert 'connectoe_requests_total{status="404"} 1.0' in metrics


def test_a_mistake_of_the_server_is_logged_counted_and_answered_like_other_problems(
    server: Served, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fail(matches: Matches, *asked: object) -> None:
        raise ZeroDivisionError("by mistake")

    monkeypatch.setattr(Matches, "stored", fail)
    browser = server.browser()
    shown, told = browser.get("/matches/m"), browser.get("/api/v1/matches/m")
    assert (shown.status_code, told.status_code) == (500, 500)
    assert "The server made a mistake" in shown.text
    assert "the server made a mistake" in told.json()["error"]
    for answer in (shown, told):
        assert "script-src 'self'" in answer.headers["content-security-policy"]
    assert 'connectoe_requests_total{status="500"} 2.0' in browser.get("/metrics").text
    assert caplog.text.count("ZeroDivisionError: by mistake") == 2


def test_what_is_refused_before_a_page_is_explained_in_words(server: Served) -> None:
    answer = server.client(headers={"Origin": "http://evil.example"}).post("/matches", data={"game": "connect-four"})
    assert answer.status_code == 403
    assert answer.headers["content-type"] == "text/plain; charset=utf-8"
    assert "own pages" in answer.text


@pytest.mark.parametrize(
    "path",
    [
        "/matches/m/seat/abc",
        "/matches/m/join/x/abc",
        "/live?secret=abc",
        "/live?%73ecret=abc",
        "/live?x=/&secret=abc",
        "/live?x=?&secret=abc",
        "/live%3Fsecret=abc",
        "/matches/m/Seat/abc",
        "/matches/m/join%3Babc",
    ],
)
def test_no_address_is_logged_with_its_secret(path: str) -> None:
    record: Any = logging.LogRecord("", 20, "", 0, '"%s %s HTTP/1.1" %d', ("GET", path, 200), None)
    assert WithoutSecrets().filter(record)
    assert "abc" not in record.getMessage()
