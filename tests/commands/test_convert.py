"""`connectoe convert`."""

from __future__ import annotations

import gzip
from pathlib import Path
from unittest.mock import patch

import pytest

from connectoe import Match, load
from tests.commands.calling import connectoe, words_of


def test_convert_goes_both_ways(tmp_path: Path) -> None:
    match = Match(load("advanced"), players=("Ann", "Bob"))
    match.play("4Nb")
    text, data = tmp_path / "match.txt", tmp_path / "match.json"
    text.write_text(match.to_text())
    assert connectoe("convert", str(text), "-o", str(data)).exit_code == 0
    assert data.read_text() == match.to_json() + "\n"
    assert connectoe("convert", str(data)).output == match.to_text()
    assert connectoe("convert", "-", "--to", "text", stdin=match.to_json()).output == match.to_text()


@pytest.mark.parametrize("name", ["s.json", "s.JSON", "s.jsonl", "s.txt", "s", "s.json.gz", "s.txt.GZ"])
def test_the_name_of_a_file_tells_its_form_in_convert_and_in_play(name: str, tmp_path: Path) -> None:
    record = '[Connectoe "1"][Game "tic-tac-toe"] 1. b2 *'
    converted, saved = tmp_path / f"c-{name}", tmp_path / f"p-{name}"
    assert connectoe("convert", "-", "-o", str(converted), stdin=record).exit_code == 0
    assert "saved to" in words_of("play", "tic-tac-toe", stdin=f"b2\nsave {saved}\n")
    for file in (converted, saved):
        content = file.read_bytes()
        assert content.startswith(b"\x1f\x8b") == name.lower().endswith(".gz")
        text = (gzip.decompress(content) if name.lower().endswith(".gz") else content).decode()
        assert text.startswith("{") == ("json" in name.lower())
    assert connectoe("convert", str(converted)).exit_code == 0


def test_convert_goes_from_a_list_in_json_to_text() -> None:
    record = '[{"connectoe": 1, "game": "tic-tac-toe", "moves": ["b2"]}]'
    assert connectoe("convert", "-", stdin=record).output.endswith("1. b2 *\n")


def test_convert_reads_what_gzip_has_made_smaller(tmp_path: Path) -> None:
    match = Match(load("advanced"))
    match.play("4Nb")
    small = gzip.compress(match.to_text().encode())
    file = tmp_path / "games.txt.gz"
    file.write_bytes(small)
    assert connectoe("convert", str(file)).output == match.to_json() + "\n"
    assert connectoe("convert", "-", stdin=small).output == match.to_json() + "\n"
    middle = len(small) // 2
    for damaged in (small[:middle], small[:12] + b"\xff" + small[13:], small[:-8] + bytes(8), small + b"more"):
        result = connectoe("convert", "-", stdin=damaged)
        assert result.exit_code == 1
        assert "is damaged: gzip cannot read it" in result.output
    with patch("connectoe.commands.shared.LARGEST", 1000):
        assert "is too large" in connectoe("convert", "-", stdin=gzip.compress(bytes(1001))).output


@pytest.mark.parametrize(
    "content", [b"", b"\xff\xfe[\x00", b"\x00" * 1000, b"[Connectoe", "[Connectoe".encode("utf-16")]
)
def test_convert_refuses_what_is_no_record(content: bytes) -> None:
    result = connectoe("convert", "-", stdin=content)
    assert result.exit_code == 1
    assert "Error: standard input: " in result.output or "standard input is not UTF-8" in result.output
