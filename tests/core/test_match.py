"""Matches: repetition, resignation, agreed draws, undo."""

from __future__ import annotations

import copy
import pickle
from typing import Any

import pytest

from connectoe import Match, game_ids, load
from connectoe.core.piece_ids import STORED_EVERY
from connectoe.core.writing import to_dict
from connectoe.terminal.replay import replay
from tests.playing import ending

LONG_SHIFTING = "8 9 6 7 1 4 3 1 5 7 8 3 2 9 1 9 4 1 2 5 8 6 8 9 7 3 5 2 5 1"


def played(match: Match, moves: str) -> Match:
    for move in moves.split():
        match.play(move)
    return match


def test_the_same_position_for_the_third_time_draws_where_a_game_can_repeat() -> None:
    match = played(Match(load("shift-tac-toe")), "7 8 4 5 7 8 4")
    assert match.outcome is None
    match.play("5")
    assert ending(match) == (None, "repetition")
    assert match.turn is None
    assert match.legal_moves() == []
    assert match.scene().targets == []
    assert match.status == "Draw: repetition"
    with pytest.raises(ValueError, match="comes after the end: the match is drawn: repetition"):
        match.play("1")


def test_undo_takes_a_repetition_back_too() -> None:
    match = played(Match(load("shift-tac-toe")), "7 8 4 5 7 8 4 5")
    assert match.undo() == "5"
    assert match.outcome is None
    match.play("1")
    assert match.turn == 0


def test_a_position_that_stands_twice_is_not_enough() -> None:
    assert played(Match(load("shift-tac-toe")), "7 4 7").outcome is None
    assert ending(played(Match(load("shift-tac-toe")), "7 4 7 4")) == (None, "repetition")


def test_same_position_means_every_field_of_it() -> None:
    match = played(Match(load("shift-tac-toe")), "7 4 7 8")  # the grid is empty for the fifth time
    assert match.outcome is None


def test_a_game_that_cannot_repeat_is_not_watched_for_it() -> None:
    assert not load("connect-four").can_repeat
    assert {game_id for game_id in game_ids() if load(game_id).can_repeat} == {"advanced", "shift-tac-toe"}


def test_the_player_to_move_resigns_unless_another_is_named() -> None:
    match = played(Match(load("connect-four")), "d")
    match.resign()
    assert ending(match) == (0, "resignation")
    assert match.undo() == "resignation"
    match.resign(0)
    assert ending(match) == (1, "resignation")
    assert match.status == "O wins: resignation"
    with pytest.raises(ValueError, match="the match is over"):
        match.resign()


def test_only_a_player_can_resign() -> None:
    nobody: Any
    for nobody in (2, 0.0, True):
        with pytest.raises(ValueError, match="players are 0 and 1"):
            Match(load("connect-four")).resign(nobody)


def test_an_agreed_draw_ends_the_match() -> None:
    match = Match(load("connect-four"))
    match.agree_draw()
    assert ending(match) == (None, "agreement")
    assert match.legal_moves() == []
    with pytest.raises(ValueError, match="the match is over"):
        match.agree_draw()


def test_nothing_is_left_to_undo_at_the_start() -> None:
    with pytest.raises(ValueError, match="no move to take back"):
        Match(load("connect-four")).undo()


def test_a_match_may_start_anywhere() -> None:
    game = load("connect-four")
    match = Match(game, start=game.state("7/7/7/7/7/3X3 O"))
    match.play("d")
    assert match.moves == ["d"]
    with pytest.raises(ValueError, match="start position is one of"):
        Match(load("connect-four", cols=6), start=game.start)


def test_an_unplayable_number_is_refused_like_an_unplayable_text() -> None:
    with pytest.raises(ValueError, match="99 is no move of connect-four"):
        Match(load("connect-four")).play(99)


def test_matches_are_equal_when_all_about_them_is() -> None:
    one, other = (played(Match(load("ultimate")), "e5 e4") for _ in range(2))
    assert one == other
    other.comment("well played")
    assert one != other
    assert pickle.loads(pickle.dumps(other)) == other


def test_a_piece_keeps_its_id_wherever_it_slides_and_falls() -> None:
    match = played(Match(load("shift-tac-toe")), "2 2")
    before = {piece.id: piece for piece in match.scene().pieces}
    match.play("8")  # X, on top of O in the middle, slides left and falls to the left of it
    after = {piece.id: piece for piece in match.scene().pieces}
    assert before.keys() == after.keys()
    moved = [name for name in before if (before[name].x, before[name].y) != (after[name].x, after[name].y)]
    assert [before[name].owner for name in moved] == [1]


