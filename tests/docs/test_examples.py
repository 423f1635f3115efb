"""The examples of README.md and docs/ do what they show."""

from __future__ import annotations

import doctest
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
DOCUMENTS = [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")]
WITH_EXAMPLES = sorted(str(file.relative_to(ROOT)) for file in DOCUMENTS if ">>> " in file.read_text())
BLOCK = re.compile(r"^```pycon\n(.*?)^```$", re.DOTALL | re.MULTILINE)
FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE


def test_examples_stand_in_blocks_of_their_own() -> None:
    assert {"README.md", "docs/library.md"} <= set(WITH_EXAMPLES)
    for document in WITH_EXAMPLES:
        assert ">>> " not in BLOCK.sub("", (ROOT / document).read_text()), document


@pytest.mark.slow
@pytest.mark.parametrize("document", WITH_EXAMPLES)
def test_examples_show_what_happens(document: str) -> None:
    text = (ROOT / document).read_text()
    examples = "".join(
        # Everything else becomes blank lines, so that a failure names the right line.
        "\n" * (text.count("\n", begin, block.start()) + 1) + block[1]
        for begin, block in zip(
            [0, *(block.end() for block in BLOCK.finditer(text))], BLOCK.finditer(text), strict=False
        )
    )
    test = doctest.DocTestParser().get_doctest(examples, {}, document, document, 0)
    said: list[str] = []
    results = doctest.DocTestRunner(optionflags=FLAGS).run(test, out=said.append)
    assert results.attempted
    assert not results.failed, "".join(said)
