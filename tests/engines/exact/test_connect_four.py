from __future__ import annotations

import random
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import lru_cache
from itertools import pairwise

import pytest

from connectoe import BadPosition, ConnectoeError, Game, State, load
from connectoe.engines.engine import Analysis, Limits, NotSolved
from connectoe.engines.exact import connect_four
from connectoe.engines.exact.c4_twist import ExactC4Twist
from connectoe.engines.exact.connect_four import ExactConnectFour
from connectoe.engines.exact.falling_discs import make_winning_cells
from connectoe.games.connect_four.rules import Position
from tests.plain_minimax import plain_result
from tests.playing import after

pytestmark = pytest.mark.slow

# Positions from random play, with scores in which another solver, bitbully, agrees.
SCORES = {
    "ebaddaabcded": -4,
    "gddabebabaabc": 0,
    "ebaagfeccbffce": 1,
    "fdbfcegdbbdfga": -3,
    "fbgedcbaeaebdbb": -10,
    "gaagcagfgcffdde": 2,
    "cbedbfaddabbgfcd": 12,
    "ageecfabccegaaab": -2,
    "dgeddcaggdaegdcbg": 4,
    "bcdcdbeacbafgcaga": -12,
    "efagbccbgfcabccabc": 11,
    "fbebgfaggccacdfdgggc": -9,
    "fceaddedeedddccgcfaagf": -1,
    "gacaaddeecbfegcdccdfdg": 8,
    "eaegeggbgfaegbbadaagbceb": 7,
    "dggffbddgdbcfacggffgbcdaee": -2,
    "cdffebfegdafggdabacaeceeafaf": -5,
    "fedccdcddcgfgebgefaffgcbcgaa": 0,
    "bcbdccbfadddegcbbcfacddgggbeag": 5,
    "fccfafgabggcabfebddbbddbgcfafdda": 2,
    "ffcbebgdggbbfaefdagebfdfcaaggaebea": 3,
    "faceeegaeggeaefgcgcfaafdffgcadbbbdbb": -1,
    "aadgddeeadgcdbafgfcgcfcgbbfgdcfbfcabea": 1,
    "bfefedgdddcgeecbdcefbdggffagbcgebcabfaca": 0,
    "daddfaaceebefgdabaeacbgbgfbbccfcfcdefedgg": 0,
}


@lru_cache
def solver(**options: int) -> ExactConnectFour:
    return ExactConnectFour(load("connect-four", **options), table_megabytes=16)


def random_states(game: Game, discs: int, how_many: int, seed: int = 1) -> Iterator[State]:
    """Unfinished states with this many discs that random play leads to."""
    choice = random.Random(seed)
    while how_many:
        state = game.start
        for _ in range(discs):
            state = state.play(choice.choice(state.moves()))
            if state.outcome:
                break
        else:
            how_many -= 1
            yield state


def every_state(game: Game) -> Iterator[State]:
    """All unfinished states of a small board."""
    seen, waiting = {game.start}, [game.start]
    while waiting:
        state = waiting.pop()
        yield state
        for move in state.moves():
            following = state.play(move)
            if not following.outcome and following not in seen:
                seen.add(following)
                waiting.append(following)


def check_against_plain_minimax(exact: ExactConnectFour, state: State) -> None:
    result, plies = plain_result(state.game, state.position)
    value = exact.value(state)
    assert value == (result, None if result == "draw" else plies), state.text
    # A win is worth 1, and 1 more for each disc that the winner has not dropped yet.
    cells = len(state.game.move_texts) * len(state.board())
    own, other = state.position[:2]
    discs_at_the_end = (own | other).bit_count() + plies
    winner = (discs_at_the_end + 1) % 2  # discs 1, 3, 5… are the first player's
    discs_of_winner = (cells + 1 - winner) // 2
    dropped = (discs_at_the_end + 1 - winner) // 2
    worth = 1 + discs_of_winner - dropped
    assert exact.score(state) == {"win": worth, "draw": 0, "loss": -worth}[result]


