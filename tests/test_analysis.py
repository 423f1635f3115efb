"""Analysis: which move, and why."""

from __future__ import annotations

import json
import os
import random
import signal
from pathlib import Path
from threading import Event, Timer
from typing import Any

import pytest
from click.testing import CliRunner, Result

from connectoe import Game, Match, State, load, player
from connectoe.analysis import analyse, as_data, book_move, improving_analysis, small_table
from connectoe.analysis_words import in_words, line_in_words
from connectoe.cli import main
from connectoe.engines.engine import Candidate, NotSolved
from connectoe.engines.exact.tables import load_table
from tests.plain_minimax import OPPOSITE, forced_in, plain_result
from tests.playing import after

pytestmark = pytest.mark.slow


def connectoe(*arguments: str, stdin: str = "") -> Result:
    return CliRunner().invoke(main, ["analyse", "--wait", *arguments], input=stdin, catch_exceptions=False)


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
    assert "expected score" in in_words(best)


FORCED = [
    ("semaphores", "YGRY/RY1R/YG1Y O", "win", 3),
    ("semaphores", "RGRR/R2Y/1YRY X", "win", 5),
    ("semaphores", "YRYG/Y1YR/RG1Y O", "loss", 2),
    ("semaphores", "R2R/2G1/GR2 O", "loss", 4),
    ("connect-tac-toe", "7/7/3oO2/2O1X2/2XxOoX/X1OxX1o X XO", "win", 3),
    ("connect-tac-toe", "7/7/5X1/O4X1/xx3O1/OXOooX1 X X", "win", 3),
    ("connect-tac-toe", "7/7/O2X1XO/OxOoxoO/XOo1xxO/xXXXOXo X X", "loss", 2),
    ("connect-tac-toe", "7/4xX1/5xO/O1O3O/XOXXXoO/xOXoO1X X X", "loss", 4),
    ("advanced", "X3Wb3,O4Ea1,O5Nb2 X 4Nb", "win", 3),
    ("advanced", "X2Ea3,X3Nc1,X5Sc2,O2Nb3,O4Sa1 X -", "win", 2),
    ("advanced", "X2Sb2,X3Wb3,X5Nc3,O4Sa3,O5Wa1 O -", "loss", 2),
    ("advanced", "X4Ea1,O2Nb1,O3Sa2 O 5E2", "loss", 1),
    ("ultimate", "XXO3OXX/1O4OXX/1XOXXXXOX/2O1OXX1O/1OXXX2O1/O2OOX1XO/X1OOOOOOO/1XXXOOX1O/1XOOX1OXX X any", "win", 3),
    (
        "ultimate",
        "XO1XXOOX1/OOOO1O1X1/OX1XOX1O1/X1XOO1XX1/OXOXXXOOO/OXX3OXX/XXX1OOXO1/O1XXOX2X/O2XXO1OO O any",
        "win",
        5,
    ),
    ("ultimate", "O3OXOXO/X2OXXO1X/XXX1OX1X1/XO1OOX1O1/1XO1OOXX1/XX3OXXX/OXO2XX1O/O1OO1O1XO/X2OXOO2 O d1", "loss", 2),
    ("ultimate", "OXX2O1X1/OX2OX1XO/XO1XOOX1O/X2OOXOO1/OX2XX1OX/3XOOXXX/O1OXX1XX1/1OOX1O1OO/1O1XOX1X1 O a1", "loss", 4),
    ("c4-twist", "7/7/2X4/2X4/2O2X1/1OO2X1 O 1 0", "win", 5),
]
"""Positions that are won or lost, and in how many plies, of games too large for a table that is made at once."""
ENOUGH = 30.0
"""Seconds; an analysis ends long before that, when it knows the result and its length."""


