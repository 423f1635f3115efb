"""Old matches expire by the time a server has seen pass, whatever its clock says, and can be brought back."""

from __future__ import annotations

import logging
import time
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pytest
import sqlalchemy as sql
from click.testing import CliRunner

from connectoe import load
from connectoe.cli import main
from connectoe.web.service import expiry
from connectoe.web.service.expiry import Expiry, expired_matches, restore
from connectoe.web.service.keys import Keys, new_secret
from connectoe.web.service.matches import Matches
from connectoe.web.service.refusals import NoSuchMatch
from connectoe.web.service.seating import Wish
from connectoe.web.service.storage import Storage
from connectoe.web.service.storage import matches as matches_stored
from connectoe.web.service.views import MatchView

ANN = Keys(browser=new_secret())
DAY = 24 * 3600.0
USUAL_PAUSE = expiry.LONGEST_PAUSE


class Time:
    """Time as a server sees it pass."""

    def __init__(self) -> None:
        self.seconds = 5000.0

    def __call__(self) -> float:
        return self.seconds


@pytest.fixture(autouse=True)
def counts_seldom(monkeypatch: pytest.MonkeyPatch) -> None:
    """Lets the servers of these tests count time every few weeks."""
    monkeypatch.setattr(expiry, "LONGEST_PAUSE", 365 * 24)


@pytest.fixture
def storage(database: str) -> Iterator[Storage]:
    storage = Storage(database)
    yield storage
    storage.close()


@pytest.fixture
def passing() -> Time:
    return Time()


@pytest.fixture
def server(storage: Storage, passing: Time) -> Expiry:
    return Expiry(storage, passing)


def after(server: Expiry, passing: Time, days: float) -> None:
    """Let days pass on a server, which sweeps now and then."""
    swept(server)
    for _ in range(5):
        passing.seconds += days / 5 * DAY
        swept(server)


def swept(server: Expiry) -> None:
    server.count_time()
    for _ in server.sweep():
        pass


def begun(storage: Storage, *moves: str) -> str:
    matches = Matches(storage)
    match_id = matches.create(ANN, load("tic-tac-toe"), (Wish("me", "Ann"), Wish("me", "Bob"))).id
    for ply, move in enumerate(moves):
        matches.play(match_id, ANN, move, ply)
    return match_id


def seen(storage: Storage, match_id: str) -> MatchView | None:
    """The match as another process would read it."""
    try:
        return Matches(storage).view(match_id, ANN)
    except NoSuchMatch:
        return None


def test_matches_expire_after_a_month_and_finished_ones_after_a_year(
    storage: Storage, server: Expiry, passing: Time
) -> None:
    unfinished, finished = begun(storage, "b2"), begun(storage)
    Matches(storage).resign(finished, ANN)
    after(server, passing, 20)
    played_again = begun(storage, "b2")
    after(server, passing, 15)
    assert not seen(storage, unfinished)
    assert seen(storage, played_again)
    after(server, passing, 320)
    assert not seen(storage, played_again)
    assert seen(storage, finished)
    after(server, passing, 20)
    assert not seen(storage, finished)


def test_a_move_gives_a_match_another_month(storage: Storage, server: Expiry, passing: Time) -> None:
    match_id = begun(storage, "b2")
    after(server, passing, 25)
    Matches(storage).play(match_id, ANN, "a1", 1)
    after(server, passing, 25)
    assert seen(storage, match_id)
    after(server, passing, 10)
    assert not seen(storage, match_id)


@pytest.mark.parametrize("jump", [-400 * DAY, 400 * DAY])
def test_a_clock_that_jumps_deletes_nothing(
    storage: Storage, server: Expiry, passing: Time, monkeypatch: pytest.MonkeyPatch, jump: float
) -> None:
    now = time.time
    before = begun(storage, "b2")
    monkeypatch.setattr(time, "time", lambda: now() + jump)
    meanwhile = begun(storage, "b2")
    after(server, passing, 3)
    monkeypatch.setattr(time, "time", now)
    after(server, passing, 3)
    assert seen(storage, before)
    assert seen(storage, meanwhile)


def test_time_in_which_no_server_runs_does_not_count(storage: Storage, server: Expiry, passing: Time) -> None:
    match_id = begun(storage, "b2")
    after(server, passing, 29)
    restarted = Time()
    another = Expiry(storage, restarted)
    swept(another)
    assert seen(storage, match_id)
    after(another, restarted, 3)
    assert not seen(storage, match_id)


