"""CONTRIBUTING.md: its example is a complete game, and what it points to is there."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from click.testing import CliRunner

from connectoe import Game, Match, load, read_matches
from connectoe.cli import main
from connectoe.engines.perft import interpreted_perft, perft
from tests.playing import ending

ROOT = Path(__file__).parents[1]


@pytest.fixture
def file(tmp_path: Path) -> Path:
    [example] = re.findall(r"```python\n(.*?)```", (ROOT / "CONTRIBUTING.md").read_text(), re.DOTALL)
    saved = tmp_path / "notakto.py"
    saved.write_text(example)
    return saved


@pytest.fixture
def game(file: Path) -> Game:
    return load(file)


def test_it_plays_by_its_rules(game: Game) -> None:
    match = Match(game)
    for move in "b2 a1 c3".split():
        match.play(move)
    assert ending(match) == (1, "a line")
    assert ending(load(game, three="wins").start.play("b2").play("a1").play("c3")) == (0, "a line")
    assert read_matches(match.to_text(), type(game)) == [match]
    with pytest.raises(ValueError, match="'b2' is not legal: the rules do not allow it now"):
        game.start.play("b2").play("b2")


def test_it_compiles(game: Game) -> None:
    assert perft(game, 5) == interpreted_perft(game, 5) > 9 * 8 * 7


@pytest.mark.slow
def test_a_changed_file_is_compiled_again(game: Game, file: Path) -> None:
    before = perft(game, 4)
    file.write_text(file.read_text().replace("range(9)", "range(8)"))
    assert perft(load(file), 4) < before


def test_its_positions_read_back(game: Game) -> None:
    state = game.start.play("b2").play("a1")
    assert game.state(state.text) == state
    for nonsense in ("", "1", "x,y", "1,2,3", "9" * 30 + ",0"):
        with pytest.raises(ValueError, match="a position of notakto is|too large|marks holds a number"):
            game.state(nonsense)


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("0,5", "the rules of notakto do not allow such a position"),
        (f"{2**63 - 1},0", "too large"),
    ],
)
def test_a_position_that_cannot_be_played_is_refused(game: Game, text: str, problem: str) -> None:
    with pytest.raises(ValueError, match=problem):
        game.state(text)


@pytest.mark.parametrize(
    "arguments",
    [
        ["rules"],
        ["play", "--x", "random", "--o", "random"],
        ["play", "--option", "three=wins", "--x", "random", "--o", "random"],
        ["perft", "6"],
        ["replay", "b2", "a1", "--json"],
        ["draw", "b2", "a1"],
    ],
)
def test_every_command_takes_it(file: Path, arguments: list[str]) -> None:
    result = CliRunner().invoke(main, [arguments[0], str(file), *arguments[1:]], catch_exceptions=False)
    assert result.exit_code == 0, result.output


def test_the_files_it_names_are_there() -> None:
    named = re.findall(r"`((?:src|tests|docs|bench|examples)/[\w./-]+)`", (ROOT / "CONTRIBUTING.md").read_text())
    assert len(named) > 5
    assert [file for file in named if not (ROOT / file).exists()] == []
