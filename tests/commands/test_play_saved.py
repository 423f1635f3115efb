"""`connectoe play`: matches that are saved and resumed."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from connectoe.games import tic_tac_toe
from tests.commands.calling import connectoe, words_of


def test_a_saved_match_is_resumed(tmp_path: Path) -> None:
    for name in ("match.txt", "match.json"):
        file = tmp_path / name
        assert f"saved to {file}" in connectoe("play", "connect-four", stdin=f"d\nsave {file}\nq\n").output
        assert "exists already" in words_of("play", "connect-four", stdin=f"save {file}\n")
        assert "1 · · · X[O]· ·" in connectoe("play", "--resume", str(file), stdin="e\n").output
    assert "cannot be written" in words_of("play", "connect-four", stdin=f"save {tmp_path}/no/such.txt\n")


@pytest.mark.slow
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
def test_leaving_without_saving_says_how_a_match_is_kept(typed: str, is_lost: bool, tmp_path: Path) -> None:
    for number, leaves in enumerate(("", "q\n")):
        output = connectoe("play", "connect-four", stdin=typed.format(tmp_path / f"{number}.txt") + leaves).output
        assert ("`save FILE` would have kept it" in output) == is_lost


def test_a_saved_match_that_is_resumed_and_left_is_not_lost(tmp_path: Path) -> None:
    file = tmp_path / "match.txt"
    connectoe("play", "connect-four", "--o", "random", stdin=f"d\nsave {file}\nq\n")
    assert "kept it" not in connectoe("play", "--resume", str(file), "--o", "random", stdin="q\n").output


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
    assert "holds a match of tic-tac-toe, not of connect-four" in " ".join(result.output.split())
    output = words_of("play", "tic-tac-toe", "--resume", str(file), stdin="q\n")
    assert f"There are 2 matches in {file}; this is the last." in output


def test_a_save_that_cannot_be_made_does_not_end_the_match() -> None:
    output = words_of("play", "connect-four", stdin=f"d\nsave {'a' * 5000}\nsave a\0b\ne\nq\n")
    assert output.count("cannot be written") == 2
    assert "1 · · · X[O]· ·" in output


def test_a_match_of_your_own_game_is_resumed_with_its_file(tmp_path: Path) -> None:
    own = tmp_path / "mine.py"
    source = Path(str(tic_tac_toe.__file__)).read_text().replace("    lessons = LESSONS\n", "")  # they speak of X and O
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
