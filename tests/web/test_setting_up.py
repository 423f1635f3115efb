"""Setting up a position by hand, as a browser without scripts does it."""

from __future__ import annotations

import html
import random
import re
from typing import Any

import httpx
import pytest

from connectoe import Game, Match, game_ids, load
from connectoe.games.connect_four import ConnectFour
from connectoe.web.service.drafts import can_be_set_up, draft_from
from connectoe.web.service.refusals import Refused

GAMES = [
    *(load(game_id) for game_id in game_ids() if can_be_set_up(load(game_id))),
    load("shift-tac-toe", edition="pressman"),
    load("c4-twist", bombs=2, cols=5),
    load("ultimate", won_boards="open"),
]


def shown(answer: httpx.Response) -> str:
    assert answer.status_code == 200, answer.text
    return html.unescape(answer.text)


def change(browser: httpx.Client, game: str, page: str, **fields: str) -> str:
    """Send a form of the page."""
    draft = re.search(r'name="draft" value="([^"]*)"', page)
    setting = re.search(r'name="setting" value="([^"]*)"', page)
    assert draft
    assert setting
    sent = {"draft": draft[1], "setting": setting[1], **fields}
    return shown(browser.post(f"/analyse/{game}/set-up", data=sent))


def test_most_games_can_be_set_up() -> None:
    assert {game_id for game_id in game_ids() if not can_be_set_up(load(game_id))} == {"ultimate-ultimate"}


@pytest.mark.parametrize("game", GAMES, ids=repr)
def test_every_position_can_be_set_up_cell_by_cell(game: Game) -> None:
    dice = random.Random(1)
    for _ in range(5):
        match = Match(game)
        for _ in range(dice.randrange(1, 50)):
            if match.outcome:
                break
            match.play(dice.choice(match.legal_moves()))
        wanted = draft_from(game, match.state.text)
        assert wanted.text == match.state.text
        assert wanted.state == match.state
        made = draft_from(game, game.start.text)
        in_hand = {sign.letter: sign.in_hand for sign in wanted.setting_up.signs}
        for cell, letter in enumerate(wanted.signs):
            while made.signs[cell] != letter:
                made = made.after_press(cell, in_hand[letter])
        names = [choice.name for choice in wanted.setting_up.choices]
        assert made.with_values(dict(zip(names, wanted.values, strict=True))) == wanted


def test_whose_turn_it_is_follows_the_pieces_where_that_makes_the_position_possible() -> None:
    draft = draft_from(load("tic-tac-toe"), "3/3/3 X").after_press(4, "X")
    assert draft.text == "3/1X1/3 O"
    assert draft.after_press(0, "O").text == "O2/1X1/3 X"
    assert draft.after_press(0, "X").text == "X2/1X1/3 O"
    assert "must have" in draft.after_press(0, "X").problem


def test_pieces_are_put_on_the_board_and_the_page_says_whether_that_is_possible(ann: httpx.Client) -> None:
    page = shown(ann.get("/analyse/connect-four/set-up", params={"option-cols": 6}))
    assert "This position is possible: X to move." in page
    page = change(ann, "connect-four", page, move="30", tool="X")
    assert 'aria-label="a1: X\'s disc"' in page
    assert "This position is possible: O to move." in page
    assert 'href="/analyse/connect-four?option-cols=6&start=6%2F6%2F6%2F6%2F6%2FX5+O">Analyse this position' in page
    page = change(ann, "connect-four", page, move="20", tool="O")
    assert "The disc on c3 floats: nothing is under it." in page
    assert "href" not in page.partition('id="done"')[2].partition(">")[0]
    page = change(ann, "connect-four", page, **{"choice-to move": "X", "tool": "O"})
    assert "The disc on c3 floats" in page
    assert "This position is possible: X to move." in change(ann, "connect-four", page, clear="1")


def test_the_piece_in_hand_stays_in_hand_without_scripts(ann: httpx.Client) -> None:
    page = change(ann, "semaphores", shown(ann.get("/analyse/semaphores/set-up")), move="0", tool="Y")
    assert re.search(r'value="Y" checked', page)
    assert 'aria-label="a3: yellow light"' in page
    assert 'aria-label="a3: empty"' in change(ann, "semaphores", page, move="0", tool=".")


