"""`connectoe games` and `connectoe rules`."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from connectoe import game_ids, load
from connectoe.cli import main
from tests.commands.calling import connectoe


def test_games_lists_all_games() -> None:
    output = connectoe("games").output
    assert all(game_id in output for game_id in game_ids())


@pytest.mark.parametrize("game_id", game_ids())
def test_rules_explains_every_game(game_id: str) -> None:
    result = connectoe("rules", game_id)
    assert result.exit_code == 0
    assert result.output.startswith(load(game_id).name)
    assert len(result.output) > 200
    assert all(option.name in result.output for option in load(game_id).option_list)


def test_the_rules_of_a_game_without_words_are_its_name_and_summary(tmp_path: Path) -> None:
    own = tmp_path / "mine.py"
    own.write_text(
        "from connectoe.games.tic_tac_toe import TicTacToe\n"
        "class Mine(TicTacToe):\n    id, name, summary = 'mine', 'My Game', 'Three in line win.'\n"
    )
    assert connectoe("rules", str(own)).output.split("\n\n")[0] == "My Game"
    assert connectoe("rules", str(own)).output.count("Three in line win.") == 1


@pytest.mark.parametrize("columns", ["0", "10", "45", "69", "70", "90"])
def test_ids_and_options_are_never_cut(columns: str) -> None:
    runner = CliRunner(env={"COLUMNS": columns})
    listed = runner.invoke(main, ["games"]).output
    assert all(game_id in listed for game_id in game_ids())
    assert "Read the rules" in listed
    rules = runner.invoke(main, ["rules", "connect-tac-toe"]).output
    assert all(option.name in rules for option in load("connect-tac-toe").option_list)
