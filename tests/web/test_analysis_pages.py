"""The analysis board as a browser without scripts gets it."""

from __future__ import annotations

import html
import re

import httpx
import pytest

from connectoe import game_ids, load
from connectoe.web.render.demo import played_by_itself
from connectoe.web.service.limits import UNLIMITED
from tests.web.serving import served
from tests.web.test_pages import page


def line_of(shown: str) -> str:
    found = re.search(r'name="line" value="([^"]*)"', shown)
    assert found
    return html.unescape(found[1])


def status(shown: str) -> str:
    found = re.search(r'<p class="status">.*?<span>(.*?)</span></p>', shown, re.DOTALL)
    assert found
    return html.unescape(found[1])


def play(browser: httpx.Client, shown: str, game: str, move: str, **fields: str) -> httpx.Response:
    answer = browser.post(f"/analyse/{game}/play", data={"line": line_of(shown), "move": move, **fields})
    assert answer.status_code == 200, answer.text
    return answer


def test_the_board_of_every_game_is_a_link_away(ann: httpx.Client) -> None:
    choices = page(ann, "/analyse")
    gallery = page(ann, "/")
    for game_id in game_ids():
        for shown in (choices, gallery, page(ann, f"/rules/{game_id}"), page(ann, f"/new/{game_id}")):
            assert f'href="/analyse/{game_id}"' in shown
        board = page(ann, f"/analyse/{game_id}")
        assert 'name="move"' in board
        ids = re.findall(r'\sid="([^"]+)"', board)
        assert len(set(ids)) == len(ids)


def test_a_move_is_played_by_a_button_and_becomes_part_of_the_link(ann: httpx.Client) -> None:
    answer = play(ann, page(ann, "/analyse/connect-four?option-cols=6"), "connect-four", "c")
    answer = play(ann, answer.text, "connect-four", "d")
    assert (answer.url.path, answer.url.query) == ("/analyse/connect-four", b"option-cols=6&moves=c+d")
    assert status(answer.text) == "After 2. d · X to move"
    assert "columns of the board: 6" in answer.text


def test_going_back_and_branching_keeps_the_line_that_was_left(ann: httpx.Client) -> None:
    shown = page(ann, "/analyse/connect-four?moves=d+d+c&ply=1")
    assert status(shown) == "After 1. d · O to move"
    assert 'href="/analyse/connect-four?moves=d+d+c"' in shown  # to the end
    branch = play(ann, shown, "connect-four", "e")
    assert branch.url.query == b"moves=d+e&also=d+d+c"
    assert '<a href="/analyse/connect-four?moves=d+d+c&amp;ply=2&amp;also=d+e" data-line>2. d c</a>' in branch.text
    assert 'href="/analyse/connect-four?moves=d+e" data-line' in branch.text  # without it


def test_values_are_shown_without_scripts_if_asked_for_and_go_on_being_shown(ann: httpx.Client, solved: str) -> None:
    shown = page(ann, f"/analyse/{solved}?moves=a1+b1")
    assert f'href="/analyse/{solved}?moves=a1+b1&amp;values=1"' in shown
    assert 'class="badge win exact">W5' not in shown.partition("explorer")[2]
    shown = page(ann, f"/analyse/{solved}?moves=a1+b1&values=1")
    assert "X: wins in 5" in shown
    assert shown.count('<g class="badge') == 7
    assert '<circle class="best"' in shown
    assert "wins in 5, exact" in shown
    answer = play(ann, shown, solved, "b2", values="1")
    assert answer.url.query == b"moves=a1+b1+b2&values=1"
    assert "O: loses in 4" in answer.text


@pytest.mark.slow
def test_the_script_is_told_values_marks_and_explorer(ann: httpx.Client, solved: str) -> None:
    told = ann.get(f"/analyse/{solved}/values?moves=a1+b1&seconds=0.1").json()
    assert told["worth"] == {"share": 1.0, "exact": True, "words": "X: wins in 5", "label": "X5"}
    assert told["is_final"] is True
    assert told["words"]["b2"] == "wins in 5"
    assert "W5" in told["marks"]
    assert 'value="b2"' in told["explorer"]


