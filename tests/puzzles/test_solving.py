"""Solving puzzles by play, and practice that adapts."""

from __future__ import annotations

import random
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import pytest

from connectoe import ConnectoeError, load
from connectoe.core.catalogue import game_class
from connectoe.puzzles.checking import problems_of
from connectoe.puzzles.grading import grade
from connectoe.puzzles.puzzle import Puzzle, puzzle_from
from connectoe.puzzles.solving import judge
from connectoe.puzzles.store import puzzle_of_the_day, puzzles_of
from connectoe.puzzles.training import RETURNS, Training
from connectoe.puzzles.wording import hints, said_of, task
from tests.commands.calling import connectoe

# X threatens nothing yet; e makes an open three on the lowest row, and both of its ends win.
FOUR = puzzle_from(load("connect-four"), "win\t3\tsolver\td a c a\te f b\t-\t-\teasy 2/5")


def test_the_line_is_right_and_its_end_solves_the_puzzle() -> None:
    first = judge(FOUR, ["e"])
    assert (first.verdict, first.reply, first.plies_left) == ("right", "f", 1)
    assert judge(FOUR, ["e", "f", "b"]).verdict == "solved"


def test_another_move_that_wins_as_soon_counts() -> None:
    two_ways = puzzle_from(load("connect-four"), "win\t3\tsolver\td a c a\te g b\t2=f\t-")
    judgement = judge(two_ways, ["e", "g", "f"])
    assert (judgement.verdict, judgement.leaves_the_line) == ("solved", True)
    assert said_of(two_ways, "f", judgement) == "f solves it too; the line is e g b."
    assert judge(two_ways, ["e", "g", "d"]).verdict == "wrong"


def test_a_wrong_move_is_wrong_and_may_be_refuted() -> None:
    assert judge(FOUR, ["a"]).verdict == "wrong"
    assert "does not win in time" in said_of(FOUR, "a", judge(FOUR, ["a"]))
    threatened = puzzle_from(load("connect-four"), "win\t3\tsolver\td a d a d a\td a a\t-\t-")
    assert judge(threatened, ["c"]).reply == "a"
    assert said_of(threatened, "c", judge(threatened, ["c"])) == "c loses to a."


def test_a_move_of_the_other_side_is_not_judged() -> None:
    with pytest.raises(ConnectoeError, match="not one of X's"):
        judge(FOUR, ["e", "f"])
    with pytest.raises(ConnectoeError, match="follow the line"):
        judge(FOUR, ["e", "b", "f"])
    with pytest.raises(ConnectoeError, match="no move to judge"):
        judge(FOUR, [])


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("win\t3\tsolver\td a c a\te f b\t-\t-", ""),
        ("win\t3\tsolver\td a c a\tg f b\t-\t-", "does not end with the win"),
        ("win\t5\tsolver\td a c a\te f b\t-\t-", "its line has 3 moves, not 5"),
        ("win\t5\tsolver\td a c a\te g g a b\t-\t-", "wins sooner"),
        ("win\t3\tsolver\tz\te f b\t-\t-", "no move"),
        ("win\t3\tsolver\td a c a\te f b\t2=g\t-", "one of g is not as good as b"),
        ("draw\t2\tsolver\td a c a e b\tf\t-\t-", "b does not lose within 2 plies"),
    ],
)
def test_a_false_claim_is_found_by_plain_recursion(line: str, problem: str) -> None:
    try:
        found = problems_of(puzzle_from(load("connect-four"), line))
    except ConnectoeError as error:
        found = [str(error)]
    assert any(problem in each for each in found) if problem else found == []


def test_a_second_solution_is_found() -> None:
    two = puzzle_from(load("connect-four"), "win\t3\tsolver\td a c a\tb a e\t-\t-")
    assert "e wins within 3 plies too" in problems_of(two)


def test_hints_lead_from_a_slight_one_to_the_move() -> None:
    puzzle = puzzle_from(load("c4-twist"), "win\t3\tsearch\td a c a\te f b\t-\tg")
    assert task(puzzle) == "X to move and win in 2 moves."
    assert hints(puzzle) == [
        "g looks good, but it is not the move.",
        "The first move is not a bomb.",
        "The first move is e.",
    ]


