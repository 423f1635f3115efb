"""Looking back at a match: mistakes and accuracy."""

from __future__ import annotations

import json

from connectoe import Match, load
from connectoe.review import accuracy, reviewed_moves
from tests.commands.calling import connectoe


def played(game: str, moves: str) -> Match:
    match = Match(load(game))
    for move in moves.split():
        match.play(move)
    return match


def test_a_proven_mistake_says_what_was_given_away_and_what_keeps_it() -> None:
    moves = list(reviewed_moves(played("tic-tac-toe", "b2 b1 a1 c3")))
    first, *others = [move.mistake for move in moves if move.mistake]
    assert (first.ply, first.player, first.played, first.is_proven) == (1, 1, "b1", True)
    assert (first.before, first.after, first.cost) == ("draw", "loss", 0.5)
    assert set(first.better) == {"a1", "a3", "c1", "c3"}
    assert others == []
    assert accuracy(moves, 0) == 1
    assert accuracy(moves, 1) == 0.75


def test_a_match_without_mistakes_is_all_accurate() -> None:
    moves = list(reviewed_moves(played("tic-tac-toe", "b2 a1 a3 c1 b1 b3 c2 a2 c3")))
    assert [move.mistake for move in moves if move.mistake] == []
    assert (accuracy(moves, 0), accuracy(moves, 1), accuracy([], 0)) == (1, 1, None)


def test_the_command_tells_it_in_words_and_as_data() -> None:
    words = connectoe("review", "tic-tac-toe", "b2", "b1").output
    assert "move 2, O b1: gave a draw away for a loss; better: a1" in words
    assert "O: 50% of the points kept, 1 mistake" in words
    data = json.loads(connectoe("review", "tic-tac-toe", "b2", "b1", "--json").output)
    assert data["accuracy"] == [1.0, 0.5]
    assert data["mistakes"][0]["proven"]
    assert connectoe("review", "tic-tac-toe", "b2", "--record", "x").exit_code == 2


def test_by_the_pie_rule_the_second_player_should_take_a_side_that_wins() -> None:
    """In this game every first move wins, so that no first move is better than another."""
    match = Match(load("connect-four", cols=4, rows=4, connect=3, swap="yes"))
    for move in "ba":
        match.play(move)
    first, second = [move.mistake for move in reviewed_moves(match)]
    assert first is None
    assert second
    assert (second.player, second.better, second.before, second.after) == (1, ("swap",), "win", "loss")


def test_after_a_swap_a_mistake_belongs_to_the_side_that_its_player_has_now() -> None:
    """In this game a first move on the edge loses, and the others draw."""
    match = Match(load("connect-four", cols=5, rows=2, connect=3, swap="yes"))
    for move in ("a", "swap"):
        match.play(move)
    first, swap = [move.mistake for move in reviewed_moves(match)]
    assert first
    assert swap
    assert (first.player, first.better, first.before, first.after) == (1, ("b", "c", "d"), "draw", "loss")
    assert (swap.player, swap.played, swap.before, swap.after) == (0, "swap", "win", "loss")


def test_a_move_within_the_first_turn_is_not_judged_by_the_pie_rule() -> None:
    match = Match(load("ultimate-ultimate", swap="yes"))
    match.play(match.legal_moves()[0])
    assert match.turn == 0
    [move] = reviewed_moves(match, seconds=0, waits=False)
    assert (move.cost, move.mistake) == (0, None)
