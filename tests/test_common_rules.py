"""The decisions that are common to all games, each as play."""

from __future__ import annotations

import random

import pytest

from connectoe import Match, State, game_ids, load, read_matches
from connectoe.engines.engine import Limits
from connectoe.engines.mcts import MCTS
from connectoe.engines.perft import interpreted_perft, perft
from connectoe.engines.playouts import play_out
from tests.playing import after, ending

each_game = pytest.mark.parametrize("game_id", game_ids())
can_go_on_for_ever = pytest.mark.parametrize("game_id", ["advanced", "shift-tac-toe"])


@each_game
def test_two_players_and_player_0_moves_first(game_id: str) -> None:
    assert load(game_id).start.turn == 0


def played_to_the_end(game_id: str, seed: int) -> State:
    choice = random.Random(seed)
    state = load(game_id).start
    while state.outcome is None:
        state = state.play(choice.choice(state.moves()))
    return state


@each_game
def test_a_finished_game_says_why_and_has_nobody_to_move(game_id: str) -> None:
    for seed in range(1 if game_id == "ultimate-ultimate" else 20):
        state = played_to_the_end(game_id, seed)
        assert state.outcome
        assert state.outcome.winner in (0, 1, None)
        assert state.outcome.reason
        assert state.turn is None
        assert state.legal_moves() == []


@pytest.mark.parametrize(
    ("game_id", "moves"),
    [
        ("connect-four", "a a b b c c e e f f g g d"),
        ("c4-twist", "a a b b c c e e f f g g d"),
        ("connect-tac-toe", "a1 a2 b1 b2 c1 c2 e1 e2 f1 f2 g1 g2 d1"),
    ],
)
def test_a_line_longer_than_needed_wins_too(game_id: str, moves: str) -> None:
    assert ending(after(game_id, moves)) == (0, "seven discs a1-g1")


def test_sizes_are_columns_by_rows() -> None:
    for game_id in ("connect-four", "c4-twist", "connect-tac-toe"):
        assert [len(row) for row in load(game_id, cols=5, rows=3).start.board()] == [5, 5, 5]


def test_the_customary_3x4_of_semaphores_has_3_rows() -> None:
    assert [len(row) for row in load("semaphores").start.board()] == [4, 4, 4]


@pytest.mark.parametrize(
    ("game_id", "bottom_left", "row"),
    [("tic-tac-toe", "a1", "X.."), ("semaphores", "a1", "G..."), ("connect-four", "a", "X......")],
)
def test_a1_is_bottom_left(game_id: str, bottom_left: str, row: str) -> None:
    assert after(game_id, bottom_left).board()[-1] == row


@each_game
def test_a_move_is_one_short_text_and_one_integer(game_id: str) -> None:
    game = load(game_id)
    for move in game.start.moves():
        text = game.move_text(move)
        assert 1 <= len(text) <= 6
        assert game.move_number(text) == move
        assert game.start.play(text) == game.start.play(move)


def test_a_player_to_move_without_a_legal_move_draws_where_the_text_says_nothing_else() -> None:
    stuck = after("connect-tac-toe", "a1 a2 a3 +b2 b3", cols=2, rows=3)
    assert list(stuck.game.rules.legal_moves(stuck.position)) == []
    assert stuck.outcome
    assert stuck.outcome.winner is None


def test_repetition_is_the_business_of_the_match_and_not_of_the_rules() -> None:
    match = Match(load("shift-tac-toe"))
    for move in "7 8 4 5 7 8 4 5".split():
        match.play(move)
    assert ending(match) == (None, "repetition")
    assert match.state.outcome is None
    assert match.state.turn == 0


@pytest.mark.parametrize(
    ("game_id", "one", "other"),
    [
        ("shift-tac-toe", "5/5/5 CRR X", "5/5/5 RCR X"),  # another slider has moved
        ("shift-tac-toe", "5/5/O4 RRC O", "5/5/X4 RRC O"),  # another piece outside the grid
        ("advanced", "X1Na3 X -", "X1Ea3 X -"),  # another direction
        ("advanced", "X1Na3 X -", "X1Na3 O -"),  # another holder of the crown
        ("advanced", "X1Sa3,O1Nc1 X -", "X1Sa3,O2Nc1 X -"),  # other hands
        ("advanced", "- X 4Nb", "- X 4Sb"),  # another placement already made this round
    ],
)
def test_the_same_position_means_every_field_of_it(game_id: str, one: str, other: str) -> None:
    assert load(game_id).state(one) != load(game_id).state(other)


@pytest.mark.slow
@can_go_on_for_ever
def test_engines_carry_a_ply_limit_and_count_a_game_that_reaches_it_as_drawn(game_id: str) -> None:
    game = load(game_id)
    assert game.ply_limit
    too_short_to_win = play_out(game, 50, seed=1, ply_limit=3)
    assert too_short_to_win.shares == (0, 0, 1)
    assert MCTS(game, seed=1).search(game.rules.start, Limits(simulations=200)).move in game.start.moves()


@each_game
def test_options_have_defaults_and_are_recorded_with_every_game(game_id: str) -> None:
    game = load(game_id)
    for option in game.option_list:
        assert option.default in option.allowed
        other = next(value for value in option.allowed if value != option.default)
        match = Match(load(game_id, **{option.name: other}))
        assert f"{option.name}={other}" in match.to_text()
        [again] = read_matches(match.to_text())
        assert again.game.options[option.name] == other


def test_perft_counts_lines_exactly_so_long_and_a_finished_game_has_no_continuation() -> None:
    almost = after("tic-tac-toe", "a1 a2 b1 b2")  # c1 wins at once; 4 other squares go on
    assert [perft(almost.game, depth, almost.position) for depth in (0, 1, 2)] == [1, 5, 16]
    assert interpreted_perft(almost.game, 2, almost.position) == 16
    won = almost.play("c1")
    assert perft(won.game, 1, won.position) == 0
