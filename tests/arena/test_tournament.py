"""Tournaments: who plays whom, when a match is decided, and engines of other programs."""

from __future__ import annotations

import json
import os
import random
import re
import shlex
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing, contextmanager
from itertools import count
from multiprocessing import active_children
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from connectoe import Match, load, read_matches
from connectoe.arena.external import ExternalPlayer, Forfeit
from connectoe.arena.ratings import Sprt, ratings
from connectoe.arena.tournament import Pair, contest, in_order, pairings, play_pair
from connectoe.cli import main
from connectoe.commands.solve import peak_memory
from connectoe.core.errors import ConnectoeError
from tests.study.studying import files_of_at_most
from tests.waiting import until

pytestmark = pytest.mark.slow

ENGINE = shlex.join([sys.executable, str(Path(__file__).parents[2] / "examples" / "engine.py")])


def arena(*arguments: str) -> Result:
    return CliRunner().invoke(main, ["arena", *arguments, "--processes", "1"])


def program(answers: str) -> str:
    """An engine that says `ready` and then runs this for every line."""
    return "exec:" + shlex.join(
        [sys.executable, "-c", f"import sys, time\nprint('ready', flush=True)\nfor line in sys.stdin:\n {answers}"]
    )


def test_everybody_plays_everybody_and_all_are_rated(tmp_path: Path) -> None:
    file = tmp_path / "games.jsonl"
    result = arena("tic-tac-toe", "random", "easy", "perfect", "--games", "6", "-o", str(file))
    assert result.exit_code == 0, result.output
    for meeting in ("random against easy", "random against perfect", "easy against perfect"):
        assert f"{meeting}: 6 games" in result.output
    ranking = [line.split()[1] for line in result.output.splitlines() if line.strip()[:2] in ("1.", "2.", "3.")]
    assert sorted(ranking) == ["easy:", "perfect:", "random:"]
    assert len(read_matches(file.read_text())) == 18


def test_all_play_one() -> None:
    result = arena("tic-tac-toe", "easy", "medium", "--against", "random", "--games", "2")
    assert result.exit_code == 0, result.output
    assert "easy against random" in result.output
    assert "medium against random" in result.output
    assert "easy against medium" not in result.output
    assert "random: +0 " in result.output  # the others are rated beside it


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["easy"], "two players or more"),
        (["easy", "easy"], "each player takes part once"),
        (["easy", "random", "--sprt", "50,0"], "the lower first"),
        (["easy", "random", "medium", "--sprt", "0,50"], "give two players"),
        (["easy", "random", "--seconds", "0"], "between 0 and 3600"),
        (["easy", "random", "--plies", "-1"], "not in the range"),
        (["easy", "random", "-o", "no/such/folder/games.jsonl"], "Could not open file"),
        (["easy", "exec:"], "there is no command after exec:"),
        (["easy", "exec:no-such-program"], "cannot be started: No such file"),
        (["easy", "exec:cat"], "cannot take part: it said 'game tic-tac-toe', not 'ready'"),
        (["easy", "exec:true"], "cannot take part: its program ended with status 0"),
    ],
)
def test_a_wrong_call_is_answered_in_one_line(arguments: list[str], says: str) -> None:
    result = arena("tic-tac-toe", *arguments, "--games", "2")
    assert result.exit_code in (1, 2)
    assert says in result.output
    assert "score" not in result.output  # nothing was played


@pytest.mark.parametrize("games", ["0", "-2", "3"])
def test_games_come_in_pairs(games: str) -> None:
    result = arena("tic-tac-toe", "easy", "random", "--games", games)
    assert result.exit_code == 2
    assert f"give an even number from 2, not {games}" in result.output


def test_a_match_says_how_many_games_are_different_where_nothing_is_left_to_chance() -> None:
    alike = ["tic-tac-toe", "alpha-beta:50", "alpha-beta:2000", "--games", "8", "--plies", "0"]
    assert "only 2 of the 8 games are different: these players always make the same move" in arena(*alike).output
    by_chance = ["tic-tac-toe", "alpha-beta:50", "perfect", "--games", "8", "--plies", "0"]
    assert "are different" not in arena(*by_chance).output


