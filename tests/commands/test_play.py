"""`connectoe play`."""

from __future__ import annotations

import os
import re
from pathlib import Path
from unittest.mock import patch

import pytest
from click.testing import CliRunner

from connectoe import Match, game_ids, load
from connectoe.cli import main
from connectoe.terminal.play import TerminalMatch
from tests.commands.calling import connectoe, words_of
from tests.nim import NIM


def test_two_people_play_at_one_terminal() -> None:
    result = connectoe("play", "tic-tac-toe", stdin="b2\na1\nB1\nb3\nhelp\n?\nc2\na2\nc3\nundo\nc3\na3\nq\n")
    assert "5 legal moves: a2 a3 c1 c2 c3" in result.output
    assert "take back your last move" in result.output
    assert "took back c3" in result.output
    assert result.exit_code == 0


def test_what_play_says_fits_a_narrow_terminal() -> None:
    typed = "chess\nultimate-ultimate\n\n?\nzz\n+1\nhelp\nrules\n1.1.1\nresign\n"
    result = CliRunner().invoke(main, ["play"], input=typed, env={"COLUMNS": "60"})
    typed_there = result.output.replace("quit): ", "quit): \n").replace("more): ", "more): \n")
    said = [line for line in typed_there.splitlines() if "│" not in line]
    assert "is no move of ultimate-ultimate" in result.output
    assert "O wins: resignation" in said
    assert max(map(len, said)) <= 60


def test_rules_in_play_keep_their_paragraphs_and_points() -> None:
    output = connectoe("play", "ultimate-ultimate", stdin="rules\n").output
    assert "player:\n\n1. B.S.C puts" in output
    assert "\n2. +C puts" in output


def test_of_a_board_taller_than_the_screen_the_row_in_play_is_shown(capsys: pytest.CaptureFixture[str]) -> None:
    match = Match(load("ultimate-ultimate"))
    table = TerminalMatch(match)

    def shown(lines: int) -> str:
        size = patch.dict(os.environ, LINES=str(lines), COLUMNS="80")
        with size, patch("connectoe.terminal.play.is_screen", return_value=True), patch("click.clear"):
            table.show()
        return capsys.readouterr().out

    assert "row 1 of 3" in shown(24)
    match.play("5.5.9")  # X goes on there
    assert "row 2 of 3" in shown(24)
    assert "┃• •[X]" in shown(24)
    match.play("+8")  # and O plays on board 8.9
    assert re.findall(r"board \d│|row . of .", shown(24)) == ["board 7│", "board 8│", "board 9│", "row 3 of 3"]
    assert "┃• • •┃" in shown(24)
    assert len(shown(24).splitlines()) <= 22
    assert len(re.findall(r"board \d│", shown(60))) == 9
    assert "row 3 of 3" not in shown(60)
    assert connectoe("play", "ultimate-ultimate", stdin="board\nq\n").output.count("board 9│") == 3


def test_where_q_is_a_move_one_leaves_by_quit(tmp_path: Path) -> None:
    game = tmp_path / "nim.py"
    game.write_text(NIM.replace('["1", "2", "3"]', '["q", "2", "3"]'))
    output = connectoe("play", str(game), stdin="q\nhelp\nquit\n2\n").output
    assert "  quit    leave" in output
    assert output.count("O, your move") == 2  # after q was played, and after help
    assert output.count("X, your move") == 1


def test_an_illegal_move_says_why_and_the_match_goes_on() -> None:
    result = connectoe("play", "tic-tac-toe", stdin="b2\nb2\nzz\na1\n")
    assert "there is a mark on b2 already" in result.output
    assert "'zz' is no move of tic-tac-toe: a move is a square" in result.output


def test_a_person_plays_against_random_and_takes_back_two_moves_at_once() -> None:
    result = connectoe("play", "connect-four", "--o", "random", "--seed", "3", stdin="d\nundo\nundo\nq\n")
    assert "O (random) plays" in result.output
    assert "took back d and" in result.output
    assert "there is no move to take back" in result.output


@pytest.mark.slow
@pytest.mark.parametrize("game_id", game_ids())
def test_random_plays_itself_to_the_end(game_id: str) -> None:
    options = ["-O", "tallies=1"] if game_id == "ultimate-ultimate" else []
    result = connectoe("play", game_id, "--x", "random", "--o", "random", "--seed", "1", *options)
    assert result.exit_code == 0
    assert result.output.rstrip().splitlines()[-2].startswith(("X wins: ", "O wins: ", "Draw: "))


def test_resign_and_draw_end_a_match() -> None:
    assert "O wins: resignation" in connectoe("play", "connect-four", stdin="resign\nq\n").output
    assert "Draw: agreement" in connectoe("play", "connect-four", stdin="draw\n").output
    assert "does not agree" in connectoe("play", "connect-four", "--o", "random", stdin="draw\n").output


@pytest.mark.parametrize("typed", ["resign now", "undo now", "? x", "draw please", "HINT me", "help save"])
def test_words_after_a_command_that_takes_none_are_refused(typed: str) -> None:
    output = words_of("play", "connect-four", stdin=f"d\n{typed}\n")
    assert f"`{typed.split()[0]}` stands alone: '{typed.split()[1]}' after it is not understood" in output
    assert "O, your move" in output.split("stands alone")[1]


def test_ctrl_c_leaves_a_match_with_the_exit_code_for_it() -> None:
    with patch("builtins.input", side_effect=["d", KeyboardInterrupt]):
        result = connectoe("play", "connect-four")
    assert result.exit_code == 130
    assert result.output.endswith("\nThe match was not saved; `save FILE` would have kept it.\n")
    with patch("builtins.input", side_effect=KeyboardInterrupt):
        assert connectoe("play", "connect-four").exit_code == 130
        assert connectoe("play").exit_code == 130


@pytest.mark.slow
def test_a_hint_is_given() -> None:
    assert "hint: a3, wins in 1" in connectoe("play", "tic-tac-toe", stdin="a1\nb1\na2\nb2\nhint\nq\n").output
    assert "no move to hint at" in connectoe("play", "tic-tac-toe", stdin="resign\nhint\nq\n").output


def test_without_a_game_a_person_chooses_one() -> None:
    output = connectoe("play", stdin="chess\n2\n9\n2\nz\no\nq\n").output
    assert "please answer 1, 2" in output
    assert "please answer x, o" in output
    assert "there is no game 'chess'" in output
    assert "C4 with a Twist" in output
    assert "X (random) plays" in output
    assert connectoe("play", stdin="q\n").exit_code == 0
    assert connectoe("play", stdin="").exit_code == 0
    for nobody_left in ("tic-tac-toe\n", "tic-tac-toe\n2\n"):
        assert "your move" not in connectoe("play", stdin=nobody_left).output
    assert "Shift Tac Toe" in connectoe("play", stdin="shift-tac-toe\n\nq\n").output


def test_a_match_begins_from_a_given_position() -> None:
    assert "1[O]· X" in connectoe("play", "tic-tac-toe", "--position", "3/3/2X O", stdin="a1\n").output
