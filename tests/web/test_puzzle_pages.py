"""Puzzles as a browser without scripts gets them."""

from __future__ import annotations

import httpx
import pytest

from connectoe import load
from connectoe.puzzles.exercise import exercise_of
from connectoe.puzzles.grading import grade
from connectoe.puzzles.puzzle import Puzzle
from connectoe.puzzles.store import puzzle_of, puzzles_of, today
from connectoe.puzzles.themes import themes
from connectoe.web.http.practising import MOST_GAMES
from tests.web.serving import Served
from tests.web.test_learn_pages import press, words_in

GAMES = ("connect-four", "semaphores", "advanced")


def address(puzzle: Puzzle) -> str:
    return f"/puzzles/{puzzle.game.id}/{puzzle.id}"


@pytest.mark.parametrize("game_id", GAMES)
def test_a_puzzle_is_solved_by_playing_its_line(ann: httpx.Client, game_id: str) -> None:
    puzzle = max(puzzles_of(load(game_id))[:30], key=lambda each: each.own_moves)
    shown = ann.get(address(puzzle))
    for task in exercise_of(puzzle).tasks:
        assert words_in(shown.text, "task") == task.words
        shown = press(ann, shown, task.right)
        assert words_in(shown.text, "answer") == task.says
    assert "data-solved" in shown.text
    assert "Proven by" in shown.text
    assert "Next puzzle" in shown.text


def test_a_wrong_move_is_answered_and_can_be_tried_again(ann: httpx.Client) -> None:
    puzzle = puzzles_of(load("connect-four"))[0]
    wrong = next(move for move in puzzle.state.legal_moves() if move != puzzle.solution)
    shown = press(ann, ann.get(address(puzzle)), wrong)
    assert words_in(shown.text, "answer").startswith((f"{wrong} does not", f"{wrong} loses to"))
    assert "data-solved" not in shown.text
    assert f"{puzzle.solution} " in words_in(press(ann, shown, puzzle.solution).text, "answer")


def test_a_move_as_good_as_the_line_is_not_called_wrong(ann: httpx.Client) -> None:
    puzzle = next(each for each in puzzles_of(load("connect-four")) if any(place == 2 for place, _ in each.also))
    also = next(move for place, move in puzzle.also if place == 2)
    shown = press(ann, press(ann, ann.get(address(puzzle)), puzzle.solution), also)
    assert words_in(shown.text, "answer").startswith(f"{also} solves it too")
    assert 'class="answer right"' in shown.text


def test_the_puzzle_of_the_day_is_the_same_for_everybody(site: Served, ann: httpx.Client) -> None:
    shown = ann.get("/puzzles/connect-four")
    assert "puzzle of the day" in shown.text
    assert site.browser().get("/puzzles/connect-four").url == shown.url


def solve(browser: httpx.Client, puzzle: Puzzle) -> httpx.Response:
    shown = browser.get(address(puzzle))
    for task in exercise_of(puzzle).tasks:
        shown = press(browser, shown, task.right)
    return shown


def fail(browser: httpx.Client, puzzle: Puzzle) -> httpx.Response:
    wrong = next(move for move in puzzle.state.legal_moves() if move != puzzle.solution)
    return press(browser, browser.get(address(puzzle)), wrong)


def puzzle_at(shown: httpx.Response) -> Puzzle:
    _, _, game_id, puzzle_id = shown.url.path.split("/")
    return puzzle_of(load(game_id), puzzle_id)


def test_practice_gets_harder_with_success_and_easier_with_failure(ann: httpx.Client) -> None:
    met = []
    for _ in range(5):
        met.append(puzzle_at(ann.get("/puzzles/semaphores/next")))
        shown = solve(ann, met[-1])
    grades = [grade(puzzle) for puzzle in met]
    assert (grades[:2], grades[3:]) == ([1, 1], [2, 2])  # between them, either
    assert len({puzzle.id for puzzle in met}) == 5
    assert "5 solved in a row · 5 of 5 solved · grade 2 suits you" in words_in(shown.text, "progress")
    for _ in range(2):
        failed = puzzle_at(ann.get("/puzzles/semaphores/next"))
        shown = fail(ann, failed)
    assert "0 solved in a row (best 5) · 5 of 7 solved · grade 1 suits you" in words_in(shown.text, "progress")
    assert "5 of 7 solved" in words_in(solve(ann, failed).text, "progress")  # the second try does not count
    assert "5 of 7 solved" in ann.get("/puzzles").text


