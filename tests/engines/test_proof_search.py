"""The proof search is held against plain recursion over the rules."""

from __future__ import annotations

import pytest

from connectoe import ConnectoeError, load
from connectoe.engines.engine import NotSolved
from connectoe.engines.proof_search import ProofSearch
from connectoe.puzzles.checking import PlainProof
from tests.engines.test_alpha_beta import ongoing_positions

DEPTHS = {"connect-four": 5, "tic-tac-toe": 6, "advanced": 2}


@pytest.mark.slow
@pytest.mark.parametrize("game_id", DEPTHS)
def test_it_finds_the_forced_wins_that_plain_recursion_finds(game_id: str) -> None:
    game = load(game_id)
    search, plain = ProofSearch(game, table_megabytes=1), PlainProof(game)
    found = set()
    for position in ongoing_positions(game, 60):
        for player in (0, 1):
            # The deepest question first: what it leaves in the table must not pass for a shorter win.
            for plies in range(DEPTHS[game_id], 0, -1):
                wins = search.wins_within(position, player, plies)
                assert wins == plain.wins_within(position, player, plies)
                found.add(wins)
    assert found == {True, False}


def test_a_question_that_takes_more_nodes_than_allowed_is_not_answered() -> None:
    game = load("connect-four")
    with pytest.raises(NotSolved, match="100 nodes do not suffice"):
        ProofSearch(game, table_megabytes=1).wins_within(game.rules.start, 0, 9, nodes=100)


def test_a_game_with_arrays_is_refused() -> None:
    with pytest.raises(ConnectoeError, match="not made of ints"):
        ProofSearch(load("ultimate-ultimate"))
