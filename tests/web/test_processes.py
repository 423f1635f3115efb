"""Servers as processes: two on one database, and one that is killed in the middle of everything."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from pathlib import Path

import httpx
import pytest
import sqlalchemy as sql
from click.testing import CliRunner
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from connectoe import load
from connectoe.cli import main
from connectoe.client import SeatHeld, Server, ServerError, join_by_link, match_of
from tests.waiting import until
from tests.web.serving import Process, children_of, new_database

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]
GAMES = [
    "connect-four",
    "tic-tac-toe",
    "c4-twist",
    "connect-tac-toe",
    "semaphores",
    "ultimate",
    "shift-tac-toe",
    "advanced",
]


@contextmanager
def process(database: str, port: int | None = None, *more: str) -> Iterator[Process]:
    running = Process(database, port, "--unlimited", "--no-warming", *more)
    try:
        yield running
    finally:
        running.stop()


@pytest.fixture(scope="module")
def two(postgresql_server: str) -> Iterator[tuple[Process, Process]]:
    """Two processes on one database."""
    database = new_database(postgresql_server, "two_processes")
    with process(database) as one, process(database) as other:
        yield one, other


Two = tuple[Process, Process]


def pair(url: str, game: str) -> tuple[SeatHeld, SeatHeld]:
    ann = Server(url).create(game)
    assert ann.link
    return ann, join_by_link(ann.link)


def test_a_player_on_one_process_sees_the_moves_made_on_another(two: Two) -> None:
    one, other = two
    ann, bob = pair(one.url, "connect-four")
    bob.server = Server(other.url)
    with ThreadPoolExecutor(2) as pool:
        for done in [pool.submit(play_leftmost, seat) for seat in (ann, bob)]:
            done.result(timeout=60)
    assert match_of(ann.read()) == match_of(bob.read())
    assert match_of(ann.read()).outcome
    metrics = [httpx.get(f"{running.url}/metrics").text for running in two]
    assert all("connectoe_changes_total 0.0" not in text for text in metrics)


def test_several_processes_share_a_port_and_one_that_dies_is_replaced(postgresql_database: str) -> None:
    with process(postgresql_database, None, "--processes", "2") as server:

        def serving() -> set[int]:
            return {child for child in children_of(server.running.pid) if b"spawn_main" in command_of(child)}

        until(lambda: len(serving()) == 2)
        pairs = [pair(server.url, "connect-four") for _ in range(4)]
        with ThreadPoolExecutor(8) as pool:
            for done in [pool.submit(play_leftmost, seat) for both in pairs for seat in both]:
                done.result(timeout=60)
        assert all(match_of(ann.read()).outcome and match_of(ann.read()) == match_of(bob.read()) for ann, bob in pairs)
        before = serving()
        os.kill(min(before), signal.SIGKILL)
        until(lambda: len(serving()) == 2 and serving() != before)
        ann, bob = pair(server.url, "tic-tac-toe")
        ann.play("b2", 0)
        assert match_of(bob.read()).moves == ["b2"]
        served = serving()
        server.kill()
        until(lambda: not any(Path(f"/proc/{child}").exists() for child in served))  # none serves on without it


def command_of(process_id: int) -> bytes:
    return Path(f"/proc/{process_id}/cmdline").read_bytes()


def test_several_processes_do_not_share_an_sqlite_file(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "connectoe", "serve", "--port", "0", "--processes", "2"]
    ended = subprocess.run(
        [*command, "--database", f"sqlite:///{tmp_path}/matches.db"],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert ended.returncode == 1
    assert "several processes share a PostgreSQL database" in ended.stderr


def play_leftmost(seat: SeatHeld) -> None:
    for match in seat.turns():
        seat.play(match.legal_moves()[0], match.ply)


def test_presence_is_seen_from_another_process(two: Two) -> None:
    one, other = two
    ann, bob = pair(one.url, "connect-four")
    bob.server = Server(other.url)
    with closing(ann.changes()) as sees:
        assert not next(sees)["seats"][1]["present"]
        with closing(bob.changes()) as bob_sees:
            next(bob_sees)
            while not next(sees)["seats"][1]["present"]:
                pass
        while next(sees)["seats"][1]["present"]:
            pass


def test_presence_follows_the_sides_when_players_on_two_processes_swap(two: Two) -> None:
    one, other = two
    ann = Server(one.url).create("tic-tac-toe", {"swap": "yes"})
    assert ann.link
    bob = join_by_link(ann.link)
    bob.server = Server(other.url)
    ann.play("b2", 0)
    with closing(ann.changes()) as ann_sees:
        next(ann_sees)
        with closing(bob.changes()) as bob_sees:
            while not all(seat["present"] for seat in next(bob_sees)["seats"]):
                pass
            bob.play("swap", 1)
            while next(ann_sees)["ply"] < 2:
                pass
        while (seats := next(ann_sees)["seats"])[0]["present"]:
            pass
        assert seats[1]["present"]  # Ann, who is still here, has the second side


def test_of_simultaneous_moves_on_two_processes_one_is_accepted(two: Two) -> None:
    seats = [{"kind": "me"}, {"kind": "open"}]
    for _ in range(10):
        made = Server(two[0].url).ask("/matches", {"game": "connect-four", "seats": seats})
        held = [SeatHeld(Server(running.url), made["id"], 0, made["secrets"]["0"]) for running in two]

        def attempt(number: int, held: list[SeatHeld] = held) -> str:
            try:
                return str(held[number].play("ab"[number], 0)["moves"][0])
            except ServerError as error:
                assert error.status == 409
                return ""

        with ThreadPoolExecutor(2) as pool:
            answers = list(pool.map(attempt, (0, 1)))
        assert sorted(answers) == sorted(["", held[0].read()["moves"][0]])


def test_while_the_database_is_away_a_move_is_kept_and_played_once_it_is_back(postgresql_database: str) -> None:
    address, _, name = postgresql_database.rpartition("/")
    keeper = sql.create_engine(f"{address}/postgres", isolation_level="AUTOCOMMIT")

    def let_in(whether: bool) -> None:
        with keeper.connect() as connection:
            connection.execute(sql.text(f"ALTER DATABASE {name} ALLOW_CONNECTIONS {whether}"))
            if not whether:
                query = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = :name"
                connection.execute(sql.text(query), {"name": name})

    with process(postgresql_database) as server:
        ann, bob = pair(server.url, "connect-four")
        let_in(False)
        answer = httpx.get(f"{server.url}/matches/{ann.match_id}")
        assert (answer.status_code, "does not answer" in answer.text) == (503, True)
        with connect(f"ws{server.url[4:]}/api/v1/matches/{ann.match_id}/live") as live, pytest.raises(ConnectionClosed):
            live.recv(timeout=20)
        assert live.close_code == 1013
        with ThreadPoolExecutor(1) as pool:
            playing = pool.submit(ann.play, "d", 0)
            until(lambda: 'connectoe_requests_total{status="503"} 2.0' in httpx.get(f"{server.url}/metrics").text)
            assert not playing.done()
            let_in(True)
            assert playing.result(timeout=30)["moves"] == ["d"]
        bob.play("d", 1)
        assert "Traceback" not in server.logged()
    keeper.dispose()


def test_a_server_that_ends_in_the_middle_of_its_answer_counts_as_away() -> None:
    whole = b'HTTP/1.1 200 OK\r\nContent-Length: 30\r\n\r\n{"moves": ["d"], "version": 2}'

    def answer(listening: socket.socket) -> None:
        for end in (-5, None):
            with listening.accept()[0] as connection:
                connection.recv(10_000)
                connection.sendall(whole[:end])

    with socket.create_server(("127.0.0.1", 0)) as listening, ThreadPoolExecutor(1) as pool:
        listening.settimeout(10)
        answering = pool.submit(answer, listening)
        seat = SeatHeld(Server(f"http://127.0.0.1:{listening.getsockname()[1]}"), "match", 0, "secret")
        assert seat.play("d", 0) == {"moves": ["d"], "version": 2}
        answering.result(timeout=10)


MOST = 12
"""How many moves are made in each match."""


class Player:
    """One side of a match, who writes down every move that was accepted and never sends one twice by mistake."""

    def __init__(self, seat: SeatHeld) -> None:
        self.seat = seat
        self.accepted: list[tuple[int, str]] = []

    def play(self, most: int) -> None:
        """Plays until the match is over or that many moves are made."""
        for match in self.seat.turns():
            move = match.legal_moves()[(match.ply * 7 + self.seat.seat) % len(match.legal_moves())]
            self.seat.play(move, match.ply)  # again and again while the server is away
            self.accepted.append((match.ply, move))
            if match.ply >= most:
                return


def test_killed_in_the_middle_of_many_matches_no_accepted_move_is_lost(tmp_path: Path) -> None:
    """With our own client; `test_chaos.py` has more that goes wrong, on both databases."""
    with process(f"sqlite:///{tmp_path}/matches.db") as server:
        pairs = [pair(server.url, game) for game in GAMES * 2]
        players = [(Player(ann), Player(bob)) for ann, bob in pairs]
        against_engines = [Server(server.url).create("tic-tac-toe", opponent="random") for _ in range(5)]
        for seat in against_engines:
            seat.play("b2", 0)
        with ThreadPoolExecutor(2 * len(pairs)) as pool:
            playing = [pool.submit(player.play, MOST) for both in players for player in both]
            until(lambda: all(player.accepted for both in players for player in both), seconds=120)
            server.kill()
            made_before = sum(len(player.accepted) for both in players for player in both)
            assert made_before < MOST * len(pairs)
            server.start_again()
            try:
                for done in playing:
                    done.result(timeout=240)
            except BaseException:
                server.kill()  # or those who wait for whoever failed would wait for ever
                raise
        for (ann, _), both in zip(pairs, players, strict=True):
            told = ann.read()
            assert told["ply"] >= MOST or told["turn"] is None
            for player in both:
                for ply, move in player.accepted:
                    assert told["moves"][ply] == move
            assert len(told["moves"]) == len(match_of(told).moves)
        for seat in against_engines:  # engines that were to move went on by themselves
            for match in seat.turns():
                seat.play(match.legal_moves()[0], match.ply)
            assert match_of(seat.read()).outcome


def test_an_engine_that_was_to_move_goes_on_after_a_restart(tmp_path: Path) -> None:
    from connectoe.web.service.keys import Keys
    from connectoe.web.service.matches import Matches
    from connectoe.web.service.seating import Wish
    from connectoe.web.service.storage import Storage

    database = f"sqlite:///{tmp_path}/matches.db"
    storage = Storage(database)
    made = Matches(storage).create(
        Keys(browser="b"), load("connect-four"), (Wish("engine", level="random"), Wish("me"))
    )
    storage.close()
    with process(database) as server:
        until(lambda: Server(server.url).ask(f"/matches/{made.id}")["ply"])
        assert Server(server.url).ask(f"/matches/{made.id}")["turn"] == 1


def test_the_example_bot_joins_by_a_link_and_plays(tmp_path: Path) -> None:
    with process(f"sqlite:///{tmp_path}/matches.db") as server:
        ann = Server(server.url).create("tic-tac-toe", name="Ann")
        bot = subprocess.Popen(
            [sys.executable, str(ROOT / "examples" / "bot.py"), str(ann.link), "--level", "random"],
            stdout=subprocess.PIPE,
            text=True,
        )
        play_leftmost(ann)
        assert match_of(ann.read()).status in bot.communicate(timeout=60)[0]


def test_no_secret_is_logged(tmp_path: Path) -> None:
    with process(f"sqlite:///{tmp_path}/matches.db", None, "--access-log") as server:
        ann, bob = pair(server.url, "connect-four")
        ann.play("d", 0)
        told = Server(server.url).create("connect-four")
        httpx.get(str(told.link))
        httpx.get(f"{server.url}/matches/{ann.match_id}/seat/{ann.secret}")
        next(bob.changes())
        server.running.terminate()
        server.running.wait()
        log = server.logged()
    assert f"/api/v1/matches/{ann.match_id}/moves" in log
    for secret in (ann.secret, bob.secret, ann.invite, told.secret, told.invite):
        assert secret
        assert secret not in log


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--port", "99999"], "99999 is not in the range"),
        (["--database", "nonsense"], "is no database"),
        (["--database", "sqlite:////proc/nothing/matches.db"], "the database cannot be used"),
        (["--database", "postgresql+psycopg://nobody@127.0.0.1:1/none"], "the database cannot be used"),
        (["--host", "203.0.113.7"], "cannot be used"),
    ],
)
def test_a_server_that_cannot_be_started_says_why(arguments: list[str], words: str) -> None:
    started = CliRunner().invoke(main, ["serve", *arguments])
    assert started.exit_code in (1, 2)
    assert words in started.stderr
    assert "Traceback" not in started.stderr


def test_without_a_home_folder_a_database_is_asked_for(tmp_path: Path) -> None:
    script = "import os; os.path.expanduser = lambda path: path; from connectoe.cli import main; main(['serve'])"
    environment = {"PATH": os.environ["PATH"], "PYTHONPATH": str(ROOT / "src")}
    started = subprocess.run(
        [sys.executable, "-c", script], env=environment, cwd=tmp_path, capture_output=True, text=True, timeout=60
    )
    assert started.returncode == 1
    assert "there is no home folder to store matches in: name a database with --database" in started.stderr
    assert not list(tmp_path.iterdir())


def test_ctrl_c_ends_a_server_without_a_word(tmp_path: Path) -> None:
    with process(f"sqlite:///{tmp_path}/matches.db") as server:
        server.running.send_signal(signal.SIGINT)
        assert server.running.wait(20) == 0
        assert server.logged().count("\n") == 1  # where it was


def test_a_port_in_use_is_reported() -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        second = CliRunner().invoke(main, ["serve", "--port", str(other.getsockname()[1])])
    assert second.exit_code == 1
    assert "choose another with --port" in second.stderr