@pytest.mark.parametrize(("game_id", "text", "kind", "plies"), FORCED, ids=lambda part: str(part)[:20])
def test_a_forced_win_or_loss_has_the_length_of_best_play(game_id: str, text: str, kind: str, plies: int) -> None:
    game = load(game_id)
    state = game.state(text)
    mover = game.rules.player(state.position)
    assert forced_in(game, state.position, mover if kind == "win" else 1 - mover, plies) == plies
    found = analyse(game, state.position, seconds=ENOUGH)
    assert (found.result, found.plies) == (kind, plies)
    assert {candidate.move for candidate in found.candidates} == set(state.moves())
    assert_candidates_are_right(game, state.position, found.candidates)
    assert not [candidate for candidate in found.candidates if "not been looked at" in in_words(candidate)]


def assert_candidates_are_right(game: Game, position: Any, candidates: tuple[Candidate, ...]) -> None:
    """Whatever short wins and losses are told are right, and none is missing before a longer one."""
    rules = game.rules
    mover = rules.player(position)
    for candidate in candidates:
        following = rules.play(position, candidate.move)
        winner = 1 - mover if candidate.result == "loss" else mover
        if candidate.result in ("win", "loss") and candidate.plies and candidate.plies <= 3:
            assert forced_in(game, following, winner, candidate.plies) == candidate.plies - 1
        else:
            assert not forced_in(game, following, winner, 1)


