"""`connectoe learn`."""

from __future__ import annotations

from pathlib import Path

import pytest

from connectoe import game_ids, load
from tests.commands.calling import connectoe, words_of


@pytest.mark.parametrize("game_id", game_ids())
def test_every_lesson_is_learnt_to_its_end(game_id: str) -> None:
    game = load(game_id)
    typed = "".join("".join(f"{task.moves[0]}\n" for task in step.tasks) + "\n" for step in game.lessons)
    result = connectoe("learn", game_id, stdin=typed)
    assert result.exit_code == 0
    assert f"step {len(game.lessons)} of {len(game.lessons)}" in result.output
    assert f"connectoe play {game_id} {'--x' if game_id == 'shift-tac-toe' else '--o'} easy" in result.output


def test_a_mistake_is_answered_and_can_be_tried_again() -> None:
    said = words_of("learn", "tic-tac-toe", stdin="b3\nb1\nz9\nhint\nshow\nC1\nq\n")
    answers = [
        "There is a mark on b3 already.",
        "That makes no line of three.",
        "'z9' is no move of tic-tac-toe",
        "The diagonal goes down",
        "Play c1.",
        "Three in line: you win.",
    ]
    places = [said.index(answer) for answer in answers]
    assert places == sorted(places)
    assert "step 2" not in said


def test_steps_can_be_skipped_and_gone_back_to() -> None:
    said = words_of("learn", "connect-four", stdin="back\n?\nskip\nskip\nback\nhelp\nrules\nboard\nquit\n")
    assert "This is the first step." in said
    assert "7 legal moves: a b c d e f g" in said
    assert said.count("step 3 of 7: Diagonals count") == 1
    assert "go to the next step" in said
    assert "That was the lesson" not in said
    assert "step 5 of 7: Three with open ends" in connectoe("learn", "connect-four", "--step", "5").output


def test_skipping_the_last_step_ends_the_lesson() -> None:
    assert "That was the lesson" in connectoe("learn", "tic-tac-toe", "--step", "4", stdin="skip\n").output


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (["chess"], "there is no game 'chess'"),
        (["tic-tac-toe", "--step", "5"], "the lesson of tic-tac-toe has 4 steps: there is no step 5"),
        (["tic-tac-toe", "--step", "0"], "0 is not in the range"),
    ],
)
def test_wrong_calls(arguments: list[str], problem: str) -> None:
    result = connectoe("learn", *arguments)
    assert result.exit_code == 2
    assert problem in result.output


def test_without_a_game_one_is_chosen() -> None:
    assert "step 1 of 4" in connectoe("learn", stdin="tic-tac-toe\nq\n").output
    assert connectoe("learn", stdin="q\n").exit_code == 0


def test_a_game_of_ones_own_gets_a_first_lesson(tmp_path: Path) -> None:
    file = tmp_path / "mine.py"
    file.write_text(
        '"""Mine."""\nfrom connectoe.games.tic_tac_toe import TicTacToe\n\n\nclass Mine(TicTacToe):\n    id = "mine"\n'
    )
    result = connectoe("learn", str(file), stdin="skip\nskip\n")
    assert "step 1 of 2: Win with one move" in result.output
    assert f"connectoe play {file} --o easy" in result.output
