"""Named opponents, and matches between them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from connectoe import Match, game_ids, load, read_matches
from connectoe.arena import contest, opening, standing
from connectoe.cli import main
from connectoe.players import BUDGETS, DESCRIPTIONS, LEVELS, player


@pytest.mark.parametrize("game_id", game_ids())
@pytest.mark.parametrize("name", ["random", "easy", "medium"])
def test_every_level_plays_every_game(game_id: str, name: str) -> None:
    match = Match(load(game_id))
    both = [player(name, match.game, seed) for seed in (1, 2)]
    for _ in range(6):
        if match.turn is not None:
            match.play(both[match.turn].choose(match))
    assert match.moves


@pytest.mark.parametrize("game_id", game_ids())
def test_every_game_has_budgets_that_grow_with_the_level(game_id: str) -> None:
    easy, medium, hard = BUDGETS[game_id]
    assert easy < medium < hard


def test_every_player_is_described_in_one_sentence() -> None:
    assert DESCRIPTIONS.keys() == {"random", *LEVELS, "perfect"}
    assert all(described and "\n" not in described for described in DESCRIPTIONS.values())


def test_a_player_may_think_for_a_time_instead() -> None:
    match = Match(load("ultimate"))
    assert player("hard", match.game, seconds=0).choose(match) in match.legal_moves()
    assert player("mcts:seconds=0.01", match.game).choose(match) in match.legal_moves()
    assert player("alpha-beta:depth=2", match.game).choose(match) in match.legal_moves()
    assert player("alpha-beta:1000", match.game).choose(match) in match.legal_moves()
    assert player("mcts:10,exploration=2,sees_wins=1", match.game).choose(match) in match.legal_moves()


@pytest.mark.parametrize(
    ("name", "problem"),
    [
        ("nobody", "the players are: random, easy, medium, hard, perfect, mcts:SIMULATIONS, alpha-beta:NODES"),
        ("mcts:", "'' is no setting of mcts"),
        ("mcts:many", "'many' is no setting of mcts"),
        ("mcts:-5", "not negative"),
        ("mcts:exploration=1", "needs a number of simulations or seconds"),
        ("alpha-beta:wide", "'wide' is no setting of alpha-beta: it has nodes, depth, seconds"),
        ("alpha-beta:depth=-1", "not negative"),
        ("mcts:10,depth=3", "'depth=3' is no setting of mcts"),
    ],
)
def test_an_unknown_player_is_refused(name: str, problem: str) -> None:
    with pytest.raises(ValueError, match=problem):
        player(name, load("connect-four"))


@pytest.mark.parametrize("name", ["random", "easy"])
def test_a_finished_match_has_no_move_to_choose(name: str) -> None:
    match = Match(load("connect-four"))
    match.resign()
    with pytest.raises(ValueError, match="there is no move to choose"):
        player(name, match.game).choose(match)


def test_openings_are_the_same_for_a_seed_and_let_nobody_win_at_once() -> None:
    game = load("connect-four")
    assert opening(game, 3, 4) == opening(game, 3, 4)
    assert len({tuple(opening(game, seed, 4)) for seed in range(20)}) > 10
    assert opening(load("connect-four", cols=1, rows=1), 3, 4) == []


def test_a_contest_swaps_sides_and_counts_for_a() -> None:
    pairs = list(contest(load("connect-four"), "easy", "random", 20, seed=1))
    score = standing(pairs)
    assert score.games == 20 == score.wins + score.draws + score.losses
    assert score.score > 0.8
    assert score.low <= score.score <= score.high
    for pair in pairs:
        first, second = (read_matches(record)[0] for record in pair.records)
        assert first.players == ("easy", "random")
        assert second.players == ("random", "easy")
        assert first.moves[:2] == second.moves[:2]


def test_a_contest_is_the_same_in_one_process_and_in_two() -> None:
    game = load("tic-tac-toe")
    one = list(contest(game, "easy", "mcts:5", 8, seed=2))
    two = sorted(contest(game, "easy", "mcts:5", 8, seed=2, processes=2))
    assert one == two


def test_an_odd_number_of_games_is_refused() -> None:
    with pytest.raises(ValueError, match="in pairs"):
        list(contest(load("tic-tac-toe"), "easy", "random", 7))


def test_the_arena_prints_a_score_and_saves_the_games(tmp_path: Path) -> None:
    file = tmp_path / "games.jsonl"
    arguments = ["arena", "tic-tac-toe", "easy", "random", "--games", "6", "--processes", "1", "-o", str(file)]
    result = CliRunner().invoke(main, arguments)
    assert result.exit_code == 0, result.output
    assert "easy against random: 6 games" in result.output
    assert "95% interval" in result.output
    assert len(read_matches(file.read_text())) == 6
    assert json.loads(file.read_text().splitlines()[0])["tags"] == {"Round": "1.1"}
