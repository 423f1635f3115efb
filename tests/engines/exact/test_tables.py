"""Tables in files: looked up, checked, never taken for what they are not, never left half written."""

from __future__ import annotations

import json
import os
import random
import resource
import subprocess
import sys
import time
from pathlib import Path

import pytest

from connectoe import Game, load
from connectoe.core.errors import BadPosition
from connectoe.core.rules import Rules, rule
from connectoe.engines.engine import NotSolved
from connectoe.engines.exact import table_files
from connectoe.engines.exact.fingerprint import rules_fingerprint
from connectoe.engines.exact.lookup import Table
from connectoe.engines.exact.table_files import ABANDONED, BLOCK, BadTable, open_table, table_path, write_table
from connectoe.engines.exact.tables import check_by_plain_rules, load_table, solved_table
from connectoe.games.tic_tac_toe import TicTacToe
from connectoe.games.tic_tac_toe.engines import rules_for_engines
from connectoe.games.tic_tac_toe.rules import Position
from tests.commands.calling import connectoe
from tests.nim import NIM
from tests.playing import after

pytestmark = pytest.mark.slow

GAME = load("tic-tac-toe")


def verify(table: Table) -> None:
    """Read the whole file of a table against its checks."""
    open_table(table.game, table.path, check_all=True)


@pytest.fixture
def table(tmp_path: Path) -> Table:
    """Tic-tac-toe's table in a file of its own."""
    return write_table(solved_table(GAME), table_path(GAME, tmp_path))


def test_a_table_is_made_on_first_need_and_found_afterwards(tmp_path: Path) -> None:
    assert load_table(GAME, make="never", folder=tmp_path) is None
    made = load_table(GAME, folder=tmp_path)
    assert made is not None
    assert made.path == tmp_path / "tic-tac-toe.table"
    assert load_table(GAME, make="never", folder=tmp_path) is made
    again = open_table(GAME, made.path)
    assert (again.keys == made.keys).all()
    assert (again.values == made.values).all()
    assert again.facts == made.facts


def test_the_table_of_a_large_game_is_not_made_unasked(tmp_path: Path) -> None:
    assert load_table(load("connect-four"), folder=tmp_path) is None
    assert load_table(load("connect-tac-toe"), make="always", folder=tmp_path) is None
    assert list(tmp_path.iterdir()) == []


def test_values_are_those_of_the_player_to_move(table: Table) -> None:
    def value(moves: str) -> str:
        return str(table.value(after(GAME, moves).position))

    assert value("b2 a1") == "draw"
    assert value("b2 b1") == "win in 5"
    assert value("b2 b1 a3") == "loss in 4"
    assert value("b2 b1 a3 c1") == "win in 3"


def test_moves_are_valued_for_the_one_who_makes_them(table: Table) -> None:
    state = after(GAME, "b2 b1 a3 c1")
    values = {GAME.move_text(move): str(value) for move, value in table.moves(state.position).items()}
    assert values == {"a1": "win in 3", "a2": "loss in 2", "c2": "loss in 2", "b3": "loss in 2", "c3": "loss in 2"}
    assert [GAME.move_text(move) for move in table.best_moves(state.position)] == ["a1"]


def test_a_table_that_does_not_fit_the_plain_rules_is_refused(table: Table) -> None:
    values = table.values.copy()
    values[table.values == 1] = -1
    with pytest.raises(BadTable, match="solved .* wrongly"):
        check_by_plain_rules(Table(GAME, table.keys, values, {}))


def test_a_finished_and_an_impossible_position_are_refused(table: Table) -> None:
    over = after(GAME, "a1 a2 b1 b2 c1").position
    with pytest.raises(BadPosition, match="the game is over"):
        table.value(over)
    with pytest.raises(BadPosition, match="the game is over"):
        table.moves(over)
    with pytest.raises(NotSolved, match="play cannot lead to it"):
        table.value(Position(0b111, 0, 0))


def test_games_alike_in_shape_do_not_mix_up_their_positions(table: Table) -> None:
    four = solved_table(load("connect-four", cols=4, rows=4))
    assert str(four.value(four.game.rules.start)) == "draw"
    assert str(table.value(GAME.rules.start)) == "draw"


def damaged(table: Table, change: bytes, at: int) -> Path:
    assert table.path
    content = bytearray(table.path.read_bytes())
    content[at : at + len(change)] = change
    table.path.write_bytes(content)
    return table.path


