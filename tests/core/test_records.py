"""Records: what they look like, and what is refused."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from connectoe import BadRecord, Match, load, read_matches
from tests.playing import ending
from tests.random_play import any_match

RECORD = """[Connectoe "1"]
[Game "c4-twist"]
[Options "cols=7 rows=6 connect=4 bombs=2"]
[First "Ann \\"the bomb\\" Lee"]
[Second "Bob"]
[Date "2026-11-15"]
[Result "1-0"]
[Reason "resignation"]
[Event "Kitchen table"]

{here we go} 1. d d 2. *d {boom \\} ha} c 1-0
"""


def test_a_record_reads_as_it_was_written() -> None:
    [match] = read_matches(RECORD)
    assert match.game == load("c4-twist", bombs=2)
    assert match.players == ('Ann "the bomb" Lee', "Bob")
    assert match.moves == ["d", "d", "*d", "c"]
    assert match.comments == {0: "here we go", 3: "boom } ha"}
    assert match.tags == {"Event": "Kitchen table"}
    assert match.to_text() == RECORD


def test_a_record_in_json_reads_as_it_was_written() -> None:
    [match] = read_matches(RECORD)
    line = match.to_json()
    assert "\n" not in line
    assert json.loads(line)["connectoe"] == 1
    assert json.loads(line)["options"] == {"cols": 7, "rows": 6, "connect": 4, "bombs": 2}
    assert read_matches(line) == [match]


def test_a_match_that_starts_elsewhere_says_so() -> None:
    game = load("connect-four")
    match = Match(game, start=game.state("7/7/7/7/7/3X3 O"))
    match.play("d")
    assert '[Start "7/7/7/7/7/3X3 O"]' in match.to_text()
    assert read_matches(match.to_text()) == [match]
    assert read_matches(match.to_json()) == [match]


def test_long_records_are_wrapped() -> None:
    match = Match(load("ultimate-ultimate"))
    while len(match.moves) < 200:
        match.play(match.legal_moves()[0])
    assert max(map(len, match.to_text().splitlines())) <= 80
    assert read_matches(match.to_text()) == [match]


def test_a_move_may_follow_its_number_at_once() -> None:
    [match] = read_matches('[Connectoe "1"][Game "connect-four"] 1.d c 2.d')
    assert match.moves == ["d", "c", "d"]
    [match] = read_matches('[Connectoe "1"][Game "ultimate-ultimate"] 1.5.5.5 +1 2. 1.5.3')
    assert match.moves == ["5.5.5", "+1", "1.5.3"]


def test_a_game_of_your_own_is_read_when_its_class_is_given() -> None:
    class Mine(type(load("tic-tac-toe"))):  # type: ignore[misc]
        id = "mine"

    match = Match(Mine())
    match.play("b2")
    with pytest.raises(BadRecord, match="there is no game 'mine'"):
        read_matches(match.to_text())
    assert read_matches(match.to_text(), Mine) == [match]


@pytest.mark.parametrize(
    ("record", "problem"),
    [
        ("", "no record"),
        ("hello", 'line 1: a record begins with [Connectoe "1"]'),
        ('[Connectoe "2"]', "version '2' of the format is not known"),
        ('[Connectoe "1"]', "does not name its game"),
        ('[Connectoe "1"]\n[Game tic-tac-toe]', "line 2: a header looks like"),
        ('[Connectoe "1"]\n[Game "chess"]', "there is no game 'chess'"),
        ('[Connectoe "1"]\n[Game "evil.py"]', "by id, not by file"),
        ('[Connectoe "1"]\n[Game "ultimate"]\n[Game "ultimate"]', "line 3: the header Game stands twice"),
        ('[Connectoe "1"][Game "ultimate"][Options "won_boards=ajar"]', "may be closed or open"),
        ('[Connectoe "1"][Game "ultimate"][Date "yesterday"]', "a date looks like 2026-11-15"),
        ('[Connectoe "1"][Game "connect-four"][Start "7/7 X"]', "the board has 6 rows"),
        ('[Connectoe "1"][Game "tic-tac-toe"]\n\n1. b2 z9', "line 3, move 2: 'z9' is no move"),
        ('[Connectoe "1"][Game "tic-tac-toe"]\n\n1. b2 {never ends', "has no closing }"),
        ('[Connectoe "1"][Game "tic-tac-toe"][Result "2-0"]', "a result is 1-0, 0-1, 1/2-1/2 or"),
        (
            '[Connectoe "1"][Game "tic-tac-toe"][Result "1-0"] 1. b2 0-1',
            "header says 1-0, the end of the moves says 0-1",
        ),
        ('[Connectoe "1"][Game "tic-tac-toe"][Reason "three marks a1-c1"] 1. b2 1-0', "do not end the game"),
        ('[Connectoe "1"][Game "tic-tac-toe"] 1. a1 b1 2. a2 b2 3. a3 0-1', "but the moves end won by X"),
        ("{", "this is not JSON"),
        ("{}", 'an object with "connectoe": 1'),
        ('{"connectoe": 1}', "does not name its game"),
        ('{"connectoe": 1, "game": 7}', "'game' must be a text"),
        ('{"connectoe": 1, "game": "ultimate", "moves": [3]}', "moves and comments are texts"),
        ('{"connectoe": 1, "game": "ultimate", "moves": ["e5", "a1"]}', "move 2: 'a1' is not legal"),
        ('{"connectoe": 1, "game": "ultimate", "players": ["a"]}', "players are two texts"),
        ('{"connectoe": 1, "game": "ultimate", "comments": {"9": "x"}}', "a comment belongs to"),
        ('{"connectoe": 1, "game": "ultimate", "result": "2"}', "a result is '0', '1', 'draw' or null"),
        ('{"connectoe": 1, "game": "ultimate", "tags": {"Result": "x"}}', "the tag 'Result' must be"),
        ('{"connectoe": 1, "game": "ultimate", "options": {"won_boards": {}}}', "may be closed or open"),
        ('{"connectoe": true, "game": "ultimate"}', 'an object with "connectoe": 1'),
        ('{"connectoe": 1, "game": "ultimate", "players": ["\\ud800", ""]}', "half a character"),
        ('{"connectoe": 1, "game": "ultimate", "options": {"self": 1}}', "ultimate has no option 'self'"),
        ('[Connectoe "1"][Game "ultimate"][Options "game=x"]', "ultimate has no option 'game'"),
        ('\n[Connectoe "1"]\n[Game "chess"]\n\n1. e4 *', "line 2: there is no game 'chess'"),
        ('\n[Connectoe "9"]\n[Game "chess"]\n\n1. e4 *', "line 2: version '9' of the format"),
        ('[Connectoe "1"][Game "tic-tac-toe"] 1. a1 *\nb1', "line 2: 'b1' comes after the result"),
        ('[Connectoe "1"][Game "tic-tac-toe"] 1. a1 * {nice}', "line 1: '{nice}' comes after the result"),
        ('[Connectoe "1"][Game "connect-four"][Options "cols=5 cols=6"]', "the option cols stands twice"),
        ('{"connectoe": 1, "game": "ultimate", "game": "chess"}', "'game' stands twice"),
        ('{"connectoe": 1, "game": "ultimate", "moves": {}}', "'moves' must be an array"),
        ('{"connectoe": 1, "game": "ultimate", "tags": []}', "'tags' must be an object"),
        ('{"connectoe": 1, "game": "ultimate", "tags": {"Event": 5}}', "the tag 'Event' must be a text, not 5"),
        ("[]", "no record"),
        ('[{"connectoe": 1, "game": "chess"}]', "there is no game 'chess'"),
        ('[Connectoe "1"][Game "ultimate"][Result "*"][Reason "nonsense"]', "given (nonsense), but the match goes on"),
        (
            '[Connectoe "1"][Game "tic-tac-toe"][Reason "resignation"] 1. a1 b1 2. a2 b2 3. a3 1-0',
            "given as resignation, but the moves end won by X: three marks a1-a3",
        ),
        (
            '[Connectoe "1"][Game "shift-tac-toe"][Reason "agreement"] 1. 7 4 2. 7 4 1/2-1/2',
            "given as agreement, but the moves end drawn: repetition",
        ),
        ("[" * 100_000, "a header looks like"),
        ('{"a":' * 100_000, "this is not JSON"),
    ],
)
def test_a_bad_record_is_refused_and_says_why(record: str, problem: str) -> None:
    with pytest.raises(BadRecord) as refused:
        read_matches(record)
    assert problem in str(refused.value)


def test_a_win_may_be_described_in_the_words_of_another_version() -> None:
    [match] = read_matches('[Connectoe "1"][Game "tic-tac-toe"][Reason "a line"] 1. a1 b1 2. a2 b2 3. a3 1-0')
    assert ending(match) == (0, "three marks a1-a3")


def test_a_list_in_json_is_as_many_matches() -> None:
    matches = [Match(load("tic-tac-toe")), Match(load("connect-four"))]
    assert read_matches(f"\n[{','.join(match.to_json() for match in matches)}]") == matches


@pytest.mark.parametrize(
    ("game_id", "start", "moves", "numbered"),
    [
        ("tic-tac-toe", "3/3/2X O", "a1 a2 a3", "1... a1 2. a2 a3 *"),
        ("tic-tac-toe", "3/3/3 X", "a1 a2 a3", "1. a1 a2 2. a3 *"),
        ("ultimate-ultimate", None, "5.5.5 +1 1.5.3", "1. 5.5.5 +1 2. 1.5.3 *"),
        ("advanced", "X4Sb3,O4Nb1 O -", "1Na 1Sa 2Sc", "1. 1Na 1Sa 2. 2Sc *"),  # two moves are a round
    ],
)
def test_a_pair_of_moves_begins_with_the_first_player(
    game_id: str, start: str | None, moves: str, numbered: str
) -> None:
    game = load(game_id)
    match = Match(game, start=game.state(start) if start else None)
    for move in moves.split():
        match.play(move)
    assert match.to_text().splitlines()[-1] == numbered
    assert read_matches(match.to_text()) == [match]


def read_or_refuse(text: str) -> None:
    try:
        matches = read_matches(text)
    except BadRecord as error:
        assert str(error)
        return
    for match in matches:
        assert read_matches(match.to_text()) == [match]


@pytest.mark.slow
@settings(deadline=None)
@given(st.text())
def test_any_text_is_read_or_refused(text: str) -> None:
    read_or_refuse(text)
    read_or_refuse('[Connectoe "1"][Game "tic-tac-toe"]' + text)
    read_or_refuse('{"connectoe": 1, "game": "tic-tac-toe"' + text)


@settings(deadline=None)
@given(any_match(longest=10), st.booleans(), st.data())
def test_a_damaged_record_is_read_or_refused(match: Match, as_json: bool, data: st.DataObject) -> None:
    match.comment("so {far} so \\good")
    record = match.to_json() if as_json else match.to_text()
    at = data.draw(st.integers(0, len(record)))
    end = data.draw(st.integers(at, min(len(record), at + 5)))
    read_or_refuse(record[:at] + data.draw(st.text(max_size=4)) + record[end:])
    read_or_refuse(record[:at])


JSON_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=5,
)


@pytest.mark.slow
@settings(deadline=None)
@given(any_match(longest=6), st.data())
def test_a_json_record_with_any_value_in_it_is_read_or_refused(match: Match, data: st.DataObject) -> None:
    record = json.loads(match.to_json())
    record[data.draw(st.sampled_from(sorted(record)))] = data.draw(JSON_VALUES)
    read_or_refuse(json.dumps(record))
