"""`connectoe solve` where a game has an exact solver."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from connectoe import load
from connectoe.analysis import exact_solver
from connectoe.engines.exact import connect_four
from tests.commands.calling import connectoe

pytestmark = pytest.mark.slow


def test_the_start_of_a_board_that_is_too_large_for_a_table_is_solved(tmp_path: Path) -> None:
    options = [word for option in ("cols=5", "rows=16", "connect=6") for word in ("-O", option)]
    result = connectoe("solve", "connect-four", *options, "--folder", str(tmp_path))
    assert result.exit_code == 0
    assert "value          a draw with best play" in result.output
    assert "positions searched" in result.output
    assert list(tmp_path.iterdir()) == []


def test_the_usual_board_is_known_by_its_book() -> None:
    facts = json.loads(connectoe("solve", "connect-four", "--start", "--json").stdout)
    assert facts["start"] == ["win", 41]


def test_the_start_alone_is_solved_if_one_asks_for_it(tmp_path: Path) -> None:
    options = ["-O", "cols=6", "-O", "rows=4"]
    result = connectoe("solve", "connect-four", *options, "--start", "--folder", str(tmp_path))
    assert "the second player wins in 24 plies" in result.output
    assert list(tmp_path.iterdir()) == []


def test_a_game_without_an_exact_solver_says_so() -> None:
    result = connectoe("solve", "tic-tac-toe", "--start")
    assert result.exit_code == 1
    assert "Tic-Tac-Toe has no exact solver with these options" in result.output


def test_ctrl_c_says_what_is_known(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connect_four, "SLICE", 4000)
    exact_solver.cache_clear()
    solver = exact_solver(load("connect-four", cols=8, rows=7))
    assert solver

    def press_ctrl_c(*arguments: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("connectoe.terminal.progress._Display.tell", press_ctrl_c)
    result = connectoe("solve", "connect-four", "-O", "cols=8", "-O", "rows=7")
    assert result.exit_code == 130
    assert "who wins is not known yet; stopped after 1,000 positions" in result.output
    assert solver.report is None
    exact_solver.cache_clear()
