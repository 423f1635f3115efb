"""Finding and loading games."""

from __future__ import annotations

import pickle
from pathlib import Path

import pytest

import connectoe
from connectoe import BadOption, Game, UnknownGame, games, load
from connectoe.games import tic_tac_toe
from tests.installing import install_game

ROOMS = sorted(file.parent.name for file in Path(games.__path__[0]).glob("*/rules.py"))
BUILT_IN = [room.replace("_", "-") for room in ROOMS]


def test_every_room_is_a_game() -> None:
    assert len(BUILT_IN) >= 9
    assert connectoe.game_ids() == BUILT_IN
    assert [load(game_id).id for game_id in BUILT_IN] == BUILT_IN


def test_a_game_is_loaded_by_id_class_module_file_or_another_game() -> None:
    file = Path(str(tic_tac_toe.__file__))
    for named in ("tic-tac-toe", tic_tac_toe, tic_tac_toe.TicTacToe, file, str(file), load("tic-tac-toe")):
        assert load(named).start.play("b2").text == "3/1X1/3 O"


def test_a_game_from_a_file_can_be_pickled() -> None:
    game = load(Path(str(tic_tac_toe.__file__)))
    assert pickle.loads(pickle.dumps(game)) == game


def test_an_installed_game_is_found_through_its_entry_point(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    class Mine(tic_tac_toe.TicTacToe):
        id = "mine"

    monkeypatch.setattr(tic_tac_toe, "Mine", Mine, raising=False)
    install_game(monkeypatch, tmp_path, "mine", "connectoe.games.tic_tac_toe:Mine")
    assert connectoe.game_ids() == [*BUILT_IN, "mine"]
    assert load("mine").id == "mine"


@pytest.mark.parametrize(
    ("named", "problem"),
    [
        ("nonsense_that_is_not_there", "the installed game 'broken' cannot be imported: ModuleNotFoundError"),
        ("connectoe.board", "connectoe.board must define one subclass of connectoe.Game, it defines 0"),
        ("connectoe.games.tic_tac_toe", "'broken' has the id 'tic-tac-toe': its entry point must be named so"),
    ],
)
def test_an_installed_game_that_does_not_run_is_left_out_and_says_why(
    named: str, problem: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    install_game(monkeypatch, tmp_path, "broken", named)
    assert connectoe.game_ids() == BUILT_IN
    with pytest.raises(UnknownGame, match=problem):
        load("broken")


def test_options_of_a_loaded_game_can_be_changed() -> None:
    game = load("c4-twist", bombs=2, cols=6)
    assert load(game, bombs=0).options == {"cols": 6, "rows": 6, "connect": 4, "bombs": 0}


def test_games_are_equal_when_their_options_are() -> None:
    assert load("connect-four") == load("connect-four", cols="7")
    assert load("connect-four") != load("connect-four", cols=6)
    assert load("connect-four") != load("c4-twist")
    assert load("connect-four").rules is load("connect-four").rules
    assert repr(load("connect-four", cols=6)) == "load('connect-four', cols=6)"


@pytest.mark.parametrize(
    ("named", "problem"),
    [
        ("chess", "there is no game 'chess'; the games are: advanced, c4-twist"),
        ("conect-four", "did you mean 'connect-four'?"),
        ("", "there is no game ''"),
        ("../secrets", "there is no game"),
        ("x" * 10_000, "there is no game 'xxxx"),
        ("nowhere.py", "^there is no game file 'nowhere.py'$"),
        (str(Path(connectoe.__file__)), r"__init__\.py must define one subclass of connectoe.Game, it defines 0"),
        (7, "not by int"),
        (connectoe, "must define one subclass of connectoe.Game, it defines 0"),
    ],
)
def test_an_unknown_game_is_refused(named: str, problem: str) -> None:
    with pytest.raises(UnknownGame, match=problem):
        load(named)


def test_a_game_file_that_does_not_run_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "broken.py"
    file.write_text("import nonsense_that_is_not_there")
    with pytest.raises(UnknownGame, match="cannot be imported: ModuleNotFoundError"):
        load(file)


def test_a_game_file_that_leaves_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "leaving.py"
    file.write_text("raise SystemExit(3)")
    with pytest.raises(UnknownGame, match="cannot be imported: SystemExit: 3"):
        load(file)


def test_a_game_that_says_too_little_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "silent.py"
    file.write_text("from connectoe import Game\nclass G(Game):\n    id = 'g'\n")
    with pytest.raises(UnknownGame, match="the game G does not define its name, summary, make_rules"):
        load(file)


def test_nobody_can_change_the_start_of_everybody_elses_games() -> None:
    game = load("ultimate-ultimate")
    game.start.position.boards[0] = 5
    assert load("ultimate-ultimate").start == game.start
    assert int(game.start.position.boards[0]) == 0


@pytest.mark.parametrize("value", [True, 4.0, None, "four", "4.0", 10**30, "", [4]])
def test_an_option_takes_only_its_own_values(value: object) -> None:
    with pytest.raises(BadOption, match="connect .* may be 3..6"):
        load("connect-four", connect=value)


def test_an_option_may_not_hide_a_part_of_the_contract() -> None:
    with pytest.raises(TypeError, match="would hide Game.scene"):

        class Confused(Game):
            scene: int = connectoe.option(1, range(3), "scenes")  # type: ignore[assignment]


def test_a_game_must_say_its_notation_and_look() -> None:
    class Silent(Game):
        id = "silent"
        make_rules = staticmethod(tic_tac_toe.TicTacToe.make_rules)

    with pytest.raises(TypeError, match="Silent does not define its notation"):
        Silent().start.legal_moves()
    with pytest.raises(TypeError, match="Silent does not define its scene"):
        Silent().start.scene()
