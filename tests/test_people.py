"""Opponents like people: what they overlook is what is hidden."""

from __future__ import annotations

import pytest

from connectoe import ConnectoeError, Match, load, player
from connectoe.arena.ladder import even_skills
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
    with pytest.raises(ConnectoeError, match="between 0 and 2"):
        person("2.5", game)
    match = Match(game)
    match.resign()
    with pytest.raises(ConnectoeError, match="no move to choose"):
        person("pip", game).choose(match)


def test_skills_are_spread_so_that_the_steps_are_even() -> None:
    # Half of all the Elo lies between skills 0.8 and 1, so that half of the people are there.
    skills = even_skills([10, 10, 10, 10, 100, 10, 10, 10, 10, 20])
    assert skills[0] == 0
    assert sum(0.8 <= skill <= 1 for skill in skills) == 5
    assert len(set(skills)) == 9


def test_if_the_last_is_out_of_reach_the_others_are_spread_below() -> None:
    skills = even_skills([50.0] * 9 + [5000.0])
    assert (skills[0], skills[-1]) == (0, 2)
    assert len(set(skills)) == 9


@pytest.mark.slow
def test_the_ladder_is_measured_by_games() -> None:
    shown = connectoe("ladder", "tic-tac-toe", "--calibrate", "--games", "2", "--processes", "1").output
    assert shown.count("Elo above the one before") == 10
    assert shown.splitlines()[-1].startswith("people=(0.00, ")
    assert (
        connectoe("ladder", "tic-tac-toe", "--measure", "--games", "2", "--processes", "1").output.count(" Elo)") == 9
    )
