"""Solved tables held against what the tree search and alpha-beta prove, on positions that random play comes to.

All three know the rules from the same functions and nothing from each other.
"""

from __future__ import annotations

import random
from typing import Any

import pytest

from connectoe import Game, load
from connectoe.engines.alpha_beta import AlphaBeta
from connectoe.engines.engine import Limits
from connectoe.engines.exact.lookup import Table
from connectoe.engines.exact.tables import load_table
from connectoe.engines.mcts import MCTS

pytestmark = pytest.mark.slow

SOLVED = [
    load("tic-tac-toe"),
    load("semaphores", rows=3, cols=3),
    load("connect-four", cols=4, rows=4),
    load("c4-twist", cols=4, rows=4, bombs=1),
    load("connect-tac-toe", cols=3, rows=3, discs=3),
    load("shift-tac-toe", edition="pressman"),
    load("shift-tac-toe", edition="sliders"),
]
LONGEST = {"tic-tac-toe": 8, "semaphores": 18, "connect-four": 14, "c4-twist": 16, "connect-tac-toe": 8}
"""How far random play goes at most; it ends before that more often than not."""
POSITIONS = 120


def table_of(game: Game) -> Table:
    table = load_table(game, make="always")
    assert table is not None
    return table


def positions_of(game: Game, seed: int) -> list[Any]:
    """Unfinished positions after any number of random moves."""
    choice = random.Random(seed)
    found: list[Any] = []
    while len(found) < POSITIONS:
        state = game.start
        for _ in range(choice.randint(0, LONGEST.get(game.id, 20))):
            if not state.outcome:
                state = state.play(choice.choice(state.moves()))
        if not state.outcome:
            found.append(state.position)
    return found


WITH_OPINIONS = (load("connect-tac-toe", cols=3, rows=3, discs=3), {"prior": 8, "trust": 0.5})


@pytest.mark.parametrize(("game", "settings"), [*((game, {}) for game in SOLVED), WITH_OPINIONS], ids=repr)
def test_whatever_the_tree_search_proves_stands_in_the_table(game: Game, settings: dict[str, Any]) -> None:
    table = table_of(game)
    proven: list[str] = []
    for number, position in enumerate(positions_of(game, seed=21)):
        values = table.moves(position)
        found = MCTS(game, seed=number, **settings).search(position, Limits(simulations=(20, 300, 4000)[number % 3]))
        assert found.result in (None, table.value(position).result)
        for candidate in found.candidates:
            if candidate.result:
                proven.append(candidate.result)
                value = values[candidate.move]
                assert candidate.result == value.result, (game.write(position), game.move_text(candidate.move))
                # A proof need not be the shortest, but it is never shorter than best play.
                assert (candidate.plies or 0) >= (value.plies or 0)
    assert proven.count("win") >= 5
    assert proven.count("loss") >= 5


@pytest.mark.parametrize("game", SOLVED, ids=repr)
def test_whatever_alpha_beta_proves_stands_in_the_table_with_its_length(game: Game) -> None:
    table = table_of(game)
    engine = AlphaBeta(game, table_megabytes=2)
    proven: list[str] = []
    for number, position in enumerate(positions_of(game, seed=22)):
        value, values = table.value(position), table.moves(position)
        nodes = (30, 500, 5_000, 60_000)[number % 4]
        for every_move in (True, False):
            found = engine.search(position, Limits(nodes=nodes), every_move=every_move)
            assert found.result in (None, value.result), game.write(position)
            if found.is_exact:
                assert found.plies == value.plies, game.write(position)
                assert values[found.move] == value
            for candidate in found.candidates:
                if candidate.result:
                    proven.append(candidate.result)
                    exact = values[candidate.move]
                    assert candidate.result == exact.result, (game.write(position), game.move_text(candidate.move))
                    assert candidate.plies in (None, exact.plies), (game.write(position), candidate)
    assert proven.count("win") >= 5
    assert proven.count("loss") >= 5


@pytest.mark.parametrize("game", [game for game in SOLVED if game.can_repeat], ids=repr)
def test_no_search_takes_going_on_for_ever_for_a_proven_draw(game: Game) -> None:
    """Where nobody can force a win but the game need not end, a search can only say that it does not know."""
    table = table_of(game)
    drawn = [position for position in positions_of(game, seed=23) if table.value(position).result == "draw"]
    assert drawn
    for position in drawn[:5]:
        assert AlphaBeta(game, table_megabytes=2).search(position, Limits(nodes=50_000)).result is None
        assert MCTS(game, seed=1).search(position, Limits(simulations=2000)).result is None
