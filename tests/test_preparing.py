"""Preparing engines in other processes: what is prepared is found, and whatever happens leaves nothing half done."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from connectoe import load
from connectoe.engines import readiness
from connectoe.engines.cache import cache_folder
from connectoe.engines.readiness import PARTS, is_being_prepared, marker_of, note_ready, taking_turns
from connectoe.preparing import COMMAND, NOT_KEPT, Job, job_from, jobs_for
from tests.nim import NIM
from tests.waiting import until

pytestmark = pytest.mark.slow


def do(lines: list[str], cache: Path) -> list[str]:
    """What the preparing process answers to these jobs."""
    done = subprocess.run(
        COMMAND, input="".join(f"{line}\n" for line in lines), env=environment(cache), capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


def environment(cache: Path) -> dict[str, str]:
    return {**os.environ, "CONNECTOE_CACHE": str(cache)}


def python(code: str, cache: Path) -> str:
    run = subprocess.run(
        [sys.executable, "-c", code], env=environment(cache), capture_output=True, text=True, check=True
    )
    return run.stdout.strip()


COMPILES_NOTHING = """
import connectoe
from connectoe import analysis, prompt
from connectoe.engines.compiling import _Kept

def never(*asked): raise SystemExit("this was compiled anew")
_Kept.save_overload = never
"""
LOADS_ONLY = f"""{COMPILES_NOTHING}
game = connectoe.load({{game!r}})
found = analysis.analyse(game, game.rules.start, seconds=0.1, waits=False)
print(found.result, found.plies)
"""


def test_what_one_process_has_prepared_others_need_not_compile(tmp_path: Path) -> None:
    game = load("tic-tac-toe")
    jobs = [Job(game, part).to_line() for part in PARTS]
    assert do(jobs, tmp_path) == ["done"] * len(PARTS)
    assert [file.name for file in (tmp_path / "tables").glob("*")] == ["tic-tac-toe.table"]
    assert python(LOADS_ONLY.format(game="tic-tac-toe"), tmp_path) == "draw None"
    # Files are removed when there are too many; compiling them again is not for whoever waits for a move.
    asks = "import connectoe; from connectoe.engines.readiness import *; game = connectoe.load('tic-tac-toe')\n"
    asks += "print([is_ready(game, part) for part in PARTS])"
    assert python(asks, tmp_path) == "[True, True, True, True, True]"
    for file in tmp_path.rglob("*look_up*.code"):
        file.unlink()
    assert python(asks, tmp_path) == "[True, False, False, False, False]"


def test_hard_is_ready_when_all_that_its_first_move_needs_is_compiled(tmp_path: Path) -> None:
    game = load("connect-tac-toe", cols=3, rows=3, discs=3)  # `hard` plays it by alpha-beta
    assert do([Job(game, part).to_line() for part in ("levels", "hard")], tmp_path) == ["done"] * 2
    plays = f"""{COMPILES_NOTHING}
