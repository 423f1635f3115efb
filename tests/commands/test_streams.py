"""Commands on all kinds of terminals, full disks and closed streams."""

from __future__ import annotations

import os
import re
import subprocess
import sys

import pytest
from click.testing import CliRunner

from connectoe import game_ids
from connectoe.cli import main
from tests.commands.calling import on_a_terminal, run


@pytest.mark.parametrize("arguments", [["draw", "tic-tac-toe", "b2"], ["play", "tic-tac-toe"]])
def test_a_terminal_is_given_colours_unless_its_owner_wants_none(arguments: list[str]) -> None:
    colour = re.compile(r"\x1b\[[0-9;]*m")
    assert colour.search(on_a_terminal(*arguments, NO_COLOR="", TERM="xterm"))
    assert not colour.search(on_a_terminal(*arguments, NO_COLOR="1", TERM="xterm"))


@pytest.mark.parametrize("arguments", [["draw", "tic-tac-toe", "b2"], ["play"], ["play", "tic-tac-toe"]])
def test_a_dumb_terminal_is_given_plain_lines(arguments: list[str]) -> None:
    assert "\x1b" not in on_a_terminal(*arguments, NO_COLOR="", TERM="dumb")


@pytest.mark.parametrize(
    "arguments",
    [["games"], ["grid", "12"], ["draw", "connect-four"], ["replay", "advanced"], ["--help"], ["--version"]],
)
def test_a_full_disk_is_reported_in_a_line(arguments: list[str]) -> None:
    with open("/dev/full", "w") as full:
        done = run(*arguments, stdout=full)
    assert done.returncode == 1
    assert done.stderr == b"Error: the output cannot be written: No space left on device\n"


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "utf-16"])
def test_any_encoding_of_the_terminal_will_do(encoding: str) -> None:
    for arguments in (["games"], ["draw", "shift-tac-toe", "1"], ["rules", "ultimate"]):
        done = run(*arguments, stdout=subprocess.PIPE, env={**os.environ, "PYTHONIOENCODING": encoding})
        assert (done.returncode, done.stderr) == (0, b"")


@pytest.mark.slow
@pytest.mark.parametrize("encoding", ["ascii", "latin-1"])
@pytest.mark.parametrize("game_id", game_ids())
def test_boards_have_plain_signs_where_the_terminal_has_no_others(game_id: str, encoding: str) -> None:
    runner = CliRunner(charset=encoding)
    shorter = ["-O", "tallies=1"] if game_id == "ultimate-ultimate" else []
    for arguments in (["draw"], ["replay"], ["play", "--x", "random", "--o", "random", "--seed", "1", *shorter]):
        shown = runner.invoke(main, [arguments[0], game_id, *arguments[1:]])
        assert shown.exit_code == 0
        assert "?" not in shown.stdout_bytes.decode(encoding)


def test_lights_and_facings_can_be_told_apart_on_a_plain_terminal() -> None:
    runner = CliRunner(charset="ascii")
    assert "1 Y[G]. ." in runner.invoke(main, ["draw", "semaphores", "a1", "a1", "b1"]).output
    advanced = runner.invoke(main, ["draw", "advanced", "4Nb"]).output
    assert "[X4v]" in advanced
    assert advanced.splitlines()[0].split() == ["W"]


@pytest.mark.parametrize(
    "arguments", [["games"], ["replay", "advanced", "--json"], ["play", "tic-tac-toe"], ["--help"]]
)
def test_a_command_whose_output_is_closed_works_in_silence(
    arguments: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.stdout", None)
    monkeypatch.setattr("sys.stdin", None)
    with pytest.raises(SystemExit) as left:
        main(arguments)
    sys.stdout.close()
    assert left.value.code == 0
    assert capsys.readouterr().err == ""


def test_signs_that_cannot_be_read_are_no_move() -> None:
    done = run(
        *["play", "tic-tac-toe"],
        input=b"\xe9\nq\n",
        stdout=subprocess.PIPE,
        env={**os.environ, "PYTHONIOENCODING": "utf-8"},
    )
    assert (done.returncode, done.stderr) == (0, b"")
    assert b"is no move of tic-tac-toe" in done.stdout


@pytest.mark.parametrize("arguments", [["replay", "connect-four", "--json", "-"], ["convert", "-"]])
def test_a_closed_input_is_reported_in_a_line(arguments: list[str]) -> None:
    command = " ".join([sys.executable, "-m", "connectoe", *arguments, "<&-"])
    done = subprocess.run(["sh", "-c", command], capture_output=True)
    assert done.returncode == 1
    assert done.stderr == b"Error: there is no standard input to read from\n"
