"""The puzzles that come with the games: all are read, and a sample is checked by plain recursion over the rules."""

from __future__ import annotations

import random
from collections import Counter
from statistics import fmean

import pytest

from connectoe import ONGOING, Match, State, game_ids, load
from connectoe.players import has_perfect, player
from connectoe.puzzles.checking import problems_of
from connectoe.puzzles.data import as_data
from connectoe.puzzles.finding import can_have_puzzles, image_of
from connectoe.puzzles.grading import GRADES, failures, grade
from connectoe.puzzles.proving import prover
from connectoe.puzzles.puzzle import Puzzle
from connectoe.puzzles.solving import judge
from connectoe.puzzles.store import file_of, puzzles_of
from connectoe.puzzles.themes import themes
from connectoe.puzzles.wording import hints, proof_in_words, task
from tests.games.all_positions import reachable_texts

GAMES = [game_id for game_id in game_ids() if file_of(load(game_id)).exists()]
each_game = pytest.mark.parametrize("game_id", GAMES)
FEWEST = {"tic-tac-toe": 25}
"""Where there are fewer than hundreds."""
SAMPLE = 4
CHECKED_PLIES = 5
"""Longer solutions take plain recursion too long for every run; `connectoe puzzles GAME --check` checks all."""


def sample(game_id: str, count: int = SAMPLE, longest: int = 99, seed: int = 1) -> list[Puzzle]:
    puzzles = [puzzle for puzzle in puzzles_of(load(game_id)) if puzzle.plies <= longest]
    return random.Random(seed).sample(puzzles, count)


def test_every_game_whose_puzzles_can_be_proven_has_some() -> None:
    assert set(GAMES) == {game_id for game_id in game_ids() if can_have_puzzles(load(game_id))}


def test_all_puzzles_that_tic_tac_toe_has_are_there() -> None:
    game = load("tic-tac-toe")
    positions = [game.state(text).position for text in reachable_texts(game)]
    different = {image_of(game.rules, one): one for one in positions if game.rules.outcome(one) == ONGOING}
    there_are = {image for image, position in different.items() if prover(game).only_move(position)}
    assert there_are == {image_of(game.rules, puzzle.state.position) for puzzle in puzzles_of(game)}


@each_game
def test_there_are_hundreds_no_two_alike_of_several_grades_and_themes(game_id: str) -> None:
    puzzles = puzzles_of(load(game_id))
    assert len(puzzles) >= FEWEST.get(game_id, 300)
    assert len({image_of(puzzle.game.rules, puzzle.state.position) for puzzle in puzzles}) == len(puzzles)
    assert len({puzzle.id for puzzle in puzzles}) == len(puzzles)
    grades = Counter(map(grade, puzzles))
    assert set(grades) <= set(GRADES)
    assert len(grades) >= 3
    assert len({puzzle.plies for puzzle in puzzles}) >= 3


@each_game
def test_plain_recursion_confirms_a_sample(game_id: str) -> None:
    for puzzle in sample(game_id, longest=CHECKED_PLIES):
        assert problems_of(puzzle) == [], puzzle.as_line()


@each_game
def test_plain_recursion_would_find_another_move_claimed(game_id: str) -> None:
    puzzle = sample(game_id, 1, longest=3)[0]
    other = next(move for move in puzzle.state.legal_moves() if move != puzzle.solution)
    false = Puzzle(puzzle.game, puzzle.moves, "win", puzzle.plies, (other, *puzzle.line[1:]), puzzle.proof)
    assert problems_of(false)


@each_game
def test_the_line_is_judged_right_to_its_end(game_id: str) -> None:
    for puzzle in sample(game_id, 20):
        played: list[str] = []
        verdicts = []
        for ply, move in enumerate(puzzle.line):
            played.append(move)
            if before(puzzle, played).turn == puzzle.state.turn:
                verdicts.append((ply, judge(puzzle, played).verdict))
        # In some games the loser makes the last move, as where both place a piece before all of them move.
        assert all(verdict == "right" for _, verdict in verdicts[:-1]), verdicts
        assert verdicts[-1][1] == "solved", puzzle.as_line()


def before(puzzle: Puzzle, played: list[str]) -> State:
    state = puzzle.state
    for move in played[:-1]:
        state = state.play(move)
    return state


@each_game
def test_a_puzzle_is_given_in_words_and_as_data(game_id: str) -> None:
    for puzzle in sample(game_id, 20):
        assert task(puzzle).endswith(".")
        assert hints(puzzle)[-1] == f"The first move is {puzzle.solution}."
        for hint in hints(puzzle)[:-1]:
            assert puzzle.solution not in hint.replace(" a ", " ").split()  # the column a is no article
        assert proof_in_words(puzzle).startswith("Proven by")
        data = as_data(puzzle)
        assert (data["line"][0], data["themes"]) == (puzzle.solution, list(themes(puzzle)))
        assert "line" not in as_data(puzzle, with_solution=False)


@pytest.mark.slow
@pytest.mark.parametrize("game_id", [game_id for game_id in GAMES if has_perfect(load(game_id))])
def test_the_perfect_player_solves_them_all(game_id: str) -> None:
    perfect = player("perfect", load(game_id), seed=1)
    for puzzle in puzzles_of(load(game_id)):
        assert perfect.choose(Match(puzzle.game, start=puzzle.state)) == puzzle.solution, puzzle.as_line()


@pytest.mark.slow
@each_game
def test_levels_fail_more_often_where_the_grade_is_higher(game_id: str) -> None:
    """Measured anew with other seeds than those that made the grades."""
    puzzles = puzzles_of(load(game_id))
    low, high = ([puzzle for puzzle in puzzles if grade(puzzle) in grades] for grades in ((1,), (3, 4, 5)))

    def failing(puzzles: list[Puzzle]) -> float:
        return fmean(
            failures(puzzle.game, puzzle.state, puzzle.solution, level, 2, seed=77).share
            for puzzle in random.Random(2).sample(puzzles, min(20, len(puzzles)))
            for level in ("easy", "medium")
        )

    assert failing(low) + 0.1 < failing(high)
