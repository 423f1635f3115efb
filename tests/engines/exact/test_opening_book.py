"""The opening book of Connect Four: complete, consistent with itself, and what the solver says."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest

from connectoe import State, load
from connectoe.engines.exact.connect_four import ExactConnectFour
from connectoe.engines.exact.opening_book import FILE, NOT_KNOWN, START, ConnectFourWithBook, book_lines
from tests.playing import after

pytestmark = pytest.mark.slow

GAME = load("connect-four")
MOST_DISCS = 9
CELLS = 42
ALL_UP_TO = 4


@pytest.fixture(scope="module")
def solver() -> ConnectFourWithBook:
    return ConnectFourWithBook(GAME)


def lines() -> Iterator[tuple[str, str, int]]:
    for line in FILE.read_text().splitlines():
        moves, best, score = line.split()
        yield moves.replace(START, ""), best, int(score)


def state_after(moves: str) -> State:
    return after(GAME, " ".join(moves))


@pytest.mark.parametrize(("column", "score"), [("a", 2), ("b", 1), ("c", 0), ("d", -1), ("e", 0), ("f", 1), ("g", 2)])
def test_the_first_moves_have_their_known_scores(solver: ConnectFourWithBook, column: str, score: int) -> None:
    """As Victor Allis found in 1988: only the middle wins, the columns beside it draw, the others lose."""
    assert solver.score(state_after(column)) == score
    assert solver.nodes == 0


def test_the_start_is_won_with_the_last_disc(solver: ConnectFourWithBook) -> None:
    assert str(solver.value(GAME.start)) == "win in 41"
    assert GAME.move_text(solver.best_move(GAME.start)) == "d"


def test_mirror_images_are_known_too(solver: ConnectFourWithBook) -> None:
    assert GAME.move_text(solver.best_move(state_after("b"))) == "c"
    assert GAME.move_text(solver.best_move(state_after("f"))) == "e"


def test_a_player_who_keeps_to_it_never_leaves_it_early_and_gets_what_it_says(solver: ConnectFourWithBook) -> None:
    """The score of a position is that of the best reply to its best move, which is in the book again."""
    waiting = [GAME.start, *(GAME.start.play(first) for first in "abcdefg")]
    met = set(waiting)
    while waiting:
        state = waiting.pop()
        known = solver.entry(state.position)
        assert known, state.text
        assert known.move is not None, state.text
        after_best = state.play(known.move)
        left = CELLS - discs_of(state)
        if after_best.outcome:
            assert known.score == (left + 1) // 2
        elif left - 2 >= CELLS - MOST_DISCS:
            replies = [after_best.play(reply) for reply in after_best.legal_moves()]
            scores = [-(left // 2) if reply.outcome else solver.score(reply, node_limit=0) for reply in replies]
            assert known.score == min(scores), state.text
            waiting += [reply for reply in replies if not reply.outcome and reply not in met]
            met.update(replies)
    assert len(met) > 5000


def discs_of(state: State) -> int:
    return sum(1 for row in state.text.split(" ")[0] for sign in row if sign in "XO")


def test_every_position_up_to_four_discs_is_known_and_so_is_the_worth_of_every_early_move(
    solver: ConnectFourWithBook,
) -> None:
    layer = {GAME.start}
    for _ in range(ALL_UP_TO):
        for state in layer:
            scores = solver.scores(state, node_limit=0)
            assert max(scores.values()) == solver.score(state, node_limit=0), state.text
            assert scores[solver.best_move(state, node_limit=0)] == max(scores.values())
        layer = {state.play(move) for state in layer for move in state.legal_moves()}
    assert len(layer) == 1120
    assert all(solver.entry(state.position) for state in layer)


def test_the_last_of_it_is_what_the_solver_says() -> None:
    plain = ExactConnectFour(GAME)
    last = [line for line in lines() if len(line[0]) == MOST_DISCS]
    for moves, best, score in random.Random(1).sample(last, 60):
        state = state_after(moves)
        assert plain.score(state) == score
        assert GAME.move_number(best) in plain.best_moves(state)


def test_where_it_ends_the_solver_goes_on(solver: ConnectFourWithBook) -> None:
    plain = ExactConnectFour(GAME)
    choice = random.Random(4)
    for _ in range(40):
        state = GAME.start
        for _ in range(14):
            if not state.outcome:
                state = state.play(choice.choice(state.legal_moves()))
        if not state.outcome:
            assert solver.entry(state.position) is None
            assert solver.best_move(state) in plain.best_moves(state)


def test_without_bombs_c4_twist_has_the_same_opening() -> None:
    game = load("c4-twist", bombs=0)
    assert game.move_text(ConnectFourWithBook(game).best_move(game.start)) == "d"
    assert str(ConnectFourWithBook(game).value(after(game, "a"))) == "win in 39"


def test_a_book_can_be_worked_out_again() -> None:
    game = load("connect-four", cols=5, rows=4)
    small = ConnectFourWithBook(game, table_megabytes=1)
    found = list(book_lines(small, 4, 2))
    assert found[0] == "- ? 0"
    with_moves = [line for line in found if NOT_KNOWN not in line]
    assert with_moves[0] == "- c 0"
    assert {len(line.split()[0].replace(START, "")) for line in with_moves} == {0, 1, 2, 3, 4}
    for line in with_moves:
        moves, best, score = line.split()
        state = after(game, " ".join(moves.replace(START, "")))
        assert small.score(state) == int(score)
        assert game.move_number(best) in small.best_moves(state)
