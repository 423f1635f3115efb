"""Somebody at a real browser."""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from typing import Any

from playwright.sync_api import Browser, BrowserContext, Page, expect

from connectoe import Game, Match, load
from tests.waiting import until

DESKTOP: dict[str, Any] = {"viewport": {"width": 1280, "height": 900}}
PHONE: dict[str, Any] = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
LYING_PHONE: dict[str, Any] = {**PHONE, "viewport": {"width": 844, "height": 390}}
FIRST_COMPILE = 300_000
"""Milliseconds that an engine may need to get ready, which happens once."""
PATIENCE = 20_000
"""Milliseconds after which a page that does not show what is expected has failed; a busy machine needs some of them."""
expect.set_options(timeout=PATIENCE)


class Person:
    """Somebody at a browser of their own, who must never see a script fail."""

    def __init__(self, chromium: Browser, site: str, motion: str = "reduce", **settings: Any) -> None:
        self.site = site
        self.context: BrowserContext = chromium.new_context(reduced_motion=motion, **settings)  # type: ignore[arg-type]
        self.context.set_default_timeout(PATIENCE)
        self.page: Page = self.context.new_page()
        self.failures: list[str] = []
        self.page.on("pageerror", lambda error: self.failures.append(str(error)))
        self.is_on_a_phone = settings.get("has_touch", False)

    def open(self, path: str) -> None:
        self.page.goto(path if path.startswith("http") else self.site + path)

    def begins(self, wish: dict[str, Any]) -> Any:
        """What the API answers to a wish for a match, sent from the page that is open."""
        return self.page.evaluate(
            """async (wish) => {
                const headers = { "Content-Type": "application/json" };
                const body = JSON.stringify(wish);
                return (await fetch("/api/v1/matches", { method: "POST", headers, body })).json();
            }""",
            wish,
        )

    def choose_tool_of(self, move: str) -> None:
        """Takes the tool in hand that a move needs."""
        kind = self.button(move).get_attribute("class") or ""
        tool = re.search(r"tool-\d", kind)
        if tool:
            self.page.locator(f"#{tool[0]}").check(force=True)

    def button(self, move: str) -> Any:
        return self.page.locator(f'#board .targets button[value="{move}"]')

    def play(self, move: str, ply: int) -> None:
        self.page.wait_for_load_state()  # scripts are there
        self.choose_tool_of(move)
        self.button(move).tap() if self.is_on_a_phone else self.button(move).click()
        self.sees_ply(ply + 1)

    def unfolds(self, words: str) -> None:
        """Opens a folded part of a page; by a key, since values that come in above move it away from a pointer."""
        self.page.get_by_text(words).press("Enter")

    def sees_ply(self, ply: int) -> None:
        expect(self.page.locator("#match")).to_have_attribute("data-ply", str(ply))

    def sees(self, words: str) -> None:
        expect(self.page.locator("#status")).to_contain_text(words)

    def waits_until(self, holds: Callable[[], object]) -> None:
        """Go on as soon as a condition holds; events of the page are heard meanwhile."""
        until(holds, pause=lambda seconds: self.page.wait_for_timeout(1000 * seconds))

    def waits_for_styles(self) -> None:
        """Go on as soon as all style sheets of the page are there, so that places can be measured."""
        wanted = "document.querySelectorAll('link[rel=stylesheet]').length"
        self.page.wait_for_function(
            f"() => document.readyState === 'complete' && document.styleSheets.length === {wanted}"
        )

    def page_fits(self) -> bool:
        """Whether the page is no wider than the screen; a phone would shrink it, so that `innerWidth` says nothing."""
        self.waits_for_styles()
        return bool(self.page.evaluate("(root => root.scrollWidth <= root.clientWidth)(document.documentElement)"))

    def leave(self) -> None:
        self.context.close()
        assert self.failures == [], self.failures


def begin_here(person: Person, game: str, *before: str, **options: int) -> None:
    """A match of two people at one screen, after some moves."""
    person.open("/about")
    seats = [{"kind": "me"}, {"kind": "me"}]
    made = person.begins({"game": game, "seats": seats, "moves": list(before), "options": options})
    person.open(f"/matches/{made['id']}")


def shortest_match(game: Game) -> Match:
    """The shortest of some matches between random players."""
    shortest: Match | None = None
    for seed in range(100):
        match, dice = Match(game), random.Random(seed)
        while match.outcome is None and (shortest is None or match.ply < shortest.ply):
            match.play(dice.choice(match.legal_moves()))
        shortest = match if match.outcome and (shortest is None or match.ply < shortest.ply) else shortest
    assert shortest
    return shortest


def short_match() -> Match:
    """A whole match of ultimate-ultimate in 64 steps, in which both players want X to win."""
    match = Match(load("ultimate-ultimate", tallies=1))
    for move in """
        7.8.8 +7 7.8.6 +5 5.6.8 +7 7.8.1 +2 2.1.8 +7 4.3.8 +7 4.3.3 +4 4.3.6 +5 5.6.3 +4 7.7.8 +7 7.7.3 +4 7.7.6 +5
        5.6.2 +1 1.2.6 +5 1.2.3 +4 1.2.8 +7 4.1.8 +7 4.1.6 +5 4.1.2 +1 1.3.6 +5 1.3.1 +4 1.3.7 +9 9.7.8 +7 4.2.8 +7
        4.2.3 +1 4.2.6 +5 1.1.7 +4 1.1.6 +5 1.1.3 +1 7.9.4 +1 7.9.9 +7 7.9.2 +5
    """.split():
        match.play(move)
    return match
