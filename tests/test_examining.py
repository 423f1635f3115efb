"""What beginners are told about their mistakes: where, what is wrong, and what to write instead."""

# ruff: noqa: E501 - mistakes are written as they stand in a file

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import pytest
from click.testing import CliRunner

from connectoe import load
from connectoe.cli import main
from connectoe.core import endless
from connectoe.core.errors import ConnectoeError
from connectoe.core.own_games import mistake_from
from connectoe.examining import BEFORE_COMPILING, STEPS, examined
from tests.own import NOTAKTO, save

LINES = "LINES = tuple(sum(1 << (3 * row + column) for column, row in line) for line in lines(3, 3, 3))"
PLAY = "        return Position(position.marks | 1 << move, 1 - position.turn)\n"
LISTED = "            if not position.marks >> square & 1:\n                yield square\n"
MADE = "return Rules(Position(0, 0), legal_moves, play, outcome, player)"
MIRROR = """    @rule
    def mirror(position: Position) -> Position:
        return Position({0}, position.turn)

"""
ARRAYS = [
    ("from typing import NamedTuple", "from typing import NamedTuple\n\nimport numpy as np"),
    ("    marks: int\n", "    marks: np.ndarray\n"),
    ("position.marks >> square & 1:\n                yield", "position.marks[square]:\n                yield"),
    (
        PLAY,
        "        marks = position.marks.copy()\n        marks[move] = 1\n        return Position(marks, 1 - position.turn)\n",
    ),
    ("position.marks & line == line", "position.marks.sum() == 9"),
    ("Position(0, 0)", "Position(np.zeros(9, np.int8), 0)"),
    ("position.marks >> square & 1:\n                scene", "position.marks[square]:\n                scene"),
    (
        "    def notation(self)",
        "    def write(self, position):\n"
        "        return ''.join(map(str, position.marks)) + str(position.turn)\n\n"
        "    def read(self, text):\n"
        "        return Position(np.array(list(map(int, text[:9])), np.int8), int(text[9]))\n\n"
        "    def notation(self)",
    ),
]


class Told(NamedTuple):
    """A mistake: what stands in the file and what the beginner wrote; and what is told."""

    name: str
    changes: list[tuple[str, str]]
    line: int | None
    words: str
    instead: str = ""


def in_play(name: str, lines: str, line: int | None, words: str, instead: str = "", before: str = "") -> Told:
    return Told(
        name,
        [(PLAY, lines), *([("LINES = tuple(", f"{before}\nLINES = tuple(")] if before else [])],
        line,
        words,
        instead,
    )


