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
