"""What the tests of the web share: databases and servers, all of them real."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import httpx
import pytest
from playwright.sync_api import Browser

from connectoe import load
from connectoe.analysis import small_table
from tests.chromium import running_chromium
from tests.web.browsing import Person
from tests.web.serving import Served, new_database, postgresql, served


@pytest.fixture(scope="session")
def postgresql_server() -> Iterator[str]:
    # Not in pytest's own folder: each run of pytest takes the rights of other users on that folder away again.
    with TemporaryDirectory(prefix="connectoe-postgresql-") as folder, postgresql(Path(folder)) as running:
        yield running.address


@pytest.fixture
def postgresql_database(postgresql_server: str, request: pytest.FixtureRequest) -> str:
    """A database of its own on the server."""
    return new_database(postgresql_server, f"test_{abs(hash(request.node.nodeid)):x}")


@pytest.fixture(params=["sqlite", "postgresql"])
def database(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """Either database."""
    if request.param == "postgresql":
        return str(request.getfixturevalue("postgresql_database"))
    return f"sqlite:///{tmp_path}/matches.db"


@pytest.fixture(scope="session")
def solved() -> str:
    """A game that is solved, as it is soon after somebody has opened it."""
    assert small_table(load("tic-tac-toe"))
    return "tic-tac-toe"


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Served]:
    """A server on a new SQLite file."""
    with served(f"sqlite:///{tmp_path}/matches.db") as running:
        yield running


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    """A real browser; for one file of tests, because while it is there no other event loop can be run."""
    with running_chromium() as browser:
        yield browser


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with served(f"sqlite:///{tmp_path_factory.mktemp('site')}/matches.db") as running:
        yield running


@pytest.fixture
def ann(site: Served) -> httpx.Client:
    """A browser without scripts that has its cookie."""
    browser = site.browser()
    browser.get("/about")
    return browser


@pytest.fixture
def bob(site: Served) -> httpx.Client:
    """Another one."""
    browser = site.browser()
    browser.get("/about")
    return browser


@pytest.fixture
def people(chromium: Browser, site: Served) -> Iterator[Any]:
    """Makes people; they leave at the end."""
    made: list[Person] = []

    def person(**settings: Any) -> Person:
        made.append(Person(chromium, site.url, **settings))
        return made[-1]

    yield person
    for somebody in made:
        somebody.leave()
