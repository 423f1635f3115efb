"""The command line."""

from __future__ import annotations

import gzip
import json
import os
import pty
import re
import shlex
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest
from click.testing import CliRunner, Result
from hypothesis import given, settings
from hypothesis import strategies as st

import connectoe.commands as connectoe_commands
from connectoe import Match, game_ids, load
from connectoe.cli import main
from connectoe.games import tic_tac_toe
from connectoe.terminal import Table


def connectoe(*arguments: str, stdin: str | bytes = "") -> Result:
    """What the command answers."""
    result = CliRunner().invoke(main, list(arguments), input=stdin)
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return result


def words_of(*arguments: str, stdin: str) -> str:
    """What the command answers, wherever it breaks its lines."""
    return " ".join(connectoe(*arguments, stdin=stdin).output.split())


COMMANDS = sorted(
    file.stem for file in Path(connectoe_commands.__file__ or "").parent.glob("[!_]*.py") if file.stem != "shared"
)


@pytest.mark.parametrize("command", COMMANDS)
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


def test_games_lists_all_games() -> None:
    output = connectoe("games").output
    assert all(game_id in output for game_id in game_ids())


@pytest.mark.parametrize("game_id", game_ids())
def test_rules_explains_every_game(game_id: str) -> None:
    result = connectoe("rules", game_id)
    assert result.exit_code == 0
    assert len(result.output) > 300
    assert all(option.name in result.output for option in load(game_id).option_list)


def test_the_rules_of_a_game_without_words_are_its_name_and_summary(tmp_path: Path) -> None:
    own = tmp_path / "mine.py"
    own.write_text(
        "from connectoe.games.tic_tac_toe import TicTacToe\n"
        "class Mine(TicTacToe):\n    id, name, summary = 'mine', 'My Game', 'Three in line win.'\n"
    )
    assert connectoe("rules", str(own)).output.split("\n\n")[0] == "My Game"
    assert connectoe("rules", str(own)).output.count("Three in line win.") == 1


