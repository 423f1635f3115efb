"""Batches of games whose boards take several machine words."""

from __future__ import annotations

import random

import numpy as np
import pytest

from connectoe import Match, load
from connectoe.core.rules import ONGOING
from connectoe.engines.compiling import compiled
from connectoe.engines.rows import row_rules
from connectoe.envs.batch import Batch
from connectoe.envs.observing import observed
from tests.kit.loading import example


@pytest.mark.slow
def test_a_batch_plays_the_matches_of_a_wide_game() -> None:
    game = example("popout", cols=9, rows=8, connect=5)
    batch = Batch(game, games=3, seed=1)
    matches = [Match(game) for _ in range(3)]
    for _ in range(150):
        moves = batch.random_moves()
        now = batch.step(moves)
        for number, match in enumerate(matches):
            match.play(int(moves[number]))
            assert bool(now.finished[number]) == (match.outcome is not None)
            if match.outcome:
                matches[number] = match = Match(game)
            state = match.state
            assert state.turn is not None
            assert now.masks[number].nonzero()[0].tolist() == sorted(state.moves())
            assert np.array_equal(now.observations[number], observed(game, state.position, state.turn))


@pytest.mark.slow
@pytest.mark.parametrize(("cols", "rows"), [(7, 6), (8, 8), (16, 16)])
def test_a_position_is_kept_in_a_row_of_ints(cols: int, rows: int) -> None:
    game, dice = load("c4-twist", cols=cols, rows=rows), random.Random(3)
    rows_of = row_rules(game.rules.start)
    write, read = compiled(rows_of.write), compiled(rows_of.read)
    position, found = game.rules.start, set()
    while game.rules.outcome(position) == ONGOING:
        row, again = np.zeros((2, rows_of.length), np.int64)
        write(position, row)
        rows_of.write(position, again)
        assert np.array_equal(row, again)
        assert (read(row), type(read(row))) == (position, type(position))
        found.add(tuple(row.tolist()))
        position = game.rules.play(position, dice.choice(list(game.rules.legal_moves(position))))
    assert len(found) > 3
