"""Exercises: right moves, wrong moves, and exercises that do not say the truth."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from connectoe import load
from connectoe.core.errors import BadGame, IllegalMove
from connectoe.core.exercises import Attempt, Exercise, Task, check_exercise

GAME = load("tic-tac-toe")
WIN = Task("Win.", "a1", aim="win")
COLUMN = "XO1/XO1/3 X"
"""X wins on a1, and O threatens b1."""


def test_a_wrong_move_is_answered_and_nothing_is_played() -> None:
    task = replace(WIN, wrong={"b1": "That is the middle.", "[bc]1": "That is too far right."})
    attempt = Attempt.begin(GAME, Exercise("Win", (task,), start=COLUMN))
    assert attempt.answer("b1").words == "That is the middle."
    assert attempt.answer("c1").words == "That is too far right."
    assert attempt.answer("c2").words == task.otherwise
    assert attempt.answer("b2").words == "There is a mark on b2 already."
    assert attempt.answer("z9").words == "This is no move."
    assert attempt.match.ply == 0
    assert attempt.answer("a1").is_right
    with pytest.raises(IllegalMove, match="'b1' does not solve this exercise"):
        attempt.after("b1")


def test_the_other_player_replies_until_all_tasks_are_done() -> None:
    tasks = (Task("Begin.", "b2", "The middle.", replies="a1"), Task("Go on.", "c3 a3", "Fine."))
    attempt = Attempt.begin(GAME, Exercise("Two moves", tasks)).after("b2")
    assert attempt.said == "The middle."
    assert attempt.match.moves == ["b2", "a1"]
    assert attempt.task is tasks[1]
    done = Attempt.begin(GAME, attempt.exercise, ["b2", "a3"])
    assert done.task is None
    assert not done.answer("c3").is_right
    with pytest.raises(IllegalMove):
        done.after("c3")


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({"tasks": (replace(WIN, right="b1"),)}, "'a1' also does what its aim, 'win', says"),
        ({"tasks": (replace(WIN, right="a1 b1"),)}, "'b1' does not do what its aim, 'win', says"),
        ({"tasks": (replace(WIN, right="b2"),)}, "there is a mark on b2 already"),
        ({"tasks": (replace(WIN, right="k9"),)}, "'k9' is no move of tic-tac-toe"),
        ({"tasks": (replace(WIN, wrong={"a1": "no"}),)}, "'a1' among its mistakes fits no legal move"),
        ({"tasks": (replace(WIN, wrong={"(": "no"}),)}, "missing \\)"),
        ({"tasks": (Task("", "a1"),)}, "words and a right move"),
        ({"tasks": (Task("Play.", "b1", aim="save"),)}, "'a1' also does"),
        ({"tasks": (Task("Play.", "b1", replies="b1"),)}, "there is a mark on b1 already"),
        ({"start": "XX1/3/3 X"}, "X has 2 and O has 0"),
        ({"moves": "b2"}, "there is a mark on b2 already"),
    ],
)
def test_an_exercise_that_does_not_agree_with_the_rules_is_refused(changes: dict[str, Any], why: str) -> None:
    exercise = Exercise("Win", (WIN,), start=COLUMN)
    check_exercise(GAME, exercise)
    with pytest.raises(BadGame, match=f"the exercise 'Win' is wrong: .*{why}"):
        check_exercise(GAME, replace(exercise, **changes))


def test_a_trap_wins_whatever_the_other_player_does() -> None:
    corner = Task("Make two threats.", "c3", aim="trap")
    check_exercise(GAME, Exercise("Corners", (corner,), start="X2/O2/X1O X"))
    with pytest.raises(BadGame, match="'b2' does not do what its aim, 'trap', says"):
        check_exercise(GAME, Exercise("Corners", (replace(corner, right="b2"),), start="X2/O2/X1O X"))
