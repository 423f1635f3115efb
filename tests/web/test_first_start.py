"""A server on an empty cache, as a newcomer meets it: engines answer at once, and solved games become exact by
themselves."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from playwright.sync_api import Browser, expect

from connectoe import Match, game_ids, load
from connectoe.analysis import small_table
from tests.waiting import until
from tests.web.browsing import DESKTOP, FIRST_COMPILE, Person, begin_here
from tests.web.serving import Process

pytestmark = pytest.mark.slow


@pytest.fixture
def newcomer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Process]:
    """A server that nobody has used before; it prepares only the games that somebody opens."""
    monkeypatch.setenv("CONNECTOE_CACHE", str(tmp_path / "cache"))
    server = Process(f"sqlite:///{tmp_path}/matches.db", None, "--unlimited", "--no-warming")
    yield server
    server.stop()


def test_medium_answers_in_every_game_before_its_engine_is_compiled(newcomer: Process, chromium: Browser) -> None:
    ann = Person(chromium, newcomer.url, **DESKTOP)
    for game_id in game_ids():
        match = Match(load(game_id))
        ann.open("/about")
        seats = [{"kind": "me"}, {"kind": "engine", "level": "medium"}]
        made = ann.begins({"game": game_id, "seats": seats})
        ann.open(f"/matches/{made['id']}")
        while match.turn == 0:
            move = match.legal_moves()[len(match.legal_moves()) // 2]
            ann.choose_tool_of(move)
            ann.button(move).click(force=True)
            match.play(move)
            wait_for_ply(ann, match.ply)
        wait_for_ply(ann, match.ply + 1)
    ann.leave()


def wait_for_ply(person: Person, at_least: int) -> None:
    shown = person.page.locator("#match")
    person.waits_until(lambda: int(shown.get_attribute("data-ply") or 0) >= at_least)


def test_a_solved_game_becomes_exact_without_a_restart(newcomer: Process, chromium: Browser) -> None:
    ann = Person(chromium, newcomer.url, **DESKTOP)
    ann.open("/analyse/tic-tac-toe?moves=a1+b1")
    expect(ann.page.locator("#explorer-place")).to_contain_text("b2")
    expect(ann.page.locator("main")).to_contain_text("wins in 5", timeout=120_000)
    ann.leave()
    state = load("tic-tac-toe").start.play("a1").play("b1")
    table = small_table(state.game)
    assert table
    truth = {state.game.move_text(move): str(value) for move, value in table.moves(state.position).items()}
    assert values_of(newcomer.url, {"game": "tic-tac-toe", "moves": ["a1", "b1"]}) == truth


def values_of(url: str, asked: dict[str, Any]) -> dict[str, str]:
    """The exact values that the API tells of every move, once it does."""

    def told() -> dict[str, str] | None:
        found = httpx.post(f"{url}/api/v1/analyse", json=asked, timeout=60).json()
        if not all(candidate["exact"] for candidate in found["candidates"]):
            return None
        return {
            candidate["move"]: candidate["result"] + (f" in {candidate['plies']}" if candidate["plies"] else "")
            for candidate in found["candidates"]
        }

    answers: list[dict[str, str] | None] = [None]
    until(lambda: answers.append(told()) or answers[-1], seconds=120, every=0.5)  # type: ignore[func-returns-value]
    assert answers[-1]
    return answers[-1]


def test_a_first_look_at_mistakes_becomes_proven_and_the_page_follows(newcomer: Process, chromium: Browser) -> None:
    ann = Person(chromium, newcomer.url, **DESKTOP)
    begin_here(ann, "tic-tac-toe", *"a1 b1 a2 c1".split())
    ann.play("a3", 4)
    ann.page.locator("#to-mistakes").click()
    expect(ann.page.locator("#provisional")).to_be_visible()
    mistakes = ann.page.locator("#mistakes")
    expect(mistakes).to_contain_text("b1 gave a draw away for a loss (proven)", timeout=FIRST_COMPILE)
    expect(ann.page.locator("#provisional")).to_have_count(0)
    expect(mistakes.get_by_role("link")).to_have_count(1)
    ann.leave()
