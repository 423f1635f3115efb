"""What the analysis page is told of a position, in numbers and in words."""

from __future__ import annotations

from typing import Any

from connectoe import Match, load
from connectoe.engines.engine import Analysis, Candidate, Estimate, Exact
from connectoe.web.render.values import values_shown


def told(game: str, moves: str, ply: int, **values: Exact | Estimate) -> dict[str, Any]:
    """What is told of a position of a match, where the moves have these values, best first."""
    match = Match(load(game))
    for move in moves.split():
        match.play(move)
    candidates = [Candidate(match.game.move_number(move), value) for move, value in values.items()]
    return values_shown(match, ply, Analysis(tuple(candidates)))


def test_the_best_move_and_the_one_that_was_made_are_given_in_words() -> None:
    known = told("tic-tac-toe", "a1 b1", 1, b2=Exact("draw", 8), b1=Exact("loss", 6))
    assert known["best"] == {"move": "b2", "share": 0.5, "exact": True, "words": "draws"}
    assert known["played"] == {"share": 0.0, "exact": True, "words": "loses in 6"}
    assert known["worth"]["share"] == 0.5


def test_the_share_is_that_of_the_first_player() -> None:
    assert told("tic-tac-toe", "a1", 0, b2=Estimate(0.75))["worth"]["share"] == 0.75
    assert told("tic-tac-toe", "a1", 1, b2=Estimate(0.75))["worth"]["share"] == 0.25


def test_a_move_is_worth_to_its_player_what_the_position_it_led_to_is_not_worth_to_the_other() -> None:
    won = told("tic-tac-toe", "a1 b1", 1, b2=Exact("win", 9))
    assert won["led_here"] == {"share": 0.0, "exact": True, "words": "loses in 10"}
    likely = told("tic-tac-toe", "a1 b1", 1, b2=Estimate(0.6))
    assert likely["led_here"] == {"share": 0.4, "exact": False, "words": "expected score 40%"}


def test_a_player_who_moves_twice_running_sees_both_moves_alike() -> None:
    known = told("ultimate-ultimate", "5.5.5 +8", 1, **{"+8": Exact("win", 9)})
    assert known["led_here"] == {"share": 1.0, "exact": True, "words": "wins in 10"}


def test_nothing_led_to_the_first_position_and_no_move_was_made_in_the_last() -> None:
    assert told("tic-tac-toe", "a1", 0, a1=Exact("draw"))["led_here"] is None
    assert told("tic-tac-toe", "a1", 1, b2=Exact("draw"))["played"] is None