def test_games_that_are_kept_are_not_overwritten(tmp_path: Path) -> None:
    file = tmp_path / "games.jsonl"
    file.write_text("the games of yesterday\n")
    result = arena("tic-tac-toe", "easy", "random", "--games", "2", "-o", str(file))
    assert result.exit_code == 1
    assert "it already exists" in result.output
    assert "score" not in result.output
    assert file.read_text() == "the games of yesterday\n"
    file.write_text("")  # what a tournament that did not begin leaves is in nobody's way
    assert arena("tic-tac-toe", "easy", "random", "--games", "2", "-o", str(file)).exit_code == 0
    assert len(read_matches(file.read_text())) == 2


def test_pairs_are_judged_in_the_order_of_their_openings() -> None:
    late = [Pair(number, ("", ""), 1.0, ("win", "loss")) for number in (2, 0, 3, 1)]
    assert [pair.number for pair in in_order(late)] == [0, 1, 2, 3]


def pairs_between(score: float, dice: random.Random, most: int = 4000) -> list[Pair]:
    """Made-up pairs of games without draws, in which A wins each with this chance."""
    points = [float((dice.random() < score) + (dice.random() < score)) for _ in range(most)]
    return [Pair(number, ("", ""), won, ("win", "loss")) for number, won in enumerate(points)]


def verdict_of(rule: Sprt, pairs: list[Pair]) -> str | None:
    return next((verdict for count in range(1, len(pairs)) if (verdict := rule.verdict(pairs[:count]))), None)


def test_the_stopping_rule_is_wrong_as_seldom_as_it_says() -> None:
    rule, dice = Sprt(0, 100), random.Random(1)
    equal = [verdict_of(rule, pairs_between(0.5, dice, 400)) for _ in range(100)]
    better = [verdict_of(rule, pairs_between(0.64, dice, 400)) for _ in range(100)]
    assert equal.count("better") <= 11  # one in twenty is expected
    assert better.count("better") >= 89
    assert None not in better


def test_a_match_is_stopped_when_it_is_decided() -> None:
    result = arena("tic-tac-toe", "medium", "random", "--games", "400", "--sprt", "0,100")
    assert result.exit_code == 0, result.output
    assert "medium is better than random" in result.output
    assert "400 games" not in result.output


def test_ratings_put_three_players_on_one_scale() -> None:
    three_of_four = [Pair(number, ("", ""), 1.5, ("win", "draw")) for number in range(50)]
    best, middle, last = ratings({("a", "b"): three_of_four, ("b", "c"): three_of_four})
    assert [best.name, middle.name, last.name] == ["a", "b", "c"]
    assert best.elo - middle.elo == pytest.approx(191, abs=5)  # 75% of the points
    assert middle.low <= middle.elo <= middle.high
    assert ratings({("a", "b"): three_of_four}, anchor="b")[1].elo == 0


def test_intervals_of_ratings_cover_the_true_strength_as_often_as_they_say() -> None:
    true, dice = {"a": 250.0, "b": 0.0, "c": -250.0}, random.Random(4)
    covered = 0
    for _ in range(40):
        played = {}
        for one, other in pairings(list(true)):
            chance = 1 / (1 + 10 ** ((true[other] - true[one]) / 400))
            played[one, other] = pairs_between(chance, dice, 12)
        covered += sum(rating.low <= true[rating.name] <= rating.high for rating in ratings(played))
    assert covered >= 0.88 * 3 * 40


def test_who_plays_whom() -> None:
    assert len(pairings(["a", "b", "c", "d"])) == 6
    with pytest.raises(ConnectoeError, match="each player takes part once"):
        pairings(["a"], against="a")


def test_the_example_engine_plays_every_kind_of_board() -> None:
    for game_id in ("connect-four", "ultimate-ultimate", "advanced"):
        game = load(game_id, **({"tallies": 1} if game_id == "ultimate-ultimate" else {}))
        pair = play_pair(game, (f"exec:{ENGINE}", "random"), number=0, seed=1, plies=0)
        assert pair.forfeits == ()


