"""Strong solving: every position against a plain second way to work it out, and against what is known."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from connectoe import Game, load
from connectoe.core.errors import ConnectoeError
from connectoe.core.rules import DRAWN, ONGOING, Rules, rule
from connectoe.engines.engine import Exact
from connectoe.engines.exact.positions import TooLarge
from connectoe.engines.exact.retrograde import estimate_size, solve
from connectoe.engines.exact.tables import solved_table
from tests.engines.exact.plain_retrograde import check_every_position
from tests.games.symmetries import symmetries
from tests.kit.loading import example
from tests.nim import NIM
from tests.random_play import any_match
from tests.test_every_game import each_game, unhurried

pytestmark = pytest.mark.slow


@pytest.mark.parametrize(
    ("game", "start", "positions"),
    [
        (load("tic-tac-toe"), ("draw", None), 5478),
        (load("semaphores", rows=2, cols=4), ("loss", 22), None),
        (load("shift-tac-toe", edition="pressman", both="draw"), ("win", 13), 106_494),
        (load("connect-four", cols=4, rows=4), ("draw", None), 161_029),
        (load("c4-twist", cols=3, rows=3, connect=3), ("draw", None), None),
        (load("connect-tac-toe", cols=3, rows=3, discs=3, drop="any-gap"), ("draw", None), None),
    ],
    ids=str,
)
def test_every_position_of_a_small_game(game: Game, start: tuple[str, int | None], positions: int | None) -> None:
    table = solved_table(game, with_finished=True)
    check_every_position(table)
    assert table.value(game.rules.start) == start
    if positions:
        assert table.facts["positions"] + sum(table.facts["finished"].values()) == positions
    if game.options.get("both") == "draw":
        assert table.facts["finished"] == {"won by 0": 20_030, "won by 1": 20_030, "drawn": 1_008}


def test_pressman_is_won_in_the_centre_and_the_sides_win_only_if_a_line_for_both_is_the_movers() -> None:
    table = solved_table(load("shift-tac-toe", edition="pressman", both="mover"), with_finished=True)
    values = {move: Exact(*value) for move, value in table.facts["first_moves"].items()}
    assert values["2"] == ("win", 13)
    assert values["1"] == values["3"] == ("win", 17)
    assert sum(table.facts["finished"].values()) == 41_068


def test_semaphores_on_three_rows_of_three_is_won_by_the_first_player() -> None:
    solution = solve(load("semaphores", cols=3))
    assert solution.positions == 180_400
    assert solution.values[0] == 17  # the empty board packs to 0


def test_semaphores_on_three_rows_of_four_is_won_by_the_second_player() -> None:
    game = load("semaphores")
    solution = solve(game)
    assert solution.positions == 9_038_683
    assert solution.memory < 16 * solution.positions
    assert solution.values[0] == -26
    guess = estimate_size(game)
    assert not guess.exact
    assert len(solution.keys) / 2 < guess.kept < 2 * len(solution.keys)


# Games that are only graphs, to see cycles, endless play, and a player who moves twice running.


class Place(NamedTuple):
    place: int


class GraphGame(Game):
    """A game played by walking a graph; a subclass says who moves where."""

    id = "graph"
    name = "Graph"
    summary = "Walk."
    can_repeat = True

    def notation(self) -> Sequence[str]:
        return "abc"


# 0  X: to 1 or 2              1  O: back to 0, or to 3
# 2  X once more: to 4 or 5    3  X: only to 6, which O has won
# 4  O: to 6                   5  O: back to 0, or to 7, which X has won
OWNER = bytes([0, 1, 0, 0, 1, 1, 1, 0])
WAYS = bytes([1, 2, 0, 3, 4, 5, 6, 6, 6, 6, 0, 7])


def little_walk() -> Rules:
    @rule
    def legal_moves(position: Place) -> Iterator[int]:
        yield 0
        if WAYS[2 * position.place] != WAYS[2 * position.place + 1]:
            yield 1

    @rule
    def play(position: Place, move: int) -> Place:
        return Place(np.int64(WAYS[2 * position.place + move]))  # type: ignore[arg-type]

    @rule
    def outcome(position: Place) -> int:
        return {6: 1, 7: 0}.get(position.place, ONGOING)

    @rule
    def player(position: Place) -> int:
        return OWNER[position.place]

    return Rules(Place(0), legal_moves, play, outcome, player, pack_place, unpack_place)


@rule
def pack_place(position: Place) -> int:
    return position.place


@rule
def unpack_place(packed: int) -> Place:
    return Place(packed)


class LittleWalk(GraphGame):
    make_rules = staticmethod(little_walk)


def test_endless_play_is_a_draw_and_a_player_may_move_twice() -> None:
    table = solved_table(LittleWalk())
    assert [str(table.value(Place(place))) for place in range(6)] == [
        "draw",  # 0: by going round through 2 and 5; 1 would lose
        "win in 2",  # 1: O sends X to 3
        "draw",  # 2: X is on the move again and goes to 5, from where O must go back
        "loss in 1",  # 3: the only move loses at once
        "win in 1",  # 4
        "draw",  # 5: O does not go to 7
    ]
    assert {move: str(value) for move, value in table.moves(Place(2)).items()} == {0: "loss in 2", 1: "draw"}
    check_every_position(table)


PLACES = 4000


def wild_walk() -> Rules:
    @rule
    def mixed(number: int) -> int:
        number = (number ^ number >> 7) * 7_919 + 104_729
        number = (number ^ number >> 11) * 31 + number // 13
        return number & 0xFFFFF

    @rule
    def legal_moves(position: Place) -> Iterator[int]:
        yield 0
        yield 1
        if mixed(position.place) % 3 != 0:
            yield 2

    @rule
    def play(position: Place, move: int) -> Place:
        # Mostly on to a place near by, sometimes anywhere, so that there are short cycles and long ways.
        dice = mixed(3 * position.place + move + 17)
        if dice % 10 == 0:
            return Place(mixed(dice) % PLACES)
        return Place((position.place + dice % 40 - 12) % PLACES)

    @rule
    def outcome(position: Place) -> int:
        dice = mixed(position.place + 5)
        if position.place == 0 or dice % 8 != 0:
            return ONGOING
        return DRAWN if dice % 64 == 8 else dice // 64 % 2

    @rule
    def player(position: Place) -> int:
        return mixed(position.place + 99) // 8 % 2

    return Rules(Place(0), legal_moves, play, outcome, player, pack_place, unpack_place)


class WildWalk(GraphGame):
    make_rules = staticmethod(wild_walk)


def test_a_wild_graph_of_cycles_and_double_moves_is_solved_right() -> None:
    table = solved_table(WildWalk())
    check_every_position(table)
    assert table.facts["longest_win"] > 10
    assert min(table.facts["won"], table.facts["drawn"], table.facts["lost"]) > 50
    assert table.facts["sweeps"] > 2
    for position in (Place(int(key)) for key in table.keys):
        values = table.moves(position)
        assert {values[move] for move in table.best_moves(position)} == {table.value(position)}


def test_the_number_of_threads_makes_no_difference() -> None:
    game = load("shift-tac-toe", edition="pressman")
    one, three = solve(game, threads=1), solve(game, threads=3)
    assert (one.keys == three.keys).all()
    assert (one.values == three.values).all()


def test_too_many_positions_are_refused() -> None:
    game = load("tic-tac-toe")
    assert estimate_size(game) == (627, True, False)
    assert len(solve(game, most_positions=627).keys) == 627
    with pytest.raises(TooLarge, match="more than 626 positions"):
        solve(game, most_positions=626)


def test_a_game_whose_positions_are_not_packed_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ConnectoeError, match="a position does not fit into 62 bits; on a smaller board it may"):
        solve(load("connect-tac-toe"))
    with pytest.raises(ConnectoeError, match=r"PopOut \(cols=12 .*\) cannot .* does not fit into 62 bits"):
        solve(example("popout", cols=12, rows=10))
    own = tmp_path / "nim.py"
    own.write_text(NIM.replace("pack, unpack, ()", "None, None, ()"))
    with pytest.raises(ConnectoeError, match="its rules have no `pack` and `unpack`.*write-a-game.md"):
        solve(load(own))


@each_game
@unhurried
@given(st.data())
def test_packing_round_trips_and_mirrors_agree(game_id: str, data: st.DataObject) -> None:
    match = data.draw(any_match(game_id))
    game, rules, position = match.game, match.game.rules, match.state.position
    if rules.has_arrays:
        assert (rules.pack, rules.mirrors) == (None, ())
        return
    if rules.pack and rules.unpack:
        assert 0 <= rules.pack(position) < 1 << 62
        assert rules.unpack(rules.pack(position)) == position
    images = [mirror(position) for mirror in rules.mirrors]
    for image in images:
        assert {image, *(mirror(image) for mirror in rules.mirrors)} == {position, *images}
        assert rules.outcome(image) == rules.outcome(position)
        if rules.pack and rules.unpack:
            assert rules.unpack(rules.pack(image)) == image
    if rules.outcome(position) == ONGOING:
        for mirror, image in zip(rules.mirrors, images, strict=True):
            assert rules.player(image) == rules.player(position)
            following = [rules.play(position, move) for move in rules.legal_moves(position)]
            assert sorted(map(mirror, following)) == sorted(
                rules.play(image, move) for move in rules.legal_moves(image)
            )
    for moves in symmetries(game).values():
        state = game.start
        for move in match.moves:
            state = state.play(moves[game.move_from(move)])
        assert state.position in (position, *images)
