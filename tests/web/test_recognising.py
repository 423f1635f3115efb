"""What a pasted text is taken for: a record, moves or a position."""

from __future__ import annotations

import pytest

from connectoe import ConnectoeError, Match, game_ids, load
from connectoe.core.budget import cpu_seconds
from connectoe.web.render.demo import played_by_itself
from connectoe.web.service.recognising import NotRecognised, Recognised, recognised


def found(text: str, game: str = "connect-four", **options: object) -> Recognised:
    return recognised(text, load(game, **options))


@pytest.mark.parametrize(
    "text",
    [
        "d d c d f",
        "ddcdf",
        "DDCDF",
        "d,d,c,d,f",
        "1. d d 2. c d 3. f",
        "1.d d 2.c d 3.f *",
        "1. d {the middle} d\n2. c d ; a comment\n3. f 1-0",
        "dd cd\n\nf",
        "44346",
        "4 4 3 4 6",
        "1. 4 4 2. 3 4 3. 6 1-0",
    ],
)
def test_moves_are_recognised_with_and_without_numbers_blanks_and_comments(text: str) -> None:
    assert (found(text).kind, found(text).match.moves) == ("moves", list("ddcdf"))


@pytest.mark.parametrize(
    ("game", "text", "moves"),
    [
        ("shift-tac-toe", "229374739", list("229374739")),
        ("shift-tac-toe", "1. 2 2 2. 9 3", list("2293")),
        ("c4-twist", "d*dc", ["d", "*d", "c"]),
        ("connect-tac-toe", "d1+c1e1", ["d1", "+c1", "e1"]),
        ("ultimate-ultimate", "1. 5.5.5 +1 2. 1.5.2 +3", ["5.5.5", "+1", "1.5.2", "+3"]),
        ("advanced", "4nb 1w3", ["4Nb", "1W3"]),
        ("tic-tac-toe", "B2A1", ["b2", "a1"]),
    ],
)
def test_every_notation_is_recognised(game: str, text: str, moves: list[str]) -> None:
    assert recognised(text, load(game)).match.moves == moves


@pytest.mark.parametrize("game_id", game_ids())
def test_records_moves_and_positions_of_every_game_are_recognised(game_id: str) -> None:
    game = load(game_id)
    match = played_by_itself(game, most=9)
    for text in (match.to_text(), match.to_json(), match.to_text().partition("\n\n")[2], " ".join(match.moves)):
        assert recognised(text, game).match.moves == match.moves
    state = match.state_at(min(5, match.ply))
    position = recognised(state.text, game)
    assert (position.kind, position.match.start) == ("position", state)


def test_a_record_without_our_header_is_recognised() -> None:
    text = '[Event "a friendly match"]\n[First "Ann"]\n\n1. c d 2. c *\n'
    match = found(text, cols=6).match
    assert (match.moves, match.game.options["cols"], match.players[0]) == (["c", "d", "c"], 6, "Ann")
    with pytest.raises(NotRecognised, match="does not name its game"):
        recognised(text)


def test_a_record_names_its_own_game() -> None:
    record = Match(load("tic-tac-toe")).to_text()
    assert found(record).match.game.id == "tic-tac-toe"
    assert recognised(f"{record}\n{record}").words == "a record of Tic-tac-toe with 0 moves, the first of several"


def test_without_a_game_a_text_must_fit_only_one() -> None:
    assert recognised("*d").match.game.id == "c4-twist"
    assert recognised("3/1X1/3 O").match.game.id == "tic-tac-toe"
    with pytest.raises(NotRecognised, match="fits several games"):
        recognised("d d c")
    with pytest.raises(NotRecognised, match="not a record, nor moves or a position of any game"):
        recognised("hello there")


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "nothing to read"),
        ("d d z d", "'z' is no move of Connect Four"),
        ("1. 2... *", "this contains no move of Connect Four"),
        ("1. d d 2. d d 3. d d 4. d", "move 7: 'd' is not legal: column d is full"),
        ("7/7/7/7/3X3/7 O", "as a position it cannot be read: the disc on d2 floats"),
        ('[Game "chess"] 1. e4', "looks like a record, but cannot be read: .*there is no game 'chess'"),
        ("{not json", "looks like a record, but cannot be read"),
        ("x" * 300_000, "too long"),
    ],
)
def test_what_cannot_be_recognised_is_refused_with_the_reason(text: str, reason: str) -> None:
    with pytest.raises(NotRecognised, match=reason):
        found(text)


def test_only_the_first_of_many_records_is_read() -> None:
    first, unreadable = Match(load("tic-tac-toe")), '[Connectoe "1"]\n[Game "chess"]\n\n1. e4 *\n'
    assert recognised(first.to_text() + unreadable * 2_970).match == first
    assert recognised(first.to_json() + '{"connectoe": 99}').match == first


@pytest.mark.parametrize(
    ("text", "reason"),
    [  # texts for which the time once grew with the square of their length: minutes each
        ("d " + "{" * 199_000, "'{{{"),
        ("0" * 199_000, "no record and no list of moves"),
    ],
)
def test_long_texts_are_refused_without_searching_them_again_and_again(text: str, reason: str) -> None:
    with pytest.raises(NotRecognised, match=reason):
        found(text)


def test_a_hundred_thousand_comments_are_read_once_each() -> None:
    record = '[Connectoe "1"] [Game "connect-four"] 1. d ' + "{a}1." * 39_000
    assert found(record).match.comments == {1: " ".join("a" * 39_000)}


def test_a_name_that_stands_twice_in_json_is_found_at_once() -> None:
    names = ",".join(f'"{number}":0' for number in range(20_000))
    with pytest.raises(NotRecognised, match="'19999' stands twice"):
        found('{"connectoe":1,' + names + ',"19999":0}')


def test_a_text_that_takes_too_much_computing_is_refused() -> None:
    for game in (load("c4-twist"), None):
        with cpu_seconds(0), pytest.raises(ConnectoeError, match="more computing than one request may ask for"):
            recognised("*d c", game)