@pytest.mark.parametrize(("moves", "score"), SCORES.items())
def test_scores_on_the_usual_board(moves: str, score: int) -> None:
    exact = solver()
    assert exact.score(after("connect-four", " ".join(moves))) == score
    mirrored = " ".join("gfedcba"["abcdefg".index(move)] for move in moves)
    assert exact.score(after("connect-four", mirrored)) == score


def test_every_position_of_a_small_board_has_the_score_of_plain_minimax() -> None:
    exact = solver(cols=4, rows=3, connect=3)
    states = list(every_state(exact.game))
    assert len(states) > 3000
    for state in states:
        check_against_plain_minimax(exact, state)


@pytest.mark.parametrize(
    ("options", "discs"),
    [
        ({"cols": 4, "rows": 4, "connect": 4}, (0, 1, 3, 5, 8, 11, 14, 15)),
        ({"cols": 5, "rows": 5, "connect": 4}, (15, 16, 19, 24)),  # an odd number of cells
        ({"cols": 6, "rows": 9, "connect": 6}, (45, 46, 48)),  # a key of 60 bits
        ({"cols": 16, "rows": 1, "connect": 5}, (8, 9, 11)),  # no line but along the row
        ({"cols": 15, "rows": 3, "connect": 5}, (40, 41, 43)),  # 60 bits in many columns
    ],
)
def test_other_boards_have_the_scores_of_plain_minimax(options: dict[str, int], discs: tuple[int, ...]) -> None:
    exact = solver(**options)
    for number in discs:
        for state in random_states(exact.game, number, 12):
            check_against_plain_minimax(exact, state)


def test_a_score_is_the_best_that_a_move_leads_to() -> None:
    exact = solver()
    for discs in (17, 20, 23, 26, 30, 36, 41):
        for state in random_states(exact.game, discs, 4, seed=discs):
            scores = exact.scores(state)
            assert sorted(scores) == sorted(state.moves())
            assert exact.score(state) == max(scores.values())
            assert exact.best_moves(state) == [move for move, score in scores.items() if score == max(scores.values())]
            for move, score in scores.items():
                following = state.play(move)
                if not following.outcome:
                    assert score == -exact.score(following)


def test_the_value_of_each_move_counts_the_move() -> None:
    exact = solver()
    state = after("connect-four", "d c d c d c")
    values = {state.game.move_text(move): str(value) for move, value in exact.search(state, Limits()).values.items()}
    assert values["d"] == "win in 1"
    assert values["a"] == "loss in 2"


def test_a_line_to_make_at_once_is_worth_most() -> None:
    exact = solver()
    assert exact.score(after("connect-four", "d c d c d c")) == 18
    assert exact.score(after("connect-four", "a d c d c d c")) == 18


def test_the_last_disc_can_win_or_draw() -> None:
    exact = solver()
    all_but_one = " ".join("efgeeedebcdcfdagbbegaccdafgadbbaafdgbcgcf")
    assert exact.score(after("connect-four", all_but_one)) == 1
    assert exact.value(after("connect-four", all_but_one)) == ("win", 1)
    all_but_one = " ".join("edgabeffbbfabgabffbaegdcggaegfcaececccddd")
    assert exact.score(after("connect-four", all_but_one)) == 0
    assert exact.best_moves(after("connect-four", all_but_one)) == [3]


def test_four_columns_of_four_are_a_draw_as_is_known() -> None:
    assert solver(cols=4, rows=4, connect=4).score(load("connect-four", cols=4, rows=4).start) == 0


def test_winning_cells_complete_a_line_of_any_length() -> None:
    for connect in range(3, 7):
        game = load("connect-four", cols=7, rows=6, connect=connect)
        winning_cells = make_winning_cells(7, 6, connect)
        for state in random_states(game, 22, 20):
            own, discs = state.position.own, state.position.own | state.position.other
            wins = sum((discs + (1 << 7 * move)) & ~discs for move in state.moves() if winning(state, move))
            landings = sum((discs + (1 << 7 * move)) & ~discs for move in state.moves())
            assert winning_cells(own) & landings == wins


