"""Analysis: which move, and why."""

from __future__ import annotations

import json
from threading import Event

import pytest
from click.testing import CliRunner, Result

from connectoe import Match, load
from connectoe.analysing import analyse, analysis, as_data, in_words
from connectoe.cli import main
from connectoe.players import player
from tests.plain_minimax import OPPOSITE, plain_result
from tests.playing import after


def connectoe(*arguments: str, stdin: str = "") -> Result:
    return CliRunner().invoke(main, ["analyse", *arguments], input=stdin, catch_exceptions=False)


@pytest.mark.parametrize("moves", ["", "a1", "b2", "a1 b1", "a1 b2 c3", "b2 b1 a1 c3 c1"])
def test_a_solved_game_is_analysed_exactly(moves: str) -> None:
    state = after("tic-tac-toe", moves)
    found = analyse(state.game, state.position)
    assert found.result == plain_result(state.game, state.position)[0]
    for candidate in found.candidates:
        result, plies = plain_result(state.game, state.game.rules.play(state.position, candidate.move))
        assert candidate.result == OPPOSITE[result]
        if candidate.result != "draw":
            assert candidate.plies == plies + 1


def test_the_expected_line_is_best_play_to_the_end() -> None:
    state = after("tic-tac-toe", "a1 b1")
    for move in analyse(state.game, state.position).line:
        state = state.play(move)
    assert state.outcome
    assert state.outcome.winner == 0


def test_an_unsolved_game_is_estimated_with_an_interval() -> None:
    state = load("ultimate").start
    found = analyse(state.game, state.position, seconds=0.2)
    assert found.result is None
    best = found.candidates[0]
    low, high = best.interval
    assert 0 < low < best.share < high < 1
    assert "of the points" in in_words(best)


def test_a_stop_ends_the_thinking() -> None:
    state = load("ultimate").start
    stop = Event()
    for number, found in enumerate(analysis(state.game, state.position, seconds=3600, stop=stop)):
        assert found.move in state.moves()
        if number == 1:
            stop.set()


def test_what_cannot_be_analysed_is_refused() -> None:
    won = after("tic-tac-toe", "a1 a2 b1 b2 c1")
    with pytest.raises(ValueError, match="the game is over"):
        analyse(won.game, won.position)
    with pytest.raises(ValueError, match="between 0 and 86,400"):
        analyse(won.game, won.game.rules.start, seconds=-1)


def test_the_json_of_an_analysis() -> None:
    answer = json.loads(connectoe("tic-tac-toe", "a1", "b1", "--json").output)
    assert list(answer) == ["game", "options", "moves", "turn", "result", "plies", "exact", "candidates"]
    assert (answer["result"], answer["plies"], answer["exact"], answer["turn"]) == ("win", 5, True, 0)
    best = answer["candidates"][0]
    assert list(best) == ["move", "result", "plies", "exact", "share", "visits"]
    assert best["move"] in ("a2", "b2", "a3")
    assert [candidate["result"] for candidate in answer["candidates"]] == ["win"] * 3 + ["draw"] * 4


def test_one_game_a_line() -> None:
    result = connectoe("tic-tac-toe", "--json", "-", stdin="a1 b1\nb2 b2\na1 a2 b1 b2 c1\n\n")
    answers = [json.loads(line) for line in result.output.splitlines()]
    assert result.exit_code == 1
    assert answers[0]["result"] == "win"
    assert (answers[1]["line"], answers[1]["move"]) == (2, 2)
    assert "nothing to analyse" in answers[2]["error"]
    assert answers[3]["result"] == "draw"


def test_the_analysis_for_people() -> None:
    output = connectoe("tic-tac-toe", "a1", "b1").output
    assert "wins in 5" in output
    assert "expected: " in output
    assert connectoe("tic-tac-toe", "z9").exit_code == 1


@pytest.mark.parametrize("opponent", ["random", "mcts:30"])
@pytest.mark.parametrize("game_id", ["tic-tac-toe", "semaphores", "shift-tac-toe"])
def test_perfect_never_lets_go_of_a_won_or_drawn_position(game_id: str, opponent: str) -> None:
    small: dict[str, dict[str, object]] = {"semaphores": {"cols": 3}, "shift-tac-toe": {"edition": "pressman"}}
    game = load(game_id, **small.get(game_id, {}))
    for number in range(60):
        match = Match(game)
        sides = number % 2
        players = [player("perfect", game, number), player(opponent, game, number)]
        worth = None
        while match.turn is not None:
            if match.turn == sides:
                result = analyse(game, match.state.position).result
                assert worth in (None, "loss") or result == worth or (worth == "draw" and result == "win")
                worth = result
                match.play(players[0].choose(match))
            else:
                match.play(players[1].choose(match))
        assert match.outcome
        if worth == "win":
            assert match.outcome.winner == sides
        elif worth == "draw":
            assert match.outcome.winner in (sides, None)


def test_perfect_is_refused_where_a_game_is_not_solved() -> None:
    with pytest.raises(ValueError, match="there is no perfect player for load"):
        player("perfect", load("ultimate"))


def test_data_of_an_analysis_names_the_match() -> None:
    match = Match(load("tic-tac-toe"))
    match.play("b2")
    data = as_data(match, analyse(match.game, match.state.position))
    assert (data["game"], data["moves"], data["turn"]) == ("tic-tac-toe", ["b2"], 1)
