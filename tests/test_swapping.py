"""The pie rule: after the first player's first whole turn, the second may swap sides instead of moving; once."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from connectoe import Match, game_ids, load, read_matches
from connectoe.analysis import known_table, small_table
from connectoe.arena.tournament import play_pair
from connectoe.core.errors import BadGame, BadOption, IllegalMove
from connectoe.core.match import AGREEMENT
from connectoe.engines.perft import lines_after, perft
from connectoe.prompt import prompt_player
from connectoe.study.chunks import Theory
from connectoe.study.samples import result_by_beginner, result_of
from connectoe.study.theory import _by_pie_rule
from connectoe.terminal.play import TerminalMatch
from tests.nim import NIM


def match_of(game: str, moves: str, **options: object) -> Match:
    match = Match(load(game, swap="yes", **options), players=("Ann", "Bob"))
    for move in moves.split():
        match.play(move)
    return match


def test_the_players_change_sides_and_the_second_side_is_to_move() -> None:
    match = match_of("connect-four", "d")
    before = match.state
    assert (match.turn, match.may_swap, match.legal_moves()[-1]) == (1, True, "swap")
    match.play("swap")
    assert match.state == before
    assert (match.turn, match.players, match.moves) == (1, ("Bob", "Ann"), ["d", "swap"])
    assert match.side_of(0) == 1  # Ann, who made the first move, has the second side now
    assert match.side_of(1) == 0
    match.play("e")
    assert match.turn == 0


@pytest.mark.parametrize("moves", ["", "d e", "d swap", "d swap e", "d e d"])
def test_only_then_and_once(moves: str) -> None:
    match = match_of("connect-four", moves)
    assert not match.may_swap
    assert "swap" not in match.legal_moves()
    with pytest.raises(IllegalMove, match="'swap' is not legal: (only the second player may|the sides were swapped)"):
        match.play("swap")


def test_without_the_option_there_is_no_such_move() -> None:
    match = Match(load("connect-four"))
    match.play("d")
    with pytest.raises(IllegalMove, match="'swap' is no move of connect-four"):
        match.play("swap")


def test_the_first_turn_is_whole_before_anybody_swaps() -> None:
    match = match_of("ultimate-ultimate", "5.5.5")
    assert not match.may_swap
    match.play("+1")
    assert match.may_swap


@pytest.mark.parametrize("game_id", game_ids())
def test_every_game_has_the_option_and_a_default_game_does_not_mention_it(game_id: str) -> None:
    game = load(game_id)
    assert "swap" not in game.options
    assert "swap" not in game.options_text
    swapping = load(game_id, swap="yes")
    assert swapping.options["swap"] == "yes"
    assert swapping.rules is game.rules
    assert swapping.plain == game != swapping
    assert load(swapping, swap="no") == game
    with pytest.raises(BadOption, match="swap .the pie rule. may be no or yes"):
        load(game_id, swap="maybe")


def test_a_match_from_the_middle_of_a_game_for_the_second_side_has_no_first_turn() -> None:
    game = load("tic-tac-toe", swap="yes")
    match = Match(game, start=game.state("3/1X1/3 O"))
    match.play("a1")
    assert not match.may_swap


@pytest.mark.parametrize(("game_id", "depth"), [("tic-tac-toe", 5), ("connect-four", 5), ("c4-twist", 4)])
def test_lines_of_play_are_those_without_swap_and_those_one_move_shorter(game_id: str, depth: int) -> None:
    plain, swapping = load(game_id), Match(load(game_id, swap="yes"))
    assert lines_after(swapping, 1) == perft(plain, 1)
    for plies in range(2, depth + 1):
        assert lines_after(swapping, plies) == perft(plain, plies) + perft(plain, plies - 1)


@pytest.mark.slow
def test_lines_of_play_where_a_turn_is_two_moves() -> None:
    plain, begun = load("ultimate-ultimate"), match_of("ultimate-ultimate", "5.5.5")
    after = begun.state.position
    assert lines_after(begun, 1) == perft(plain, 1, after)
    assert lines_after(begun, 2) == perft(plain, 2, after) + perft(plain, 1, after)


def test_a_swap_is_taken_back() -> None:
    match = match_of("tic-tac-toe", "b2 swap a1")
    assert [match.undo(), match.undo()] == ["a1", "swap"]
    assert (match.players, match.may_swap, match.ply) == (("Ann", "Bob"), True, 1)
    assert match_of("tic-tac-toe", "b2 swap a1").beginning(1) == match
    assert match_of("tic-tac-toe", "b2 swap").copy() == match_of("tic-tac-toe", "b2 swap")


def test_records_name_the_players_by_the_sides_they_have_at_the_end() -> None:
    match = match_of("tic-tac-toe", "b2 swap a1 c3 a3 a2 c2 b3 c1")
    match.play("b1")
    assert match.outcome
    assert match.outcome.winner == 0
    text = match.to_text()
    assert '[Options "swap=yes"]' in text
    assert '[First "Bob"]' in text
    assert "1. b2 swap 2. a1 c3" in text
    for record in (text, match.to_json()):
        [back] = read_matches(record)
        assert back == match
        assert back.players == ("Bob", "Ann")
        assert back.is_swapped


@pytest.mark.parametrize("game_id", game_ids())
def test_the_picture_stays_as_it_was(game_id: str) -> None:
    match = Match(load(game_id, swap="yes"))
    while not match.may_swap:
        match.play(match.legal_moves()[0])
    before = match.scene()
    assert any("may swap sides" in note for note in before.notes)
    match.play("swap")
    assert match.scene().pieces == before.pieces
    assert match.stages(match.ply) == []
    for _ in range(4):
        match.play(match.legal_moves()[0])
        ids = [piece.id for piece in match.scene().pieces]
        assert len(set(ids)) == len(ids)


def test_no_game_may_call_a_move_swap(tmp_path: Path) -> None:
    file = tmp_path / "nim.py"
    file.write_text(NIM.replace('["1", "2", "3"]', '["1", "2", "swap"]'))
    with pytest.raises(BadGame, match="no move is called 'swap'"):
        load(file)


@pytest.mark.parametrize(("first", "answer"), [("1", "swap"), ("2", "3")])
def test_an_engine_swaps_if_its_side_is_the_worse_one(tmp_path: Path, first: str, answer: str) -> None:
    """Whoever leaves a multiple of four sticks wins: with 4 left of 5, the player to move is lost."""
    file = tmp_path / "nim.py"
    file.write_text(NIM)
    match = Match(load(file, swap="yes", sticks=5))
    match.play(first)
    assert prompt_player("hard", match.game, seed=1).choose(match) == answer


def test_a_random_player_swaps_as_it_makes_any_other_move() -> None:
    match = match_of("tic-tac-toe", "b2")
    assert {prompt_player("random", match.game, seed=seed).choose(match) for seed in range(60)} >= {"swap", "a1"}


@pytest.mark.slow
def test_a_tournament_counts_points_for_players_and_not_for_sides() -> None:
    game = load("tic-tac-toe", swap="yes")
    swaps = 0
    for number in range(8):
        pair = play_pair(game, ("perfect", "random"), number, seed=number, plies=2)
        for record, result in zip(pair.records, pair.results, strict=True):
            told = json.loads(record)
            swaps += "swap" in told["moves"]
            names = told["players"]
            winner = "draw" if told["result"] == "draw" else names[int(told["result"])]
            assert result == {"draw": "draw", "perfect": "win", "random": "loss"}[winner]
    assert swaps


def test_a_study_counts_results_for_who_began() -> None:
    swapped, usual = (match_of("tic-tac-toe", moves) for moves in ("b2 swap a1 b1 a2 b3", "b2 a1 b1 a2 b3"))
    assert result_of(swapped) == result_of(usual) == result_by_beginner(usual) == 0
    assert result_by_beginner(swapped) == 1
    drawn = match_of("tic-tac-toe", "b2 swap")
    drawn.agree_draw()
    assert drawn.outcome == AGREEMENT
    assert result_by_beginner(drawn) == result_of(drawn)


def test_by_the_pie_rule_a_game_is_a_draw_or_the_second_players() -> None:
    assert _by_pie_rule(Theory("win", 5, {"a": "win", "b": "loss"})) == Theory("loss", None, {"a": "loss", "b": "loss"})
    assert _by_pie_rule(Theory("draw", 9, {"a": "draw", "b": "loss"})) == Theory(
        "draw", None, {"a": "draw", "b": "loss"}
    )
    assert _by_pie_rule(Theory("win", 41, {"d": "win"})) is None


def test_in_a_terminal_the_engine_goes_along_with_its_side(monkeypatch: pytest.MonkeyPatch) -> None:
    typed = iter(["swap", "q"])
    monkeypatch.setattr("builtins.input", lambda prompt: next(typed))
    terminal = TerminalMatch(Match(load("tic-tac-toe", swap="yes")), ("random", "human"), seed=1)
    terminal.play()
    assert terminal.match.moves[1] == "swap"
    assert terminal.match.ply == 3  # the engine has the second side now, and has moved
    assert terminal.match.turn == 0


def test_the_table_of_a_game_serves_it_with_the_pie_rule_too() -> None:
    table = small_table(load("tic-tac-toe"))
    assert table
    assert known_table(load("tic-tac-toe", swap="yes")) is table