def many_puzzles() -> list[Puzzle]:
    """Positions of which nothing is asked but to be different."""
    moves = "dddddd" + "cccccc" + "eeeeee"
    return [Puzzle(load("connect-four"), tuple(moves[:ply]), "win", 1, ("a",), "solver") for ply in range(19)]


def test_the_puzzle_of_the_day_is_another_one_every_day_until_all_were_there() -> None:
    puzzles = many_puzzles()
    first = date.fromordinal(738_000 // len(puzzles) * len(puzzles))
    days = [puzzle_of_the_day(puzzles, first + timedelta(day)) for day in range(len(puzzles))]
    assert {puzzle.id for puzzle in days} == {puzzle.id for puzzle in puzzles}
    assert puzzle_of_the_day(puzzles, first) == days[0]


def test_practice_gets_harder_with_success_and_failed_puzzles_return() -> None:
    puzzles, training, dice = many_puzzles(), Training(), random.Random(1)
    failed = training.choose(puzzles, dice)
    assert failed
    training.note(failed.id, solved=False)
    met = []
    for _ in range(RETURNS[0] + 1):
        following = training.choose(puzzles, dice)
        assert following
        met.append(following)
        training.note(following.id, solved=True)
    assert met.index(failed) == RETURNS[0]
    assert training.streak == training.best_streak == RETURNS[0] + 1
    assert training.grade > 1
    assert Training.from_json(training.to_json()) == training
    assert Training.from_json("[1]") == Training()


def test_puzzles_are_solved_at_the_terminal(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    puzzle = puzzles_of(load("connect-four"))[0]
    wrong = next(move for move in puzzle.state.legal_moves() if move != puzzle.solution)
    own = [move for number, move in enumerate(puzzle.line) if number % 2 == 0]
    answer = connectoe(
        "practise", "connect-four", "--puzzle", puzzle.id, stdin="\n".join(["hint", "nonsense", wrong, *own])
    )
    assert answer.exit_code == 0
    assert "Try again" in answer.output
    assert "'nonsense' is no move of connect-four" in answer.output
    assert "solves it" in answer.output
    assert "Proven by" in answer.output


def test_practice_keeps_how_it_goes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    answer = connectoe("practise", "connect-four", "--grade", "1", "--seed", "1", stdin="solution\nq\n")
    assert "0 of 1 solved" in answer.output
    answer = connectoe("practise", "connect-four", "--grade", "1", "--seed", "1", stdin="skip\nq\n")
    assert "0 of 2 solved" in answer.output


def test_days_in_a_row_are_counted_at_the_terminal(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    puzzle = puzzle_of_the_day(puzzles_of(load("connect-four")), datetime.now(UTC).date())
    own = [move for number, move in enumerate(puzzle.line) if number % 2 == 0]
    answer = connectoe("practise", "connect-four", "--daily", stdin="\n".join(own))
    assert "Puzzle of the day: 1 day in a row" in answer.output


def test_a_failure_ends_the_days_in_a_row_and_a_small_theme_comes_again() -> None:
    training = Training()
    for day in range(3):
        training.note_day(date(2026, 11, 1) + timedelta(day), solved=True)
    training.note_day(date(2026, 11, 4), solved=False)
    training.note_day(date(2026, 11, 4), solved=True)  # the first result of a day counts
    assert (training.days, training.best_days) == (0, 3)
    for puzzle in many_puzzles():
        training.note(puzzle.id, solved=True)
    assert training.choose(many_puzzles()[-2:], random.Random(1))


def test_what_cannot_be_practised_is_explained() -> None:
    assert "the themes are: " in connectoe("practise", "connect-four", "--theme", "?").output
    assert "a date looks like" in connectoe("practise", "connect-four", "--date", "soon").output
    answer = connectoe("practise", "connect-four", "-O", "cols=5")
    assert (answer.exit_code, "To find some: connectoe puzzles connect-four" in answer.output) == (1, True)
    assert game_class("connect-four").puzzle_making.longest > 7
    assert grade(FOUR) == 1