def test_an_engine_beside_a_level_in_processes_of_their_own() -> None:
    pairs = list(contest(load("connect-four"), f"exec:{ENGINE}", "random", 4, processes=2))
    assert sorted(pair.number for pair in pairs) == [0, 1]
    assert json.loads(pairs[0].records[0])["moves"]


@pytest.mark.parametrize("processes", [1, 2])
def test_an_engine_is_started_once_and_plays_many_games(tmp_path: Path, processes: int) -> None:
    log = tmp_path / "starts"
    engine = "exec:" + shlex.join(["sh", "-c", f"echo started >> {log}; exec {ENGINE}"])
    pairs = list(contest(load("tic-tac-toe"), engine, "random", 12, processes=processes))
    assert len(pairs) == 6
    assert not any(pair.forfeits for pair in pairs)
    assert len(log.read_text().split()) <= 1 + processes  # once to see whether it can be started


def test_an_engine_that_ends_is_started_again_for_the_next_game(tmp_path: Path) -> None:
    log = tmp_path / "starts"
    answers = f"line.startswith('go') and (open({str(log)!r}, 'a').write('x'), sys.exit(3))"
    pairs = list(contest(load("tic-tac-toe"), program(answers), "random", 4))
    assert [pair.results for pair in pairs] == [("loss", "loss")] * 2
    assert log.read_text() == "xxxx"


def test_an_engine_that_cannot_be_started_again_loses_its_games(tmp_path: Path) -> None:
    log = tmp_path / "starts"
    engine = "exec:" + shlex.join(["sh", "-c", f"test -e {log} && exit 1; touch {log}; exec {ENGINE}"])
    [pair] = contest(load("tic-tac-toe"), engine, "random", 2)
    assert pair.results == ("loss", "loss")
    assert "cannot take part: its program ended with status 1" in pair.forfeits[0]


@pytest.mark.parametrize(
    ("answers", "says"),
    [
        ("print('z9' if line.startswith('go') else 'info thinking', flush=True)", "'z9' in .*: a move is a square"),
        ("print('b2', flush=True) if line.startswith('go') else None", "'b2' in .*: there is a mark on b2 already"),
        ("time.sleep(60) if line.startswith('go') else None", "it did not answer within 0.3 seconds"),
        ("print(flush=True)", "an empty line, and with no other within 0.3 seconds"),
        ("sys.exit(3) if line.startswith('go') else None", "its program ended with status 3"),
    ],
)  # fmt: skip
def test_an_engine_that_errs_loses_the_game_and_the_record_says_why(answers: str, says: str) -> None:
    seconds = 0.3 if "0.3" in says else 20
    pair = play_pair(load("tic-tac-toe"), (program(answers), "perfect"), number=0, seed=1, plies=0, seconds=seconds)
    assert pair.results[1] == "loss"
    assert pair.forfeits
    assert re.search(says, pair.forfeits[-1])
    record = json.loads(pair.records[1])
    assert record["reason"] == "resignation"
    assert any("forfeit by player 1" in comment for comment in record["comments"].values())


FLOODS = {
    "remarks": "print('info thinking', flush=True)",
    "a remark without an end": "sys.stdout.write('info' if first else ' more' * 1000); first = False",
    "moves": "print('z9', flush=True)",
}


@pytest.mark.parametrize("flood", FLOODS.values(), ids=FLOODS)
def test_an_engine_that_never_stops_talking_takes_neither_more_time_than_it_has_nor_memory(flood: str) -> None:
    name = program(f"first = True\n while line.startswith('go'):\n  {flood}")
    match = Match(load("tic-tac-toe"))
    with ExternalPlayer(name, match.game, seconds=0.3) as engine:
        began = time.monotonic()
        with pytest.raises(Forfeit, match="it did not answer within 0.3 seconds$|it played 'z9'"):
            engine.choose(match)
        assert time.monotonic() - began < 10
        assert engine.said.empty()
        memory = peak_memory() or 0
        time.sleep(0.3)
        assert (peak_memory() or 0) - memory < 5 << 20


