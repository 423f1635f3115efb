"""Every test that docs/threats.md names exists."""

from __future__ import annotations

import re
from pathlib import Path

TESTS = Path(__file__).parents[1]
PAGE = (TESTS.parent / "docs" / "threats.md").read_text()
NAMED = re.compile(r"`((?:\w+/)+)(\w+)`(?:: ((?:`\w+`(?:, )?)+))?")
"""A file of tests, and perhaps some of the tests in it."""


def test_every_test_that_is_named_exists() -> None:
    named = 0
    for row in PAGE.splitlines():
        for folder, name, tests in NAMED.findall(row.rpartition(" | ")[2] if row.startswith("|") else row):
            text = (TESTS / folder / f"test_{name}.py").read_text()
            for test in re.findall(r"`(\w+)`", tests):
                assert f"def test_{test}(" in text, f"{folder}{name} has no {test}"
                named += 1
    assert named > 40


def test_every_threat_is_shown_by_a_test() -> None:
    rows = [
        row.split(" | ")
        for row in PAGE.partition("## Requests")[2].partition("## What does not")[0].splitlines()
        if row.startswith("| ")
    ]
    for threat, _, shown_by in rows:
        if shown_by != "shown by |" and "make quick" not in shown_by:
            assert NAMED.search(shown_by), threat
