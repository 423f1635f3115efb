"""Your mistakes: the better move is looked for after a match, and what was wrong comes back."""

from __future__ import annotations

import httpx
import pytest

from connectoe import load
from connectoe.preparing import Job, prepare
from connectoe.web.http import remembering
from connectoe.web.service import reviews
from connectoe.web.service.warming import Warming
from tests.waiting import until
from tests.web.serving import Served
from tests.web.test_pages import begun, page, play

LOST = ("a1", "b1", "a2", "c1", "a3")
"""A match in which O does not block, and X wins."""


@pytest.fixture(autouse=True, scope="module")
def _is_solved() -> None:
    """The table of tic-tac-toe, by which mistakes are proven."""
    prepare(Job(load("tic-tac-toe"), "table"))


def mistakes_of(browser: httpx.Client, match: str, query: str = "") -> str:
    """The page of a match's mistakes when they are found."""
    address = f"{match}/mistakes{query}"
    until(lambda: "data-awaited" not in page(browser, address))
    return page(browser, address)


def reviewed(ann: httpx.Client) -> str:
    match = begun(ann, "tic-tac-toe")
    play(ann, match, *LOST)
    mistakes_of(ann, match)
    return match


def test_a_match_is_looked_through_and_mistakes_are_proven(ann: httpx.Client) -> None:
    shown = page(ann, f"{reviewed(ann)}/mistakes")
    assert "Move 2, b1</a> gave a draw away for a loss (proven)" in shown
    assert shown.count("accuracy</dd>") == 2


def test_a_mistake_is_tried_again_until_it_is_right(ann: httpx.Client) -> None:
    match = reviewed(ann)
    address = f"{match}/mistakes/1"
    assert "In the match O played b1, which gave a draw away for a loss. Find a better move." in page(ann, address)
    wrong = ann.post(address, data={"move": "b1"})
    assert "That is what was played" in wrong.text
    right = ann.post(address, data={"move": "b2"})
    assert "Right: it keeps the draw." in right.text
    assert ann.get(f"{match}/mistakes/0").url.path == f"{match}/mistakes"  # no mistake
    assert ann.post(f"{match}/mistakes/0", data={"move": "b2"}).status_code == 404


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
    assert "hint" in page(ann, f"{address}?hint=1")
    ann.post(address, data={"move": "b2"})  # solved with a hint, which does not count
    assert not is_due(1)
    for day, days in ((2, 1), (3, 3), (6, 7), (13, 21)):  # solved ever later
        assert is_due(day)
        ann.post(address, data={"move": "b2"})
        assert not is_due(day + days - 1)
    assert not is_due(1000)


def test_mistakes_of_a_match_that_is_gone_are_forgotten(ann: httpx.Client, site: Served) -> None:
    gone = reviewed(ann).split("/")[-1]
    assert gone in ann.cookies["connectoe-mistakes"]
    services = site.app.state.services
    with services.storage.engine.begin() as connection:
        connection.exec_driver_sql(f"DELETE FROM matches WHERE id = '{gone}'")
    services.matches.memory.forget(gone)
    assert ann.get("/mistakes").url.path == "/matches"
    assert "connectoe-mistakes" not in ann.cookies


def test_a_match_that_goes_on_has_no_mistakes_yet(ann: httpx.Client) -> None:
    assert "when the match is over" in ann.get(f"{begun(ann)}/mistakes").text


def test_of_a_record_one_says_which_side_one_had(ann: httpx.Client) -> None:
    record = '[Connectoe "1"]\n[Game "tic-tac-toe"]\n[First "Ann"]\n[Second "Bob"]\n\n1. a1 b1 2. a2 c1 3. a3'
    kept = ann.post("/analysis", data={"record": record})
    assert 'id="to-mistakes"' in kept.text
    match = kept.url.path.removesuffix("/analysis")
    shown = mistakes_of(ann, match)
    assert all(words in shown for words in ("Both sides", "X · Ann", "O · Bob", "Move 2, b1"))
    assert "connectoe-mistakes" not in ann.cookies
    assert "No move gave anything away" in mistakes_of(ann, match, "?side=0")
    assert "Move 2, b1" in mistakes_of(ann, match, "?side=1")
    assert ann.get("/mistakes").url.path == f"{match}/mistakes/1"
    begun(ann, "tic-tac-toe", name="Ann")  # the name that is remembered tells the side
    assert "No move gave anything away" in mistakes_of(ann, match)


def test_by_the_pie_rule_a_swap_is_a_move_to_find(ann: httpx.Client) -> None:
    setting = {"option-cols": "4", "option-rows": "4", "option-connect": "3", "option-swap": "yes"}
    prepare(Job(load("connect-four", cols=4, rows=4, connect=3), "table"))
    match = begun(ann, "connect-four", **setting)
    play(ann, match, *"babab")
    shown = mistakes_of(ann, match, "?side=both")
    assert "Move 2, a</a> gave a win away for a loss (proven)" in shown
    assert 'id="swap"' in page(ann, f"{match}/mistakes/1")
    assert "Swap sides." in page(ann, f"{match}/mistakes/1?hint=1")
    assert "Right: it keeps the win." in ann.post(f"{match}/mistakes/1", data={"move": "swap"}).text


def test_a_first_look_is_made_again_when_the_engines_are_ready(
    ann: httpx.Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = begun(ann, "tic-tac-toe")
    play(ann, match, *LOST)
    with monkeypatch.context() as unprepared:
        unprepared.setattr(reviews, "is_fully_ready", lambda _: False)
        unprepared.setattr(Warming, "is_awaited", lambda *_: True)
        until(lambda: 'id="provisional"' in page(ann, f"{match}/mistakes"))
        assert f"{match}/mistakes/1" not in page(ann, f"{match}/mistakes")
        assert ann.get(f"{match}/mistakes/1").url.path == f"{match}/mistakes"
        assert "connectoe-mistakes" not in ann.cookies
        unprepared.setattr(Warming, "is_awaited", lambda *_: False)  # what there is must do
        assert f"{match}/mistakes/1" in page(ann, f"{match}/mistakes")
    assert "Move 2, b1</a> gave a draw away for a loss (proven)" in mistakes_of(ann, match)
