"""How soon a move is seen in the other browser: the time from the click to the first change of the other page.

    python bench/page.py                             connect-four and ultimate-ultimate, 50 moves each
    python bench/page.py ultimate --url https://…    another game, on a running server

It needs Chromium and the test packages; `make test` installs both.
"""

from __future__ import annotations

import argparse
import os
import random
import re
import shutil
import sys
import tempfile
from pathlib import Path

from playwright.sync_api import Browser, Page, expect, sync_playwright

from connectoe import Match, load

sys.path.insert(0, str(Path(__file__).parents[1]))
from tests.web.serving import Process

MOVES = 50
NOTE_TIMES = """
const now = () => performance.timeOrigin + performance.now();
addEventListener("submit", () => { window.clicked = now(); }, true);
addEventListener("DOMContentLoaded", () => {
    const match = document.getElementById("match");
    if (!match) return;
    const note = () => { window.seen ??= now(); };
    new MutationObserver(note).observe(match, { attributes: true, attributeFilter: ["data-ply"] });
    new MutationObserver((changes) => {
        if (changes.some(({ target }) => target.matches("#board.waiting"))) note();
    }).observe(match, { attributes: true, subtree: true, attributeFilter: ["class"] });
});
"""
"""A page shows a move when its animation begins or, where nothing is animated, at once."""


def begin(ann: Page, bob: Page, url: str, game: str) -> None:
    """Let two people begin a match by a link."""
    ann.goto(f"{url}/new/{game}")
    ann.get_by_label("Me against a friend, through a link").check()
    ann.get_by_role("button", name="Start").click()
    bob.goto(ann.locator("#join-link").input_value())
    bob.get_by_role("button", name="Join").click()
    expect(ann.locator("#seat-1 .presence")).to_have_text("here")


def play(mover: Page, other: Page, move: str, ply: int) -> float:
    """Return the milliseconds from the click on a move until the other page shows it."""
    for page in (mover, other):
        page.evaluate("window.clicked = window.seen = undefined")
    button = mover.locator(f'#board button[value="{move}"]')
    tool = re.search(r"tool-\d", button.get_attribute("class") or "")
    if tool:
        mover.locator(f"#{tool[0]}").check(force=True)
    button.evaluate("button => button.click()")
    for page in (mover, other):
        expect(page.locator("#match")).to_have_attribute("data-ply", str(ply), timeout=30_000)
    return float(other.evaluate("window.seen")) - float(mover.evaluate("window.clicked"))


def measure(browser: Browser, url: str, game: str) -> list[float]:
    """Return the times of MOVES moves, sorted."""
    pages = []
    for _ in range(2):
        context = browser.new_context(ignore_https_errors=True)
        context.add_init_script(NOTE_TIMES)
        pages.append(context.new_page())
    took: list[float] = []
    choice = random.Random(1)
    while len(took) < MOVES:
        begin(pages[0], pages[1], url, game)
        match = Match(load(game))
        while match.turn is not None and len(took) < MOVES:
            move, turn = choice.choice(match.legal_moves()), match.turn
            match.play(move)
            took.append(play(pages[turn], pages[1 - turn], move, match.ply))
    return sorted(took)


def main() -> None:
    """Measure and print a line per game."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("games", nargs="*", default=["connect-four", "ultimate-ultimate"])
    parser.add_argument("--url", help="a server that is already running")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        own = None if asked.url else Process(f"sqlite:///{folder}/matches.db", None, "--unlimited", "--no-warming")
        try:
            for game in asked.games:
                took = measure(browser, own.url if own else asked.url.rstrip("/"), game)
                print(
                    f"{game}: median {took[len(took) // 2]:.0f} ms, 95% within {took[int(0.95 * len(took))]:.0f} ms, "
                    f"worst {took[-1]:.0f} ms of {len(took)} moves; load {os.getloadavg()[0]:.1f}"
                )
        finally:
            if own:
                own.stop()
        browser.close()


if __name__ == "__main__":
    main()
