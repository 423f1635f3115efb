"""Your mistakes: the better move is looked for after a match, and what was wrong comes back."""

from __future__ import annotations

import httpx
import pytest

from connectoe.web.http import remembering
from tests.waiting import until
from tests.web.serving import Served
from tests.web.test_pages import begun, page, play


@pytest.fixture
def ann(site: Served) -> httpx.Client:
    browser = site.browser()
    browser.get("/about")  # the cookie
    return browser


def reviewed(ann: httpx.Client) -> str:
    """Play a match in which O does not block and X later wins; return its address when it is reviewed."""
    match = begun(ann, "tic-tac-toe")
    play(ann, match, "a1", "b1", "a2", "c1", "a3")
    until(lambda: "accuracy" in page(ann, f"{match}/mistakes"))
    return match


def test_a_match_is_looked_through_and_mistakes_are_proven(ann: httpx.Client) -> None:
    shown = page(ann, f"{reviewed(ann)}/mistakes")
    assert "Move 2, b1</a> gave a draw away for a loss (proven)" in shown
    assert shown.count("accuracy") >= 2


def test_a_mistake_is_tried_again_until_it_is_right(ann: httpx.Client) -> None:
    match = reviewed(ann)
    address = f"{match}/mistakes/1"
    assert "Find a better move" in page(ann, address)
    wrong = ann.post(address, data={"move": "b1"})
    assert "That is what was played" in wrong.text
    right = ann.post(address, data={"move": "b2"})
    assert "Right: it keeps the draw." in right.text
    assert ann.get(f"{match}/mistakes/0").status_code == 404


def test_what_was_wrong_comes_back_on_later_days(ann: httpx.Client, monkeypatch: pytest.MonkeyPatch) -> None:
    match = reviewed(ann)
    address, today = f"{match}/mistakes/1", remembering._today()

    def is_due(day: int) -> bool:
        monkeypatch.setattr(remembering, "_today", lambda: today + day)
        return ann.get("/mistakes").url.path == address

    assert is_due(0)
    ann.post(address, data={"move": "b1"})
    assert not is_due(0)
    assert is_due(1)
    for day, days in ((1, 1), (2, 3), (5, 7), (12, 21)):  # solved ever later
        assert is_due(day)
        ann.post(address, data={"move": "b2"})
        assert not is_due(day + days - 1)
    assert not is_due(1000)
    monkeypatch.setattr(remembering, "_today", lambda: today)


def test_a_match_that_goes_on_has_no_mistakes_yet(ann: httpx.Client) -> None:
    assert "when the match is over" in ann.get(f"{begun(ann)}/mistakes").text
