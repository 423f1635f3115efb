"""Moves that are stored without reading or locking the match before, and together with others."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sql

from connectoe import load
from connectoe.web.service.direct import DirectSqlite
from connectoe.web.service.keys import Keys
from connectoe.web.service.matches import Matches
from connectoe.web.service.refusals import Stale
from connectoe.web.service.seating import Wish
from connectoe.web.service.storage import Storage
from tests.waiting import until

ANN = Keys(browser="ann")
ALONE = (Wish("me", "Ann"), Wish("me", "Bob"))


@pytest.fixture
def storage(database: str) -> Iterator[Storage]:
    opened = Storage(database)
    yield opened
    opened.close()


@pytest.fixture
def groups(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How many moves SQLite stored each time."""
    sizes: list[int] = []
    store = DirectSqlite._store

    def counting(self: DirectSqlite, group: list[Any]) -> None:
        sizes.append(len(group))
        store(self, group)

    monkeypatch.setattr(DirectSqlite, "_store", counting)
    return sizes


def test_a_process_that_remembers_an_older_version_plays_on_from_the_newest(storage: Storage) -> None:
    here, elsewhere = Matches(storage), Matches(storage)
    made = here.create(ANN, load("connect-four"), ALONE)
    elsewhere.view(made.id, ANN)
    here.play(made.id, ANN, "d", 0)
    with pytest.raises(Stale, match="it stands after 1 moves, not 0"):
        elsewhere.play(made.id, ANN, "e", 0)
    assert elsewhere.play(made.id, ANN, "e", 1).match.moves == ["d", "e"]
    assert here.play(made.id, ANN, "f", 2).match.moves == ["d", "e", "f"]
    assert here.play(made.id, ANN, "f", 2).version == elsewhere.view(made.id, ANN).version == 4


def waiting_moves(storage: Storage) -> int:
    return len(storage._direct._waiting) if isinstance(storage._direct, DirectSqlite) else 0


def test_moves_that_come_while_the_disk_is_busy_are_stored_together(tmp_path: Path, groups: list[int]) -> None:
    storage = Storage(f"sqlite:///{tmp_path}/matches.db")
    matches = Matches(storage)
    made = [matches.create(ANN, load("connect-four"), ALONE).id for _ in range(5)]
    with ThreadPoolExecutor(5) as threads:
        with storage.changing(""):  # somebody else writes
            playing = [threads.submit(matches.play, match_id, ANN, "d", 0) for match_id in made]
            until(lambda: waiting_moves(storage) == 5)
            assert not any(one.done() for one in playing)
        assert [one.result().match.moves for one in playing] == [["d"]] * 5
    assert groups == [5]
    assert [Matches(storage).view(match_id, ANN).match.moves for match_id in made] == [["d"]] * 5
    storage.close()


def test_of_moves_stored_together_one_that_is_there_already_does_not_stop_the_others(
    tmp_path: Path, groups: list[int]
) -> None:
    storage = Storage(f"sqlite:///{tmp_path}/matches.db")
    matches = Matches(storage)
    good, bad = (matches.create(ANN, load("connect-four"), ALONE).id for _ in range(2))
    with storage.changing(bad) as change:  # a move without a new version, as no server stores it
        change.add_move(bad, 0, "a", 0.0)
    with ThreadPoolExecutor(2) as threads:
        with storage.changing(""):
            playing = [threads.submit(matches.play, match_id, ANN, "d", 0) for match_id in (good, bad)]
            until(lambda: waiting_moves(storage) == 2)
        assert playing[0].result().match.moves == ["d"]
        with pytest.raises(Stale):
            playing[1].result()
    assert groups == [2]
    storage.close()


def test_a_move_that_cannot_be_stored_is_neither_remembered_nor_announced(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    storage = Storage(f"sqlite:///{tmp_path}/matches.db")
    matches = Matches(storage)
    made = matches.create(ANN, load("connect-four"), ALONE)
    told: list[int] = []
    matches.changed.connect(lambda stored: told.append(stored.row.version))

    def fails(self: DirectSqlite, group: list[Any]) -> None:
        raise sql.exc.OperationalError("", {}, Exception("the disk is full"))

    monkeypatch.setattr(DirectSqlite, "_store", fails)
    with pytest.raises(sql.exc.OperationalError, match="the disk is full"):
        matches.play(made.id, ANN, "d", 0)
    assert (told, matches.view(made.id, ANN).match.moves) == ([], [])
    storage.close()