def test_a_piece_that_faces_somewhere_turns_and_is_there_once() -> None:
    draft = draft_from(load("advanced"), "- X -")
    seen = []
    for _ in range(5):
        draft = draft.after_press(4, "X4")
        seen.append(draft.text)
    assert seen == ["X4Nb2 X -", "X4Eb2 X -", "X4Sb2 X -", "X4Wb2 X -", "- X -"]
    draft = draft_from(load("advanced"), "X4Sb2 X -").after_press(0, "X4").after_press(4, "O4")
    assert draft.text == "X4Na3,O4Nb2 X -"
    assert draft.after_press(4, "X5").text == "X4Na3,X5Nb2 X -"
    placed = draft.with_values({"placed in this round": "4Nb"})
    assert placed.problem == "X cannot have placed piece 4: it is on the board"


def test_pieces_in_hand_lie_beside_the_board_until_they_are_put_on_it(ann: httpx.Client) -> None:
    page = shown(ann.get("/analyse/advanced/set-up", params={"draft": "X4Sb2 O 1Na"}))
    assert page.count('data-piece="piece-') == 9
    assert 'aria-label="b2: X4 facing south"' in page
    assert re.search(r'<option value="1Na" selected>piece 1 on Na', page)


def test_an_open_board_belongs_to_who_has_a_line_there_and_is_asked_for_where_both_have_one() -> None:
    game = load("ultimate", won_boards="open")
    draft = draft_from(game, "XXX6/9/OO7/9/9/9/9/9/O8 X any 3/3/3")
    assert draft.text.endswith(" X any X2/3/3")
    draft = draft.after_press(20, "O").after_press(72, "O")
    assert "nobody owns board" in draft.problem
    assert draft.with_values({"owner of a7-c9": "O"}).text == "XXX6/9/OOO6/9/9/9/9/9/9 X any O2/3/3"


def test_the_board_of_a_draft_has_its_pieces_and_sliders_where_they_are(ann: httpx.Client) -> None:
    page = shown(ann.get("/analyse/shift-tac-toe/set-up", params={"draft": "5/5/1OX2 RLC O"}))
    assert page.count('data-piece="draft-') == 2
    assert 'aria-label="row 1, place 2: O"' in page
    assert page.count('name="move"') == 15
    assert re.search(r'<option value="L" selected>left', page)


def test_the_analysis_board_leads_to_it_with_its_position(ann: httpx.Client) -> None:
    page = shown(ann.get("/analyse/c4-twist?option-bombs=2&moves=d+*d"))
    link = re.search(r'id="by-hand" href="([^"]+)"', page)
    assert link
    assert 'value="7/7/7/7/7/7 X 2 1"' in shown(ann.get(link[1]))
    assert 'id="by-hand"' not in shown(ann.get("/analyse/ultimate-ultimate"))


@pytest.mark.parametrize(
    ("game", "fields"),
    [
        ("connect-four", {"draft": "7/7 X"}),
        ("connect-four", {"draft": "7/7/7/7/7/3Z3 X"}),
        ("connect-four", {"draft": "7/7/7/7/7/7 Z"}),
        ("connect-four", {"draft": "7/7/7/7/7/999999999 X"}),
        ("advanced", {"draft": "X9Sb2 X -"}),
        ("advanced", {"draft": "- X 9Nb"}),
        ("ultimate", {"option-won_boards": "open", "draft": "9/9/9/9/9/9/9/9/9 X any"}),
        ("ultimate-ultimate", {}),
    ],
)
def test_a_draft_that_is_none_is_refused(ann: httpx.Client, game: str, fields: dict[str, Any]) -> None:
    assert ann.get(f"/analyse/{game}/set-up", params=fields).status_code == 400


def test_a_press_beside_the_board_and_an_unknown_choice_are_refused(ann: httpx.Client) -> None:
    draft = draft_from(load("tic-tac-toe"), "3/3/3 X")
    with pytest.raises(Refused, match="no such place"):
        draft.after_press(9, "X")
    with pytest.raises(Refused, match="'to move' is one of X, O"):
        draft.with_values({"to move": "Z"})


class Numbered(ConnectFour):
    """Connect Four whose positions are written as numbers."""

    write = Game.write
    read = Game.read


def test_a_game_that_writes_other_positions_than_the_one_it_comes_from_is_not_set_up_by_hand() -> None:
    assert not can_be_set_up(Numbered())
