"""Named opponents, and matches between them."""

from __future__ import annotations

import json
import random
import subprocess
import sys
from pathlib import Path
from typing import Any, ClassVar

import pytest
from click.testing import CliRunner

import connectoe
from connectoe import Game, Match, game_ids, load, read_matches
from connectoe.analysis import analyse, exact_solver
from connectoe.arena.ratings import standing
from connectoe.arena.tournament import contest
from connectoe.cli import main
from connectoe.engines.engine import UNKNOWN, Analysis, Candidate, Limits
from connectoe.engines.exact.opening_book import ConnectFourWithBook
from connectoe.engines.exact.tables import load_table
from connectoe.players import (
    DESCRIPTIONS,
    LEVELS,
    EnginePlayer,
    Player,
    SolverFirstPlayer,
    has_perfect,
    player,
)
from connectoe.running.openings import opening

pytestmark = pytest.mark.slow


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
    levels = load(game_id).levels()
    assert levels.easy < levels.medium < levels.hard


def test_hard_plays_out_fewer_games_where_they_last_longer() -> None:
    usual = load("ultimate-ultimate").levels()
    assert load("ultimate-ultimate", tallies=1).levels() == usual
    assert load("ultimate-ultimate", tallies=9).levels() == usual._replace(hard=usual.hard // 3)


def test_a_subclass_does_not_use_the_solver_or_the_perfect_play_of_its_parent() -> None:
    class Misere(type(load("connect-four"))):  # type: ignore[misc]
        id = "misere-four"

    assert exact_solver(Misere()) is None
    assert not has_perfect(Misere())
    assert exact_solver(load("connect-four")) is not None
    assert has_perfect(load("connect-four"))


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


def test_where_the_best_move_of_an_engine_is_not_safe_the_best_safe_one_is_played() -> None:
    match = Match(load("connect-four"))
    for move in "dbbdddabddbgebeb":
        match.play(move)
    solver = exact_solver(match.game)
    assert solver
    solver.forget()
    assert [match.game.move_text(move) for move in solver.safe_moves(match.state)] == ["c", "e", "f"]

    def found(*moves: str) -> Analysis:
        return Analysis(tuple(Candidate(match.game.move_number(move), UNKNOWN) for move in moves))

    class LikesG:
        limited_by: ClassVar[tuple[str, ...]] = ()
        is_deterministic: ClassVar[bool] = True
        game = match.game

        def search(self, position: Any, limits: Limits) -> Analysis:
            return found("g")

    other = EnginePlayer("engine", "likes g", LikesG(), Limits())

    def choice(nodes: int) -> str:
        solver.forget()
        return SolverFirstPlayer(other, solver, nodes, rank=lambda position: found(*"gafce")).choose(match)

    assert choice(nodes=12_000) == "f"
    assert choice(nodes=10) == "g"  # nothing is known to be unsafe


def test_players_are_listed_without_the_compiler() -> None:
    match = Match(load("tic-tac-toe"))
    match.play(connectoe.player("hard", match.game).choose(match))
    assert len(match.moves) == 1
    script = "import sys, connectoe, connectoe.players; connectoe.player; assert 'numba' not in sys.modules"
    assert subprocess.run([sys.executable, "-c", script]).returncode == 0


@pytest.mark.parametrize("game", [load("ultimate"), load("connect-four"), load("connect-tac-toe")], ids=repr)
def test_warm_compiles_all_that_levels_and_an_analysis_need(game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    assert CliRunner().invoke(main, ["warm", game.id]).output == f"ready: {game.id}\n"

    def not_ready(doing: str) -> None:
        raise AssertionError(doing)

    monkeypatch.setattr("connectoe.engines.announcing._announcer", not_ready)
    match = Match(game)
    easy, medium, hard = (player(level, game, 1, seconds=0.01) for level in ("easy", "medium", "hard"))
    for somebody in (easy, medium, hard, hard):
        match.play(somebody.choose(match))
    analyse(game, match.state.position, seconds=0.1)


SOLVED = [
    load("tic-tac-toe"),
    load("semaphores", cols=3),
    load("shift-tac-toe", edition="pressman"),
    load("connect-four", cols=4, rows=4),
    load("connect-tac-toe", cols=3, rows=3, discs=3),
]
RANK = {"loss": 0, "draw": 1, "win": 2}


@pytest.mark.parametrize(("opponent", "games"), [("random", 800), ("easy", 200)])
@pytest.mark.parametrize("game", SOLVED, ids=repr)
def test_perfect_never_lets_go_of_a_won_or_drawn_position(game: Game, opponent: str, games: int) -> None:
    """5,000 games in all, most of them taken over after random moves, where perfect may be winning or lost."""
    table = load_table(game, make="always")
    assert table
    perfect, other = player("perfect", game, 1), player(opponent, game, 2)
    begins_as: set[str] = set()
    for number in range(games):
        match, seat = begun(game, number), number % 2
        worth: str | None = None
        while match.turn is not None:
            if match.turn == seat:
                result = table.value(match.state.position).result
                assert worth is None or RANK[result] >= RANK[worth], match.moves
                worth = result
                begins_as.add(result)
            match.play((perfect if match.turn == seat else other).choose(match))
        assert match.outcome
        if worth and worth != "loss":
            assert match.outcome.winner in ((seat,) if worth == "win" else (seat, None)), match.moves
    assert "win" in begins_as


def test_perfect_takes_a_draw_by_repetition_where_all_else_loses() -> None:
    begun = load("shift-tac-toe", edition="pressman").start.play("1").play("4")
    match = Match(begun.game, start=begun)
    for slide in "747":
        match.play(slide)
    match.play(player("perfect", match.game).choose(match))
    assert str(match.outcome) == "drawn: repetition"


def begun(game: Game, number: int) -> Match:
    """A match after up to five random moves."""
    choice = random.Random(number)
    match = Match(game)
    for _ in range(number % 6):
        if match.turn is not None:
            match.play(choice.choice(match.legal_moves()))
    return match


@pytest.mark.parametrize("game", [load("connect-four"), load("c4-twist", bombs=0)], ids=repr)
@pytest.mark.parametrize(("seat", "opponent"), [(0, "random"), (1, "random"), (0, "mcts:200"), (1, "mcts:200")])
def test_perfect_plays_connect_four_on_the_whole_board(game: Game, seat: int, opponent: str) -> None:
    """The first player can win with the very last disc; perfect keeps that, or what the opponent gives away."""
    solver = exact_solver(game)
    assert isinstance(solver, ConnectFourWithBook)
    players: list[Player] = [player(opponent, game, 5), player(opponent, game, 6)]
    players[seat] = player("perfect", game)
    match = Match(game)
    least = -100
    while match.turn is not None:
        position = match.state.position
        if match.turn == seat and (solver.entry(position) or len(match.moves) > 7):
            score = solver.score(position)
            assert score >= least, match.moves
            least = score
        match.play(players[match.turn].choose(match))
    assert match.outcome
    assert match.outcome.winner == seat if least > 0 else match.outcome.winner in (seat, None) or least < 0


def test_perfect_is_refused_where_a_game_is_not_solved() -> None:
    with pytest.raises(ValueError, match="there is no perfect player for .* with these options"):
        player("perfect", load("ultimate"))


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


@pytest.mark.parametrize(
    ("game_id", "options", "is_at_hand"),
    [
        ("tic-tac-toe", {}, True),
        ("semaphores", {}, True),
        ("semaphores", {"rows": 4}, False),
        ("connect-four", {}, True),
        ("connect-four", {"cols": 4, "rows": 4}, True),
        ("connect-four", {"cols": 8}, False),
        ("c4-twist", {}, False),
        ("c4-twist", {"bombs": 0}, True),
        ("connect-tac-toe", {}, False),
        ("ultimate", {}, False),
        ("advanced", {}, False),
    ],
)
def test_whether_there_is_a_perfect_player_is_known_at_once(
    game_id: str, options: dict[str, int], is_at_hand: bool
) -> None:
    game = load(game_id, **options)
    assert has_perfect(game) == is_at_hand
    if is_at_hand:
        match = Match(game)
        assert player("perfect", game).choose(match) in match.legal_moves()


def test_hard_never_lets_go_of_a_draw_that_it_can_see_to_the_end() -> None:
    game = load("connect-four", cols=5, rows=4)  # drawn with best play
    opponent_errs = 0
    for seed in range(12):
        match, hard, other = Match(game), player("hard", game, seed=seed), player("easy", game, seed=seed)
        while match.turn is not None:
            match.play((hard if match.turn == 1 else other).choose(match))
        assert match.outcome
        assert match.outcome.winner in (1, None)
        opponent_errs += match.outcome.winner == 1
    assert opponent_errs > 0