def test_the_end_of_a_game_has_a_value_without_an_engine(ann: httpx.Client) -> None:
    query = "moves=a1+b1+a2+b2+a3"
    told = ann.get(f"/analyse/tic-tac-toe/values?{query}").json()
    assert told["worth"] == {"share": 1.0, "exact": True, "words": "X wins: three marks a1-a3", "label": "X"}
    shown = page(ann, f"/analyse/tic-tac-toe?{query}&values=1")
    assert status(shown) == "After 5. a3 · X wins: three marks a1-a3"
    assert 'name="move"' not in shown


def test_the_explorer_counts_the_published_studies(ann: httpx.Client) -> None:
    shown = page(ann, "/analyse/connect-four")
    assert re.search(r"Played in 1100 of the 1100 games", shown)
    assert 'id="row-d"' in shown
    assert "published studies" not in page(ann, "/analyse/connect-four?option-cols=6")
    assert "came here more than once" in page(ann, "/analyse/connect-four?moves=a+a+a+a+a+a+b+b")


@pytest.mark.parametrize(
    ("fields", "link", "words"),
    [
        ({"record": "ddcdf", "game": "connect-four"}, "/analyse/connect-four?moves=d+d+c+d+f", "Understood as 5 moves"),
        ({"record": "3/1X1/3 O"}, "/analyse/tic-tac-toe?start=3%2F1X1%2F3+O", "Understood as a position"),
        (
            {"record": '[Game "c4-twist"] 1. d *d'},
            "/analyse/c4-twist?moves=d+%2Ad",
            "Understood as a record with 2 moves",
        ),
    ],
)
def test_pasted_text_is_opened_and_the_page_says_what_it_was(
    ann: httpx.Client, fields: dict[str, str], link: str, words: str
) -> None:
    answer = ann.post("/analyse", data=fields)
    assert answer.status_code == 200
    assert str(answer.url).partition("&understood")[0].endswith(link)
    assert words in answer.text


def test_pasted_text_that_is_not_understood_comes_back_with_the_reason(ann: httpx.Client) -> None:
    answer = ann.post("/analyse", data={"record": "d d <z>", "game": "connect-four"})
    assert answer.status_code == 400
    assert "is no move of Connect Four" in answer.text
    assert "d d &lt;z&gt;</textarea>" in answer.text
    assert '<option value="connect-four" selected>' in answer.text


def test_a_position_is_set_up_on_the_board_and_a_wrong_one_is_explained(ann: httpx.Client) -> None:
    shown = page(ann, "/analyse/connect-four?moves=d")
    assert re.search(r"<textarea id=\"text\"[^>]*>7/7/7/7/7/3X3 O</textarea>", shown)
    set_up = {"line": line_of(shown), "record": "7/7/7/7/7/2XOX2 O"}
    assert b"start=7" in ann.post("/analyse/connect-four", data=set_up).url.query
    floating = ann.post("/analyse/connect-four", data=set_up | {"record": "7/7/7/7/3X3/7 O"})
    assert floating.status_code == 400
    assert "the disc on d2 floats" in floating.text
    assert status(floating.text) == "After 1. d · O to move"  # the board is still there


def test_what_is_typed_is_recognised_meanwhile(ann: httpx.Client) -> None:
    look = "/analyse/connect-four/look"
    assert "This is 2 moves of Connect Four" in ann.post(look, data={"record": "dd"}).text
    assert "<svg" in ann.post(look, data={"record": "dd"}).text
    assert "is no move of" in ann.post(look, data={"record": "d d z"}).text


def test_a_record_too_long_for_a_link_is_opened_as_a_replay(ann: httpx.Client) -> None:
    match = played_by_itself(load("ultimate-ultimate"), most=2500)
    answer = ann.post("/analyse", data={"record": match.to_text()})
    assert re.fullmatch(r"/matches/\w+/analysis", answer.url.path)


