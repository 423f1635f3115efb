"""Opponents like people: what they overlook is what is hidden."""

from __future__ import annotations

import pytest

from connectoe import ConnectoeError, Match, load, player
from connectoe.arena.ladder import GRID, even_skills, measured_steps
from connectoe.core.catalogue import game_ids
from connectoe.people import CHARACTERS, NAMES, Person, person, skills_of
from tests.commands.calling import connectoe
from tests.playing import after

STANDING = ("a d a d a", "g")
"""X has three discs in column a: whatever O plays elsewhere, a wins."""
HIDDEN = ("b c d b g c g d", "e")
"""O has b2, c2 and d2: e2 is out of reach until X plays e1 itself."""


def seen(moves: str, move: str, skill: float) -> float:
    """How often, of 200 times, somebody sees that this move loses to an answer that wins at once."""
    state = after("connect-four", moves)
    number = state.game.move_from(move)
    people = [Person(state.game, skill, seed) for seed in range(200)]
    return sum(each.sees_refutation(state.position, number, state.moves()) for each in people) / 200


def test_a_threat_that_stands_on_the_board_is_seen_more_often_than_one_that_the_move_opens() -> None:
    assert seen(*STANDING, skill=0.5) > seen(*HIDDEN, skill=0.5) + 0.2


def test_more_skill_sees_more() -> None:
    assert seen(*HIDDEN, skill=0.2) + 0.1 < seen(*HIDDEN, skill=1.0)
    assert seen(*STANDING, skill=1.0) > 0.85


def test_training_shows_what_ones_own_move_opens() -> None:
    assert seen(*HIDDEN, skill=2.0) > seen(*HIDDEN, skill=1.0) + 0.3


def test_there_are_ten_with_names_and_a_sentence_each() -> None:
    assert len(CHARACTERS) == len(set(NAMES)) == 10
    for game_id in game_ids():
        skills = skills_of(load(game_id))
        assert len(skills) == 9
        assert list(skills) == sorted(skills)
    shown = " ".join(connectoe("ladder", "connect-four").output.split())
    assert all(f"{each.name} {each.describes}" in shown for each in CHARACTERS)


@pytest.mark.slow
def test_they_play_again_as_they_did_from_the_same_seed() -> None:
    def played() -> list[str]:
        game = load("tic-tac-toe")
        match = Match(game)
        seats = [player("person:pip", game, seed=1), player("person:0.6", game, seed=2)]
        while match.turn is not None:
            match.play(seats[match.turn].choose(match))
        return match.moves

    assert played() == played()


def test_the_last_of_them_plays_as_the_strongest_level() -> None:
    assert player("person:ada", load("connect-four")).name == "perfect"
    assert player("person:ada", load("ultimate")).name == "hard"


def test_nobody_else_is_known() -> None:
    game = load("tic-tac-toe")
    with pytest.raises(ConnectoeError, match="there is nobody called 'kasparov'; the people are: pip, nell"):
        player("person:kasparov", game)
    with pytest.raises(ConnectoeError, match="between 0 and 3"):
        person("3.5", game)
    match = Match(game)
    match.resign()
    with pytest.raises(ConnectoeError, match="no move to choose"):
        person("pip", game).choose(match)


def test_nothing_jumps_where_training_and_study_begin() -> None:
    """Just above such a skill, somebody still plays nearly all moves as below it."""
    state = after("connect-four", "d d")
    match = Match(state.game, start=state)
    for skill in (1.0, 2.0):
        below, above = (
            [player(f"person:{skill + more}", state.game, seed) for seed in range(20)] for more in (0, 0.01)
        )
        same = sum(one.choose(match) == other.choose(match) for one, other in zip(below, above, strict=True))
        assert same >= 15, skill


def test_a_person_who_has_studied_everything_plays_as_the_last_of_them() -> None:
    game = load("tic-tac-toe")
    studied = player("person:3", game, seed=1)
    for moves in ("a1", "b2", "a2", "a1 b2 c3"):  # of nine, seven or eight answers lose
        match = Match(game, start=after("tic-tac-toe", moves))
        assert studied.choose(match) in {player("person:ada", game, seed=seed).choose(match) for seed in range(20)}


def test_skills_are_spread_so_that_the_steps_are_even() -> None:
    # Half of all the Elo lies between skills 1 and 1.25, so that half of the people are there.
    skills = even_skills({0.5: 50, 1.0: 30, 1.25: 180, 2.0: 50, 3.0: 50})
    assert skills[0] == 0
    assert sum(1 <= skill <= 1.25 for skill in skills) == 5
    assert len(set(skills)) == 9
    assert max(skills) < 3


def test_a_wide_step_is_measured_in_halves() -> None:
    steps = measured_steps(lambda weaker, stronger: 833.0 if weaker <= 1.1 < stronger else 100.0)
    narrow = [skill for skill in steps if 1 < skill < 1.25]
    assert len(narrow) == 4
    assert [skill for skill in steps if skill not in narrow] == list(GRID[1:])


@pytest.mark.slow
def test_the_ladder_is_measured_by_games() -> None:
    shown = connectoe("ladder", "tic-tac-toe", "--calibrate", "--games", "2", "--processes", "1").output
    assert shown.count(" Elo above person:") >= 9
    assert shown.splitlines()[-1].startswith("people=(0.00, ")
    shown = connectoe("ladder", "tic-tac-toe", "--measure", "--games", "2", "--processes", "1").output
    assert shown.count(" Elo above person:") == 9
    assert shown.splitlines()[-1].startswith("with even steps: people=(0.00, ")
