"""Games that a program offers from their files, while somebody is writing them."""

from __future__ import annotations

from pathlib import Path

import pytest

from connectoe import game_ids, load
from connectoe.core.catalogue import known_class
from connectoe.core.errors import UnknownGame
from connectoe.core.own_games import is_offered, offering, own_game_of, own_games, version_of
from connectoe.engines.exact.fingerprint import rules_fingerprint
from connectoe.running.sources import game_from, source_of
from tests.own import EIGHT_SQUARES, NOTAKTO, OTHER_WORDS, SYNTAX_ERROR, save


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return save(tmp_path / "notakto.py")


def test_an_offered_game_is_found_by_its_id_before_all_others(file: Path) -> None:
    with offering(file):
        assert game_ids()[0] == "notakto"
        assert load("notakto", three="wins").start.play("b2").turn == 1
        assert is_offered(known_class("notakto"))
    assert "notakto" not in game_ids()


def test_a_saved_file_is_read_again(file: Path) -> None:
    with offering(file):
        before = known_class("notakto")
        save(file, EIGHT_SQUARES)
        assert len(load("notakto").start.legal_moves()) == 8
        assert not is_offered(before)
        assert version_of(before) == ""


def test_a_file_that_did_not_change_is_not_read_again(file: Path) -> None:
    with offering(file):
        assert known_class("notakto") is known_class("notakto")


def test_an_edit_of_the_same_length_at_the_same_moment_is_seen(file: Path) -> None:
    for squares in "5678":  # quicker than the clocks of some file systems
        save(file, (EIGHT_SQUARES[0], EIGHT_SQUARES[0].replace("9", squares)))
        assert len(load(file).start.legal_moves()) == int(squares)


@pytest.mark.parametrize(
    ("change", "line", "words", "code"),
    [
        (SYNTAX_ERROR, 42, "SyntaxError: '(' was never closed", "return Position(position.marks |"),
        (
            ("range(9):\n            if", "rang(9):\n            if"),
            36,
            "NameError: name 'rang' is not defined",
            "rang(9)",
        ),
        (("yield square", "yield 0"), 35, "legal_moves has 'a1' twice", "def legal_moves"),
        (('id = "notakto"', 'id = "tic-tac-toe"'), None, "belongs to a game that is there already", ""),
        (
            ("from collections.abc", "from colections.abc"),
            9,
            "ModuleNotFoundError: No module named 'colections'",
            "from",
        ),
    ],
)
def test_a_mistake_is_kept_with_its_line_and_the_last_good_version_stays(
    file: Path, change: tuple[str, str], line: int | None, words: str, code: str
) -> None:
    with offering(file) as [own]:
        good = known_class("notakto")
        save(file, change)
        assert known_class("notakto") is good
        assert own.mistake is not None
        assert (own.mistake.file, own.mistake.line) == ("notakto.py", line)
        assert words in own.mistake.words
        assert code in own.mistake.code
        save(file)
        assert own.current
        assert own.mistake is None


def test_a_mistake_in_a_rule_has_its_line_whatever_the_rule_is_called(file: Path) -> None:
    renamed = (
        ("def legal_moves(", "def moves_of("),
        ("Rules(Position(0, 0), legal_moves,", "Rules(Position(0, 0), moves_of,"),
    )
    save(file, *renamed, ("yield square", "yield 0"))
    with offering(file) as [own]:
        assert own.mistake
        assert (own.mistake.line, own.mistake.words.split()[0]) == (35, "legal_moves")
        assert own.mistake.code.startswith("def moves_of(")


def test_a_file_with_a_mistake_from_the_start_is_offered_once_it_is_right(file: Path) -> None:
    save(file, SYNTAX_ERROR)
    with offering(file) as [own]:
        assert own.mistake
        assert "notakto" not in game_ids()
        save(file)
        assert "notakto" in game_ids()


def test_old_versions_are_kept_for_the_matches_played_by_them(file: Path, tmp_path: Path) -> None:
    with offering(file, kept=tmp_path / "kept") as [own]:
        old = version_of(known_class("notakto"))
        save(file, EIGHT_SQUARES)
        assert len(load(own.in_version(old) or "").start.legal_moves()) == 9
    with offering(file, kept=tmp_path / "kept") as [own]:  # another program
        assert len(load(own.in_version(old) or "").start.legal_moves()) == 9
        assert own.in_version("0" * 16) is None
        assert own.in_version("../x") is None


def test_other_words_are_not_other_rules(file: Path) -> None:
    before = rules_fingerprint(load(file))
    assert rules_fingerprint(load(save(file, OTHER_WORDS))) == before
    assert rules_fingerprint(load(save(file, EIGHT_SQUARES))) != before


def test_two_files_of_one_id_are_told_apart(file: Path, tmp_path: Path) -> None:
    with offering(file, save(tmp_path / "copy.py")) as [first, second]:
        assert first.mistake is None
        assert "belongs to another of the files" in str(second.mistake)


def test_a_file_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UnknownGame, match="there is no game file"), offering(tmp_path / "nothing.py"):
        pass
    assert own_games() == []
    assert own_game_of("notakto") is None


LINES = "LINES = tuple(sum(1 << (3 * row + column) for column, row in line) for line in lines(3, 3, 3))"


@pytest.mark.parametrize("importing", ["from shapes import LINES", "from .shapes import LINES", "import shapes"])
def test_a_game_may_import_its_neighbours(tmp_path: Path, importing: str) -> None:
    save(tmp_path / "shapes.py", text=f"from connectoe.board import lines\n{LINES}\n")
    text = NOTAKTO.replace(LINES, importing)
    if importing == "import shapes":
        text = text.replace("in LINES:", "in shapes.LINES:")
    file = save(tmp_path / "notakto.py", text=text)
    with offering(file):
        state = load("notakto").start.play("b2").play("a1").play("c3")
        assert state.outcome
        (tmp_path / "shapes.py").write_text("LINES = (7,)")
        assert load("notakto").start.play("b2").play("a1").play("c3").outcome is None
        source = source_of(load("notakto"))
        assert game_from(source, {}).start.play("a1").play("b1").play("c1").outcome


def test_neighbours_of_the_same_name_do_not_mix(tmp_path: Path) -> None:
    for name, line in (("one", 7), ("two", 56)):
        (tmp_path / name).mkdir()
        (tmp_path / name / "shapes.py").write_text(f"LINES = ({line},)")
        save(tmp_path / name / "notakto.py", (LINES, "from shapes import LINES"))
    one, two = load(tmp_path / "one" / "notakto.py"), load(tmp_path / "two" / "notakto.py")
    assert one.start.play("a1").play("b1").play("c1").outcome
    assert two.start.play("a1").play("b1").play("c1").outcome is None


def test_a_mistake_in_a_neighbour_is_reported_with_its_file(tmp_path: Path) -> None:
    (tmp_path / "shapes.py").write_text("\nLINES = (")
    with offering(save(tmp_path / "notakto.py", (LINES, "from shapes import LINES"))) as [own]:
        assert own.mistake
        assert own.mistake.place == "shapes.py, line 2"