def test_a_match_can_be_played_on_from_the_board_against_a_chosen_level(ann: httpx.Client) -> None:
    shown = page(ann, "/analyse/connect-four?option-cols=6&moves=c+d+e&ply=2")
    assert 'href="/new/connect-four?option-cols=6&amp;moves=c+d">Play on from here' in shown
    form = page(ann, "/new/connect-four?option-cols=6&moves=c+d")
    assert "goes on from the position after move 2" in form
    assert 'name="first" value="me" checked' in form
    line = re.search(r'name="line" value="([^"]*)"', form)
    assert line
    wanted = {"game": "connect-four", "line": html.unescape(line[1]), "opponent": "engine", "level": "random"}
    made = ann.post("/matches", data=wanted | {"first": "me"}).url.path.rsplit("/", 1)[1]
    match = ann.get(f"/api/v1/matches/{made}").json()
    assert (match["moves"], match["options"]["cols"], match["yours"]) == (["c", "d"], 6, [0])


def test_a_match_can_be_played_on_from_a_position_that_was_set_up(ann: httpx.Client) -> None:
    start = "7/7/7/7/7/2XOX2 O"
    shown = page(ann, f"/analyse/connect-four?start={start}")
    assert 'href="/new/connect-four?start=7%2F7%2F7%2F7%2F7%2F2XOX2+O">Play on from here' in shown
    form = page(ann, f"/new/connect-four?start={start}")
    assert "from the position shown here" in form
    assert 'name="first" value="other" checked' in form  # O is to move
    wanted = {"game": "connect-four", "line": f"start={start}", "opponent": "here"}
    made = ann.post("/matches", data=wanted).url.path.rsplit("/", 1)[1]
    assert ann.get(f"/api/v1/matches/{made}").json()["start"] == start


def test_a_match_from_the_start_keeps_the_options_of_the_board(ann: httpx.Client) -> None:
    shown = page(ann, "/analyse/connect-four?option-cols=6")
    assert 'href="/new/connect-four?option-cols=6">Play a match' in shown
    assert 'name="option-cols" value="6"' in page(ann, "/new/connect-four?option-cols=6")


def test_a_match_leads_to_its_analysis_board(ann: httpx.Client) -> None:
    seats = [{"kind": "me"}, {"kind": "me"}]
    made = ann.post("/api/v1/matches", json={"game": "connect-four", "seats": seats, "moves": ["d", "c"]}).json()
    assert 'href="/analyse/connect-four?moves=d+c"' in page(ann, f"/matches/{made['id']}")
    assert 'href="/analyse/connect-four?moves=d+c&amp;ply=1"' in page(ann, f"/matches/{made['id']}/analysis?ply=1")
    seats[1]["kind"] = "open"
    made = ann.post("/api/v1/matches", json={"game": "connect-four", "seats": seats}).json()
    for path in ("", "/analysis"):
        shown = page(ann, f"/matches/{made['id']}{path}")
        assert 'href="/analyse/connect-four' not in shown
        assert "value-switch" not in shown


@pytest.mark.parametrize(
    ("path", "code"),
    [
        ("/analyse/chess", 404),
        ("/analyse/connect-four?moves=d+z", 400),
        ("/analyse/connect-four?start=nonsense", 400),
        ("/analyse/connect-four?option-cols=99", 400),
        ("/analyse/connect-four/values?seconds=99", 422),
        ("/analyse/connect-four?" + "&".join(f"also=d+{n}" for n in range(100)), 400),
    ],
)
def test_a_link_that_describes_nothing_is_refused(ann: httpx.Client, path: str, code: int) -> None:
    assert ann.get(path).status_code == code


def test_analyses_are_counted_for_each_client(tmp_path: pytest.TempPathFactory) -> None:
    with served("sqlite://", shares=UNLIMITED | {"analyse": (1, 1.0)}) as site:
        browser = site.browser()
        browser.get("/about")
        assert browser.post("/analyse", data={"record": "*d"}).status_code == 200
        assert browser.post("/analyse", data={"record": "*d"}).status_code in (400, 429)
        assert browser.get("/analyse/connect-four/values").status_code == 429
        assert browser.get("/analyse/connect-four").status_code == 200  # the board itself costs little
