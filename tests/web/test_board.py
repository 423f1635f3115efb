"""Boards as HTML: a button for every move, tools where a place means several, and how pieces get where they are."""

from __future__ import annotations

import json
import re
from collections import deque
from html.parser import HTMLParser
from itertools import pairwise
from random import Random
from typing import Any

import pytest

from connectoe import Match, game_ids, load
from connectoe.core.exercises import Attempt
from connectoe.core.lessons import lesson_of
from connectoe.scene import Piece, Scene
from connectoe.web.render.animation import changes, preview, steps_since
from connectoe.web.render.boards import board_shown, measures, tools_of
from connectoe.web.render.demo import played_by_itself
from connectoe.web.render.exercise_page import exercise_context
from connectoe.web.render.templates import html
from connectoe.web.service.views import Once
from tests.kit.loading import example

Places = dict[str, tuple[float, float, float]]
EMPTY_CHANGE: dict[str, Any] = {"put": {}, "go": {}, "gone": []}


class Elements(HTMLParser):
    """The elements of some HTML, with their attributes."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))

    def all(self, tag: str) -> list[dict[str, str | None]]:
        return [attributes for name, attributes in self.found if name == tag]


def match_after(game: str, moves: str = "", **options: object) -> Match:
    match = Match(load(game, **options))
    for move in moves.split():
        match.play(move)
    return match


def board(scene: Scene, **more: Any) -> str:
    return html("_board.html", board=board_shown(scene, **more))


def board_of(match: Match, **more: Any) -> Elements:
    return Elements(board(match.scene(), tools=match.game.tools, **more))


@pytest.mark.parametrize("game_id", game_ids())
def test_every_legal_move_has_one_button_that_says_what_it_does(game_id: str) -> None:
    match = played_by_itself(load(game_id), most=30)
    for ply in (0, match.ply // 2, match.ply - 1):
        state = match.state_at(ply)
        buttons = Elements(board(state.scene(), tools=match.game.tools)).all("button")
        assert sorted(str(button["value"]) for button in buttons) == state.legal_moves()
        names = [button["aria-label"] for button in buttons]
        assert all(names)
        assert len(set(names)) == len(names)


@pytest.mark.parametrize("game_id", game_ids())
def test_buttons_lie_within_the_picture(game_id: str) -> None:
    for button in board_of(Match(load(game_id))).all("button"):
        sides = dict(re.findall(r"(left|top|width|height):(-?[\d.]+)%", str(button["style"])))
        left, top, width, height = (float(sides[side]) for side in ("left", "top", "width", "height"))
        assert left >= -0.01
        assert top >= -0.01
        assert left + width <= 100.01
        assert top + height <= 100.01


@pytest.mark.parametrize("game_id", game_ids())
def test_where_buttons_lie_over_each_other_a_tool_tells_them_apart(game_id: str) -> None:
    match = played_by_itself(load(game_id), most=20)
    for ply in range(match.ply):
        scene = match.scene(ply)
        is_needed = bool(tools_of(scene))
        assert not is_needed or match.game.tools
        for tool in tools_of(scene, match.game.tools):
            places = [target[1:5] for target in scene.targets if target.tool == tool.name]
            assert len(set(places)) == len(places)


def test_a_viewer_who_may_not_move_gets_a_picture_without_buttons() -> None:
    watched = board_of(match_after("c4-twist", "d"), may_move=False)
    assert watched.all("button") == []
    assert watched.all("input") == []


def test_a_tool_without_a_move_is_there_but_cannot_be_taken() -> None:
    radios = [field for field in board_of(match_after("connect-tac-toe")).all("input") if field["type"] == "radio"]
    assert [(radio["value"], "disabled" in radio, "checked" in radio) for radio in radios] == [
        ("disc", False, True),
        ("mark", True, False),
    ]


def test_a_lesson_shows_the_same_tools_as_a_match() -> None:
    game = example("popout")
    for exercise in lesson_of(game):
        shown = exercise_context(Attempt.begin(game, exercise), address="/learn/popout/1")["board"]
        assert [tool.name for tool in shown.tools if tool.icon] == ["disc", "pop"]


def test_a_player_who_waits_sees_their_own_tools_and_cannot_take_one() -> None:
    match = match_after("c4-twist", "d")
    waiting, other = (board(match.scene(), tools=match.game.tools, may_move=False, waiting=seat) for seat in (0, 1))
    assert waiting != other
    radios = [field for field in Elements(waiting).all("input") if field["type"] == "radio"]
    assert [(radio["value"], "disabled" in radio, "checked" in radio) for radio in radios] == [
        ("disc", True, False),
        ("bomb", True, False),
    ]
    assert 'class="tools"' in waiting
    assert 'class="tools put-away"' in board(
        match_after("c4-twist", "d e d e d e d").scene(), tools=match.game.tools, waiting=0
    )


@pytest.mark.parametrize("game_id", game_ids())
def test_a_picture_keeps_its_size_from_the_first_move_to_the_last(game_id: str) -> None:
    match = played_by_itself(load(game_id), most=200)
    assert len({measures(match.scene(ply)) for ply in range(match.ply + 1)}) == 1


def test_whatever_is_pressed_beside_the_board_looks_alike() -> None:
    look = {button["value"]: button["class"] for button in board_of(match_after("shift-tac-toe")).all("button")}
    assert look == dict.fromkeys("123", "headed") | dict.fromkeys("789", "bare")


def test_an_owed_disc_leaves_no_mark_to_take() -> None:
    match = match_after("connect-tac-toe", "d1 +c1 e1")
    assert [(tool.name, tool.is_usable) for tool in tools_of(match.scene(), match.game.tools)] == [
        ("disc", True),
        ("mark", False),
    ]


def test_a_game_that_does_not_know_its_tools_gets_those_that_lie_over_each_other() -> None:
    scene = Scene()
    scene.add_grid(2, 1)
    scene.target("a", (0, 0), "disc", "drop a disc")
    scene.target("+a", (0, 0), "mark", "put a mark")
    assert [tool.name for tool in tools_of(scene)] == ["disc", "mark"]


def test_no_style_element_and_no_script_is_in_a_board() -> None:
    for game_id in game_ids():
        page = board_of(Match(load(game_id)))
        assert page.all("style") == []
        assert page.all("script") == []
        assert not any(name.startswith("on") for _, attributes in page.found for name in attributes)


def test_a_wide_board_says_where_a_telephone_should_look() -> None:
    free = board(match_after("ultimate-ultimate").scene())
    forced = board(match_after("ultimate-ultimate", "5.5.1 +9").scene())
    assert 'class="board wide flat"' in free
    assert 'class="board wide forced flat"' in forced
    assert "--zoom" in forced


def test_a_hint_is_marked() -> None:
    buttons = board_of(match_after("tic-tac-toe"), hint="b2").all("button")
    assert [button["value"] for button in buttons if "hint" in str(button["class"])] == ["b2"]


def test_names_within_a_scene_are_escaped() -> None:
    scene = Scene()
    scene.add_grid(1, 1)
    scene.target('"><script>', (0, 0), "mark", "<b>bold</b>")
    page = board(scene, action='"><script>')
    assert "<script" not in page
    assert "<b>" not in page


# How pieces get where they are.


def applied(pieces: Places, step: dict[str, Any]) -> Places:
    """The pieces after a step, as a page that knows no rule would have them."""
    after = dict(pieces)
    for name, markup in step["put"].items():
        if name not in after:
            x, y, size = re.search(r'transform="translate\((\S+) (\S+)\)(?: scale\((\S+)\))?"', markup).groups()  # type: ignore[union-attr]
            after[name] = (float(x), float(y), float(size or 1))
    for name, (x, y, size) in step["go"].items():
        assert name in after
        after[name] = (x, y, size)
    for name in step["gone"]:
        del after[name]
    return after


def places(pieces: list[Piece]) -> Places:
    return {piece.id: (round(piece.x, 3), round(piece.y, 3), round(piece.size, 3)) for piece in pieces}


@pytest.mark.parametrize("game_id", game_ids())
@pytest.mark.parametrize("seed", range(3))
def test_the_steps_of_each_move_lead_from_the_scene_before_to_the_scene_after(game_id: str, seed: int) -> None:
    chance = Random(seed)
    match = Match(load(game_id))
    while match.turn is not None and match.ply < 40:
        before = places(match.scene().pieces)
        match.play(chance.choice(match.legal_moves()))
        for step in steps_since(match, match.ply - 1):
            before = applied(before, step)
        assert before == places(match.scene().pieces)


@pytest.mark.parametrize("game_id", game_ids())
def test_several_missed_moves_are_shown_one_after_the_other(game_id: str) -> None:
    match = played_by_itself(load(game_id), most=5)
    shown = places(match.scene(match.ply - 3).pieces)
    for step in steps_since(match, match.ply - 3):
        shown = applied(shown, step)
    assert shown == places(match.scene().pieces)


def test_what_is_long_ago_or_taken_back_is_not_shown_again() -> None:
    match = match_after("connect-four", "d d d d d d c c c")
    assert steps_since(match, 0) == []
    assert steps_since(match, 9) == []
    assert steps_since(match, 12) == []


def test_pieces_move_one_after_another_number_by_number() -> None:
    match = match_after("advanced", "5Na 2W1 1E1 3Sc")
    steps = steps_since(match, 3)
    moved = [next(iter(step["go"])) for step in steps if step["go"]]
    # O has the crown in the second round: O places, X places, then 1, 2, 3 and 5 move, and the crown passes.
    assert moved == ["piece-0-3", "piece-1-1", "piece-1-2", "piece-0-3", "piece-0-5", "crown"]


def test_a_push_is_one_step_for_all_it_moves() -> None:
    match = match_after("advanced", "5W2 5Sc 1Na 4W2")
    steps = steps_since(match, 3)
    assert {"piece-0-4", "piece-0-5"} in [set(step["go"]) for step in steps]


def test_a_bomb_goes_to_its_column_before_the_discs_go() -> None:
    match = match_after("c4-twist", "d d *d")
    lit, blasted = steps_since(match, 2)
    assert lit["go"] == {"bomb-X1": [3.5, 3.0, 1.0]}
    assert sorted(blasted["gone"]) == ["bomb-X1", "disc-d1", "disc-d2"]


def test_a_mark_is_seen_before_the_board_it_fills_is_cleared() -> None:
    match = match_after("ultimate-ultimate", "5.5.5 +8 8.5.5 +8 8.5.9 +4 4.9.5 +8 8.5.7 +1")
    marked, cleared = steps_since(match, match.ply - 1)
    assert list(marked["put"]) == ["mark-8.5.1"]
    assert "mark-8.5.1" in cleared["gone"]
    assert any(name.startswith("tally-8.5") for name in cleared["put"])


def test_a_slider_slides_with_its_pieces() -> None:
    slid, fell = steps_since(match_after("shift-tac-toe", "1 1 9"), 2)
    assert slid["slide"] == {"0": -1.15}
    assert fell["slide"] == {}
    assert list(fell["go"]) == ["piece-a2-2"]


def test_a_light_that_turns_keeps_its_place_and_name() -> None:
    [step] = steps_since(match_after("semaphores", "b2 b2"), 1)
    assert list(step["put"]) == [piece.id for piece in match_after("semaphores", "b2").scene().pieces]
    assert step["go"] == {}
    assert step["gone"] == []
    assert "f-yellow" in next(iter(step["put"].values()))


def test_a_preview_shows_what_a_slide_makes_fall() -> None:
    change = preview(match_after("shift-tac-toe", "1 1"), "9")
    assert set(change["go"]) == {"piece-a1-1", "piece-a2-2"}


def test_a_preview_shows_what_a_bomb_clears() -> None:
    assert sorted(preview(match_after("c4-twist", "d d"), "*d")["gone"]) == ["bomb-X1", "disc-d1", "disc-d2"]


def test_a_preview_of_a_placement_that_ends_the_round_shows_where_everything_goes() -> None:
    assert set(preview(match_after("advanced", "4Nb"), "1W3")["go"]) == {"piece-0-4", "piece-1-1", "crown"}


def test_a_move_that_came_too_late_has_no_preview() -> None:
    assert preview(match_after("tic-tac-toe", "b2"), "b2") == EMPTY_CHANGE


def test_nothing_changes_between_a_scene_and_itself() -> None:
    scene = match_after("advanced", "4Nb").scene()
    assert changes(scene.pieces, scene.pieces, scene) == EMPTY_CHANGE


def test_the_steps_are_in_the_page_as_data() -> None:
    match = match_after("connect-four", "d d")
    page = Elements(board(match.scene(), steps=steps_since(match, 1)))
    [root] = [attributes for attributes in page.all("div") if attributes.get("id") == "board"]
    assert list(json.loads(str(root["data-steps"]))[0]["put"]) == ["disc-d2"]


def test_stages_never_lose_a_piece_that_is_still_there_after_the_move() -> None:
    match = match_after("advanced", "4Nb 1W3 2E1 3Sa 1W2 5Na")
    for ply in range(1, match.ply + 1):
        stages = match.stages(ply)
        for one, other in pairwise(stages):
            assert {piece.id for piece in one} == {piece.id for piece in other}


def test_what_was_drawn_is_kept_for_the_latest_matches_only(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Once, "MOST_MATCHES", 2)
    monkeypatch.setattr(Once, "MOST_KEPT", 3)
    monkeypatch.setattr(Once, "_latest", deque())
    first, second, third = Once(), Once(), Once()
    drawn = [once("picture", lambda: object()) for once in (first, second)]
    assert [once("picture", lambda: object()) for once in (first, second)] == drawn
    third("picture", lambda: "the third")
    assert first("picture", lambda: "drawn again") == "drawn again"
    assert third("picture", lambda: "not drawn") == "the third"
    for number in range(10):
        third(number, lambda: "more")
    assert len(third._made) == 3