def test_a_theme_and_a_grade_are_chosen_and_remembered(ann: httpx.Client) -> None:
    shown = ann.get("/puzzles/connect-tac-toe/next", params={"theme": "mark", "grade": 3})
    for _ in range(4):
        puzzle = puzzle_at(shown)
        assert ("mark" in themes(puzzle), grade(puzzle)) == (True, 3)
        shown = ann.get("/puzzles/connect-tac-toe/next")
    choice = ann.get("/puzzles/connect-tac-toe/practice").text
    assert '<option value="mark" selected>' in choice
    assert '<option value="3" selected>' in choice
    assert puzzle_at(ann.get("/puzzles/connect-tac-toe/next?theme=nonsense&grade=0"))


def test_a_hint_and_a_skipped_puzzle_count_as_failures(ann: httpx.Client) -> None:
    first = puzzles_of(load("ultimate"))[0]
    assert "0 of 1 solved" in words_in(ann.get(address(first), params={"hint": 1}).text, "progress")
    assert "0 of 1 solved" in words_in(solve(ann, first).text, "progress")
    second = puzzles_of(load("ultimate"))[1]
    assert "0 of 2 solved" in words_in(ann.get(f"/puzzles/ultimate/next?skipped={second.id}").text, "progress")


def test_days_in_a_row_are_counted(ann: httpx.Client) -> None:
    puzzle = puzzle_at(ann.get("/puzzles/connect-four"))
    assert words_in(solve(ann, puzzle).text, "progress").startswith("Puzzle of the day: 1 day in a row · 1 solved")
    kept = ann.cookies["connectoe-puzzles"]
    day = today().toordinal()
    assert f".{day}.1.1~" in kept
    ann.cookies.set("connectoe-puzzles", kept.replace(f".{day}.1.1~", f".{day - 1}.6.6~"), domain=ann.base_url.host)
    assert "Puzzle of the day: 6 days in a row" in ann.get("/puzzles").text


@pytest.mark.parametrize(
    "cookie", ["connect-four~", "connect-four~~1.2~~", "a|b~c~d", "connect-four~~0.9.9.9.9.9.9.9.x~~"]
)
def test_a_cookie_that_was_changed_is_a_fresh_start(ann: httpx.Client, cookie: str) -> None:
    ann.cookies.set("connectoe-puzzles", cookie.replace("|", "%7C"), domain=ann.base_url.host)
    assert "begin with grade 1" in words_in(ann.get("/puzzles/connect-four/practice").text, "progress")


def test_the_cookie_of_all_games_fits_into_a_browser(ann: httpx.Client) -> None:
    for game_id in GAMES:
        for number, puzzle in enumerate(puzzles_of(load(game_id))[:30]):
            ann.get(f"/puzzles/{game_id}/next?skipped={puzzle.id}")
            if number == 29:
                assert "0 of 30 solved" in ann.get(f"/puzzles/{game_id}/practice").text
    assert len(ann.cookies["connectoe-puzzles"]) / len(GAMES) * MOST_GAMES < 3900


def test_all_games_with_puzzles_are_listed(ann: httpx.Client) -> None:
    shown = ann.get("/puzzles").text
    assert all(f'href="/puzzles/{game_id}"' in shown for game_id in GAMES)
    assert 'href="/puzzles/ultimate-ultimate"' not in shown
    assert "Ultimate ultimate tic-tac-toe has no puzzles: its positions are too large" in shown
    assert 'href="/puzzles"' in ann.get("/").text


@pytest.mark.parametrize(
    ("path", "words"),
    [
        ("/puzzles/connect-four/nothing", "has no puzzle"),
        ("/puzzles/ultimate-ultimate", "has no puzzles"),
        ("/puzzles/nothing", "no game"),
    ],
)
def test_what_is_not_there_is_said(ann: httpx.Client, path: str, words: str) -> None:
    answer = ann.get(path)
    assert answer.status_code == 404
    assert words in answer.text


def test_a_preview_shows_where_a_move_goes(ann: httpx.Client) -> None:
    puzzle = puzzles_of(load("connect-four"))[0]
    assert ann.get(f"{address(puzzle)}/preview", params={"move": puzzle.solution}).json()
