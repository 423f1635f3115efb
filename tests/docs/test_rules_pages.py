"""The rules pages: short rules on top, which a newcomer reads in a minute."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from connectoe import game_ids

RULES = Path(__file__).parents[2] / "docs" / "rules"
MOST_WORDS, MOST_PICTURES = 200, 3


@pytest.mark.parametrize("game_id", game_ids())
def test_how_to_play_is_short_and_comes_first(game_id: str) -> None:
    page = (RULES / f"{game_id}.md").read_text()
    before, _, rest = page.partition("\n## How to play\n")
    how_to_play, _, _ = rest.partition("\n## ")
    assert "##" not in before
    pictures = re.findall(r"!\[.*?\]\(.*?\)", how_to_play)
    words = re.sub(r"<!--.*?-->|!\[.*?\]\(.*?\)", "", how_to_play, flags=re.DOTALL).split()
    assert 1 <= len(pictures) <= MOST_PICTURES
    assert 50 <= len(words) <= MOST_WORDS
