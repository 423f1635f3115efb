"""A study gives the same bytes however it is run: on few workers or many, interrupted or not, here or on a cluster."""

from __future__ import annotations

import gzip
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, ProcessPoolExecutor, ThreadPoolExecutor
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from connectoe import Game, load, read_matches
from connectoe.atomic import atomic_file
from connectoe.cli import main
from connectoe.commands.study import variants_of
from connectoe.core.errors import ConnectoeError
from connectoe.running import workers
from connectoe.running.workers import cluster, processes
from connectoe.study import playing, report
from connectoe.study.checked import with_check, without_check
from connectoe.study.chunks import ChunkResult, PlayedGames
from connectoe.study.execution import run
from connectoe.study.folder import chunk_path, prepare, read_chunk, read_plan, take_over, unfinished
from connectoe.study.outlook import Outlook, one_of_each_first
from connectoe.study.plan import Chunk, Plan, chunks_of, key_of, make_plan
from connectoe.study.playing import play_chunk
from tests.study.studying import files_of_at_most, in_small_chunks, studied

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def plan() -> Plan:
    """A comparison."""
    game = load("c4-twist", cols=3, rows=3, connect=3)
    asked = make_plan([game, load(game, bombs=2)], ["random", "easy"], 30, seed=5, evaluated=4, evaluation=50)
    return in_small_chunks(asked, 10)