def test_a_changed_byte_anywhere_is_noticed(table: Table, tmp_path: Path) -> None:
    assert table.path
    sound = table.path.read_bytes()
    end_of_facts = 64 + len(json.dumps(table.facts, ensure_ascii=False).encode())
    padding = range(end_of_facts, end_of_facts + -end_of_facts % 64)
    dice = random.Random(1)
    for at in [*range(32), *dice.sample([at for at in range(64, len(sound)) if at not in padding], 200)]:
        copy = tmp_path / "copy.table"
        copy.write_bytes(sound[:at] + bytes([sound[at] ^ 1 << dice.randrange(8)]) + sound[at + 1 :])
        with pytest.raises(BadTable):
            open_table(GAME, copy)


def test_a_truncated_or_lengthened_table_is_noticed(table: Table, tmp_path: Path) -> None:
    assert table.path
    sound = table.path.read_bytes()
    for content in (b"", sound[:20], sound[:64], sound[:200], sound[: len(sound) // 2], sound[:-1], sound + b"\0"):
        copy = tmp_path / "copy.table"
        copy.write_bytes(content)
        with pytest.raises(BadTable, match="damaged|no table"):
            open_table(GAME, copy)


def test_a_damaged_table_is_reported_and_made_again_when_needed(
    table: Table, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    assert table.path
    with table.path.open("r+b") as file:
        file.truncate(1000)
    again = load_table(GAME, folder=tmp_path)
    assert f"{table.path} is damaged: it has 1000 bytes" in caplog.text
    assert again is not None
    verify(again)
    assert len(again) == 627


def test_of_tables_that_are_quickly_made_the_oldest_are_removed(
    table: Table, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert table.path
    size = table.path.stat().st_size
    for number, name in enumerate(["old", "older", "large"]):
        (tmp_path / f"{name}.table").write_bytes(bytes(size * (3 if name == "large" else 1)))
        os.utime(tmp_path / f"{name}.table", (1000 - number, 1000 - number))
    monkeypatch.setattr(table_files, "QUICKLY_MADE", 2 * size)
    monkeypatch.setattr(table_files, "MOST_BYTES", 2 * max(size, 4096) + 1)
    write_table(table, table.path)
    assert {path.name for path in tmp_path.glob("*.table")} == {table.path.name, "old.table", "large.table"}


def test_a_table_of_another_format_or_game_is_not_used(table: Table) -> None:
    assert table.path
    with pytest.raises(BadTable, match="made for other rules"):
        open_table(load("connect-four"), table.path)
    with pytest.raises(BadTable, match="format 2"):
        open_table(GAME, damaged(table, b"\2", 16))


def test_only_a_full_check_reads_all_of_a_large_table(
    table: Table, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(table_files, "CHECKED_WHOLE", 20 * BLOCK)
    times = 32 * BLOCK // table.keys.nbytes
    long = Table(GAME, table.keys.repeat(times), table.values.repeat(times), table.facts)
    written = write_table(long, tmp_path / "long.table")
    verify(written)
    opened = open_table(GAME, damaged(written, b"\xff", 3 * BLOCK + BLOCK // 2))
    with pytest.raises(BadTable, match="MiB .* is not what was written"):
        verify(opened)


class OlderTicTacToe(TicTacToe):
    """Tic-tac-toe by rules that have changed since: nobody won."""

    @staticmethod
    def make_rules() -> Rules:
        @rule
        def outcome(position: Position) -> int:
            return 2 if position.own | position.other == 511 else -1

        return rules_for_engines()._replace(outcome=outcome)


def test_a_table_of_older_rules_is_never_used(table: Table, tmp_path: Path) -> None:
    older: Game = OlderTicTacToe()
    path = table_path(older, tmp_path)
    assert path == table_path(GAME, tmp_path)
    of_older_rules = {**table.facts, "fingerprint": rules_fingerprint(older)}
    write_table(Table(older, table.keys, table.values, of_older_rules), path)
    with pytest.raises(BadTable, match="made for other rules"):
        open_table(GAME, path)
    made = load_table(GAME, folder=tmp_path)
    assert made is not None
    assert made.facts["won"] == 2836


def test_a_fingerprint_stays_from_run_to_run_and_tells_options_apart() -> None:
    ask = "import connectoe; from connectoe.engines.exact.fingerprint import rules_fingerprint as f; "
    ask += "print(f(connectoe.load('connect-tac-toe', cols=4, rows=3)))"
    answers = {
        subprocess.run(
            [sys.executable, "-c", ask],
            env={**os.environ, "PYTHONHASHSEED": seed},
            stdout=subprocess.PIPE,
            text=True,
            check=True,
        ).stdout.strip()
        for seed in ("1", "2")
    }
    assert answers == {rules_fingerprint(load("connect-tac-toe", cols=4, rows=3))}
    options = [("cols", 4), ("rows", 3), ("discs", 3), ("drop", "any-gap"), ("stuck", "free")]
    prints = {rules_fingerprint(load("connect-tac-toe", **{name: value})) for name, value in options}
    assert len(prints | {rules_fingerprint(load("connect-tac-toe"))}) == 6


def test_an_interrupted_solve_leaves_nothing_behind(tmp_path: Path) -> None:
    def interrupt(what: str, part: float) -> None:
        if what == "solving":
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        load_table(GAME, folder=tmp_path, progress=interrupt)
    assert list(tmp_path.iterdir()) == []


def test_a_solve_killed_at_any_moment_leaves_no_half_table(tmp_path: Path) -> None:
    dice = random.Random(15)
    solve = [sys.executable, "-m", "connectoe", "solve", "semaphores", "--yes", "--force", "--folder", str(tmp_path)]
    for _ in range(4):
        killed = subprocess.Popen(solve, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        time.sleep(dice.uniform(0.5, 5.0))
        killed.kill()
        killed.wait()
        for left in tmp_path.glob("*.table"):  # only a whole one, or none
            open_table(load("semaphores"), left, check_all=True)
    subprocess.run(solve, check=True, capture_output=True)
    table = open_table(load("semaphores"), table_path(load("semaphores"), tmp_path), check_all=True)
    assert str(table.value(table.game.rules.start)) == "loss in 26"


def test_a_full_disk_leaves_nothing_behind_and_the_old_table_whole(table: Table, tmp_path: Path) -> None:
    fresh = solved_table(GAME)
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (2000, limits[1]))
    try:
        with pytest.raises(OSError, match="large"):
            write_table(fresh, table_path(GAME, tmp_path))
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert [file.name for file in tmp_path.iterdir()] == ["tic-tac-toe.table"]
    verify(table)


def test_without_a_place_for_it_a_table_is_good_for_this_run(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("not a folder")
    table = load_table(GAME, folder=tmp_path / "file")
    assert table is not None
    assert table.path is None
    assert str(table.value(GAME.rules.start)) == "draw"


def test_what_a_killed_run_left_is_removed_after_a_while(tmp_path: Path) -> None:
    old, new = (tmp_path / f".tic-tac-toe.table.{name}.part" for name in ("old", "new"))
    for file in (old, new):
        file.write_text("half a table")
    os.utime(old, (time.time() - 2 * ABANDONED,) * 2)
    load_table(GAME, folder=tmp_path)
    assert not old.exists()
    assert new.exists()


def test_the_command_solves_says_what_it_found_and_checks(tmp_path: Path) -> None:
    place = ["--folder", str(tmp_path)]
    result = connectoe("solve", "tic-tac-toe", *place)
    assert result.exit_code == 0
    assert "a draw with best play" in result.output
    assert "4,520 unfinished (627 up to mirror images)" in result.output
    assert "is sound" in connectoe("solve", "tic-tac-toe", "--verify", *place).output
    facts = json.loads(connectoe("solve", "tic-tac-toe", "--force", "--count-finished", "--json", *place).stdout)
    assert facts["start"] == ["draw", None]
    assert facts["finished"] == {"won by 0": 626, "won by 1": 316, "drawn": 16}
    (tmp_path / "tic-tac-toe.table").write_bytes(b"nonsense")
    result = connectoe("solve", "tic-tac-toe", "--verify", *place)
    assert result.exit_code == 1
    assert "no table" in result.output
    assert "solving again" in connectoe("solve", "tic-tac-toe", *place).output


def test_the_command_does_not_begin_what_it_cannot_finish(tmp_path: Path) -> None:
    result = connectoe("solve", "connect-tac-toe", "--folder", str(tmp_path))
    assert result.exit_code == 1
    assert "a position does not fit into 62 bits" in result.output
    result = connectoe("solve", "connect-tac-toe", "-O", "cols=5", "-O", "rows=5", "--folder", str(tmp_path))
    assert result.exit_code == 1
    assert "more than can be solved" in result.output
    assert "perhaps many times as many" in result.output  # so large an estimate is a lower bound
    result = connectoe("solve", "connect-four", "-O", "cols=6", "-O", "rows=4", "--folder", str(tmp_path))
    assert result.exit_code == 1
    assert "give --yes" in result.output
    assert list(tmp_path.iterdir()) == []


def test_a_reworded_docstring_leaves_the_rules_as_they_are(tmp_path: Path) -> None:
    file = tmp_path / "nim.py"
    fingerprints = set()
    for docstring in ("", '"""Take sticks."""; ', '"""Take up to three sticks."""; '):
        file.write_text(
            NIM.replace("return Position(position.sticks - 1", f"{docstring}return Position(position.sticks - 1")
        )
        fingerprints.add(rules_fingerprint(load(file)))
    assert len(fingerprints) == 1
    file.write_text(NIM.replace("min(3", "min(2"))
    assert rules_fingerprint(load(file)) not in fingerprints