def test_an_engine_may_make_long_remarks_and_leave_lines_empty() -> None:
    says = "'info ' + 'x' * 50_000, '', line.split()[1], sep='\\n', flush=True"
    match = Match(load("tic-tac-toe"))
    with ExternalPlayer(program(f"line.startswith('legal') and print({says})"), match.game, seconds=20) as engine:
        while match.turn is not None:
            match.play(engine.choose(match))


def test_a_tournament_says_what_an_engine_did_wrong() -> None:
    result = arena("tic-tac-toe", "easy", program("print('z9', flush=True)"), "--games", "6")
    assert result.exit_code == 0, result.output
    assert "it played 'z9'" in result.output
    assert "… and 3 more" in result.output


def test_a_full_disk_ends_a_tournament_with_what_was_played(tmp_path: Path) -> None:
    file = tmp_path / "games.jsonl"
    with files_of_at_most(1500):
        result = arena("tic-tac-toe", "easy", "random", "--games", "20", "-o", str(file))
    assert result.exit_code == 1
    assert "easy against random:" in result.output
    assert f"'{file}': File too large" in result.output
    assert len(read_matches("\n".join(file.read_text().splitlines()[:-1]))) >= 2


@pytest.mark.usefixtures("hears_ctrl_c")
def test_ctrl_c_ends_a_tournament_at_once_with_what_was_played(tmp_path: Path) -> None:
    file = tmp_path / "games.jsonl"
    asked = [sys.executable, "-m", "connectoe", "arena", "tic-tac-toe", "easy", "random", "--games", "100000"]
    running = subprocess.Popen(
        [*asked, "--processes", "1", "-o", str(file)],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True,
    )  # fmt: skip
    deadline = time.monotonic() + 60
    while (not file.exists() or file.stat().st_size < 2000) and time.monotonic() < deadline:
        time.sleep(0.02)
    os.killpg(running.pid, signal.SIGINT)
    said, complaint = running.communicate(timeout=60)
    assert running.returncode == 130
    assert "easy against random: " in said
    assert complaint == "stopped before the end\n"
    assert len(read_matches(file.read_text())) >= 4


@pytest.mark.usefixtures("hears_ctrl_c")
def test_ctrl_c_leaves_no_thread_that_waits_for_games_nobody_plays() -> None:
    threads = set(threading.enumerate())
    coming = contest(load("tic-tac-toe"), "easy", "random", 20_000, processes=2)
    next(coming)
    press = threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT))
    press.start()
    with pytest.raises(KeyboardInterrupt), closing(coming):
        list(coming)
    press.join()
    for thread in set(threading.enumerate()) - threads:
        thread.join(30)
    assert set(threading.enumerate()) <= threads


def test_ctrl_c_does_not_reach_the_processes_even_while_they_start() -> None:
    """They would complain of it, each with a traceback of what it was importing."""
    coming = contest(load("tic-tac-toe"), "easy", "random", 100_000, processes=2)
    next(coming)
    for child in active_children():
        blocked = re.findall(r"SigBlk:\s*(\w+)", Path(f"/proc/{child.pid}/status").read_text())
        assert int(blocked[0], 16) >> (signal.SIGINT - 1) & 1  # since it was started: nobody blocks it later
    coming.close()


def test_ctrl_c_while_a_game_is_written_down_ends_those_that_are_still_played(monkeypatch: pytest.MonkeyPatch) -> None:
    @contextmanager
    def interrupted_file(output: str | None) -> Iterator[Callable[[Iterable[str]], None]]:
        calls = count(1)

        def keep(records: Iterable[str]) -> None:
            if next(calls) == 2:
                raise KeyboardInterrupt

        yield keep

    monkeypatch.setattr("connectoe.commands.arena.records_file", interrupted_file)
    asked = ["arena", "tic-tac-toe", "easy", "random", "--games", "100000", "--processes", "2"]
    result = CliRunner().invoke(main, asked)
    assert result.exit_code == 130
    assert "easy against random: 2 games" in result.output
    until(lambda: not active_children(), seconds=30)


def test_processes_end_when_a_tournament_is_decided() -> None:
    coming = contest(load("tic-tac-toe"), "easy", "random", 100_000, processes=2)
    next(coming)
    coming.close()
    until(lambda: not active_children(), seconds=30)