WHEN_LOADED = [
    Told(
        "a missing colon",
        [("def play(position: Position, move: int) -> Position:", "def play(position, move)")],
        41,
        "SyntaxError: expected ':'",
    ),
    Told("a misspelt name", [("1 << move, 1", "1 << mov, 1")], 42, "NameError: name 'mov' is not defined"),
    Told(
        "a list in a position",
        [("Position(0, 0)", "Position([0] * 9, 0)")],
        None,
        "the fields of a position are ints below 2**62",
    ),
    Told(
        "a missing @rule",
        [("    @rule\n    def play(", "    def play(")],
        40,
        "the function play is not marked with @rule",
    ),
    Told(
        "a division",
        [
            (
                "1 - position.turn)\n\n    @rule\n    def outcome",
                "(1 - position.turn) / 1)\n\n    @rule\n    def outcome",
            )
        ],
        None,
        "the fields of a position are ints below 2**62",
    ),
    Told(
        "three players",
        [(PLAY, PLAY.replace("1 - position.turn", "(position.turn + 1) % 3"))],
        52,
        "games have two players, 0 and 1, and `player` says 2",
    ),
    Told(
        "no move left",
        [
            ("        return ONGOING", "        return ONGOING if position.marks < 511 else ONGOING"),
            ("if position.marks & line == line:", "if False:"),
        ],
        45,
        "there is no legal move in Position(marks=511",
    ),
    Told("a move listed twice", [(LISTED, LISTED + "        yield 0\n")], 35, "legal_moves has 'a1' twice"),
    Told(
        "moves without an end",
        [(LISTED, LISTED + "        while True:\n            yield 0\n")],
        35,
        "legal_moves has 'a1' twice",
    ),
    Told(
        "one text too few",
        [("for square in range(9)]", "for square in range(8)]")],
        68,
        "moves are ints from 0 to 7, one for each text of its notation",
    ),
    Told(
        "a pack that forgets",
        [
            (MADE, MADE[:-1] + ", pack, unpack)"),
            (
                "    @rule\n    def player",
                "    @rule\n    def pack(position):\n        return position.marks\n\n    @rule\n    def unpack(packed):\n        return Position(packed, 0)\n\n    @rule\n    def player",
            ),
        ],
        56,
        "unpack makes Position(marks=",
    ),
    Told(
        "an option without its value",
        [('option("loses", ("loses", "wins")', 'option("draws", ("loses", "wins")')],
        65,
        "the default of an option must be one of its allowed values",
    ),
    Told(
        "an array that is not copied",
        [(right, other.replace("position.marks.copy()", "position.marks")) for right, other in ARRAYS],
        43,
        "play writes into an array of the position it is given: copy the array first",
    ),
]
BEFORE_COMPILED = [
    in_play(
        "chance",
        "        return Position(position.marks | 1 << move, random.randrange(2))\n",
        42,
        "play uses the module random",
        "keep what changes in the position",
        "import random",
    ),
    in_play(
        "a counter of its own",
        "        COUNTS[0] += 1\n        return Position(position.marks | 1 << move | (COUNTS[0] & 7) << 20, 1 - position.turn)\n",
        42,
        "play gives two different positions for 'a1'",
        "rules are pure functions",
        "COUNTS = [0]",
    ),
    Told(
        "a wrong mirror",
        [
            ("    return Rules(", MIRROR.format("position.marks << 1 & 511") + "    return Rules("),
            (MADE, MADE[:-1] + ", mirrors=(mirror,))"),
        ],
        56,
        "mirror 1 does not agree with the rules: it makes Position(",
        "mirror every field of the position",
    ),
    Told(
        "a leaky generator",
        ARRAYS,
        37,
        "legal_moves is a generator over a position with arrays: compiled, it leaks",
        "let it be a plain function",
    ),
]
BEFORE_COMPILED += [
    in_play(
        "print",
        "        print(position.marks)\n" + PLAY,
        41,
        "play uses print, which engines would call millions of times",
        "leave print out",
    ),
    in_play(
        "a turn that never passes",
        PLAY.replace("1 - position.turn", "position.turn"),
        41,
        "player 1 never has a turn",
        "let play change whose turn it is",
    ),
    Told(
        "a game that is over at once",
        [
            (
                "        for line in LINES:\n            if position",
                "        return 0\n        for line in LINES:\n            if position",
            )
        ],
        45,
        "the game is over before it begins",
    ),
    Told(
        "a place that stands for no move",
        [("scene.target(name, place", "scene.target(name + '!', place")],
        72,
        "scene has a place for 'a1!'",
        "a target has the text of its move",
    ),
    Told(
        "a move without a place",
        [("elif self.rules.outcome(position) == ONGOING:", "elif square > 0:")],
        72,
        "scene has no place for the legal move 'a1'",
        "it cannot be played on the page",
    ),
    Told(
        "a picture that fails",
        [("        scene.add_grid(3, 3)", "        scene.add_grid(3, 3 // (position.marks.bit_count() - 1))")],
        72,
        "scene fails in Position(marks=",
    ),
    Told(
        "the id of another game",
        [('id = "notakto"', 'id = "connect-four"')],
        None,
        "its id is that of a built-in game, connect-four",
        "choose another id",
    ),
]
WHEN_COMPILED = [
    in_play(
        "_replace",
        "        return position._replace(marks=position.marks | 1 << move, turn=1 - position.turn)\n",
        42,
        "a position has no _replace in compiled rules",
        "write the whole new position",
    ),
    in_play(
        "a name outside",
        "        global COUNT\n        COUNT = 1\n" + PLAY,
        44,
        "a rule changes a name outside of it",
        "keep what changes in the position",
        "COUNT = 0",
    ),
    in_play(
        "bit_count",
        "        count = position.marks.bit_count()\n" + PLAY,
        42,
        "int.bit_count does not compile",
        "count the bits in a loop",
    ),
    Told(
        "any",
        [
            (
                "        for line in LINES:\n            if position.marks & line == line:\n",
                "        if 1:\n            if any(position.marks & line == line for line in LINES):\n",
            )
        ],
        47,
        "any, all, sum and the like over `… for …` do not compile",
        "write a for loop",
    ),
    Told(
        "recursion",
        [
            (
                "    @rule\n    def outcome",
                "    @rule\n    def count(marks: int) -> int:\n        return 0 if marks == 0 else 1 + count(marks & marks - 1)\n\n    @rule\n    def outcome",
            ),
            (PLAY, "        marks = count(position.marks)\n" + PLAY),
        ],
        47,
        "a rule calls itself",
        "write a loop instead",
    ),
    in_play(
        "a function without @rule",
        PLAY.replace("position.marks | 1 << move", "put(position.marks, move)"),
        46,
        "put is a function that is not marked with @rule",
        "write @rule above its def",
        "def put(marks, move):\n    return marks | 1 << move\n\n",
    ),
    in_play(
        "ragged tuples",
        "        for part in RAGGED:\n            for square in part:\n                move += 0 * square\n" + PLAY,
        43,
        "a tuple whose parts are of different lengths or kinds",
        "filled up with -1",
        "RAGGED = ((0, 1, 2), (3, 4))",
    ),
    in_play(
        "ragged tuples by number",
        "        for square in RAGGED[position.turn]:\n            move += 0 * square\n" + PLAY,
        43,
        "a tuple whose parts are of different lengths",
        "give all parts the same length",
        "RAGGED = ((0, 1, 2), (3, 4))",
    ),
    Told(
        "lists in a tuple",
        [
            (LINES, LINES.replace("tuple(sum(", "tuple([sum(").replace("in line) for", "in line)] for")),
            ("position.marks & line == line", "position.marks & line[0] == line[0]"),
        ],
        46,
        "LINES holds lists",
        "make them tuples",
    ),
    in_play(
        "an argument that Numba does not know",
        "        for line in zip(LINES, LINES, strict=True):\n            move += 0 * line[0]\n" + PLAY,
        41,
        "Numba does not expect something in it",
        "leave lines out",
    ),
    Told("a list", [(LINES, f"{LINES}\nLINES = list(LINES)")], 47, "LINES is a list", "make it a tuple"),
    in_play(
        "a dict",
        "        bonus = POINTS[position.turn]\n" + PLAY,
        43,
        "POINTS is a dict",
        "make it a tuple, and look things up by their number",
        "POINTS = {0: 1, 1: 2}",
    ),
    in_play(
        "a set",
        "        is_corner = move in CORNERS\n" + PLAY,
        43,
        "CORNERS is a set",
        "a bit for each member",
        "CORNERS = {0, 2, 6, 8}",
    ),
    in_play(
        "a class",
        "        if Notakto.name == '':\n            return position\n" + PLAY,
        42,
        "Notakto is a type, which rules cannot use",
        "take what you need out of it in the factory",
    ),
    in_play(
        "try",
        "        try:\n            marks = position.marks | 1 << move\n        except ValueError:\n            marks = 0\n        return Position(marks, 1 - position.turn)\n",
        44,
        "try … except does not compile",
        "ask first, with if",
    ),
    in_play(
        "None",
        "        best = None\n        if move > 3:\n            best = 5\n        if best == 7:\n            return position\n"
        + PLAY,
        None,
        "an int in one case and None in another",
        "such as -1",
    ),
    in_play(
        "a text",
        "        name = f'{move:>3}'\n" + PLAY,
        42,
        "rules make no texts",
        "make them in notation, reason or scene",
    ),
]


