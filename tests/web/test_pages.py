"""The pages as a browser without scripts gets them: every one of them, and every form."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import httpx
import pytest

from connectoe import game_ids, load, read_matches
from connectoe.core.catalogue import game_class
from connectoe.web.http.pages import _gallery_of, wishes
from connectoe.web.render.demo import played_by_itself
from connectoe.web.render.documents import as_html, docs_folder
from connectoe.web.render.match_page import scene_after
from connectoe.web.render.words import changed_options
from tests.web.serving import Served, served

MARKUP = "<b>Ann</b>\"'&"


def page(browser: httpx.Client, path: str) -> str:
    answer = browser.get(path)
    assert answer.status_code == 200, answer.text
    return answer.text


def begun(browser: httpx.Client, game: str = "connect-four", **fields: str) -> str:
    """The address of a new match."""
    answer = browser.post("/matches", data={"game": game, "opponent": "here", **fields})
    assert answer.status_code == 200, answer.text
    return str(answer.url.path)


def play(browser: httpx.Client, match: str, *moves: str, ply: int = 0) -> str:
    shown = ""
    for number, move in enumerate(moves, start=ply):
        answer = browser.post(f"{match}/move", data={"move": move, "ply": number})
        assert answer.status_code == 200, answer.text
        shown = answer.text
    return shown


def status(shown: str) -> str:
    found = re.search(r'id="status".*?<p class="status">.*?<span>(.*?)</span>', shown, re.DOTALL)
    assert found
    return found[1]


def invitation(shown: str) -> str:
    found = re.search(r'id="join-link" value="([^"]+)"', shown)
    assert found
    return found[1]


def test_nobody_waits_for_the_gallery_to_be_drawn(tmp_path: Path) -> None:
    _gallery_of.cache_clear()
    with served(f"sqlite:///{tmp_path}/matches.db") as fresh:
        assert _gallery_of.cache_info().misses == 1, "it is drawn before the server answers"
        page(fresh.browser(), "/")
        assert _gallery_of.cache_info().misses == 1


def test_the_gallery_shows_every_game_with_its_picture_and_sentence(ann: httpx.Client) -> None:
    shown = page(ann, "/")
    for game_id in game_ids():
        found = game_class(game_id)
        assert f"<h2>{found.name}</h2>" in shown
        assert f'href="/rules/{game_id}"' in shown
    assert shown.count('<svg class="connectoe"') == len(game_ids())


@pytest.mark.parametrize("game_id", game_ids())
def test_every_game_has_a_rules_page_with_pictures_that_are_there(ann: httpx.Client, game_id: str) -> None:
    shown = page(ann, f"/rules/{game_id}")
    order = ["Lesson</a>", '<h2 id="how-to-play">', "What wins", "<h2>Reference</h2>", "<h3>Goal</h3>"]
    places = [shown.index(part) for part in order]
    assert places == sorted(places)
    pictures = re.findall(r'<img src="([^"]+)" alt="([^"]+)"', shown)
    assert pictures
    for address, words in pictures:
        assert words
        assert ann.get(address).headers["content-type"] == "image/svg+xml"
    assert "&lt;!--" not in shown


def test_rules_of_a_game_that_is_not_there_are_refused_in_words(ann: httpx.Client) -> None:
    answer = ann.get("/rules/conect-four")
    assert answer.status_code == 404
    assert "did you mean" in answer.text


@pytest.mark.parametrize("name", ["nothing", "..%2f..%2fREADME", "%2e%2e/%2e%2e/pyproject"])
def test_only_pictures_are_served_as_pictures(ann: httpx.Client, name: str) -> None:
    assert ann.get(f"/pictures/{name}.svg").status_code == 404


def test_the_page_of_the_api_says_what_its_fields_may_be(ann: httpx.Client) -> None:
    shown = page(ann, "/docs")
    assert "`" not in shown
    assert "<code>seats[].kind</code>: <code>me</code>: you; <code>open</code>: the first to join" in shown
    assert "<code>true</code> accepts the opponent's offer" in shown


def test_documents_cannot_smuggle_markup_in() -> None:
    assert "<script>" not in as_html("<script>alert(1)</script>")


def test_the_documents_are_found() -> None:
    assert (docs_folder() / "rules").is_dir()
    assert (docs_folder() / "pictures").is_dir()


@pytest.mark.parametrize("game_id", game_ids())
def test_a_new_match_offers_every_option_with_its_meaning(ann: httpx.Client, game_id: str) -> None:
    shown = page(ann, f"/new/{game_id}")
    for option in game_class(game_id).option_list:
        assert f'name="option-{option.name}"' in shown
        for words in (option.meaning[1:], *option.effects):
            assert words.replace("'", "&#39;") in shown


@pytest.mark.parametrize("game_id", game_ids())
def test_one_click_begins_a_match_against_a_medium_engine(ann: httpx.Client, game_id: str) -> None:
    answer = ann.post("/matches", data={"game": game_id})
    assert answer.status_code == 200
    assert status(answer.text) == "Your turn"
    assert "Medium engine" in answer.text


def test_options_are_taken_from_the_form(ann: httpx.Client) -> None:
    match = begun(ann, "connect-four", **{"option-cols": "5", "option-rows": "4"})
    assert page(ann, match).count('<button name="move"') == 5


def test_players_and_those_who_watch_see_which_options_are_played(ann: httpx.Client, bob: httpx.Client) -> None:
    match = begun(ann, "connect-tac-toe", **{"option-drop": "any-gap", "option-cols": "6"})
    words = " · ".join(changed_options(load("connect-tac-toe", drop="any-gap", cols=6)))
    assert "any-gap" in words
    for shown in (page(ann, match), page(bob, match), page(bob, f"{match}/board"), page(bob, f"{match}/analysis")):
        assert f'id="options">{words}<' in shown
    assert 'id="options"' not in page(bob, begun(ann, "connect-tac-toe"))


def test_a_bad_option_is_refused_in_words(ann: httpx.Client) -> None:
    answer = ann.post("/matches", data={"game": "connect-four", "option-cols": "99"})
    assert answer.status_code == 400
    assert "out of range" in answer.text


def test_a_board_that_is_too_large_is_said_on_the_form_with_what_was_entered(ann: httpx.Client) -> None:
    wish = {"game": "connect-four", "opponent": "link", "name": "Ann", "first": "other"}
    answer = ann.post("/matches", data={**wish, "option-cols": "8", "option-rows": "17", "option-connect": "5"})
    assert answer.status_code == 400
    assert "<h1>Connect Four</h1>" in answer.text
    assert re.search(r'role="alert">[^<]*17[^<]*rows of the board[^<]*1[.][.]16', answer.text)
    for entered in ('name="option-cols" value="8"', 'name="option-rows" value="17"', 'name="name" value="Ann"'):
        assert entered in answer.text
    for chosen in ('value="link" id="with-link" checked', 'name="first" value="other" checked'):
        assert chosen in answer.text


def test_no_page_is_called_the_current_one_when_a_form_is_shown_again(ann: httpx.Client) -> None:
    answer = ann.post("/matches", data={"game": "connect-four", "option-cols": "99"})
    assert "aria-current" not in answer.text
    assert 'href="/matches" aria-current="page"' in page(ann, "/matches")


def test_your_matches_say_against_whom_they_are(ann: httpx.Client, bob: httpx.Client) -> None:
    ann.post("/analysis", data={"record": '[Connectoe "1"]\n[Game "connect-four"]\n\n1. d c 2. d c 3. d c 4. d'})
    begun(ann, opponent="here")
    begun(ann, opponent="link")
    joined = begun(ann, opponent="link")
    bob.post(f"{joined}/join", data={"invite": invitation(page(ann, joined)).rpartition("/")[2]})
    rows = re.findall(r'<tr><td><a href="([^"]+)">[^<]*</a></td><td>([^<]*)</td>', page(ann, "/matches"))
    assert [against for _, against in rows] == ["a friend", "nobody yet", "yourself", "nobody: a record"]
    assert rows[-1][0].endswith("/analysis")


def test_a_name_that_cannot_be_is_said_on_the_form(ann: httpx.Client) -> None:
    answer = ann.post("/matches", data={"game": "c4-twist", "opponent": "link", "name": "\x07", "option-bombs": "3"})
    assert answer.status_code == 400
    assert "that can be printed" in answer.text
    assert 'name="option-bombs" value="3"' in answer.text


@pytest.mark.parametrize(
    ("game_id", "words"),
    [
        ("connect-four", 'id="about-option-cols">1 to 16</span>'),
        ("c4-twist", 'id="about-option-rows">1 to 16</span>'),
        ("connect-tac-toe", 'id="about-option-rows">1 to 16</span>'),
        ("semaphores", "At most 24 squares"),
    ],
)
def test_limits_of_a_board_are_said_before_the_match_is_started(ann: httpx.Client, game_id: str, words: str) -> None:
    shown = page(ann, f"/new/{game_id}")
    assert words in shown
    assert f'href="/rules/{game_id}#options"' in shown
    assert 'id="options"' in page(ann, f"/rules/{game_id}")


@pytest.mark.parametrize(
    ("fields", "kinds"),
    [
        ({}, ("me", "engine")),
        ({"first": "other"}, ("engine", "me")),
        ({"opponent": "here"}, ("me", "me")),
        ({"opponent": "link", "first": "other"}, ("open", "me")),
        ({"opponent": "watch", "first-level": "hard", "second-level": "easy"}, ("engine", "engine")),
    ],
)
def test_a_form_says_who_plays(fields: dict[str, str], kinds: tuple[str, str]) -> None:
    assert tuple(wish.kind for wish in wishes(fields)) == kinds


def test_chance_seats_people_on_either_side() -> None:
    assert {wishes({"first": "chance"})[0].kind for _ in range(100)} == {"me", "engine"}


@pytest.mark.parametrize("game_id", game_ids())
def test_a_whole_match_is_played_by_forms_alone(ann: httpx.Client, game_id: str) -> None:
    match = played_by_itself(load(game_id), most=40)
    shown = play(ann, begun(ann, game_id), *match.moves)
    assert status(shown) == match.status
    for move in match.moves:
        assert move in shown


def test_a_form_that_is_sent_twice_plays_once(ann: httpx.Client) -> None:
    match = begun(ann)
    play(ann, match, "d")
    play(ann, match, "d")
    assert 'data-ply="1"' in page(ann, match)


def test_a_form_that_comes_too_late_is_refused_in_words(ann: httpx.Client) -> None:
    match = begun(ann)
    play(ann, match, "d")
    answer = ann.post(f"{match}/move", data={"move": "e", "ply": 0})
    assert answer.status_code == 409
    assert "has gone on" in answer.text
    assert f'href="{match}"' in answer.text


def test_an_undo_that_is_sent_twice_takes_one_move_back(ann: httpx.Client) -> None:
    match = begun(ann)
    shown = play(ann, match, "d", "e", "d")
    found = re.search(rf'action="{match}/undo".*?name="ply" value="(\d+)"', shown)
    assert found
    for _ in range(2):
        shown = ann.post(f"{match}/undo", data={"ply": found[1]}).text
    assert 'data-ply="2"' in shown


def test_a_friend_joins_by_the_link_and_both_play(ann: httpx.Client, bob: httpx.Client) -> None:
    match = begun(ann, opponent="link", name="Ann")
    address = invitation(page(ann, match))
    assert "Ann invites you to Connect Four" in page(bob, address)
    joined = bob.post(f"{match}/join", data={"invite": address.rpartition("/")[2], "name": "Bob"})
    assert status(joined.text) == "Ann to move"
    play(ann, match, "d")
    assert status(page(bob, match)) == "Your turn"
    assert status(page(ann, match)) == "Bob to move"
    assert "join-link" not in page(ann, match)


def test_a_friend_whose_name_cannot_be_is_asked_again_and_joins(ann: httpx.Client, bob: httpx.Client) -> None:
    match = begun(ann, opponent="link", name="Ann")
    invite = invitation(page(ann, match)).rpartition("/")[2]
    answer = bob.post(f"{match}/join", data={"invite": invite, "name": 'B"ob\x07'})
    assert answer.status_code == 400
    assert "Ann invites you to Connect Four" in answer.text
    assert re.search(r'role="alert">A name consists of letters[^<]*\.<', answer.text)
    assert f'name="invite" value="{invite}"' in answer.text
    assert 'value="B&#34;ob' in answer.text
    joined = bob.post(f"{match}/join", data={"invite": invite, "name": "Bob"})
    assert status(joined.text) == "Ann to move"


@pytest.mark.parametrize("is_taken", [False, True])
def test_a_link_that_is_cut_short_or_was_used_says_so_at_once(
    ann: httpx.Client, bob: httpx.Client, site: Served, is_taken: bool
) -> None:
    match = begun(ann, opponent="link", name="Ann")
    link, carl = invitation(page(ann, match)), site.browser()
    if is_taken:
        bob.post(f"{match}/join", data={"invite": link.rpartition("/")[2], "name": "Bob"})
    for address in (link, link[:-1], link[:-1] + "~"):
        answer = carl.get(address)
        if address == link and not is_taken:
            assert answer.status_code == 200
            continue
        assert answer.status_code == 403
        assert ("The seat is taken already" if is_taken else "This link does not fit the open seat") in answer.text
        assert re.search(rf'href="{match}">Watch the match<', answer.text)
        assert "Join" not in answer.text
    for player in (ann, bob) if is_taken else (ann,):
        assert player.get(link).url.path == match  # who plays already goes on


def test_the_invitation_is_shown_to_nobody_else(ann: httpx.Client, bob: httpx.Client) -> None:
    match = begun(ann, opponent="link")
    shown = page(bob, match)
    assert "join-link" not in shown
    assert "seat-link" not in shown


def test_somebody_who_watches_has_no_buttons_to_play_or_resign(ann: httpx.Client, bob: httpx.Client) -> None:
    match = begun(ann)
    shown = page(bob, match)
    assert '<button name="move"' not in shown
    assert "Resign" not in shown
    assert bob.post(f"{match}/move", data={"move": "d", "ply": 0}).status_code == 403
    assert bob.post(f"{match}/resign").status_code == 403


def test_a_private_link_asks_before_it_moves_the_seat(ann: httpx.Client, bob: httpx.Client) -> None:
    match = begun(ann, opponent="link")
    found = re.search(r'id="seat-link-0" value="([^"]+)"', page(ann, match))
    assert found
    assert "Play here" in page(bob, found[1])
    assert status(page(ann, match)) == "Your turn"  # looking at the link has moved nothing
    moved = bob.post(f"{match}/seat", data={"secret": found[1].rpartition("/")[2]})
    assert status(moved.text) == "Your turn"
    assert "Your turn" not in status(page(ann, match))


def test_offers_are_made_and_answered_by_forms(ann: httpx.Client, bob: httpx.Client) -> None:
    match = begun(ann, opponent="link", name="Ann")
    bob.post(f"{match}/join", data={"invite": invitation(page(ann, match)).rpartition("/")[2], "name": "Bob"})
    play(ann, match, "d")
    ann.post(f"{match}/undo")
    assert "Ann asks to take back d." in page(bob, match)
    assert "You ask to take back your d." in page(ann, match)
    bob.post(f"{match}/answer", data={"offer": "undo", "yes": "true"})
    assert 'data-ply="0"' in page(ann, match)
    bob.post(f"{match}/draw")
    assert "You offer a draw" in page(bob, match)
    ann.post(f"{match}/answer", data={"offer": "draw", "yes": "true"})
    assert status(page(bob, match)) == "Draw: agreement"
    rematch = ann.post(f"{match}/rematch")
    assert rematch.url.path != match
    assert "Go to the rematch" in page(bob, match)


@pytest.mark.parametrize(
    ("game", "moves", "words"),
    [
        ("connect-four", "c b d e", "d and your e"),
        ("ultimate-ultimate", "7.8.8 +7", "7.8.8 and +7"),
        ("ultimate-ultimate", "7.8.8 +7 7.8.6", "7.8.8, +7 and your 7.8.6"),
        ("ultimate-ultimate", "7.8.8 +7 7.8.6 +5", "the last 4 moves"),
    ],
)
def test_a_request_for_an_undo_names_the_moves_it_takes_back(
    ann: httpx.Client, bob: httpx.Client, game: str, moves: str, words: str
) -> None:
    wish = {"game": game, "seats": [{"kind": "me", "name": "Ann"}, {"kind": "open"}], "moves": moves.split()}
    made = ann.post("/api/v1/matches", json=wish).json()
    match = f"/matches/{made['id']}"
    bob.post(f"{match}/join", data={"invite": made["invite"]})
    ann.post(f"{match}/undo")
    assert f"Ann asks to take back {words}." in page(bob, match)
    assert "asks to take back" not in page(ann, match)


def test_names_are_escaped_wherever_they_are_shown(ann: httpx.Client, bob: httpx.Client) -> None:
    match = begun(ann, opponent="link", name=MARKUP)
    address = invitation(page(ann, match))
    for shown in (page(ann, match), page(bob, address), page(bob, f"{match}/analysis"), page(bob, f"{match}/board")):
        assert "<b>" not in shown
        assert "&lt;b&gt;Ann&lt;/b&gt;" in shown


def test_the_fragment_shows_what_has_happened_since(ann: httpx.Client) -> None:
    match = begun(ann, "c4-twist")
    play(ann, match, "d", "*d")
    assert "data-steps" not in page(ann, f"{match}/board")
    fragment = page(ann, f"{match}/board?from=1")
    assert fragment.lstrip().startswith('<div id="match"')
    assert "bomb-O1" in re.search(r'data-steps="([^"]*)"', fragment)[1]  # type: ignore[index]


def test_a_preview_says_where_a_disc_would_rest(ann: httpx.Client) -> None:
    match = begun(ann)
    play(ann, match, "d")
    assert list(ann.get(f"{match}/preview?move=d").json()["put"]) == ["disc-d2"]


def test_recent_matches_are_those_of_this_browser(ann: httpx.Client, bob: httpx.Client) -> None:
    match = begun(ann, "semaphores")
    assert match in page(ann, "/matches")
    assert match not in page(bob, "/matches")


def test_a_match_is_stepped_through_without_scripts(ann: httpx.Client) -> None:
    match = begun(ann)
    play(ann, match, "d", "c", "d")
    assert 'data-piece="disc-d2"' in page(ann, f"{match}/analysis")
    assert 'data-piece="disc-d2"' not in page(ann, f"{match}/analysis?ply=2")
    assert 'data-piece="disc-' not in page(ann, f"{match}/analysis?ply=0")
    assert "After 3. d" in page(ann, f"{match}/analysis?ply=99")


def test_stepping_back_and_on_shows_how_pieces_go(ann: httpx.Client) -> None:
    match = begun(ann, "shift-tac-toe")
    play(ann, match, "1", "1", "9")
    on, back = (page(ann, f"{match}/analysis?{query}") for query in ("ply=3&from=2", "ply=2&from=3"))
    assert "piece-a2-2" in re.search(r'data-steps="([^"]*)"', on)[1]  # type: ignore[index]
    assert "piece-a2-2" in re.search(r'data-steps="([^"]*)"', back)[1]  # type: ignore[index]


def test_a_pasted_record_is_analysed(ann: httpx.Client) -> None:
    record = '[Connectoe "1"]\n[Game "connect-four"]\n[First "Ann"]\n[Second "Bob"]\n\n1. d c 2. d c 3. d c 4. d 1-0\n'
    answer = ann.post("/analysis", data={"record": record})
    assert answer.status_code == 200
    assert "X wins" in status(answer.text)
    assert "Ann above" in answer.text


@pytest.mark.parametrize(
    ("result", "reason", "words"),
    [
        ("0-1", "resignation", "O wins: resignation"),
        ("1-0", "resignation", "X wins: resignation"),
        ("1/2-1/2", "agreement", "Draw: agreement"),
    ],
)
def test_a_pasted_record_keeps_how_the_players_ended_it(
    ann: httpx.Client, result: str, reason: str, words: str
) -> None:
    record = f'[Connectoe "1"]\n[Game "ultimate"]\n[Result "{result}"]\n[Reason "{reason}"]\n\n1. e5 e6 {result}\n'
    answer = ann.post("/analysis", data={"record": record})
    assert answer.status_code == 200
    assert words in status(answer.text)
    assert "must play" not in answer.text


def test_a_pasted_record_with_a_name_that_cannot_be_comes_back_with_the_reason(ann: httpx.Client) -> None:
    record = '[Connectoe "1"]\n[Game "connect-four"]\n[First "A\x07nn"]\n\n1. d c *\n'
    answer = ann.post("/analysis", data={"record": record})
    assert answer.status_code == 400
    assert "that can be printed" in answer.text
    assert re.search(r"<textarea[^>]*>[^<]*1\. d c \*", answer.text)


@pytest.mark.parametrize("record", ["hello", "", '[Connectoe "1"]\n[Game "chess"]\n\n1. e4', "<script>"])
def test_a_record_that_cannot_be_read_comes_back_with_the_reason(ann: httpx.Client, record: str) -> None:
    answer = ann.post("/analysis", data={"record": record})
    assert answer.status_code in (400, 422)
    assert "<script>" not in answer.text


def test_a_match_goes_on_from_any_position_of_another(ann: httpx.Client) -> None:
    match = begun(ann)
    play(ann, match, "d", "c", "d", "c")
    origin = match.rpartition("/")[2]
    assert "after move 3" in page(ann, f"/new/connect-four?from={origin}&ply=3")
    fresh = begun(ann, **{"from": origin, "ply": "3"})
    assert fresh != match
    [record] = read_matches(ann.get(f"/api/v1{fresh}/record").text)
    assert record.moves == ["d", "c", "d"]


def test_a_long_match_lists_its_last_moves(ann: httpx.Client) -> None:
    moves = played_by_itself(load("ultimate-ultimate"), most=120).moves
    wish = {"game": "ultimate-ultimate", "seats": [{"kind": "me"}, {"kind": "me"}], "moves": moves}
    made = ann.post("/api/v1/matches", json=wish).json()["id"]
    shown = page(ann, f"/matches/{made}")
    assert "The last 100 of 120" in shown
    assert f"analysis?ply={len(moves)}" in shown
    assert 'analysis?ply=20"' not in shown
    assert '?ply=1"' in page(ann, f"/matches/{made}/analysis?ply=3")


def test_a_finished_match_offers_a_rematch_and_no_more_moves(ann: httpx.Client) -> None:
    shown = play(ann, begun(ann), *"dcdcdcd")
    assert status(shown) == "X wins: four discs d1-d4"
    assert "Rematch" in shown
    assert '<button name="move"' not in shown


def test_engines_that_have_played_each_other_can_be_found_again_and_play_a_rematch(ann: httpx.Client) -> None:
    engines = [{"kind": "engine", "level": "random"}, {"kind": "engine", "level": "easy"}]
    wish = {"game": "connect-four", "seats": engines, "moves": list("dcdcdcd")}
    match = "/matches/" + ann.post("/api/v1/matches", json=wish).json()["id"]
    assert "Random engine and Easy engine" in page(ann, "/matches")
    assert match in page(ann, "/matches")
    assert f'action="{match}/rematch"' in page(ann, match)


def test_nothing_can_be_taken_back_while_only_the_engine_has_moved(ann: httpx.Client) -> None:
    seats = [{"kind": "engine", "level": "random"}, {"kind": "me"}]
    for moves, has_undo in ((["d"], False), (["d", "d", "e"], True)):
        made = ann.post("/api/v1/matches", json={"game": "connect-four", "seats": seats, "moves": moves}).json()["id"]
        assert ("<button>Undo</button>" in page(ann, f"/matches/{made}")) == has_undo


def test_nobody_is_told_where_to_play_once_the_match_is_resigned(ann: httpx.Client) -> None:
    match = begun(ann, "ultimate")
    shown = play(ann, match, "e5")
    told = "<li>O must play on"
    assert told in shown
    assert "s-forced" in shown
    ann.post(f"{match}/resign")
    for path in (match, f"{match}/analysis"):
        assert told not in page(ann, path)
        assert "s-forced" not in page(ann, path)
    assert "must play on" not in page(ann, f"{match}/analysis?ply=0")


def test_the_analysis_of_a_resigned_match_shows_who_won(ann: httpx.Client) -> None:
    match = begun(ann, "tic-tac-toe")
    play(ann, match, "b2")
    ann.post(f"{match}/resign")  # O was to move
    shown = page(ann, f"{match}/analysis")
    assert "X wins: resignation" in shown
    _, _, status = shown.partition('id="status"')
    standing = status[: status.index("X wins: resignation")]
    mine, other = (page(ann, f"{match}/analysis?ply={ply}") for ply in (0, 1))
    assert "X to move" in mine
    assert "O to move" not in other  # the last position is the end
    assert symbol_in(standing) == symbol_in(mine[mine.index('id="status"') : mine.index("X to move")])
    assert "X above" in shown
    assert "X · X" not in shown


def symbol_in(html: str) -> str:
    """The picture of a player's symbol."""
    return html[html.index("<svg") : html.index("</svg>")]


