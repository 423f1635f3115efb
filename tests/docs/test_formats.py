"""What Connectoe writes is what the grammars in docs/formats.md describe."""

from __future__ import annotations

import random
import re
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from connectoe import Match, game_ids, load, read_matches
from connectoe.core import field_texts
from connectoe.core.records import written

PAGE = Path(__file__).parents[2] / "docs" / "formats.md"
RULE = re.compile(r"^([a-z0-9-]+) *::= (.*?)(?=^[a-z0-9-]+ *::=|^```|^$)", re.DOTALL | re.MULTILINE)
TOKEN = re.compile(
    r"""\s*(?:(?P<text>"[^"]*"|'[^']*')|(?P<set>\[[^\]]+\])|#x(?P<code>[0-9A-F]+)|(?P<name>[a-z][a-z0-9-]*)|(?P<sign>[()|?*+]))"""
)
GRAMMAR = dict(RULE.findall(PAGE.read_text()))
OTHER_OPTIONS: dict[str, dict[str, int | str]] = {
    "ultimate": {"won_boards": "open"},
    "connect-four": {"cols": 16, "rows": 1},
    "c4-twist": {"bombs": 3},
    "connect-tac-toe": {"drop": "any-gap"},
    "semaphores": {"rows": 2, "cols": 12},
    "shift-tac-toe": {"edition": "pressman"},
    "ultimate-ultimate": {"tallies": 1},
}


@cache
def expression(name: str) -> str:
    """Return the regular expression that a rule of the grammars stands for; no rule refers to itself."""
    rule, at, parts = GRAMMAR[name].strip(), 0, ["(?:"]
    while at < len(rule):
        token = TOKEN.match(rule, at)
        assert token, f"{name}: {rule[at:]}"
        at = token.end()
        if token["text"]:
            parts.append(f"(?:{re.escape(token['text'][1:-1])})")
        elif token["set"]:
            escaped = token["set"].replace("\\", r"\\")
            parts.append(re.sub(r"#x([0-9A-F])", lambda code: rf"\x{int(code[1], 16):02x}", escaped))
        elif token["code"]:
            parts.append(re.escape(chr(int(token["code"], 16))))
        elif token["name"]:
            parts.append(expression(token["name"]))
        else:
            parts.append("(?:" if token["sign"] == "(" else token["sign"])
    return "".join([*parts, ")"])


def fits(name: str, text: str) -> bool:
    return re.fullmatch(expression(name), text) is not None


@pytest.mark.parametrize("game_id", game_ids())
def test_moves_positions_and_records_fit_the_grammar(game_id: str) -> None:
    for game in (load(game_id), load(game_id, **OTHER_OPTIONS.get(game_id, {}))):
        assert all(fits(f"{game_id}-move", move) for move in game.move_texts)
        assert fits("options", game.options_text)
        dice = random.Random(1)
        matches = []
        for _ in range(3):
            match = Match(game, players=("Ann", 'Bob "the {builder}" \\'), date="2026-11-15", tags={"Event": "a\nb"})
            match.comment("to begin with")
            while match.turn is not None and match.ply < 120:
                match.play(dice.choice(match.legal_moves()))
                assert fits(f"{game_id}-position", match.state.text), match.state.text
            match.comment("at the end }")
            matches.append(match)
        assert fits("records", written(matches, "text"))
        assert all(fits("record-json", match.to_json()) for match in matches)


@pytest.mark.parametrize("name", [name for name in GRAMMAR if name.endswith(("-move", "-position"))])
def test_nonsense_does_not_fit(name: str) -> None:
    assert not any(fits(name, text) for text in ("", "?", "0", "zz9", "3/3/3", "3/3/3 Z"))


def test_the_example_is_a_record() -> None:
    [example] = re.findall(r"^```\n(\[Connectoe .*?)^```$", PAGE.read_text(), re.DOTALL | re.MULTILINE)
    [match] = read_matches(example)
    assert match.to_text() == example
    assert fits("records", example)


def test_fields_of_positions_fit_the_grammar() -> None:
    arrays = np.zeros((2, 3), np.int8), np.array([[1, -2, -2]]), np.ones(4, np.bool_)
    for array in arrays:
        assert fits("own-fields", field_texts.written((array, 12, 0)))
    assert not any(fits("own-fields", text) for text in ("", "01", "1,", "0*0", "1..2", "1/"))
