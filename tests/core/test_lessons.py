"""Lessons: those of the games, by right and wrong moves, and those made from the rules."""

from __future__ import annotations

import re
from itertools import product
from pathlib import Path

import pytest

from connectoe import Game, game_ids, load
from connectoe.core.errors import BadGame
from connectoe.core.exercises import Attempt, Exercise, Task, check_exercise
from connectoe.core.lessons import check_lessons, lesson_of, made_from_rules
from connectoe.games.tic_tac_toe import TicTacToe
from tests.plain_minimax import plain_result

FILES = Path(__file__).parent.parent.parent


@pytest.mark.parametrize("game_id", game_ids())
def test_every_lesson_says_the_truth(game_id: str) -> None:
    game = load(game_id)
    assert 4 <= len(game.lessons) <= 7
    check_lessons(game)


@pytest.mark.parametrize("game_id", game_ids())
def test_every_step_is_played_by_its_right_moves_and_its_wrong_ones(game_id: str) -> None:
    game = load(game_id)
    for exercise in game.lessons:
        for right in product(*(task.moves for task in exercise.tasks)):
            attempt = Attempt.begin(game, exercise)
            for move in right:
                assert attempt.task
                for other in set(attempt.match.state.legal_moves()) - set(attempt.task.moves):
                    answer = attempt.answer(other)
                    assert not answer.is_right
                    assert answer.words.endswith((".", "?"))
                attempt = attempt.after(move)
                assert attempt.said.endswith(".")
            assert attempt.task is None
            break  # the checks above go through all of them; here one way is enough
        for task in exercise.tasks:
            assert all(words.endswith((".", "?")) for words in (task.words, task.hint) if words)


@pytest.mark.parametrize("game_id", game_ids())
def test_a_step_that_speaks_of_winning_wins(game_id: str) -> None:
    """What is said after the last move of a step agrees with how the game stands."""
    game = load(game_id)
    for exercise in game.lessons:
        attempt = Attempt.begin(game, exercise)
        for task in exercise.tasks:
            attempt = attempt.after(task.moves[0])
            says_so = re.search(r"you win( the game)?\.|[Ff]our (discs )?in line\.", attempt.said)
            if says_so:
                assert attempt.match.outcome, (exercise.title, attempt.said)
            if attempt.match.outcome:
                assert attempt.match.outcome.winner is not None, exercise.title


@pytest.mark.parametrize("game_id", game_ids())
def test_a_mistake_loses_as_its_answer_says(game_id: str) -> None:
    game = load(game_id)
    for exercise in game.lessons:
        attempt = Attempt.begin(game, exercise)
        for task in exercise.tasks:
            for move in set(attempt.match.state.legal_moves()) - set(task.moves):
                for answer in re.findall(
                    r"(?:wins with|O plays|O drops a disc into column) (\w+)", attempt.answer(move).words
                ):
                    assert attempt.match.state.play(move).play(answer).outcome, (exercise.title, move, answer)
            attempt = attempt.after(task.moves[0])


def test_every_lesson_has_a_win() -> None:
    for game_id in game_ids():
        assert "win" in [task.aim for exercise in load(game_id).lessons for task in exercise.tasks], game_id


def test_only_the_middle_holds_against_a_corner() -> None:
    game = load("tic-tac-toe")
    corner = game.start.play("a1")
    results = {move: plain_result(game, corner.play(move).position)[0] for move in corner.legal_moves()}
    assert [move for move, result in results.items() if result != "win"] == ["b2"]


# Games without lessons of their own.


def test_a_game_without_lessons_gets_some_from_its_rules() -> None:
    class Unexplained(TicTacToe):
        id = "unexplained"

    game = load(Unexplained)
    win, save = lesson_of(game)
    assert win.title == "Win with one move"
    assert win.tasks[0].words == f"{game.goal()} You are X, and one move wins. Find it."
    assert save.tasks[0].aim == "save"
    for exercise in (win, save):
        check_exercise(game, exercise)
    assert lesson_of(game) is lesson_of(load(Unexplained))


@pytest.mark.parametrize("game_id", game_ids())
def test_such_a_lesson_can_be_made_for_every_game(game_id: str) -> None:
    game = load(game_id)
    made = made_from_rules(game)
    assert made
    for exercise in made:
        check_exercise(game, exercise)


def test_a_game_nobody_can_win_by_moving_begins_with_not_losing(tmp_path: Path) -> None:
    text = (FILES / "CONTRIBUTING.md").read_text()
    file = tmp_path / "notakto.py"
    file.write_text(re.findall("```python\n(.*?)```", text, re.DOTALL)[0])
    [only] = lesson_of(load(str(file)))
    assert only.tasks[0].aim == "save"


def test_lessons_of_ones_own_are_checked_when_the_game_is_loaded() -> None:
    class Wrong(TicTacToe):
        id = "wrong"
        lessons = (Exercise("Win", (Task("Win.", "b2", aim="win"),)),)

    with pytest.raises(BadGame, match="the exercise 'Win' is wrong: 'b2' does not do what its aim, 'win', says"):
        load(Wrong)


def test_lessons_are_not_inherited_since_the_rules_may_be_others() -> None:
    class Larger(load("connect-four").__class__):  # type: ignore[misc]
        id = "larger"

    assert issubclass(Larger, Game)
    assert lesson_of(load(Larger))[0].title == "Win with one move"