@pytest.mark.parametrize("game_id", ["advanced", "connect-tac-toe", "c4-twist"])
def test_nobody_is_told_what_to_do_next_when_the_match_is_over(game_id: str) -> None:
    match = played_by_itself(load(game_id), most=200)
    assert match.outcome
    assert match.scene().notes
    shown = scene_after(match, match.ply)
    assert shown.notes == []
    assert [mark for mark in shown.highlights if mark.kind == "forced"] == []


def test_what_is_not_there_is_said_in_words(ann: httpx.Client) -> None:
    games = ("/rules/nothing", "/new/nothing", "/games/nothing/demo")
    for path in ("/nothing", "/matches/nothing", "/matches/nothing/analysis", "/pictures/nothing.svg", *games):
        answer = ann.get(path)
        assert answer.status_code == 404
        assert "<h1>Not here</h1>" in answer.text
    told = ann.get("/api/v1/games/nothing")
    assert (told.status_code, "there is no game 'nothing'" in told.json()["error"]) == (404, True)


def test_an_altered_address_is_answered_in_words_for_people(ann: httpx.Client) -> None:
    answer = ann.get(f"{begun(ann)}/analysis?ply=abc")
    assert answer.status_code == 422
    assert "cannot be understood: ply." in answer.text
    assert "integer" not in answer.text


