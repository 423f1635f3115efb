"""`connectoe replay`."""

from __future__ import annotations

import json

from hypothesis import given, settings
from hypothesis import strategies as st

from connectoe import game_ids
from tests.commands.calling import connectoe


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


@settings(deadline=None, max_examples=min(60, settings().max_examples))
@given(st.sampled_from(game_ids()), st.lists(st.binary(max_size=30).map(lambda line: line.replace(b"\n", b" "))))
def test_replay_answers_every_line_of_any_input(game_id: str, lines: list[bytes]) -> None:
    result = connectoe("replay", game_id, "--json", "-", stdin=b"".join(line + b"\n" for line in lines))
    answers = [json.loads(line) for line in result.output.splitlines()]
    assert len(answers) == len(lines)
    assert result.exit_code == (1 if any("error" in answer for answer in answers) else 0)