game = connectoe.load("connect-tac-toe", cols=3, rows=3, discs=3)
hard, match = prompt.prompt_player("hard", game), connectoe.Match(game)
print(hard.choose(match) in match.legal_moves(), hard.is_full_strength)
"""
    assert python(plays, tmp_path) == "True True"


def test_no_table_is_begun_where_an_opening_book_knows_the_game(tmp_path: Path) -> None:
    assert do([Job(load("connect-four"), "table").to_line()], tmp_path) == ["done"]
    assert not list(tmp_path.rglob("*.code"))  # not even what would make it was compiled


def test_games_of_ones_own_are_prepared_each_for_itself(tmp_path: Path) -> None:
    nim, misere = tmp_path / "nim.py", tmp_path / "misere.py"
    nim.write_text(NIM)
    misere.write_text(NIM.replace('"nim"', '"misere"').replace("else 1 - position.turn", "else position.turn"))
    games = [load(nim), load(misere)]
    lines = [Job(game, part).to_line() for game in games for part in ("levels", "table")]
    assert do(lines, tmp_path / "cache") == ["done"] * 4
    assert python(LOADS_ONLY.format(game=str(nim)), tmp_path / "cache") == "win 11"
    both = f"import connectoe; connectoe.load({str(misere)!r}).start\n" + LOADS_ONLY.format(game=str(nim))
    assert python(both, tmp_path / "cache") == "win 11"  # whatever else this process knows


def test_a_job_that_fails_is_reported_and_the_next_one_done(tmp_path: Path) -> None:
    answers = do(['{"game": "no-such-game", "options": {}, "part": "levels"}', "nonsense"], tmp_path)
    assert answers[0].startswith("UnknownGame: there is no game 'no-such-game'")
    assert answers[1].startswith("JSONDecodeError")
    own = tmp_path / "nim.py"
    own.write_text(NIM.replace("return position.turn", "return position.turn + len({})"))
    job = Job(load(own), "levels")
    answers = do([job.to_line(), Job(load("tic-tac-toe"), "levels").to_line()], tmp_path / "cache")
    assert answers[0].startswith("NotCompiled: the rules do not compile")
    assert answers[1] == "done"


def test_killed_at_any_moment_nothing_is_lost_or_half_done(tmp_path: Path) -> None:
    lines = [Job(load("semaphores", rows=3, cols=3), part).to_line() for part in ("levels", "table")]
    for seconds in (0.3, 2.0, 3.5, 1.0):  # each goes on with what those before it have left behind
        process = subprocess.Popen(
            COMMAND, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment(tmp_path), text=True
        )
        assert process.stdin
        process.stdin.write("".join(f"{line}\n" for line in lines))
        process.stdin.flush()
        with pytest.raises(subprocess.TimeoutExpired):
            process.wait(seconds)
        process.kill()
        process.communicate()
    assert do(lines, tmp_path) == ["done"] * 2
    code = "import connectoe; from connectoe.engines.exact.table_files import open_table\n"
    code += "t = open_table(connectoe.load('semaphores', cols=3), check_all=True); print(t.value(t.game.rules.start))"
    assert python(code, tmp_path) == "win in 17"


def test_two_processes_on_one_empty_cache_do_not_disturb_each_other(tmp_path: Path) -> None:
    lines = "".join(f"{Job(load('tic-tac-toe'), part).to_line()}\n" for part in ("levels", "table"))
    both = [
        subprocess.Popen(COMMAND, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment(tmp_path), text=True)
        for _ in range(2)
    ]
    for process in both:
        assert process.stdin
        process.stdin.write(lines)
        process.stdin.close()
        process.stdin = None
    assert [process.communicate(timeout=300)[0].split() for process in both] == [["done"] * 2] * 2
    assert python(LOADS_ONLY.format(game="tic-tac-toe"), tmp_path) == "draw None"


def test_a_cache_that_cannot_be_written_to_still_plays() -> None:
    nowhere = Path("/dev/null/cache")
    code = "from connectoe import *; from connectoe.prompt import prompt_player; m = Match(load('semaphores'))\n"
    code += "print(prompt_player('medium', m.game, seed=1).choose(m) in m.legal_moves())"
    assert python(code, nowhere) == "True"
    asked = [sys.executable, "-m", "connectoe", "analyse", "semaphores", "--seconds", "0.2"]
    run = subprocess.run(asked, env=environment(nowhere), capture_output=True, text=True, check=True)
    assert "expected score" in run.stdout


def test_a_table_that_is_not_in_its_place_is_made_again(tmp_path: Path) -> None:
    job, table = Job(load("tic-tac-toe"), "table").to_line(), tmp_path / "tables" / "tic-tac-toe.table"
    table.mkdir(parents=True)
    assert do([job], tmp_path) == [NOT_KEPT]
    table.rmdir()
    assert do([job], tmp_path) == ["done"]
    table.unlink()
    assert do([job], tmp_path) == ["done"]
    assert table.is_file()


def test_a_process_says_that_what_it_has_compiled_cannot_be_kept(tmp_path: Path) -> None:
    """Such as on a full disk: here no file may be longer than a marker."""
    resource = pytest.importorskip("resource")
    done = subprocess.run(
        COMMAND,
        input=Job(load("tic-tac-toe"), "levels").to_line(),
        env=environment(tmp_path),
        capture_output=True,
        text=True,
        check=True,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (4000, 4000)),
    )
    assert done.stdout == f"{NOT_KEPT}\n"
    assert "cannot be written to (File too large): what is compiled is kept in memory" in done.stderr
    assert done.stderr.count("\n") == 1


def test_turns_are_taken_and_what_is_ready_is_noted_for_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CONNECTOE_CACHE", str(tmp_path))
    monkeypatch.setattr(readiness, "_in_memory", {})  # other tests may have prepared these games in this process
    monkeypatch.setattr(readiness, "_on_disk", {})
    cache_folder.cache_clear()
    game = load("connect-four", cols=3, rows=5)
    try:
        in_order = ["table", "levels", "hard", "analysis", "people"]  # the table of a small game comes first
        assert [job.part for job in jobs_for(game)] == in_order
        assert [job.part for job in jobs_for(load("ultimate"))] == list(PARTS)
        with taking_turns(game, "levels"):
            assert is_being_prepared(game, "levels")
            assert not is_being_prepared(game, "table")
        until(lambda: not is_being_prepared(game, "levels"))
        note_ready(game, "levels")
        marker = marker_of(game, "levels")
        assert marker
        assert marker.exists()
        in_order.remove("levels")
        assert [job.part for job in jobs_for(game)] == in_order
        assert job_from(Job(game, "table").to_line()) == Job(game, "table")
    finally:
        cache_folder.cache_clear()
