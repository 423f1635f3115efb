"""Photographs the web page for README.md: at a desk, and on a phone in the dark.

    .venv/bin/python docs/draw_screenshots.py      (or: make screenshots)

It needs Chromium and the test packages; `make test` installs both.
"""

from __future__ import annotations

import random
import sys
import tempfile
from pathlib import Path

from playwright.sync_api import Browser

from connectoe import Match, load

sys.path.insert(0, str(Path(__file__).parents[1]))
from tests.chromium import running_chromium
from tests.own import SYNTAX_ERROR, save
from tests.walk import WALK
from tests.web.serving import Served, served

from connectoe.core.own_games import offering
from connectoe.preparing import jobs_for, prepare

FOLDER = Path(__file__).parent / "screenshots"
DESK = {"viewport": {"width": 1120, "height": 760}}
PHONE = {"viewport": {"width": 390, "height": 760}, "has_touch": True, "is_mobile": True}
NAMES = [{"kind": "me", "name": "Ann"}, {"kind": "me", "name": "Bob"}]


def interesting_moves(game_id: str) -> list[str]:
    """Moves that lead to a position with something to see: random ones, of a game that is not over."""
    wanted = {"ultimate-ultimate": 300, "advanced": 7}[game_id]
    for seed in range(1000):
        choice = random.Random(seed)
        match = Match(load(game_id))
        while match.turn is not None and match.ply < wanted:
            match.play(choice.choice(match.legal_moves()))
        if match.turn is not None:
            return match.moves
    raise SystemExit(f"no game of {game_id} is that long")


def photograph(browser: Browser, server: Served, game_id: str, name: str, settings: dict[str, object]) -> None:
    """Takes a picture of a match page, for somebody who plays both sides."""
    context = browser.new_context(base_url=server.url, reduced_motion="reduce", **settings)  # type: ignore[arg-type]
    page = context.new_page()
    page.goto("/about")
    match_id = page.evaluate(
        """async (wish) => {
            const headers = { "Content-Type": "application/json" };
            const answer = await fetch("/api/v1/matches", { method: "POST", headers, body: JSON.stringify(wish) });
            return (await answer.json()).id;
        }""",
        {"game": game_id, "seats": NAMES, "moves": interesting_moves(game_id)},
    )
    page.goto(f"/matches/{match_id}")
    page.wait_for_timeout(300)
    page.screenshot(path=FOLDER / f"{name}.png")
    context.close()


def photograph_analysis(browser: Browser, server: Served) -> None:
    """Takes a picture of the analysis board, once all values of a line are there."""
    for job in jobs_for(load("connect-four")):
        prepare(job)
    context = browser.new_context(base_url=server.url, reduced_motion="reduce", viewport={"width": 1120, "height": 800})
    page = context.new_page()
    page.goto("/analyse/connect-four?moves=d+d+c+d+c+c+e&ply=6&also=d+d+d")
    page.locator("#graph-place rect.exact").nth(7).wait_for(timeout=300_000)
    page.screenshot(path=FOLDER / "analysis.png")
    context.close()


def photograph_own_games(browser: Browser, folder: Path) -> None:
    """Takes pictures of games of somebody's own: in the gallery, with a mistake, and with an invitation."""
    save(folder / "notakto.py")
    save(folder / "walk.py", text=WALK)
    with (
        offering(folder / "notakto.py", folder / "walk.py"),
        served(f"sqlite:///{folder}/own.db", at_home="192.168.1.7") as server,
    ):
        page = browser.new_page(base_url=server.url, reduced_motion="reduce", viewport={"width": 1120, "height": 900})
        page.goto("/")
        page.screenshot(path=FOLDER / "own-games.png")
        page.goto("/new/notakto")
        page.get_by_label("Me against a friend").check()
        page.get_by_role("button", name="Start").click()
        page.locator("#invitation svg").wait_for()
        page.screenshot(path=FOLDER / "own-games-invitation.png")
        save(folder / "notakto.py", SYNTAX_ERROR)
        page.goto("/")
        page.screenshot(path=FOLDER / "own-games-mistake.png")
        page.close()


def main() -> None:
    """Makes all of them."""
    with (
        tempfile.TemporaryDirectory() as folder,
        served(f"sqlite:///{folder}/matches.db") as server,
        running_chromium() as browser,
    ):
        photograph(browser, server, "advanced", "advanced", dict(DESK))
        in_the_dark = {**PHONE, "color_scheme": "dark"}
        photograph(browser, server, "ultimate-ultimate", "ultimate-ultimate-phone", in_the_dark)
        photograph_analysis(browser, server)
        photograph_own_games(browser, Path(folder))
        page = browser.new_page(base_url=server.url, reduced_motion="reduce", viewport={"width": 1120, "height": 900})
        page.goto("/")
        page.wait_for_timeout(500)
        page.screenshot(path=FOLDER / "gallery.png")


if __name__ == "__main__":
    main()