@pytest.fixture(scope="module")
def expected(plan: Plan, tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    """What one worker, never disturbed, makes of it."""
    return studied(plan, tmp_path_factory.mktemp("undisturbed"))


@pytest.mark.parametrize("workers", [1, 2, 4])
def test_the_number_of_workers_changes_nothing(
    plan: Plan, expected: dict[str, bytes], workers: int, tmp_path: Path
) -> None:
    assert studied(plan, tmp_path, processes(workers), workers) == expected


@pytest.fixture
def machines() -> Iterator[Any]:
    """A cluster of two worker processes."""
    from distributed import LocalCluster

    made: Any = LocalCluster(  # type: ignore[no-untyped-call]
        n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None
    )
    yield made
    made.close()


@pytest.mark.parametrize("is_disturbed", [False, True], ids=["undisturbed", "with one worker killed"])
def test_a_cluster_of_two_processes_finds_the_same(
    plan: Plan, expected: dict[str, bytes], machines: Any, is_disturbed: bool, tmp_path: Path
) -> None:
    workers_of = [worker.pid for worker in machines.workers.values()]

    def disturb(*_: object) -> None:
        if is_disturbed and len(workers_of) == 2:
            os.kill(workers_of.pop(), signal.SIGKILL)

    with cluster(machines.scheduler_address) as (make_executor, workers):
        assert workers == 2
        prepare(plan, tmp_path)
        run(plan, tmp_path, make_executor, workers, disturb)
        assert len(workers_of) == (1 if is_disturbed else 2)
        assert studied(plan, tmp_path, make_executor, workers) == expected


def test_ctrl_c_and_a_lost_cluster_lose_nothing(
    plan: Plan, expected: dict[str, bytes], machines: Any, tmp_path: Path
) -> None:
    prepare(plan, tmp_path)

    def run_until(stop: Callable[[], None]) -> None:
        with cluster(machines.scheduler_address) as (make_executor, workers):
            run(plan, tmp_path, make_executor, workers, lambda chunk, seconds: stop())

    def ctrl_c() -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run_until(ctrl_c)
    with pytest.raises(ConnectoeError, match="does not answer any more"):
        run_until(machines.close)
    assert 0 < len(unfinished(plan, tmp_path)) < len(list(chunks_of(plan))) - 1
    assert studied(plan, tmp_path) == expected


def test_a_killed_worker_loses_nothing(plan: Plan, expected: dict[str, bytes], tmp_path: Path) -> None:
    made: list[ProcessPoolExecutor] = []
    killed: list[int] = []

    def make_executor() -> Executor:
        executor = processes(2)()
        assert isinstance(executor, ProcessPoolExecutor)
        made.append(executor)
        return executor

    def kill_one(*_: object) -> None:
        if not killed:
            killed.append(next(iter(made[0]._processes)))
            os.kill(killed[0], signal.SIGKILL)

    prepare(plan, tmp_path)
    run(plan, tmp_path, make_executor, 2, kill_one)
    assert killed
    assert len(made) > 1, "the workers were not started again"
    assert studied(plan, tmp_path) == expected


@pytest.mark.usefixtures("hears_ctrl_c")
def test_a_comparison_stopped_by_ctrl_c_and_then_killed_goes_on_where_it_was(tmp_path: Path) -> None:
    asked = [sys.executable, "-m", "connectoe", "compare", "c4-twist", "--option", "bombs=0,1", "--option", "cols=3"]
    asked += ["--option", "rows=3", "--option", "connect=3", "--players", "easy", "--games", "800", "--evaluated", "0"]
    asked += ["--processes", "1", "-o"]
    first, second = tmp_path / "interrupted", tmp_path / "undisturbed"

    def chunks() -> dict[Path, int]:
        return {path: path.stat().st_mtime_ns for path in first.glob("chunks/0*.json")}

    def started(until: int) -> subprocess.Popen[str]:
        """The comparison, when that many chunks are there."""
        running = subprocess.Popen([*asked, str(first)], stderr=subprocess.PIPE, text=True, start_new_session=True)
        deadline = time.monotonic() + 120
        while len(chunks()) < until and time.monotonic() < deadline:
            time.sleep(0.02)
        return running

    interrupted = started(until=3)
    os.killpg(interrupted.pid, signal.SIGINT)  # a terminal tells the workers too
    _, said = interrupted.communicate(timeout=60)
    assert interrupted.returncode == 130
    assert "run the same command to continue" in said
    assert "Traceback" not in said
    before = chunks()
    assert len(before) >= 3
    killed = started(until=len(before) + 2)
    killed.kill()
    _, said = killed.communicate()
    assert "continuing: " in said
    then = chunks()
    assert len(before) + 2 <= len(then)
    assert unfinished(read_plan(first), first)
    assert not (first / "report.html").exists()
    for folder in (first, second):
        subprocess.run([*asked, str(folder)], capture_output=True, check=True)
    after = chunks()
    assert all(after[path] == when for path, when in then.items()), "a finished chunk was played again"
    for name in ("plan.json", "figures.json", "figures.csv", "games.txt.gz", "report.html"):
        assert (first / name).read_bytes() == (second / name).read_bytes()


def test_the_time_left_follows_from_what_each_kind_of_chunk_takes() -> None:
    games = {"random": 20_000_000, "easy": 400, "hard": 50, "easy/hard": 10}
    asked = make_plan([load("connect-four")], ["random", "easy", "hard"], {**games, "random/easy": 400}, evaluated=0)
    chunks = one_of_each_first(chunks_of(asked))
    seconds_of = {"random": 1e-6, "easy": 0.1, "hard": 60.0}  # a game

    def takes(chunk: Chunk) -> float:
        return sum(seconds_of[name] for name in chunk.players) / 2 * chunk.games if chunk.players else 1.0

    outlook = Outlook(chunks, workers=2)
    for done, chunk in enumerate(chunks, start=1):
        outlook.finished(chunk, takes(chunk))
        rest = sum(takes(other) for other in chunks[done:]) / 2
        if done < 8:  # the theory and seven pairings
            assert outlook.seconds_left is None
        else:
            assert outlook.seconds_left == pytest.approx(rest)
    assert outlook.share_done == 1


def test_damaged_chunks_are_reported_and_played_again(
    plan: Plan, expected: dict[str, bytes], tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    studied(plan, tmp_path)
    short, changed = chunk_path(tmp_path, 3), chunk_path(tmp_path, 4)
    short.write_bytes(short.read_bytes()[:100])
    content = changed.read_text()
    results = re.search(r'"results":\[(\d)', content)
    assert results
    changed.write_text(content[: results.start(1)] + str((int(results[1]) + 1) % 10) + content[results.end(1) :])
    assert [chunk.number for chunk in unfinished(plan, tmp_path)] == [3, 4]
    assert f"{short} is not used, it is damaged: its checksum is missing" in caplog.text
    assert f"{changed} is not used, it is damaged: it is not what was written" in caplog.text
    assert studied(plan, tmp_path) == expected


def test_a_damaged_plan_is_reported_and_not_taken_for_another_study(plan: Plan, tmp_path: Path) -> None:
    prepare(plan, tmp_path)
    path = tmp_path / "plan.json"
    path.write_text(path.read_text().replace('"seed": 5', '"seed": 6'))
    for look in (lambda: prepare(plan, tmp_path), lambda: read_plan(tmp_path)):
        with pytest.raises(ConnectoeError, match="this is not the plan of a study: it is damaged"):
            look()


def test_a_plan_without_a_checksum_can_be_continued(plan: Plan, tmp_path: Path) -> None:
    prepare(plan, tmp_path)
    path = tmp_path / "plan.json"
    whole = path.read_text()
    path.write_text(without_check(whole))
    prepare(plan, tmp_path)
    assert path.read_text() == whole


def test_a_full_disk_stops_a_study_with_a_word_and_loses_nothing(
    plan: Plan, expected: dict[str, bytes], tmp_path: Path
) -> None:
    prepare(plan, tmp_path)
    with files_of_at_most(1500), pytest.raises(ConnectoeError, match="cannot be written: File too large"):
        run(plan, tmp_path, lambda: ThreadPoolExecutor(1), 1)
    assert len(unfinished(plan, tmp_path)) < len(list(chunks_of(plan)))  # the theory was small enough
    assert not list(tmp_path.glob("chunks/.*")), "something half written was left behind"
    assert studied(plan, tmp_path) == expected


def test_chunks_of_hard_players_do_not_depend_on_what_was_played_before() -> None:
    asked = make_plan([load("connect-four", cols=4, rows=4)], ["hard"], 3, evaluated=0)
    _, *chunks = chunks_of(asked)
    forwards = [play_chunk(chunk) for chunk in chunks]
    backwards = [play_chunk(chunk) for chunk in reversed(chunks)]
    assert forwards == backwards[::-1]


def test_chunks_of_one_process_have_the_solver_one_after_another(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = make_plan([load("connect-four", cols=4, rows=4)], ["hard"], 6, evaluated=0)
    chunks = [chunk for chunk in chunks_of(in_small_chunks(asked, 2)) if chunk.players]
    at_work, most = [0], [0]
    play = playing._played_chunk

    def watched(game: Game, chunk: Chunk) -> PlayedGames:
        at_work[0] += 1
        most[0] = max(most[0], at_work[0])
        time.sleep(0.05)
        at_work[0] -= 1
        return play(game, chunk)

    monkeypatch.setattr(playing, "_played_chunk", watched)
    with ThreadPoolExecutor(len(chunks)) as threads:
        assert len(list(threads.map(play_chunk, chunks))) == 3
    assert most == [1]


def test_threads_that_write_the_same_file_do_not_meet(tmp_path: Path) -> None:
    def write() -> None:
        with atomic_file(tmp_path / "game.py") as file:
            file.write(b"x")

    with ThreadPoolExecutor(2) as threads:
        written = [threads.submit(write) for _ in range(40)]
    assert [writing.result() for writing in written] == [None] * 40
    assert [file.name for file in tmp_path.iterdir()] == ["game.py"]


def test_the_settings_of_a_player_may_stand_in_any_order() -> None:
    asked = ["mcts:exploration=0.5,simulations=20", "mcts:simulations=20,exploration=0.5"]
    one, other = (make_plan([load("tic-tac-toe")], [name], 8).pairings for name in asked)
    assert [pairing.chunk for pairing in one] == [pairing.chunk for pairing in other]


def test_a_game_of_ones_own_travels_to_the_workers(notakto: Path, tmp_path: Path) -> None:
    asked = make_plan([load(notakto)], ["random"], 500, evaluated=0, records=5)
    files = studied(asked, tmp_path / "study", processes(1), 1)
    assert b"Notakto" in files["report.html"]
    matches = read_matches(gzip.decompress(files["games.txt.gz"]).decode(), type(load(notakto)))
    assert len(matches) == 5


@pytest.fixture
def notakto(tmp_path: Path) -> Path:
    """The file of a game of one's own."""
    file = tmp_path / "notakto.py"
    file.write_text((ROOT / "CONTRIBUTING.md").read_text().split("```python\n")[1].split("```")[0])
    return file


def test_a_comment_in_the_file_of_a_game_makes_no_other_study(notakto: Path, tmp_path: Path) -> None:
    asked: dict[str, Any] = {"evaluated": 0, "records": 5}
    before = make_plan([load(notakto)], ["random"], 500, **asked)
    figures = studied(before, tmp_path / "study")["figures.json"]
    notakto.write_text("# A remark.\n" + notakto.read_text())
    after = make_plan([load(notakto)], ["random"], 500, **asked)
    assert after.source != before.source
    prepare(after, tmp_path / "study")
    assert unfinished(after, tmp_path / "study") == []
    prepare(after, tmp_path / "other")
    assert take_over(after, tmp_path / "other", [tmp_path / "study"]) == 2
    assert studied(after, tmp_path / "other")["figures.json"] == figures


@pytest.mark.parametrize("line", ["    ply_limit = 7", '    endings = ("won", "lost")'])
def test_any_other_change_of_the_file_makes_another_study(notakto: Path, tmp_path: Path, line: str) -> None:
    before = make_plan([load(notakto)], ["random"], 20)
    prepare(before, tmp_path / "study")
    text = notakto.read_text()
    name = next(part for part in text.splitlines() if part.startswith("    name ="))
    notakto.write_text(text.replace(name, f"{name}\n{line}"))
    after = make_plan([load(notakto)], ["random"], 20)
    with pytest.raises(ConnectoeError, match="differs in the game or its file"):
        prepare(after, tmp_path / "study")
    assert {key_of(before, chunk) for chunk in chunks_of(before)}.isdisjoint(
        key_of(after, chunk) for chunk in chunks_of(after)
    )


def test_the_first_games_are_written_down_and_evaluated() -> None:
    asked = make_plan([load("tic-tac-toe")], ["easy"], 1005, records=250, evaluated=40)
    _, *chunks = chunks_of(in_small_chunks(asked, 100))
    assert [chunk.records for chunk in chunks] == [100, 100, 50] + [0] * 8
    assert [chunk.evaluated for chunk in chunks] == [40] + [0] * 10


def test_more_games_of_the_same_take_over_those_that_were_played(tmp_path: Path) -> None:
    few, many = (
        in_small_chunks(make_plan([load("tic-tac-toe")], ["easy"], games, records=20, evaluated=5), 10)
        for games in (45, 80)
    )
    studied(few, tmp_path / "few")
    prepare(many, tmp_path / "many")
    assert take_over(many, tmp_path / "many", [tmp_path / "few"]) == 1 + 4  # the theory, and all whole chunks
    assert studied(many, tmp_path / "many") == studied(many, tmp_path / "anew")


def test_a_comparison_takes_over_the_variant_that_was_studied(tmp_path: Path) -> None:
    one = load("c4-twist", cols=3, rows=3, connect=3)
    two = load(one, bombs=2)
    study, comparison = (make_plan(variants, ["random", "easy"], 20) for variants in ([two], [one, two]))
    studied(study, tmp_path / "study")
    prepare(comparison, tmp_path / "comparison")
    assert take_over(comparison, tmp_path / "comparison", [tmp_path / "study"]) == 5
    assert studied(comparison, tmp_path / "comparison") == studied(comparison, tmp_path / "anew")


def test_nothing_is_taken_over_from_other_seeds_rules_versions_or_evaluations(tmp_path: Path) -> None:
    def asked(**details: Any) -> Plan:
        return make_plan([load("tic-tac-toe")], ["random"], 20, **{"evaluated": 1, **details})

    studied(asked(), tmp_path / "study")
    taken = {}
    for name, other in {
        "seed": asked(seed=1),
        "simulations": asked(evaluation=50),
        "rules": asked()._replace(rules=("other rules",)),
        "version": asked()._replace(version="0.0.1"),
        "games evaluated": asked(evaluated=2),
        "nothing": asked(),
    }.items():
        prepare(other, tmp_path / name)
        taken[name] = take_over(other, tmp_path / name, [tmp_path / "study"])
    # The theory does not depend on how many games are evaluated.
    assert taken == {"seed": 0, "simulations": 0, "rules": 0, "version": 0, "games evaluated": 1, "nothing": 2}


def test_a_chunk_of_another_study_in_the_folder_is_played_again(tmp_path: Path) -> None:
    plan = make_plan([load("tic-tac-toe")], ["random"], 20, evaluated=0)
    studied(plan._replace(seed=1), tmp_path / "other")
    prepare(plan, tmp_path / "study")
    shutil.copy(chunk_path(tmp_path / "other", 1), chunk_path(tmp_path / "study", 1))
    assert 1 in [chunk.number for chunk in unfinished(plan, tmp_path / "study")]


def test_from_is_an_option_that_is_not_part_of_the_command_on_the_page(tmp_path: Path) -> None:
    def study(*more: str) -> Result:
        words = ["study", "tic-tac-toe", "--players", "random", "--evaluated", "0", "--processes", "1"]
        return CliRunner().invoke(main, [*words, *more])

    first, second = str(tmp_path / "first"), str(tmp_path / "second")
    assert study("--games", "50", "-o", first).exit_code == 0
    done = study("--games", "60", "--from", first, "-o", second)
    assert done.exit_code == 0
    assert "1 chunks reused from other studies" in done.stderr
    assert "--from" not in (tmp_path / "second" / "report.html").read_text()
    refused = study("--games", "60", "-o", first)
    assert refused.exit_code == 1
    assert f"and --from {first} to reuse what both have in common" in " ".join(refused.stderr.split())


def test_every_game_of_a_study_is_a_record_and_can_be_read_again(expected: dict[str, bytes]) -> None:
    matches = read_matches(gzip.decompress(expected["games.txt.gz"]).decode())
    assert len(matches) == 2 * (30 + 30 + 15 + 15)
    assert all(match.outcome for match in matches)


# Bad input.


def asked_for(*arguments: str) -> Result:
    return CliRunner().invoke(main, ["study", "tic-tac-toe", "--games", "10", *arguments])


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["--measures", "fun"], "there is no measure 'fun'; the measures are: first_score"),
        (["--option", "cols=4"], "tic-tac-toe has no option 'cols'"),
        (["--option", "cols"], "an option is given as NAME=VALUE"),
        (["--players", "random,grandmaster"], "there is no player 'grandmaster'"),
        (["--players", "mcts:seconds=1"], "cannot be repeated: a study needs players limited by work"),
        (["--players", "easy,easy"], "each player may be given only once"),
        (["--players", ""], "a study needs a game and a player"),
        (["--games", "many"], "games are a number"),
        (["--games", "easy=5"], "the number of games of random is missing"),
        (["--games", "easy=5,random=5,easy/random=5"], "games can be given for random, easy, random/easy"),
        (["--games", "easy=5,random=5,easy=6"], "games are a number, or numbers by player"),
        (["--games", "easy=5,random=5,random/easy=0"], "the number of games must be between 1"),
        (["--games", "0"], "the number of games must be between 1"),
        (["--evaluation", "0"], "--evaluation 1 or more"),
        (
            ["--cluster", "http://127.0.0.1:9"],
            "the address of a cluster looks like tcp://HOST:8786, not 'http://127.0.0.1:9'",
        ),
        (["--from", "."], "there is no study in ."),
        (["--cluster", "nonsense"], "the address of a cluster looks like tcp://HOST:8786, not 'nonsense'"),
    ],
)
def test_a_wrong_question_is_answered_in_one_line_and_nothing_is_written(
    arguments: list[str], says: str, tmp_path: Path
) -> None:
    result = asked_for(*arguments, "-o", str(tmp_path / "study"))
    assert result.exit_code in (1, 2)
    assert says in result.output
    assert not (tmp_path / "study").exists()


