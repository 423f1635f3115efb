"""No page has a serious barrier, by axe-core's rules."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page

from connectoe import game_ids, load
from connectoe.client import Server
from connectoe.preparing import Job, prepare
from tests.waiting import until
from tests.web.serving import Served

pytestmark = pytest.mark.slow


def pages(site: Served) -> list[str]:
    """Every kind of page, and the match page of every game."""
    found = ["/", "/matches", "/analyse", "/docs", "/nothing", "/new/connect-four", "/rules/shift-tac-toe"]
    found += [
        "/analyse/connect-tac-toe/set-up",
        "/analyse/advanced/set-up?draft=X4Sb2+O+1Na",
        "/analyse/c4-twist?moves=*a+d",
    ]
    found += ["/puzzles", "/puzzles/connect-four", "/puzzles/advanced?hint=1", "/puzzles/advanced/practice"]
    found += ["/learn/advanced/1?tried=1Na", "/learn/connect-four/5?played=b", "/learn/shift-tac-toe/1?hint=2"]
    for game_id in game_ids():
        made = Server(site.url).ask("/matches", {"game": game_id, "seats": [{"kind": "me"}, {"kind": "open"}]})
        found += [f"/matches/{made['id']}", f"/analyse/{game_id}"]
    found += ["/analyse/connect-four?moves=d+d+c&ply=2&also=d+e", "/analyse/tic-tac-toe?moves=a1+b1&values=1"]
    found.append(f"/matches/{made['id']}/join/{made['invite']}")
    prepare(Job(load("tic-tac-toe"), "table"))  # so that mistakes are proven
    seats = [{"kind": "me", "name": "Ann"}, {"kind": "me", "name": "Bob"}]
    over = {"game": "tic-tac-toe", "seats": seats, "moves": "a1 b1 a2 b2 a3".split()}
    made = Server(site.url).ask("/matches", over)
    until(lambda: Server(site.url).ask(f"/matches/{made['id']}/review")["done"])
    views = ["", "/analysis", "/mistakes", "/mistakes/1", "/mistakes/1?tried=b1", "/mistakes/1?hint=1"]
    return [*found, *(f"/matches/{made['id']}{view}" for view in views)]


COLOURS = ["color-contrast", "link-in-text-block"]
"""The rules of axe-core that look at colours. A page in dark colours differs from the light one in nothing else."""


def test_no_page_has_a_serious_barrier(chromium: Browser, site: Served) -> None:
    context = chromium.new_context(reduced_motion="reduce", viewport={"width": 390, "height": 844}, bypass_csp=True)
    page = context.new_page()
    barriers = []
    for path in pages(site):
        page.emulate_media(color_scheme="light")
        page.goto(site.url + path)
        found = {"light": serious_barriers(page)}
        page.emulate_media(color_scheme="dark")
        found["dark"] = serious_barriers(page, COLOURS)
        barriers += [f"{path}: {colours}: {barrier}" for colours in found for barrier in found[colours]]
    context.close()
    assert not barriers, "\n".join(barriers)


def serious_barriers(page: Page, rules: list[str] | None = None) -> list[str]:
    """Return the rule and the element of each serious barrier, by all rules or some."""
    options: dict[str, Any] = {"resultTypes": ["violations"]}  # what is passed need not be told in full
    if rules:
        options["runOnly"] = rules
    axe = Axe("") if page.evaluate("'axe' in window") else Axe()  # half a megabyte, which one page needs once
    return [
        f"{barrier['id']}: {barrier['nodes'][0]['html'][:200]}"
        for barrier in axe.run(page, options=options).response["violations"]
        if barrier["impact"] in ("serious", "critical")
    ]


def test_the_check_finds_a_barrier_where_there_is_one(chromium: Browser, tmp_path: Path) -> None:
    page = chromium.new_page()
    page.set_content("<html lang=en><title>t</title><main><h1>t</h1><button></button></main></html>")
    assert [barrier["id"] for barrier in Axe().run(page).response["violations"]] == ["button-name"]
    page.set_content("<title>t</title><style>@media (prefers-color-scheme: dark) { p { color: #ddd } }</style><p>Text")
    assert serious_barriers(page, COLOURS) == []
    page.emulate_media(color_scheme="dark")
    assert serious_barriers(page, COLOURS) == ["color-contrast: <p>Text</p>"]
    page.close()
