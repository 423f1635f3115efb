"""Mistakes and opponents in the JSON API."""

from __future__ import annotations

from typing import Any

import pytest

from connectoe import load
from connectoe.people import ladder_of
from connectoe.preparing import Job, prepare
from tests.waiting import until
from tests.web.serving import Served


@pytest.fixture(autouse=True, scope="module")
def _is_solved() -> None:
    """The table of tic-tac-toe, by which mistakes are proven."""
    prepare(Job(load("tic-tac-toe"), "table"))


def new_match(server: Served, *moves: str) -> str:
    seats = [{"kind": "me"}, {"kind": "me"}]
    made = server.program().post("/matches", json={"game": "tic-tac-toe", "seats": seats, "moves": moves})
    return str(made.json()["id"])


def test_a_program_asks_for_the_mistakes_of_a_match(server: Served) -> None:
    address = f"/matches/{new_match(server, 'a1', 'b1', 'a2', 'c1', 'a3')}/review"
    program = server.program()
    found: dict[str, Any] = {}

    def is_done() -> bool:
        found.update(program.get(address).json())
        return bool(found["done"])

    until(is_done)
    assert (found["looked_at"], found["total"], found["provisional"]) == (5, 5, False)
    assert found["accuracy"] == [1.0, 0.75]
    [mistake] = found["mistakes"]
    assert (mistake["ply"], mistake["player"], mistake["played"], mistake["better"]) == (1, 1, "b1", ["b2"])
    assert (mistake["before"], mistake["after"], mistake["proven"], mistake["cost"]) == ("draw", "loss", True, 0.5)


def test_a_match_that_goes_on_is_not_reviewed(server: Served) -> None:
    refused = server.program().get(f"/matches/{new_match(server, 'a1')}/review")
    assert refused.status_code == 400
    assert refused.json()["error"] == "mistakes are looked for when the match is over"
    assert server.program().get("/matches/nothing/review").status_code == 404


def test_opponents_are_listed_with_what_a_seat_takes(server: Served) -> None:
    told = server.program().get("/games/connect-four/opponents").json()
    assert [each["level"] for each in told if each["kind"] == "engine"][:2] == ["random", "easy"]
    assert [each["level"] for each in told if each["kind"] == "person"] == list(ladder_of())
    assert told[-1]["name"] == "Ada"
    for each in told:
        seats = [{"kind": "me"}, {"kind": "engine", "level": each["level"]}]
        made = server.program().post("/matches", json={"game": "connect-four", "seats": seats})
        assert made.status_code == 201, made.text
    assert server.program().get("/games/nothing/opponents").status_code == 404
