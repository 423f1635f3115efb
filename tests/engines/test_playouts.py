"""Random games."""

from __future__ import annotations

import subprocess
import sys
from functools import cache
from typing import Any

import numpy as np
import pytest

from connectoe import DRAWN, ONGOING, game_ids, load
from connectoe.engines.playouts import CHUNK, below, next_random, play_out, stream_of
from tests.playing import after

pytestmark = pytest.mark.slow


@cache
def exact_shares(position: Any) -> tuple[float, float, float]:
    """The chances of tic-tac-toe in uniformly random play, by plain recursion."""
    rules = load("tic-tac-toe").rules
    outcome = rules.outcome(position)
    if outcome != ONGOING:
        return float(outcome == 0), float(outcome == 1), float(outcome == DRAWN)
    below = [exact_shares(rules.play(position, move)) for move in rules.legal_moves(position)]
    first, second, drawn = (sum(shares) / len(below) for shares in zip(*below, strict=True))
    return first, second, drawn


def test_random_tic_tac_toe_has_its_known_chances() -> None:
    exact = exact_shares(load("tic-tac-toe").rules.start)
    assert [round(share, 4) for share in exact] == [0.5849, 0.2881, 0.1270]
    games = 400_000
    for share, expected in zip(play_out(load("tic-tac-toe"), games, seed=5).shares, exact, strict=True):
        assert abs(share - expected) < 4 * (expected * (1 - expected) / games) ** 0.5


@pytest.mark.parametrize("game_id", game_ids())
def test_the_same_seed_gives_the_same_games_whatever_the_number_of_threads(game_id: str) -> None:
    game = load(game_id)
    games = 3 * CHUNK + 7 if game_id != "ultimate-ultimate" else 3
    one, two, five = (play_out(game, games, seed=11, threads=threads) for threads in (1, 2, 5))
    other = play_out(game, games, seed=12)
    for field in range(3):
        assert np.array_equal(one[field], two[field])
        assert np.array_equal(one[field], five[field])
    assert not np.array_equal(one.lengths, other.lengths)


@pytest.mark.parametrize("game_id", game_ids())
def test_plain_python_plays_the_very_same_random_games_by_listing_all_moves(game_id: str) -> None:
    game = load(game_id)
    rules = game.rules
    assert rules.ending
    games = 30 if game_id != "ultimate-ultimate" else 1
    played = play_out(game, games, seed=3)
    with np.errstate(over="ignore"):
        state = stream_of(3, 0)
        for number in range(games):
            position, ply = rules.start, 0
            while rules.outcome(position) == ONGOING:
                state = next_random(state)
                moves = list(rules.legal_moves(position))
                position = rules.play(position, moves[int(below(state, len(moves)))])
                ply += 1
            found = rules.outcome(position), ply, rules.ending(position)
            assert found == (played.results[number], played.lengths[number], played.endings[number])


def test_random_games_are_counted_by_how_they_end() -> None:
    game = load("connect-tac-toe")
    played = play_out(game, 20_000, seed=1)
    counts = played.by_ending(game)
    assert list(counts) == ["a line of discs", "a line of marks", "no disc can be dropped", "board full"]
    assert sum(counts.values()) == 20_000
    assert counts["no disc can be dropped"] + counts["board full"] == round(20_000 * played.shares[2])
    assert 0.06 < counts["no disc can be dropped"] / 20_000 < 0.1  # the rules say about 8%
    assert load("connect-tac-toe", stuck="free").endings == game.endings
    stuck_is_free = play_out(load("connect-tac-toe", stuck="free"), 2_000).by_ending(game)
    assert stuck_is_free["no disc can be dropped"] == 0


@pytest.mark.parametrize("game_id", game_ids())
def test_every_way_to_end_comes_about_in_random_play(game_id: str) -> None:
    options: dict[str, list[dict[str, int | str]]] = {
        "advanced": [{"both": "draw"}],
        "ultimate": [{}, {"undecided": "most-boards"}],
        "semaphores": [{}, {"rows": 2, "cols": 2}],  # without room for a line, all lights become red
    }
    reached = set()
    for chosen in options.get(game_id, [{}]):
        game = load(game_id, **chosen)
        counts = play_out(game, 20_000 if game_id != "ultimate-ultimate" else 100, seed=1).by_ending(game)
        reached |= {ending for ending, count in counts.items() if count}
    assert reached == set(load(game_id).endings)


def test_games_stopped_at_the_ply_limit_are_counted_too() -> None:
    game = load("connect-four")
    assert play_out(game, 100, ply_limit=6).by_ending(game) == {
        "a line of discs": 0,
        "board full": 0,
        "ply limit": 100,
    }


def test_a_game_that_reaches_the_ply_limit_counts_as_drawn() -> None:
    stopped = play_out(load("connect-four"), 100, ply_limit=6)
    assert stopped.shares == (0, 0, 1)
    assert set(stopped.endings) == {-1}
    assert set(stopped.lengths) == {6}


def test_games_may_begin_anywhere() -> None:
    won = after("tic-tac-toe", "a1 a2 b1 b2 c1")
    assert play_out(won.game, 10, position=won.position).shares == (1, 0, 0)
    assert set(play_out(won.game, 10, position=won.position).lengths) == {0}
    forced = after("tic-tac-toe", "a1 b1 c1 b2 b3 a2 c2 a3")
    assert set(play_out(forced.game, 10, position=forced.position).lengths) == {1}


def test_no_game_is_no_number_of_games() -> None:
    with pytest.raises(ValueError, match="at least 1"):
        play_out(load("connect-four"), 0)


def test_a_wide_game_leaves_no_memory_behind() -> None:
    script = (
        "import resource, connectoe; from connectoe.engines.playouts import play_out\n"
        "game = connectoe.load('ultimate-ultimate')\n"
        "used = lambda: resource.getrusage(resource.RUSAGE_SELF).ru_maxrss\n"
        "play_out(game, 2); before = used(); play_out(game, 300); print(used() - before)"
    )
    run = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert int(run.stdout) < 50_000  # kilobytes; 300 games that keep their positions would take 300,000