@pytest.mark.parametrize(
    ("facts", "problem"),
    [
        ({"date": "yesterday"}, "a date looks like 2026-11-15"),
        ({"tags": {"Game": "x"}}, "the tag 'Game' must be a word"),
        ({"tags": {"bad name": "x"}}, "the tag 'bad name' must be a word"),
        ({"players": ("a",)}, "players are two names"),
        ({"players": "ab"}, "players are two names"),
        ({"players": ("\ud800", "x")}, "the name of a player holds half a character"),
        ({"tags": {1: "x"}}, "the tag 1 must be a word"),
        ({"tags": {"Event": "\udfff"}}, "the tag Event holds half a character"),
    ],
)
def test_a_match_takes_only_facts_its_record_can_hold(facts: dict[str, Any], problem: str) -> None:
    with pytest.raises(ValueError, match=problem):
        Match(load("connect-four"), **facts)


def test_a_match_takes_only_comments_its_record_can_hold() -> None:
    match = Match(load("connect-four"))
    said: Any
    for said, problem in ((5, "a comment is a text, not 5"), ("\ud800", "half a character")):
        with pytest.raises(ValueError, match=problem):
            match.comment(said)
    with pytest.raises(ValueError, match="a comment belongs to a number of moves up to 0, not to 7"):
        match.comment("too early", 7)
    with pytest.raises(TypeError, match="does not support item assignment"):
        match.comments[7] = "too early"  # type: ignore[index]


def test_a_copy_leads_a_life_of_its_own() -> None:
    match = played(Match(load("shift-tac-toe")), "7 4")
    other = copy.copy(match)
    other.comment("here they part")
    played(other, "7 4")
    assert ending(other) == (None, "repetition")
    assert (match.moves, dict(match.comments), match.outcome) == (["7", "4"], {}, None)


def test_what_a_game_or_match_hands_out_is_not_what_it_goes_by() -> None:
    match = Match(load("connect-four"), tags={"Event": "Kitchen table"})
    for told in (replay(match.game, ["d"]), to_dict(match), {"options": match.game.options}):
        told["options"]["cols"] = 5
    to_dict(match)["tags"].clear()
    assert match == Match(load("connect-four"), tags={"Event": "Kitchen table"})
    with pytest.raises(AttributeError, match="a State does not change"):
        del match.state.position


def test_a_move_after_the_end_is_refused_with_the_players_symbols() -> None:
    match = played(Match(load("tic-tac-toe")), "a1 b1 a2 b2 a3")
    for refused in (lambda: match.play("c3"), lambda: match.state.play("c3"), match.resign):
        with pytest.raises(ValueError, match="is won by X: three marks a1-a3"):
            refused()


def test_one_move_is_not_moves() -> None:
    match = played(Match(load("tic-tac-toe")), "b2")
    assert repr(match) == "<Match of load('tic-tac-toe'): 1 move, O to move>"


@pytest.mark.parametrize("move", [4.0, None, True, "", "dd", -1, 7])
def test_what_is_no_move_is_refused(move: Any) -> None:
    with pytest.raises(ValueError, match="is no move of connect-four"):
        Match(load("connect-four")).play(move)


def test_a_long_match_is_not_followed_from_its_start_for_every_picture(monkeypatch: pytest.MonkeyPatch) -> None:
    match = played(Match(load("shift-tac-toe")), LONG_SHIFTING)
    match.scene()
    followed: list[int] = []
    stages = type(match.game).stages
    monkeypatch.setattr(
        type(match.game),
        "stages",
        lambda game, *move: followed.append(1) or stages(game, *move),  # type: ignore[func-returns-value]
    )
    match.play(match.legal_moves()[0])
    match.scene()
    assert 0 < len(followed) <= STORED_EVERY


def test_pieces_keep_their_names_through_taking_back_and_copying() -> None:
    match = played(Match(load("shift-tac-toe")), LONG_SHIFTING)
    names = [match.scene(ply).pieces for ply in range(match.ply + 1)]
    other = match.copy()
    while other.ply > 5:
        other.undo()
    other.play(next(move for move in other.legal_moves() if move != LONG_SHIFTING.split()[5]))
    while other.ply < match.ply and other.turn is not None:
        other.play(other.legal_moves()[other.ply % 2])
    anew = played(Match(load("shift-tac-toe")), " ".join(other.moves))
    assert [other.scene(ply).pieces for ply in range(other.ply + 1)] == [
        anew.scene(ply).pieces for ply in range(anew.ply + 1)
    ]
    assert [match.scene(ply).pieces for ply in range(match.ply + 1)] == names