def named(mistakes: list[Told]) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("told", mistakes, ids=[told.name for told in mistakes])


@named(WHEN_LOADED)
def test_a_mistake_is_reported_when_the_game_is_loaded(tmp_path: Path, told: Told) -> None:
    file = save(tmp_path / "notakto.py", *told.changes)
    with pytest.raises(ConnectoeError) as refused:
        load(file)
    mistake = mistake_from(refused.value, [file])
    assert (told.words in mistake.words, mistake.line) == (True, told.line), mistake


@named(BEFORE_COMPILED)
def test_a_mistake_that_breaks_nothing_is_found(tmp_path: Path, told: Told) -> None:
    found = examined(load(save(tmp_path / "notakto.py", *told.changes)), steps=BEFORE_COMPILING)
    finding = next((one for one in found if told.words in one.words), found[0])
    assert (told.words in finding.words, told.instead in finding.instead, finding.line) == (True, True, told.line), (
        finding
    )


@pytest.mark.slow
@named(WHEN_COMPILED)
def test_what_does_not_compile_is_reported_with_what_to_write_instead(tmp_path: Path, told: Told) -> None:
    [finding] = examined(load(save(tmp_path / "notakto.py", *told.changes)), steps=STEPS[len(BEFORE_COMPILING) : -1])
    assert (told.words in finding.words, told.instead in finding.instead, finding.line) == (True, True, told.line), (
        finding
    )
    is_placed = told.line and told.name != "an argument that Numba does not know"  # then it is the line of the def
    assert finding.file == ("notakto.py" if is_placed else "")


