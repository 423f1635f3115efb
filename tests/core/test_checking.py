"""A game that breaks the contract is refused in words, before anything is compiled."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from connectoe import game_ids, load
from connectoe.core.catalogue import game_class
from connectoe.core.checking import checked
from connectoe.core.errors import BadGame, ConnectoeError
from connectoe.engines.perft import perft
from connectoe.games.c4_twist import C4Twist
from tests.nim import NIM
from tests.own import save
from tests.playing import ending

MISTAKES = [
    # what stands in the file, what the inventor wrote instead, and what is said
    ('id = "nim"', 'id = "my nim"', "its id is a word like 'my-game', not 'my nim'"),
    (
        'name = "Nim"',
        'symbols = ("X",)\n    name = "Nim"',
        "its symbols are two texts, one for each player, not ('X',)",
    ),
    ('name = "Nim"', 'ply_limit = 0\n    name = "Nim"', "its ply_limit is a number from 1, not 0"),
    (
        'name = "Nim"',
        'special_moves = {"all": "("}\n    name = "Nim"',
        "special_moves['all'] is no regular expression: missing )",
    ),
    (
        'name = "Nim"',
        'special_moves = {"four": "4"}\n    name = "Nim"',
        "special_moves['four'] fits no move: '4' is to match the whole of its text",
    ),
    ("return Rules(\n", "return (\n", "make_rules returns connectoe.Rules, not tuple"),
    ("def rules(sticks)", "def rules(size)", "its rules cannot be made: TypeError: rules() got an unexpected keyword"),
    (
        "legal_moves, play, outcome, player, pack",
        "legal_moves, 5, outcome, player, pack",
        "the rule play is a function",
    ),
    ("    @rule\n    def play(", "    def play(", "the function play is not marked with @rule"),
    ("    @rule\n    def pick", "    def pick", "the function pick is not marked with @rule"),
    ("pack, unpack, ()", "pack, None, ()", "its rules have one of pack and unpack, and need both"),
    ("(), ending,", "(), None,", None),
    ('name = "Nim"', 'endings = ("a", "b", "c")\n    name = "Nim"', None),
    ("Position(sticks, 0), legal", "(sticks, 0), legal", "a position is a NamedTuple, and the start is (21, 0)"),
    ("Position(sticks, 0), legal", "Position(21.0, 0), legal", "in the start sticks is 21.0"),
    ("Position(sticks, 0), legal", "Position(1 << 62, 0), legal", "in the start sticks is 4611686018427387904"),
    (
        "Position(sticks, 0), legal",
        "Position(sticks, 1), legal",
        "player 0 moves first, and `player` says 1 at the start",
    ),
    ('["1", "2", "3"]', '["1", "2", "2"]', "two of its moves are called '2'"),
    ('["1", "2", "3"]', '["1", "2", "3 sticks"]', "the text of a move has no blanks, not '3 sticks'"),
    ('["1", "2", "3"]', "[1, 2, 3]", "notation returns a list of texts, not [1, 2, 3]"),
    ('["1", "2", "3"]', '["1", "2"]', "moves are ints from 0 to 1, one for each text of its notation, and legal_moves"),
    ('["1", "2", "3"]', "1 / 0", "notation fails: ZeroDivisionError: division by zero (line 64 of nim.py)"),
    ("yield move", "yield float(move)", "and legal_moves has 0.0 in Position(sticks=21, turn=0)"),
    ("yield move", "yield 0", "legal_moves has '1' twice in Position(sticks=21, turn=0)"),
    (
        "range(min(3, position.sticks))",
        "range(0)",
        "there is no legal move in Position(sticks=21, turn=0), and outcome says",
    ),
    (
        "return Position(position.sticks - 1 - move, 1",
        "return (position.sticks - 1 - move, 1",
        "play returns a Position, not (",
    ),
    (
        "- 1 - move, 1 - position.turn",
        "/ 1 - 1 - move, 1 - position.turn",
        "the fields of a position are ints below 2**62",
    ),
    ("ONGOING if position.sticks else 1 - position.turn", "None", "outcome is ONGOING, 0, 1 or DRAWN, not None"),
    ("else 1 - position.turn", "else 7", "outcome is ONGOING, 0, 1 or DRAWN, not 7, in Position(sticks=0"),
    ("return position.turn\n", "return position.turn / 1\n", "player is 0 or 1, not 0.0"),
    (
        "position.sticks << 1 | position.turn",
        "position.sticks",
        "unpack makes Position(sticks=10, turn=1) of what pack",
    ),
    ("position.sticks << 1 | position.turn", "-1", "pack gives an int from 0 to below 2**62, not -1"),
    (
        "def ending(position):\n        return 0",
        "def ending(position):\n        return 2",
        "ending is 0 to 1, as `endings`",
    ),
    (
        "def evaluate(position):\n        return 0",
        "def evaluate(position):\n        return 0.5",
        "evaluate gives an int from",
    ),
    ("random * min(3, position.sticks) >> 32", "0", "pick gives 0 for the random number"),
    ('return "there are not as many sticks"', "return None", "why_illegal is a text, not None"),
    ('return "the last stick"', "return None", "reason is a text, not None"),
    (
        "def scene(",
        "def winning_line(self, position):\n        return [1]\n\n    def scene(",
        "winning_line is a sequence",
    ),
    ("return Scene(self.symbols)", "return None", "scene returns a connectoe.scene.Scene, not None"),
    (
        "return Position(*map(int, text.split()))",
        "return Position(1, 1)",
        "read makes Position(sticks=1, turn=1) of '0 ",
    ),
    ("evaluate, pick\n", "evaluate, pick, observe=player\n", "it has one of the rule observe and the method planes"),
    (
        "unpack, (), ending",
        "unpack, (lambda position: position,), ending",
        "one of its mirrors is not marked with @rule",
    ),
    ("unpack, (), ending", "unpack, (pack,), ending", "a mirror returns a Position, not 42"),
    (
        "    def read(self",
        "    def reads(self",
        "it has a `write` of its own, and needs a `read` that understands it",
    ),
    ("return Position(*map(int, text.split()))", "raise ValueError('no')", "read fails in Position(sticks=0"),
]


def saved(folder: Path, text: str) -> Path:
    file = folder / "nim.py"
    file.write_text(text)
    return file


def test_a_piece_that_cannot_be_drawn_is_told(tmp_path: Path) -> None:
    with pytest.raises(BadGame, match="scene has a piece of the kind 'stone'; the kinds are bomb, "):
        load(save(tmp_path / "notakto.py", ('"mark", 0))', '"stone", 0))')))


def test_a_game_that_keeps_the_contract_is_loaded(tmp_path: Path) -> None:
    assert ending(load(saved(tmp_path, NIM), sticks=5).start.play("3").play("2")) == (1, "the last stick")


@pytest.mark.parametrize(("right", "wrong", "said"), MISTAKES)
def test_each_mistake_is_reported(tmp_path: Path, right: str, wrong: str, said: str | None) -> None:
    assert NIM.count(right) == 1
    file = saved(tmp_path, NIM.replace(right, wrong))
    if said is None:  # it is none
        load(file)
        return
    with pytest.raises(BadGame, match=re.escape(said)) as refused:
        load(file)
    assert str(refused.value).startswith("the game Nim breaks the contract: ")


def with_planes(observe: str, highest: int) -> str:
    """The game with an `observe` of its own."""
    rule = f"    @rule\n    def observe(position, viewer, planes):\n        {observe}\n\n"
    text = NIM.replace("    return Rules(\n", f"{rule}    return Rules(\n")
    text = text.replace("evaluate, pick\n", "evaluate, pick, observe=observe\n")
    planes = f"return connectoe.Planes(('sticks',), 1, 1, {highest})"
    return f"import connectoe\n{text}\n    def planes(self):\n        {planes}\n"


@pytest.mark.parametrize(
    ("observe", "highest", "said"),
    [
        (
            "planes[5, 0, 0] = 1",
            1,
            "observe fails in Position(sticks=21, turn=0): IndexError: index 5 is out of bounds",
        ),
        ("planes[0, 0, 0] = position.sticks", 1, "observe writes numbers from 0 to 1, as planes says"),
        ("planes[0, 0, 0] = position.sticks", 300, "the largest number on its planes is at most 127"),
        ("planes[0, 0, 0] = position.sticks", 99, ""),
    ],
)
def test_planes_are_tried(tmp_path: Path, observe: str, highest: int, said: str) -> None:
    file = saved(tmp_path, with_planes(observe, highest))
    if said:
        with pytest.raises(BadGame, match=re.escape(said)):
            load(file)
    else:
        load(file)


def test_a_game_need_not_be_right_beyond_its_limit(tmp_path: Path) -> None:
    changes = {
        "position.sticks - 1 - move": "position.sticks + 1",  # a game without end, whose counter `pack` has no room for
        "position.sticks << 1": "(position.sticks & 63) << 1",
        "range(min(3, position.sticks))": "range(3)",
        "random * min(3, position.sticks)": "random * 3",
        'name = "Nim"': 'ply_limit = 40\n    name = "Nim"',
    }
    text = NIM
    for right, other in changes.items():
        assert text.count(right) == 1
        text = text.replace(right, other)
    load(saved(tmp_path, text))
    with pytest.raises(BadGame, match="unpack makes"):
        load(saved(tmp_path, text.replace("ply_limit = 40", "ply_limit = 50")))


def test_moves_are_not_asked_for_where_a_game_is_over_from_the_start(tmp_path: Path) -> None:
    text = NIM.replace("range(1, 100)", "range(100)").replace(
        "range(min(3, position.sticks))", "range(6 // position.sticks)"
    )
    assert ending(load(saved(tmp_path, text), sticks=0).start) == (1, "the last stick")


def test_a_game_without_reasons_gives_the_names_of_its_endings(tmp_path: Path) -> None:
    text = NIM.replace('    def reason(self, position):\n        return "the last stick"\n', "")
    text = text.replace('name = "Nim"', 'name = "Nim"\n    endings = ("all taken", "never")')
    assert ending(load(saved(tmp_path, text), sticks=1).start.play("1")) == (0, "all taken")


def test_a_game_made_of_one_of_ours_may_write_its_moves_otherwise() -> None:
    class Exclaiming(C4Twist):
        id = "exclaiming"

        def notation(self) -> list[str]:
            return [text.replace("*", "!") for text in super().notation()]

    assert load(Exclaiming).start.play("!d").turn == 1


def test_a_game_of_very_many_moves_is_loaded(tmp_path: Path) -> None:
    load(saved(tmp_path, NIM.replace('["1", "2", "3"]', "[str(number) for number in range(200_000)]")))


def test_an_unwanted_number_of_endings_is_reported(tmp_path: Path) -> None:
    text = NIM.replace("(), ending,", "(), None,").replace('name = "Nim"', 'endings = ("a",)\n    name = "Nim"')
    with pytest.raises(BadGame, match="it names 1 endings, but without the rule `ending` there are two"):
        load(saved(tmp_path, text))


@pytest.mark.parametrize(
    ("right", "wrong", "said"),
    [
        ("sticks: int = option(21", "rules: int = option(21", "option 'rules' would hide Game.rules"),
        ("sticks: int = option(21", "name: int = option(21", "option 'name' would hide Game.name"),
        (
            "range(1, 100)",
            "range(0)",
            "the allowed values of an option are a range, a tuple or a dict, not range(0, 0)",
        ),
        (
            "21, range(1, 100)",
            "'a', 'abc'",
            "the allowed values of an option are a range, a tuple or a dict, not 'abc'",
        ),
        (
            "21, range(1, 100)",
            "2.5, (2.5, 3)",
            "an option's value is an int, or a text without spaces, commas and equals",
        ),
        ("21, range(1, 100)", "True, (True, False)", "an option's value is an int, or a text without spaces"),
        ("21, range(1, 100)", "'a b', ('a b',)", "an option's value is an int, or a text without spaces"),
        ("21, range(1, 100)", "200, range(1, 100)", "the default of an option must be one of its allowed values"),
    ],
)
def test_options_that_cannot_be_are_refused(tmp_path: Path, right: str, wrong: str, said: str) -> None:
    with pytest.raises(ConnectoeError, match=re.escape(said)):
        load(saved(tmp_path, NIM.replace(right, wrong)))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        (
            "position.sticks.bit_count() * 0",
            "int.bit_count does not compile (line 21 of nim.py): count the bits in a loop",
        ),
        (
            "position._replace(turn=0).turn",
            "a position has no _replace in compiled rules (line 21 of nim.py): write the whole new position",
        ),
        (
            "nothing()",
            "nothing is a function that is not marked with @rule (line 21 of nim.py): write @rule above its def",
        ),
    ],
)
def test_rules_that_do_not_compile_are_reported(tmp_path: Path, wrong: str, said: str) -> None:
    text = NIM.replace("- 1 - move, 1 - position.turn", f"- 1 - move, 1 - position.turn + {wrong}")
    file = saved(tmp_path, f"{text}\n\ndef nothing():\n    return 0\n")
    with pytest.raises(
        BadGame, match=f"^the rules do not compile: {re.escape(said)}.*; docs/write-a-game.md says what compiles"
    ):
        perft(load(file), 3)


@pytest.mark.slow
def test_the_command_line_says_it_without_a_traceback(tmp_path: Path) -> None:
    file = saved(tmp_path, NIM.replace("yield move", "yield 0"))
    for words in (["study", str(file)], ["analyse", str(file)], ["perft", str(file), "3"], ["play", str(file)]):
        done = subprocess.run([sys.executable, "-m", "connectoe", *words], check=False, capture_output=True, text=True)
        assert done.returncode == 1
        assert done.stderr.startswith("Error: the game Nim breaks the contract: legal_moves has '1' twice in Position")


@pytest.mark.parametrize("game_id", game_ids())
def test_the_games_of_this_package_keep_it(game_id: str) -> None:
    assert checked(game_class(game_id), {}) == load(game_id)


def test_a_kind_of_move_need_not_be_in_every_variant() -> None:
    def fewer_moves(self: C4Twist) -> list[str]:
        return [text for text in C4Twist.notation(self) if self.bombs or "*" not in text]

    mine = type("Mine", (C4Twist,), {"id": "mine", "notation": fewer_moves})
    for bombs in (0, 1):
        assert checked(mine, {"bombs": bombs}).options["bombs"] == bombs