def test_a_seat_that_is_taken_twice_by_one_press_is_taken_once(ann: httpx.Client, bob: httpx.Client) -> None:
    match = begun(ann, opponent="link")
    invite = invitation(page(ann, match)).rpartition("/")[2]
    for _ in range(2):
        answer = bob.post(f"{match}/join", data={"invite": invite, "name": "Bob"})
        assert status(answer.text) == "X to move"


def test_the_api_page_lists_every_call(ann: httpx.Client, site: Served) -> None:
    shown = page(ann, "/docs")
    for path in site.app.openapi()["paths"]:
        assert path in shown


@pytest.mark.parametrize("path", ["/", "/new/advanced", "/rules/ultimate", "/matches", "/analysis", "/about", "/docs"])
def test_no_page_has_inline_scripts_styles_or_foreign_addresses(ann: httpx.Client, path: str) -> None:
    shown = page(ann, path)
    assert not re.search(r"<script(?![^>]*\bsrc=)", shown)
    assert "<style" not in shown
    assert not re.search(r'\son[a-z]+="', shown)
    assert not re.search(r'(?:src|href)="(?:https?:)?//', shown)


def test_ids_are_unique_on_every_page(ann: httpx.Client) -> None:
    matches = [begun(ann, game_id) for game_id in game_ids()]
    for path in ("/", "/new/advanced", "/analysis", *matches, *(f"{match}/analysis" for match in matches)):
        ids: list[Any] = re.findall(r'\sid="([^"]+)"', page(ann, path))
        assert len(set(ids)) == len(ids)


def test_a_browser_that_comes_with_a_name_gets_its_key_and_its_name(server: Served) -> None:
    ann = server.browser()
    shown = ann.post("/matches", data={"game": "tic-tac-toe", "opponent": "here", "name": "Ann"})
    assert set(ann.cookies) == {"connectoe", "connectoe-names", "connectoe-lessons"}
    assert "Ann" in shown.text
    assert "X to move" in shown.text  # it holds the seats it has just taken


def test_a_remembered_name_that_cannot_be_shown_is_ignored(server: Served) -> None:
    ann = server.browser()
    for forged in ("name%3D%25E2%25A0%2580", "name=" + "x" * 100, "%", "name%3D%3Cscript%3E"):
        ann.cookies.set("connectoe-names", forged)
        shown = ann.get("/new/tic-tac-toe")
        assert shown.status_code == 200
        assert "<script>" not in shown.text
