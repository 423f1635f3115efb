"""Values on the board: where they stand, and what tells them apart."""

from __future__ import annotations

import re
from typing import Any

import pytest

from connectoe import Match, game_ids, load
from connectoe.engines.engine import Analysis, Candidate, Estimate, Exact
from connectoe.kit import Recipe, grid, marks, step, stuck
from connectoe.web.render.analysis_board import values_data
from connectoe.web.render.value_marks import best_tool, marks_svg, place_of
from connectoe.web.render.values import worth_at_end, worth_of
from connectoe.web.service.analysis_line import AnalysisLine


class Walking(Recipe):
    """A game whose moves take two presses: pieces step to a neighbouring square."""

    id = "walking"
    name = "Walking"
    summary = "Discs walk."
    layout = grid(3, 3)
    opening = "OOO/3/XXX"
    pieces = marks()
    moves = (step(),)
    ends = (stuck("mover"),)


def after(game: str, *moves: str) -> Match:
    match = Match(load(game))
    for move in moves:
        match.play(move)
    return match


def analysis(match: Match, **values: Exact | Estimate) -> Analysis:
    return Analysis(tuple(Candidate(match.game.move_number(move), value) for move, value in values.items()))


def places(match: Match) -> dict[str, tuple[float, float]]:
    scene = match.state.scene()
    return {target.move: place_of(target, match.state, scene) for target in scene.targets}


def marked(match: Match, **values: Exact | Estimate) -> str:
    return marks_svg(match, analysis(match, **values))


def test_a_drop_is_marked_where_the_disc_comes_to_rest() -> None:
    assert places(after("connect-four", "d", "d"))["d"] == (3.5, 3.5)
    assert places(after("connect-four"))["a"] == (0.5, 5.5)
    assert places(after("shift-tac-toe", "2", "1"))["2"] == (1.5, 1.5)


def test_other_moves_are_marked_in_the_middle_of_their_places() -> None:
    assert places(after("tic-tac-toe"))["b2"] == (1.5, 1.5)
    assert places(after("c4-twist", "d"))["*d"] == (3.5, 3.0)


def test_exact_values_and_estimates_differ_in_look_and_text() -> None:
    drawn = marked(after("connect-four"), d=Exact("win", 41), c=Exact("draw"), b=Exact("loss", 40), a=Estimate(0.62))
    badges = re.findall(r'class="badge (\w+ \w+)">.*?<text[^>]*>([^<]+)<', drawn)
    assert badges == [("win estimate", "62%"), ("loss exact", "L40"), ("draw exact", "D"), ("win exact", "W41")]
    shapes = {re.search(rf'class="badge {kind} exact"><(\w+ )', drawn)[1] for kind in ("win", "loss")}  # type: ignore[index]
    assert len(shapes) == 2


def signs_of(drawn: str) -> list[str]:
    return re.findall('class="(best[^"]*)"', drawn)


def test_the_best_move_has_a_ring_or_an_arrow_where_something_is_set_in_motion() -> None:
    corner = {"a1": Exact("win", 7), "c1": Exact("draw")}
    assert signs_of(marked(after("tic-tac-toe"), **corner)) == ["best"]
    slide = {"7": Estimate(0.6), "1": Estimate(0.5)}
    assert signs_of(marked(after("shift-tac-toe"), **slide)) == ["best arrow"]
    enter = {"4Nb": Estimate(0.6), "1W3": Estimate(0.5)}
    assert signs_of(marked(after("advanced"), **enter)) == ["best arrow"]


def test_an_arrow_shows_where_a_disc_falls_from_if_it_falls_far_enough() -> None:
    drop = {"d": Exact("win", 3), "c": Exact("draw")}
    assert signs_of(marked(after("connect-four"), **drop)) == ["best arrow", "best"]
    assert arrow_in(marked(after("connect-four"), **drop)) == ((0.0, -1.8), (0.0, -0.5))
    assert arrow_in(marked(after("connect-four", *"dddd"), **drop)) == ((0.0, -1.5), (0.0, -0.5))
    assert signs_of(marked(after("connect-four", *"ddddd"), **drop)) == ["best"]
    assert signs_of(marked(after("c4-twist", *"dd"), **{"*d": Exact("win", 3), "c": Exact("draw")})) == ["best"]


def test_an_arrow_leads_from_the_first_press_of_a_best_move_to_the_second() -> None:
    drawn = marked(Match(Walking()), a1b2=Exact("win", 3), b1c2=Exact("draw"))
    assert signs_of(drawn) == ["best arrow"]
    (begin, end) = arrow_in(drawn)
    assert begin == (-1.0, 1.0)
    assert end == pytest.approx((-0.28, 0.28), abs=0.01)
    assert ">W3<" in drawn


def arrow_in(drawn: str) -> tuple[tuple[float, float], tuple[float, float]]:
    """Where the first arrow begins and ends, from the place of the move."""
    found = re.search(r'class="best arrow" d="M(\S+) (\S+)L(\S+) (\S+)M', drawn)
    assert found
    x, y, end_x, end_y = map(float, found.groups())
    return (x, y), (end_x, end_y)


def test_equally_good_moves_are_marked_alike() -> None:
    both = marked(after("connect-four"), c=Exact("win", 3), d=Exact("win", 3), a=Exact("loss", 8))
    assert both.count('class="best"') == 2
    assert "best" not in marked(after("connect-four"), c=Exact("draw"), d=Exact("draw"))


def test_a_mark_belongs_to_the_tool_of_its_move() -> None:
    match = after("c4-twist", "d")
    values: dict[str, Exact | Estimate] = {"*d": Estimate(0.6), "d": Estimate(0.5)}
    assert re.findall(r'"mark (tool-\d)"', marked(match, **values)) == ["tool-0", "tool-1"]
    assert best_tool(match, analysis(match, **values)) == "bomb"
    assert best_tool(after("connect-four"), analysis(after("connect-four"), d=Estimate(0.5))) == ""


def test_of_very_many_moves_only_the_best_are_marked() -> None:
    match = after("ultimate-ultimate")
    values = {move: Estimate(0.5) for move in match.legal_moves()}
    assert 0 < marked(match, **values).count('class="badge') < 20


def test_every_move_of_every_game_has_a_mark() -> None:
    for game_id in game_ids():
        match = after(game_id)
        if len(match.legal_moves()) < 100:
            drawn = marked(match, **{move: Estimate(0.5) for move in match.legal_moves()})
            assert drawn.count('class="badge') == len(match.legal_moves()), game_id


@pytest.mark.parametrize(
    ("values", "is_final"),
    [
        ({"d": Exact("win", 3), "c": Exact("draw")}, True),
        ({"d": Exact("win"), "c": Exact("draw")}, False),
        ({"d": Exact("win", 3), "c": Estimate(0.5)}, False),
    ],
)
def test_values_are_final_once_all_are_exact_with_their_lengths(values: dict[str, Any], is_final: bool) -> None:
    match = after("connect-four")
    assert values_data(AnalysisLine.of_match(match), analysis(match, **values))["is_final"] is is_final


def test_the_worth_of_a_position_is_the_first_players_share() -> None:
    match = after("connect-four", "d")
    assert worth_of(match, analysis(match, d=Exact("loss", 40))) == (1.0, True, "O: loses in 40", "X40")
    assert worth_of(match, analysis(match, d=Estimate(0.25))) == (0.75, False, "O: expected score 25%", "")
    assert worth_of(match, analysis(match, d=Exact("draw"), c=Estimate(0.2))).exact is False
    over = after("connect-four", *"dcdcdcd")
    assert worth_at_end(over)[:2] == (1.0, True)
