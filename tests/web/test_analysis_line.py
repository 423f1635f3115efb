"""A line of play and its link: each describes the other completely."""

from __future__ import annotations

import pytest

from connectoe import Match, load
from connectoe.core.errors import ConnectoeError
from connectoe.web.render.demo import played_by_itself
from connectoe.web.service.analysis_line import LONGEST_LINK, MOST_OTHERS, AnalysisLine, line_from


def line(moves: str, ply: int | None = None, game: str = "connect-four", **options: object) -> AnalysisLine:
    played = tuple(moves.split())
    return AnalysisLine(load(game, **options), None, played, len(played) if ply is None else ply)


def again(described: AnalysisLine) -> AnalysisLine:
    return line_from(described.game.id, described.link.partition("?")[2])


def test_a_link_describes_options_start_moves_ply_and_other_lines() -> None:
    here = line("d1 +c1 e1", 2, "connect-tac-toe", drop="any-gap").after("f1")
    assert again(here) == here
    set_up = AnalysisLine(load("tic-tac-toe"), "3/1X1/3 O", ("a1",), 1)
    assert set_up.link == "/analyse/tic-tac-toe?start=3%2F1X1%2F3+O&moves=a1"
    assert again(set_up) == set_up


def test_a_move_goes_on_along_the_line_or_leaves_it() -> None:
    here = line("d d c", 1)
    assert here.after("d") == line("d d c", 2)
    branch = here.after("e")
    assert (branch.moves, branch.ply, branch.others) == (("d", "e"), 2, (("d", "d", "c"),))


def test_a_line_that_was_left_can_be_gone_back_to() -> None:
    branch = line("d d c e", 1).after("e").after("f")
    back = branch.changed_to_other(0)
    assert (back.moves, back.ply, back.others) == (("d", "d", "c", "e"), 2, (("d", "e", "f"),))
    assert back.without_other(0).others == ()
    assert branch.at(1).after("d").moves == back.moves  # by playing its move again, too


def test_only_some_other_lines_are_kept() -> None:
    here = line("d d", 1)
    for move in "abcefg":
        here = here.at(1).after(move)
    assert len(here.others) == MOST_OTHERS
    for move in "abc":
        here = here.at(0).after(move)
    assert len(here.others) == MOST_OTHERS
    assert again(here) == here


def test_a_long_match_becomes_the_position_it_stands_at() -> None:
    match = played_by_itself(load("ultimate-ultimate"), most=3000)
    described = AnalysisLine.of_match(match, 2000)
    assert described.moves == ()
    assert described.shown.state == match.state_at(2000)
    assert len(described.link) < LONGEST_LINK


def test_a_match_from_a_position_keeps_it() -> None:
    match = Match(load("tic-tac-toe"), start=load("tic-tac-toe").state("3/1X1/3 O"))
    match.play("a1")
    assert AnalysisLine.of_match(match).shown.state == match.state


@pytest.mark.parametrize(
    ("query", "reason"),
    [
        ("moves=d+z", "move 2: 'z' is no move"),
        ("moves=d&also=d+z", "move 2: 'z' is no move"),
        ("start=nonsense", "a position is <board>"),
        ("option-cols=99", "out of range"),
        ("option-nothing=1", "no option"),
        ("moves=" + "d+" * 20_000, "too long"),
    ],
)
def test_a_link_that_describes_no_line_is_refused_with_the_reason(query: str, reason: str) -> None:
    with pytest.raises(ConnectoeError, match=reason):
        line_from("connect-four", query)


@pytest.mark.parametrize("ply", ["-1", "x", "99999999", "²"])
def test_a_ply_that_is_none_shows_the_whole_line(ply: str) -> None:
    assert line_from("connect-four", f"moves=d+d&ply={ply}").ply == 2