@pytest.mark.parametrize(
    ("arguments", "code", "problem"),
    [
        (["rules", "chess"], 2, "there is no game 'chess'"),
        (["replay", "chess", "e4"], 2, "there is no game 'chess'"),
        (["replay", "connect-four", "d", "-O", "connect=9"], 2, "connect (discs in line that win) may be 3..6"),
        (["replay", "connect-four", "d", "-O", "connect"], 2, "an option is given as NAME=VALUE"),
        (["replay", "connect-four", "d", "-O", "cols=30"], 2, "too large"),
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


# replay


def test_replay_answers_in_json() -> None:
    result = connectoe("replay", "connect-four", "a", "b", "a", "b", "--json")
    assert json.loads(result.output) == {
        "game": "connect-four",
        "options": {"cols": 7, "rows": 6, "connect": 4},
        "moves": ["a", "b", "a", "b"],
        "turn": 0,
        "result": None,
        "reason": None,
        "legal": ["a", "b", "c", "d", "e", "f", "g"],
        "position": "7/7/7/7/XO5/XO5 X",
        "board": [".......", ".......", ".......", ".......", "XO.....", "XO....."],
    }


def test_replay_of_a_finished_game_has_nobody_to_move() -> None:
    end = json.loads(connectoe("replay", "connect-four", "a b a b a b a", "--json").output)
    assert (end["turn"], end["result"], end["reason"], end["legal"]) == (None, "0", "four discs a1-a4", [])


def test_replay_reads_one_game_a_line_and_goes_on_after_a_bad_one() -> None:
    result = connectoe("replay", "tic-tac-toe", "--json", "-", stdin=b"\xef\xbb\xbfb2 a1\r\nb2 b2\n\nb2 \xff\xfe\nc3")
    lines = [json.loads(line) for line in result.output.splitlines()]
    assert result.exit_code == 1
    assert lines[0]["moves"] == ["b2", "a1"]
    assert lines[1] == {"error": "'b2' is not legal: there is a mark on b2 already", "line": 2, "move": 2}
    assert lines[2]["moves"] == []
    assert (lines[3]["line"], lines[3]["move"]) == (4, 2)
    assert lines[4]["position"] == "2X/3/3 O"


def test_replay_refuses_moves_after_the_end_unless_told_to_ignore_them() -> None:
    line = "a b a b a b a c"
    result = connectoe("replay", "connect-four", "--json", "-", stdin=line)
    assert json.loads(result.output)["move"] == 8
    assert "comes after the end" in json.loads(result.output)["error"]
    assert result.exit_code == 1
    result = connectoe("replay", "connect-four", "--json", "--ignore-after-end", "-", stdin=line)
    assert json.loads(result.output)["moves"] == line.split()[:-1]
    assert result.exit_code == 0


def test_replay_of_shift_tac_toe_takes_digits_and_gives_the_grid() -> None:
    result = connectoe("replay", "shift-tac-toe", "--json", "-", stdin="123332\n1 2 3 3 3 2\n")
    first, second = (json.loads(line) for line in result.output.splitlines())
    assert first == second
    assert first["board"] == [["", "", "O"], ["", "X", "X"], ["O", "X", "O"]]


def test_replay_knows_repetition() -> None:
    end = json.loads(connectoe("replay", "shift-tac-toe", "74747", "--json", "--ignore-after-end").output)
    assert (end["result"], end["reason"], end["turn"], end["moves"]) == ("draw", "repetition", None, list("7474"))
    assert "comes after the end" in json.loads(connectoe("replay", "shift-tac-toe", "74747", "--json").output)["error"]


def test_replay_for_people_shows_the_board() -> None:
    output = connectoe("replay", "tic-tac-toe", "b2").output
    assert "·[X]·" in output
    assert "O to move" in output
    assert "X wins: three marks a1-c1" in connectoe("replay", "tic-tac-toe", "a1 a2 b1 b2 c1").output


@settings(deadline=None, max_examples=60)
@given(st.sampled_from(game_ids()), st.lists(st.binary(max_size=30).map(lambda line: line.replace(b"\n", b" "))))
def test_replay_answers_every_line_of_any_input(game_id: str, lines: list[bytes]) -> None:
    result = connectoe("replay", game_id, "--json", "-", stdin=b"".join(line + b"\n" for line in lines))
    answers = [json.loads(line) for line in result.output.splitlines()]
    assert len(answers) == len(lines)
    assert result.exit_code == (1 if any("error" in answer for answer in answers) else 0)


# perft, draw, grid, convert


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


def test_convert_goes_both_ways(tmp_path: Path) -> None:
    match = Match(load("advanced"), players=("Ann", "Bob"))
    match.play("4Nb")
    text, data = tmp_path / "match.txt", tmp_path / "match.json"
    text.write_text(match.to_text())
    assert connectoe("convert", str(text), "-o", str(data)).exit_code == 0
    assert data.read_text() == match.to_json() + "\n"
    assert connectoe("convert", str(data)).output == match.to_text()
    assert connectoe("convert", "-", "--to", "text", stdin=match.to_json()).output == match.to_text()


@pytest.mark.parametrize("name", ["s.json", "s.JSON", "s.jsonl", "s.txt", "s", "s.json.gz", "s.txt.GZ"])
def test_the_name_of_a_file_tells_its_form_in_convert_and_in_play(name: str, tmp_path: Path) -> None:
    record = '[Connectoe "1"][Game "tic-tac-toe"] 1. b2 *'
    converted, saved = tmp_path / f"c-{name}", tmp_path / f"p-{name}"
    assert connectoe("convert", "-", "-o", str(converted), stdin=record).exit_code == 0
    assert "saved to" in words_of("play", "tic-tac-toe", stdin=f"b2\nsave {saved}\n")
    for file in (converted, saved):
        content = file.read_bytes()
        assert content.startswith(b"\x1f\x8b") == name.lower().endswith(".gz")
        text = (gzip.decompress(content) if name.lower().endswith(".gz") else content).decode()
        assert text.startswith("{") == ("json" in name.lower())
    assert connectoe("convert", str(converted)).exit_code == 0


def test_convert_goes_from_a_list_in_json_to_text() -> None:
    record = '[{"connectoe": 1, "game": "tic-tac-toe", "moves": ["b2"]}]'
    assert connectoe("convert", "-", stdin=record).output.endswith("1. b2 *\n")


def test_convert_reads_what_gzip_has_made_smaller(tmp_path: Path) -> None:
    match = Match(load("advanced"))
    match.play("4Nb")
    small = gzip.compress(match.to_text().encode())
    file = tmp_path / "games.txt.gz"
    file.write_bytes(small)
    assert connectoe("convert", str(file)).output == match.to_json() + "\n"
    assert connectoe("convert", "-", stdin=small).output == match.to_json() + "\n"
    middle = len(small) // 2
    for damaged in (small[:middle], small[:12] + b"\xff" + small[13:], small[:-8] + bytes(8), small + b"more"):
        result = connectoe("convert", "-", stdin=damaged)
        assert result.exit_code == 1
        assert "is damaged: gzip cannot read it" in result.output
    with patch("connectoe.commands.shared.LARGEST", 1000):
        assert "is too large" in connectoe("convert", "-", stdin=gzip.compress(bytes(1001))).output


@pytest.mark.parametrize(
    "content", [b"", b"\xff\xfe[\x00", b"\x00" * 1000, b"[Connectoe", "[Connectoe".encode("utf-16")]
)
def test_convert_refuses_what_is_no_record(content: bytes) -> None:
    result = connectoe("convert", "-", stdin=content)
    assert result.exit_code == 1
    assert "Error: standard input: " in result.output or "standard input is not UTF-8" in result.output


# play


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


def on_a_terminal(*arguments: str, **settings: str) -> str:
    """What the command writes to a terminal whose person leaves at once."""
    shown, terminal = pty.openpty()
    command = [sys.executable, "-m", "connectoe", *arguments]
    subprocess.run(command, stdin=subprocess.DEVNULL, stdout=terminal, env={**os.environ, **settings}, check=True)
    os.close(terminal)
    written = b""
    with suppress(OSError):  # the other end is closed, and all has been read
        while more := os.read(shown, 4096):
            written += more
    os.close(shown)
    return written.decode()


@pytest.mark.parametrize("arguments", [["draw", "tic-tac-toe", "b2"], ["play", "tic-tac-toe"]])
def test_a_terminal_is_given_colours_unless_its_owner_wants_none(arguments: list[str]) -> None:
    colour = re.compile(r"\x1b\[[0-9;]*m")
    assert colour.search(on_a_terminal(*arguments, NO_COLOR="", TERM="xterm"))
    assert not colour.search(on_a_terminal(*arguments, NO_COLOR="1", TERM="xterm"))


@pytest.mark.parametrize("arguments", [["draw", "tic-tac-toe", "b2"], ["play"], ["play", "tic-tac-toe"]])
def test_a_dumb_terminal_is_given_plain_lines(arguments: list[str]) -> None:
    assert "\x1b" not in on_a_terminal(*arguments, NO_COLOR="", TERM="dumb")


def test_of_a_board_taller_than_the_screen_the_row_in_play_is_shown(capsys: pytest.CaptureFixture[str]) -> None:
    match = Match(load("ultimate-ultimate"))
    table = Table(match)

    def shown(lines: int) -> str:
        size = patch.dict(os.environ, LINES=str(lines), COLUMNS="80")
        with size, patch("connectoe.terminal.is_screen", return_value=True), patch("click.clear"):
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


def test_on_a_wide_board_q_is_a_column() -> None:
    wide = ["play", "connect-four", "--option", "cols=17", "--option", "rows=2"]
    output = connectoe(*wide, stdin="q\nhelp\nquit\na\n").output
    assert "· · · · · · · · · · · · · · · ·[X]" in output
    assert "  quit    leave" in output
    assert "[O]" not in output


def test_an_illegal_move_says_why_and_the_match_goes_on() -> None:
    result = connectoe("play", "tic-tac-toe", stdin="b2\nb2\nzz\na1\n")
    assert "there is a mark on b2 already" in result.output
    assert "'zz' is no move of tic-tac-toe: a move is a square" in result.output


def test_a_person_plays_against_random_and_takes_back_two_moves_at_once() -> None:
    result = connectoe("play", "connect-four", "--o", "random", "--seed", "3", stdin="d\nundo\nundo\nq\n")
    assert "O (random) plays" in result.output
    assert "took back d and" in result.output
    assert "there is no move to take back" in result.output


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


def test_a_saved_match_is_resumed(tmp_path: Path) -> None:
    for name in ("match.txt", "match.json"):
        file = tmp_path / name
        assert f"saved to {file}" in connectoe("play", "connect-four", stdin=f"d\nsave {file}\nq\n").output
        assert "exists already" in words_of("play", "connect-four", stdin=f"save {file}\n")
        assert "1 · · · X[O]· ·" in connectoe("play", "--resume", str(file), stdin="e\n").output
    assert "cannot be written" in words_of("play", "connect-four", stdin=f"save {tmp_path}/no/such.txt\n")


def test_a_saved_match_is_resumed_with_the_same_opponent(tmp_path: Path) -> None:
    file = tmp_path / "match one.txt"
    typed = f"d\nsave {file}\nq\n"
    output = connectoe("play", "connect-four", "--o", "mcts:2", "--seconds", "0.5", stdin=typed).output
    [command] = re.findall(r"go on with `connectoe (.*)`", output)
    assert command == f"play --resume '{file}' --o mcts:2 --seconds 0.5"
    assert "O (mcts:2) plays" in connectoe(*shlex.split(command), stdin="d\nq\n").output
    first = words_of("play", "tic-tac-toe", "--x", "random", stdin=f"save {tmp_path}/first.txt\n")
    assert f"--resume {tmp_path}/first.txt --x random`" in first


@pytest.mark.parametrize(
    ("typed", "is_lost"),
    [
        ("d\n", True),
        ("", False),
        ("d\nundo\n", False),
        ("d\nsave {}\n", False),
        ("d\nsave {}\nd\n", True),
        ("d\nsave {}\nresign\n", True),
        ("resign\n", True),
    ],
)
def test_who_leaves_without_saving_is_told_how_a_match_is_kept(typed: str, is_lost: bool, tmp_path: Path) -> None:
    for number, leaves in enumerate(("", "q\n")):
        output = connectoe("play", "connect-four", stdin=typed.format(tmp_path / f"{number}.txt") + leaves).output
        assert ("`save FILE` would have kept it" in output) == is_lost


def test_a_saved_match_that_is_resumed_and_left_is_not_lost(tmp_path: Path) -> None:
    file = tmp_path / "match.txt"
    connectoe("play", "connect-four", "--o", "random", stdin=f"d\nsave {file}\nq\n")
    assert "kept it" not in connectoe("play", "--resume", str(file), "--o", "random", stdin="q\n").output


@pytest.mark.parametrize("typed", ["resign now", "undo now", "? x", "draw please", "HINT me", "help save"])
def test_words_after_a_command_that_takes_none_are_refused(typed: str) -> None:
    output = words_of("play", "connect-four", stdin=f"d\n{typed}\n")
    assert f"`{typed.split()[0]}` stands alone: '{typed.split()[1]}' after it is not understood" in output
    assert "O, your move" in output.split("stands alone")[1]


def test_a_file_that_is_there_is_kept_and_a_free_name_beside_it_is_given(tmp_path: Path) -> None:
    for name in ("g.txt", "g-2.txt", "g.json.gz", "v1.5"):
        (tmp_path / name).touch()
    typed = "".join(f"save {tmp_path / name}\n" for name in ("g.txt", "g.json.gz", "v1.5"))
    output = words_of("play", "connect-four", stdin=typed)
    for free in ("g-3.txt", "g-2.json.gz", "v1.5-2"):
        assert f"as in `save {tmp_path / free}`" in output
    assert f"{tmp_path} is a folder" in words_of("play", "connect-four", stdin=f"save {tmp_path}\n")


def test_the_tilde_is_the_home_of_who_plays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    connectoe("play", "connect-four", stdin="d\nsave ~/match.txt\nq\n")
    assert (tmp_path / "match.txt").exists()
    assert "1 · · · X · · ·" in connectoe("play", "--resume", "~/match.txt", stdin="q\n").output.replace("[X]", " X ")


def test_a_match_is_resumed_as_the_game_it_is_of_and_the_last_of_several(tmp_path: Path) -> None:
    file = tmp_path / "two.txt"
    file.write_text('[Connectoe "1"][Game "connect-four"] 1. d *\n[Connectoe "1"][Game "tic-tac-toe"] 1. b2 *')
    result = connectoe("play", "connect-four", "--resume", str(file))
    assert result.exit_code == 2
    assert "is one of tic-tac-toe, not of connect-four" in " ".join(result.output.split())
    output = words_of("play", "tic-tac-toe", "--resume", str(file), stdin="q\n")
    assert f"There are 2 matches in {file}; this is the last." in output


def test_ctrl_c_leaves_a_match_with_the_exit_code_for_it() -> None:
    with patch("builtins.input", side_effect=["d", KeyboardInterrupt]):
        result = connectoe("play", "connect-four")
    assert result.exit_code == 130
    assert result.output.endswith("\nThe match was not saved; `save FILE` would have kept it.\n")
    with patch("builtins.input", side_effect=KeyboardInterrupt):
        assert connectoe("play", "connect-four").exit_code == 130
        assert connectoe("play").exit_code == 130


def test_a_save_that_cannot_be_made_does_not_end_the_match() -> None:
    output = words_of("play", "connect-four", stdin=f"d\nsave {'a' * 5000}\nsave a\0b\ne\nq\n")
    assert output.count("cannot be written") == 2
    assert "1 · · · X[O]· ·" in output


def test_a_match_of_your_own_game_is_resumed_with_its_file(tmp_path: Path) -> None:
    own = tmp_path / "mine.py"
    source = Path(str(tic_tac_toe.__file__)).read_text()
    own.write_text(source.replace('id = "tic-tac-toe"', 'id = "mine"\n    symbols = ("A", "B")'))
    record = tmp_path / "match.txt"
    output = words_of("play", str(own), "--o", "random", stdin=f"b2\nsave {record}\nq\n")
    assert f"connectoe play {own} --resume {record}" in output
    assert "B (random) plays" in output
    refused = words_of("convert", str(record), stdin="")
    assert "no game 'mine'" in refused
    assert "A game of your own is named by its file: --game FILE.py" in refused
    assert f"connectoe play FILE.py --resume {record}" in words_of("play", "--resume", str(record), stdin="")
    assert connectoe("convert", str(record), "--game", str(own)).exit_code == 0
    assert "A, your move" in connectoe("play", str(own), "--resume", str(record), stdin="q\n").output


def test_a_hint_is_given() -> None:
    assert "hint: a3, wins in 1" in connectoe("play", "tic-tac-toe", stdin="a1\nb1\na2\nb2\nhint\nq\n").output
    assert "no move to hint at" in connectoe("play", "tic-tac-toe", stdin="resign\nhint\nq\n").output


def run(*arguments: str, **more: Any) -> subprocess.CompletedProcess[bytes]:
    """The command in a process of its own, with real streams."""
    return subprocess.run([sys.executable, "-m", "connectoe", *arguments], stderr=subprocess.PIPE, **more)


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


@pytest.mark.parametrize("encoding", ["ascii", "latin-1"])
@pytest.mark.parametrize("game_id", game_ids())
def test_boards_have_plain_signs_where_the_terminal_has_no_others(game_id: str, encoding: str) -> None:
    runner = CliRunner(charset=encoding)
    for arguments in (["draw"], ["replay"], ["play", "--x", "random", "--o", "random", "--seed", "1"]):
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


@pytest.mark.parametrize("columns", ["0", "10", "45", "69", "70", "90"])
def test_ids_and_options_are_never_cut(columns: str) -> None:
    runner = CliRunner(env={"COLUMNS": columns})
    listed = runner.invoke(main, ["games"]).output
    assert all(game_id in listed for game_id in game_ids())
    assert "Read the rules" in listed
    rules = runner.invoke(main, ["rules", "connect-tac-toe"]).output
    assert all(option.name in rules for option in load("connect-tac-toe").option_list)


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