def test_time_in_which_a_server_is_stopped_does_not_count(
    storage: Storage, server: Expiry, passing: Time, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(expiry, "LONGEST_PAUSE", USUAL_PAUSE)
    match_id = begun(storage, "b2")
    after(server, passing, 400)
    assert seen(storage, match_id)


def test_two_servers_on_one_database_do_not_count_time_twice(storage: Storage, server: Expiry, passing: Time) -> None:
    other = Expiry(storage, passing)
    match_id = begun(storage, "b2")
    for _ in range(5):
        passing.seconds += 5 * DAY
        swept(server)
        swept(other)
    assert seen(storage, match_id)


def test_what_has_expired_is_logged_and_can_be_brought_back_whole(
    storage: Storage, server: Expiry, passing: Time, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    unfinished, resigned = begun(storage, "b2", "a1"), begun(storage, "c3")
    Matches(storage).resign(resigned, ANN)
    before = [seen(storage, match_id) for match_id in (unfinished, resigned)]
    after(server, passing, 370)
    assert f"expired: {unfinished}" in caplog.text
    assert "1 unfinished matches have expired; `connectoe restore` lists them for 30 days" in caplog.text
    [(_, hours)] = [found for found in expired_matches(storage) if found[0] == resigned]
    assert 0 < hours <= 30 * 24
    assert f"removed for good: {unfinished}" in caplog.text  # a month later
    assert restore(storage, [resigned, "nothing", unfinished]) == [resigned]
    assert not expired_matches(storage)
    again = seen(storage, resigned)
    assert again
    assert before[1]
    assert (again.data(), again.private, again.created) == (before[1].data(), before[1].private, before[1].created)


def test_the_command_lists_and_restores(tmp_path: Path, passing: Time) -> None:
    database = f"sqlite:///{tmp_path}/matches.db"
    storage = Storage(database)
    match_ids = {begun(storage, "b2"), begun(storage)}
    after(Expiry(storage, passing), passing, 35)
    listed = CliRunner().invoke(main, ["restore", "--database", database])
    assert all(f"{match_id}  for another 30 days" in listed.output for match_id in match_ids)
    one = next(iter(match_ids))
    assert CliRunner().invoke(main, ["restore", one, "--database", database]).output == f"{one}\n"
    assert seen(storage, one)
    refused = CliRunner().invoke(main, ["restore", "nothing", "--database", database])
    assert (refused.exit_code, "not among the expired matches: nothing" in refused.output) == (1, True)
    CliRunner().invoke(main, ["restore", "--all", "--database", database])
    assert all(seen(storage, match_id) for match_id in match_ids)
    storage.close()


def test_old_matches_expire_a_few_at_a_time(
    storage: Storage, server: Expiry, passing: Time, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(expiry, "AT_ONCE", 2)
    monkeypatch.setattr(expiry, "LOOKED_AT_ONCE", 3)
    old = [begun(storage, "b2") for _ in range(7)]
    swept(server)
    passing.seconds += 31 * DAY
    server.count_time()
    kept = begun(storage)
    left = []
    for _ in server.sweep():
        with storage.reading() as reading:
            left.append(reading.count())
        Matches(storage).view(kept, ANN)  # others have their turn after each step
    assert left[-1] == 1
    assert max(before - now for before, now in pairwise(left)) <= 2
    assert len(expired_matches(storage)) == len(old)


def test_a_match_that_is_played_while_it_expires_stays(storage: Storage, server: Expiry, passing: Time) -> None:
    match_id = begun(storage, "b2")
    swept(server)
    passing.seconds += 31 * DAY
    server.count_time()
    steps = server.sweep()
    next(steps)  # what has changed is noted
    Matches(storage).play(match_id, ANN, "a1", 1)
    for _ in steps:
        pass
    view = seen(storage, match_id)
    assert view
    assert view.match.moves == ["b2", "a1"]


def test_matches_changed_in_the_future_still_wait_for_their_engine(storage: Storage) -> None:
    match_id = Matches(storage).create(ANN, load("tic-tac-toe"), (Wish("engine", level="random"), Wish("me"))).id
    for changed in (time.time() + 400 * DAY, time.time() - 60):
        with storage.changing("") as change:
            change.connection.execute(sql.update(matches_stored).values(changed=changed))
        with storage.reading() as reading:
            assert reading.waiting_for_engines(15.0) == [(match_id, True)]
