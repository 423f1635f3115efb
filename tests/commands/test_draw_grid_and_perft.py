"""`connectoe draw`, `connectoe grid` and `connectoe perft`."""

from __future__ import annotations

from pathlib import Path

import pytest

from connectoe import game_ids
from tests.commands.calling import connectoe


def test_perft_counts_and_divides() -> None:
    assert connectoe("perft", "tic-tac-toe", "3").output == "504\n"
    assert connectoe("perft", "tic-tac-toe", "0").output == "1\n"
    divided = connectoe("perft", "tic-tac-toe", "2", "--divide").output.splitlines()
    assert divided[0] == "a1\t8"
    assert divided[-1] == "72"
    assert connectoe("perft", "tic-tac-toe", "1", "--position", "XXX/OO1/3 O").output == "0\n"


@pytest.mark.parametrize("game_id", game_ids())
def test_draw_writes_svg_png_and_text(game_id: str, tmp_path: Path) -> None:
    for name in ("board.svg", "board.png", "board.txt"):
        assert connectoe("draw", game_id, "-o", str(tmp_path / name), "--theme", "dark").exit_code == 0
    assert (tmp_path / "board.svg").read_text().startswith("<svg")
    assert (tmp_path / "board.png").read_bytes().startswith(b"\x89PNG")
    assert "to move" in (tmp_path / "board.txt").read_text()
    assert "to move" in connectoe("draw", game_id).output


def test_grid_prints_the_nested_list() -> None:
    assert connectoe("grid", "123332").output == "[['','','O'],\n['','X','X'],\n['O','X','O']]\n"