@pytest.mark.parametrize("package", ["jinja2", "matplotlib"])
def test_what_a_report_needs_is_asked_for_before_anything_is_played(
    package: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(report, "find_spec", lambda name: None if name == package else find_spec(name))
    result = asked_for("-o", str(tmp_path / "study"))
    assert result.exit_code == 1
    assert "a report needs some more packages: pip install 'connectoe[study]'" in result.output
    assert not (tmp_path / "study").exists()


def test_a_cluster_that_does_not_answer_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workers, "cluster", lambda address: cluster(address, timeout=0.5))
    result = asked_for("--cluster", "tcp://127.0.0.1:1", "-o", str(tmp_path / "study"))
    assert result.exit_code == 1
    assert "no cluster answers at 'tcp://127.0.0.1:1'" in result.output


def test_a_folder_that_cannot_be_used_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("not a folder")
    result = asked_for("-o", str(tmp_path / "file" / "study"))
    assert result.exit_code == 1
    assert "cannot be used: Not a directory" in result.output


def test_a_folder_with_another_study_is_left_alone(plan: Plan, tmp_path: Path) -> None:
    prepare(plan, tmp_path)
    result = asked_for("-o", str(tmp_path))
    assert result.exit_code == 1
    assert "holds another study" in result.output


def test_a_plan_that_is_not_text_is_not_continued(tmp_path: Path) -> None:
    (tmp_path / "plan.json").write_bytes(b"\xff\xfe")
    result = asked_for("-o", str(tmp_path))
    assert result.exit_code == 1
    assert "cannot be continued, this is not the plan of a study" in result.output


