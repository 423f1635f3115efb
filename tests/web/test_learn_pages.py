"""Lessons as a browser without scripts gets them."""

from __future__ import annotations

import re
from html import unescape

import httpx
import pytest

from connectoe import game_ids, load
from tests.web.serving import Served


def words_in(shown: str, part: str) -> str:
    found = re.search(rf'id="{part}"[^>]*>(.*?)</p>', shown, re.DOTALL)
    return unescape(re.sub("<[^>]+>", "", found[1])) if found else ""


def press(browser: httpx.Client, shown: httpx.Response, move: str) -> httpx.Response:
    """What comes after a press on the board of a page."""
    form = re.search(r'<form class="plays" method="post" action="([^"]+)".*?</form>', shown.text, re.DOTALL)
    assert form
    fields = dict(re.findall(r'type="hidden" name="(\w+)" value="([^"]*)"', form[0]))
    assert f'name="move" value="{move}"' in unescape(form[0])
    answer = browser.post(form[1], data={**{name: unescape(value) for name, value in fields.items()}, "move": move})
    assert answer.status_code == 200, answer.text
    return answer


@pytest.mark.parametrize("game_id", game_ids())
def test_every_lesson_leads_from_step_to_step_to_a_match(ann: httpx.Client, game_id: str) -> None:
    shown = ann.get(f"/learn/{game_id}")
    lesson = load(game_id).lessons
    for number, step in enumerate(lesson, start=1):
        assert f"step {number} of {len(lesson)}" in shown.text
        for task in step.tasks:
            assert words_in(shown.text, "task") == task.words
            shown = press(ann, shown, task.moves[-1])
            assert not task.says or words_in(shown.text, "answer") == task.says
        assert "data-solved" in shown.text
        assert 'class="targets"></div>' in shown.text  # nothing more can be played
        if number < len(lesson):
            shown = ann.get(f"/learn/{game_id}/{number + 1}")
    assert "Now play easy" in shown.text
    match = ann.post("/matches", data={"game": game_id, "level": "easy"})
    assert "Easy engine" in match.text
    assert "lesson-offer" not in match.text


def test_a_phone_shows_the_part_of_a_wide_board_that_the_words_are_about(ann: httpx.Client) -> None:
    def part(shown: httpx.Response) -> tuple[str, ...]:
        found = re.search(r"--zoom:([^;]+);--left:([^;]+);--top:([^;\"]+)", shown.text)
        assert found
        return found.groups()

    shown = ann.get("/learn/ultimate-ultimate/3")
    board_8 = part(shown)
    for move in ("8.5.7", "+1"):
        shown = press(ann, shown, move)
        assert part(shown) == board_8  # with the tally, and not where O has been sent
    assert "The tally stands above the board" in shown.text


def test_a_mistake_is_answered_in_words_and_nothing_is_played(ann: httpx.Client) -> None:
    shown = press(ann, ann.get("/learn/connect-four/4"), "g")
    assert words_in(shown.text, "answer") == "Then O drops a disc into column a and has four in a row."
    assert 'data-ply="0"' in shown.text
    shown = press(ann, shown, "a")
    assert words_in(shown.text, "answer") == "Blocked: that row is closed at both ends."
    assert 'data-ply="1"' in shown.text


def test_a_press_that_the_rules_forbid_is_answered_with_the_reason(ann: httpx.Client) -> None:
    shown = press(ann, ann.get("/learn/tic-tac-toe/1"), "b2")
    assert words_in(shown.text, "answer") == "There is a mark on b2 already."


def test_a_hint_comes_in_words_first_and_then_as_the_move(ann: httpx.Client) -> None:
    first = ann.get("/learn/advanced/4?hint=1").text
    assert words_in(first, "answer") == "The 4, from the left edge beside the middle row."
    assert not re.search(r'<button[^>]*class="[^"]*\bhint"', first)
    second = ann.get("/learn/advanced/4?hint=2").text
    assert words_in(second, "answer") == "Piece 4 from the west, rank 2."
    assert re.search(r'value="4W2"[^>]*class="[^"]*\bhint"', second)
    assert re.search(r'id="tool-3" value="piece 4" checked', second)


def test_the_lesson_is_offered_at_the_first_match_of_a_game_only(site: Served, ann: httpx.Client) -> None:
    first = ann.post("/matches", data={"game": "semaphores"})
    assert 'href="/learn/semaphores/1"' in first.text
    assert "in 5 short steps" in first.text
    assert "lesson-offer" not in ann.get(first.url.path).text  # somebody who said no
    assert "lesson-offer" not in ann.post("/matches", data={"game": "semaphores"}).text
    assert "lesson-offer" in ann.post("/matches", data={"game": "ultimate"}).text
    ann.get("/learn/advanced/2")
    assert "lesson-offer" not in ann.post("/matches", data={"game": "advanced"}).text
    watched = {"game": "tic-tac-toe", "opponent": "watch", "first-level": "random", "second-level": "random"}
    assert "lesson-offer" not in ann.post("/matches", data=watched).text


def test_lessons_are_linked_from_everywhere_a_newcomer_looks(ann: httpx.Client) -> None:
    for path in ("/", "/rules/advanced", "/new/advanced"):
        assert 'href="/learn/advanced"' in ann.get(path).text, path


@pytest.mark.parametrize(
    ("path", "status", "words"),
    [
        ("/learn/chess", 404, "There is no game &#39;chess&#39;"),
        ("/learn/tic-tac-toe/5", 404, "The lesson of Tic-tac-toe has 4 steps"),
        ("/learn/tic-tac-toe/0", 422, "cannot be understood"),
        ("/learn/tic-tac-toe/x", 422, "cannot be understood"),
        ("/learn/tic-tac-toe/1?played=b1", 400, "does not solve this exercise"),
        ("/learn/tic-tac-toe/1?tried=%3Cb%3E", 200, "This is no move."),
    ],
)
def test_altered_addresses_are_answered_in_words(ann: httpx.Client, path: str, status: int, words: str) -> None:
    answer = ann.get(path)
    assert answer.status_code == status
    assert words in answer.text
    assert "<b>" not in answer.text


def test_a_forged_cookie_does_no_harm(ann: httpx.Client) -> None:
    ann.cookies.set("connectoe-lessons", "%00|<script>|" + "x" * 3000)
    assert ann.get("/learn/tic-tac-toe/1").status_code == 200
