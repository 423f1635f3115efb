"""Games that are served from the files of their inventors."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from click.testing import CliRunner

from connectoe import read_matches
from connectoe.cli import main
from connectoe.core.catalogue import known_class
from connectoe.core.own_games import offering
from tests.own import EIGHT_SQUARES, OTHER_WORDS, SYNTAX_ERROR, save
from tests.web.serving import Process, Served, served

TWO_HERE = [{"kind": "me", "name": "Ann"}, {"kind": "me", "name": "Bob"}]


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return save(tmp_path / "notakto.py")


@pytest.fixture
def own_site(file: Path, tmp_path: Path) -> Iterator[Served]:
    with offering(file, kept=tmp_path / "own-games"), served(f"sqlite:///{tmp_path}/matches.db") as running:
        yield running


def begun(browser: httpx.Client, *moves: str, **more: Any) -> str:
    browser.get("/about")  # which gives it a key
    made = browser.post("/api/v1/matches", json={"game": "notakto", "seats": TWO_HERE, "moves": moves, **more})
    assert made.status_code == 201, made.text
    return str(made.json()["id"])


def test_they_come_first_and_have_what_the_others_have(own_site: Served) -> None:
    browser = own_site.browser()
    gallery = browser.get("/").text
    assert gallery.index(">Notakto</h2>") < gallery.index(">Tic-tac-toe</h2>")
    assert "notakto.py" in gallery
    new = browser.get("/new/notakto").text
    assert 'name="option-three"' in new
    assert "<select name=" in new
    rules = browser.get("/rules/notakto").text
    assert "The player who completes three in a row" in rules
    assert "what three in a row does" in rules
    assert "<svg" in rules
    assert "Notakto" in browser.get("/analyse").text
    assert browser.get("/analyse/notakto?moves=b2").status_code == 200
    assert len(browser.get("/games/notakto/demo").json()) > 1
    match = browser.post("/matches", data={"game": "notakto", "level": "random", "option-three": "wins"}).text
    assert "what three in a row does to the player who completes it: wins" in match
    assert browser.get("/api/v1/games/notakto").json()["name"] == "Notakto"
    assert browser.get("/api/v1/games").json()[0]["id"] == "notakto"


def test_a_match_of_other_rules_can_be_looked_at_and_downloaded_only(own_site: Served, file: Path) -> None:
    browser = own_site.browser()
    old = begun(browser, "b2", "c3")
    save(file, EIGHT_SQUARES)
    page = browser.get(f"/matches/{old}").text
    assert "The rules of this game have changed since this match began" in page
    assert 'id="play-' not in page
    assert browser.get(f"/api/v1/matches/{old}").json()["rules_changed"]
    assert "1. b2 c3" in browser.get(f"/api/v1/matches/{old}/record").text
    assert browser.get(f"/matches/{old}/analysis?ply=1").status_code == 200
    for path, body in (("moves", {"move": "a1", "ply": 2}), ("undo", {}), ("resign", {})):
        answer = browser.post(f"/api/v1/matches/{old}/{path}", json=body)
        assert answer.status_code == 400
        assert "the rules of this game have changed since this match began" in answer.json()["error"]
    new = begun(browser)
    refused = browser.post(f"/api/v1/matches/{new}/moves", json={"move": "c3", "ply": 0})
    assert "'c3' is not legal" in refused.json()["error"]
    save(file)  # the old rules again
    assert 'id="play-a1"' in browser.get(f"/matches/{old}").text
    assert 'id="play-' not in browser.get(f"/matches/{new}").text


def test_a_match_goes_on_when_only_words_have_changed(own_site: Served, file: Path) -> None:
    browser = own_site.browser()
    match = begun(browser, "b2")
    save(file, OTHER_WORDS)
    assert "Only crosses here" in browser.get(f"/matches/{match}").text
    assert browser.post(f"/api/v1/matches/{match}/moves", json={"move": "a1", "ply": 1}).json()["ply"] == 2


def test_a_match_outlives_the_server_and_the_rules(file: Path, tmp_path: Path) -> None:
    database = f"sqlite:///{tmp_path}/matches.db"
    with offering(file, kept=tmp_path / "own-games"), served(database) as site:
        browser = site.browser()
        match = begun(browser, "b2", "c3")
        cookies = browser.cookies
    save(file, EIGHT_SQUARES)
    with offering(file, kept=tmp_path / "own-games"), served(database) as site:
        browser = site.client(cookies=cookies)
        assert "have changed since this match began" in browser.get(f"/matches/{match}").text
    with served(database) as site:  # without the file
        browser = site.client(cookies=cookies)
        answer = browser.get(f"/matches/{match}")
        assert (answer.status_code, "does not offer now" in answer.text) == (404, True)
        record = browser.get(f"/api/v1/matches/{match}/record").text
        assert f'href="/api/v1/matches/{match}/record"' in answer.text
        assert '[Game "notakto"]' in record
        assert record.endswith("b2 c3 *\n")
        listed = browser.get("/matches").text
        assert "Without their rules" in listed
        assert f'<a href="/matches/{match}">notakto</a>' in listed
    with offering(file, kept=tmp_path / "elsewhere"), served(database) as site:
        assert "the old ones are not known here" in site.client(cookies=cookies).get(f"/matches/{match}").text


def test_a_mistake_is_shown_with_its_line_and_the_last_good_version_is_played_on(own_site: Served, file: Path) -> None:
    browser = own_site.browser()
    match = begun(browser)
    before = browser.get("/own-games/version").json()
    save(file, SYNTAX_ERROR)
    for path in ("/", "/new/notakto", "/rules/notakto", f"/matches/{match}"):
        page = browser.get(path).text
        assert "<strong>notakto.py, line 42</strong>: SyntaxError:" in page
        assert "<pre>return Position(position.marks |</pre>" in page
        assert "The last good version stays playable" in page
    assert browser.get("/own-games/version").json() != before
    assert browser.post(f"/api/v1/matches/{match}/moves", json={"move": "a1", "ply": 0}).json()["ply"] == 1
    assert "line 42" not in browser.get("/new/connect-four").text


def test_a_game_that_never_made_sense_is_shown_with_its_mistake(tmp_path: Path) -> None:
    file = save(tmp_path / "notakto.py", SYNTAX_ERROR)
    with offering(file), served("sqlite://") as site:
        page = site.browser().get("/").text
        assert "notakto.py, line 42" in page
        assert "last good version" not in page
        save(file)
        assert ">Notakto</h2>" in site.browser().get("/").text


def test_all_matches_are_downloaded_as_records_at_the_server_only(own_site: Served, file: Path) -> None:
    browser = own_site.browser()
    begun(browser, "b2", "a1", "c3")
    begun(browser, "a1", options={"three": "wins"})
    assert 'href="/own-games/notakto/records"' in browser.get("/").text
    for form in ("text", "json"):
        answer = browser.get(f"/own-games/notakto/records?format={form}")
        assert "attachment" in answer.headers["content-disposition"]
        matches = read_matches(answer.text, known_class("notakto"))
        assert [match.moves for match in matches] == [["b2", "a1", "c3"], ["a1"]]
        assert matches[0].players == ("Ann", "Bob")
    through_a_proxy = own_site.browser(**{"X-Forwarded-For": "203.0.113.5"})
    assert through_a_proxy.get("/own-games/notakto/records").status_code == 403
    assert "own-games/notakto/records" not in through_a_proxy.get("/").text
    assert browser.get("/own-games/connect-four/records").status_code == 404


@pytest.mark.slow
def test_the_command_serves_files_and_says_what_is_wrong_with_them(file: Path, tmp_path: Path) -> None:
    bad = save(tmp_path / "bad.py", SYNTAX_ERROR)
    server = Process(f"sqlite:///{tmp_path}/matches.db", None, str(file), str(bad), "--no-warming")
    try:
        page = httpx.get(f"{server.url}/").text
        assert ">Notakto</h2>" in page
        assert "bad.py, line 42" in page
        assert "bad.py, line 42: SyntaxError" in server.logged()
        assert [path.name for path in (tmp_path / "own-games").glob("*/*")] == ["notakto.py"]
    finally:
        server.stop()
    refused = CliRunner().invoke(
        main, ["serve", str(tmp_path / "nothing.py"), "--port", "0", "--database", "sqlite://"]
    )
    assert (refused.exit_code, "there is no game file" in refused.output) == (2, True)


def test_links_to_join_can_be_reached_by_others_and_read_by_phones(tmp_path: Path) -> None:
    seats = [{"kind": "me"}, {"kind": "open"}]
    for at_home, host in (("192.0.2.7", "192.0.2.7"), ("", "127.0.0.1")):
        with served("sqlite://", at_home=at_home) as site:
            browser = site.browser()
            match = begun(browser, game="tic-tac-toe", seats=seats)
            page = browser.get(f"/matches/{match}").text
            port = site.url.rsplit(":")[-1]
            assert re.search(rf'value="http://{host}:{port}/matches/{match}/join/\w+"', page)
            assert ("QR code of the link to join" in page) == bool(at_home)
