"""Puzzles as a browser without scripts gets them."""

from __future__ import annotations

from collections.abc import Iterator

import httpx
import pytest

from connectoe import load
from connectoe.puzzles.exercise import exercise_of
from connectoe.puzzles.grading import grade
from connectoe.puzzles.puzzle import Puzzle
from connectoe.puzzles.store import puzzles_of
from tests.web.serving import Served, served
from tests.web.test_learn_pages import press, words_in

GAMES = ("connect-four", "semaphores", "advanced")


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with served(f"sqlite:///{tmp_path_factory.mktemp('puzzles')}/matches.db") as running:
        yield running


@pytest.fixture
def ann(site: Served) -> httpx.Client:
    browser = site.browser()
    browser.get("/about")  # the cookie
    return browser


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
    assert "Another like this" in shown.text


def test_a_wrong_move_is_told_and_can_be_tried_again(ann: httpx.Client) -> None:
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


def test_practice_goes_from_grade_to_grade(ann: httpx.Client) -> None:
    by_id = {puzzle.id: puzzle for puzzle in puzzles_of(load("connect-four"))}
    for wanted in (1, 2, 3):
        shown = ann.get(f"/puzzles/connect-four/grade/{wanted}")
        assert grade(by_id[shown.url.path.rpartition("/")[2]]) == wanted
        assert f"grade {wanted} of 5" in shown.text


def test_all_games_with_puzzles_are_listed(ann: httpx.Client) -> None:
    shown = ann.get("/puzzles").text
    assert all(f'href="/puzzles/{game_id}"' in shown for game_id in GAMES)
    assert 'href="/puzzles/ultimate-ultimate"' not in shown
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