def winning(state: State, move: int) -> bool:
    outcome = state.play(move).outcome
    return outcome is not None and outcome.winner is not None


def test_a_small_table_and_a_search_in_pieces_find_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    state = after("connect-four", " ".join("fceaddedeedddccgcfaagf"))
    at_once = ExactConnectFour(state.game, table_megabytes=1)
    assert at_once.score(state) == -1
    reports: list[int] = []
    monkeypatch.setattr(connect_four, "SLICE", 500)
    in_pieces = ExactConnectFour(state.game, table_megabytes=1, report=reports.append)
    assert in_pieces.score(state) == -1
    assert in_pieces.nodes == at_once.nodes > 1000
    assert reports == list(range(500, at_once.nodes, 500))


def test_a_table_makes_later_questions_quicker_until_it_is_emptied() -> None:
    exact = ExactConnectFour(load("connect-four"), table_megabytes=1)
    state = after("connect-four", " ".join("fceaddedeedddccgcfaagf"))
    exact.score(state)
    first = exact.nodes
    exact.score(state)
    assert exact.nodes < 1.1 * first
    exact.forget()
    exact.score(state)
    assert exact.nodes == first


def test_threads_may_share_a_solver() -> None:
    exact = ExactConnectFour(load("connect-four"), table_megabytes=1)
    states = [after("connect-four", " ".join(moves)) for moves in SCORES] * 2
    with ThreadPoolExecutor(4) as threads:
        assert list(threads.map(exact.score, states)) == list(SCORES.values()) * 2


def test_an_early_position_takes_few_nodes() -> None:
    """Following the opponent proves most of what happens late in a game: without it, these take 7 times as many."""
    exact = ExactConnectFour(load("connect-four"), table_megabytes=16)
    assert exact.score(after("connect-four", "d d d d d d c b")) == 1
    assert exact.nodes < 2_000_000


@pytest.mark.parametrize(
    "options",
    [{"cols": 5, "rows": 4}, {"cols": 4, "rows": 5}, {"cols": 5, "rows": 3, "connect": 3}, {"cols": 6, "rows": 4}],
)
def test_following_finds_the_scores_of_plain_minimax_on_even_and_odd_rows(options: dict[str, int]) -> None:
    exact = ExactConnectFour(load("connect-four", **options), table_megabytes=1)
    cells = options["cols"] * options["rows"]
    for discs in range(cells - 10, cells - 1):
        for state in random_states(exact.game, discs, 20, seed=discs):
            exact.forget()
            check_against_plain_minimax(exact, state)


def test_values_become_known_move_by_move_and_their_lengths_last() -> None:
    exact = ExactConnectFour(load("connect-four"), table_megabytes=1)
    state = after("connect-four", " ".join("fceaddedeedddccgcfaagf"))
    steps = list(exact.known_values(state, Limits()))
    assert [len(values) for values in steps[:3]] == [1, 2, 3]
    assert steps[-1] == exact.search(state, Limits()).values
    for earlier, later in pairwise(steps):
        assert all(later[move].result == value.result for move, value in earlier.items())
    exact.forget()
    assert len(list(exact.known_values(load("connect-four").start, Limits(nodes=1000)))) == 0
    assert len(list(exact.known_values(load("connect-four").start, Limits(seconds=0)))) == 0


def test_nodes_for_some_of_the_safe_moves_give_those() -> None:
    exact = ExactConnectFour(load("connect-four"), table_megabytes=1)
    state = after("connect-four", " ".join("dbbdddabddbgebeb"))
    found = []
    for nodes in range(0, 12_000, 5):
        exact.forget()
        with suppress(NotSolved):
            found.append(exact.safe_moves(state, nodes))
    assert found[-1] == [2, 4, 5]
    assert len(found[0]) < 3
    assert all(set(safe) <= {2, 4, 5} for safe in found)


