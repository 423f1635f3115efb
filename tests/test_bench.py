"""The comparisons in bench/: their arithmetic, and our own side at a tiny size. No peer is installed here."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from rich.console import Console

import connectoe

pytestmark = pytest.mark.slow

BENCH = Path(__file__).parents[1] / "bench"


@pytest.fixture(scope="module", autouse=True)
def _bench_is_importable() -> Iterator[None]:
    """bench/ holds scripts, which find each other because they stand in one folder."""
    sys.path.insert(0, str(BENCH))
    yield
    sys.path.remove(str(BENCH))


@pytest.fixture
def run() -> Any:
    return import_module("run")


@pytest.fixture
def figures() -> Any:
    return import_module("figures")


@pytest.fixture
def matches() -> Any:
    return import_module("matches")


@pytest.fixture
def speeds() -> Any:
    return import_module("speeds")


@pytest.fixture
def growth() -> Any:
    return import_module("growth")


@pytest.fixture
def sides() -> Any:
    return import_module("sides")


@pytest.fixture
def our_answers() -> dict[str, Callable[..., Any]]:
    answers: dict[str, Callable[..., Any]] = import_module("connectoe_side").ANSWERS
    return answers


class Neighbour:
    """A side without a process that plays by our rules, under the peers' names, and takes the first move it sees."""

    def __init__(self, answers: dict[str, Callable[..., Any]], cannot_see: int | None = None) -> None:
        self.answers = answers
        self.cannot_see = cannot_see

    def ask(self, what: str, game: str, moves: list[int], **details: Any) -> Any:
        names = {"ultimate_tic_tac_toe": "ultimate", "connect_four": "connect-four"}
        seen = self.answers["look"](game=names[game], moves=moves)
        if what == "choose":
            return {"move": seen["legal"][0]}
        seen["legal"] = [move for move in seen["legal"] if move != self.cannot_see]
        return seen


class OurSide:
    """Our side without a process."""

    def __init__(self, answers: dict[str, Callable[..., Any]]) -> None:
        self.answers = answers

    def ask(self, what: str, **details: Any) -> Any:
        return self.answers[what](**details)


def test_sides_are_measured_in_turn_and_the_median_of_the_ratios_counts(speeds: Any) -> None:
    asked = []
    measured = {"ours": iter([10.0, 30.0, 1000.0]), "theirs": iter([1.0, 2.0, 500.0])}

    def measuring(side: str) -> Callable[[], float]:
        def measure() -> float:
            asked.append(side)
            return next(measured[side])

        return measure

    compared = speeds.side_by_side(measuring("ours"), measuring("theirs"), rounds=3)
    assert asked == ["ours", "theirs", "theirs", "ours", "ours", "theirs"]
    assert compared == (30.0, 2.0, 10.0)  # the ratios were 10, 15 and 2


def test_a_measurement_is_made_as_long_as_it_should_be(speeds: Any) -> None:
    class Steady:
        def __init__(self) -> None:
            self.amounts: list[int] = []

        def ask(self, what: str, amount: int, **details: Any) -> dict[str, float]:
            self.amounts.append(amount)
            return {"done": amount, "seconds": amount / 1000}

    side = Steady()
    measure = speeds.rate(side, "playouts", seconds=0.5, first_amount=20, game="any")
    assert measure() == 1000
    assert side.amounts[-1] == 500


def test_a_row_says_whether_its_aim_is_reached(figures: Any) -> None:
    assert figures.Row("games", "games/s", 100.0, "a peer", 10.0, 10.0, at_least=8).reached is True
    assert figures.Row("games", "games/s", 100.0, "a peer", 10.0, 10.0, at_least=12).reached is False
    assert figures.Row("lookup", "µs", 5.0, at_most=20).reached is True
    assert figures.Row("search", "s", 7.0, at_most=6).reached is False
    assert figures.Row("lookup", "µs", 5.0).reached is None


def test_the_table_names_peers_ratios_and_aims(figures: Any) -> None:
    rows = [
        figures.Row("random games", "games/s", 1.5e6, "a peer", 5e4, 30.0, 25),
        figures.Row("lookup", "µs", 25, at_most=20),
    ]
    console = Console(width=80)
    with console.capture() as shown:
        console.print(figures.table_of(rows))
    for words in ("random games", "games/s, against a peer", "1.5 M", "50,000", "30x", "≥ 25x", "reached", "missed"):
        assert words in shown.get()


def test_our_side_answers_over_a_pipe(sides: Any) -> None:
    with sides.our_side() as side:
        played = side.ask("playouts", game="tic-tac-toe", amount=500, seed=1)
        assert played["done"] == 500
        assert played["seconds"] > 0
        positions = import_module("openings").openings("ultimate", count=2, seed=1)
        assert [len(moves) for moves in positions] == [0, 2]
        found = side.ask("searches", game="ultimate", amount=2, simulations=50, positions=positions, seed=1)
        assert 90 <= found["done"] <= 100


def test_a_side_that_breaks_off_is_reported_as_such(sides: Any) -> None:
    with pytest.raises(sides.PeerMissing, match="stopped"), sides.Side(sys.executable, "no_such_side.py") as side:
        side.ask("playouts")


def test_a_python_without_the_peer_has_no_version_of_it(sides: Any) -> None:
    assert sides.version_of("no-such-peer", sys.executable) is None
    assert sides.version_of("click", sys.executable)