def test_it_is_said_in_what_another_study_differs(tmp_path: Path) -> None:
    game = load("tic-tac-toe")
    prepare(make_plan([game], ["random"], 10), tmp_path)
    with pytest.raises(
        ConnectoeError, match=r"which differs in the players, the games \(.*\), the seed: give another folder; or"
    ):
        prepare(make_plan([game], ["easy"], 20, seed=1), tmp_path)
    with pytest.raises(
        ConnectoeError, match=r"differs in the games \(.*\): give another folder, and --from .* to reuse"
    ):
        prepare(make_plan([game], ["random"], 20), tmp_path)


def test_random_moves_must_leave_something_to_the_players() -> None:
    with pytest.raises(ConnectoeError, match="random games of tic-tac-toe last 7.. moves on average: 20 random moves"):
        make_plan([load("tic-tac-toe")], ["easy"], 10, plies=20)
    make_plan([load("tic-tac-toe")], ["easy"], 10, plies=2)


def test_a_plan_of_another_version_is_another_study(tmp_path: Path) -> None:
    asked = ["--players", "random", "--evaluated", "0", "--processes", "1", "-o", str(tmp_path)]
    made = make_plan([load("tic-tac-toe")], ["random"], 10, evaluated=0)
    prepare(made._replace(version="0.0.1"), tmp_path)
    assert "holds another study" in asked_for(*asked).output