def test_rules_that_never_end_are_ended(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(endless, "PATIENCE", 0.5)
    file = save(tmp_path / "notakto.py", (PLAY, "        while True:\n            move += 0\n"))
    with pytest.raises(ConnectoeError) as refused:
        load(file)
    mistake = mistake_from(refused.value, [file])
    assert mistake.line in (42, 43), mistake
    assert "look for a loop that does not end" in mistake.words


def test_a_file_that_never_ends_is_ended(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(endless, "PATIENCE", 0.5)
    file = save(
        tmp_path / "notakto.py", ("class Notakto(Game):", "size = 3\nwhile size:\n    pass\nclass Notakto(Game):")
    )
    with pytest.raises(ConnectoeError) as refused:
        load(file)
    mistake = mistake_from(refused.value, [file])
    assert mistake.line in (59, 60), mistake
    assert "look for a loop that does not end" in mistake.words


def test_there_are_twenty_of_them() -> None:
    everything = [*WHEN_LOADED, *BEFORE_COMPILED, *WHEN_COMPILED]
    assert len({told.name for told in everything}) == len(everything) >= 20


@pytest.mark.parametrize("game_id", ["tic-tac-toe", "connect-four", "semaphores", "ultimate-ultimate"])
def test_the_games_of_this_package_have_none_of_them(game_id: str) -> None:
    assert examined(load(game_id), steps=BEFORE_COMPILING[1:]) == []


# The commands.


def run(*words: str) -> tuple[int, str]:
    result = CliRunner().invoke(main, words)
    return result.exit_code, result.output


def test_check_tells_the_place_and_exits_with_1(tmp_path: Path) -> None:
    file = save(tmp_path / "notakto.py", *WHEN_LOADED[1].changes)
    code, said = run("check", str(file))
    assert code == 1
    assert said.startswith("mistake: notakto.py, line 42: NameError: name 'mov' is not defined")
    assert "return Position(position.marks | 1 << mov" in said


@pytest.mark.slow
def test_check_says_what_to_write_instead(tmp_path: Path) -> None:
    code, said = run("check", str(save(tmp_path / "notakto.py", *WHEN_COMPILED[0].changes)))
    assert code == 1
    assert "notakto.py, line 42: play does not compile: a position has no _replace" in said
    assert "write instead: write the whole new position, as Position(" in " ".join(said.split())
    assert run("check", str(save(tmp_path / "notakto.py"))) == (0, "nothing is wrong with Notakto (three=loses)\n")


def test_check_refuses_what_is_no_game(tmp_path: Path) -> None:
    code, said = run("check", str(tmp_path / "nothing.py"))
    assert (code, "there is no game file" in said) == (2, True)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("kind", "options", "moves", "tests"), [(["--plain"], {"size": 4}, 16, 5), ([], {"cols": 5}, 5, 3)]
)
def test_new_writes_a_game_that_can_be_played_and_tests_that_pass(
    tmp_path: Path, kind: list[str], options: dict[str, int], moves: int, tests: int
) -> None:
    code, said = run("new", "my-game", "--folder", str(tmp_path), *kind)
    assert (code, "connectoe serve" in said) == (0, True)
    game = load(tmp_path / "my_game.py", **options)
    assert (game.id, game.name) == ("my-game", "My game")
    assert len(game.start.legal_moves()) == moves
    words = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-c", "/dev/null", "test_my_game.py"]
    if not kind:
        words += ["-k", "not nothing_is_wrong"]  # which compiles; once is enough
    done = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout
    assert re.search(f"{tests} passed", done.stdout)


@pytest.mark.parametrize(
    ("name", "code", "said"),
    [
        ("2nd", 2, "a game is named by letters, digits and _, as my_game, not '2nd'"),
        ("class", 2, "a game is named by letters"),
        ("connect-four", 2, "there is a game 'connect-four' already: give yours another name"),
        ("notakto", 1, "notakto.py exists already"),
    ],
)
def test_new_refuses_names_that_cannot_be(tmp_path: Path, name: str, code: int, said: str) -> None:
    file = save(tmp_path / "notakto.py")
    assert run("new", name, "--folder", str(tmp_path))[0] == code
    assert said in run("new", name, "--folder", str(tmp_path))[1]
    assert file.read_text() == NOTAKTO
    assert list(tmp_path.iterdir()) == [file]
