"""Puzzles over the API: the puzzle of the day is solved and failed by requests."""

from __future__ import annotations

import pytest

from connectoe import load
from connectoe.puzzles.store import puzzles_of
from tests.web.serving import Served

pytestmark = pytest.mark.slow


def test_a_program_solves_the_puzzle_of_the_day(server: Served) -> None:
    program = server.program()
    puzzle = program.get("/puzzles/connect-four/daily", params={"day": "2026-11-18"}).json()
    assert puzzle == program.get("/puzzles/connect-four/daily", params={"day": "2026-11-18"}).json()
    assert "line" not in puzzle
    here = f"/puzzles/connect-four/{puzzle['id']}"
    assert program.get(here).json() == puzzle
    solution = program.get(f"{here}/solution").json()
    played: list[str] = []
    while True:
        answer = program.post(f"{here}/moves", json={"moves": [*played, solution["line"][len(played)]]}).json()
        played += [solution["line"][len(played)], answer["reply"]]
        if answer["verdict"] != "right":
            break
    assert answer["verdict"] == "solved"
    wrong = next(move for move in "abcdefg" if move not in (solution["line"][0], full_column(puzzle["position"])))
    failed = program.post(f"{here}/moves", json={"moves": [wrong]})
    if failed.status_code == 200:
        assert failed.json()["verdict"] == "wrong"
        assert wrong in failed.json()["words"]


def full_column(position: str) -> str:
    """The first column whose top row is taken, if any."""
    state = load("connect-four").state(position)
    return next((column for column in "abcdefg" if column not in state.legal_moves()), "")


def test_puzzles_are_listed_by_grade_and_theme(server: Served) -> None:
    program = server.program()
    listed = program.get("/puzzles/connect-four", params={"grade": 2, "theme": "win in 2", "most": 5}).json()
    assert 1 <= len(listed) <= 5
    assert all(puzzle["grade"] == 2 and "win in 2" in puzzle["themes"] for puzzle in listed)
    themes = {each["theme"]: each for each in program.get("/puzzles/connect-four/themes").json()}
    assert themes["hidden"]["meaning"] == "a look one ply ahead prefers another move"
    some = program.get("/puzzles/connect-four", params={"theme": "win in 2", "most": 500}).json()
    assert len(some) == themes["win in 2"]["puzzles"]
    assert len(program.get("/puzzles/connect-four", params={"most": 500}).json()) == len(
        puzzles_of(load("connect-four"))
    )


@pytest.mark.parametrize(
    ("path", "status", "problem"),
    [
        ("/puzzles/chess", 404, "there is no game 'chess'"),
        ("/puzzles/connect-four/nothing", 404, "connect-four has no puzzle 'nothing'"),
        ("/puzzles/ultimate-ultimate/daily", 404, "Ultimate ultimate tic-tac-toe has no puzzles: its positions"),
        ("/puzzles/connect-four/daily?day=soon", 422, "day"),
    ],
)
def test_what_is_not_there_is_said(server: Served, path: str, status: int, problem: str) -> None:
    answer = server.program().get(path)
    assert (answer.status_code, problem in answer.json()["error"]) == (status, True)