def test_values_of_an_option_given_twice_are_all_studied() -> None:
    games = variants_of("c4-twist", ["bombs=0", "bombs=2", "cols=5"], [])
    assert [game.options["bombs"] for game in games] == [0, 2]


def test_nothing_to_compare_is_said() -> None:
    result = CliRunner().invoke(main, ["compare", "tic-tac-toe"])
    assert result.exit_code == 2
    assert "there is nothing to compare" in result.output


def test_comparing_needs_no_more_than_a_second_value(tmp_path: Path) -> None:
    arguments = ["compare", "connect-four", "--variant", "cols=4 rows=4", "--variant", "cols=5 rows=4"]
    arguments += ["--players", "random", "--games", "3000", "--evaluated", "0", "--processes", "1", "-o", str(tmp_path)]
    result = CliRunner().invoke(main, arguments)
    assert result.exit_code == 0, result.output
    assert "of 4 differences are real (Holm, 5%)" in result.output
    page = (tmp_path / "report.html").read_text()
    assert "Holm" in page
    assert "cols=5" in page
    shutil.rmtree(tmp_path / "chunks")
    assert CliRunner().invoke(main, arguments).exit_code == 0
    assert (tmp_path / "report.html").read_text() == page


def test_the_result_of_every_chunk_survives_its_file(plan: Plan, expected: dict[str, bytes], tmp_path: Path) -> None:
    studied(plan, tmp_path)
    for chunk in chunks_of(plan):
        content = chunk_path(tmp_path, chunk.number).read_bytes()
        result = read_chunk(tmp_path, chunk)
        assert result == ChunkResult.from_json(content)
        assert result.to_json() == content


@pytest.mark.parametrize("content", [b"", b"[]", b"null", b"{}", b'{"chunk":0,"seed":1,"theory":3}', b'{"chunk":0}'])
def test_what_is_not_the_result_of_a_chunk_is_refused(content: bytes) -> None:
    for checked in (content, with_check(content.decode()).encode()):
        with pytest.raises(ValueError):  # noqa: PT011
            ChunkResult.from_json(checked)
