"""Opponents like people on the page: the form for a new match, the match, and who comes next after a win."""

from __future__ import annotations

import httpx
import pytest

from connectoe.people import CHARACTERS, ladder_of
from tests.web.test_pages import page, play

WON_NEXT = {"game": "tic-tac-toe", "line": "moves=a1+b1+a2+b2"}


def against(ann: httpx.Client, level: str, **more: str) -> str:
    """Begin a match in which X, to move, has two marks in line; return its address."""
    made = ann.post("/matches", data=WON_NEXT | {"level": level} | more)
    assert made.status_code == 200, made.text
    return str(made.url.path)


def test_the_form_offers_all_ten_with_a_sentence_each(ann: httpx.Client) -> None:
    shown = page(ann, "/new/advanced")
    for name, person in ladder_of().items():
        assert f'value="{name}"' in shown
        assert str(person) in shown


def test_after_a_win_the_next_one_is_suggested(ann: httpx.Client) -> None:
    shown = play(ann, against(ann, "person:pip"), "a3", ply=4)
    assert "You win" in shown
    assert '<span class="name">Pip</span>' in shown
    assert CHARACTERS[0].describes in shown
    assert "Next on the ladder: Nell is after her own line" in shown
    assert 'name="level" value="person:nell"' in shown


@pytest.mark.parametrize("level", ["person:ada", "medium"])
def test_nobody_comes_after_the_last_nor_after_a_level(ann: httpx.Client, level: str) -> None:
    assert 'id="next-opponent"' not in play(ann, against(ann, level), "a3", ply=4)


def test_nobody_else_is_accepted(ann: httpx.Client) -> None:
    for level in ("person:kasparov", "person:0.5", "person:"):
        made = ann.post("/matches", data=WON_NEXT | {"level": level})
        assert made.status_code == 400
        assert "the people are: person:pip" in made.text
    seats = [{"kind": "me"}, {"kind": "engine", "level": "person:otto"}]
    made = ann.post("/api/v1/matches", json={"game": "connect-four", "seats": seats})
    assert made.json()["seats"][1]["level"] == "person:otto"