def test_too_few_nodes_are_reported() -> None:
    exact = solver()
    start = exact.game.start
    for ask in (exact.score, exact.value, exact.scores, exact.best_moves):
        with pytest.raises(NotSolved, match="1,000 nodes do not suffice to solve this position"):
            ask(start, node_limit=1000)
    with pytest.raises(NotSolved, match="1,000 nodes do not suffice to solve this position"):
        exact.search(start, Limits(nodes=1000))
    assert exact.score(after("connect-four", "d c d c d c"), node_limit=0) == 18


def test_a_report_can_stop_a_search(monkeypatch: pytest.MonkeyPatch) -> None:
    def stop(nodes: int) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(connect_four, "SLICE", 500)
    game = load("connect-four")
    with pytest.raises(KeyboardInterrupt):
        ExactConnectFour(game, table_megabytes=1, report=stop).score(game.start)


def test_finished_positions_are_refused() -> None:
    exact = solver()
    won = after("connect-four", "a b a b a b a")
    full = after("connect-four", " ".join("edgabeffbbfabgabffbaegdcggaegfcaececccdddd"))

    def search(position: State | Position) -> Analysis:
        return exact.search(position, Limits())

    for ask in (exact.score, exact.scores, exact.best_moves, exact.value, search):
        with pytest.raises(BadPosition, match="the game is over: X wins: four discs a1-a4"):
            ask(won)
        with pytest.raises(BadPosition, match="the game is over: Draw: board full"):
            ask(full.position)


@pytest.mark.parametrize(
    "position",
    [
        Position(0b1, 0b1, 0),  # two discs on a cell
        Position(0b100, 0b1, 0),  # one that floats
        Position(1 << 6, 0, 1),  # one above the board
        Position(1 << 50, 0, 1),  # one beside it
        Position(0b1111, 0, 0),  # a line of the player to move
    ],
)
def test_what_is_no_position_is_refused(position: Position) -> None:
    with pytest.raises(BadPosition, match="cannot lie on the board"):
        solver().score(position)


def test_other_games_and_boards_are_refused() -> None:
    with pytest.raises(ConnectoeError, match="this solver is not for load..c4-twist"):
        ExactConnectFour(load("c4-twist"))
    with pytest.raises(ConnectoeError, match="the position is one of load\\('connect-four', cols=4\\)"):
        solver().score(load("connect-four", cols=4).start)
    with pytest.raises(ConnectoeError, match="at least 1 megabyte, not 0"):
        ExactConnectFour(load("connect-four"), table_megabytes=0)


@pytest.mark.parametrize(
    ("solver_of", "options"),
    [
        (ExactConnectFour, {"cols": 4, "rows": 4}),
        (ExactConnectFour, {"cols": 5, "rows": 4}),
        (ExactConnectFour, {"cols": 4, "rows": 5, "connect": 3}),
        (ExactC4Twist, {"cols": 4, "rows": 3, "connect": 3}),
        (ExactC4Twist, {"cols": 4, "rows": 4, "bombs": 1}),
    ],
)
def test_safe_moves_are_those_that_keep_what_the_position_is_worth(
    solver_of: type[ExactConnectFour], options: dict[str, int]
) -> None:
    game = load("c4-twist" if solver_of is ExactC4Twist else "connect-four", **options)
    solver = solver_of(game, table_megabytes=1)
    cells = options["cols"] * options["rows"]
    choice = random.Random(5)
    worths = set()
    for _ in range(150):
        state = game.start
        for _ in range(choice.randrange(cells - 2)):
            if state.outcome is None:
                after = state.play(choice.choice(state.moves()))
                state = state if after.outcome else after
        scores = solver.scores(state)
        worth = max(sign(score) for score in scores.values())
        worths.add(worth)
        assert solver.safe_moves(state) == [move for move, score in scores.items() if sign(score) == worth]
    assert len(worths) > 1


def sign(number: int) -> int:
    return (number > 0) - (number < 0)