def test_moves_of_ultimate_are_counted_from_the_top_left_between_sides() -> None:
    turned_over = import_module("connectoe_side").turned_over
    game = connectoe.load("ultimate")
    assert [game.move_text(turned_over("ultimate", move)) for move in (0, 8, 9, 40, 80)] == "a9 c7 d9 e5 i1".split()
    assert all(turned_over("ultimate", turned_over("ultimate", move)) == move for move in range(81))


@pytest.mark.parametrize("game", ["connect-four", "ultimate"])
def test_a_pair_is_two_games_from_one_opening(
    matches: Any, our_answers: dict[str, Callable[..., Any]], game: str
) -> None:
    ours, theirs = OurSide(our_answers), Neighbour(our_answers)
    pair, thoughts = matches.play_pair(game, 0, ours, theirs, "random", matches.Clocks(0.0, 0.0), seed=1)
    assert pair.points == sum({"win": 1, "draw": 0.5, "loss": 0}[result] for result in pair.results)
    assert all(thought.moves >= 6 for thought in thoughts)


def test_sides_that_see_different_legal_moves_stop_the_match(
    matches: Any, our_answers: dict[str, Callable[..., Any]]
) -> None:
    ours, theirs = OurSide(our_answers), Neighbour(our_answers, cannot_see=3)
    with pytest.raises(matches.Disagreement, match="connect-four after"):
        matches.play_game("connect-four", [], ours, theirs, 0, "random", matches.Clocks(0.0, 0.0), 1)


def test_each_part_of_the_results_is_kept_beside_the_others(
    figures: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(figures, "RESULTS", tmp_path / "results.json")
    figures.keep("speed", {"rows": [1]})
    figures.keep("match", {"rows": [2]})
    figures.keep("speed", {"rows": [3]})
    kept = json.loads((tmp_path / "results.json").read_text())
    assert {part: kept[part]["rows"] for part in kept} == {"speed": [3], "match": [2]}
    assert kept["speed"]["cores"] >= 1


def test_growth_is_measured_in_the_arena(
    run: Any, growth: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(growth, "GROWTH", tmp_path / "growth.json")
    asked = ["growth", "tic-tac-toe", "--games", "2", "--most", "1000", "--processes", "1"]
    shown = CliRunner().invoke(run.bench, asked, catch_exceptions=False)
    assert shown.exit_code == 0, shown.output
    kept = json.loads((tmp_path / "growth.json").read_text())["tic-tac-toe"]
    (step,) = kept["steps"]
    assert (step["from"], step["to"], step["games"]) == (100, 1000, 2)
    page = (tmp_path / "growth.md").read_text()
    assert "    python bench/run.py growth --games 2 --most 1000 --longest 1 --seed 1\n" in page
    assert f"| tic-tac-toe | 2 | {growth.elo_text(step)} |\n" in page
    assert f"commit {step['commit']};" in page


def test_the_page_about_growth_keeps_other_steps_and_says_what_was_left_out(
    growth: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(growth, "GROWTH", tmp_path / "growth.json")
    how = {"command": "COMMAND", "commit": "abc"}
    first = {"from": 100, "to": 1000, "games": 40, "score": 0.75, "low": 0.66, "high": 0.84, **how}
    second = {"from": 1000, "to": 10_000, "games": 6, "score": 1.0, "low": 0.5, "high": 1.0, **how}
    growth.keep_step("ultimate-ultimate", "tallies=1", first)
    growth.keep_step("ultimate", "", second)
    growth.keep_step("ultimate", "", {**first, "score": 0.5})
    growth.keep_step("ultimate", "", {**first, "commit": "def"})
    *_, heading, _, ultimate, ultimate_ultimate = (tmp_path / "growth.md").read_text().splitlines()
    assert heading == "| game | games per step | 100 to 1,000 | 1,000 to 10,000 |"
    assert ultimate == "| ultimate | 40, 6 | +191 (+115 to +288) | ∞ (+0 to ∞) |"
    assert ultimate_ultimate == "| ultimate-ultimate, tallies=1 | 40 | +191 (+115 to +288) | – |"
    assert "commit def, abc;" in (tmp_path / "growth.md").read_text()
    growth.keep_step("ultimate-ultimate", "tallies=2", second)  # another game, as far as strength is concerned
    assert "| ultimate-ultimate, tallies=2 | 6 | – | ∞ (+0 to ∞) |" in (tmp_path / "growth.md").read_text()


def test_bad_requests_are_refused_in_words(run: Any) -> None:
    refused = CliRunner().invoke(run.bench, ["match", "--games", "3"])
    assert refused.exit_code == 2
    assert "an even number, not 3" in refused.output
    refused = CliRunner().invoke(run.bench, ["match", "--player", "nobody"])
    assert refused.exit_code == 1
    assert "there is no player 'nobody'" in refused.output
    refused = CliRunner().invoke(run.bench, ["growth", "--least", "10000", "--most", "50000"])
    assert refused.exit_code == 1
    assert "simulations: 10000 and 50000" in refused.output
    refused = CliRunner().invoke(run.bench, ["speed", "--peer", "chess=python"])
    assert refused.exit_code == 2
    assert "PEER=PYTHON" in refused.output