@pytest.mark.parametrize("moves", ["b1 c1 a1", "b1 b2 +a1 c1 a2 c2", "a1 a2 b1 b2"])
def test_a_whole_analysis_of_a_game_without_a_table_is_that_of_plain_minimax(
    moves: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("connectoe.analysis.small_table", lambda game: None)
    state = after("connect-tac-toe", moves, cols=3, rows=3, discs=3)
    found = analyse(state.game, state.position, seconds=ENOUGH)
    result, plies = plain_result(state.game, state.position)
    assert (found.result, found.plies) == (result, None if result == "draw" else plies)


@pytest.mark.parametrize(
    ("moves", "best", "result", "plies"),
    [("d d d", "d", "loss", 38), ("d c", "f", "win", 37), ("d a", "d", "win", 33), ("c d c", "c", "draw", None)],
)
def test_the_opening_of_connect_four_is_known_though_it_takes_too_long_to_solve(
    moves: str, best: str, result: str | None, plies: int | None
) -> None:
    state = after("connect-four", moves)
    found = analyse(state.game, state.position, seconds=0.1)
    assert (state.game.move_text(found.move), found.result, found.plies) == (best, result, plies)


def test_all_first_moves_of_connect_four_are_known_exactly() -> None:
    state = load("connect-four").start
    found = analyse(state.game, state.position, seconds=0)
    told = {state.game.move_text(candidate.move): in_words(candidate) for candidate in found.candidates}
    assert told == {
        "d": "wins in 41",
        "c": "draws",
        "e": "draws",
        "b": "loses in 42",
        "f": "loses in 42",
        "a": "loses in 40",
        "g": "loses in 40",
    }
    assert next(iter(told)) == "d"


def test_a_move_by_which_a_match_repeats_itself_for_the_third_time_draws() -> None:
    begun = after("shift-tac-toe", "1 4", edition="pressman").text

    def analysed(moves: str) -> Any:
        return json.loads(
            connectoe("shift-tac-toe", "-O", "edition=pressman", "--position", begun, moves, "--json").output
        )

    once, twice = analysed("7"), analysed("747")
    assert (once["result"], once["plies"]) == ("loss", 16)
    assert (twice["result"], twice["plies"], twice["candidates"][0]["move"]) == ("draw", None, "4")
    assert {candidate["result"] for candidate in twice["candidates"][1:]} == {"loss"}


def test_a_winner_is_not_led_into_a_repetition() -> None:
    state = after("shift-tac-toe", "", edition="pressman")
    quickest = analyse(state.game, state.position)
    other = analyse(state.game, state.position, drawn=[quickest.move])
    assert (quickest.result, quickest.plies, other.result, other.plies) == ("win", 13, "win", 17)
    assert other.move != quickest.move


def test_moves_are_listed_best_first() -> None:
    def worth(candidate: Candidate) -> tuple[float, float]:
        if candidate.result == "win":
            return 2, -(candidate.plies or 999)
        return (0, candidate.plies or 0) if candidate.result == "loss" else (1, candidate.interval[0])

    won = load("connect-tac-toe").state("7/7/5X1/O4X1/xx3O1/OXOooX1 X X")
    for state in (won, load("advanced").start, after("ultimate", "e5 e4")):
        found = analyse(state.game, state.position, seconds=0.3)
        assert [worth(candidate) for candidate in found.candidates] == sorted(
            map(worth, found.candidates), reverse=True
        )
        assert found.line[0] == found.candidates[0].move


def test_a_move_that_need_not_be_looked_at_has_an_estimate_too() -> None:
    state = after("connect-tac-toe", "d1 c1 d2 c2 d3 c3")
    found = analyse(state.game, state.position, seconds=0)
    assert found.plies == 1
    assert len(found.candidates) > 10
    assert all(candidate.result or candidate.visits for candidate in found.candidates)


def test_a_stop_ends_the_thinking() -> None:
    state = load("ultimate").start
    stop = Event()
    for number, found in enumerate(improving_analysis(state.game, state.position, seconds=3600, stop=stop)):
        assert found.move in state.moves()
        if number == 1:
            stop.set()


@pytest.mark.usefixtures("hears_ctrl_c")
@pytest.mark.parametrize(("game_id", "moves"), [("c4-twist", "d d"), ("ultimate", "e5")])
def test_ctrl_c_gives_the_best_so_far(game_id: str, moves: str) -> None:
    """Whether it is a solver that is interrupted, which has been at work since the first look, or a tree search."""
    press = Timer(0.5, os.kill, (os.getpid(), signal.SIGINT))
    press.start()
    result = connectoe(game_id, "--seconds", "3600", "--json", "-", stdin=f"{moves}\n{moves}\n")
    press.cancel()
    [answer] = [json.loads(line) for line in result.stdout.splitlines()]  # the second line is left
    assert answer["candidates"][0]["move"] in after(game_id, moves).legal_moves()
    assert result.exit_code == 130
    assert "Aborted" in result.stderr
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_what_cannot_be_analysed_is_refused() -> None:
    won = after("tic-tac-toe", "a1 a2 b1 b2 c1")
    with pytest.raises(ValueError, match="the game is over"):
        analyse(won.game, won.position)
    with pytest.raises(ValueError, match="between 0 and 86,400"):
        analyse(won.game, won.game.rules.start, seconds=-1)


def unreachable_states() -> list[State]:
    """Positions that play cannot lead to, so that no table holds them."""
    first_disc_is_missing = load("connect-four", cols=4, rows=4).state("4/4/XX2/OO2 X")
    tic_tac_toe = load("tic-tac-toe")
    others_turn = tic_tac_toe.state("OOX/XXO/3 X").position._replace(turn=1)
    return [first_disc_is_missing, State(tic_tac_toe, others_turn)]


@pytest.mark.parametrize("state", unreachable_states(), ids=repr)
def test_a_position_that_no_table_holds_is_searched(state: State) -> None:
    table = load_table(state.game, make="always")
    assert table
    with pytest.raises(NotSolved, match="not in the table"):
        table.search(state.position)
    found = analyse(state.game, state.position, seconds=0.2)
    assert {candidate.move for candidate in found.candidates} == set(state.moves())
    assert found.result == plain_result(state.game, state.position)[0]
    match = Match(state.game, start=state)
    assert player("perfect", state.game, seed=1).choose(match) in match.legal_moves()


def test_the_json_of_an_analysis() -> None:
    answer = json.loads(connectoe("tic-tac-toe", "a1", "b1", "--json").output)
    assert list(answer) == ["game", "options", "moves", "turn", "result", "plies", "exact", "candidates"]
    assert (answer["result"], answer["plies"], answer["exact"], answer["turn"]) == ("win", 5, True, 0)
    best = answer["candidates"][0]
    assert list(best) == ["move", "result", "plies", "exact", "share", "visits"]
    assert best["move"] in ("a2", "b2", "a3")
    assert [candidate["result"] for candidate in answer["candidates"]] == ["win"] * 3 + ["draw"] * 4


def test_an_impossible_start_is_reported_once_for_all_lines() -> None:
    result = connectoe("connect-four", "-", "--position", "bogus", stdin="a\nb\n")
    assert result.exit_code == 1
    assert result.output.count("bogus") == 1


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


def test_data_of_an_analysis_names_the_match() -> None:
    match = Match(load("tic-tac-toe"))
    match.play("b2")
    data = as_data(match, analyse(match.game, match.state.position))
    assert (data["game"], data["moves"], data["turn"]) == ("tic-tac-toe", ["b2"], 1)


def test_what_theory_says_is_what_tables_and_the_book_say() -> None:
    for game in (
        load("tic-tac-toe"),
        load("semaphores", rows=3, cols=3),
        load("shift-tac-toe", edition="pressman"),
        load("shift-tac-toe", edition="pressman", both="draw"),
    ):
        known = game.known_result()
        table = small_table(game)
        assert known
        assert table
        value = table.value(game.rules.start)
        expected = {"win": 0, "loss": 1, "draw": None}[value.result]
        assert (known.winner, known.plies) == (expected, value.plies)
    book = book_move(load("connect-four"), load("connect-four").rules.start)
    assert book
    assert load("connect-four").known_result() == (0, book.plies)


def test_theory_that_was_published_is_what_the_games_declare() -> None:
    published = json.loads((Path(__file__).parents[1] / "docs" / "results" / "solved.json").read_text())
    checked = 0
    for facts in published.values():
        known = load(facts["game"], **facts["options"]).known_result()
        if known:
            result, plies = facts["start"]
            assert (known.winner, known.plies) == ({"win": 0, "loss": 1, "draw": None}[result], plies)
            checked += 1
    assert checked >= 6


def test_a_line_that_goes_in_circles_is_cut() -> None:
    game = load("shift-tac-toe", edition="pressman")
    found = None
    table = small_table(game)
    assert table
    dice = random.Random(5)
    for _ in range(2000):  # look for a position that is drawn only because nobody gets ahead
        state = game.start
        for _ in range(dice.randrange(4, 14)):
            if not state.outcome:
                state = state.play(dice.choice(state.legal_moves()))
        if not state.outcome and table.value(state.position).result == "draw":
            found = table.search(state.position)
            break
    assert found
    assert found.line_repeats
    assert len(found.line) < 60
    assert line_in_words(game, found).endswith("and so on: drawn")


def test_without_engines_the_first_values_are_estimates_of_a_plain_search(monkeypatch: pytest.MonkeyPatch) -> None:
    ready: set[str] = set()
    monkeypatch.setattr("connectoe.analysis.is_ready", lambda game, part: part in ready)
    monkeypatch.setattr("connectoe.analysis.known_table", lambda game: None)
    state = load("semaphores", rows=3, cols=3).start
    coming = improving_analysis(state.game, state.position, seconds=60, waits=False)
    first = next(coming)
    assert first.result is None
    assert 0 < sum(candidate.visits for candidate in first.candidates) < 20_000
    ready.add("analysis")
    assert sum(candidate.visits for candidate in next(coming).candidates) > 0  # the compiled search goes on
    monkeypatch.undo()
    assert small_table(state.game)  # from the moment there is one, it is used
    found = analyse(state.game, state.position, waits=False)
    assert (found.result, found.plies) == ("win", 17)
