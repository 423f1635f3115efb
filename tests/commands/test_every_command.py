"""What holds for every command: help, wrong calls, exit codes."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import connectoe.commands as connectoe_commands
from tests.commands.calling import connectoe

COMMANDS = sorted(
    file.stem for file in Path(connectoe_commands.__file__ or "").parent.glob("[!_]*.py") if file.stem != "shared"
)
ABOUT_ONE_GAME = ["grid"]
"""The commands that are in the room of a game."""


@pytest.mark.parametrize("command", [*COMMANDS, *ABOUT_ONE_GAME])
def test_every_command_has_help(command: str) -> None:
    assert connectoe(command, "--help").exit_code == 0
    assert command in connectoe("--help").output


@pytest.mark.parametrize("arguments", [["--help"], ["games"], ["replay", "connect-four", "d"], ["draw", "advanced"]])
def test_what_does_not_search_does_not_import_numba(arguments: list[str]) -> None:
    run = f"from connectoe.cli import main; main({arguments!r}, standalone_mode=False)"
    script = f"import sys; {run}; assert 'numba' not in sys.modules"
    assert subprocess.run([sys.executable, "-c", script], capture_output=True).returncode == 0


def test_it_runs_as_a_module() -> None:
    run = subprocess.run([sys.executable, "-m", "connectoe", "--version"], capture_output=True, text=True)
    assert run.stdout == "connectoe 0.1.0\n"


@pytest.mark.parametrize(
    ("arguments", "code", "problem"),
    [
        (["rules", "chess"], 2, "there is no game 'chess'"),
        (["replay", "chess", "e4"], 2, "there is no game 'chess'"),
        (["replay", "connect-four", "d", "-O", "connect=9"], 2, "connect (discs in line that win) may be 3..6"),
        (["replay", "connect-four", "d", "-O", "connect"], 2, "an option is given as NAME=VALUE"),
        (["replay", "connect-four", "d", "-O", "cols=30"], 2, "cols (columns of the board) may be 1..16"),
        (["replay", "connect-four", "d", "z"], 1, "line 1, move 2: 'z' is no move of connect-four"),
        (["draw", "connect-four", "z"], 1, "move 1: 'z' is no move of connect-four"),
        (["draw", "connect-four", "--position", "7/7 X"], 1, "the board has 6 rows"),
        (["draw", "connect-four", "-o", "board.gif"], 2, "a picture is an .svg, .png or .txt file"),
        (["draw", "connect-four", "-o", "no/such/folder/board.svg"], 1, "No such file"),
        (["perft", "connect-four", "99"], 2, "99 is not in the range"),
        (["perft", "connect-four", "deep"], 2, "not a valid integer"),
        (["perft", "connect-four", "1", "--position", ""], 1, "a position is <board> <player to move>"),
        (["grid", "12a"], 1, "a"),
        (["grid", "4"], 1, "4"),
        (["convert", "no-such-file"], 1, "No such file"),
        (["play", "connect-four", "--x", "nobody"], 2, "there is no player 'nobody'"),
        (["play", "connect-four", "--option", "game=3"], 2, "connect-four has no option 'game'"),
        (["play", "connect-four", "--option", "self=3"], 2, "connect-four has no option 'self'"),
        (["draw", "connect-four", "--position", ""], 1, "a position is <board> <player to move>"),
        (["draw", "x" * 5000 + ".py"], 2, "File name too long"),
        (["draw", "a\0b.py"], 2, "cannot be read"),
        (["draw", "shift-tac-toe", "74747"], 1, "comes after the end: the match is drawn: repetition"),
        (["convert", "/dev/zero"], 1, "is too large"),
        (["play", "--resume", "no-such-file"], 1, "No such file"),
        (["play", "--option", "cols=3"], 2, "need the GAME"),
        (["dance"], 2, "No such command"),
        (["play", "connect-four", "--o", "random", "--seconds", "-1"], 2, "between 0 and 3600 seconds"),
        (["play", "connect-four", "--o", "random", "--seconds", "nan"], 2, "between 0 and 3600 seconds"),
        (["arena", "tic-tac-toe", "random"], 2, "a tournament needs two players or more"),
        (["arena", "tic-tac-toe", "random", "random", "--games", "0"], 2, "an even number from 2, not 0"),
        (["arena", "tic-tac-toe", "random", "easy", "--seconds", "nan"], 2, "between 0 and 3600 seconds"),
        (["analyse", "tic-tac-toe", "a1 b1 a2 b2 a3"], 1, "the match is won by X: three marks a1-a3"),
        (["draw", "connect-four", "--position", "bad"], 1, "'bad' has 1 part"),
        (["draw", "connect-four", "-O", "cols=5", "-O", "cols=6"], 2, "cols is given twice, as 5 and as 6"),
        (["replay", "connect-four", "d", "-a"], 2, "put -- before the moves"),
        (["replay", "connect-four", "--", "d", "-a"], 1, "'-a' is no move of connect-four"),
        (["draw", "connect-four", "-a"], 2, "put -- before the moves"),
        (["draw", "connect-four", "--positio", "x"], 2, "Did you mean"),
    ],
)
def test_a_wrong_call_is_answered_in_words_with_the_conventional_exit_code(
    arguments: list[str], code: int, problem: str
) -> None:
    result = connectoe(*arguments)
    assert problem in result.output
    assert result.exit_code == code
    assert "Traceback" not in result.output


def test_only_where_moves_are_given_may_an_unknown_option_be_one() -> None:
    assert "before the moves" not in connectoe("replay", "connect-four", "--jsn").output
    assert "before the moves" not in connectoe("perft", "connect-four", "3", "-a").output
