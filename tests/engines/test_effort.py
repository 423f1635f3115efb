"""How much the levels look at, in games that say so and in games that do not."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from connectoe import Match, load, player
from connectoe.engines.effort import FEWEST, MOST, levels_of, simulations_for
from tests.nim import NIM


def test_a_game_that_does_not_say_gets_as_much_as_takes_a_second(tmp_path: Path) -> None:
    file = tmp_path / "nim.py"
    file.write_text(NIM)
    assert levels_of(load(file, sticks=99)).hard == MOST
    listing = NIM.replace("evaluate, pick", "evaluate")  # it must list its moves to choose one
    file.write_text(listing.replace("range(1, 100)", "range(1, 1000)"))
    short, long, longer = (levels_of(load(file, sticks=sticks)).hard for sticks in (5, 200, 400))
    assert FEWEST < longer < long < short <= MOST
    assert long > 400_000  # half a microsecond each, as measured: a few tenths of a second at least
    assert levels_of(load("connect-four")) == load("connect-four").levels()


def test_a_position_of_many_fields_leaves_time_for_fewer_simulations() -> None:
    nine_boards = load(Path(__file__).parents[2] / "examples" / "games" / "nine_boards.py")
    assert 80_000 < levels_of(nine_boards).hard < 160_000  # ten microseconds each, as measured


def test_weak_levels_look_at_every_move_but_not_without_bounds() -> None:
    assert simulations_for("easy", 30, legal_moves=72) == 72
    assert simulations_for("easy", 12, legal_moves=729) == 48
    assert simulations_for("medium", 600, legal_moves=81) == 600
    assert simulations_for("hard", 2000, legal_moves=5000) == 2000


@pytest.mark.slow
def test_no_first_move_is_favoured_for_its_place_in_the_list() -> None:
    game = load("ultimate")
    chosen = Counter(player("easy", game, seed).choose(Match(game)) for seed in range(150))
    numbers = [game.move_from(move) for move in chosen.elements()]
    assert max(chosen.values()) <= 12
    assert sum(number > 59 for number in numbers) > 15
    assert sum(number < 21 for number in numbers) > 15
